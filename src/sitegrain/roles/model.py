"""SiteRoles: the role of every page from links, structure and text together; the default of `mine`.

Hub and authority are evidence here and not the verdict. Trees over the columns of `pagefeatures` give a first
opinion of each page; a second set of trees sees that opinion of the page's template, of pages with addresses
of the same shape, and of the pages that it links to or is linked from. The answer is the mean of both, moved a little
towards that of the page's template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import load_model, loads_model
from sitegrain.learned.typed import need
from sitegrain.methods.base import ARTICLE, OTHER, TOC, PageMethod, PageVerdict
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.tables.site import Site

Floats = npt.NDArray[np.float64]

KIND = "siteroles"
MOSTLY_NOINDEX = 0.9
"""A site that says `noindex` on more pages than this says it of itself and not of single pages."""
DENIED = 0.03
"""What is left of the score of a role that a page says it has not. Of the thirty labelled sites, none of the 1,188 pages
that say `noindex` and none of the 412 that are named like a file and have little prose is an article; none of the 374
that say `noindex, nofollow` is a TOC page."""
OF_TEMPLATE = 0.2
"""Weight of the template in the opinion of a page. Each labelled site left out, 0.1 to 0.3 all serve; 0.5 does not."""
FILE_PROSE = 100
"""Characters of its own below which a page that is named like a file is the page of that file."""


@dataclass(frozen=True)
class RoleTrees:
    """Tree ensembles, three each (other, toc, article): two stages for sites, one for a page alone."""

    names: tuple[str, ...]
    """Columns of `PageFeatures` that the first stage reads."""
    first: tuple[TreeEnsemble, ...]
    second: tuple[TreeEnsemble, ...]
    alone: tuple[TreeEnsemble, ...]
    about: dict[str, Any] = field(default_factory=dict)
    """What the trees learned from: `sites` has the digests of the labelled sites."""

    def check(self) -> None:
        """Each part must tell the three roles apart."""
        need(all(len(part) == 3 for part in (self.first, self.second, self.alone)), "it has not three roles")


@cache
def default_trees() -> RoleTrees:
    """The trees that the package ships."""
    text = resources.files("sitegrain.roles").joinpath("data/roles.json").read_text("utf-8")
    return loads_model(text, KIND, RoleTrees, "the page roles of the package")


def select(features: PageFeatures, names: Sequence[str]) -> npt.NDArray[np.float32]:
    """The named columns, in this order."""
    place = {name: i for i, name in enumerate(features.names)}
    missing = [name for name in names if name not in place]
    if missing:
        raise ModelError(f"the model of page roles needs columns that are not made here: {', '.join(missing[:5])}")
    return features.values[:, [place[name] for name in names]].astype(np.float32)


def probabilities(trees: Sequence[TreeEnsemble], x: npt.NDArray[np.float32]) -> Floats:
    """Softmax of the three sums."""
    raw = np.column_stack([t.predict(x) for t in trees])
    raw -= raw.max(axis=1, keepdims=True)
    grown = np.exp(raw)
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float64)


def obey_page(p: Floats, features: PageFeatures) -> Floats:
    """Take pages that say of themselves what they are not at their word.

    One that asks not to be indexed is what the site itself calls no content: a list or a tool. One that also asks that
    its links be not followed does not lead on either: a tool. One whose title is the name of a file that it shows, with
    hardly any text, is the page of a picture.
    """
    column = features.names.index
    no_article = features.values[:, column("page_noindex")] == 1
    no_toc = features.values[:, column("page_nofollow")] == 1
    if no_article.mean() > MOSTLY_NOINDEX:
        no_article[:] = no_toc[:] = False
    prose = np.nan_to_num(features.values[:, column("site_prose_chars")], nan=np.inf)
    of_file = features.values[:, column("page_file_title")] == 1
    no_article |= of_file & (prose < np.log1p(FILE_PROSE))
    out = p.copy()
    for role, says in ((ARTICLE, no_article), (TOC, no_toc)):
        moved = out[says, role] * (1 - DENIED)
        out[says, role] -= moved
        out[says, OTHER] += moved
    return out


def agree(p: Floats, group: npt.NDArray[np.int32]) -> Floats:
    """Move the opinions of the pages of a group towards one another: pages of one template mostly have one role.

    A weighted geometric mean of the page's opinion and that of its group.
    """
    size = np.bincount(group)
    logs = np.log(np.maximum(p, 1e-6))
    mean = np.stack([np.bincount(group, logs[:, k]) / np.maximum(size, 1) for k in range(3)], axis=1)
    raw = np.exp((1 - OF_TEMPLATE) * logs + OF_TEMPLATE * mean[group])
    return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float64)


def around(p: Floats, features: PageFeatures) -> npt.NDArray[np.float32]:
    """The first opinion of the page, of its groups without itself, and of its neighbours; NaN where there are none."""
    columns: list[Floats] = [p]
    for group in (features.template, features.address):
        size = np.bincount(group)
        total = np.stack([np.bincount(group, p[:, k], minlength=len(size)) for k in range(3)], axis=1)
        others = size[group] - 1
        mean = (total[group] - p) / np.maximum(others, 1)[:, None]
        mean[others == 0] = np.nan
        columns += [mean, np.log1p(size[group])[:, None].astype(np.float64)]
    for links in (features.own_links, sparse.csr_array(features.own_links.T)):
        degree = np.asarray(links.sum(axis=1)).reshape(-1)
        mean = np.asarray(links @ p) / np.maximum(degree, 1)[:, None]
        mean[degree == 0] = np.nan
        columns += [mean, np.log1p(np.asarray(links @ p[:, 1:]))]
    return np.hstack(columns).astype(np.float32)


def largest_part(links: sparse.csr_array) -> int:
    """Pages of the largest part of a site that links hold together."""
    _, part = csgraph.connected_components(links, directed=False)
    return int(np.bincount(part).max())


@dataclass
class SiteRoles(PageMethod):
    """The role of each page: toc, article or other, with probabilities.

    Parameters
    ----------
    n_toc: how many pages are TOC pages; by default every page for which that is the likeliest role.
    model: a model file made by `python -m sitegrain.training roles`; by default the one in the package.

    The home page, where there is one, is ranked first: to lead on is what a home page is for. A page that
    says `noindex` is no article. A page alone is judged by trees that have only seen pages without their site.
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
        p = self._probabilities(features)
        is_home = features.values[:, features.names.index("site_home")] == 1
        toc = np.minimum(p[:, TOC], 0.999)
        toc[is_home] = 1.0
        role = p.argmax(axis=1).astype(np.int8)
        role[is_home] = TOC
        if self.n_toc is not None:
            chosen = np.argsort(-toc, kind="stable")[: self.n_toc]
            role = np.where(p[:, ARTICLE] >= p[:, OTHER], ARTICLE, OTHER).astype(np.int8)
            role[chosen] = TOC
        notes = []
        confidence = (p.max(axis=1) - 1 / 3) * 1.5
        confidence[is_home] = np.maximum(confidence[is_home], 0.9)
        if n == 1:
            notes.append("one page only: its role is judged without the site")
            confidence = confidence / 2
        elif features.own_links.nnz == 0:
            notes.append("no links between the pages but menus: roles are judged without them")
            confidence = confidence / 2
        elif largest_part(features.own_links) < n / 2:
            notes.append("the pages fall into parts without links between them but menus: roles are less sure")
            confidence = confidence / 2
        column = features.names.index
        return PageVerdict(
            page_toc=toc,
            page_article=p[:, ARTICLE],
            page_role=role,
            page_confidence=np.clip(confidence, 0.0, 1.0),
            evidence={
                "hub": np.nan_to_num(features.values[:, column("site_lamis_ln_tw_hub")]),
                "authority": np.nan_to_num(features.values[:, column("site_lamis_ln_tw_authority")]),
                "home": is_home.astype(np.float64),
            },
            notes=tuple(notes),
        )

    def _probabilities(self, features: PageFeatures) -> Floats:
        trees = self.trees
        if trees is None:
            trees = default_trees() if self.model is None else load_model(self.model, KIND, RoleTrees)
        x = select(features, trees.names)
        if len(x) == 1:
            return probabilities(trees.alone, x)
        first = obey_page(probabilities(trees.first, x), features)
        second = probabilities(trees.second, np.hstack((x, around(first, features))))
        return agree((first + obey_page(second, features)) / 2, features.template)
