"""When it was written."""
