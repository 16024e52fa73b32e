"""What it is called."""
