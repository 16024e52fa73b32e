"""What a report costs: its time beside `mine`'s, its size beside the HTML's, and how fast the views open.

    python bench/cost/report.py FOLDER [--rows 100000] [--graph 10000] [--explorer 100000]

FOLDER holds HTML files, or a labelled site. With --rows, the Pages view is also tried with that many made-up pages, and
with --graph the Graph view with that many and ten links of each. With --explorer, the pages of FOLDER are repeated under other
addresses until there are that many, and the explorer serves them.
Views are timed in a Chromium, when there is one.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sitegrain.report.files import packed
from sitegrain.report.graph import graph_data
from sitegrain.report.write import write_report
from sitegrain.result.mining import mine
from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.crawl.render import find_browser


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--graph", type=int, default=0)
    parser.add_argument("--explorer", type=int, default=0)
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
        if args.graph:
            many(index.parent, args.graph)
            linked(index.parent, args.graph)
            time_graph(index)
        if args.explorer:
            time_explorer(repeated(out, Path(temporary) / "many", args.explorer))


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
        script = """async page => {
            const began = performance.now(), view = document.getElementById("view");
            location.hash = `#/page/${page}`;
            while (view.dataset.shown !== String(page)) await new Promise((next) => setTimeout(next, 1));
            return performance.now() - began;
        }"""
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


def linked(report: Path, n: int) -> None:
    """The data of the Graph view for many pages: a TOC page for every hundred, and ten links of each page."""
    rng = np.random.default_rng(0)
    tocs = max(1, n // 100)
    own = np.arange(n)
    source = np.concatenate([np.zeros(tocs - 1, int), own[tocs:] % tocs, rng.integers(0, n, 10 * n)])
    target = np.concatenate([own[1:tocs], own[tocs:], rng.integers(0, n, 10 * n)])
    is_tree = np.arange(len(source)) < n - 1
    links = {"page": source, "target": target, "entropy": np.where(is_tree, 0.1, rng.random(len(source))),
             "is_distilled": is_tree.astype(float)}  # fmt: skip
    data = graph_data(_Made(pages={"page": own}, links=links), {"role": [1] * tocs + [2] * (n - tocs)})
    (report / "data" / "graph.js").write_text(packed("graph", data), "ascii")


class _Made:
    """Tables that were made up."""

    summary: ClassVar[dict[str, Any]] = {}

    def __init__(self, **tables: dict[str, Any]) -> None:
        self.tables = {name: pa.table(columns) for name, columns in tables.items()}

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return self.tables[name].select(list(columns or self.column_names(name)))

    def column_names(self, name: str) -> list[str]:
        return list(self.tables[name].column_names)


def time_graph(index: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        tab = _tab(playwright)
        began = time.perf_counter()
        tab.goto(f"{index.as_uri()}#/graph")
        tab.wait_for_selector("#view[data-ready=graph]")
        print(f"graph of {tab.evaluate('report.n'):,} pages: opens in {time.perf_counter() - began:.2f} s")
        script = """() => {
            const g = views.graph, { gl } = g.drawing, out = {};
            for (const [name, set] of [["distilled", "distilled"], ["all links", "all"]]) {
                const took = [];
                for (let i = 0; i < 12; i++) {
                    const t = performance.now();
                    g.view.x += 0.5;
                    g.drawing.draw(g.view, [[set, gl.LINES], ["points", gl.POINTS]]);
                    g.write();
                    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits until all is drawn
                    took.push(performance.now() - t);
                }
                out[name] = [g.drawing.sets[set].n / 2, took.sort((a, b) => a - b)[6]];
            }
            return out;
        }"""
        for name, (n, took) in tab.evaluate(script).items():
            print(f"drawn with {name} ({n:,.0f}): {took:.0f} ms, without a graphics card")
        took = tab.evaluate(
            "() => { const t = performance.now(); for (let i = 0; i < 20; i++) views.graph.nearest({ clientX: 300 + i, clientY: 300 }); return (performance.now() - t) / 20; }"
        )
        print(f"the page under the pointer: {took:.1f} ms")


def repeated(result: Path, out: Path, n: int) -> Path:
    """A result folder with the pages of another one, again and again under other addresses."""
    out.mkdir()
    n_own = pq.read_metadata(result / "pages.parquet").num_rows
    for name in ("pages", "blocks", "links"):
        table = pq.read_table(result / f"{name}.parquet")
        with pq.ParquetWriter(out / f"{name}.parquet", table.schema) as writer:
            for k in range(-(-n // n_own)):
                again = table
                for column in {"page", "target", "url"} & set(table.column_names):
                    values: Any = table[column]
                    if column == "url":
                        values = pc.binary_join_element_wise(values.cast(pa.string()), pa.scalar(f"?copy={k}"), "")
                    else:
                        values = pc.if_else(pc.less(values, 0), values, pc.add(values, k * n_own))
                    field = table.schema.field(column)
                    again = again.set_column(again.column_names.index(column), field, values.cast(field.type))
                writer.write_table(again)
    summary = json.loads((result / "site.json").read_text("utf-8"))
    (out / "site.json").write_text(json.dumps({**summary, "pages": n_own * -(-n // n_own), "source": ""}), "utf-8")
    for name in ("articles.jsonl", "tocs.jsonl", "distilled.graphml"):
        (out / name).write_text("", "utf-8")
    return out


def time_explorer(folder: Path) -> None:
    """What a person waits for: the table, a filter, a search by title and one in the text."""
    import uvicorn
    from playwright.sync_api import sync_playwright

    from sitegrain.web.app import create_app, listen
    from sitegrain.web.session import open_session

    session = open_session(str(folder))
    began = time.perf_counter()
    session.search("harbour")
    print(
        f"explorer of {len(session.addresses):,} pages: the index is built once, in {time.perf_counter() - began:.0f} s"
    )
    for query in ("harbour", "the", "old bridge", "database index", "nothing-has-this-word"):
        took = []
        for _ in range(5):
            began = time.perf_counter()
            n = len(session.search(query))
            took.append(time.perf_counter() - began)
        print(f"search {query!r}: {n} shown, {min(took) * 1000:.0f} ms")
    bound = listen()
    port = bound.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(session, "secret", port), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    try:
        with sync_playwright() as playwright:
            tab = _tab(playwright)
            tab.set_default_timeout(120_000)
            began = time.perf_counter()
            tab.goto(f"http://127.0.0.1:{port}/secret/#/pages")
            tab.wait_for_selector("#view[data-ready=pages]")
            print(
                f"the table of {tab.evaluate('report.n'):,} rows: opens in {time.perf_counter() - began:.2f} s, the first time"
            )
            for name, query in (
                ("find", "q=bridge"),
                ("filter", "role=toc"),
                ("sort", "sort=title"),
                ("sort again", "sort=title&down=1"),
            ):
                script = "query => { let best = 1e9; for (let i = 0; i < 3; i++) { const t = performance.now(); views.pages.update({ query: new URLSearchParams(query) }); best = Math.min(best, performance.now() - t); } return best; }"
                print(f"{name}: {tab.evaluate(script, query):.0f} ms")
            script = "async query => { let best = 1e9; for (let i = 0; i < 5; i++) { const t = performance.now(); await ask(`search?q=${query}`); best = Math.min(best, performance.now() - t); } return best; }"
            print(f"a search, as the browser sees it: {tab.evaluate(script, 'harbour'):.0f} ms")
    finally:
        server.should_exit = True
        thread.join()
        session.close()


def _tab(playwright: Any) -> Any:
    args = ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
    return playwright.chromium.launch(executable_path=find_browser(CrawlOptions()), args=args).new_page()


if __name__ == "__main__":
    main()
