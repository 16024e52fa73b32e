"""The words that fields and titles are compared by."""

from __future__ import annotations

import re
import unicodedata


def words(text: str) -> list[str]:
    """The words of a field: case, width, punctuation and soft hyphens aside.

    >>> words("Hot\xad tea, please!")
    ['hot', 'tea', 'please']
    """
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text.replace("\xad", "")).casefold())
