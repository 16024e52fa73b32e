"""Run by `test_faults`: mines a folder with two workers, and says after every part what was done."""

from __future__ import annotations

import sys

from sitegrain.plan.mining import Means, mine

if __name__ == "__main__":
    folder, out, part_pages = sys.argv[1:]

    def tell(what: str, done: int, total: int) -> None:
        print(what, done, total, flush=True)

    mine(folder, out, means=Means(workers=2, part_pages=int(part_pages) // 2, on_progress=tell))
