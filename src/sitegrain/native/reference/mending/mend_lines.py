"""Which steps that leave out single lines have something to look at: what each needs at least, asked of one line after the other."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats
from sitegrain.native.columns import ATTRIBUTES, EVIDENCE, TAGS, bits_of
from sitegrain.native.inputs import JudgedPages, LineRules

(
    _ECHOES, _SUBJECTS, _LABELS, _LETTERS, _TOOLS, _SIGNATURES, _FILES, _BYLINES, _CODE, _EDITS, _TURN_ROWS, _OPENINGS, _CAPTIONS, _NOTICES,
    _BARE_LEADS, _ENCLOSED, _CODE_LABELS,
) = bits_of("LINES")  # fmt: skip
_IN_HEADING, _IN_TABLE, _IN_BUTTON, _LINKS, _TITLE, _STOPS, _COMMAS, _ABOUT = (
    EVIDENCE.names.index(n)
    for n in ("in_heading", "in_table", "in_button", "link_density", "title_match", "stops", "commas", "about")
)
_A, _P, _IMG, _TABLE, _PRE = (TAGS.index(tag) for tag in ("a", "p", "img", "table", "pre"))
_CODE_TAGS = [TAGS.index(tag) for tag in ("pre", "xmp")]
_LINE_TAGS = [TAGS.index(tag) for tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6")]
_LIST_TAGS = [TAGS.index(tag) for tag in ("ul", "ol", "dl")]
_ENCLOSED_TAGS = [*_LIST_TAGS, _TABLE, _PRE, *(TAGS.index(tag) for tag in ("details", "blockquote"))]
_HREF, _CLASS, _ID = (ATTRIBUTES.index(name) for name in ("href", "class", "id"))
_WORD = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NO_WORD = "".join(c for c in map(chr, range(128)) if c not in _WORD)
_LABEL, _COLON = re.compile("[:：|»]"), re.compile("[:：]")
_BETWEEN = re.compile(r"[\s>»›→⟩/|\\:·•-]*[>»›→⟩/|\\][\s>»›→⟩/|\\:·•-]*")
_BY = re.compile(r"\W*(?:by|von|par|por|di|door|av|af|text|texte|texto|testo)[:\s]", re.IGNORECASE)
_IN_FIELD, _LINK = re.compile(r"[<[]"), re.compile(r"<a\s")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_SIGNATURE = re.compile(r"signature|sigcontent|sig[_0-9]", re.IGNORECASE)
_SIZE = re.compile(r"\(?\d[\d.,]*\s*[A-Za-zſİı\u212a]{0,4}[bBoOsSſ]\)?")
_TWO_DIGITS = re.compile(r"\d\d")
_NOTICE = re.compile(r"[©İı\u0370-\u1fff\u2100-\U0010ffff]|@|(?a:(?i:\(c\)|pyright|serv|behalten))")
"""What a line has that may say whose text it is ("copyright", "reserved", "riservati", "vorbehalten") or how to reach somebody."""


def lines_to_mend(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    """Bits of the steps that have something to look at."""
    found = _of_links(of, kept, rules) | _of_names(of, score, kept, rules) | _of_articles(of, score, kept, rules)
    spans = zip(of.blocks.text_start.tolist(), of.blocks.text_end.tolist(), strict=True)
    texts = [of.text[start:end] for start, end in spans]
    inside = of.x > 0
    links, page = of.x[:, _LINKS], of.blocks.page.tolist()
    seen: Counter[int] = Counter()
    n_fields: Counter[int] = Counter()
    before = -1
    title = of.x[:, _TITLE]
    is_code = np.isin(of.rows.tag[of.blocks.box], _CODE_TAGS)
    if (kept & (title > 0)).any() and np.count_nonzero(title >= rules.like_title) >= rules.n_titles:
        slots = Counter(_slot(texts[k]) for k in np.flatnonzero(title > 0).tolist())
        n_unknown = slots.pop(None, 0)
        if (
            max((n for slot, n in slots.items() if slot is not None and slot >= 0), default=0) + n_unknown
            >= rules.n_titles
        ):
            found |= _SUBJECTS
    for k, text in enumerate(texts):
        at = int(of.blocks.text_start[k])
        if seen[page[k]] < rules.head_blocks:
            n_fields[page[k]] += bool(_COLON.search(of.text, at, at + rules.field_chars))
        seen[page[k]] += 1
        said = text.strip()
        if inside[k, _IN_TABLE] and _SIZE.fullmatch(said):
            found |= _FILES
        if not kept[k]:
            continue
        both = inside[[before, k]]
        is_under = (
            before >= 0 and page[before] == page[k] and both[:, _IN_HEADING].all() and not both[:, _IN_TABLE].any()
        )
        if is_under and texts[before].strip()[:1] == said[:1]:
            found |= _ECHOES
        before = k
        is_linked = links[k] >= rules.labelled and of.words[k] <= rules.label_words
        if is_linked and _LABEL.search(of.text, at, at + rules.label_chars):
            found |= _LABELS
        if is_linked and of.words[k] >= rules.bare_words and _begins_bare(text, rules):
            found |= _BARE_LEADS
        if 1 < of.words[k] <= rules.by_words and not inside[k, _IN_HEADING] and _BY.match(text):
            found |= _BYLINES
        if (inside[k, _IN_BUTTON] and _IN_FIELD.search(text)) or _LINK.search(text):
            found |= _CODE
        is_above = of.words[k] <= rules.code_words and page[k : k + 2] == [page[k]] * 2
        if is_above and not is_code[k] and is_code[k + 1]:
            found |= _CODE_LABELS
    return found | (_LETTERS if max(n_fields.values(), default=0) >= rules.n_fields else 0)


def _begins_bare(text: str, rules: LineRules) -> bool:
    word = _FIRST_WORD.match(text)
    return word is not None and (not word[1].isascii() or word[1].lower() in rules.bare_begins)


def _slot(heading: str) -> int | None:
    """Where the last word of a heading is counted, None for what is no ASCII; -1: there is no word."""
    said = heading.rstrip(_NO_WORD)
    if not said or not said[-1].isascii():
        return None if said else -1
    word = said[len(said.rstrip(_WORD)) :]
    slot = 0
    for character in reversed(word.lower()):
        slot = (slot * 31 + ord(character)) % 256
    before = said[: -len(word)]
    return None if before and not before[-1].isascii() else slot


def _of_links(of: JudgedPages, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    links, is_heading = of.x[:, _LINKS], of.x[:, _IN_HEADING] > 0
    may_edit = (kept & is_heading & (links > 0) & (links < 1)).any()
    may_be = kept & (links >= rules.tool_links) & (of.words <= rules.tool_words) & ~is_heading
    texts = np.flatnonzero(of.node_block >= 0)
    n_links: Counter[int] = Counter()
    n_handed: Counter[int] = Counter()
    linked_to: dict[int, int] = {}
    turning: set[int] = set()
    found = 0
    for row, name, value in zip(*(column.tolist() for column in of.attrs), strict=True):
        if name != _HREF:
            continue
        href = of.strings[value]
        if may_edit and _has(href, "edit"):
            found |= _EDITS
        own = texts[np.searchsorted(texts, row) :][:1]
        if of.rows.tag[row] != _A or not len(own) or own[0] >= of.rows.end[row]:
            continue
        block = int(of.node_block[own[0]])
        n_links[block] += 1
        start, end = int(of.rows.text_start[row]), int(of.rows.text_end[row])
        between = of.text[linked_to.setdefault(block, end) : start]
        is_row = kept[block] and links[block] >= rules.all_linked and 1 < of.words[block] <= rules.row_words
        if is_row and _may_turn(of.text[start:end], rules):
            turning.add(block)
        if is_row and n_links[block] >= 2 and block in turning:
            found |= _TURN_ROWS
        if not may_be[block]:
            continue
        n_handed[block] += "?" in href and "//" in href
        if n_handed[block] >= 2 or (n_links[block] == 2 and _BETWEEN.fullmatch(between)):
            found |= _TOOLS
        if of.words[block] <= rules.print_words and _has(href, "print"):
            found |= _TOOLS
    return found


def _may_turn(text: str, rules: LineRules) -> bool:
    said = text.lstrip(_NO_WORD + "_").lower()
    return not text.isascii() or said.startswith(rules.turns)


def _of_names(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    box = of.blocks.box[kept & (score < rules.sure)]
    if len(box) < rules.n_signatures:
        return 0
    near = {*box.tolist(), *of.rows.parent[box].tolist()}
    for row, name, value in zip(*(column.tolist() for column in of.attrs), strict=True):
        said = of.strings[value]
        if name in (_CLASS, _ID) and row in near and (not said.isascii() or _SIGNATURE.search(said)):
            return _SIGNATURES
    return 0


def _of_articles(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    found = 0
    for page in set(of.blocks.page.tolist()):
        mine = np.flatnonzero(of.blocks.page == page)
        some = mine[kept[mine]]
        if _has_opening(of, score, kept, rules, mine):
            found |= _OPENINGS
        sure = some[score[some] >= rules.text_score]
        if of.words[sure].sum() >= rules.text_words and _has_caption(of, score, rules, some):
            found |= _CAPTIONS
        if of.words[some].sum() >= rules.noticed_words and _has_notice(of, rules, some.tolist()):
            found |= _NOTICES
    return found | (_ENCLOSED if _is_enclosed(of, kept, rules) else 0)


def _is_enclosed(of: JudgedPages, kept: npt.NDArray[np.bool_], rules: LineRules) -> bool:
    first, page, tag = of.blocks.first, of.blocks.page, of.rows.tag[of.blocks.box]
    is_line, is_paragraph = np.isin(tag, _LINE_TAGS), (tag == _P) & (of.words >= rules.enclosed_words)
    for row in np.flatnonzero(np.isin(of.rows.tag, _ENCLOSED_TAGS)).tolist():
        begin, after = np.searchsorted(first, (row, of.rows.end[row])).tolist()
        if not 0 < begin < after or not kept[begin - 1] or page[begin - 1] != page[begin] or kept[begin:after].all():
            continue
        is_above = after < len(kept) and kept[after] and page[after] == page[begin]
        is_begun = kept[begin:after].any()
        around, of_tag = [begin - 1, after], of.rows.tag[row]
        if is_above and is_line[around].all() and is_paragraph[around].any():
            return True
        if of_tag in _LIST_TAGS and is_above and is_begun:
            return True
        if of_tag == _TABLE and (is_above or is_begun):
            return True
        if of_tag == _PRE and is_paragraph[begin - 1]:
            return True
    return False


def _has_opening(
    of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules, mine: npt.NDArray[np.int64]
) -> bool:
    links = of.x[:, _LINKS]
    # What reads like prose, by its columns; where rounding to them may have changed that, the step looks itself.
    reads = (of.words >= 8) & (of.x[:, _STOPS] + of.x[:, _COMMAS] >= 1) & (links <= np.float32(0.4))
    texts = mine[(kept & reads & (of.x[:, _IN_HEADING] <= 0))[mine]]
    if not len(texts):
        return False
    text = int(texts[0])
    if links[text] == np.float32(0.4):
        return True
    above = mine[(mine < text) & (mine >= text - rules.lead_above)]
    above = above[(~kept & reads & (of.words >= rules.lead_words) & (links < np.float32(rules.lead_links)))[above]]
    above = above[score[above] >= rules.lead_score]
    is_paragraph = (of.rows.tag[of.blocks.box[above]] == _P) & (score[above] >= rules.paragraph_score)
    return bool((is_paragraph | (of.x[above, _ABOUT] >= np.float32(rules.lead_about))).any())


def _has_caption(of: JudgedPages, score: Floats, rules: LineRules, some: npt.NDArray[np.int64]) -> bool:
    first, rows = of.blocks.first, of.rows
    is_doubtful = (score < rules.caption_score) & (of.x[:, _IN_HEADING] <= 0)
    may_be = is_doubtful & (of.words <= rules.caption_words) & (of.x[:, _IN_TABLE] <= 0)
    for block in some[may_be[some]].tolist():
        row = int(of.blocks.box[block])
        while row >= 0:
            own = (first >= row) & (first < rows.end[row])
            if np.count_nonzero(own) > rules.caption_blocks or not is_doubtful[own].all():
                break
            if (rows.tag[row : rows.end[row]] == _IMG).any():
                return True
            row = int(rows.parent[row])
    return False


def _has_notice(of: JudgedPages, rules: LineRules, some: list[int]) -> bool:
    def line(block: int) -> str:
        return of.text[of.blocks.text_start[block] : of.blocks.text_end[block]]

    return any(of.words[k] <= rules.day_words and _TWO_DIGITS.search(line(k)) for k in some[: rules.top_blocks]) or any(
        of.words[k] <= rules.notice_words and _NOTICE.search(line(k)) for k in some[-rules.last_blocks :]
    )


def _has(string: str, word: str) -> bool:
    """Whether a word stands in a string, or the string is no ASCII and the step reads it."""
    return not string.isascii() or word in string.lower()
