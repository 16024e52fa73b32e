"""What changed between two results of a site: pages that are new, changed, gone, or made from a new template.

Pages are matched by address. A page has changed when its informative text has, so a new advertisement or another date in
the footer is no change. A page is *redesigned* when its elements stood at places that the old site knows and no longer
do (the drift check of the extractor); then a difference of its text says little, and it is not called changed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sitegrain.errors import SitegrainError
from sitegrain.extractor.model import DRIFTED_BELOW, Drift, Extractor
from sitegrain.result.base import AnyResult
from sitegrain.result.folder import is_result
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.result.stored import StoredResult, open_result
from sitegrain.sources.open import open_source
from sitegrain.tables.address import page_key
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

KINDS = ("new", "changed", "gone", "redesigned")


@dataclass(frozen=True)
class PageChange:
    """One page that is not as it was."""

    kind: str
    """One of `KINDS`."""
    url: str
    title: str
    role: str
    date: str
    added: tuple[str, ...] = ()
    """Lines of text that were not there before; of a new page, all of them."""
    removed: tuple[str, ...] = ()
    """Lines of text that are no longer there; of a page that is gone, none: the old result has them."""


@dataclass(frozen=True)
class Changes:
    """Everything that changed between two results of a site."""

    pages: tuple[PageChange, ...]
    n_same: int
    known: float | None = None
    """Share of the elements of the median page that stand at places the old site knows; None when nobody could tell."""
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return f"Changes({', '.join(f'{n:,} {kind}' for kind, n in self.counts.items())}, {self.n_same:,} unchanged)"

    def __len__(self) -> int:
        return len(self.pages)

    @property
    def counts(self) -> dict[str, int]:
        """How many pages there are of each kind."""
        found = Counter(page.kind for page in self.pages)
        return {kind: found[kind] for kind in KINDS}

    @property
    def is_redesigned(self) -> bool:
        """Whether the template of the site as a whole has changed."""
        return self.known is not None and self.known < DRIFTED_BELOW

    def of(self, kind: str) -> Iterator[PageChange]:
        """The pages of one kind."""
        return (page for page in self.pages if page.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        known = None if self.known is None else round(self.known, 4)
        about = {**self.counts, "unchanged": self.n_same, "known": known, "is_redesigned": self.is_redesigned}
        return {**about, "notes": list(self.notes), "pages": [asdict(page) for page in self.pages]}


class _Seen(NamedTuple):
    url: str
    title: str
    role: str
    date: str
    text: str


def _pages(result: AnyResult[Any]) -> dict[str, _Seen]:
    table = result.table("pages", _Seen._fields)
    columns = ([value or "" for value in table.column(name).to_pylist()] for name in _Seen._fields)
    return {page_key(row[0]) or f"no address {k}": _Seen(*row) for k, row in enumerate(zip(*columns, strict=True))}


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def _without(lines: list[str], others: list[str]) -> tuple[str, ...]:
    """Lines that the others lack, in order, as often as they lack them."""
    left = Counter(others)
    out = []
    for line in lines:
        if left[line]:
            left[line] -= 1
        else:
            out.append(line)
    return tuple(out)


@dataclass(frozen=True)
class Looks:
    """What is known of the pages themselves, beside the results; pages are named by `page_key`."""

    redesigned: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    """Pages that came byte for byte as before: whatever is read in them now, they have not changed."""
    known: float | None = None
    """See `Changes.known`."""


def compare(old: AnyResult[Any], new: AnyResult[Any], looks: Looks | None = None) -> Changes:
    """What changed from one result to the other."""
    looks = looks or Looks()
    before, after = _pages(old), _pages(new)
    found: list[PageChange] = []
    for key, page in after.items():
        about = page.url, page.title, page.role, page.date
        if key not in before:
            found.append(PageChange("new", *about, added=tuple(_lines(page.text))))
            continue
        was, now = _lines(before[key].text), _lines(page.text)
        added, removed = _without(now, was), _without(was, now)
        if key in looks.redesigned:
            found.append(PageChange("redesigned", *about, added, removed))
        elif (added or removed) and key not in looks.same:
            found.append(PageChange("changed", *about, added, removed))
    n_same = len(after) - len(found)
    found += [PageChange("gone", *page[:4]) for key, page in before.items() if key not in after]
    place = {kind: k for k, kind in enumerate(KINDS)}
    found.sort(key=lambda page: (place[page.kind], page.role != "article"))
    strangers = "no address is in both: are these two results of one site?"
    notes = (strangers,) if before and after and before.keys().isdisjoint(after) else ()
    return Changes(tuple(found), n_same, looks.known, notes)


def below(site: Site, drift: Drift) -> frozenset[str]:
    """The pages of a site that do not look like what was learned, by `page_key`."""
    return frozenset(
        page_key(site.pages.url[page]) for page in np.flatnonzero(drift.page_known < DRIFTED_BELOW).tolist()
    )


def diff(old: str | Path, new: str | Path) -> Changes:
    """What changed from one result folder to another; anything else that `mine` reads is mined first.

    >>> from sitegrain.demo import generate
    >>> import shutil, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     truth = generate(f"{folder}/before")
    ...     _ = shutil.copytree(f"{folder}/before", f"{folder}/after")
    ...     Path(f"{folder}/after/html/contact.html").unlink()
    ...     diff(f"{folder}/before", f"{folder}/after")
    Changes(0 new, 0 changed, 1 gone, 0 redesigned, 149 unchanged)
    """
    before = _opened(old)
    after = _opened(new, before)
    was, now = _site(before), _site(after)
    if was is None or now is None:
        changes = compare(before, after)
        note = "not checked for a new template: the pages that the results were mined from are not at hand"
        return replace(changes, notes=(*changes.notes, note))
    same = _same_pages(was, now)
    model = Extractor().fit(was)
    if model.knowledge_ is None:
        return compare(before, after, Looks(same=same))
    drift = model.drift(now)
    redesigned = below(now, drift) - below(was, model.drift(was))
    return compare(before, after, Looks(redesigned, same, drift.known))


def _opened(name: str | Path, before: AnyResult[Any] | None = None) -> AnyResult[Any]:
    """A result: the folder of one, or what is mined now, by what the result before has taught if that fits."""
    path = Path(name)
    if path.is_dir() and is_result(path):
        return open_result(path)
    if not isinstance(before, Result) or len(before) < 2:
        return mine(name)
    with tempfile.TemporaryDirectory(prefix="sitegrain-") as folder:
        model = Path(folder) / "model.json"
        before.save_model(model)
        result = mine(name, model=model)
    nodes = result.recipe.nodes if result.recipe is not None else None
    is_changed = isinstance(nodes, Extractor) and nodes.drift(result.site).is_changed
    return mine(result.site) if is_changed else result


def _same_pages(was: Site, now: Site) -> frozenset[str]:
    """Pages with the same elements and the same text as before."""
    row = {page_key(url): page for page, url in enumerate(was.pages.url)}
    found = []
    for page, url in enumerate(now.pages.url):
        other = row.get(page_key(url), -1)
        if other >= 0 and was.texts[other] == now.texts[page]:
            tags = was.nodes.tag[was.page_rows(other)], now.nodes.tag[now.page_rows(page)]
            if np.array_equal(*tags):
                found.append(page_key(url))
    return frozenset(found)


def _site(result: AnyResult[Any]) -> Site | None:
    """The pages that a result was made from, if they are at hand."""
    if isinstance(result, Result):
        return result.site
    assert isinstance(result, StoredResult)
    if result.mined_from is None:
        return None
    try:
        return build_site(open_source(str(result.mined_from)))
    except SitegrainError:
        return None
