"""The methods, one file each, and the names under which the command line takes them."""
