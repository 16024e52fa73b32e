"""What is there to mend after the decision: each step's own condition, asked of one element after the other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats
from sitegrain.native.columns import ATTRIBUTES, EVIDENCE, NUMBERS, TAGS, bits_of
from sitegrain.native.inputs import JudgedPages, MendRules

(
    _OPTIONS, _ARTICLES, _SUBLISTS, _REMNANTS, _ANNOUNCED, _HEADINGS, _POSTS, _ADDRESSES, _WHOLES, _CONTENTS, _TURNS, _DIALOGS,
    _BELOW, _VALUES, _FOOTNOTES, _TERMS, _NAMED, _CONSENTS, _FALLBACKS, _HEADS, _FORMULAS,
) = bits_of("MENDS")  # fmt: skip
_CHOICES, _LISTS, _HEADING_TAGS = ("select", "datalist", "option"), ("ul", "ol", "dl"), ("h2", "h3", "h4", "h5", "h6")
_WHOLE = ("pre", "table")
_LOOKED_AT = [TAGS.index(tag) for tag in (*_CHOICES, *_LISTS, "h1", *_HEADING_TAGS, *_WHOLE)]
_ANY_HEADING = [TAGS.index(tag) for tag in ("h1", *_HEADING_TAGS)]
_PLACES = ATTRIBUTES.index("id"), ATTRIBUTES.index("name")
_HREF, _REL, *_NAMES = (ATTRIBUTES.index(name) for name in ("href", "rel", "class", "id", "itemprop"))
_IN_HEADING, _IN_DIALOG, _IN_BUTTON, _LINKS, _NEAR_COMMENT, _DIGITS = (
    EVIDENCE.names.index(n)
    for n in ("in_heading", "in_dialog", "in_button", "link_density", "near_comment", "digit_rate")
)
_SHOWN = [TAGS.index(tag) for tag in ("audio", "video", "canvas")]
_MATH = TAGS.index("math")
_TERMED = [TAGS.index("dt"), _DD := TAGS.index("dd")]
_COMMENTS = re.compile(r"comments-area|comments?-list|commentlist|wp-block-comments", re.IGNORECASE)
_NUMBERED = re.compile(r"comment-[0-9]", re.IGNORECASE)


def to_mend(
    of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: MendRules, urls: tuple[str, ...]
) -> int:
    """Bits of the steps that have something to look at."""
    rows, first, n = of.rows, of.blocks.first, len(kept)
    size = of.words + 1
    is_heading, links = of.x[:, _IN_HEADING] > 0, of.x[:, _LINKS]
    found = 0
    top_page = -1  # of the last top heading
    for i in np.flatnonzero(np.isin(rows.tag, _LOOKED_AT)).tolist():
        tag = TAGS[rows.tag[i]]
        begin, after = np.searchsorted(first, (i, rows.end[i])).tolist()
        own = slice(begin, after)
        if begin == after:
            continue
        above, before = int(rows.parent[i]), begin - 1
        if tag == "h1":
            around = (size[:begin][kept[:begin]].sum(), size[begin:][kept[begin:]].sum())
            if rows.page[i] == top_page and not kept[begin] and min(around) >= rules.article_words:
                found |= _ARTICLES
            top_page = int(rows.page[i])
        if tag in _WHOLE and kept[own].any() and not kept[own].all():
            chars = (of.blocks.text_end - of.blocks.text_start)[own]
            if chars[kept[own]].sum() >= rules.most_whole * chars.sum():
                found |= _WHOLES
        if tag in _CHOICES and kept[own].any():
            found |= _OPTIONS
        if tag in _LISTS:
            item = int(np.searchsorted(first, above))  # the first text of what the list stands in
            if above >= 0 and TAGS[rows.tag[above]] == "li" and item < begin and kept[item] and not kept[own].all():
                found |= _SUBLISTS
            mine, total = size[own][kept[own]].sum(), size[own].sum()
            if after - begin >= rules.min_blocks and 0 < mine <= rules.little * total:
                found |= _REMNANTS
            if (
                before >= 0
                and kept[before]
                and not kept[own].all()
                and above <= first[before]
                and not is_heading[before]
            ):
                line = of.text[of.blocks.text_start[before] : of.blocks.text_end[before]].rstrip()
                if of.words[before] >= rules.lead_words and line.endswith((":", "：")):
                    found |= _ANNOUNCED
        if tag in _HEADING_TAGS and after - begin == 1 and before >= 0 and after < n and above >= 0:
            is_between = kept[before] and not kept[begin] and kept[after] and not is_heading[after]
            is_within = above <= first[before] and first[after] < rows.end[above]
            if is_between and is_within and score[begin] >= rules.heading_score and links[begin] < rules.heading_links:
                found |= _HEADINGS
    spans = zip(of.blocks.text_start.tolist(), of.blocks.text_end.tolist(), strict=True)
    lines = [of.text[start:end] for start, end in spans]
    if any(kept[k] and of.words[k] <= rules.line_words and "://" in lines[k] for k in range(n)):
        found |= _ADDRESSES
    if (kept & (of.x[:, _IN_DIALOG] > 0)).any():  # of `<details>`, too
        found |= _DIALOGS
    is_label = [0 < of.words[k] <= rules.label_words and lines[k].rstrip().endswith((":", "：")) for k in range(n)]
    may_be = (k for k in range(n - 1) if is_label[k] and of.words[k] + of.words[k + 1] <= rules.row_words)
    labels = {k: found_in for k in may_be if (found_in := _rows_in(of, k, rules, is_label))}
    times = Counter(parent for found_in in labels.values() for parent, _ in found_in)
    numbers = Counter(parent for found_in in labels.values() for parent, is_number in found_in if is_number)
    is_alike = max(times.values(), default=0) >= rules.min_rows or max(numbers.values(), default=0) >= rules.min_numbers
    is_left = any(not kept[k : k + rules.row_blocks].all() for k in labels)
    if is_alike and is_left and score[list(labels)].max() >= rules.value_score:
        found |= _VALUES
    sure = np.where(kept & (score >= rules.sure), of.words, 0.0)
    for page in set(of.blocks.page.tolist()):
        mine = np.flatnonzero(of.blocks.page == page)
        if sure[mine].sum() >= rules.sure_words and _is_doubted(of, score, kept, rules, sure, mine):
            found |= _BELOW
    for i in np.flatnonzero(rows.tag == _MATH).tolist():
        if not kept[slice(*np.searchsorted(first, (i, rows.end[i])).tolist())].all():
            found |= _FORMULAS
    for i in np.flatnonzero(np.isin(rows.tag, _SHOWN)).tolist():
        if kept[slice(*np.searchsorted(first, (i, rows.end[i])).tolist())].any():
            found |= _FALLBACKS
    doubtful = np.flatnonzero(kept & (of.words >= rules.sentence_words) & (score < rules.consent_doubt))
    if any(word in lines[k] for k in doubtful.tolist() for word in rules.cookie):
        found |= _CONSENTS
    heads = 0
    for k in range(n - 1):
        is_above = not kept[k] and kept[k + 1] and of.blocks.page[k] == of.blocks.page[k + 1]
        is_short = 0 < of.words[k] <= rules.head_words and links[k] < rules.heading_links
        is_line = is_heading[k] or of.x[k, _IN_BUTTON] > 0 or lines[k].rstrip().endswith(("?", "？", "؟"))
        heads += bool(is_above and is_short and is_line and score[k] >= rules.heading_score)
    if heads > 1:
        found |= _HEADS
    found |= _of_alike(of, score, kept, rules) | _of_links(of, kept, rules, urls)
    return found | _of_names(of, kept) | _of_terms(of, kept, rules)


def _is_doubted(
    of: JudgedPages,
    score: Floats,
    kept: npt.NDArray[np.bool_],
    rules: MendRules,
    sure: Floats,
    mine: npt.NDArray[np.int64],
) -> bool:
    """Whether what is kept of the blocks of a page below its text is doubtful: below the innermost element around the middle of the sure text that
    holds nearly all of it."""
    first, parent, end = of.blocks.first, of.rows.parent, of.rows.end
    total, so_far = sure[mine].sum(), np.cumsum(sure[mine])
    row, below = int(parent[first[mine[np.searchsorted(so_far, total / 2)]]]), int(mine[0])
    while row >= 0:
        own = (first[mine] >= row) & (first[mine] < end[row])
        if sure[mine][own].sum() >= rules.of_text * total:
            below = int(mine[own][-1]) + 1
            break
        row = int(parent[row])
    held = scored = 0.0
    for k in mine[(mine >= below) & kept[mine]].tolist():
        held += of.words[k] + 1
        scored += (of.words[k] + 1) * score[k]
    return held > 0 and scored < rules.doubt * held * (1 + 1e-9)


def _of_terms(of: JudgedPages, kept: npt.NDArray[np.bool_], rules: MendRules) -> int:
    first, page = of.blocks.first, of.blocks.page
    goes_on: set[int] = set()
    for i in np.flatnonzero(np.isin(of.rows.tag, _TERMED)).tolist()[::-1]:
        begin, after = np.searchsorted(first, (i, of.rows.end[i])).tolist()
        if begin == after:
            continue
        if of.rows.tag[i] == _DD:
            if kept[begin] and of.words[begin:after].sum() >= rules.term_words:
                goes_on.add(begin)
        elif after in goes_on and page[begin] == page[after]:
            goes_on.add(begin)
            if not kept[begin:after].all():
                return _TERMS
    return 0


def _rows_in(of: JudgedPages, k: int, rules: MendRules, is_label: list[bool]) -> list[tuple[int, bool]]:
    """What those elements stand in that begin with a block and hold the next one, few more and no label at the end, and no more words than a row has; and
    whether what each ends with has digits."""
    first, end, parent = of.blocks.first, of.rows.end, of.rows.parent
    before = first[k - 1] if k else -1
    limit = first[k + rules.row_blocks] if k + rules.row_blocks < len(first) else len(end)
    row = int(parent[first[k]])
    found: list[tuple[int, bool]] = []
    while row > before and end[row] <= limit:
        last = int(np.searchsorted(first, end[row])) - 1
        if last > k and not is_label[last] and of.words[k : last + 1].sum() <= rules.row_words:
            found.append((int(parent[row]), bool(of.x[last, _DIGITS] > 0)))
        row = int(parent[row])
    return found


def _of_alike(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: MendRules) -> int:
    size, links = of.words + 1, of.x[:, _LINKS]
    alike: dict[int, list[int]] = defaultdict(list)
    for k, group in enumerate(of.alike[1].tolist()):
        alike[group].append(k)
    for them in alike.values():
        mine, total = size[them][kept[them]].sum(), size[them].sum()
        if len(them) < rules.min_posts or mine < rules.most * total or total < (rules.mean_words + 1) * len(them):
            continue
        of_page = size[(of.blocks.page == of.blocks.page[them[0]]) & kept].sum()
        n_parents = len(set(np.maximum(of.rows.parent[of.blocks.box[them]], 0).tolist()))
        if mine < rules.of_page * of_page or n_parents < max(rules.min_posts, rules.spread * len(them)):
            continue
        for k in them:
            is_such = score[k] >= rules.post_score and of.words[k] >= rules.post_words and links[k] < rules.post_links
            if is_such and not kept[k]:
                return _POSTS
    return 0


def _of_links(of: JudgedPages, kept: npt.NDArray[np.bool_], rules: MendRules, urls: tuple[str, ...]) -> int:
    rows, found, n_links, marks, own = of.rows, 0, 0, set(), set()
    is_heading = np.isin(rows.tag[of.blocks.box], _ANY_HEADING)
    for row, name, value in zip(*(column.tolist() for column in of.attrs), strict=True):
        said = of.strings[value]
        near: list[bool] = kept[np.searchsorted(of.blocks.last, row) :][:1].tolist()
        is_turn = not said.isascii() or not rules.turns.isdisjoint(
            said.lower().split()
        )  # the step reads what is no ASCII
        if name == _REL and is_turn and any(near) and rows.text_start[row] < rows.text_end[row]:
            found |= _TURNS
        if name != _HREF or "#" not in said:
            continue
        address = said.partition("#")[0]
        if not address or urls[rows.page[row]].endswith(f"/{address}"):
            own.update(near)
        if not said.endswith("#"):
            marks.update(near)
            k = int(np.searchsorted(of.blocks.first, row))
            n_links += k < len(kept) and kept[k] and not is_heading[k] and of.blocks.last[k] < rows.end[row]
    if is_heading.sum() >= NUMBERS["MIN_CONTENTS"] and n_links >= NUMBERS["MIN_CONTENTS"]:
        found |= _CONTENTS
    is_note = len(marks) == len(own) == 2 and _leads_down(of, kept, urls)
    return found | (_FOOTNOTES if is_note else 0)


def _leads_down(of: JudgedPages, kept: npt.NDArray[np.bool_], urls: tuple[str, ...]) -> bool:
    """Whether a link of a kept block leads down to a place of its own page whose text is left out; told of few such links."""
    page, attrs = of.rows.page, list(zip(*(column.tolist() for column in of.attrs), strict=True))
    marks = []
    for row, name, value in attrs:
        address, _, place = of.strings[value].partition("#")
        k = int(np.searchsorted(of.blocks.last, row))
        is_own = name == _HREF and place and (not address or urls[page[row]].endswith(f"/{address}"))
        if is_own and k < len(kept) and kept[k]:
            marks.append((place, int(page[row]), k))
    if len(marks) > NUMBERS["MAX_MARKS"]:
        return True
    places = ((row, value) for row, name, value in attrs if name in _PLACES)
    below = ((row, value, int(np.searchsorted(of.blocks.last, row))) for row, value in places)
    return any(
        mark < k and (place, at) == (of.strings[value], page[row])
        for row, value, k in below
        if k < len(kept) and not kept[k]
        for place, at, mark in marks
    )


def _of_names(of: JudgedPages, kept: npt.NDArray[np.bool_]) -> int:
    if not (kept & (of.x[:, _NEAR_COMMENT] > 0)).any():
        return 0
    mine = np.isin(of.attrs.name, _NAMES)
    names = [of.strings[value] for value in of.attrs.value[mine].tolist()]
    has_all, has_one = (
        any(not name.isascii() or said.search(name) for name in names) for said in (_COMMENTS, _NUMBERED)
    )
    return _NAMED if has_all and has_one else 0
