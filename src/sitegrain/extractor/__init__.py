"""The default extractor: which text of a page is its content."""
