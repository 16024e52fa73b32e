"""What readers of fields ask of the rows of every page, found for all pages of a site at once.

Each answer is an array program over the whole node table: asked page by page and row by row, the same takes ten times as long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools, Ints64
from sitegrain.native.columns import NUMBERS
from sitegrain.native.inputs import LineRows
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, TAG_CODE, tag_mask

EXAMPLES = ("code", "samp", "kbd")
"""What these hold is an example: a line of a log, what a program prints."""
_IS_HEADING = tag_mask(HEADINGS)
ASKED = (*HEADINGS, *EXAMPLES, "time", "img", "button", "pre", "table")
"""Tags whose rows are asked for on every page."""
_IS_ASKED = tag_mask(ASKED)
# Where other things stand than the page's own title, author and date.
_IS_ELSEWHERE = tag_mask(("nav", "template", "dialog"))
_IS_SIDE = tag_mask(("footer", "aside"))
_IS_PAGE = tag_mask(("body", "html", "main", "article"))
ELSEWHERE, SIDES, PAGES = (frozenset(np.flatnonzero(mask).tolist()) for mask in (_IS_ELSEWHERE, _IS_SIDE, _IS_PAGE))
"""The same as codes, for who asks row by row."""
_IS_ARTICLE = tag_mask(("article", "main"))
_H1, _PRE, FORM = (TAG_CODE[name] for name in ("h1", "pre", "form"))
_IS_EXAMPLE = tag_mask(EXAMPLES)
_OTHER_CASES = frozenset("\u017f\u0130\u0131\u212a")
"""Letters beyond ASCII that patterns of either case take for an "s", an "i" or a "k"."""
SHORT_NAME = NUMBERS["MAX_NAME_BYTES"]
"""Characters of a name in ASCII that the kernels read to its end."""
SMALL_SIDE = 300
"""Characters of an `<aside>` or `<footer>` inside of an article that may hold its date and author."""
ELSEWHERE_NAMES = re.compile(
    r"comment|(?:^|[-_ ])(?:nav|menu|aside|cookie)|(?:^|(?<!post)(?<!entry)(?<!asset)(?<!article)[-_ ])footer|sidebar|related|recommend|popular|trending|recent|latest|"
    r"(?:^| )widget|read-?more|more-?(?:stories|posts|articles|news)|also-?like|next-?post|prev(?:$|[-_ i])|"
    r"breadcrumb|newsletter|"
    r"promo(?!ted)|teaser|carousel|disqus|respond",
    re.IGNORECASE,
)
_IN_ELSEWHERE_NAMES = (
    "comment", "nav", "menu", "aside", "footer", "cookie", "sidebar", "related", "recommend", "popular", "trending", "recent", "latest", "widget",
    "more", "like", "next", "prev", "breadcrumb", "newsletter", "promo", "teaser", "carousel", "disqus", "respond",
)  # fmt: skip
"""One of these stands in every name that the pattern matches: they are looked for by a kernel, and the pattern only where one is found."""


@lru_cache(maxsize=8)
def _matcher(words: tuple[str, ...]) -> object:
    return native.matcher(words, np.ones(len(words), np.uint64))


@per_site
def asked_rows(site: Site) -> dict[int, list[int]]:
    """Code of a tag of `ASKED` -> its rows, in document order."""
    return native.tag_rows(site.nodes.tag, _IS_ASKED)


@per_site
def heading_rows(site: Site) -> list[int]:
    """Rows of headings, in document order."""
    rows: list[int] = np.flatnonzero(_IS_HEADING[site.nodes.tag]).tolist()
    return rows


@per_site
def pages_with(site: Site) -> list[frozenset[int]]:
    """Per attribute: the pages that have it. Many are asked for that most pages have not."""
    has = np.zeros((len(ATTRIBUTES), site.n_pages), bool)
    has[site.attrs.name, site.nodes.page[site.attrs.node]] = True
    return [frozenset(np.flatnonzero(pages).tolist()) for pages in has]


@per_site
def line_rows(site: Site) -> LineRows:
    """The rows of a site as views of memory: to cut those of a page out of them takes a third of the time that arrays take."""
    nodes = site.nodes
    columns = (nodes.tag, nodes.parent, nodes.end, nodes.text_start, nodes.text_end, nodes.flags)
    return LineRows(*(column.data for column in columns))


class TextNodes(NamedTuple):
    """The text nodes of a page or a site, in document order."""

    rows: list[int]
    starts: list[int]
    """Where the text of each begins in that of its page."""
    ends: list[int]


@per_site
def text_nodes(site: Site) -> TextNodes:
    """The text nodes of a site: as lists, since pages ask for few of them."""
    rows, nodes = site.text_rows, site.nodes
    return TextNodes(rows.tolist(), nodes.text_start[rows].tolist(), nodes.text_end[rows].tolist())


def named_rows(
    site: Site, pattern: re.Pattern[str], names: Sequence[str] = ("class", "id"), words: tuple[str, ...] = ()
) -> Ints64:
    """Rows of which one of these attributes matches, in document order; one of the `words`, if given, stands in every match, in either case."""
    attrs, strings = site.attrs, site.strings
    is_asked = np.zeros(len(ATTRIBUTES), bool)
    is_asked[[ATTRIBUTES.index(name) for name in names]] = True
    at = np.flatnonzero(is_asked[attrs.name])
    values = attrs.value[at]
    used = np.zeros(len(strings), bool)
    used[values] = True
    asked = np.flatnonzero(used).tolist()
    if words:
        said = [strings[v] for v in asked]
        has_word = native.word_bits(said, _matcher(words)).tolist()
        # Of long names the kernel reads the beginning, and letters beyond ASCII may be another case of the pattern's.
        asked = [
            v
            for v, name, has in zip(asked, said, has_word, strict=True)
            if has or ((len(name) > SHORT_NAME or not name.isascii()) and _may_have(name, words))
        ]
    matches = np.zeros(len(strings), bool)
    matches[[v for v in asked if is_named(pattern, strings[v])]] = True
    rows = attrs.node[at[matches[values]]]  # in order: an element may have several such attributes
    return rows[np.diff(rows, prepend=-1) > 0].astype(np.int64)


def _may_have(name: str, words: tuple[str, ...]) -> bool:
    """Whether one of these words may stand in a name, in either case: a look for all of them takes a tenth of the time of a pattern. They are of
    plain letters, so only those of the name need be looked at: some name headings by all that they say, 10,000 letters of Arabic."""
    plain = name.encode("ascii", "ignore").decode().lower()
    return any(word in plain for word in words) or not _OTHER_CASES.isdisjoint(name)


class Examples(NamedTuple):
    """Per row: it stands within code."""

    in_code: Bools
    """In one of `EXAMPLES`."""
    or_pre: Bools
    """Also in `<pre>`."""


@per_site
def examples(site: Site) -> Examples:
    """Which rows stand within code."""
    tag, end = site.nodes.tag, site.nodes.end
    in_code = under(_IS_EXAMPLE[tag], end)
    return Examples(in_code, in_code | under(tag == _PRE, end))


class Elsewhere(NamedTuple):
    """Per row: it stands inside of what is not its page's own matter."""

    strictly: Bools
    """Menus, comments, lists of other pages, what is hidden."""
    or_aside: Bools
    """Also an `<aside>` or `<footer>`."""


@per_site
def elsewhere(site: Site) -> Elsewhere:
    """Which rows stand inside of menus, comments, lists of other pages, in what is hidden, in an `<aside>` or `<footer>`.

    Themes name the whole page after what it also holds ("has-sidebar", "comments-open"): elements of the page as a whole do not count,
    and neither does a box or a form that holds most of the page, or its heading (of some programs all of it is a form). A small `<aside>` within an
    article is the article's. What is hidden and holds most of the page is shown by a script when all of it has come.
    """
    nodes = site.nodes
    tag, end = nodes.tag, nodes.end
    named = named_rows(site, ELSEWHERE_NAMES, words=_IN_ELSEWHERE_NAMES)
    named = distinct(np.concatenate((named, np.flatnonzero(tag == FORM))))
    size = nodes.text_end[named] - nodes.text_start[named]
    n_characters = np.array([len(text) for text in site.texts], np.int64)
    whole = n_characters[nodes.page[named]]
    headings = prefix_sum(tag == _H1)
    named = named[(2 * size < whole) & (headings[end[named]] == headings[named])]
    is_other = _IS_ELSEWHERE[tag].copy()
    hidden = np.flatnonzero(nodes.flags & HIDDEN)
    is_part = 2 * (nodes.text_end[hidden] - nodes.text_start[hidden]) < n_characters[nodes.page[hidden]]
    is_other[hidden[is_part]] = True
    is_other[named] = True
    is_page = _IS_PAGE[tag]
    strictly = under(is_other & ~is_page, end)
    sides = np.flatnonzero(_IS_SIDE[tag] & ~is_page)
    is_small = (nodes.text_end[sides] - nodes.text_start[sides] <= SMALL_SIDE) & under(_IS_ARTICLE[tag], end)[sides]
    is_aside = np.zeros(len(tag), bool)
    is_aside[sides[~is_small]] = True
    return Elsewhere(strictly, strictly | under(is_aside, end))
