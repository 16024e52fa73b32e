"""What can be asked about a page that was judged, wherever the answer comes from, and how it is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import ref

from sitegrain.tables.notebook import counted, html_card, shortened

if TYPE_CHECKING:
    from sitegrain.article.lists.entries import TocEntry

P = TypeVar("P")


class FoundPage(Protocol):
    """What was found on one page: `Article` of a mined result, `StoredArticle` of a folder."""

    @property
    def page(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def page_type(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def sitename(self) -> str: ...
    @property
    def canonical(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def images(self) -> tuple[str, ...]: ...
    @property
    def sources(self) -> dict[str, str]: ...
    @property
    def text(self) -> str: ...
    @property
    def markdown(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def entries(self) -> list[TocEntry]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def to_dict(self) -> dict[str, Any]: ...


def article_line(article: FoundPage, name: str) -> str:
    """An article at the prompt: its address, title and size."""
    named = f"{shortened(article.url, 60)} {shortened(article.title, 50)!r}"
    return f"{name}({named}, {counted(len(article.text), 'character')})"


def article_card(article: FoundPage) -> str:
    """An article in a notebook: its title and the start of its text, as text."""
    facts = f"{article.role} · {article.url} · {counted(len(article.text), 'character')}"
    return html_card(article.title or article.url, facts, article.text)


def front_matter(page: FoundPage, **more: str) -> str:
    """Title, author, date and address as YAML, to stand above the Markdown; what is unknown is left out."""
    found = {"title": page.title, "author": page.author, "date": page.date, "url": page.url, **more}
    # JSON's strings are YAML's.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in found.items() if value]
    return "\n".join(["---", *lines, "---", "", ""])


def unheld(page: P, again: Callable[[], P]) -> Callable[[], P]:
    """What gives a page without holding it; `again` makes the page anew when it has gone. An article holds its fields; if they
    held it, too, the tables of every page that was extracted would wait for the collector."""
    known = ref(page)
    return lambda: known() or again()
