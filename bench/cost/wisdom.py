"""What WISDOM costs, as a ratio to building the tables of the same pages; and that it is linear in nodes.

    python bench/cost/wisdom.py ../shared/data/sites/pdal.tar.xz [more sites] [--repeats N]

Times are process times, the least of several runs. "all" is `fit_apply`: terms, entropies, evidence, search and
verdict; "without terms" starts from the terms, which a recipe of several methods cuts once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sitegrain.evaluation.data import open_site
from sitegrain.methods.wisdom.method import WISDOM
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

T = TypeVar("T")


def least(task: Callable[[], T], repeats: int) -> tuple[float, T]:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = task()
        best = min(best, time.process_time() - start)
    return best, result


def build(captures: list[Capture]) -> Site:
    site = build_site(captures)
    len(site.links)  # the link table is made when it is first asked for
    return site


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("site", type=Path, nargs="+")
    args.add_argument("--repeats", type=int, default=2)
    options = args.parse_args()
    WISDOM().fit_apply(build_site([Capture("http://a.org/", b"<p>Load the language model once.")]))
    print("site                 pages     nodes   tables s  all s  ratio  without terms  ratio  us/node")
    for path in options.site:
        captures = list(open_site(path).captures())
        for part in (4, 2, 1):
            some = captures[::part]
            tables, _ = least(lambda some=some: build(some), options.repeats)
            fresh = [build(some) for _ in range(options.repeats)]  # a site remembers its folded texts
            whole, _ = least(lambda fresh=fresh: WISDOM().fit_apply(fresh.pop()), options.repeats)
            site = build(some)
            model = WISDOM().fit(site)
            rest, _ = least(lambda model=model, site=site: model.apply(site), options.repeats)
            print(
                f"{path.name[:18]:18} {len(some):7,} {site.n_nodes:9,} {tables:10.2f} {whole:6.2f} "
                f"{whole / tables:6.2f} {rest:14.2f} {rest / tables:6.2f} {1e6 * rest / max(site.n_nodes, 1):8.2f}"
            )


if __name__ == "__main__":
    main()
