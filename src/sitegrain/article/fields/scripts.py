"""Scripts of their own: words in letters beyond Latin tell a language, whatever stands beside them."""

from __future__ import annotations

import re

from sitegrain.text.language import MIN_LETTERS

_OWN_SCRIPT = re.compile("[^\\W\\d_\x00-\u036f]+")
MIN_FOREIGN = 60
"""Letters beyond Latin (from Greek on) that do as well."""


def own_script(text: str) -> str:
    """The words in letters beyond Latin, if they are as many as tell a language, or nearly all there is; else nothing."""
    own = " ".join(_OWN_SCRIPT.findall(text))
    n = len(own.replace(" ", ""))
    return own if n >= MIN_FOREIGN or (n >= MIN_LETTERS and is_most(own, text)) else ""


def is_most(own: str, text: str) -> bool:
    """Whether words are most of what a text says: scripts say about as much with a byte of UTF-8, with one sign of Chinese as with three letters."""
    return len(own.encode()) >= sum(map(str.isalpha, text))
