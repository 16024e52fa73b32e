"""The site style tree with sentences."""
