"""sitegrain: the grain of a web site."""
