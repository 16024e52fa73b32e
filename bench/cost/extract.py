"""What `extract` costs, as a ratio to bare Lexbor parsing and to trafilatura, page by page in one run.

    python bench/cost/extract.py ../shared/data/wcxb-dev.tar.xz [--every N] [--peer trafilatura --peer resiliparse] [--site FOLDER]

Every page is parsed bare, extracted and given to the peer in turn, and the least of a few times is kept of each.
With `--site`, a model is fitted on that site, saved and loaded again, and each of its pages is extracted alone, by
that model and without it. What a start costs is printed, too; `--record` adds the figures to `bench/cost/history.jsonl`, with the commit.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser
from timing import least

import sitegrain
from sitegrain.article.article import Article
from sitegrain.evaluation.data import open_pages
from sitegrain.evaluation.peers import peer
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.model import Extractor, load_trees
from sitegrain.sources.open import open_source
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

HISTORY = Path(__file__).with_name("history.jsonl")
SLOW = ("trafilatura", "trafilatura-nocomments")
"""Peers that are timed once: a page takes them tens of milliseconds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--site", type=Path, action="append", default=[], help="a folder of pages of one site")
    parser.add_argument("--site-pages", type=int, default=60, help="pages of a site that are timed")
    parser.add_argument("--record", action="store_true", help="add the figures to history.jsonl")
    options = parser.parse_args()
    load = least(lambda: (load_trees.cache_clear(), load_trees()), 3)
    peers = {name: peer(name).extract for name in options.peer}
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
            "evidence and model": lambda s=site: Extractor().fit_apply(s),
            "extract, text": lambda c=capture: sitegrain.extract(c.body, c.url).text,
        }
        for name, call in peers.items():
            tasks[name] = lambda c=capture, call=call: call(c.body.decode("utf-8", "replace"), c.url)
        for name, task in tasks.items():
            total[name] = total.get(name, 0.0) + least(task, options.repeats if name not in SLOW else 1)
    print(f"{n} pages; loading the model {load * 1e3:.0f} ms")
    for name, seconds in total.items():
        print(f"{name:20} {seconds / n * 1e3:7.2f} ms a page, {seconds / total['bare Lexbor']:6.2f}x bare parsing")
    started = time_starts(options.data)
    if options.record:
        ratios = {name: round(seconds / total["bare Lexbor"], 2) for name, seconds in total.items()}
        line = {"commit": commit(), "bench": "extract", "pages": n, "bare_ms": round(total["bare Lexbor"] / n * 1e3, 3)}
        with HISTORY.open("a") as file:
            file.write(json.dumps({**line, "ratios": ratios, "starts_s": started}) + "\n")
    for folder in options.site:
        time_site(folder, options.site_pages, options.repeats)


def time_starts(data: Path) -> dict[str, float]:
    """Processor time of a start, the least of five: of the package, and of the command on a file of one page."""
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        page = Path(temporary) / "page.html"
        page.write_bytes(next(iter(open_pages(data).captures()))[0].body)
        commands = {
            "import sitegrain": ["-c", "import sitegrain"],
            "sitegrain extract FILE": ["-m", "sitegrain", "extract", str(page)],
        }
        # Compiled modules, as an installed package has them.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": temporary, "PYTHONDONTWRITEBYTECODE": ""}
        for name, arguments in commands.items():
            times = []
            for _ in range(6):  # the first one compiles
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment, check=False)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            found[name] = round(min(times), 3)
            print(f"{name:24} {found[name]:.3f} s of processor time")
    return found


def commit() -> str:
    """The commit that was measured."""
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return found.stdout.strip()


def time_site(folder: Path, n_timed: int, repeats: int) -> None:
    """A saved model of a site, page by page. A model remembers texts, so each repetition loads it anew and goes
    through all pages once, as a user would."""
    captures = list(open_source(folder))
    pages = captures[:: max(len(captures) // n_timed, 1)]
    best: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "site.json"
        Extractor().fit(build_site(captures)).save(path)
        for _ in range(repeats):
            model = Extractor.load(path)

            def by_model(capture: Capture, model: Extractor = model) -> str:
                site = build_site([capture])
                return Article(site, 0, model.apply(site)).text

            tasks: dict[str, Callable[[Capture], object]] = {
                "bare Lexbor": lambda c: LexborHTMLParser(c.body),
                "extract, text": lambda c: sitegrain.extract(c.body, c.url).text,
                "saved model, text": by_model,
            }
            for name, task in tasks.items():
                times = best.setdefault(name, [float("inf")] * len(pages))
                for k, capture in enumerate(pages):
                    times[k] = min(times[k], least(lambda c=capture, task=task: task(c), 1))
    print(f"{folder.name}: {len(pages)} of {len(captures)} pages")
    bare = sum(best["bare Lexbor"])
    for name, times in best.items():
        print(f"{name:20} {sum(times) / len(pages) * 1e3:7.2f} ms a page, {sum(times) / bare:6.2f}x bare parsing")


if __name__ == "__main__":
    main()
