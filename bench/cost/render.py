"""What rendering costs: milliseconds for 1,000 rows of the node table, all text kept; and `extract` with Markdown against with text.

    python bench/cost/render.py ../shared/data/wcxb-dev.tar.xz [--every N]

Each page is rendered several times and the least time counts. Bare parsing of the same pages is shown beside it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

sys.path.insert(0, str(Path(__file__).parent))
from sitegrain import extract
from sitegrain.render import to_html, to_markdown, to_text
from sitegrain.tables.parsing.build import build_site
from tables import least, pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=10, help="use every Nth page")
    args = parser.parse_args()
    captures = list(pages(args.data, args.every))
    seconds = dict.fromkeys(("parse", "text", "markdown", "html"), 0.0)
    whole = dict.fromkeys(("text", "markdown"), 0.0)
    n_rows = 0
    for capture in captures:
        site = build_site([capture])
        kept = site.is_text
        n_rows += site.n_nodes
        seconds["parse"] += least(lambda body=capture.body: LexborHTMLParser(body), 3)  # type: ignore[misc]
        for name, render in (("text", to_text), ("markdown", to_markdown), ("html", to_html)):
            seconds[name] += least(lambda render=render, site=site, kept=kept: render(site, 0, kept), 3)
        for name in whole:
            whole[name] += least(lambda name=name, page=capture: getattr(extract(page.body, page.url), name), 3)
    print(f"{len(captures)} pages, {n_rows / len(captures):,.0f} rows a page")
    for name, total in seconds.items():
        print(f"{name:9} {total / n_rows * 1e6:6.2f} ms for 1,000 rows, {total / seconds['parse']:5.2f} x bare parsing")
    ratio = whole["markdown"] / whole["text"]
    each = ", ".join(f"{name} {total / len(captures) * 1e3:.2f} ms" for name, total in whole.items())
    print(f"extract: {each} a page; with Markdown {ratio:.2f} times its cost with text")


if __name__ == "__main__":
    main()
