"""The words that fields and titles are compared by."""

from __future__ import annotations

from sitegrain.text.words import title_words


def words(text: str) -> list[str]:
    """The words of a field: case, width, punctuation and soft hyphens aside.

    >>> words("Hot\xad tea, please!")
    ['hot', 'tea', 'please']
    """
    return title_words(text.replace("\xad", ""))
