"""Lines that give the address of their own page: "Retrieved from ...", "Permalink: ...", "tea:green_tea", "tea/green_tea.txt, last
modified: ...". They are about the page, in any language."""

from __future__ import annotations

import re
from urllib.parse import unquote

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.light import late_pattern
from sitegrain.text.words import title_words

_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_ENDING = late_pattern(r"(?:/|/?\bindex)?(?:\.(?:x?html?|php|aspx?|txt))?(?:&oldid=\d+)?/?(?=[^\w/?&=%~-]|$)")
_LAST = re.compile(r"(?:/index)?(?:\.(?:x?html?|php|aspx?))?/?$")
MAX_WORDS = 15
"""Words beside the address, numbers of a date and an address among them: more are a sentence. Out of fold 4 to 15 do the same."""
LINE_WORDS = 30.0
"""Words of a line that may be such, its address among them."""
MIN_PATH = 3
"""Characters of the path: a front page's address stands in many a text."""
_ASKED = re.compile(r"[?&;](?:title|id)=([^&;#]+)|/(?:index|doku)\.php/([^?#]+)")


def without_own_address(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without short lines, no code, that give the address of their page.

    A loop over pages, because addresses are text; most pages do not have their own.
    """
    rows = evidence.blocks.rows
    out = kept
    for page in range(rows.first_page, rows.last_page):
        url, text = bare(rows.site.pages.url[page]), rows.site.texts[page]
        named = asked(url)
        ways = {url, unquote(url)} if "%" in url else {url}
        for address in ways | {named, named.replace(":", "/")} if named else ways:
            if not address or address not in text:
                continue
            for block in _lines(evidence.blocks, page - rows.first_page, address):
                if kept[block] and not evidence.column("in_pre")[block]:
                    out = kept.copy() if out is kept else out
                    out[block] = False
    return out


def of_wiki(evidence: Evidence) -> bool:
    """Whether a page's address asks a wiki for it by name: such a page may give its name where no line has an address."""
    rows = evidence.blocks.rows
    return any(asked(rows.site.pages.url[page]) for page in range(rows.first_page, rows.last_page))


def bare(url: str) -> str:
    """An address without scheme, `www.` and file ending; empty for the front page of a site.

    >>> bare("http://www.a.org/wiki/Tea.html"), bare("http://a.org/")
    ('a.org/wiki/Tea', '')
    """
    address = _LAST.sub("", _SCHEME.sub("", url.partition("#")[0], count=1))
    return address if len(address.partition("/")[2]) >= MIN_PATH else ""


def asked(url: str) -> str:
    """The name that a wiki is asked for, if it is of several words or has a space of its own: its programs write it below the page
    in another way than in the address (`index.php?title=Green_tea&oldid=7` on `index.php/Green_tea`), or as the name of a file.

    >>> asked("a.org/index.php/Green_tea"), asked("a.org/doku.php?id=tea:green"), asked("a.org/doku.php?id=tea")
    ('Green_tea', 'tea:green', '')
    """
    found = _ASKED.search(url)
    name = unquote(found[1] or found[2]) if found else ""
    return name if len(name) >= MIN_PATH and ("_" in name or ":" in name) else ""


def _lines(blocks: TextBlocks, page: int, address: str) -> list[int]:
    """The blocks of a page that are this address, or this name of a page, and few words more."""
    found = []
    of = blocks.of_page(page)
    for block in range(of.start, of.stop):
        text = blocks.text(block)
        at = text.find(address)
        if at < 0:
            continue
        ending = _ENDING.match(text, at + len(address))
        if ending is not None:
            beside = title_words(_SCHEME.sub(" ", text[:at] + " " + text[ending.end() :]))
            is_address = "://" in text or not beside or ending[0] == ".txt"  # a name alone, or of the file of a page
            if is_address and len(beside) <= MAX_WORDS:
                found.append(block)
    return found
