"""The pieces of structure of a text: its images, links, headings, items, cells, code, quotes and emphasis.

They are read twice: from Markdown, by a CommonMark parser, and from the page itself, by the parser's own tree and
not by the tables or the renderer, so that what these lose is seen. A piece is a key, its text as letters and digits or
its address; two readings are compared by counting keys.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sitegrain.evaluation.data import Label
from sitegrain.evaluation.gold import decoded
from sitegrain.evaluation.reading.code import (
    are_line_numbers,
    code_language,
    is_gutter,
    is_in_gutter,
    is_in_longer_code,
)
from sitegrain.evaluation.reading.wording import squeezed
from sitegrain.tables.address import resolve
from sitegrain.tables.capture import Capture
from sitegrain.tables.tags import BLOCK_TAGS, NO_TEXT_TAGS

KINDS = (
    "images", "links", "fragments", "headings", "items", "cells", "code", "languages", "quotes", "emphasis",
)  # fmt: skip
"""`fragments` are links with a `#`, `links` those without; `items` are of lists, `cells` of tables; `languages` are
code blocks with their language."""

Pieces = dict[str, Counter[str]]

_MARKS = {"b": "strong", "strong": "strong", "i": "em", "em": "em"}
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-src", "data-srcset", "data-orig-file")
_CUT = re.compile(r"-\d{2,4}x\d{2,4}(?=\.\w+$)")
_PRINTED, _LETTER = re.compile(r"\S"), re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[\W_]*")
_PERMALINK = re.compile(r"headerlink|permalink|anchor|hash-link|heading-?link", re.IGNORECASE)
_TOP = re.compile(r"(?:page-?)?(?:top|toc)|(?:table-?of-?)?contents?|up|header", re.IGNORECASE)
"""What a link that leads back to the top of its page, or to the list of its headings, names: "Back to top" is for a browser."""


def new_pieces() -> Pieces:
    return {kind: Counter() for kind in KINDS}


def _code_key(text: str) -> str:
    # The last lines may be white space alone, which no writer keeps.
    lines = (line.rstrip() for line in text.replace("\r", "").expandtabs(8).split("\n"))
    return "\n".join(lines).strip("\n")


# Markdown


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_pieces(markdown: str) -> Pieces:
    """The pieces of a Markdown text.

    >>> found = markdown_pieces("## Tea\\n\\n- Boil *hot* [water](http://a.org/w#x)")
    >>> {kind: list(keys) for kind, keys in found.items() if keys}
    {'fragments': ['http://a.org/w#x'], 'headings': ['2 tea'], 'items': ['boilhotwater'], 'emphasis': ['em hot']}
    """
    out = new_pieces()
    items: list[list[str]] = []
    quotes: list[list[str]] = []
    place = ""
    for token in _parser().parse(markdown):
        if token.type in ("heading_open", "td_open", "th_open"):
            place = token.tag
        elif token.type in ("heading_close", "td_close", "th_close"):
            place = ""
        elif token.type == "list_item_open":
            items.append([])
        elif token.type == "list_item_close":
            _count(out, "items", "".join(items.pop()))
        elif token.type == "blockquote_open":
            quotes.append([])
        elif token.type == "blockquote_close":
            text = "".join(quotes.pop())
            _count(out, "quotes", text)
            if quotes:
                quotes[-1].append(text)
        elif token.type in ("fence", "code_block"):
            key = _code_key(token.content)
            _count(out, "code", key)
            if language := token.info.strip().lower():
                _count(out, "languages", f"{language} {key}")
            _add_text(token.content, items, quotes)
        elif token.type == "inline":
            text = _inline(token, out, is_heading=place.startswith("h") and place[1:].isdigit())
            _add_text(text, items, quotes)
            if place in ("td", "th"):
                _count(out, "cells", text)
            elif place and squeezed(text):
                out["headings"][f"{place[1:]} {squeezed(text)}"] += 1
    return out


def _add_text(text: str, items: list[list[str]], quotes: list[list[str]]) -> None:
    # A quote within an item is part of both.
    for stack in (items, quotes):
        if stack:
            stack[-1].append(squeezed(text))


def _inline(token: Token, out: Pieces, is_heading: bool) -> str:
    pieces: list[str] = []
    marks: list[int] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            pieces.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif child.type == "image":
            out["images"][_plain(str(child.attrs.get("src", "")))] += 1
        elif child.type == "link_open":
            url = str(child.attrs.get("href", ""))
            out["fragments" if "#" in url else "links"][_plain(url)] += 1
        elif child.type in ("strong_open", "em_open"):
            marks.append(len(pieces))
        elif child.type in ("strong_close", "em_close"):
            text = squeezed("".join(pieces[marks.pop() :]))
            if not is_heading and text:
                out["emphasis"][f"{child.tag} {text}"] += 1
    return "".join(pieces)


def _count(out: Pieces, kind: str, text: str) -> None:
    key = text if kind in ("code", "languages") else squeezed(text)
    if key.strip():
        out[kind][key] += 1


def _plain(url: str) -> str:
    """Addresses are escaped in different ways by writers and readers."""
    return unquote(url.replace("&amp;", "&"))


# The page


@dataclass(frozen=True)
class PagePieces:
    """The pieces of a labelled page."""

    inside: Pieces = field(default_factory=new_pieces)
    """What stands in the gold."""
    outside: Pieces = field(default_factory=new_pieces)
    """What stands elsewhere on the page."""
    neutral: Pieces = field(default_factory=new_pieces)
    """What may be written or not: cells of tables that may be there for the layout, the heading with the page's title
    (labels leave it out, or keep it where Markdown writes it once at the top), code whose language the page does not name, the page's list of its own
    headings (labels keep it on about as many sites as they drop it) with the heading above it, the links back up to it, links to the page itself,
    which lead nowhere, and links that are a part of inline code, which holds none in Markdown."""
    shown_titles: frozenset[str] = frozenset()
    """The heading above the first text of the gold, and those above it that the label drops from its block: the title of the page, also where
    all pages share one `<title>`."""
    titles: tuple[str, ...] = ()
    """What `<title>` and `og:title` say: Markdown begins with the title, also where the page shows it in a line that is no heading."""
    alias: dict[str, str] = field(default_factory=dict)
    """Other addresses of an image -> the one it is counted by."""
    lines: dict[str, str] = field(default_factory=dict)
    """Address of a link of the gold -> the block of text around it."""
    own_image: str = ""
    """The name of the picture's file that the page names as its own (`og:image`), as it names its title."""


def page_pieces(capture: Capture, label: Label) -> PagePieces | None:
    """The pieces of a labelled article; None if its selector finds nothing."""
    tree = LexborHTMLParser(decoded(capture))
    try:
        keep = {e.mem_id for e in tree.css(label.content_selector)} if label.content_selector else set()
        drop = {e.mem_id for e in tree.css(label.drop_selector)} if label.drop_selector else set()
    except SelectolaxError:
        return None
    if not keep or tree.body is None:
        return None
    reader = _Reader(capture.url, tree, drop)
    reader.read(tree.body, keep)
    own_image = tree.css_first('meta[property="og:image"]')
    return replace(
        reader.found,
        shown_titles=frozenset(reader.headings_before),
        titles=tuple(filter(None, reader.titles)),
        own_image=file_of((own_image.attributes.get("content") or "").strip()) if own_image else "",
    )


class _Reader:
    """One walk over a page's tree."""

    def __init__(self, url: str, tree: LexborHTMLParser, drop: set[int]) -> None:
        base = tree.css_first("base[href]")
        self.base = resolve((base.attributes.get("href") or "") if base else "", url) or url
        titles = [e.text() for e in tree.css("title")[:1]]
        titles += [e.attributes.get("content") or "" for e in tree.css('meta[property="og:title"]')[:1]]
        self.titles = [squeezed(t) for t in titles]
        self.drop = drop
        self.found = PagePieces()
        self.headings_before: set[str] = set()
        self.was_dropped = False
        """Whether the label drops the last of them."""
        self.has_gold = False
        self.headings: set[str] = set()
        self.contents: list[tuple[Pieces, str, str, str]] = []
        """(counted in, kind, key, what it says) of what may belong to the page's list of its own headings."""
        self.heading_above: tuple[Pieces, str] | None = None
        """(counted in, key) of the last heading, while nothing but links has followed it."""

    def read(self, top: LexborNode, keep: set[int]) -> None:
        # (element, is in the gold, tags above that matter)
        stack: list[tuple[LexborNode, bool, frozenset[str]]] = [(top, False, frozenset())]
        while stack:
            node, is_gold, above = stack.pop()
            tag = node.tag or ""
            if (tag in NO_TEXT_TAGS and tag != "iframe") or tag in ("svg", "math", "select", "textarea", "button"):
                continue
            is_gold = (is_gold or node.mem_id in keep) and node.mem_id not in self.drop
            if node.mem_id in self.drop:
                keep = keep - {e.mem_id for e in node.css("*")}
            self._element(node, tag, is_gold, above)
            self.has_gold = self.has_gold or (is_gold and _has_own_text(node))
            if _has_own_text(node, _LETTER) and not any(t == "a" or re.fullmatch("h[1-6]", t) for t in (*above, tag)):
                self.heading_above = None
            if tag in ("pre", "code", "noscript", "a", "li", "blockquote") or re.fullmatch("h[1-6]", tag):
                above = above | {tag}
            elif tag == "table":
                above = (above - {"table", "maybe"}) | {_table_kind(node)}
            stack.extend((child, is_gold, above) for child in _children(node))
        for put, kind, key, said in self.contents:
            if said in self.headings:
                put[kind] -= Counter([key])
                self.found.neutral[kind][key] += 1

    def _element(self, node: LexborNode, tag: str, is_gold: bool, above: frozenset[str]) -> None:
        put = self.found.inside if is_gold else self.found.outside
        if "pre" in above and tag != "img" and not (tag == "a" and node.css_first("img")):
            return  # a code block of Markdown has neither links nor marks, but a picture parts it
        if tag == "img":
            self._image(node, put, above)
        elif tag == "a":
            self._link(node, put, above)
        elif re.fullmatch("h[1-6]", tag):
            text = squeezed(self.text(node))
            if text:
                is_title = (not is_gold or tag == "h1") and any(text in t or (t and t in text) for t in self.titles)
                self.headings.add(text.lstrip("0123456789"))
                put = self.found.neutral if is_title else put
                put["headings"][f"{tag[1]} {text}"] += 1
                self.heading_above = (put, f"{tag[1]} {text}")
                if not self.has_gold and not is_gold:
                    is_dropped = node.mem_id in self.drop
                    self.headings_before = {text} | (self.headings_before if is_dropped and self.was_dropped else set())
                    self.was_dropped = is_dropped
        elif tag == "li":
            text = squeezed(self.text(node, skip=("li",)))
            _count(put, "items", text)
            if text and node.css_first('a[href*="#"]') is not None:
                self.contents.append((put, "items", text, text.lstrip("0123456789")))
        elif tag in ("td", "th"):
            if "table" in above or "maybe" in above:
                _count(put if "table" in above else self.found.neutral, "cells", self.text(node))
        elif tag == "pre":
            self._code(node, put)
        elif tag in ("iframe", "video", "audio", "source", "embed"):
            self.found.neutral["links"][
                self._address(node.attributes.get("data-src") or node.attributes.get("src"))
            ] += 1
        elif tag == "dt":
            self.found.neutral["emphasis"][f"strong {squeezed(self.text(node))}"] += 1
        elif tag == "blockquote":
            _count(put, "quotes", self.text(node))
        elif tag in ("cite", "dfn"):
            self.found.neutral["emphasis"][f"em {squeezed(self.text(node))}"] += 1
        elif (
            tag in _MARKS and not any(re.fullmatch("h[1-6]", t) for t in above) and (text := squeezed(self.text(node)))
        ):
            put["emphasis"][f"{_MARKS[tag]} {text}"] += 1

    def _image(self, node: LexborNode, put: Pieces, above: frozenset[str]) -> None:
        attrs = node.attributes
        if any((attrs.get(name) or "") in ("0", "1") for name in ("width", "height")):
            return
        lazy = [self._address(attrs.get(name)) for name in _LAZY]
        plain = self._address(attrs.get("src"))
        places = [node, *(_children(node.parent) if node.parent is not None and node.parent.tag == "picture" else ())]
        sets = [
            self._address(part)
            for place in places
            for name in ("data-srcset", "srcset")
            for part in re.split(r",\s+", place.attributes.get(name) or "")
            if not part.strip().startswith("data:")
        ]
        wanted = [a for a in (*lazy, *([] if any(lazy) else [plain]), *sets) if a]
        if not wanted:
            return
        key = self.found.alias.get(wanted[0], wanted[0])
        for address in wanted:
            self.found.alias.setdefault(address, key)
        if "noscript" in above and (self.found.inside["images"][key] or self.found.outside["images"][key]):
            return  # what a lazy image shows without scripts
        put["images"][key] += 1

    def _address(self, value: str | None) -> str:
        words = (value or "").split()
        return _plain(resolve(words[0], self.base)) if words else ""

    def _link(self, node: LexborNode, put: Pieces, above: frozenset[str]) -> None:
        href = (node.attributes.get("href") or "").strip()
        text = self.text(node)
        if not href or not (text.strip() or node.css_first("img")):
            return
        is_sign = _SIGN.fullmatch(text) is not None and not node.css_first("img")
        if is_sign and (
            any(re.fullmatch("h[1-6]", t) for t in above) or _PERMALINK.search(node.attributes.get("class") or "")
        ):
            return
        url = resolve(href, self.base)
        if url:
            fragment = href.partition("#")[2]
            key = _plain(f"{url}#{fragment}" if fragment else url)
            is_own = url == resolve("", self.base)
            if (is_own and (not fragment or _TOP.fullmatch(fragment))) or ("code" in above and is_in_longer_code(node)):
                put = self.found.neutral
            put["fragments" if fragment else "links"][key] += 1
            if put is self.found.inside:
                self.found.lines.setdefault(key, self._line(node))
            if is_own and put is not self.found.neutral:
                said = squeezed(text).lstrip("0123456789")
                self.contents.append((put, "fragments", key, said))
                if self.heading_above is not None:
                    counted, heading = self.heading_above
                    self.contents.append((counted, "headings", heading, said))
                    self.heading_above = None
        elif href.lower().startswith("mailto:"):
            put["links"][_plain(href)] += 1

    def _line(self, node: LexborNode) -> str:
        """The text of the block around a link."""
        up: LexborNode | None = node
        while up is not None and up.tag not in BLOCK_TAGS:
            up = up.parent
        return squeezed(self.text(up or node))

    def _code(self, node: LexborNode, put: Pieces) -> None:
        key = _code_key(self.text(node, is_code=True))
        lines = [line for line in key.split("\n") if line.strip()]
        if not lines or (len(lines) > 1 and are_line_numbers(lines)):
            return
        if is_in_gutter(node):
            return
        put["code"][key] += 1
        if language := code_language(node):
            put["languages"][f"{language} {key}"] += 1
        else:
            self.found.neutral["languages"][f" {key}"] += 1

    def text(self, top: LexborNode, skip: tuple[str, ...] = (), is_code: bool = False) -> str:
        """Text of an element without what is dropped; blocks apart by a line break."""
        out: list[str] = []
        stack: list[LexborNode | str] = [top]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                if not is_code or (out and not out[-1].endswith("\n")):
                    out.append(node)
            elif node.is_text_node:
                out.append(node.text_content or "")
            elif node.is_element_node:
                tag = node.tag or ""
                if tag == "br":
                    out.append("\n")
                    continue
                is_below = node.mem_id != top.mem_id
                if tag in NO_TEXT_TAGS or (is_below and (node.mem_id in self.drop or tag in skip)) or _is_formula(node):
                    continue
                if is_code and is_below and is_gutter(node):
                    continue
                is_block = is_below and tag in BLOCK_TAGS
                if is_block:
                    if not is_code or (out and not out[-1].endswith("\n")):
                        out.append("\n")
                    stack.append("\n")
                stack.extend(_all_children(node))
        return "".join(out)


def file_of(address: str) -> str:
    """The name of a picture's file, without the size that it was cut to: a page names its picture in one size and shows it in another.

    >>> file_of("http://a.org/2024/tea-600x400.jpg?v=1")
    'tea.jpg'
    """
    return _CUT.sub("", unquote(address.partition("?")[0])).rpartition("/")[2]


def _has_own_text(node: LexborNode, such: re.Pattern[str] = _PRINTED) -> bool:
    return any(child.is_text_node and such.search(child.text_content or "") for child in _all_children(node))


def _is_formula(node: LexborNode) -> bool:
    names = (node.attributes.get("class") or "").split()
    return node.tag == "math" or any(name in ("katex", "MathJax", "math", "arithmatex") for name in names)


def _all_children(node: LexborNode) -> Iterator[LexborNode]:
    """Children, last first."""
    child = node.last_child
    while child is not None:
        yield child
        child = child.prev


def _children(node: LexborNode) -> Iterable[LexborNode]:
    return (child for child in _all_children(node) if child.is_element_node)


def _table_kind(node: LexborNode) -> str:
    """`table` if it surely shows data, `maybe` if it may, else `layout`."""
    if (
        (node.attributes.get("role") or "") in ("presentation", "none")
        or len(node.css("table")) > 1
        or node.css_first("pre")
    ):
        return "layout"
    rows = [sum(1 for c in _children(row) if c.tag in ("td", "th")) for row in node.css("tr")]
    if len(rows) < 2 or max(rows, default=0) < 2:
        return "maybe" if node.css_first("th") else "layout"
    if node.css_first("h1, h2, h3, h4, h5, h6, form, blockquote, article, p + p"):
        return "maybe"
    return "table" if node.css_first("th, caption") and min(rows) > 0 else "maybe"
