"""The distilled site: the TOC and article pages and the informative links between them, and its GraphML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.errors import OutputError
from sitegrain.methods.base import OTHER, ROLES, TOC
from sitegrain.methods.lamis.graph import SiteGraph
from sitegrain.methods.lamis.ranking import informative_blocks
from sitegrain.partition import Partition
from sitegrain.tables.site import Site
from sitegrain.text.terms import Terms


def distilled_links(site: Site, terms: Terms, graph: SiteGraph, cut: Partition, role: npt.NDArray[np.int8]) -> Bools:
    """Edges of the distilled site: links in informative blocks of TOC pages that lead to a TOC or article page."""
    good = informative_blocks(site, terms, cut, np.asarray(role == TOC))
    block = cut.row_block[site.links.node[graph.link]]
    inside = (block >= 0) & good[np.maximum(block, 0)] if len(cut) else np.zeros(len(graph), bool)
    return np.asarray(inside & (role[graph.source] == TOC) & (role[graph.target] != OTHER))


def graphml(site: Site, graph: SiteGraph, role: npt.NDArray[np.int8], keep: Bools | None = None) -> str:
    """Pages and links as GraphML, one edge per pair of pages with the number of links and their least entropy.

    With `keep`, only those edges and the pages that they touch.
    """
    chosen = np.arange(len(graph)) if keep is None else np.flatnonzero(keep)
    edges = PageEdges(graph.source[chosen], graph.target[chosen], graph.entropy[chosen])
    pages = range(site.n_pages) if keep is None else None
    return "".join(graphml_lines(site.pages.url, site.pages.title, role, edges, pages))


class PageEdges(NamedTuple):
    """Links from page to page."""

    source: Ints64
    target: Ints64
    entropy: Floats


def graphml_lines(
    url: Sequence[str],
    title: Sequence[str],
    role: npt.NDArray[np.int8],
    edges: PageEdges,
    pages: Iterable[int] | None = None,
) -> Iterator[str]:
    """The lines of the GraphML of links; `pages` are those that the links touch, if not given."""
    n = max(len(url), 1)
    pair, where = np.unique(edges.source * n + edges.target, return_inverse=True)
    where = where.reshape(-1)
    count = np.bincount(where, minlength=len(pair))
    least = np.ones(len(pair))
    np.minimum.at(least, where, np.nan_to_num(edges.entropy, nan=1.0))
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield '<key id="url" for="node" attr.name="url" attr.type="string"/>\n'
    yield '<key id="title" for="node" attr.name="title" attr.type="string"/>\n'
    yield '<key id="role" for="node" attr.name="role" attr.type="string"/>\n'
    yield '<key id="links" for="edge" attr.name="links" attr.type="int"/>\n'
    yield '<key id="entropy" for="edge" attr.name="entropy" attr.type="double"/>\n'
    yield '<graph edgedefault="directed">\n'
    for page in distinct(np.concatenate((pair // n, pair % n))).tolist() if pages is None else pages:
        data = (("url", url[page]), ("title", title[page]), ("role", ROLES[role[page]]))
        inner = "".join(f'<data key="{k}">{escape(_printable(v), quote=False)}</data>' for k, v in data)
        yield f'<node id="n{page}">{inner}</node>\n'
    for key, links, entropy in zip(pair.tolist(), count.tolist(), least.tolist(), strict=True):
        yield (
            f'<edge source="n{key // n}" target="n{key % n}"><data key="links">{links}</data>'
            f'<data key="entropy">{entropy:.6f}</data></edge>\n'
        )
    yield "</graph></graphml>\n"


def write_graphml(
    path: Path | str, site: Site, graph: SiteGraph, role: npt.NDArray[np.int8], keep: Bools | None = None
) -> None:
    """Write what `graphml` makes, whole or not at all."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(graphml(site, graph, role, keep), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def _printable(text: str) -> str:
    """Without the characters that XML cannot hold."""
    if text.isprintable():  # nearly all
        return text
    return "".join(
        c for c in text if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
    )
