"""WISDOM: the informative structure inside a page."""
