"""Pages with foreign things in them, to learn precision from: what one article shows beside its text (comments, cards, lists, boxes) is
put below, beside or into the text of another.

The gold standards hold a few hundred news sites, each with such things at the one place where it has them. A spliced page is
written from the tables of two pages and read again, so that all evidence of it is that of a real page, and the labels of its blocks
are known: those of the host are as they were, and what is foreign is not content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from sitegrain.arrays.types import Floats, Ints64
from sitegrain.extractor.blocks import Rows, rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.native.columns import bits_of
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.tags import ATTRIBUTES, TAGS, TEXT, UNKNOWN, VOID_TAGS, tag_mask

PIECE_WORDS = 15, 1500
"""Words of what is spliced: less is a button, more is another page."""
SMALL_PIECE = 80
"""Words of what may also stand between two paragraphs, as a card or a box does."""
HOST_WORDS = 60
"""Words of content that a host has at least."""
MOST_PIECES, DRAWN = 3, 6
"""Pieces that a page takes, and how many are drawn for each: the one that has most words in common with the host is taken, since comments and
cards are mostly about what the page is about. These numbers were set beforehand."""
_NOT_CONTENT, _MOST = 0.05, 0.9
_MARK, _FOREIGN = ATTRIBUTES.index("hreflang"), "x-foreign"
"""An attribute that is kept and that no evidence reads."""
_PIECE_TAGS = tag_mask(("div", "section", "aside", "article", "ul", "ol", "dl"))
PIECE_BLOCKS = 3
"""Blocks of a piece at least, and what it may be: a paragraph or a table that a gold standard leaves out is none, it is a hole in the gold."""
_SPACE_BEFORE = bits_of("ROW_BITS")[0]


@dataclass(frozen=True)
class Piece:
    """What stands beside the text of a page."""

    group: str
    html: str
    n_words: int
    words: frozenset[str]


@dataclass(frozen=True)
class Labelled:
    """A page with what is known of its blocks."""

    evidence: Evidence
    label: Floats
    trust: Floats


def written(
    rows: Rows, first: int, last: int, before: Mapping[int, str] | None = None, after: Mapping[int, str] | None = None
) -> str:
    """The rows of a page as HTML, with more HTML before and after some of them.

    A loop over rows: a page is written once or twice, for training.

    >>> site = build_site([Capture("http://a.org/", b"<p id=x>One <b>two</b><p>3 &lt; 4")])
    >>> rows = rows_of(site, 0, 1)
    >>> written(rows, 3, len(rows), after={3: "<hr>"})
    '<p id="x">One <b>two</b></p><hr><p>3 &lt; 4</p>'
    """
    before, after = before or {}, after or {}
    attrs: dict[int, list[tuple[int, str]]] = {}
    for node, name, value in zip(*(column.tolist() for column in rows.attrs), strict=True):
        attrs.setdefault(node, []).append((name, rows.site.strings[value]))
    tags, ends, begins, stops = (c.tolist() for c in (rows.tag, rows.end, rows.text_start, rows.text_end))
    spaced = ((rows.columns.flags & _SPACE_BEFORE) > 0).tolist()
    out: list[str] = []
    still_open: list[tuple[int, int, str]] = []
    for row in range(first, last + 1):
        while still_open and (row == last or still_open[-1][0] <= row):
            _, closed, tag = still_open.pop()
            out.append(f"</{tag}>{after.get(closed, '')}")
        if row == last:
            break
        out.append(before.get(row, "") + " " * spaced[row])
        if tags[row] == TEXT:
            out.append(escape(rows.text[begins[row] : stops[row]], quote=False))
            continue
        own = attrs.get(row, ())
        tag = TAGS[tags[row]] if tags[row] != UNKNOWN else next((value for name, value in own if not name), "x-unknown")
        out.append(f"<{tag}{''.join(f' {ATTRIBUTES[name]}={chr(34)}{escape(v)}{chr(34)}' for name, v in own if name)}>")
        if tag in VOID_TAGS:
            out.append(after.get(row, ""))
        else:
            still_open.append((ends[row], row, tag))
    return "".join(out)


def _sums(evidence: Evidence, value: Floats) -> Floats:
    """Prefix sums over rows of what blocks have, each at its first row."""
    at = np.bincount(evidence.blocks.first, value, len(evidence.blocks.rows))
    return np.concatenate([[0.0], np.cumsum(at)])


def pieces(group: str, page: Labelled) -> tuple[Piece, ...]:
    """What stands beside the text of an article: the largest elements without content, with some prose, whose parents have content."""
    evidence, rows = page.evidence, page.evidence.blocks.rows
    gold = _sums(evidence, evidence.words * (page.label > _NOT_CONTENT))
    words, blocks = _sums(evidence, evidence.words), _sums(evidence, np.ones(len(evidence.words)))
    prose = _sums(evidence, evidence.is_sentence.astype(np.float64))
    row = np.flatnonzero(_PIECE_TAGS[rows.tag])
    end, up = rows.end[row], rows.parent[row]
    size = words[end] - words[row]
    is_piece = (gold[end] == gold[row]) & (gold[rows.end[up]] > gold[up]) & (prose[end] > prose[row])
    is_piece &= (blocks[end] - blocks[row] >= PIECE_BLOCKS) & (size >= PIECE_WORDS[0]) & (size <= PIECE_WORDS[1])
    out = []
    for r, e, n in zip(row[is_piece].tolist(), end[is_piece].tolist(), size[is_piece].tolist(), strict=True):
        tag, text = TAGS[rows.tag[r]], rows.text[rows.text_start[r] : rows.text_end[r]]
        html = written(rows, r, e).strip().replace(f"<{tag}", f'<{tag} {ATTRIBUTES[_MARK]}="{_FOREIGN}"', 1)
        out.append(Piece(group, html, int(n), frozenset(text.lower().split())))
    return tuple(out)


def draw(group: str, page: Labelled, pool: Sequence[Piece], rng: np.random.Generator) -> list[Piece]:
    """Some pieces of other groups, about what the page is about as far as those drawn are."""
    mine = frozenset(page.evidence.blocks.rows.text.lower().split())
    out = []
    for _ in range(int(rng.integers(1, MOST_PIECES + 1))):
        some = [pool[i] for i in rng.integers(len(pool), size=DRAWN).tolist()] if pool else []
        some = [piece for piece in some if piece.group != group]
        if some:
            out.append(max(some, key=lambda piece: len(piece.words & mine) / max(len(piece.words), 1)))
    return out


def splice(host: Labelled, drawn: Sequence[Piece], rng: np.random.Generator) -> Labelled | None:
    """The page with pieces in it; None where there is no place for them or the page would not be read as it was written."""
    evidence, rows = host.evidence, host.evidence.blocks.rows
    gold = _sums(evidence, evidence.words * host.label)
    if gold[-1] < HOST_WORDS or not drawn:
        return None
    has_most = np.flatnonzero((rows.tag != TEXT) & (gold[rows.end] - gold[:-1] >= _MOST * gold[-1]))
    inner = int(has_most[-1])  # rows are in document order: the last is the innermost
    around: list[int] = []
    above = inner
    while above > 0 and len(around) < 3 and TAGS[rows.tag[above]] not in ("body", "html"):
        around.append(above)
        above = int(rows.parent[above])
    children = np.flatnonzero((rows.parent == inner) & (rows.tag != TEXT))
    inside = children[gold[rows.end[children]] > gold[children]].tolist()
    if not around and not inside:
        return None
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for piece in drawn:
        chance = rng.random()
        if inside and piece.n_words <= SMALL_PIECE and chance < 0.3:
            at, where = inside[int(rng.integers(len(inside)))], after
        elif inside and (chance < 0.55 or not around):
            at, where = inside[-1], after
        elif around:
            at, where = around[int(rng.integers(len(around)))], before if chance < 0.65 else after
        else:
            continue
        where[at] = where.get(at, "") + piece.html
    return _read(host, before, after)


def _read(host: Labelled, before: Mapping[int, str], after: Mapping[int, str]) -> Labelled | None:
    rows = host.evidence.blocks.rows
    page = rows.site.pages
    types = "".join(f'<script type="application/ld+json">{blob}</script>' for blob in page.json_ld[0])
    head, end_of_head, rest = written(rows, 0, len(rows), before, after).partition("</head>")
    body = (head + types + end_of_head + rest).encode("utf-8", "replace")
    evidence = gather(rows_of(build_site([Capture(page.url[0], body)]), 0, 1))
    new = evidence.blocks.rows
    node, value = new.named(_MARK)
    foreign = node[[new.site.strings[v] == _FOREIGN for v in value.tolist()]]
    edges = np.bincount(foreign, minlength=len(new) + 1) - np.bincount(new.end[foreign], minlength=len(new) + 1)
    is_own = np.cumsum(edges)[:-1] == 0
    own, theirs = np.flatnonzero((new.tag == TEXT) & is_own), np.flatnonzero(rows.tag == TEXT)
    if is_own.all() or _texts(new, own) != _texts(rows, theirs):
        return None
    block = np.full(len(new), -1)
    block[own] = host.evidence.blocks.node_block[theirs]
    of = block[evidence.blocks.first]  # -1, of what is foreign, is the last of what is appended
    return Labelled(evidence, np.append(host.label, 0.0)[of], np.append(host.trust, 1.0)[of])


def _texts(rows: Rows, some: Ints64) -> list[str]:
    spans = zip(rows.text_start[some].tolist(), rows.text_end[some].tolist(), strict=True)
    return [rows.text[begin:end].strip() for begin, end in spans]
