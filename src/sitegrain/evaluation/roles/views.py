"""Sets of pages of labelled sites, as people have them: whole sites, samples, articles only, no TOC page, a part of a crawl.

The role of a page must not depend on what else is at hand, so roles are measured (and learned) on many sets of each
site. No set is told its base address: it is found from the pages, as for a folder of a user.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.disguise import blank_role_hints, scramble_names
from sitegrain.sources.site_address import PageSays, folder_address
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.capture import Capture

WHOLE, SCRAMBLED, ARTICLES, NO_TOC = "whole site", "scrambled names", "articles only", "TOC pages removed"
SAMPLE = "sample of {} pages"
SAMPLES = (12, 40, 100)
MEASURED = (WHOLE, *(SAMPLE.format(n) for n in SAMPLES), ARTICLES, NO_TOC)
"""The sets that roles are measured on."""
LEARNED = (
    WHOLE,
    SAMPLE.format(16),
    "mixed 30",
    "mixed 90",
    ARTICLES,
    "only TOC pages",
    "crawl of 60",
)
"""The sets that roles are learned from; drawn with another seed than those that are measured."""
MAX_PAGES = 120
"""Pages of a set that is not the whole site."""

KINDS: Mapping[str, str] = {
    name: kind
    for kind, names in {
        "blog": "sjvermeu ecrespo 54chen gis90 330k nutfes savourydays veganyumyum castile botzilla delsharm homoefficio "
        "riversedge civicmedia arvinh emath junkhack jservblog sundstrom semifluid golangshow",
        "news": "starboundfr izquierda bayosphere macsfera kliimaaktivist anoninsiders annacurra insightit createdbham "
        "min120 partitopirata wechange",
        "forum": "cfnet imagejdevel opendcl losersforo stackstorm iatidiscuss vouties subbacultcha oemforum",
        "wiki, docs": "pdal blenderwiki scipylectures openemswiki losersjuegos siocwiki wikinotes linuxboard librephotos "
        "aegir beeware",
        "shop": "jwhisky aminashop",
        "portal, government": "atdp phila openehr oegupm casacine bfi",
        "old tables": "2chbesthit abuyaareb gapchess clarksgarage casaantigo",
    }.items()
    for name in names.split()
}
"""What kind of site each of the labelled sites is, by the description that comes with them."""


@dataclass(frozen=True)
class View:
    """A set of pages of one site, with true roles."""

    site: str
    name: str
    captures: tuple[Capture, ...]
    kinds: tuple[str, ...]


class ViewMaker:
    """The sets of one labelled site. Hints that the labels were made from are blanked."""

    def __init__(self, site: LabelledSite, max_pages: int | None = None) -> None:
        self.site = site
        found = [blank_role_hints(c) for c in site.captures() if c.path in site.labels]
        self.captures = found if max_pages is None else _sample(random.Random(site.name), found, max_pages)
        self.kind = {c.path: site.labels[c.path].kind for c in self.captures}
        self._says: dict[str, PageSays] = {}

    def view(self, name: str, seed: str) -> View | None:
        """The set of this name, its addresses found from its pages; None when the site has no such pages."""
        chosen = self._chosen(name, random.Random(f"{seed}/{self.site.name}/{name}"))
        if len(chosen) < 2:
            return None
        found = self._addressed(chosen)
        if name == SCRAMBLED:
            found = [scramble_names(c, self.site.name) for c in found]
        return View(self.site.name, name, tuple(found), tuple(self.kind[c.path] for c in found))

    def views(self, names: Sequence[str], seed: str) -> Iterator[View]:
        """Those of these sets that there are."""
        return (view for name in names if (view := self.view(name, seed)) is not None)

    def _chosen(self, name: str, rng: random.Random) -> list[Capture]:
        whole = self.captures
        articles = [c for c in whole if self.kind[c.path] == "article"]
        if name in (WHOLE, SCRAMBLED):
            return whole
        if name.startswith(ARTICLES):
            return _sample(rng, articles, rng.randint(10, 80))
        if name == NO_TOC:
            return _sample(rng, [c for c in whole if self.kind[c.path] != "toc"], MAX_PAGES)
        if name == "only TOC pages":
            return _sample(rng, [c for c in whole if self.kind[c.path] == "toc"], rng.randint(10, 80))
        size = int(name.split()[-2 if name.endswith("pages") else -1])
        if name.startswith("crawl"):
            return self._crawl(rng, size)
        if name.startswith("mixed"):
            return self._mixed(rng, size)
        return _sample(rng, whole, size)

    def _mixed(self, rng: random.Random, size: int) -> list[Capture]:
        """A sample whose mix of roles is drawn at random (weighted drawing of Efraimidis and Spirakis 2006)."""
        count = Counter(self.kind.values())
        weight = {kind: rng.random() ** 2 / n for kind, n in sorted(count.items())}
        key = {c.path: rng.random() ** (1 / max(weight[self.kind[c.path]], 1e-9)) for c in self.captures}
        chosen = {path for path, _ in sorted(key.items(), key=lambda x: -x[1])[:size]}
        return [c for c in self.captures if c.path in chosen]

    def _crawl(self, rng: random.Random, size: int) -> list[Capture]:
        """What a crawl that is stopped early has: pages reached from one of them, nearest first."""
        by_key = {page_key(c.url): c for c in self.captures}
        start = rng.choice(self.captures)
        queue, seen = [start], {start.path}
        for capture in queue:
            if len(queue) >= size:
                break
            for href in self._said(capture).links:
                target = by_key.get(page_key(resolve(href, capture.url)))
                if target is not None and target.path not in seen:
                    seen.add(target.path)
                    queue.append(target)
        return sorted(queue[:size], key=lambda c: c.path)

    def _said(self, capture: Capture) -> PageSays:
        if capture.path not in self._says:
            self._says[capture.path] = PageSays(capture.path, bytes(capture.body))
        return self._says[capture.path]

    def _addressed(self, captures: Sequence[Capture]) -> list[Capture]:
        by_path = {c.path: c for c in captures}
        address = folder_address(list(by_path), lambda paths: (self._said(by_path[path]) for path in paths))
        return [replace(c, url=address.url(c.path, self._said(c).claims if address.by_claim else ())) for c in captures]


def _sample(rng: random.Random, captures: Sequence[Capture], n: int) -> list[Capture]:
    return sorted(rng.sample(list(captures), min(n, len(captures))), key=lambda c: c.path)
