"""Lines that give the address of their own page: "Retrieved from ...", "Permalink: ...". They are about the page, in any language."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.text.words import title_words

_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_ENDING = re.compile(r"(?:/|/?\bindex)?(?:\.(?:x?html?|php|aspx?))?/?(?=[^\w/?&=%~-]|$)")
_LAST = re.compile(r"(?:/index)?(?:\.(?:x?html?|php|aspx?))?/?$")
MAX_WORDS = 8
"""Words beside the address: more are a sentence. Out of fold 4 to 15 do the same."""
LINE_WORDS = 30.0
"""Words of a line that may be such, its address among them."""
MIN_PATH = 3
"""Characters of the path: a front page's address stands in many a text."""


def without_own_address(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without short lines, no code, that give the address of their page.

    A loop over pages, because addresses are text; most pages do not have their own.
    """
    rows = evidence.blocks.rows
    out = kept
    for page in range(rows.first_page, rows.last_page):
        url, text = bare(rows.site.pages.url[page]), rows.site.texts[page]
        for address in {url, unquote(url)} if "%" in url else {url}:
            if not address or address not in text:
                continue
            for block in _lines(evidence.blocks, page - rows.first_page, address):
                if kept[block] and not evidence.column("in_pre")[block]:
                    out = kept.copy() if out is kept else out
                    out[block] = False
    return out


def bare(url: str) -> str:
    """An address without scheme, `www.` and file ending; empty for the front page of a site.

    >>> bare("http://www.a.org/wiki/Tea.html"), bare("http://a.org/")
    ('a.org/wiki/Tea', '')
    """
    address = _LAST.sub("", _SCHEME.sub("", url.partition("#")[0], count=1))
    return address if len(address.partition("/")[2]) >= MIN_PATH else ""


def _lines(blocks: TextBlocks, page: int, address: str) -> list[int]:
    """The blocks of a page that are this address and few words more."""
    found = []
    first, last = np.searchsorted(blocks.page, (page, page + 1)).tolist()
    for block in range(first, last):
        text = blocks.text(block)
        at = text.find(address)
        if at < 0:
            continue
        ending = _ENDING.match(text, at + len(address))
        if ending is not None:
            beside = _SCHEME.sub(" ", text[:at] + " " + text[ending.end() :])
            if "://" in text and len(title_words(beside)) <= MAX_WORDS:
                found.append(block)
    return found
