"""Kept text nodes -> plain text, Markdown or clean HTML.

`kept` is a boolean array over all rows of the site (a `NodeVerdict.node_kept`); rows that are no text nodes are
ignored. Nothing here judges: what is kept is written, in document order.
"""

from sitegrain.render.html import to_html
from sitegrain.render.images import repeated_images
from sitegrain.render.markdown import plain_markdown, to_markdown
from sitegrain.render.page import RenderedPage
from sitegrain.render.text import to_text

__all__ = ["RenderedPage", "plain_markdown", "repeated_images", "to_html", "to_markdown", "to_text"]
