"""Blocks: what is said of them, what they score, and which are kept."""
