"""What a site tells of the fields of its pages: where they sit, and what repeats and so is no field.

On pages whose metadata name the date (or the author), the same value is printed somewhere. The place, that is the
path of tags and first class names, where that happens on most of them is read on pages without metadata. A site
without any metadata still votes on dates: the place that holds one date a page, another on every page.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import islice
from typing import Self

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Hashes
from sitegrain.article.fields.authors.beside import name_beside_date, names_beside, said_name
from sitegrain.article.fields.authors.names import MAX_NAME, clean_name
from sitegrain.article.fields.days.dates import order_of
from sitegrain.article.fields.days.visible import date_of, each_shown_date, shown_dates
from sitegrain.article.fields.metadata import linked_author, linked_date, meta_author, meta_date
from sitegrain.article.fields.page import Fields
from sitegrain.article.fields.titles.saidtitle import with_word
from sitegrain.article.fields.titles.titles import SEPARATOR, separators
from sitegrain.article.fields.titles.untitled import bold_lines
from sitegrain.article.fields.values import NOTHING, Field
from sitegrain.article.fields.view import View
from sitegrain.light import dataclass
from sitegrain.tables.address import resolve
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.site import Site
from sitegrain.text.jsonld import plain
from sitegrain.text.words import title_words

SAMPLED_PAGES = 200
"""Pages that vote; more do not change the vote on the labelled sites."""
MIN_PAGES = 3
"""A thing on fewer pages does not repeat."""
REPEATS = 0.2
"""Share of the pages on which the same title, heading or description is the site's and not the page's."""
TRUSTED = 0.8
"""Share of the known pages on which a place must hold the known value."""
MIN_START = 3
"""Words of a beginning that titles share. Set beforehand."""
_PLACES = 3
_IN_BRACKETS = re.compile(r" \((?:[^()]|\([^()]*\))+\)$")


CLOCK = 0.8
"""Share of the pages that show a date which is of none of them, or end their title in the same brackets. Set beforehand."""


def sampled_pages(n_pages: int) -> list[int]:
    """The pages that vote, spread evenly over a site: a site of them alone votes the same."""
    step = max(n_pages / SAMPLED_PAGES, 1.0)
    chosen: list[int] = distinct((np.arange(min(SAMPLED_PAGES, n_pages)) * step).astype(int)).tolist()
    return chosen


@dataclass
class SiteFields:
    """The fields of the pages of a site, with what the site tells of them.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> page = "<title>{0} - The Bay</title><h1>The Bay</h1><h2>{0}</h2><i>{1} May 2020</i><p>Text of {0}."
    >>> site = build_site(Capture(f"http://b.org/{k}", page.format(f"Story {k}", k).encode()) for k in range(1, 9))
    >>> fields = SiteFields().fit(site).fields(site, 3)
    >>> fields.title, fields.date
    (Field(value='Story 4', source='h2'), Field(value='2020-05-04', source='site vote'))
    """

    site_name: str = ""
    title_ends: tuple[str, ...] = ()
    """What `<title>` starts or ends with on many pages, the longest first."""
    repeated: frozenset[str] = frozenset()
    """Headings that stand on many pages."""
    day_first: bool | None = None
    """How the site writes 3/4/2020, if it can be told."""
    constants: dict[str, frozenset[str]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    """`<title>`s and headings of several pages: of a section, or of a list."""
    clock_dates: dict[str, int] = field(default_factory=dict)
    """Dates that nearly all pages show, and how often most of them do: of the visit, of the site, or of the stories that all pages name."""
    author_places: tuple[int, ...] = ()
    date_places: tuple[int, ...] = ()
    beside_places: tuple[int, ...] = ()
    """Places beside the day where nearly all pages have a name, without a word or a class that says so."""
    has_names_by_dates: bool = False
    """The line with the date names the author ("3 May 2020, Ann Lee")."""

    def fit(self, site: Site) -> Self:
        """Learn from the pages of a site."""
        views = [View(site, page) for page in sampled_pages(site.n_pages)]
        if len(views) < MIN_PAGES:
            return self
        self._learn_repeats(views)
        orders = Counter(
            o for v in views for row, _ in islice(each_shown_date(v), 20) if (o := order_of(v.text(row))) is not None
        )
        self.day_first = orders.most_common(1)[0][0] if orders else views[0].day_first
        votes = _Votes(), _Votes()
        for view in views:
            view.day_first = self.day_first
            keys = first_name_places(view.site, view.page)
            votes[0].add(view, keys, linked_date(view) or meta_date(view), _date_rows(view))
            name = _known_author(view)
            if name:
                votes[1].add(view, keys, name, _name_rows(view, name))
        self.date_places = votes[0].places(len(views), may_guess=True)
        self.author_places = votes[1].places(len(views), may_guess=False)
        if self.date_places and not self.author_places:
            lines = [line for view in views if (line := self._date_line(view))]
            names = [name for line in lines if (name := name_beside_date(line))]
            self.has_names_by_dates = len(names) >= max(MIN_PAGES, len(lines) / 2) and len(set(names)) > 1
        if not self.author_places and not self.has_names_by_dates:
            self.beside_places = _places_beside(views)
        return self

    def fields(
        self,
        site: Site,
        page: int,
        kept: Bools | None = None,
        text: Callable[[], str] | None = None,
    ) -> Fields:
        """The fields of one page, of this site or of a new page of it."""
        return Fields(site, page, self, kept, text)

    def clocks_of(self, view: View) -> frozenset[str]:
        """The dates that nearly all pages show and that this one shows no more often than they do, so that they are not its own: a story
        that all pages name beside their text shows its day once more."""
        if not self.clock_dates:
            return frozenset()
        shown = Counter(date for _, date in shown_dates(view))
        return frozenset(date for date, times in self.clock_dates.items() if shown[date] <= times)

    def is_constant(self, name: str, value: str) -> bool:
        """True for a value that many pages have: it says nothing of this one."""
        return value in self.constants.get(name, ())

    def read_date(self, view: View) -> Field:
        """The date at the site's place for it."""
        view.day_first = self.day_first
        return self._read(view, self.date_places, lambda row: date_of(view, row))

    def read_author(self, view: View) -> Field:
        """The author at the site's place for it."""
        if self.has_names_by_dates and (name := name_beside_date(self._date_line(view))):
            return Field(name, "site vote")
        return self._read(view, self.author_places, lambda row: clean_name(view.text(row)))

    def name_beside(self, view: View) -> str:
        """The name at the site's place for it beside the day."""
        return self._read(view, self.beside_places, lambda row: clean_name(said_name(view.text(row)))).value

    def _date_line(self, view: View) -> str:
        return self._read(view, self.date_places, lambda row: view.text(row) if date_of(view, row) else "").value

    def _read(self, view: View, places: tuple[int, ...], read: Callable[[int], str]) -> Field:
        if not places:
            return NOTHING
        keys = first_name_places(view.site, view.page)
        for place in places:
            for row in np.flatnonzero(keys == np.uint64(place))[:5].tolist():
                if value := read(row + view.rows.start):
                    return Field(value, "site vote")
        return NOTHING

    def _learn_repeats(self, views: list[View]) -> None:
        least = max(MIN_PAGES, REPEATS * len(views))

        def often(values: Iterable[Iterable[str]], least: float = least) -> list[str]:
            # Each value once a page; the commonest first, and of equals the one that came first: not by the order of a set.
            found = Counter(v for of_page in values for v in dict.fromkeys(of_page) if v)
            return [v for v, n in found.most_common() if n >= least]

        titles = [view.site.pages.title[view.page] for view in views]
        ends = often(_ends(title) for title in titles) if len(set(titles)) > 1 else []
        headings = [[view.text(r) for r in view.tagged("h1", "h2", "h3")[:10] or bold_lines(view)] for view in views]
        # Manuals name themselves in brackets, on all pages, or in no heading; "(film)" and "(2010)" are on many, and in the heading, too. What a
        # site's own name ends in is not by itself.
        named = [_IN_BRACKETS.findall(title[-120:]) if len(set(titles)) > 1 else [] for title in titles]
        apart = (
            [name for name in names if own and not any(name.strip() in heading for heading in own)]
            for names, own in zip(named, headings, strict=True)
        )
        brackets = dict.fromkeys([*often(named, CLOCK * len(views)), *often(apart)])
        ends += [name for name in brackets if not any(end.endswith(name) for end in ends)]
        ends += _common_start(titles)
        self.title_ends = tuple(sorted(ends, key=lambda e: (-len(e), e)))
        self.repeated = frozenset(often(headings))
        self.constants = {
            "title": frozenset(
                often([view.meta.get("og:title", ""), t] for view, t in zip(views, titles, strict=True))
            ),
            "description": frozenset(
                often([plain(view.meta.get(k, "")) for k in ("description", "og:description")] for view in views)
            ),
            "images": frozenset(often(_images(view) for view in views)),
        }
        self.shared = frozenset(often(((t, *own) for t, own in zip(titles, headings, strict=True)), MIN_PAGES))
        shown: dict[str, Counter[int]] = {}
        for view in views:
            for date, times in Counter(date for _, date in shown_dates(view)).items():
                shown.setdefault(date, Counter())[times] += 1
        self.clock_dates = {
            date: max(pages, key=lambda times: (pages[times], times))
            for date, pages in shown.items()
            if pages.total() >= CLOCK * len(views)
        }
        names = often([" ".join(view.meta.get("og:site_name", "").split())] for view in views)
        names += [name for e in ends if (name := SEPARATOR.sub("", f" {e} ").strip(" |-–—:·•»«/"))]
        names = [name[1:-1] if _IN_BRACKETS.fullmatch(f" {name}") else name for name in names]
        self.site_name = names[0] if names else ""


def _common_start(titles: list[str]) -> list[str]:
    """What nearly all titles begin with, without a separator after it: several words, as "Part" and "How to" begin titles, too.

    >>> _common_start([f"Pots of the Bay{x}" for x in ("Red pot", "Blue pot", "Tray", "Lid", "Saucer")])
    ['Pots of the Bay']
    >>> _common_start(["How to tea", "How to coffee", "How to rest", "How to go"])
    []
    """
    found = sorted(set(titles))
    n = int(np.ceil(CLOCK * len(found)))
    # Titles of one beginning stand side by side: the first and the last of them tell how long it is.
    pairs = zip(found, found[n - 1 :], strict=False) if n >= MIN_PAGES else ()
    start = max((_shared_start(a, b) for a, b in pairs), key=len, default="")
    after = {title[len(start) : len(start) + 1] for title in found if title.startswith(start)}
    if start and any(map(str.isalnum, after)) and start[-1].isalnum() and not all(map(str.isupper, after - {""})):
        start = start[: len(start) - len(re.split(r"\W", start)[-1])]  # not within a word
    return [start] if len(title_words(start)) >= MIN_START and len(start) < 120 else []


def _shared_start(a: str, b: str) -> str:
    n = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[:n]


def _ends(title: str) -> list[str]:
    """Everything before or after a separator in a title, with the separator."""
    return [e for start, end in separators(title)[:8] for e in (title[start:], title[:end]) if len(e) < 120]


def _images(view: View) -> list[str]:
    base = view.site.pages.base[view.page]
    found = [view.meta.get("og:image", ""), view.meta.get("twitter:image", "")]
    found += [value for row, value in list(view.attrs("src").items())[:300]]
    return [resolve(value, base) for value in found if value and not value.startswith("data:")]


def _known_author(view: View) -> str:
    name, is_group = linked_author(view)
    return (name if not is_group else "") or meta_author(view)


def _date_rows(view: View) -> list[tuple[int, str]]:
    rows = [*shown_dates(view)]
    rows += [(row, d) for row in view.tagged("time")[:100] if (d := date_of(view, row))]
    return sorted(rows)


def _name_rows(view: View, name: str) -> list[tuple[int, str]]:
    """(row, name) of the short text nodes that say a name."""
    text, wanted = view.site.texts[view.page], set(title_words(name))
    rows, starts, ends = view.text_nodes
    which: Iterable[int] = range(len(rows) if wanted else 0)
    if wanted and text.isascii():
        which = with_word(text.lower(), max(wanted, key=len), starts, 0, len(rows))
    out = []
    for k in which:
        if not 1 < ends[k] - starts[k] <= MAX_NAME:
            continue
        said = text[starts[k] : ends[k]]
        folded, is_plain, n_there = said.casefold(), said.isascii(), 0
        for word in wanted:
            if word in folded:
                n_there += 1
            elif is_plain:
                break
        # All words of the name, unless letters may be written in other ways: to make a name clean takes longer than all else.
        may_be = n_there == len(wanted) if is_plain else n_there > 0
        if may_be and set(title_words(clean_name(said))) == wanted:
            out.append((rows[k], name))
    return out


def _places_beside(views: list[View]) -> tuple[int, ...]:
    """Places beside the day of a page that have a name on nearly all pages, and not the same on all."""
    days, tried, found = _Votes(), Counter[int](), defaultdict[int, list[str]](list)
    keys = [first_name_places(view.site, view.page) for view in views]
    for view, of_page in zip(views, keys, strict=True):
        days.add(view, of_page, "", shown_dates(view))
    wanted = set(days.places(len(views), may_guess=True))
    for view, of_page in zip(views, keys, strict=True):
        at = (row for row, _ in shown_dates(view) if int(of_page[row - view.rows.start]) in wanted)
        for row, name in names_beside(view, day) if (day := next(at, -1)) >= 0 else ():
            key = int(of_page[row - view.rows.start])
            tried[key] += 1
            found[key] += [name] if name else []
    often = [k for k, names in found.items() if len(names) >= max(MIN_PAGES, TRUSTED * tried[k])]
    return tuple(k for k in often if len(set(found[k])) > 1)[:_PLACES]


class _Votes:
    """Places that hold a value, counted over pages."""

    def __init__(self) -> None:
        self.right: Counter[int] = Counter()
        self.tried: Counter[int] = Counter()
        self.pages: Counter[int] = Counter()
        self.rows: Counter[int] = Counter()
        self.values: defaultdict[int, set[str]] = defaultdict(set)
        self.is_elsewhere: Counter[int] = Counter()
        self.at: Counter[int] = Counter()
        """Sum over pages of how far from the top it stands."""
        self.n_known = 0

    def add(self, view: View, keys: Hashes, known: str, rows: list[tuple[int, str]]) -> None:
        self.n_known += bool(known)
        first: dict[int, tuple[int, str]] = {}
        for row, value in rows:
            key = int(keys[row - view.rows.start])
            self.rows[key] += 1
            first.setdefault(key, (row, value))
        for key, (row, value) in first.items():
            self.pages[key] += 1
            self.values[key].add(value)
            self.is_elsewhere[key] += view.is_elsewhere(row)
            self.at[key] += row - view.rows.start
            if known:
                self.tried[key] += 1
                self.right[key] += value == known

    def places(self, n_pages: int, may_guess: bool) -> tuple[int, ...]:
        found = [k for k, n in self.right.items() if n >= MIN_PAGES and n >= TRUSTED * self.tried[k]]
        if self.n_known < MIN_PAGES and may_guess:
            # One date a page, another on most pages, not in a side box.
            found = [
                k
                for k, n in self.pages.items()
                if n >= max(MIN_PAGES, REPEATS * n_pages)
                and self.rows[k] <= 1.5 * n
                and len(self.values[k]) >= 0.5 * n
                and 2 * self.is_elsewhere[k] < n
            ]
        # Of places that are equally good the upper one: below are the day of the last change, and the next story.
        found.sort(key=lambda k: (-self.right[k], -self.pages[k], self.at[k], k))
        return tuple(found[:_PLACES])
