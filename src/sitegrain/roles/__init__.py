"""What a page is for: TOC page, article or other."""
