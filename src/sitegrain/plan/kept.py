"""The tables of parts, from one pass to the next: a site that is little more than one part is parsed once and not in every pass."""

from __future__ import annotations

from sitegrain.plan.spool import PART_BYTES, Place
from sitegrain.tables.site import Site


class KeptTables:
    """The first parts of one site, as many as have together no more HTML than a single part may have.

    The first and not the last: every pass goes over the parts in the same order, so those would be gone when they are wanted.
    Only for a process that does all passes over all parts: nothing is kept unless it was opened.
    """

    def __init__(self) -> None:
        self._sites: dict[int, Site] | None = None
        self._place: Place | None = None
        self._room = 0

    def open(self) -> None:
        """Begin to keep tables."""
        self._sites, self._place, self._room = {}, None, PART_BYTES

    def close(self) -> None:
        """Keep nothing any more."""
        self._sites, self._place, self._room = None, None, 0

    def site(self, place: Place, part: int) -> Site | None:
        """The tables of a part, if they were kept."""
        return self._sites.get(part) if self._sites and place is self._place else None

    def add(self, place: Place, part: int, site: Site) -> None:
        """Keep the tables of a part if there is room for them."""
        if self._sites is None:
            return
        if place is not self._place:  # another site, or one that lost pages
            self.open()
            self._place = place
        size = int(site.pages.n_bytes.sum())
        if part not in self._sites and size <= self._room:
            self._sites[part] = site
            self._room -= size

    def drop(self, part: int) -> None:
        """A part is not needed any more. Its room is not given to others: those that come have been parsed already."""
        if self._sites:
            self._sites.pop(part, None)


KEPT = KeptTables()
"""Of this process."""
