"""Which methods judge a site: decided in one place, `make_recipe`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitegrain.errors import UsageError
from sitegrain.extractor.model import Extractor, load_extractor
from sitegrain.methods.base import NodeModel, NodeVerdict, PageModel
from sitegrain.methods.registry import NODE_MODELS, PAGE_MODELS
from sitegrain.tables.site import Site

DEFAULT_NODES = "default"
DEFAULT_PAGES = "siteroles"


@dataclass(frozen=True)
class Recipe:
    """The two methods that judge a site."""

    nodes: NodeModel
    pages: PageModel
    is_learned: bool = False
    """The node method was loaded from a file with what it knows of a site: it learns nothing now."""

    def judge(self, site: Site) -> NodeVerdict:
        """The verdict on a site's text: by what the method knows of the site already, or else by what it learns now."""
        if self.is_learned or (isinstance(self.nodes, Extractor) and self.nodes.knowledge_ is not None):
            return self.nodes.apply(site)
        return self.nodes.fit_apply(site)


def make_recipe(methods: Sequence[str] = (), model: str | Path | None = None, n_toc: int | None = None) -> Recipe:
    """The default methods, with those of these names in their place. This is where another default is plugged in.

    `n_toc` is the number of TOC pages, if you know it; otherwise it is found.

    >>> make_recipe(["outlink-count"]).pages
    OutlinkCount(min_characters=200)
    """
    _one_of_each(methods)
    chosen = {"nodes": DEFAULT_NODES, "pages": DEFAULT_PAGES}
    for name in methods:
        if name not in NODE_MODELS and name not in PAGE_MODELS:
            known = ", ".join([*NODE_MODELS, *PAGE_MODELS])
            raise UsageError(f"no method is called {name!r}; there are: {known}")
        chosen["nodes" if name in NODE_MODELS else "pages"] = name
    nodes = NODE_MODELS[chosen["nodes"]]()
    try:
        pages = PAGE_MODELS[chosen["pages"]](**({} if n_toc is None else {"n_toc": n_toc}))
    except TypeError as error:
        raise UsageError(f"{chosen['pages']!r} does not take a number of TOC pages") from error
    if model is None:
        return Recipe(nodes, pages)
    if chosen["nodes"] == DEFAULT_NODES:
        return Recipe(load_extractor(model), pages)
    return Recipe(type(nodes).load(model), pages, is_learned=True)


def _one_of_each(names: Sequence[str]) -> None:
    """`UsageError` for two methods of one kind: only one could judge."""
    for known, what in ((NODE_MODELS, "text"), (PAGE_MODELS, "pages")):
        given = [name for name in names if name in known]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(map(repr, given))} both judge {what}: choose one of them")
