"""Do the two readers of the parser's tree agree? In place and from its serialization, on every page.

    python bench/readers.py DATA [--every N]

DATA is any folder: all `.html` files below it are read. Pages where the two differ are named, with the first column that
does; what each way costs is printed as a ratio to bare Lexbor parsing of the same pages.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from sitegrain import native
from sitegrain.tables.charset import as_utf8
from sitegrain.tables.parse import MAX_NESTING, TAG_BITS, guard, parse_tree, reads_in_place


def difference(placed: native.Scanned, written: native.Scanned) -> str:
    for name, column in written.columns.items():
        if not np.array_equal(placed.columns[name], column):
            return name
    return next((f for f in ("text", "value_text", "json_ld") if getattr(placed, f) != getattr(written, f)), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    assert reads_in_place(), "the tree cannot be read in place here: there is nothing to compare"
    spent = dict.fromkeys(("bare Lexbor", "guard", "parse what is left", "read in place", "write and scan"), 0.0)
    n, differ = 0, []
    clock = time.process_time
    for file in sorted(given.data.rglob("*.htm*"))[:: given.every]:
        if not file.is_file():
            continue
        body = file.read_bytes()
        times = [clock()]
        LexborHTMLParser(body)
        times.append(clock())
        data, _ = guard(as_utf8(body)[0], MAX_NESTING)
        times.append(clock())
        tree = parse_tree(data)
        times.append(clock())
        placed = native.read_tree(tree.root, TAG_BITS)
        times.append(clock())
        written = native.scan(tree.html or "", TAG_BITS)
        times.append(clock())
        for name, took in zip(spent, np.diff(times), strict=True):
            spent[name] += took
        n += 1
        if where := difference(placed, written):
            differ.append(f"{file.relative_to(given.data)}: {where}")
    print(f"{n} pages, {len(differ)} differ", *differ[:50], sep="\n  ")
    for name, seconds in spent.items():
        print(f"{name:20} {seconds / spent['bare Lexbor']:6.2f}x bare parsing")


if __name__ == "__main__":
    main()
