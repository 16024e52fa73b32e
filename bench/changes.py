"""What becomes of the text when a page is changed in ways that should change nothing of it.

    python bench/changes.py DATA/fundus.tar.xz ... [--every N]

Markup is written another way, hints are taken away, boxes are added. `same` is the mean word F1 of the text against that of the page as it
was, `gold` against its truth. The shipped model has learned from these pages: compare the columns, and not with figures out of fold.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import sitegrain
from sitegrain.evaluation.data import open_pages
from sitegrain.evaluation.metrics import word_prf
from sitegrain.tables.parsing.charset import decode

BANNER = (
    "<div><p>We use cookies and similar tools to give you the best experience on our site, to measure traffic and to show ads that fit. "
    "By clicking Accept you agree to this, as our cookie policy says.</p><button>Accept all</button></div>"
)
FOOTER = (
    "<div><div><h4>About</h4><p>Founded in 1984, we are an independent publisher that brings you the stories that matter, every day.</p></div>"
    "<ul><li><a href=/a>Careers</a><li><a href=/b>Press</a><li><a href=/c>Terms of use</a></ul><p>Copyright 2024 Example Media Ltd. All rights "
    "reserved.</p></div>"
)
MENU = "".join(
    f"<li><a href=/{k}>{name}</a><ul>{''.join(f'<li><a href=/{k}/{kind}>{name} {kind}</a>' for kind in ('news', 'reviews', 'archive'))}</ul>"
    for k, name in enumerate("Home World Business Sport Culture Travel Science Health Opinion Weather Games".split())
)
CARDS = "".join(
    f"<div><a href=/s/{k}><img src=/{k}.jpg><h4>{title}</h4></a><p>{lead}</p></div>"
    for k, (title, lead) in enumerate(
        (
            (
                "Council agrees plan for the new harbour bridge",
                "It will open in spring, after years of debate about what it costs.",
            ),
            (
                "Ten quiet beaches that locals would rather keep",
                "From hidden coves to long dunes, here is where to go in July.",
            ),
            (
                "Why the old mill is turning again",
                "Volunteers have spent three winters on the wheel, and the flour is back.",
            ),
        )
    )
)
RELATED = f"<div><h3>You may also like</h3>{CARDS}</div>"
NEWSLETTER = (
    "<div><h3>Sign up for our newsletter</h3><p>Get the best stories of the week in your inbox every Friday. You can unsubscribe at any time."
    "</p><form><input type=email><button>Subscribe</button></form></div>"
)


def replaced(pattern: str, by: str) -> Callable[[str], str]:
    compiled = re.compile(pattern, re.IGNORECASE | re.DOTALL)
    return lambda html: compiled.sub(by, html)


def at_top(box: str) -> Callable[[str], str]:
    return lambda html: re.sub(r"<body[^>]*>", lambda tag: tag[0] + box, html, count=1, flags=re.IGNORECASE)


def at_bottom(box: str) -> Callable[[str], str]:
    def change(html: str) -> str:
        end = html.lower().rfind("</body>")
        return html[:end] + box + html[end:] if end >= 0 else html + box

    return change


def within(box: str) -> Callable[[str], str]:
    """Behind the paragraph in the middle."""

    def change(html: str) -> str:
        ends = [end.end() for end in re.finditer(r"</p>", html, re.IGNORECASE)]
        middle = ends[len(ends) // 2] if len(ends) > 5 else 0
        return html[:middle] + box + html[middle:] if middle else html

    return change


CHANGES: dict[str, Callable[[str], str]] = {
    "as it is": lambda html: html,
    "in two more boxes": lambda html: at_bottom("</div></div>")(at_top("<div><div>")(html)),
    "tags in capitals": lambda html: re.sub(r"<(/?)([a-z][a-z0-9]*)", lambda m: f"<{m[1]}{m[2].upper()}", html),
    "no comments": replaced(r"<!--.*?-->", ""),
    "no scripts, styles": replaced(r"<(script|style)\b(?![^>]*ld\+json).*?</\1>", ""),
    "no <meta>": replaced(r"<meta(?![^>]*charset)[^>]*>", ""),
    "no JSON-LD": replaced(r"<script[^>]*ld\+json.*?</script>", ""),
    "no <title>": replaced(r"<title.*?</title>", ""),
    "no pictures": replaced(r"<img[^>]*>", ""),
    "<p> is <div>": replaced(r"<(/?)p(?=[\s>])", r"<\1div"),
    "<div> is <section>": replaced(r"<(/?)div(?=[\s>])", r"<\1section"),
    "<main>, <nav> ... are <div>": replaced(r"<(/?)(article|main|section|header|footer|nav|aside)(?=[\s>])", r"<\1div"),
    "banner above": at_top(BANNER),
    "banner below": at_bottom(BANNER),
    "menu above": at_top(f"<ul>{MENU}</ul>"),
    "footer below": at_bottom(FOOTER),
    "related below": at_bottom(RELATED),
    "related within": within(RELATED),
    "newsletter within": within(NEWSLETTER),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=4)
    options = parser.parse_args()
    for source in options.data:
        same: defaultdict[str, float] = defaultdict(float)
        gold: defaultdict[str, float] = defaultdict(float)
        n = 0
        for i, (capture, truth) in enumerate(open_pages(source).captures()):
            if i % options.every or not truth.text:
                continue
            n += 1
            html = decode(capture.body, capture.content_type)[0]
            before = ""
            for name, change in CHANGES.items():
                text = sitegrain.extract(change(html), capture.url).text
                before = text if name == "as it is" else before
                same[name] += word_prf(text, before).f1
                gold[name] += word_prf(text, truth.text).f1
        print(f"{source.name}: {n} pages")
        for name in CHANGES:
            print(
                f"  {name:30} same {same[name] / n:.4f}  gold {gold[name] / n:.4f} ({(gold[name] - gold['as it is']) / n:+.4f})"
            )


if __name__ == "__main__":
    main()
