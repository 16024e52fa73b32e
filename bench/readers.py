"""Do the three readers of pages agree? Plain pages in one pass, the parser's tree in place, and from its serialization.

    python bench/readers.py DATA... [--every N] [--repeats N]

DATA is any folder: all `.html` files below it are read. A page is refused by the reader of plain pages, or all three give the same: columns, text,
values, JSON-LD, and the guard cut nothing. Pages where they differ are named, with the first column that does; so are the reasons for refusing.
What each way costs is printed as a ratio to bare Lexbor parsing of the same pages, each step the least of the repeats.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from sitegrain import native
from sitegrain.tables.budgets import max_rows
from sitegrain.tables.parsing.charset import as_utf8
from sitegrain.tables.parsing.parse import MAX_NESTING, TAG_BITS, guard, parse_tree, reads_in_place

T = TypeVar("T")
STEPS = (
    "bare Lexbor",
    "guard",
    "parse what is left",
    "read in place",
    "write and scan",
    "plain",
    "plain, else the others",
)


def difference(found: native.Scanned, written: native.Scanned) -> str:
    for name, column in written.columns.items():
        if not np.array_equal(found.columns[name], column):
            return name
    return next((f for f in ("text", "value_text", "json_ld") if getattr(found, f) != getattr(written, f)), "")


class Bench:
    """What was found of the pages so far."""

    def __init__(self, repeats: int) -> None:
        self.repeats = repeats
        self.spent = dict.fromkeys(STEPS, 0.0)
        self.refused: Counter[str] = Counter()
        self.differ: list[str] = []
        self.pages = 0

    def timed(self, step: str, call: Callable[[], T]) -> T:
        least = float("inf")
        for _ in range(self.repeats):
            start = time.process_time()
            found = call()
            least = min(least, time.process_time() - start)
        self.spent[step] += least
        return found

    def read(self, body: bytes, name: str) -> None:
        self.pages += 1
        self.timed("bare Lexbor", lambda: LexborHTMLParser(body))
        data = as_utf8(body)[0]
        before = dict(self.spent)
        left, cuts = self.timed("guard", lambda: guard(data, MAX_NESTING))
        tree = self.timed("parse what is left", lambda: parse_tree(left))
        placed = self.timed("read in place", lambda: native.read_tree(tree.root, TAG_BITS))
        long_way = sum(self.spent[step] - before[step] for step in ("guard", "parse what is left", "read in place"))
        written = self.timed("write and scan", lambda: native.scan(tree.html or "", TAG_BITS))
        plain = self.timed("plain", lambda: native.read_plain(data, MAX_NESTING, max_rows(len(data)), TAG_BITS))
        self.spent["plain, else the others"] += self.spent["plain"] - before["plain"]
        if where := difference(placed, written):
            self.differ.append(f"{name}: in place: {where}")
        if isinstance(plain, str):
            self.refused[plain] += 1
            self.spent["plain, else the others"] += long_way
        elif where := difference(plain, placed) or ("the guard cuts" if cuts else ""):
            self.differ.append(f"{name}: plain: {where}")

    def report(self) -> None:
        n_taken = self.pages - self.refused.total()
        print(f"{self.pages} pages, {len(self.differ)} differ", *self.differ[:50], sep="\n  ")
        print(
            f"{n_taken / max(1, self.pages):.2%} are read as plain pages; the others:", dict(self.refused.most_common())
        )
        for name, seconds in self.spent.items():
            print(f"{name:22} {seconds / max(self.spent['bare Lexbor'], 1e-9):6.2f}x bare parsing")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args()
    assert reads_in_place(), "the tree cannot be read in place here: there is nothing to compare"
    bench = Bench(given.repeats)
    for folder in given.data:
        for file in sorted(folder.rglob("*.htm*"))[:: given.every]:
            if file.is_file():
                bench.read(file.read_bytes(), str(file.relative_to(folder)))
    bench.report()


if __name__ == "__main__":
    main()
