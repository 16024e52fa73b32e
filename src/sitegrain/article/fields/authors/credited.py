"""Names that metadata give, next to those that the page shows: who of them wrote it."""

from __future__ import annotations

import re

from sitegrain.article.fields.authors.names import ROLE, is_group, may_be_name, may_be_whole
from sitegrain.light import late_pattern
from sitegrain.text.words import title_words

_AND = r"(?:and|und|et|y|e|og|och)\s+"
_BETWEEN = late_pattern(rf"\s*[,;&]\s*(?:{_AND})?|\s+{_AND}")
_GOES_ON = re.compile(rf"\s*[,;&]|\s+{_AND}")
_HONORIFICS = frozenset("dr prof professor mag ing dipl mr mrs ms sir dra mme".split())
MAX_PLACES = 20
"""Places of the page with a name that are looked at."""
MAX_FULL = 3
"""Words of a name of which the first is known."""
MAX_WORDS = 4
"""Words of one name among several."""


def is_rather(line: str, said: str) -> bool:
    """True when a byline tells better who wrote than metadata do.

    >>> is_rather("Ann Lee", "Ann Lee, Bo Ek"), is_rather("Ann Lee", "Bo Ek"), is_rather("Ann Lee and Bo Ek", "Ann Lee")
    (True, False, True)
    """
    return is_part(line, said) if len(names_of(said)) > 1 else is_more(line, said)


def may_be_rather(text: str, said: str) -> bool:
    """False where no byline of a page with this text can tell better: most pages, and this is soon told.

    >>> may_be_rather("By Ann Lee and Bo Ek", "Ann Lee"), may_be_rather("By Ann Lee. Ann Lee is here.", "Ann Lee")
    (True, False)
    """
    if len(names_of(said)) > 1:
        return True
    at, n = text.find(said), 0
    while at >= 0 and n < MAX_PLACES:
        at, n = at + len(said), n + 1
        if _GOES_ON.match(text, at):
            return True
        at = text.find(said, at)
    return False


def may_be_unseen(text: str, said: str) -> bool:
    """True for a name that stands nowhere in a text, in capitals or not.

    >>> may_be_unseen("By Ann Lee", "Bo Ek"), may_be_unseen("By ANN LEE", "Ann Lee")
    (True, False)
    """
    return said not in text and said.lower() not in text.lower()


def is_another(shown: str, said: str) -> bool:
    """True for a whole name of a person that has no word of the one whom metadata give.

    >>> is_another("Ann Lee", "Bo Ek"), is_another("Ann Lee", "A. Lee"), is_another("Ann", "Bo Ek"), is_another("The Bay Team", "Bo Ek")
    (True, False, False, False)
    """
    is_person = may_be_whole(shown) and not is_group(shown) and not ROLE.search(shown)
    return is_person and set(title_words(shown)).isdisjoint(title_words(said))


def is_fuller(shown: str, said: str) -> bool:
    """True for the name of a person of whom metadata give the first name alone.

    >>> is_fuller("Ann Lee", "Ann"), is_fuller("Ann Lee", "Lee"), is_fuller("Ann Lee and Bo Ek", "Ann")
    (True, False, False)
    """
    own, other = title_words(shown), title_words(said)
    return len(other) == 1 and own[:1] == other and 1 < len(own) <= MAX_FULL and not is_group(shown)


def names_of(said: str) -> list[str]:
    """The names of a line.

    >>> names_of("Ann E. Lee, Bo Ek, and Cy Wu and Di Ng")
    ['Ann E. Lee', 'Bo Ek', 'Cy Wu', 'Di Ng']
    """
    return [name for name in _BETWEEN.split(said) if name]


def is_part(shown: str, said: str) -> bool:
    """True for a byline that names some of those whom metadata name: the others took the pictures, or looked it through.

    >>> is_part("Ann Lee", "Ann Lee, Bo Ek"), is_part("Cy Wu", "Ann Lee, Bo Ek"), is_part("Ann Lee", "Ann Lee")
    (True, False, False)
    """
    own, others = set(_keys(shown)), set(_keys(said))
    return bool(own) and own < others


def is_more(shown: str, said: str) -> bool:
    """True for names among which is the one that metadata give; a role, a place or an agency behind it is no other name.

    >>> is_more("Ann Lee and Bo Ek", "Ann Lee"), is_more("Ann Lee, Berlin", "Ann Lee"), is_more("Ann Lee, Deputy CTO", "Ann Lee")
    (True, False, False)
    >>> is_more("Dr Ann van der Lee, Bo Ek", "Ann van der Lee")
    True
    """
    names = names_of(shown)
    are_names = all(
        2 <= len(_own_words(name)) <= MAX_WORDS and may_be_name(name) and not ROLE.search(name) and not _has_sign(name)
        for name in names
    )
    return len(names) > 1 and are_names and set(_keys(said)) < set(_keys(shown))


def _has_sign(name: str) -> bool:
    """True for letters that stand for words ("CTO"); an initial is none."""
    return not name.isupper() and any(len(word) > 1 and word.isalpha() and word.isupper() for word in name.split())


def _own_words(name: str) -> list[str]:
    """The words of a name without what people are called by before it."""
    return [word for word in name.split() if word.lower().rstrip(".") not in _HONORIFICS]


def _keys(said: str) -> list[tuple[str, ...]]:
    return [tuple(title_words(" ".join(_own_words(name)))) for name in names_of(said)]
