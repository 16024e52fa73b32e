"""What `extract` costs, as a ratio to bare Lexbor parsing and to trafilatura, page by page in one run.

    python bench/extract.py ../shared/data/wcxb-dev.tar.xz [--every N] [--peer trafilatura]

Every page is parsed bare, extracted and given to the peer in turn, and the least of a few times is kept of each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import sitegrain
from sitegrain.evaluation.data import open_pages
from sitegrain.models.blocks import rows_of
from sitegrain.models.evidence import gather
from sitegrain.models.extractor import Extractor, load_trees
from sitegrain.tables.build import build_site


def least(task: Callable[[], object], repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer", default="")
    options = parser.parse_args()
    load = least(lambda: (load_trees.cache_clear(), load_trees()), 3)
    total: dict[str, float] = {}
    n = 0
    for i, (capture, _) in enumerate(open_pages(options.data).captures()):
        if i % options.every:
            continue
        n += 1
        site = build_site([capture])
        evidence_of = rows_of(site, 0, 1)
        tasks: dict[str, Callable[[], object]] = {
            "bare Lexbor": lambda c=capture: LexborHTMLParser(c.body),
            "tables": lambda c=capture: build_site([c]),
            "evidence": lambda r=evidence_of: gather(r),
            "evidence and model": lambda s=site: Extractor().apply(s),
            "extract, text": lambda c=capture: sitegrain.extract(c.body, c.url).text,
        }
        if options.peer:
            from sitegrain.evaluation.peers import peer

            call = peer(options.peer).extract
            tasks[options.peer] = lambda c=capture, call=call: call(c.body.decode("utf-8", "replace"), c.url)
        for name, task in tasks.items():
            total[name] = total.get(name, 0.0) + least(task, options.repeats if name != options.peer else 1)
    print(f"{n} pages; loading the model {load * 1e3:.0f} ms")
    for name, seconds in total.items():
        print(f"{name:20} {seconds / n * 1e3:7.2f} ms a page, {seconds / total['bare Lexbor']:6.2f}x bare parsing")


if __name__ == "__main__":
    main()
