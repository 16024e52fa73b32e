"""SiteRoles: the role of every page from links, structure and text together; the default of `mine`.

Hub and authority are evidence here and not the verdict. Trees over the columns of `pagefeatures` give a first
opinion of each page; a second set of trees sees that opinion of the page's template, of pages with addresses
of the same shape, and of the pages that it links to or is linked from. The answer is the mean of both, moved
towards that of the pages that are built and addressed alike, and a little towards that of its template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import median
from sitegrain.arrays.reach import joined_parts
from sitegrain.arrays.types import Floats, Floats32
from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import load_model, loads_model
from sitegrain.learned.typed import need
from sitegrain.light import dataclass
from sitegrain.methods.base import ARTICLE, OTHER, ROLES, TOC, PageMethod, PageVerdict
from sitegrain.roles.among import among
from sitegrain.roles.conventions import UNSAID, said_roles
from sitegrain.roles.links.graph import indexes
from sitegrain.roles.links.ways import OF_DEAD_END, dead_ends, entrances, only_ways
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.roles.parts import let_go, rank
from sitegrain.roles.reasons import Typical, role_reasons
from sitegrain.roles.views import viewed
from sitegrain.roles.words import SaidWords, WordOdds, word_columns
from sitegrain.tables.site import Site

KIND = "siteroles"
MOSTLY_NOINDEX = 0.9
"""A site that says `noindex` on more pages than this says it of itself and not of single pages."""
DENIED = 0.03
"""What is left of the score of a role that a page says it has not: all 342 labelled pages that say `noindex, nofollow`, on
three sites, are neither articles nor TOC pages, nor are 215 of 218 on eight that are named like a file and have little prose."""
FILE_PROSE = 100
"""Characters of prose of its own below which a page that is named like a file is the page of that file."""
FILE_LEADS = 5
"""Pages that the page of a file leads on to at most: those 218 lead to 4 at most. A list of products may have the name and the
picture of what they are."""
OF_TEMPLATE = 0.2
"""Weight of the template in the opinion of a page. Each labelled site left out, 0.1 to 0.3 all serve; 0.5 does not."""
OF_ALIKE = 0.7
"""Weight of the pages that have both its template and an address of the same shape. Each site left out, 0.6 to 0.9 all serve:
right roles 0.935 to 0.939, without them 0.931; 0.4 does nothing, and addresses alone do harm."""
LIST_LEADS, LIST_SHARE = 5, 0.5
"""Pages that a list leads on to at least, and the share of such links in its text. On sites made by hand a list has the template and the
kind of address of the articles beside it; judged with them, a list of 100 players was an article. On two deals of the sites 3 to 20 pages and
shares of 0.3 to 0.7 all serve: R-precision 0.959 to 0.961 (0.957 without), TOC F1 0.946 (0.944); on all pages 0.962 to 0.965 (0.950), 0.930 to
0.933 (0.925)."""
HEAD_COVER, HEAD_MORE = 0.5, 3.0
"""Share of the pages of its folder that the head of a folder leads to, and how many times as many as pages there usually lead to. Of the pages of
labelled sites that lead on to `LIST_LEADS` pages and are so, 15 are TOC pages and 3 are not, on 12 sites; 0.4 and 4 pages give 16 and 4."""
OF_HEAD = 2.0
"""Log odds by which that speaks for a TOC page: a little more than 15 to 3."""
INDEX_LEADS, INDEX_COVER, OF_INDEX = 5, 0.5, 3.0
"""Pages that the index of a folder leads on to, their share of the folder, and log odds by which that speaks for a TOC page, if it is mostly such
links. Where every page has all of a manual in its menu, a list of some of it looks like nothing of its own. Of labelled pages that are so 36 are TOC
pages and none is anything else, four of which trees that had not seen them took for neither; 3 pages and 0.3 to 0.7 give 35 to 40, and none."""
ONLY_WAYS, OF_ONLY_WAY = 2, 1.0
"""Pages that a page is the only way to, and log odds by which that speaks for a TOC page. Of labelled pages that are so 514 are TOC pages and 114
are not. Beside what the trees say (other sites left out, two deals), one page is worth 0.3 to 0.5, two 1.3 to 1.5, three 1.1 to 1.5 and more
of them no more; a single one is no list, and with it more articles are called TOC pages. 1 to 1.2 for two or three pages and more all serve.
By the 61 sites that are no old tables alone it is 0.6 to 0.9: with 0.7 old tables gain less (docs/roles.md)."""
OF_ENTRANCE = 2.0
"""Log odds by which being a way into the site speaks for a TOC page (`entrances`): far less than 26 to 0, as they are of nine sites."""
CLEAR, PLAUSIBLE = 0.7, -2.2
"""The share of the variance of the log odds that two groups must explain, and the mean log odds of the upper one (1 to 9) from
which it may be TOC pages. Each site left out, 0.6 to 0.75 and -3 to -1.8 all serve; without the upper one's bound, articles
alone are parted."""
MAX_MOVE = 4.0
"""Log odds by which the cut may move at most."""
MIN_PARTED = 8
"""Pages from which two groups can be told."""
OF_CONVENTION = 5.0
"""Log odds by which the address or title of a page speaks for a role where software writes it (`conventions`). By their addresses
5,941 of 5,955 labelled pages on 20 sites have that role, odds of 420 to 1 (a logarithm of 6), and all 41 of other domains. 2 to 5 all serve."""
MANY_VIEWS = 0.2
"""Share of the pages that are views of others from which on they are left out when the others are judged."""
FAINT = 1e-4
"""Opinions below this are taken as this: trees do not tell them apart."""
OF_TEMPLATES = ("site_prose_chars", "site_own_links", "site_holds", "site_title_links", "site_stretches", "site_held")
"""Columns whose mean over the page's template the second stage sees."""


PAGES_AT_ONCE = 4096
"""Pages that the trees are shown together."""


@dataclass(frozen=True)
class RoleTrees:
    """Tree ensembles, three each (other, toc, article): two stages for sites, one for a page alone."""

    names: tuple[str, ...]
    """Columns of `PageFeatures` that the first stage reads; those of `words` follow them."""
    first: tuple[TreeEnsemble, ...]
    second: tuple[TreeEnsemble, ...]
    alone: tuple[TreeEnsemble, ...]
    scale: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """For `site` and `alone`: a factor and one addend per role that make probabilities of the sums of the trees' logs."""
    words: dict[str, list[float]] = field(default_factory=dict)
    """What words of addresses and titles say of each role."""
    typical: Typical = field(default_factory=dict)
    """What columns are like on pages of each role, to tell reasons by."""
    about: dict[str, Any] = field(default_factory=dict)
    """What the trees learned from: `sites` has the digests of the labelled sites."""

    def check(self) -> None:
        """Each part must tell the three roles apart."""
        parts = (self.first, self.second, self.alone, *self.typical.values(), *self.words.values())
        need(all(len(part) == 3 for part in parts), "it has not three roles")
        need(all(len(values) == 4 for values in self.scale.values()), "its scale has not four numbers")


@cache
def default_trees() -> RoleTrees:
    """The trees that the package ships."""
    text = (Path(__file__).parent / "data/roles.json").read_text("utf-8")
    return loads_model(text, KIND, RoleTrees, "the page roles of the package")


def select(features: PageFeatures, names: Sequence[str]) -> npt.NDArray[np.float32]:
    """The named columns, in this order."""
    place = {name: i for i, name in enumerate(features.names)}
    missing = [name for name in names if name not in place]
    if missing:
        raise ModelError(f"the model of page roles needs columns that are not made here: {', '.join(missing[:5])}")
    out = np.empty((len(features.values), len(names)), np.float32)
    for k, name in enumerate(names):
        out[:, k] = features.values[:, place[name]]
    return out


def seen(features: PageFeatures, names: Sequence[str], words: WordOdds) -> npt.NDArray[np.float32]:
    """What the first stage sees of each page: the named columns, and what its words say."""
    return np.hstack((select(features, names), word_columns(words, features.url, features.bare_title)))


class _Seen:
    """The same of some pages at a time: of all pages it would be as much again as all features."""

    def __init__(self, features: PageFeatures, trees: RoleTrees, said: SaidWords) -> None:
        self.features, self.names = features, trees.names
        self.words = said.columns()

    def judged(self, trees: Sequence[TreeEnsemble], *more: npt.NDArray[np.float32]) -> Floats:
        """What trees say of all pages, by what is seen of them and by more columns."""
        out = [np.zeros((0, len(ROLES)))]
        for first in range(0, len(self.words), PAGES_AT_ONCE):
            rows = slice(first, first + PAGES_AT_ONCE)
            some = replace(self.features, values=self.features.values[rows])
            out.append(
                probabilities(trees, np.hstack((select(some, self.names), self.words[rows], *(m[rows] for m in more))))
            )
        return np.concatenate(out)


def probabilities(trees: Sequence[TreeEnsemble], x: npt.NDArray[np.float32]) -> Floats:
    """Softmax of the three sums."""
    raw = np.column_stack([t.predict(x) for t in trees])
    raw -= raw.max(axis=1, keepdims=True)
    grown = np.exp(raw)
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float64)


def calibrated(p: Floats, scale: Sequence[float] | None) -> Floats:
    """Opinions as probabilities: their logarithms times a factor, plus an addend per role, made to sum to 1."""
    if scale is None:
        return p
    raw = np.log(np.maximum(p, 1e-6)) * scale[0] + np.array(scale[1:])
    raw = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float64)


def obey_page(p: Floats, features: PageFeatures) -> Floats:
    """Take pages at their word that say what they are not.

    One that asks robots neither to index it nor to follow its links is a tool: no article and no TOC page. One whose title
    is the name of a file that it shows, with hardly any prose, is the page of a picture, and neither too; if only its address
    is that name, the trees have learned that it is no article. What `noindex` alone says is left to the trees. The home page
    leads on, whatever stands on it.
    """
    column = features.names.index
    is_tool = features.values[:, column("page_nofollow")] == 1
    if is_tool.mean() > MOSTLY_NOINDEX:
        is_tool[:] = False
    prose = np.nan_to_num(features.values[:, column("site_prose_chars")], nan=np.inf)
    is_short = prose < np.float32(np.log1p(FILE_PROSE))
    like_file = is_short & (features.values[:, column("page_file_title")] == 1)
    leads = features.values[:, column("site_lead_on")] >= np.float32(np.log1p(FILE_LEADS + 1))
    of_file = is_short & ~leads & (features.values[:, column("page_of_file")] == 1)
    out = p.copy()
    for role, says in ((ARTICLE, is_tool | like_file), (TOC, is_tool | of_file)):
        moved = out[says, role] * (1 - DENIED)
        out[says, role] -= moved
        out[says, OTHER] += moved
    return obey_home(out, features)


def obey_home(p: Floats, features: PageFeatures) -> Floats:
    """Home pages are TOC pages, however few links or much prose they have; so is what a home page shows in its frames, but for a banner that
    has no links. One labelled site has frames, and both of its are; that no more is known of them is why the trees do not see it."""
    is_home, is_frame, links = (
        features.values[:, features.names.index(name)] for name in ("site_sure_home", "site_home_frame", "page_links")
    )
    is_home = (is_home == 1) | ((is_frame == 1) & (links > 0))
    out = p.copy()
    out[is_home] *= DENIED
    out[is_home, TOC] += 1 - DENIED
    return out


def heed_conventions(p: Floats, said: npt.NDArray[np.integer]) -> Floats:
    """Probabilities that also heed what software says of its pages (`said_roles`).

    It comes last: a page of another kind may have the template of such pages, and what is known of these is not known of it.
    """
    out = p.copy()
    known = np.flatnonzero(said != UNSAID)
    out[known, said[known]] *= np.exp(OF_CONVENTION)
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float64)


def heed_heads(p: Floats, features: PageFeatures) -> Floats:
    """Probabilities that also heed which pages are heads of their folders. The trees see it and have learned from few sites that have such."""
    out = p.copy()
    out[heads(features), TOC] *= np.exp(OF_HEAD)
    is_index = lists(features) & indexes(features.url, features.leads, INDEX_LEADS, INDEX_COVER)
    out[is_index, TOC] *= np.exp(OF_INDEX)
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float64)


def heed_ways(p: Floats, features: PageFeatures) -> Floats:
    """Probabilities that also heed which pages are the only way to others, which the site is entered by, and which texts lead nowhere."""
    out = p.copy()
    is_way = only_ways(features.own_links) >= ONLY_WAYS
    is_entrance = entrances(features.url, features.own_links, features.leads)
    out[:, TOC] *= np.exp(OF_ONLY_WAY * is_way + OF_ENTRANCE * is_entrance)
    out[dead_ends(features.names, features.values), ARTICLE] *= np.exp(OF_DEAD_END)
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float64)


def lists(features: PageFeatures) -> npt.NDArray[np.bool_]:
    """Pages that are mostly links which lead on, or heads of their folders: whatever template they have, they are no page like those that
    they list."""
    is_dense = features.values[:, features.names.index("site_placed_density")] >= LIST_SHARE
    return np.asarray((_lead_on(features) & is_dense) | heads(features), bool)


def heads(features: PageFeatures) -> npt.NDArray[np.bool_]:
    """Pages that lead to most pages of their folder, as others there do not: `engine/engine.htm`, whatever it says beside its links."""
    cover, more = (features.values[:, features.names.index(f"site_beside_{name}")] for name in ("cover", "more"))
    is_head = (np.nan_to_num(cover) >= HEAD_COVER) & (more >= np.float32(np.log(HEAD_MORE)))
    return np.asarray(_lead_on(features) & is_head, bool)


def _lead_on(features: PageFeatures) -> npt.NDArray[np.bool_]:
    return np.asarray(
        features.values[:, features.names.index("site_lead_on")] >= np.float32(np.log1p(LIST_LEADS)), bool
    )


def agree_alike(p: Floats, features: PageFeatures) -> Floats:
    """Opinions moved towards those of pages that are built and addressed alike, and a little towards those of the template.

    Lists and other pages each agree among themselves, but that a template has many lists counts for its other pages, too: tags with
    one post, beside tags with many.
    """
    is_list = lists(features)
    template = features.template.astype(np.int64) * 2
    _, alike = np.unique((template + is_list) * len(p) + features.address, return_inverse=True)
    near = agree(p, alike.reshape(-1), OF_ALIKE)
    return np.where(is_list[:, None], agree(near, template + is_list), agree(near, features.template))


def agree(p: Floats, group: npt.NDArray[np.integer], weight: float = OF_TEMPLATE) -> Floats:
    """Move the opinions of the pages of a group towards one another: pages of one template mostly have one role.

    A weighted geometric mean of the page's opinion and that of its group.
    """
    size = np.bincount(group)
    logs = np.log(np.maximum(p, 1e-6))
    mean = np.stack([np.bincount(group, logs[:, k]) / np.maximum(size, 1) for k in range(3)], axis=1)
    raw = np.exp((1 - weight) * logs + weight * mean[group])
    return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float64)


def around(p: Floats, features: PageFeatures) -> npt.NDArray[np.float32]:
    """The first opinion of the page, of its groups without itself, of its neighbours and of the rest of the site.

    NaN where there are none. The opinion of the rest is how the second stage learns what mix of roles the site has: on a
    site unlike those that were learned from, all opinions may lean one way, and then where they part says more than 1/2.
    """
    columns: list[Floats32] = []

    def add(*found: Floats) -> None:  # as the trees see it: of many pages the rest is much
        columns.extend(values.astype(np.float32) for values in found)

    add(p)
    for group in (features.template, features.address, features.title):
        size = np.bincount(group)
        total = np.stack([np.bincount(group, p[:, k], minlength=len(size)) for k in range(3)], axis=1)
        others = size[group] - 1
        mean = (total[group] - p) / np.maximum(others, 1)[:, None]
        mean[others == 0] = np.nan
        add(mean, np.log1p(size[group])[:, None])
    graphs = (features.own_links, features.leads)
    for links in (found for graph in graphs for found in (graph, sparse.csr_array(graph.T))):
        degree = np.asarray(links.sum(axis=1)).reshape(-1)
        mean = np.asarray(links @ p) / np.maximum(degree, 1)[:, None]
        mean[degree == 0] = np.nan
        add(mean, np.log1p(np.asarray(links @ p[:, 1:])))
    add((p.sum(axis=0) - p) / max(len(p) - 1, 1))
    for one, other in ((TOC, ARTICLE), (TOC, OTHER), (ARTICLE, OTHER)):
        odds = np.log(np.maximum(p[:, one], FAINT)) - np.log(np.maximum(p[:, other], FAINT))
        part = parting(odds)
        told = [odds - median(odds), odds - part.at, np.full(len(p), part.clearness), np.full(len(p), part.share)]
        add(rank(odds)[:, None], np.column_stack(told))
    place = [features.names.index(name) for name in OF_TEMPLATES]
    size = np.bincount(features.template)
    for values in np.nan_to_num(features.values[:, place]).T:
        add((np.bincount(features.template, values) / np.maximum(size, 1))[features.template][:, None])
    return np.hstack(columns)


@dataclass(frozen=True)
class Parting:
    """Where values fall into two groups."""

    at: float
    clearness: float
    """Share of the variance that lies between the groups."""
    share: float
    """Share of the values that are in the upper group."""


def parting(values: Floats) -> Parting:
    """The cut that leaves least variance within two groups (Otsu 1979).

    >>> found = parting(np.array([0.0, 0.0, 5.0, 5.0]))
    >>> found.at, round(found.clearness, 6), found.share
    (2.5, 1.0, 0.5)
    """
    n = len(values)
    if n < 2:
        return Parting(0.0, 0.0, 0.0)
    ordered = np.sort(values)
    total = np.cumsum(ordered)
    below = np.arange(1, n)
    low, high = total[:-1] / below, (total[-1] - total[:-1]) / (n - below)
    between = below * (n - below) / n**2 * (low - high) ** 2
    cut = int(between.argmax())
    spread = max(float(ordered.var()), 1e-9)
    return Parting(float((ordered[cut] + ordered[cut + 1]) / 2), float(between[cut] / spread), 1 - (cut + 1) / n)


def cut_where_it_parts(p: Floats) -> Floats:
    """Move the cut between TOC pages and articles to where the opinions on this site part.

    On a site unlike those that were learned from (blogs that print whole posts in their archives), all TOC pages may look
    much like articles and still less so than the articles do: two clear groups, both on one side of 1/2.
    """
    if len(p) < MIN_PARTED:
        return p
    odds = np.log(np.maximum(p[:, TOC], FAINT)) - np.log(np.maximum(p[:, ARTICLE], FAINT))
    part = parting(odds)
    if part.clearness < CLEAR or odds[odds > part.at].mean() < PLAUSIBLE:
        return p
    out = p.copy()
    at = np.clip(part.at, -MAX_MOVE, MAX_MOVE)
    out[:, TOC] *= np.exp(-at / 2)
    out[:, ARTICLE] *= np.exp(at / 2)
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float64)


def largest_part(links: sparse.csr_array) -> int:
    """Pages of the largest part of a site that links hold together."""
    return int(np.bincount(joined_parts(links)).max())


@dataclass
class SiteRoles(PageMethod):
    """The role of each page: toc, article or other, with probabilities.

    Parameters
    ----------
    n_toc: how many pages are TOC pages; by default every page for which that is the likeliest role.
    model: a model file made by `python -m sitegrain.training roles`; by default the one in the package.

    The confidence of a page is the probability of its role. A page alone is judged by trees that have only seen pages without their site.
    """

    name: ClassVar[str] = "siteroles"

    n_toc: int | None = None
    model: Path | str | None = None
    trees: RoleTrees | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_toc is not None and self.n_toc < 0:
            raise UsageError(f"n_toc={self.n_toc}: the number of TOC pages cannot be negative")

    def apply(self, site: Site) -> PageVerdict:
        """Judge every page."""
        return self.rank_features(page_features(site))

    def rank_features(self, features: PageFeatures) -> PageVerdict:
        """The verdict from the features of a site."""
        n = len(features.values)
        if n == 0:
            none = np.zeros(0)
            return PageVerdict(none, none, np.zeros(0, np.int8), none, {"home": none})
        trees = self._trees()
        said = SaidWords.of(trees.words, features.url, features.bare_title)
        is_form, links = (features.values[:, features.names.index(name)] for name in ("page_form", "page_links"))
        conventions = said_roles(features.url, features.bare_title, is_form == 1, links > 0)
        p = heed_ways(heed_heads(site_probabilities(trees, features, said), features), features)
        p = heed_conventions(p, conventions)
        toc = p[:, TOC]
        role = p.argmax(axis=1).astype(np.int8)
        if self.n_toc is not None:
            chosen = np.argsort(-toc, kind="stable")[: self.n_toc]
            role = np.where(p[:, ARTICLE] >= p[:, OTHER], ARTICLE, OTHER).astype(np.int8)
            role[chosen] = TOC
        notes = []
        if n == 1:
            notes.append("only one page: its role is judged without the site")
        elif features.own_links.nnz == 0:
            notes.append("no links between the pages but menus: roles are judged without them")
        elif largest_part(features.own_links) < n / 2:
            notes.append("the pages fall into parts without links between them but menus: roles are less sure")
        column = features.names.index
        return PageVerdict(
            page_toc=toc,
            page_article=p[:, ARTICLE],
            page_role=role,
            page_confidence=p[np.arange(n), role],
            evidence={
                "hub": _told(features.values[:, column("site_lamis_ln_tw_hub")]),
                "authority": _told(features.values[:, column("site_lamis_ln_tw_authority")]),
                "home": _told(features.values[:, column("site_home")]) * (role == TOC),
                "role_reason": role_reasons(features, role, trees.typical, said, conventions),
            },
            notes=tuple(notes),
        )

    def _trees(self) -> RoleTrees:
        if self.trees is not None:
            return self.trees
        return default_trees() if self.model is None else load_model(self.model, KIND, RoleTrees)


def _told(values: npt.NDArray[np.float32]) -> Floats:
    """A column for people, to seven digits: more of them are not kept."""
    return np.asarray(np.round(np.nan_to_num(values).astype(np.float64), 7), np.float64)


def site_opinions(trees: RoleTrees, features: PageFeatures, said: SaidWords | None = None) -> Floats:
    """What the trees say of the pages of a site, before it is made into probabilities.

    Where many pages are views of others, these are judged as if they were the site: three lists of revisions and links beside each page make
    all pages look like lists.
    """
    out = _opinions(trees, features, said)
    is_page = viewed(features.url) == np.arange(len(out))
    if len(out) * MANY_VIEWS <= (~is_page).sum() and is_page.sum() > 1:
        out[is_page] = _opinions(trees, among(features, is_page))
    return out


def _opinions(trees: RoleTrees, features: PageFeatures, said: SaidWords | None = None) -> Floats:
    said = SaidWords.of(trees.words, features.url, features.bare_title) if said is None else said
    x, n = _Seen(features, trees, said), len(features.values)
    if n == 1:
        return x.judged(trees.alone)
    first = obey_page(x.judged(trees.first), features)
    let_go(n)
    second = x.judged(trees.second, around(first, features))
    let_go(n)
    both = (first + obey_page(second, features)) / 2
    return obey_page(cut_where_it_parts(agree_alike(both, features)), features)


def site_probabilities(trees: RoleTrees, features: PageFeatures, said: SaidWords | None = None) -> Floats:
    """The probability of each role of each page, by what the trees say."""
    scale = trees.scale.get("alone" if len(features.values) == 1 else "site")
    return calibrated(site_opinions(trees, features, said), scale)
