"""Methods by name: node models, page models, the default recipe, and the peers.

What each gives for a page is its text; a page model gives roles instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sitegrain.errors import UsageError
from sitegrain.evaluation.gold import decoded
from sitegrain.evaluation.peers import PEERS, peer
from sitegrain.models.base import NodeVerdict, PageVerdict
from sitegrain.models.registry import NODE_MODELS, PAGE_MODELS
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TEXT

Bool = npt.NDArray[np.bool_]

DEFAULT = "default"
EVERYTHING = "everything"
"""Keeps all text ("Origin" of the papers): what any method must beat."""

_BREAKS = np.zeros(max(TAG_CODE.values()) + 1, np.bool_)
_BREAKS[[TAG_CODE[t] for t in BLOCK_TAGS | {"br"}]] = True


@dataclass(frozen=True)
class Method:
    """One thing to measure."""

    name: str
    kind: Literal["peer", "default", "node", "page"]

    @property
    def reads_sites(self) -> bool:
        """Learns from the other pages of a site."""
        return self.kind in ("default", "node") and self.name != EVERYTHING


def known_methods() -> tuple[str, ...]:
    """Names that `--methods` takes."""
    return (DEFAULT, EVERYTHING, *NODE_MODELS, *PAGE_MODELS)


def find_methods(methods: Iterable[str], peers: Iterable[str]) -> list[Method]:
    """The methods of these names; an unknown name is an error that lists the known ones."""
    found: dict[str, Method] = {}
    for name in methods:
        if name == DEFAULT:
            found[name] = Method(name, "default")
        elif name == EVERYTHING or name in NODE_MODELS:
            found[name] = Method(name, "node")
        elif name in PAGE_MODELS:
            found[name] = Method(name, "page")
        elif name in PEERS:
            raise UsageError(f"{name} is a peer: use --peers {name}")
        else:
            raise UsageError(f"no method called {name!r}; known: {', '.join(known_methods())}")
    for name in peers:
        found[name] = Method(peer(name).name, "peer")
    if not found:
        raise UsageError(f"nothing to measure: give --methods ({', '.join(known_methods())}) or --peers")
    return list(found.values())


# One page


def page_text(method: Method, capture: Capture, model: Path | None = None) -> str:
    """What a method takes for the main text of one page that stands alone."""
    if method.kind == "peer":
        return PEERS[method.name].extract(decoded(capture), capture.url)
    if method.kind == "default":
        return default_text(capture, model)
    site = build_site([capture])
    return kept_text(site, node_verdict(method, site).node_kept, 0)


def default_text(capture: Capture, model: Path | None) -> str:
    """The default recipe on one page."""
    import sitegrain

    extract: Callable[..., Any] | None = getattr(sitegrain, "extract", None)
    if extract is None:
        raise UsageError("this build has no default recipe for single pages (sitegrain.extract)")
    more = {} if model is None else {"model": model}
    return str(extract(capture.body, url=capture.url, **more).text)


# Whole sites


def node_verdict(method: Method, site: Site) -> NodeVerdict:
    """A node model's verdict on a site it learned from."""
    if method.name == EVERYTHING:
        return _everything(site)
    return NODE_MODELS[method.name]().fit_apply(site)


def page_verdict(method: Method, site: Site) -> PageVerdict:
    """A page model's verdict on a site."""
    return PAGE_MODELS[method.name]().rank(site)


@dataclass(frozen=True)
class SiteTexts:
    """What the default recipe gives for a site."""

    texts: Mapping[str, str]
    """By path."""
    roles: Mapping[str, int]
    """By path; see `models.base.ROLES`."""
    toc_scores: Mapping[str, float]


def default_site(captures: Sequence[Capture], model: Path | None) -> SiteTexts:
    """The default recipe on a whole site."""
    import sitegrain

    mine: Callable[..., Any] | None = getattr(sitegrain, "mine", None)
    if mine is None or not callable(mine):
        raise UsageError("this build has no default recipe for sites (sitegrain.mine)")
    more = {} if model is None else {"model": model}
    result = mine(captures, **more)
    paths = result.site.pages.path
    return SiteTexts(
        {path: str(result.page_text(p)) for p, path in enumerate(paths)},
        {path: int(result.pages.page_role[p]) for p, path in enumerate(paths)},
        {path: float(result.pages.page_toc[p]) for p, path in enumerate(paths)},
    )


def _everything(site: Site) -> NodeVerdict:
    from sitegrain.models.base import Blocks

    title = np.zeros(site.n_nodes, np.bool_)
    for head in site.rows("head"):
        title[head : site.nodes.end[head]] = True
    kept = site.is_text & ~title
    block = np.where(site.is_text, site.nodes.page, -1).astype(np.int32)
    top = site.pages.node_offset[:-1].astype(np.int32)
    n = site.n_pages
    blocks = Blocks(top, np.ones(n), np.ones(n, np.bool_), ("the whole page",) * n)
    return NodeVerdict(kept.astype(np.float64), kept, block, blocks)


def kept_text(site: Site, kept: Bool, page: int) -> str:
    """The kept text nodes of a page as text: a line per block, inline runs joined as they stand."""
    rows = site.page_rows(page)
    nodes, text = site.nodes, site.texts[page]
    mine = rows.start + np.flatnonzero(kept[rows] & (nodes.tag[rows] == TEXT))
    if not len(mine):
        return ""
    # A block between two text nodes starts after the first or ends before the second.
    breaks = np.concatenate([[0], np.cumsum(_BREAKS[nodes.tag[rows]])])
    spaces = np.concatenate([[0], np.cumsum((nodes.flags[rows] & SPACE_BEFORE) > 0)])
    out: list[str] = []
    before = -1
    for row in mine.tolist():
        if before >= 0:
            if breaks[row - rows.start] > breaks[before - rows.start] or _leaves_block(site, before, row):
                out.append("\n")
            elif spaces[row + 1 - rows.start] > spaces[before + 1 - rows.start]:
                out.append(" ")
        out.append(" ".join(("x" + text[nodes.text_start[row] : nodes.text_end[row]] + "x").split())[1:-1])
        before = row
    return "\n".join(line.strip() for line in "".join(out).split("\n"))


def _leaves_block(site: Site, row: int, after: int) -> bool:
    up = int(site.nodes.parent[row])
    while up >= 0 and site.nodes.end[up] <= after:
        if _BREAKS[site.nodes.tag[up]]:
            return True
        up = int(site.nodes.parent[up])
    return False
