"""Methods by name: node models, page models, the default recipe, and the peers.

What each gives for a page is its text; a page model gives roles instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sitegrain.errors import UsageError
from sitegrain.evaluation.gold import decoded
from sitegrain.evaluation.peers import PEERS, peer
from sitegrain.methods.base import NodeVerdict, PageVerdict
from sitegrain.methods.registry import NODE_MODELS, PAGE_MODELS, node_model, page_model
from sitegrain.render import to_text
from sitegrain.result.extracting import extract
from sitegrain.result.recipe import DEFAULT_PAGES, make_recipe
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site

DEFAULT = "default"
"""What `sitegrain mine` and `sitegrain extract` do when no method is named."""


@dataclass(frozen=True)
class Method:
    """One thing to measure."""

    name: str
    kind: Literal["peer", "default", "node", "page"]

    @property
    def has_role_trees(self) -> bool:
        """True if it judges pages by trained trees."""
        return self.kind == "default" or self.name == DEFAULT_PAGES


def known_methods() -> tuple[str, ...]:
    """Names that `--methods` takes."""
    return tuple(dict.fromkeys((DEFAULT, *NODE_MODELS, *PAGE_MODELS)))


def find_methods(methods: Iterable[str], peers: Iterable[str]) -> list[Method]:
    """The methods of these names; an unknown name is an error that lists the known ones."""
    found: dict[str, Method] = {}
    for name in methods:
        if name == DEFAULT:
            found[name] = Method(name, "default")
        elif name in NODE_MODELS:
            found[name] = Method(name, "node")
        elif name in PAGE_MODELS:
            found[name] = Method(name, "page")
        elif name in PEERS:
            raise UsageError(f"{name} is a peer: use --peers {name}")
        else:
            raise UsageError(f"no method called {name!r}; known: {', '.join(known_methods())}")
    for name in peers:
        if name in known_methods() and name not in PEERS:
            raise UsageError(f"{name} is a method: use --methods {name}")
        found[name] = Method(peer(name).name, "peer")
    if not found:
        raise UsageError(f"nothing to measure: give --methods ({', '.join(known_methods())}) or --peers")
    return list(found.values())


def page_text(method: Method, capture: Capture, model: Path | None = None) -> str:
    """What a method takes for the main text of one page that stands alone."""
    if method.kind == "peer":
        return PEERS[method.name].extract(decoded(capture), capture.url)
    if method.kind == "default":
        return extract(capture.body, url=capture.url, model=model).text
    site = build_site([capture])
    return to_text(site, 0, node_verdict(method, site).node_kept)


def node_verdict(method: Method, site: Site, model: Path | None = None) -> NodeVerdict:
    """A node model's verdict on a site it learned from; the default one's by the trees of this file."""
    if method.kind == "default":
        return make_recipe(model=model).judge(site)
    return node_model(method.name).fit_apply(site)


def page_verdict(method: Method, site: Site, model: Path | None = None) -> PageVerdict:
    """A page model's verdict on a site; with `model`, by this file of page roles."""
    name = DEFAULT_PAGES if method.kind == "default" else method.name
    return (page_model(name) if model is None else page_model(name, model=model)).rank(site)
