"""Links that turn pages: to the page before, the page after, the chapter above; and those to the tags of the page. By what HTML says of them (`rel`),
so in any language, or by the label before them ("Next by thread: Tea")."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.links import beside_links, links_of_blocks, shown_in
from sitegrain.light import late_pattern
from sitegrain.native.columns import NUMBERS
from sitegrain.tables.tags import ATTRIBUTES

_REL = ATTRIBUTES.index("rel")
TURNS = frozenset({"prev", "previous", "next", "up", "start", "first", "last", "contents", "index", "tag"})
"""The values of `rel` for the pages around a page, those of HTML 4 among them, and for its tags."""
LABELLED = 0.2
"""Share of such a line that is the link, at least: labels are short. Set beforehand."""
ROOM = 4
"""Characters beside label and link: signs and spaces."""
MAX_WORDS, MAX_LABEL = 40.0, 60
"""Words of such a line, and characters up to the end of its label."""
_ENDS = late_pattern("[:：|»]")
"""With which of these labels end."""
_WORD = (
    r"(?:prev|next|vorig|vorherig|nächst|précédent|suivant|anterior|siguiente|próxim|seguinte|precedent|successiv|volgend|"
    r"föregående|nästa|forrige|neste|næste|poprzedni|następn|předchozí|další|предыдущ|следующ|önceki|sonraki|上一|下一|前の|次の|이전|다음)\w*"
)
_LABEL = late_pattern(
    rf"[\W_]*(?:{_WORD})"
    r"(?:\s+(?:by|in|per|nach|par|por|im|en|the|\(?(?:date|thread|subject|message|mail|post|topic|page|article|entry|story|chapter|section|"
    r"datum|nachricht|beitrag|thema|artikel|seite|kapitel|fil|sujet|article|page|mensaje|tema|página|messaggio|pagina|bericht|сообщение|тема|статья)\w*\)?))*"
    r"\s*[:：]",
    re.IGNORECASE,
)
_SOME = late_pattern(_WORD, re.IGNORECASE)
ASCII_STEMS = tuple(stem for stem in re.findall(r"[^\W\d]+", _WORD.removesuffix(r"\w*")) if stem.isascii())
"""The words of `_WORD` that a line of ASCII may have: to look for all at once takes a fraction of the time of the pattern."""
_TURN = late_pattern(rf"[\W_]*{_WORD}(?:\s+[^\W\d]+)?[\W_]*", re.IGNORECASE)
"""A link that only turns the page, whatever it calls it: "Next", "« Previous chapter"."""
ROW_WORDS, ALL_LINKED = 12.0, 0.8
"""Words of such a row, and the share of it that is link: signs stand between."""


def without_turn_lines(lines: list[Labelled], kept: Bools) -> Bools:
    """The kept blocks without those of which all but a label that says so stands in a link: "Next by thread: Tea"."""
    return without(kept, labelled_lines(lines, kept, _LABEL))


def without_turn_rows(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without rows of links of which the first or the last only turns the page: "Previous | Back to the list | Next". One link alone
    ("Next steps") may be of the text.

    A loop over short lines that are links, because words are text.
    """
    is_such = (evidence.column("link_density") >= ALL_LINKED) & (evidence.words <= ROW_WORDS) & (evidence.words > 1)
    blocks, is_row = evidence.blocks, np.zeros(len(kept), bool)
    lines = [(block, blocks.text(block)) for block in np.flatnonzero(kept & is_such).tolist()]
    some = [block for (block, _), has in zip(lines, _have_word([text for _, text in lines]), strict=True) if has]
    if not some:
        return kept
    is_row[some] = True
    said = blocks.rows
    found = [
        block
        for block, links in links_of_blocks(blocks, is_row).items()
        if len(links) > 1
        and any(
            _TURN.fullmatch(said.text[said.text_start[k.row] : said.text_end[k.row]]) for k in (links[0], links[-1])
        )
    ]
    return without(kept, found)


def _have_word(lines: list[str]) -> list[bool]:
    """Which lines have such a word; of ASCII one search for all words tells, up to where it looks."""
    bits = native.word_bits([line if line.isascii() else "" for line in lines], _stems()).tolist()
    most = NUMBERS["MAX_NAME_BYTES"]
    return [
        found > 0 or ((len(line) > most or not line.isascii()) and _SOME.search(line) is not None)
        for line, found in zip(lines, bits, strict=True)
    ]


@cache
def _stems() -> object:
    return native.matcher(ASCII_STEMS, np.ones(len(ASCII_STEMS), np.uint64))


class Labelled(NamedTuple):
    """A short block that is mostly link and has a label, perhaps."""

    block: int
    text: str
    linked: float
    """Share of it that stands in links."""


def labelled(evidence: Evidence, kept: Bools) -> list[Labelled]:
    """The kept short blocks with links near whose beginning a label may end: three steps read them, each for labels of its own.

    A loop over short lines that are mostly link, because the label is text.
    """
    links, blocks = evidence.column("link_density"), evidence.blocks
    some = np.flatnonzero(kept & (links >= LABELLED) & (evidence.words <= MAX_WORDS))
    about = zip(some.tolist(), blocks.text_start[some].tolist(), links[some].tolist(), strict=True)
    text = blocks.rows.text
    return [
        Labelled(block, blocks.text(block), linked)
        for block, at, linked in about
        if _ENDS.search(text, at, at + MAX_LABEL)
    ]


def labelled_lines(
    lines: list[Labelled], kept: Bools, label: re.Pattern[str], is_label_linked: bool = False
) -> list[int]:
    """Those of such blocks that are kept and begin with a label of which all that follows stands in a link, or where it is said so, the label, too."""
    return [
        line.block
        for line in lines
        if (is_label_linked or line.linked < 1)
        and kept[line.block]
        and (said := label.match(line.text))
        and said.end() + ROOM >= (1 - line.linked) * len(line.text)
    ]


def without_turns(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks without those whose words all stand in links that turn pages ("[ < Tea ]") or name tags.

    A loop over those links, because what is beside them is text.
    """
    rows = blocks.rows
    link, value = rows.named(_REL)
    if not len(link):
        return kept
    strings = rows.site.strings
    turns = [v for v in set(value.tolist()) if not TURNS.isdisjoint(strings[v].lower().split())]
    if not turns:
        return kept
    link = link[np.isin(value, turns)]
    link, block = shown_in(blocks, link)
    of_block: dict[int, list[int]] = {}
    for i, row in zip(block.tolist(), link.tolist(), strict=True):
        of_block.setdefault(i, []).append(row)
    return without(kept, [i for i, links in of_block.items() if kept[i] and _is_only(blocks, i, links)])


def _is_only(blocks: TextBlocks, block: int, links: list[int]) -> bool:
    """Whether nothing but signs is beside these links in their block."""
    return not any(c.isalnum() for text in beside_links(blocks, block, links) for c in text)
