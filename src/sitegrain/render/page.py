"""One page in several formats: which of its rows are written is found once."""

from __future__ import annotations

from sitegrain.arrays.types import Bools
from sitegrain.render.html import html_of
from sitegrain.render.markdown import markdown_of, markdown_walk
from sitegrain.render.walk import Walk
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site


class RenderedPage:
    """The kept text of a page, as Markdown and as HTML; `title` stands above it if none of its headings says it."""

    def __init__(
        self, site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset(), title: str = ""
    ) -> None:
        self._given = site, page, kept, repeated
        self._title = title

    @cached_property
    def _walk(self) -> Walk:
        return markdown_walk(*self._given)

    def markdown(self) -> str:
        """`to_markdown` of the page."""
        return markdown_of(self._walk, self._title)

    def html(self) -> str:
        """`to_html` of the page."""
        return html_of(self._walk, self._title)
