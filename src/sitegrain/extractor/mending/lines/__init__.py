"""Single lines that are not of the text: copies, bylines, addresses, lists of contents, links that share or turn the page."""
