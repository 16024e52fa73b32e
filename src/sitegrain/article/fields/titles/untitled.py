"""Pages that nobody gave a title: what programs write there instead, and the line that a reader takes for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from sitegrain.arrays.types import Bools
from sitegrain.article.fields.titles.titles import MAX_TITLE, is_site_name, separators
from sitegrain.article.fields.view import BREAKS, View
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE
from sitegrain.text.words import title_words

_NO_TITLE = re.compile(
    r"(?:home(?: ?page)?|index(?:\.\w{2,5})?|startseite|accueil|inicio|início|главная|首页|ホーム"
    # Dreamweaver, Word, Composer and LibreOffice, and pages that were pasted from an example
    r"|untitled|no title|title|page title|insert title here|blank(?: page)?|document|unbenannt(?:es dokument)?|ohne titel|kein titel"
    r"|(?:document|page) sans (?:titre|nom)|sans titre|documento (?:sin|sem|senza) (?:título|titulo|titolo)|sin título|sem título|senza (?:titolo|nome)"
    r"|naamloos(?: document)?|zonder titel|namnlöst? dokument|uden titel|dokument bez (?:tytułu|názvu|naslova)|bez tytułu|bez názvu|başlıksız(?: belge)?|adsız(?: belge)?"
    r"|без (?:названия|имени|заголовка)|документ без названия|無題(?:ドキュメント)?|无标题(?:文档|页)?|未命名(?:文档)?|無標題(?:文件)?|제목 ?없(?:음|는 문서)"
    # FrontPage and GoLive, which count
    r"|(?:(?:untitled|unbenannt|sans titre)[- ]?|(?:untitled (?:document|page|normal page)|new page|neue seite|nouvelle page|nueva página|nova página|nuova pagina"
    r"|pagina nuova|nieuwe pagina|ny side|ny sida|nowa strona|nová stránka|yeni sayfa|новая страница|新しいページ|新建网页|새 페이지)[- ]?)\d{0,3}"
    r"|top \(.*\)"  # the first page of a manual by Texinfo, whose heading is the title of the manual
    r"|welcome to (?:adobe golive|golive cyberstudio)(?: \d+)?)",
)
"""By their defaults, in the languages that these programs are sold in."""
_LAST, _JOINED = re.compile(r"[/?=&:#]"), re.compile(r"\w+(?:[-_]\w+)+")
"""What stands before the last part of an address, and a part of several words."""
LARGE = re.compile(r"\+[1-9]|[4-7]")
"""Sizes of `<font>` that are larger than text."""
_BOLD = ("b", "strong", "big", "font")
_FONT = TAG_CODE["font"]
_SIZE = (ATTRIBUTES.index("size"),)
SENTENCE = 100
"""Characters of a text that is a sentence, and stands below the title. Set beforehand."""
MAX_BOLD = 6
"""Bold lines at the beginning of a page that may be its title: a section's name, a kicker, the title. Set beforehand."""


def is_no_title(text: str, url: str = "") -> bool:
    """True for what programs write where nobody gave a title; wikis the last part of the page's address and their own name.

    >>> is_no_title("New Page 1"), is_no_title(" Untitled Document"), is_no_title("New pages of the wiki"), is_no_title("Untitled Goose")
    (True, True, False, False)
    >>> is_no_title("green_tea [Wiki]", "http://a.org/wiki/green_tea"), is_no_title("Tea [1971]", "http://a.org/tea")
    (True, False)
    """
    if text.endswith("]") and _JOINED.fullmatch(last := _LAST.split(url.removesuffix(".html"))[-1].casefold()):
        own, _, _ = text.partition("[")
        if own.strip().casefold() == last:
            return True
    return len(text) < 60 and _NO_TITLE.fullmatch(" ".join(text.casefold().split())) is not None


class KnownLines(Protocol):
    """What a site tells of the lines of its pages."""

    repeated: frozenset[str]


def agreed_title(view: View, names: Sequence[str]) -> str:
    """The `<h1>` with which `<title>` begins, before the name of the site: what a few pages are called alike is still their title, as that of an
    event that comes again every month."""
    title, url = view.site.pages.title[view.page], view.site.pages.url[view.page]
    cuts = separators(title) if len(title) <= MAX_TITLE else ()
    if not cuts:
        return ""
    said = {tuple(title_words(title[:start])) for start, _ in cuts} - {()}
    found = (text for row in view.tagged("h1")[:3] if tuple(title_words(text := view.text(row))) in said)
    return next((text for text in found if not is_site_name(text, names, url)), "")


def bold_title(view: View, known: KnownLines | None, names: Sequence[str], kept: Bools | None, limit: int) -> str:
    """The first bold line that may be a title: sites made by hand have neither headings nor a `<title>` for each page.

    A page alone does not tell the name of the site above its text from the title, so there it is a line of its own among what was kept. Where a
    lower heading is at row `limit`, it is a line of its own above it and above all sentences: office programs write the title so, large,
    and headings for the parts.
    """
    rows = bold_lines(view)
    if known is not None and limit == view.rows.stop:
        return next((line for row in rows if (line := view.text(row)) not in known.repeated), "")
    if known is not None:
        at, starts, ends = view.text_nodes
        spots = zip(at, starts, ends, strict=True)
        limit = min(limit, next((row for row, start, end in spots if end - start >= SENTENCE), limit))
        own = (row for row in rows if row < limit and _is_alone(view, row))
        return next((line for row in own if (line := view.text(row)) not in known.repeated), "")
    lines = (view.text(row) for row in rows if _is_alone(view, row) and (kept is None or kept[_texts(view, row)].any()))
    url = view.site.pages.url[view.page]
    return next((line for line in lines if not is_site_name(line, names, url)), "")


def _texts(view: View, row: int) -> slice:
    return slice(row, int(view.site.nodes.end[row]))


def _is_alone(view: View, row: int) -> bool:
    """True for an element that begins a block, and after which a line ends."""
    first, lists = view.rows.start, view.lists
    block = row
    while (above := lists.parent[block - first]) >= first and lists.tag[block - first] not in BREAKS:
        block = above
    whole, line = view.text(block), view.text(row)
    if not whole.startswith(line):
        return False
    after = lists.end[row - first]
    return whole == line or (after < view.rows.stop and lists.tag[after - first] in BREAKS)


def bold_lines(view: View) -> list[int]:
    """Rows of the first bold or large elements of a page that are as short as a title."""
    rows = [row for row in view.tagged(*_BOLD) if _is_bold(view, row)][:MAX_BOLD]
    rows = [row for row in rows if not view.is_elsewhere(row) and not view.inside(row, "a")]
    return [row for row in rows if _may_be_title(view.text(row))]


def _may_be_title(line: str) -> bool:
    """True for two words or more, not of figures alone (the number of a version)."""
    return len(title_words(line)) > 1 and len(line) <= MAX_TITLE and any(map(str.isalpha, line))


def _is_bold(view: View, row: int) -> bool:
    if view.lists.tag[row - view.rows.start] != _FONT:
        return True
    return any(LARGE.fullmatch(size.strip()) for _, size in view.values(row, row + 1, _SIZE))
