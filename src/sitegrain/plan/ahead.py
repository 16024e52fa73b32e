"""What a worker does while the roles of all pages are found, which one process does: the texts of parts whose tables it has kept.

Nothing of it depends on roles, so the last pass finds it done. It changes no result: what is not done by then is made then.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegrain.arrays.counts import Counts
from sitegrain.article.fields import SiteFields
from sitegrain.extractor.model import Extractor
from sitegrain.light import dataclass
from sitegrain.plan.kept import KEPT
from sitegrain.plan.part import BegunPart
from sitegrain.plan.spool import Place
from sitegrain.roles.counts import PageCards
from sitegrain.tables.site import Site

MOST_PAGES = 768
"""Pages that a worker begins with at most: as many as there is time for on a site of 10,000 pages. Each takes 38 KB of memory until its part
is written."""


class BegunParts:
    """What was begun of the parts of one site."""

    def __init__(self) -> None:
        self._parts: dict[int, tuple[Site, BegunPart]] = {}

    def clear(self) -> None:
        """Other things are known of the site now, or it is another one."""
        self._parts.clear()

    def add(self, part: int, site: Site, begun: BegunPart) -> None:
        """Keep what is being made of a part."""
        self._parts[part] = site, begun

    def take(self, part: int, site: Site) -> BegunPart | None:
        """What was made of a part from these tables, once; None if nothing was."""
        of, begun = self._parts.pop(part, (None, None))
        return begun if of is site else None


BEGUN = BegunParts()
"""Of this process."""


@dataclass(frozen=True, eq=False)
class Ahead:
    """All that is needed to begin: `KnownBefore`, and where the pages are."""

    place: Place
    extractor: Extractor
    fields: SiteFields | None
    images: frozenset[str]
    places: Counts
    cards: PageCards

    def steps(self) -> Iterator[None]:
        """Begin with the parts that are kept here, one page at a step."""
        BEGUN.clear()
        n_pages = 0
        for part in sorted(KEPT.parts):
            site = KEPT.site(self.place, part)
            if site is None:
                continue
            n_pages += site.n_pages
            if n_pages > MOST_PAGES:
                return
            begun = BegunPart.of(site, self)
            BEGUN.add(part, site, begun)
            for article in begun.articles:
                yield
                article.begin()


def step(ahead: Iterator[None]) -> bool:
    """Do one step; False when there is none, or when it failed: the last pass tells of what."""
    try:
        next(ahead)
    except StopIteration:
        return False
    except Exception:
        BEGUN.clear()
        return False
    return True
