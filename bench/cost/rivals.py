"""What the rivals and the style trees cost on a whole site, on one core.

    python bench/cost/rivals.py ../shared/data/sites/sjvermeu.tar.xz [--pages 1000] [--methods rtdm,shingling]

Prints seconds of processor time (a busy machine does not change them much) and of the clock, to learn from all
pages and to judge them. The promise is 1,000 pages in under 5 minutes for shingling and for RTDM.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from pathlib import Path

from sitegrain.evaluation.data import open_site
from sitegrain.methods.registry import make_method
from sitegrain.tables.parsing.build import build_site

METHODS = "origin,gibson-dom,gibson-text,rtdm,shingling,yi-liu,sst"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--methods", default=METHODS)
    options = parser.parse_args()
    for path in options.site:
        site = build_site(islice(open_site(path).captures(), options.pages))
        print(f"{path.name}: {site.n_pages:,} pages, {site.n_nodes:,} nodes")
        print("| method | processor s | clock s | ms/page |\n|---|---:|---:|---:|")
        for name in options.methods.split(","):
            model = make_method(name)
            cpu, clock = time.process_time(), time.perf_counter()
            model.fit_apply(site)
            cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
            print(f"| {name} | {cpu:.1f} | {clock:.1f} | {1000 * cpu / max(site.n_pages, 1):.1f} |", flush=True)


if __name__ == "__main__":
    main()
