"""Which methods judge a site: decided in one place, `make_recipe`."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegrain.errors import UsageError
from sitegrain.extractor.model import Extractor, load_extractor
from sitegrain.extractor.pagetypes import ContentVerdict, PageTypes
from sitegrain.light import dataclass
from sitegrain.methods.base import Method, NodeMethod, NodeVerdict, PageMethod
from sitegrain.methods.parameters import set_parameters
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method
from sitegrain.roles.conventions import is_thread
from sitegrain.tables.site import Site

DEFAULT_NODES = "default"
DEFAULT_PAGES = "siteroles"

AnyMethod = str | Method[Any]
"""A method, or the name of one."""


@dataclass(frozen=True)
class Recipe:
    """The two methods that judge a site."""

    nodes: NodeMethod
    given_pages: PageMethod | None = None
    """None: the default one."""

    @cached_property
    def pages(self) -> PageMethod:
        """The method that judges pages, made when it is asked for: text alone does not ask."""
        return self.given_pages or PAGE_METHODS[DEFAULT_PAGES]()

    def judge(self, site: Site) -> NodeVerdict:
        """The verdict on a site's text: by what the method knows of the site already, or else by what it learns now."""
        return self.nodes.apply(site) if self.nodes.is_fitted else self.nodes.fit_apply(site)


def page_types(nodes: NodeVerdict, roles: Sequence[str] = (), urls: Sequence[str] = ()) -> Sequence[str]:
    """The types of pages, where the method that judged their text also tells those; else none. With the roles of the
    pages, types that go with them; and an article is a thread where its address is one that programs give threads."""
    types = nodes.page_type if isinstance(nodes, ContentVerdict) else ()
    if not roles or not isinstance(types, PageTypes):
        return types
    both = zip(roles, urls, strict=True) if urls else ()
    return types.within(roles, [k for k, (role, url) in enumerate(both) if role == "article" and is_thread(url)])


def make_recipe(methods: Sequence[AnyMethod] = (), model: str | Path | None = None) -> Recipe:
    """The default methods, with these in their place. This is where another default is plugged in.

    >>> make_recipe(["outlink-count"]).pages
    OutlinkCount(min_characters=200)
    """
    if isinstance(methods, str):
        raise UsageError(f"methods is a list: methods=[{methods!r}]")
    if not methods and model is None:
        return Recipe(NODE_METHODS[DEFAULT_NODES]())
    found: list[Method[Any]] = [make_method(m) if isinstance(m, str) else copy(m) for m in methods]
    _need_one_of_each(methods, found)
    nodes = next((m for m in found if isinstance(m, NodeMethod)), None)
    pages = next((m for m in found if isinstance(m, PageMethod)), None)
    if model is not None:
        if any(isinstance(m, NodeMethod) for m in methods):
            raise UsageError("a model brings its own parameters, so none can be set with it")
        nodes = load_extractor(model) if nodes is None or type(nodes) is Extractor else type(nodes).load(model)
    return Recipe(nodes or NODE_METHODS[DEFAULT_NODES](), pages)


def with_settings(names: Sequence[str], settings: Sequence[str]) -> list[AnyMethod]:
    """The methods of these names, those that a setting is for (perhaps a default one) with it: for `make_recipe`."""
    _need_one_of_each(names, [make_method(name) for name in names])
    if not settings:
        return list(names)
    chosen = {("nodes" if name in NODE_METHODS else "pages"): name for name in (DEFAULT_NODES, DEFAULT_PAGES, *names)}
    plain = {name: make_method(name) for name in chosen.values()}
    changed = set_parameters(plain, settings)
    return [name if method is plain[name] else method for name, method in changed.items()]


def _need_one_of_each(names: Sequence[AnyMethod], methods: Sequence[Method[Any]]) -> None:
    """`UsageError` for two methods of one kind: only one could judge."""
    for kind, what in ((NodeMethod, "text"), (PageMethod, "pages")):
        given = [repr(n) for n, m in zip(names, methods, strict=True) if isinstance(m, kind)]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} both judge {what}: choose one of them")
