"""What a command shows: on a terminal, in a pipe, and while it works."""
