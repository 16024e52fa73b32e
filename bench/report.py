"""What a report costs: its time beside `mine`'s, its size beside the HTML's, and how fast the views open.

    python bench/report.py FOLDER [--rows 100000]

FOLDER holds HTML files, or a labelled site. With --rows, the Pages view is also tried with that many made-up pages.
Views are timed in a Chromium, when there is one.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from sitegrain.report.files import packed
from sitegrain.report.write import write_report
from sitegrain.result.mining import mine
from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.crawl.render import find_browser


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary) / "result"
        began = time.process_time()
        result = mine(str(args.folder), out)
        mined = time.process_time()
        index = write_report(result, out / "report")
        written = time.process_time()
        size = sum(file.stat().st_size for file in index.parent.rglob("*") if file.is_file())
        html = int(result.site.pages.n_bytes.sum())
        share = (written - mined) / (mined - began)
        print(f"{len(result):,} pages: mine {mined - began:.1f} s, report {written - mined:.2f} s ({share:.1%})")
        print(f"report {size / 1e6:.1f} MB, {size / html:.1%} of {html / 1e6:.1f} MB of HTML")
        time_views(index, len(result) // 2)
        if args.rows:
            many(index.parent, args.rows)
            time_table(index)


def time_views(index: Path, page: int) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        tab = _tab(playwright)
        for view in ("site", "graph", "pages", f"page/{page}"):
            best = 1e9
            for _ in range(3):
                tab.goto("about:blank")
                began = time.perf_counter()
                tab.goto(f"{index.as_uri()}#/{view}")
                tab.wait_for_selector(f"#view[data-ready={view.split('/')[0]}]")
                best = min(best, time.perf_counter() - began)
            print(f"opens on {view}: {best:.2f} s")
        script = """page => new Promise(done => {
            const began = performance.now(), view = document.getElementById("view");
            new MutationObserver(() => { if (view.dataset.shown === String(page)) done(performance.now() - began); }).observe(view, { attributes: true });
            location.hash = `#/page/${page}`;
        })"""
        took = sorted(tab.evaluate(script, other) for other in range(0, page, max(1, page // 12)))
        print(f"another page, shown: median {took[len(took) // 2]:.0f} ms, worst {took[-1]:.0f} ms of {len(took)}")


def many(report: Path, n: int) -> None:
    """The data of the Pages view for many pages."""
    columns: dict[str, Any] = {
        "url": [f"http://many.example/section-{i % 37}/page-{i * 7919 % n}.html" for i in range(n)],
        "title": [
            f"The {i * 104729 % n}th title of a page about {('tea', 'boats', 'winter', 'parsers')[i % 4]}"
            for i in range(n)
        ],
        "role": [i % 3 for i in range(n)],
        "type": [("article", "listing", "forum")[i % 3] for i in range(n)],
        "language": ["en"] * n,
        "author": [f"Author {i % 900}" for i in range(n)],
        "date": [f"20{i % 25:02}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(n)],
        "template": [i % 9 for i in range(n)],
        "words": [i * 31 % 4000 for i in range(n)],
        "notes": [""] * n,
    }
    columns |= {name: [i * 7919 % 1000 / 1000 for i in range(n)] for name in ("confidence", "role_confidence", "kept")}
    (report / "data" / "pages.js").write_text(packed("pages", columns), "ascii")


def time_table(index: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        tab = _tab(playwright)
        began = time.perf_counter()
        tab.goto(f"{index.as_uri()}#/pages")
        tab.wait_for_selector("#view[data-ready=pages]")
        print(f"{tab.evaluate('report.n'):,} rows: opens in {time.perf_counter() - began:.2f} s")
        for name, query in (("search", "q=winter+77"), ("search again", "q=boats"), ("filter", "role=toc"), ("sort", "sort=title"),
                            ("sort again", "sort=title&down=1")):  # fmt: skip
            script = "query => { const t = performance.now(); views.pages.update({ query: new URLSearchParams(query) }); return performance.now() - t; }"
            print(f"{name}: {tab.evaluate(script, query):.0f} ms")
        tab.evaluate("views.pages.update({ query: new URLSearchParams() })")
        script = "() => { const took = []; for (let i = 0; i < 200; i++) { const t = performance.now(); views.pages.box.scrollTop = i * 20011; views.pages.draw(); views.pages.box.offsetHeight; took.push(performance.now() - t); } return took.sort((a, b) => a - b); }"
        took = tab.evaluate(script)
        print(f"a step of scrolling: median {took[100]:.1f} ms, worst of 200 {took[-1]:.1f} ms")


def _tab(playwright: Any) -> Any:
    args = ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
    return playwright.chromium.launch(executable_path=find_browser(CrawlOptions()), args=args).new_page()


if __name__ == "__main__":
    main()
