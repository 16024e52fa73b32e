"""The corpus at its full size with its ceilings: `python -m tests.hostile.measure [name ...]`; the slow part of CI.

Every case is a page of just under 1 MB in a folder of three good ones. It is mined, all that can be asked of the result is
asked, and the result is written. Prints the worst; ends with 1 if a case crashed, was over a ceiling or cost a good page.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sitegrain
from sitegrain.result.result import Result
from sitegrain.tables.capture import Capture
from tests.hostile.corpus import AROUND, CASES
from tests.hostile.limits import Taken, taken_by

SIZE = 990_000
MAX_SECONDS = 3.0
MAX_MEGABYTES = 400.0
KILL_SECONDS = 60
GOOD = [Capture(f"http://a.org/{i}", b"<title>Good page</title><h1>Good page</h1>" + AROUND * 3) for i in range(3)]


def use(name: str, size: int, out: Path | None = None) -> None:
    """Ask for everything that a page with three good ones gives, and look that those are whole."""
    page = CASES[name](size)
    result = sitegrain.mine([*GOOD, Capture("http://a.org/hostile", page)], out)
    assert isinstance(result, Result), "four pages are one part"
    result.site.check()
    assert len(result) == 4, f"{4 - len(result)} pages lost"
    for article in list(result)[:3]:
        assert "ordinary prose" in article.text, "a good page lost its text"
    hostile = list(result)[3]
    found = hostile.to_dict()
    assert not [note for note in found["notes"] if "cannot be" in note], found["notes"]
    _ = (
        hostile.comments,
        hostile.related,
        hostile.posts,
        hostile.comment_posts,
        hostile.reasons,
        result.blocks,
        result.links,
    )
    result.graphml()


def measured(name: str, size: int) -> Taken:
    with tempfile.TemporaryDirectory() as folder:
        return taken_by(lambda: use(name, size, Path(folder) / "out"), seconds=KILL_SECONDS, gigabytes=6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases; all if none is named")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long; the order is by chance")
    parser.add_argument("--ceiling", type=float, default=MAX_SECONDS, help="seconds that are a failure")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true", help="every case, not only those over a ceiling")
    args = parser.parse_args()
    _ = sitegrain.mine(GOOD).links  # what is loaded once is not the page's
    names = args.names or random.Random(args.seed).sample(list(CASES), len(CASES))
    stop = time.monotonic() + 60 * args.minutes
    found: dict[str, Taken] = {}
    bad = n_over = 0

    def one(name: str) -> tuple[str, Taken] | None:
        return (name, measured(name, args.size)) if time.monotonic() < stop else None

    with ThreadPoolExecutor(args.workers) as pool:
        for name, taken in filter(None, pool.map(one, names)):
            found[name] = taken
            is_over = taken.seconds > MAX_SECONDS or taken.megabytes > MAX_MEGABYTES
            n_over += is_over
            bad += bool(taken.error) or taken.seconds > args.ceiling or taken.megabytes > MAX_MEGABYTES
            if taken.error or is_over or args.verbose:
                print(f"{name:28s} {taken.seconds:6.2f} s {taken.megabytes:7.0f} MB  {taken.error}", flush=True)
    slowest = max(found, key=lambda name: found[name].seconds)
    largest = max(found, key=lambda name: found[name].megabytes)
    print(
        f"{len(found)} of {len(CASES)} cases of {args.size:,} bytes: {bad} failed, {n_over} over {MAX_SECONDS:g} s or "
        f"{MAX_MEGABYTES:g} MB; slowest {slowest} {found[slowest].seconds:.2f} s, largest {largest} "
        f"{found[largest].megabytes:.0f} MB, {sum(t.seconds for t in found.values()):.0f} s in all"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
