"""Who wrote it."""
