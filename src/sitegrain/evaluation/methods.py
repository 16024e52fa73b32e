"""Methods by name: node methods, page methods, the default recipe, and the peers.

What each gives for a page is its text; a page method gives roles instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sitegrain.errors import UsageError
from sitegrain.evaluation.gold import decoded
from sitegrain.evaluation.peers import PEERS, peer
from sitegrain.methods.base import Method, NodeVerdict, PageVerdict
from sitegrain.methods.parameters import set_parameters
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method
from sitegrain.render import to_text
from sitegrain.result.extracting import extract
from sitegrain.result.recipe import DEFAULT_NODES, DEFAULT_PAGES
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

DEFAULT = "default"
"""What `sitegrain mine` and `sitegrain extract` do when no method is named."""


@dataclass(frozen=True)
class Candidate:
    """One thing to measure."""

    name: str
    kind: Literal["peer", "default", "node", "page"]
    nodes: Method[NodeVerdict] | None = field(default=None, hash=False)
    """What judges text, with its parameters; it learns nothing here, but copies of it do."""
    pages: Method[PageVerdict] | None = field(default=None, hash=False)
    """What judges pages."""

    @property
    def has_role_trees(self) -> bool:
        """True if it judges pages by trained trees."""
        return self.kind == "default" or self.name == DEFAULT_PAGES


def known_methods() -> tuple[str, ...]:
    """Names that `--method` takes."""
    return tuple(dict.fromkeys((DEFAULT, *NODE_METHODS, *PAGE_METHODS)))


def find_methods(methods: Iterable[str], peers: Iterable[str], settings: Iterable[str] = ()) -> list[Candidate]:
    """The methods of these names, with settings; an unknown name is an error that lists the known ones."""
    chosen: dict[str, Method[Any]] = {}
    names = list(dict.fromkeys(methods))
    for name in names:
        if name in PEERS:
            raise UsageError(f"{name} is a peer: use --peers {name}")
        if name not in known_methods():
            raise UsageError(f"no method called {name!r}; known: {', '.join(known_methods())}")
        for part in (DEFAULT_NODES, DEFAULT_PAGES) if name == DEFAULT else (name,):
            chosen[part] = make_method(part)
    made = set_parameters(chosen, settings)
    found: dict[str, Candidate] = {}
    for name in names:
        if name == DEFAULT:
            found[name] = Candidate(name, "default", made[DEFAULT_NODES], made[DEFAULT_PAGES])
        elif name in NODE_METHODS:
            found[name] = Candidate(name, "node", nodes=made[name])
        else:
            found[name] = Candidate(name, "page", pages=made[name])
    for name in peers:
        if name in known_methods() and name not in PEERS:
            raise UsageError(f"{name} is a method: use --method {name}")
        found[name] = Candidate(peer(name).name, "peer")
    if not found:
        raise UsageError(f"nothing to measure: give --method ({', '.join(known_methods())}) or --peers")
    return list(found.values())


class PageAnswer(NamedTuple):
    """What a method says of one page that stands alone."""

    text: str
    confidence: float | None = None
    """How sure it is; None for one that does not tell."""
    is_doubted: bool = False
    """True when a note says that the text is suspicious."""


def page_answer(candidate: Candidate, capture: Capture, model: Path | None = None) -> PageAnswer:
    """What a method takes for the main text of one page that stands alone."""
    if candidate.kind == "peer":
        return PageAnswer(PEERS[candidate.name].extract(decoded(capture), capture.url))
    if candidate.kind == "default":
        found = extract(capture.body, url=capture.url, methods=[_nodes(candidate, model)])
        return PageAnswer(found.text, found.confidence, any(note.startswith("suspicious") for note in found.notes))
    site = build_site([capture])
    return PageAnswer(to_text(site, 0, node_verdict(candidate, site).node_kept))


def node_verdict(candidate: Candidate, site: Site, model: Path | None = None) -> NodeVerdict:
    """A node method's verdict on a site it learned from; the default one's by the trees of this file."""
    return copy(_nodes(candidate, model)).fit_apply(site)


def page_verdict(candidate: Candidate, site: Site, model: Path | None = None) -> PageVerdict:
    """A page method's verdict on a site; with `model`, by this file of page roles."""
    if candidate.pages is None:
        raise UsageError(f"{candidate.name} does not judge pages")
    pages: Any = candidate.pages
    verdict: PageVerdict = (pages if model is None else replace(pages, model=model)).fit_apply(site)
    return verdict


def _nodes(candidate: Candidate, model: Path | None) -> Method[NodeVerdict]:
    if candidate.nodes is None:
        raise UsageError(f"{candidate.name} does not judge text")
    nodes: Any = candidate.nodes
    found: Method[NodeVerdict] = nodes if model is None else replace(nodes, trees=str(model))
    return found
