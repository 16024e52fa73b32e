"""The result of one part of a site, by what was merged of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.strings import Strings
from sitegrain.arrays.types import Bools, Floats, Ints32, Ints64
from sitegrain.article.article import Article
from sitegrain.article.context import SiteContext
from sitegrain.article.fields import SiteFields
from sitegrain.article.lists.sitelinks import SiteLinks
from sitegrain.extractor.model import Extractor
from sitegrain.light import dataclass
from sitegrain.methods.base import OTHER, ROLES, TOC, NodeVerdict, PageVerdict
from sitegrain.methods.lamis.graph import page_facts
from sitegrain.partition import Partition, blocks_of
from sitegrain.result.arrow import column
from sitegrain.result.recipe import page_types
from sitegrain.result.result import Result, link_table
from sitegrain.roles.counts import PageCards
from sitegrain.tables.site import Site


def linked_blocks(site: Site, cut: Partition) -> Bools:
    """Per block: it has a link."""
    out = np.zeros(len(cut), bool)
    block = cut.row_block[site.links.node]
    out[block[block >= 0]] = True
    return out


class KnownBefore(Protocol):
    """What is known of a site before the roles of its pages are."""

    @property
    def extractor(self) -> Extractor: ...
    @property
    def fields(self) -> SiteFields | None: ...
    @property
    def images(self) -> frozenset[str]: ...
    @property
    def places(self) -> Counts: ...
    @property
    def cards(self) -> PageCards: ...


class BegunArticle(Article):
    """A page whose role comes later."""

    def begin(self) -> None:
        """Make what does not depend on the role: most of the work."""
        _ = self.sources, self.markdown, self.html
        self.fields.release()
        self.__dict__.pop("_rendered", None)

    def with_role(self, role: str, types: Sequence[str]) -> Self:
        """The same, now that the role is known, and the types of all pages."""
        self._role, self._types = role, types
        # What depends on the role: an author or a day may be that of something on the page.
        for name in ("page_type", "_author", "_date", "sources"):
            self.__dict__.pop(name, None)
        return self


@dataclass(frozen=True, eq=False)
class BegunPart:
    """What of a part does not depend on the roles of its pages; texts and fields are made page by page."""

    nodes: NodeVerdict
    target: Ints32
    """Per link: the page of the whole site that it leads to, or -1."""
    context: SiteContext
    articles: list[BegunArticle]

    @classmethod
    def of(cls, site: Site, known: KnownBefore) -> BegunPart:
        """Begin with a part."""
        nodes, target = known.extractor.apply(site), known.cards.targets(site)
        links = SiteLinks.by(site, known.places, target, known.cards.title)
        context = SiteContext(site, known.fields, known.images, links)
        return cls(
            nodes, target, context, [BegunArticle(site, page, nodes, "", context) for page in range(site.n_pages)]
        )

    def article(self, page: int, role: str, types: Sequence[str]) -> Article:
        """A page, once its role is known. What failed is tried again, so that its reasons stand in the order that they always do."""
        if self.articles[page].faults:
            return Article(self.context.site, page, self.nodes, role, self.context, types)
        return self.articles[page].with_role(role, types)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What was merged for the last pass: all that the rows of a part need."""

    extractor: Extractor
    roles: PageVerdict
    template: Ints32
    fields: SiteFields | None
    images: frozenset[str]
    places: Counts
    cards: PageCards
    in_degree: Ints64
    """Per page: pages that link to it."""
    out_degree: Ints64
    list_page: Ints64
    """Per block with links of a TOC page: its page."""
    list_good: Bools
    """And whether it is informative."""
    texts: Mapping[str, Strings] = field(default_factory=dict)
    """Columns of the evidence of `roles` that are texts: packed, since they go to every worker."""


def part_result(site: Site, first: int, known: Verdict, entropy: Floats, begun: BegunPart | None = None) -> PartResult:
    """The result of a part that begins at page `first` of its site; `begun` is what was made of it before."""
    own = slice(first, first + site.n_pages)
    begun = begun or BegunPart.of(site, known)
    nodes = begun.nodes
    role = known.roles.page_role[own]
    types = page_types(nodes, [ROLES[r] for r in role.tolist()], site.pages.url)
    roles = PageVerdict(
        known.roles.page_toc[own],
        known.roles.page_article[own],
        role,
        known.roles.page_confidence[own],
        {name: column[own] for name, column in known.roles.evidence.items()}
        | {name: _texts(column, first, site.n_pages) for name, column in known.texts.items()},
        page_type=types,
    )
    return PartResult(site, nodes, roles, first=first, known=known, entropy=entropy, begun=begun)


def _texts(column: Strings, first: int, n: int) -> npt.NDArray[np.object_]:
    return np.array([column[page] for page in range(first, first + n)], object)


@dataclass(frozen=True, repr=False)
class PartResult(Result):
    """What was found in a part of a site; pages have the numbers that they have in the whole."""

    first: int = 0
    known: Verdict | None = None
    entropy: Floats = field(default_factory=lambda: np.zeros(0))
    begun: BegunPart | None = None

    @property
    def _all(self) -> Verdict:
        assert self.known is not None
        return self.known

    @property
    def _begun(self) -> BegunPart:
        assert self.begun is not None
        return self.begun

    @cached_property
    def _found(self) -> list[Article]:
        roles, types = self.roles.page_role.tolist(), self.roles.page_type
        return [self._begun.article(page, ROLES[role], types) for page, role in enumerate(roles)]

    @cached_property
    def templates(self) -> Ints32:
        return self._all.template[self.first : self.first + len(self)]

    @cached_property
    def _page_facts(self) -> Mapping[str, Ints64]:
        known, own = self._all, slice(self.first, self.first + len(self))
        whole = {"in_degree": known.in_degree[own], "out_degree": known.out_degree[own]}
        return {**page_facts(self.site), **whole}

    @property
    def target(self) -> Ints32:
        """Per link: the page of the whole site that it leads to, or -1."""
        return self._begun.target

    @cached_property
    def is_distilled(self) -> Bools:
        """Per link: it is part of the distilled site."""
        known, site = self._all, self.site
        cut = blocks_of(site, "list")
        is_toc = self.roles.page_role == TOC
        good = np.zeros(len(cut) + 1, bool)  # the last is for "no block"
        own = slice(*np.searchsorted(known.list_page, [self.first, self.first + len(self)]).tolist())
        good[np.flatnonzero(linked_blocks(site, cut) & is_toc[cut.block_page])] = known.list_good[own]
        leads = (self.target >= 0) & ~site.links.is_self
        to = known.roles.page_role[np.maximum(self.target, 0)] != OTHER
        return np.asarray(leads & to & is_toc[site.links.page] & good[cut.row_block[site.links.node]])

    @cached_property
    def pages(self) -> pa.Table:
        return self._numbered(super().pages)

    @cached_property
    def blocks(self) -> pa.Table:
        return self._numbered(super().blocks)

    @cached_property
    def links(self) -> pa.Table:
        return link_table(self.site, self.target, self.entropy, self.is_distilled, self.first)

    def _numbered(self, table: pa.Table) -> pa.Table:
        page = table["page"].to_numpy() + np.int32(self.first)
        return table.set_column(table.column_names.index("page"), "page", column(page))
