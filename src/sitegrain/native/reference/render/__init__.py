"""Kept rows as text, Markdown and HTML."""
