"""The words that fields, titles and pieces are compared by."""

from __future__ import annotations

import re
import unicodedata

from sitegrain.text.words import title_words

_FORMULA = re.compile(r"\$\$?[^$\n]+\$\$?")
"""Formulas are LaTeX in Markdown and drawn on the page: they are left out of keys on both sides."""


def words(text: str) -> list[str]:
    """The words of a field: case, width, punctuation and soft hyphens aside.

    >>> words("Hot\xad tea, please!")
    ['hot', 'tea', 'please']
    """
    return title_words(text.replace("\xad", ""))


def squeezed(text: str) -> str:
    """Letters and digits of a text, in lower case: white space and punctuation are written differently.

    >>> squeezed("Ｔea &\\n Milk!")
    'teamilk'
    """
    return "".join(re.findall(r"[^\W_]", unicodedata.normalize("NFKC", _FORMULA.sub(" ", text)).lower()))
