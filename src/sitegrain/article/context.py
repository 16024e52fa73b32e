"""What all articles of a site share, and how what is made of a page fails: noted, and for this page alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sitegrain.arrays.types import Floats
from sitegrain.article.expected import expected_content
from sitegrain.errors import PAGE_FAULTS
from sitegrain.methods.base import NodeVerdict
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.timing import is_limited, time_limited

if TYPE_CHECKING:  # loaded when they are asked for
    from sitegrain.article.fields import SiteFields
    from sitegrain.article.lists.listlinks import TextScores
    from sitegrain.article.lists.sitelinks import SiteLinks

MIN_FIELD_PAGES = 3
"""Pages from which a site can vote on where fields sit."""
T = TypeVar("T")


def guarded(otherwise: Any, is_timed: bool = True) -> Callable[[Callable[[Any], T]], cached_property[T]]:
    """A cached property of an `Article` or of what articles share; when it cannot be made, `otherwise`, and that is noted in
    `faults`. A page that fails is one page. What takes no time need not be timed: a limit costs five calls of the system."""

    def decorate(make: Callable[[Any], T]) -> cached_property[T]:
        @wraps(make)
        def made(self: Any) -> T:
            try:
                if not is_timed or is_limited():
                    return make(self)
                with time_limited():
                    return make(self)
            except PAGE_FAULTS as error:
                what = make.__name__.strip("_")
                self.faults.append(f"{what} cannot be made ({type(error).__name__}: {str(error)[:100]})")
                fallback: T = otherwise
                return fallback

        return cached_property(made)

    return decorate


class SiteContext:
    """What all articles of a site share, made when the first of them needs it; or of a part of a site, given all of it."""

    def __init__(
        self,
        site: Site,
        fields: SiteFields | None = None,
        images: frozenset[str] | None = None,
        links: SiteLinks | None = None,
    ) -> None:
        self.site = site
        self.faults: list[str] = []
        self._scores: tuple[NodeVerdict, TextScores] | None = None
        self._contents: tuple[NodeVerdict, Floats, Floats] | None = None
        if images is not None and links is not None:
            self.fields, self.images, self.links = fields, images, links
        elif site.n_pages < MIN_FIELD_PAGES:
            self.fields, self.images = None, frozenset()

    @guarded(None)
    def fields(self) -> SiteFields | None:
        """Where fields sit on this site; None for a page or two."""
        return site_fields(self.site)

    @guarded(frozenset())
    def images(self) -> frozenset[str]:
        """Pictures of the site's template; none for a page or two."""
        from sitegrain.render import repeated_images

        return repeated_images(self.site)

    @cached_property
    def links(self) -> SiteLinks:
        """Which links repeat on this site."""
        from sitegrain.article.lists.sitelinks import SiteLinks

        return SiteLinks.of(self.site)

    def text_scores(self, verdict: NodeVerdict) -> TextScores:
        """The scores of a verdict, added up."""
        from sitegrain.article.lists.listlinks import TextScores

        if self._scores is None or self._scores[0] is not verdict:
            self._scores = verdict, TextScores.of(self.site, verdict.node_score)
        return self._scores[1]

    def contents(self, verdict: NodeVerdict) -> tuple[Floats, Floats]:
        """Per row of the site: how many characters of its text are expected to be content, and how many it has."""
        if self._contents is None or self._contents[0] is not verdict:
            nodes = self.site.nodes
            size = ((nodes.text_end - nodes.text_start) * self.site.is_text).astype(np.float64)
            self._contents = verdict, expected_content(verdict.node_score, size), size
        return self._contents[1:]


def site_fields(site: Site) -> SiteFields | None:
    """Where fields sit on a site; None for a page or two."""
    from sitegrain.article.fields import SiteFields

    return SiteFields().fit(site) if site.n_pages >= MIN_FIELD_PAGES else None
