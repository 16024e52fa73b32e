"""Letters of an archive of mail: lines with names of fields above the letter, and lists of other letters below it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.light import late_pattern

HEAD_BLOCKS = 12
"""Blocks above the letter that are looked at: its head has up to ten lines."""
BODY_WORDS = 15.0
"""Words of a block without a label that is the letter itself, and ends its head: a title has fewer."""
FIELDS = 3
"""Different fields that a head has: who, when, what."""
LINKED = 0.7
"""Share of a line below the letter in links, from which it leads to another letter."""
MAX_FIELD = 20
"""Characters of the name of a field, with its colon."""
_FIELD = late_pattern(
    r"\s*(from|to|cc|date|sent|subject|reply-to|in-reply-to|references|message-id|von|an|gesendet|betreff|datum|de|à|envoyé|objet|para|enviado|asunto|fecha|"
    r"da|a|oggetto|data|van|aan|onderwerp|от|кому|дата|тема|差出人|宛先|件名|日付|发件人|收件人|主题|日期)\s*[:：]",
    re.IGNORECASE,
)
_SUBJECT = frozenset(("subject", "betreff", "objet", "asunto", "oggetto", "onderwerp", "тема", "件名", "主题"))
_BELOW = late_pattern(r"\s*(?:follow-?ups?|references|index(?:es|\(es\))?|from|thread|replies)\s*[:：]?", re.IGNORECASE)
_ADDRESS = re.compile(r"\s*(?:https?:|www\.|\S+@)", re.IGNORECASE)


def without_letter_heads(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without the head of a letter, and without the lines that lead to other letters at the end of its page.

    A loop over pages and the first lines of each, because fields are told by text.
    """
    blocks, links, text = evidence.blocks, evidence.column("link_density"), evidence.blocks.rows.text
    begin = np.searchsorted(blocks.page, np.arange(evidence.geometry.n_pages + 1)).tolist()
    out: Bools | None = None
    for first, last in pairwise(begin):
        head: dict[int, str] = {}
        looked = slice(first, min(last, first + HEAD_BLOCKS))
        is_body = (evidence.words[looked] >= BODY_WORDS) & (links[looked] < LINKED)
        for block, at, ends in zip(
            range(first, last), blocks.text_start[looked].tolist(), is_body.tolist(), strict=False
        ):
            span = at, at + MAX_FIELD
            # Most lines have no colon, and to see that takes a tenth of the time of looking for the names of fields.
            has_colon = text.find(":", *span) >= 0 or text.find("：", *span) >= 0
            if has_colon and (found := _FIELD.match(text, *span)):
                head[block] = found[1].lower()
            elif ends:
                break
        said = set(head.values())
        if len(said) < FIELDS or _SUBJECT.isdisjoint(said):
            continue
        out = kept.copy() if out is None else out
        out[list(head)] = False
        for block in range(last - 1, max(head), -1):
            if not out[block]:
                continue
            line = blocks.text(block)
            below = _BELOW.match(line)
            is_label = below is not None and (below.end() == len(line) or "@" in line or links[block] > 0)
            if not (is_label or (links[block] >= LINKED and not _ADDRESS.match(line))):
                break
            out[block] = False
    return kept if out is None or not (out != kept).any() else out
