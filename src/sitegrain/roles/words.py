"""What the words of addresses and titles say: `/tag/`, `page/2`, `?start=`, `Category:`, `About us`, in whatever languages were learned.

A word is learned only if several sites have it, so no rule of a single site is among them. Each site has one vote on what a
word means, however many pages it has. Class and id names are not read, and neither is what the body or `og:type` declare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.light import dataclass
from sitegrain.methods.base import ROLES
from sitegrain.roles.parts import folders, query_of

LEAST_SITES = 3
"""Sites that must have a word for it to be learned; set beforehand."""
SMOOTHING = 1.0
"""Votes that every word is given at the usual mix of roles."""
FEW = 2
"""Pages of a site from which its vote counts in full."""
SURE = 6.0
"""Log odds that the words of a page reach at most: they are not independent of one another."""
TELLING = 1.5
"""Log odds from which a word is told as a reason: four or five times as likely; set beforehand."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp|shtml|xhtml|cgi)$")
_NUMBERED = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}+)[-_=/]?\d{1,4}(?!\d)")
"""From the beginning of a word and all of it: what begins later or ends before has no number behind it either."""
_PARAMETER = re.compile(r"(?:^|[&;?])([a-z_]{1,20})=")
_DIGITS = re.compile(r"\d+")

WordOdds = Mapping[str, Sequence[float]]
"""Word -> for each role by how much its log odds on pages with this word exceed those on any page."""
WordCounts = dict[str, dict[str, Floats]]
"""Word -> site -> its vote, a share for each role."""
COLUMNS = tuple(f"words_{part}_{role}" for part in ("address", "title") for role in (*ROLES, "known"))


def address_words(url: str) -> frozenset[str]:
    """The words of an address, each with a sign that says where it stood.

    >>> sorted(address_words("http://a.org/blog/tag/page/2.html?start=10"))
    ['#page', '/blog', '/page', '/tag', '?start']
    >>> sorted(address_words("http://a.org/wiki/Category:Games"))
    ['.category', '.games', '/wiki', '^category', 'category:']
    """
    return _address_words(url, folders([url])[0])


def _address_words(url: str, folder: Sequence[str]) -> frozenset[str]:
    out: set[str] = set()
    path = [*map(str.lower, folder)]
    for part in path[:-1]:
        out.update(_folder_words(part))
    if path:
        last = _ENDING.sub("", path[-1])
        words = _WORD.findall(last)
        if len(words) <= 3:
            out.update([f".{word}" for word in words])
        if words:
            out.add(f"^{words[0]}")
            if ":" in last:
                out.add(f"{words[0]}:")
            if _DIGITS.search(last):
                out.update([f"#{found}" for found in _NUMBERED.findall(last)])
        else:  # and so none with a number
            out.add("#" + _DIGITS.sub(lambda found: str(min(len(found.group()), 5)), last)[:12])
        if last.isdigit() and len(path) > 1:
            out.update(f"#{word}" for word in _WORD.findall(path[-2]))
            out.discard(f"#{min(len(last), 5)}")
    if "?" in url:
        out.update(f"?{name}" for name in _PARAMETER.findall(query_of(url).lower()))
    return frozenset(out)


@lru_cache(maxsize=256)
def _folder_words(name: str) -> frozenset[str]:
    words = _WORD.findall(name)
    # A longer name is a title and says what the page is about.
    return frozenset(f"/{word}" for word in words) if len(words) <= 2 else frozenset()


def title_words(title: str) -> frozenset[str]:
    """The words of a title that may say what kind of page it is: its first and last, all of a short one, what is before a colon.

    >>> sorted(title_words("category: games"))
    ['<category', '=category', '=games', '>games', 'category:']
    """
    words = _LETTERS.findall(title)
    if not words:
        return frozenset()
    out = {f"<{words[0]}", f">{words[-1]}"}
    if len(words) <= 3:
        out |= {f"={word}" for word in words}
    head = _WORD.findall(title.partition(":")[0]) if ":" in title else []
    if 0 < len(head) <= 2:
        out.add(f"{head[-1]}:")
    return frozenset(out)


def count_words(counts: WordCounts, site: str, pages: Iterable[frozenset[str]], roles: Iterable[int]) -> None:
    """Add the vote of a site on each of its words."""
    found: dict[str, Floats] = {}
    for words, role in zip(pages, roles, strict=True):
        for word in words:
            found.setdefault(word, np.zeros(len(ROLES)))[role] += 1
    for word, pages_of in found.items():
        counts.setdefault(word, {})[site] = pages_of / pages_of.sum() * min(1.0, pages_of.sum() / FEW)


def word_odds(counts: WordCounts, usual: Floats, without: str = "") -> dict[str, list[float]]:
    """What each word says that enough sites have; `without` the vote of one site, to learn from its pages."""
    out = {}
    for word, votes in counts.items():
        others = [vote for site, vote in votes.items() if site != without]
        # A word that only one other site lacks is known to the model that judges that site.
        if len(others) >= LEAST_SITES - (without in votes):
            total = np.sum(others, axis=0)
            share = (total + SMOOTHING * usual) / (total.sum() + SMOOTHING)
            odds = np.log(share / (1 - share)) - np.log(usual / (1 - usual))
            out[word] = [round(float(value), 3) for value in odds]
    return out


def page_words(urls: Sequence[str], titles: Sequence[str]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The words of the address and of the title of each page."""
    for url, folder, title in zip(urls, folders(urls), titles, strict=True):
        yield _address_words(url, folder), title_words(title)


@dataclass(frozen=True, eq=False)
class SaidWords:
    """The words of pages that say something: of each page those of its address, then those of its title, in one order, as
    sums of floats depend on it."""

    words: tuple[str, ...]
    says: Floats
    """Words x roles: log odds."""
    offset: Ints64
    """Two entries a page, and one."""
    word: Ints64
    """Which of `words`."""

    @classmethod
    def of(cls, odds: WordOdds, url: Sequence[str], title: Sequence[str]) -> SaidWords:
        """Of pages with these addresses and titles."""
        words = tuple(sorted(odds))
        place = {word: k for k, word in enumerate(words)}
        known = place.keys()
        found = [
            sorted(map(place.__getitem__, words & known)) for of_page in page_words(url, title) for words in of_page
        ]
        size = np.fromiter(map(len, found), np.int64, len(found))
        says = np.array([odds[word] for word in words], np.float64).reshape(-1, len(ROLES))
        return cls(words, says, offsets(size), np.fromiter(chain.from_iterable(found), np.int64))

    def columns(self) -> npt.NDArray[np.float32]:
        """Per page, of its address and of its title: the sum of what their words say of each role, and how many are known."""
        size = np.diff(self.offset)
        out = np.zeros((len(size), len(ROLES) + 1), np.float32)
        if len(self.word):
            summed = np.add.reduceat(self.says[self.word], self.offset[:-1][size > 0], axis=0)
            out[size > 0, : len(ROLES)] = np.clip(summed, -SURE, SURE)
        out[:, len(ROLES)] = size
        return out.reshape(len(size) // 2, len(COLUMNS))

    def telling(self, role: npt.NDArray[np.integer]) -> list[str]:
        """Per page the word that speaks most for its role, as a reason; empty if none does.

        >>> said = SaidWords.of({"/tag": [0.0, 2.5, -1.0]}, ["http://a.org/tag/tea", "http://a.org/tea"], ["Tea", "Tea"])
        >>> said.telling(np.array([1, 1])), said.telling(np.array([2, 2]))
        (['its address has "tag"', ''], ['', ''])
        """
        out = [""] * len(role)
        first = self.offset[::2]
        page = np.repeat(np.arange(len(role)), np.diff(first))
        value = self.says[self.word, role[page]]
        best = np.full(len(role), TELLING)
        for k in np.flatnonzero(value > TELLING).tolist():
            word = self.words[self.word[k]]
            if value[k] > best[page[k]] and _WORD.search(word):
                best[page[k]] = value[k]
                where = "address" if k < self.offset[2 * page[k] + 1] else "title"
                out[page[k]] = f'its {where} has "{word.strip("/.^#?<>=:")}"'
        return out


def word_columns(odds: WordOdds, url: Sequence[str], title: Sequence[str]) -> npt.NDArray[np.float32]:
    """What the words of pages say, as columns."""
    return SaidWords.of(odds, url, title).columns()
