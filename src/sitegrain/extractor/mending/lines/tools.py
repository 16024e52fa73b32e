"""Lines for who uses a page and not for who reads it: where it stands on its site ("Home > Tea > Green tea"), links that share or print it."""

from __future__ import annotations

import re
from urllib.parse import unquote

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.links import Link, beside_links, links_of_blocks
from sitegrain.light import late_pattern
from sitegrain.tables.address import host_of, resolve
from sitegrain.text.words import title_words

MAX_WORDS, LINKED = 40.0, 0.1
"""Words of such a line, and share of it that is linked, at least: with little of either it is looked at no further."""
LABEL_WORDS = 5
"""Words before the first link of a trail, or beside the links that share: "You are here", "Send this page to"."""
DATE_WORDS = 16.0
"""Words of a line with a link to print the page, as of one with a date, a name and what else stands there (`dates`)."""
MIN_TITLE = 8
"""Characters of a title, or of the last part of an address, that are in another by no chance."""
_BETWEEN = late_pattern(r"[\s>»›→⟩/|\\:·•-]*[>»›→⟩/|\\][\s>»›→⟩/|\\:·•-]*")
_NOT_SAID = re.compile(r"[\W_]+")
_PRINT = late_pattern(r"(?:^|[/?&=_.-])(?:do)?print(?:able|er|view|version|-friendly)?(?:$|[/?&=_.-])", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:x?html?|php|aspx?)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default|home)\.\w{3,5}$", re.IGNORECASE)


def without_tools(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without trails to the page, and without lines whose links share it or print it.

    A loop over short lines with links, because addresses are text.
    """
    links, words = evidence.column("link_density"), evidence.words
    some = kept & (links >= LINKED) & (words <= MAX_WORDS) & (evidence.column("in_heading") <= 0)
    if not some.any():
        return kept
    blocks, rows = evidence.blocks, evidence.blocks.rows
    pages, first = rows.site.pages, rows.first_page
    found = []
    for block, own in links_of_blocks(blocks, some).items():
        if len(own) == 1 and "rint" not in own[0].href:
            continue  # most of them
        page = first + int(blocks.page[block])
        url, title = pages.url[page], pages.title[page]
        is_tool = len(own) > 1 and (
            _is_trail(evidence, block, own, url, title) or _shares(evidence, block, own, url, title)
        )
        if is_tool or (words[block] <= DATE_WORDS and any(prints(link.href, url) for link in own)):
            found.append(block)
    return without(kept, found)


def _beside(evidence: Evidence, block: int, links: list[Link]) -> list[str]:
    """What is said before, between and after the links of a block."""
    return beside_links(evidence.blocks, block, (link.row for link in links))


def _is_trail(evidence: Evidence, block: int, links: list[Link], url: str, title: str) -> bool:
    """Whether links from a folder above the page lead down to it, with signs between them and at most its title behind."""
    before, *between, after = _beside(evidence, block, links)
    if len(title_words(before)) > LABEL_WORDS or not all(_BETWEEN.fullmatch(text) for text in between):
        return False
    last = _NOT_SAID.sub(" ", after.lower()).strip()
    if last and (not _BETWEEN.match(after) or last not in _NOT_SAID.sub(" ", title.lower())):
        return False
    top = _INDEX.sub("", resolve(links[0].href, url).partition("?")[0]).rstrip("/")
    return bool(top) and url.startswith(f"{top}/") and _INDEX.sub("", url).rstrip("/") != top


def _shares(evidence: Evidence, block: int, links: list[Link], url: str, title: str) -> bool:
    """Whether all links hand the page's address or its title to other sites, and nearly nothing stands beside them."""
    if not all(hands_on(link.href, url, title) for link in links):
        return False
    return len(title_words(" ".join(_beside(evidence, block, links)))) <= LABEL_WORDS


def hands_on(href: str, url: str, title: str) -> bool:
    """True for a link to another site that tells it the address or the title of this page.

    >>> hands_on("https://x.example/share?u=http%3A%2F%2Fa.org%2Ftea", "http://a.org/tea", "Tea")
    True
    >>> hands_on("https://x.example/submit?title=The%20oldest%20tea", "http://a.org/1", "The oldest tea - A blog")
    True
    >>> hands_on("https://x.example/?q=tea", "http://a.org/tea", "Tea")
    False
    """
    address, _, query = href.partition("?")
    if not query or host_of(address) in ("", host_of(url)):
        return False
    said = _NOT_SAID.sub(" ", unquote(query.replace("+", " ")).lower())
    own = _NOT_SAID.sub(" ", url.partition("://")[2].partition("?")[0].lower()).strip()
    last = _ENDING.sub("", unquote(url).rstrip("/").rpartition("/")[2])
    names = (_NOT_SAID.sub(" ", part.lower()).strip() for part in (last, *re.split(r" [|»:—–-] ", title)))
    return (" " in own and own in said) or any(len(name) >= MIN_TITLE and name in said for name in names)


def prints(href: str, url: str) -> bool:
    """True for a link to this page as it is printed: its address has a word for that, and the page's own or its number.

    >>> prints("/print/12", "http://a.org/tea/12.html"), prints("/tea/12/print", "http://a.org/tea/12"), prints("/print", "http://a.org/tea")
    (True, True, False)
    """
    if "print" not in href and "Print" not in href:
        return False
    path = url.partition("://")[2].partition("/")[2].partition("#")[0]
    numbers = re.findall(r"\d+", path)
    own = _INDEX.sub("", path).rstrip("/")
    is_own = (bool(own) and own in href) or (bool(numbers) and numbers[-1] in re.findall(r"\d+", href))
    address = href.partition("://")[2] or href
    return is_own and _PRINT.search(unquote(address)) is not None and host_of(resolve(href, url)) == host_of(url)
