"""The lists of TOC pages: entries, their dates, and which links belong to one list."""
