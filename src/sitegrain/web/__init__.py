"""The explorer: the views of the report served on loopback, with what a static folder cannot do."""
