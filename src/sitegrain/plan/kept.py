"""What a process keeps of parts from one pass to the next: a site that is little more than one part is parsed once and not in every pass,
and what is found out about it is handed on and not packed into files."""

from __future__ import annotations

from typing import Any

from sitegrain.plan.spool import Place
from sitegrain.tables.parsing.parse import ParsedPage
from sitegrain.tables.site import Site

KEPT_BYTES = 128 << 20
"""HTML whose tables all processes together keep where nobody limits their memory. Beside 24 MB, which are one part, ten sites of 30 to 218 MB take
6 to 23 % less time and up to three fifths more memory: with what is remembered of them, tables take 1.5 to 5.6 times their HTML."""


class KeptTables:
    """The first parts of one site, as many as have together no more HTML than there is room for.

    The first and not the last: every pass goes over the parts in the same order, so those would be gone when they are wanted.
    Nothing is kept unless it was opened: by the process that does all passes, or by workers, which get the same parts again.
    """

    def __init__(self) -> None:
        self._sites: dict[int, Site] | None = None
        self._of: object = None
        self._all = self._room = 0

    @property
    def room(self) -> int:
        """Bytes of HTML of which tables may still come."""
        return self._room

    def open(self, room: int) -> None:
        """Begin to keep tables of so many bytes of HTML."""
        self._sites, self._of, self._all, self._room = {}, None, room, room

    def close(self) -> None:
        """Keep nothing any more."""
        self._sites, self._of, self._room = None, None, 0

    @property
    def parts(self) -> frozenset[int]:
        """Those whose tables are here."""
        return frozenset(self._sites or ())

    def site(self, place: Place, part: int) -> Site | None:
        """The tables of a part, if they were kept."""
        return self._sites.get(part) if self._sites and _name(place) == self._of else None

    def add(self, place: Place, part: int, site: Site) -> None:
        """Keep the tables of a part if there is room for them."""
        if self._sites is None:
            return
        if _name(place) != self._of:  # another site, or one that lost pages
            self.open(self._all)
            self._of = _name(place)
        size = int(site.pages.n_bytes.sum())
        if part not in self._sites and size <= self._room:
            self._sites[part] = site
            self._room -= size

    def drop(self, part: int) -> None:
        """A part is not needed any more. Its room is not given to others: those that come have been parsed already."""
        if self._sites:
            self._sites.pop(part, None)


class ParsedPages:
    """Pages that were parsed to learn the language and the fields of a site, until the pass that builds the tables of all comes to them.

    Nothing is taken unless it was opened: by the process that does all passes.
    """

    def __init__(self) -> None:
        self._pages: dict[tuple[object, int], ParsedPage] | None = None

    def open(self) -> None:
        """Begin to take pages."""
        self._pages = {}

    def close(self) -> None:
        """Take none any more."""
        self._pages = None

    def add(self, place: Place, row: int, page: ParsedPage) -> None:
        """Keep what was made of a page."""
        if self._pages is not None:
            self._pages[_name(place), row] = page

    def of(self, place: Place, row: int) -> ParsedPage | None:
        """What was made of a page, if it is here."""
        return self._pages.get((_name(place), row)) if self._pages else None

    def take(self, place: Place, row: int) -> ParsedPage | None:
        """The same, once."""
        return self._pages.pop((_name(place), row), None) if self._pages else None


class Handed:
    """What was made of parts, until it is asked for.

    Only where one process does all passes: nothing is taken unless it was opened, and everything then goes through files.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[str, int], Any] | None = None

    def open(self) -> None:
        """Begin to take what is made."""
        self._made = {}

    def close(self) -> None:
        """Take nothing any more."""
        self._made = None

    def give(self, what: str, part: int, made: Any) -> bool:
        """Take what was made of a part; False when it must go through a file."""
        if self._made is None:
            return False
        self._made[what, part] = made
        return True

    def of(self, what: str, part: int) -> Any:
        """What was made of a part; None when it is in a file."""
        return self._made.get((what, part)) if self._made else None

    def take(self, what: str, part: int) -> Any:
        """The same, once."""
        return self._made.pop((what, part), None) if self._made else None


def _name(place: Place) -> object:
    """What tells the pages of a site, and what is left of them, from others: the same in every process."""
    return place.folder, place.n_pages


KEPT = KeptTables()
PARSED = ParsedPages()
HANDED = Handed()
"""Of this process."""
