"""How often title, author and date are right, beside trafilatura's metadata of the same pages.

    python bench/fields.py ../shared/data/wcxb-dev.tar.xz [--every N --offset K] [--type article] [--show author]

A title is right when its words are those of the truth; an author when the names have the same words in any order
("and" aside); a date when it is the same day. "Right" counts pages whose truth has the field, "invented" is the
share of pages without it for which one was given. `--show` prints the misses.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sitegrain.article.fields import article_fields
from sitegrain.evaluation.data import Truth, open_pages
from sitegrain.evaluation.reading.sameness import is_right
from sitegrain.evaluation.reading.wording import words
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

NAMES = ("title", "author", "date")


def likeness(found: str, truth: str) -> float:
    a, b = Counter(words(found)), Counter(words(truth))
    same = (a & b).total()
    return 2 * same / (a.total() + b.total()) if same else 0.0


def ours(capture: Capture) -> dict[str, str]:
    fields = article_fields(build_site([capture]), 0)
    return {name: getattr(fields, name).value for name in NAMES}


def trafilatura(capture: Capture) -> dict[str, str]:
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(capture.body.decode("utf-8", "replace"), default_url=capture.url)
    return {name: getattr(found, name) or "" for name in NAMES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="use every Nth page")
    parser.add_argument("--offset", type=int, default=0, help="begin with this page; rules were set on --every 2")
    parser.add_argument("--type", default="", help="only pages of this type")
    parser.add_argument("--show", default="", choices=("", *NAMES), help="print our misses of a field")
    args = parser.parse_args()
    methods: dict[str, Callable[[Capture], dict[str, str]]] = {"sitegrain": ours, "trafilatura": trafilatura}
    seconds = dict.fromkeys(methods, 0.0)
    found: dict[str, list[tuple[dict[str, str], Truth]]] = {name: [] for name in methods}
    data = open_pages(args.data)
    for n, (capture, truth) in enumerate(data.captures()):
        if n % args.every != args.offset or (args.type and truth.page_type != args.type):
            continue
        for name, method in methods.items():
            start = time.process_time()
            try:
                values = method(capture)
            except Exception as error:  # a peer may raise anything
                if name == "sitegrain":
                    raise
                print(f"{name} failed on {truth.name}: {error!r}")
                values = dict.fromkeys(NAMES, "")
            seconds[name] += time.process_time() - start
            found[name].append((values, truth))
    print(f"{len(found['sitegrain'])} pages")
    print(f"{'':12} {'field':7} {'with':>5} {'right':>6} {'likeness':>8} {'given, right':>12} {'invented':>8}")
    for name, rows in found.items():
        for field in NAMES:
            report(name, field, rows)
        print(f"{name:12} {seconds[name] / max(len(rows), 1) * 1000:.1f} ms a page")
    if args.show:
        for values, truth in found["sitegrain"]:
            want = getattr(truth, args.show)
            if (want or values[args.show]) and not is_right(args.show, values[args.show], want):
                print(f"{truth.name} {truth.page_type}: want {want!r}, found {values[args.show]!r}")


def report(name: str, field: str, rows: list[tuple[dict[str, str], Truth]]) -> None:
    having = [(v[field], getattr(t, field)) for v, t in rows if getattr(t, field)]
    lacking = [v[field] for v, t in rows if not getattr(t, field)]
    right = sum(is_right(field, v, t) for v, t in having)
    like = sum(likeness(v, t) for v, t in having)
    given = sum(bool(v) for v, _ in having)
    invented = f"{sum(map(bool, lacking)) / len(lacking):8.3f}" if lacking else f"{'':8}"
    n = max(len(having), 1)
    print(
        f"{name:12} {field:7} {len(having):5} {right / n:6.3f} {like / n:8.3f} {right / max(given, 1):12.3f} {invented}"
    )


if __name__ == "__main__":
    main()
