"""Strings, words and counts of them."""
