"""Kept text nodes -> plain text, Markdown or clean HTML.

`kept` is a boolean array over all rows of the site (a `NodeVerdict.node_kept`); rows that are no text nodes are
ignored. Nothing here judges: what is kept is written, in document order. A module is loaded when it is first used: plain text
needs one of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitegrain.render.html import to_html
    from sitegrain.render.images import repeated_images
    from sitegrain.render.markdown import plain_markdown, to_markdown
    from sitegrain.render.page import RenderedPage
    from sitegrain.render.text import to_text

__all__ = ["RenderedPage", "plain_markdown", "repeated_images", "to_html", "to_markdown", "to_text"]

_HOME = {
    "RenderedPage": "page",
    "plain_markdown": "markdown",
    "repeated_images": "images",
    "to_html": "html",
    "to_markdown": "markdown",
    "to_text": "text",
}
"""Where each name lives: the same as the imports for type checkers above (a test compares)."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value
