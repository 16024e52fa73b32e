"""Two results of a site: which pages are new, gone or changed, and what changed on a page."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, NamedTuple

from sitegrain.report.tables import Tables

MAX_LINES = 400
"""Lines of a page that are compared, from where the two texts begin to differ: comparing takes quadratic time."""
CONTEXT = 1
"""Unchanged lines that are shown beside changed ones."""


class _Seen(NamedTuple):
    page: int
    title: str
    size: int
    mark: int
    """A hash of the text: the texts themselves may be gigabytes."""


class Comparison:
    """A result beside an earlier one."""

    def __init__(self, now: Tables, before: Tables) -> None:
        self.now = now
        self.before = before

    @cached_property
    def _now(self) -> dict[str, _Seen]:
        return dict(_seen(self.now))

    @cached_property
    def _before(self) -> dict[str, _Seen]:
        return dict(_seen(self.before))

    @cached_property
    def found(self) -> dict[str, Any]:
        """Pages that are new, gone or changed, by their addresses."""
        now, before = self._now, self._before
        new = [seen.page for url, seen in now.items() if url not in before]
        gone = [[url, seen.title] for url, seen in before.items() if url not in now]
        changed = [
            [seen.page, before[url].size, seen.size]
            for url, seen in now.items()
            if url in before and before[url].mark != seen.mark
        ]
        same = len(now) - len(new) - len(changed)
        return {"new": new, "gone": gone, "changed": changed, "same": same, "before": dict(self.before.summary)}

    def lines(self, page: int) -> list[list[str]]:
        """What changed on a page: lines with "+" (new), "-" (gone) or " " (beside them)."""
        url = next(url for url, seen in self._now.items() if seen.page == page)
        if url not in self._before:
            return [["+", line] for line in _text(self.now, page).splitlines()[:MAX_LINES]]
        old, new = _text(self.before, self._before[url].page).splitlines(), _text(self.now, page).splitlines()
        first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        first = max(0, first - CONTEXT)
        old, new = old[first : first + MAX_LINES], new[first : first + MAX_LINES]
        out: list[list[str]] = []
        for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
            for what, a, b, c, d in group:
                if what == "equal":
                    out += [[" ", line] for line in new[c:d]]
                else:
                    out += [["-", line] for line in old[a:b]] + [["+", line] for line in new[c:d]]
        return out


def _text(tables: Tables, page: int) -> str:
    return tables.table("pages", ["text"]).column("text")[page].as_py() or ""


def _seen(tables: Tables) -> Iterator[tuple[str, _Seen]]:
    page = 0
    for batch in tables.table("pages", ["url", "title", "text"]).to_batches(max_chunksize=1000):
        for url, title, text in zip(*(batch.column(k).to_pylist() for k in range(3)), strict=True):
            yield url or "", _Seen(page, title or "", len(text or ""), hash(text or ""))
            page += 1
