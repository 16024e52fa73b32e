"""Lines around the text of an article that are no part of it: the day above it, who has the rights in it and how to reach its author below it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.lines.turns import Labelled, labelled_lines
from sitegrain.light import late_pattern

TEXT_WORDS = 100.0
"""Kept words of a page that has a text."""
TOP_BLOCKS, LAST_BLOCKS = 4, 3
"""Kept blocks above in which a day may stand, and below in which a notice may. Set beforehand; 6 below do the same."""
DAY_WORDS, BESIDE_DAY = 12.0, 1
"""Words of a line that says the day, and how many of them are neither date nor time ("Updated"). Set beforehand: out of fold 0 to 2 do the same, and
with two a line may say when an event begins."""
NOTICE_WORDS, CONTACT_WORDS = 60.0, 40.0
"""Words of a notice of rights, and of a line that says how to reach somebody."""
CONTACT_SCORE = 0.8
"""What such a line scores less than: in a notice of an event or a press release it belongs to the text."""
OF_TEXT = 0.1
"""Share of the kept words that links under labels in capitals may have: a list of episodes has more. Set beforehand."""
_RIGHTS = re.compile(r"[^\w©ⓒ]*(?:copyright\b(?!:)|[©ⓒ]|\(c\) ?(?:19|20)\d\d)", re.IGNORECASE)
_RESERVED = (
    "all rights reserved", "alle rechte vorbehalten", "tous droits réservés", "todos los derechos reservados", "todos os direitos reservados",
    "tutti i diritti riservati", "все права защищены", "版权所有", "版權所有", "無断転載", "禁止转载", "무단전재", "무단 전재",
)  # fmt: skip
_DAY = late_pattern(
    r"\b(?:19|20)\d\d\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{1,2}日?|\b\d{1,2}[-./]\s?\d{1,2}[-./]\s?(?:(?:19|20)\d\d\b|\d\d\b)"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?[^\W\d]{3,10}\.?,?\s(?:de\s)?(?:19|20)\d\d\b|\b[^\W\d]{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"\d{1,2}[:.h]\d\d(?::\d\d)?|\b[ap]\.?m\b\.?|(?-i:\b[A-Z]{2,4}\b)", re.IGNORECASE)
"""Times of the day and zones."""
_DIGITS = re.compile(r"\d\d")
_WORD = re.compile(r"[^\W\d_]{2,}")
_STOPS = (".", "!", "?", ":", "。", "！", "？", "：")
_ADDRESS = re.compile(r"([\w.+-]{0,64})@([\w-]{0,64})")
_NAME = re.compile(r"\b[A-Z][^\W\d_]{3,}")
_NO_NAMES = frozenset("email mail twitter follow contact reach write staff".split())
_SHOUTED = late_pattern(r"[\W_]*[A-Z][A-Z\d'’&-]+(?: [A-Z\d][A-Z\d'’&-]*){0,4}\s*[:|»]")


def without_notices(evidence: Evidence, score: Floats, is_article: Bools, kept: Bools) -> Bools:
    """The kept blocks without such lines on those pages that are articles.

    A loop over the first and last kept lines of each page, because a notice is text.
    """
    blocks, words = evidence.blocks, evidence.words
    some, text = np.flatnonzero(kept), blocks.rows.text
    bounds = [*np.flatnonzero(np.diff(blocks.page[some], prepend=-1)).tolist(), len(some)]
    found = []
    for begin, end in pairwise(bounds):
        of_page = some[begin:end]
        if not is_article[blocks.page[of_page[0]]] or words[of_page].sum() < TEXT_WORDS:
            continue
        for block in of_page[:TOP_BLOCKS].tolist():
            line = text[blocks.text_start[block] : blocks.text_end[block]]
            if words[block] <= DAY_WORDS and says_day(line):
                found.append(block)
        for block in of_page[-LAST_BLOCKS:].tolist():
            if words[block] <= NOTICE_WORDS:
                line = text[blocks.text_start[block] : blocks.text_end[block]]
                is_contact = "@" in line and words[block] <= CONTACT_WORDS and score[block] < CONTACT_SCORE
                if has_rights(line) or (is_contact and names_address(line)):
                    found.append(block)
    if found:
        is_heading = evidence.column("in_heading") > 0
        found = [block for block in found if not is_heading[block]]
    return without(kept, found)


def without_shouted_leads(evidence: Evidence, lines: list[Labelled], is_article: Bools, kept: Bools) -> Bools:
    """The kept blocks without links to other articles that a label in capitals announces ("PHOTOS: Tea", "MIRA | Tea"), on those pages
    that are articles and not lists of such links."""
    found, words = labelled_lines(lines, kept, _SHOUTED, is_label_linked=True), evidence.words
    if not found:
        return kept
    page, n_pages = evidence.blocks.page, evidence.geometry.n_pages
    total, of_leads = (
        np.bincount(page, np.where(kept, words, 0.0), n_pages),
        np.bincount(page[found], words[found], n_pages),
    )
    return without(kept, [i for i in found if is_article[page[i]] and of_leads[page[i]] <= OF_TEXT * total[page[i]]])


def has_rights(line: str) -> bool:
    """True for a line that says whose text it is.

    >>> has_rights("(c) 2024 Tea Press"), has_rights("Tea Press. All rights reserved."), has_rights("Copyright: who copies tea")
    (True, True, False)
    """
    lower = line.lower()
    return _RIGHTS.match(line) is not None or any(map(lower.__contains__, _RESERVED))


def says_day(line: str) -> bool:
    """True for a line that says a day and next to nothing else.

    >>> [says_day(line) for line in ("17:41 JST, October 13, 2024", "Published: 5 May 2024", "2005年8月25日", "On 5 May 2024 it rained", "2024-05-12.")]
    [True, True, True, False, False]
    """
    if not _DIGITS.search(line) or line.rstrip().endswith(_STOPS):
        return False
    rest, n_days = _DAY.subn(" ", line)
    return n_days > 0 and len(_WORD.findall(_TIME.sub(" ", rest))) <= BESIDE_DAY


def names_address(line: str) -> bool:
    """True for a line with an address that has the name of somebody in it who is named there, too.

    >>> names_address("Write to Ann Teaman at ann.teaman@a.example"), names_address("Follow Bo Teaman @boteaman"), names_address("E-mail: bteaman@a.example")
    (True, True, False)
    >>> names_address("Tea is sold at tea@a.example")
    False
    """
    names = {name.lower() for name in _NAME.findall(line)} - _NO_NAMES
    accounts = ((match[1] or match[2]).lower() for match in _ADDRESS.finditer(line))
    return any(name in account or (len(account) > 4 and account[1:] in name) for account in accounts for name in names)
