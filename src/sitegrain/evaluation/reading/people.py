"""Language and authors of the articles of a labelled site, for which no page has a gold.

The language is right if it is the one (or one of those) that `site.json` names; "or of the text" counts a page, too, whose gold text is
itself in the language that was found, as far as py3langid tells (a site has articles in other languages than its own). An author
"is no name" if it reads like none: no letter, a label with a colon in it, the page's own title, or nothing but words that the site
writes in lower case at least three times, and more often than with a capital ("Topic", "Handle"). In scripts without capitals:
a line that the text of three pages holds. A nickname that is a common word is taken for none, so the figure is an upper bound of that kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sitegrain.article.fields.values import Field
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.reading.wording import words
from sitegrain.text.language import primary_language, text_language

MIN_COMMON = 3
"""Times that a site writes a common word in lower case; texts of a line that is no name. Set beforehand."""
_LABEL = re.compile(r"[:：](?:\s|$)")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass
class PeopleScores:
    """The articles of one site."""

    site: str
    languages: list[bool] = field(default_factory=list)
    languages_of_text: list[bool] = field(default_factory=list)
    n_pages: int = 0
    n_authors: int = 0
    no_names: list[str] = field(default_factory=list)
    """Authors that are none, one for each page."""


@dataclass(frozen=True)
class FoundPage:
    """What was found on one article, and its gold text."""

    title: str
    language: str
    author: Field
    gold: str


def score_people(labelled: LabelledSite, pages: Iterable[FoundPage]) -> PeopleScores:
    """Count the pages of a site."""
    out = PeopleScores(labelled.name)
    pages = list(pages)
    wanted = {primary_language(part) for part in str(labelled.about.get("lang", labelled.language)).split("/")} - {""}
    common = CommonWords(page.gold for page in pages)
    for page in pages:
        out.n_pages += 1
        if wanted and page.gold:
            is_right = page.language in wanted
            out.languages.append(is_right)
            out.languages_of_text.append(is_right or text_language(page.gold) == page.language)
        if page.author.value:
            out.n_authors += 1
            if common.is_no_name(page.author.value, page.title):
                out.no_names.append(page.author.value)
    return out


class CommonWords:
    """The words of a site's texts, and how often each is written in lower case and with a capital.

    >>> common = CommonWords(["the handle of a door, a handle", "my handle by Ann Lee. Handle it"])
    >>> common.is_no_name("Handle", ""), common.is_no_name("Ann Lee", ""), common.is_no_name("Ann Lee", "Ann Lee!")
    (True, False, True)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(texts)
        self._counts = Counter(word for text in self._texts for word in _WORD.findall(text))

    def is_no_name(self, author: str, title: str) -> bool:
        """True for an author that reads like no name; see above."""
        own = _WORD.findall(author)
        if not own or _LABEL.search(author) or words(author) == words(title):
            return True
        if author == author.casefold() and author != author.upper():
            return False  # a nickname, which its own posts write in lower case
        if author == author.swapcase():
            return sum(author in text for text in self._texts) >= MIN_COMMON
        return all(self._is_common(word) for word in own)

    def _is_common(self, word: str) -> bool:
        if word not in (word.lower(), word.capitalize(), word.upper()):
            return False  # "DevAnn" is an account, which addresses write in lower case
        n_common = self._counts[word.lower()]
        return n_common >= MIN_COMMON and n_common > max(self._counts[word], self._counts[word.capitalize()])
