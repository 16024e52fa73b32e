"""What was found on one page: its text, fields and entries."""
