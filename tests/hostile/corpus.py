"""Hostile pages by rule: every case is a function of the size it may have, so the corpus is small to keep and exact to repeat.

A case repeats one thing that costs some part of the program more than its bytes suggest. Names say what and where:
`deep-blockquote` is that tag opened without end, `run-#-heading` a heading of nothing but `#`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

Case = Callable[[int], bytes]
"""The bytes of a page of about a size."""

PROSE = b"A paragraph of ordinary prose that says something, with a comma and a stop. " * 8
AROUND = b"<p>" + PROSE + b"</p>"
"""What is kept, so that what stands between two of them is written."""


def _fill(unit: str | bytes, before: bytes = b"", after: bytes = b"") -> Case:
    piece = unit.encode() if isinstance(unit, str) else unit

    def case(size: int) -> bytes:
        room = max(size - len(before) - len(after), len(piece))
        return before + piece * (room // len(piece)) + after

    return case


def _numbered(unit: str, before: str = "", after: str = "") -> Case:
    """`unit` again and again with its number in place of `{}`."""

    def case(size: int) -> bytes:
        n = max((size - len(before) - len(after)) // (len(unit) + 4), 1)
        return (before + "".join(unit.replace("{}", str(i)) for i in range(n)) + after).encode()

    return case


def _both(first: str, second: str, share: float = 0.5, between: str = "", numbered: bool = False) -> Case:
    """Many of one thing, then many of another."""

    def case(size: int) -> bytes:
        one = _numbered(first) if numbered else _fill(first)
        return one(int(size * share)) + between.encode() + _fill(second)(int(size * (1 - share)))

    return case


def _kept(case: Case) -> Case:
    """Between two paragraphs that are sure to be kept."""
    return lambda size: AROUND * 2 + case(max(size - 4 * len(AROUND), 1)) + AROUND * 2


TAGS = (
    "a href=/x|abbr|address|applet|article|aside|b|bdo|big|blockquote|button|center|cite|code|dd|details|dialog|dir|div|dl|dt|em|"
    "fieldset|figcaption|figure|font|form|frameset|h1|h6|header|i|iframe|label|li|main|map|mark|marquee|math|menu|nav|nobr|"
    "noembed|noframes|noscript|object|ol|optgroup|option|p|plaintext|pre|q|rb|rp|rt|rtc|ruby|s|section|select|small|span|"
    "strike|strong|sub|summary|sup|svg|table|tbody|td|template|textarea|th|time|title|tr|tt|u|ul|video|xmp|x-y"
).split("|")  # fmt: skip
FOREIGN = "td tr option optgroup p li g foreignObject title desc mi mtext annotation-xml link br a".split()
FORMATTING = "b i font code u small strong tt big em s nobr a".split()
RUNS = "# - = | * _ ~ ` [ ] ( ) < > ! \\ & : . / + ' \" $ % @ ^ { } ,".split()
PLACES = {
    "text": ("<p>", "</p>"),
    "heading": ("<h2>", "a</h2>"),
    "title": ("<title>", "</title>" + AROUND.decode()),
    "cell": ("<table><tr><th>a<th>b<tr><td>c<td>", "</table>"),
}


def _cases() -> Iterator[tuple[str, Case]]:
    for tag in TAGS:
        name = tag.split()[0]
        yield f"deep-{name}", _kept(_fill(f"<{tag}>"))
        yield f"many-{name}", _kept(_fill(f"<{tag}>a</{name}>"))
    for root in ("svg", "math"):
        for tag in FOREIGN:
            yield f"deep-{root}-{tag}", _kept(_fill(f"<{tag}>", f"<{root}>".encode(), b"deep"))
    for tag in FORMATTING:
        yield f"reopened-{tag}", _both(f"<{tag} id={{}}>", "<p>x", 0.1, "</div>", numbered=True)
    for block in ("div", "li", "td", "section", "h2", "/p", "br", "x-y"):
        yield f"reopened-b-{block.strip('/')}", _both("<b id={}>", f"<{block}>", 0.05, "</div>", numbered=True)
    for run in RUNS:
        for place, (start, end) in PLACES.items():
            case = _fill(run.replace("<", "&lt;").replace("&", "&amp;", run == "&"), start.encode(), end.encode())
            yield f"run-{run}-{place}", case if place == "title" else _kept(case)
    yield from _tables()
    yield from _structures()
    yield from _values()
    yield from _texts()
    yield from _raw()
    yield from _data()


def _tables() -> Iterator[tuple[str, Case]]:
    yield "table-ragged", _kept(_both("<td>x", "<tr><td>a<td>b", 0.25))
    for name, case in {
        "wide-then-long": _both("<td>x", "<tr><td>a<td>b", 0.3),
        "colspan": _both("<td colspan=100>x", "<tr><td>a<td>b", 0.1),
        "rowspan": _both("<td rowspan=100>x", "<tr><td>a<td>b", 0.1),
        "spans": _fill("<tr><td colspan=1000 rowspan=1000>a<td>b"),
        "one-row": _fill("<td>a"),
        "one-column": _fill("<tr><td>a"),
        "empty-cells": _fill("<tr><td><td><td>"),
        "captions": _fill("<caption>a</caption>"),
        "heads": _fill("<thead><tr><th>a<tbody>"),
        "foster": _fill("a<b>c</b>"),
        "foster-tags": _fill("<div>a<tr>"),
        "cell-lists": _fill("<tr><td><ul><li>a<li>b</ul><td>c"),
        "big-cells": _fill(b"<tr><td>" + PROSE + b"<td>b"),
    }.items():
        yield f"table-{name}", _kept(lambda size, case=case: b"<table><tr>" + case(size) + b"</table>")  # type: ignore[misc]
    yield "tables-in-cells", _kept(_fill("<table><tr><td>a<td>"))
    yield "tables-small", _kept(_fill("<table><tr><th>a<th>b<tr><td>c<td>d</table>"))


def _structures() -> Iterator[tuple[str, Case]]:
    for name, unit in {
        "quote": "<blockquote>", "list": "<ul><li>", "ordered": "<ol><li>a", "terms": "<dl><dd>", "quote-list": "<blockquote><ul><li>",
        "table": "<table><tr><td>a<td>", "heading": "<h2>a", "details": "<details>a", "pre": "<pre>", "figure": "<figure>",
    }.items():  # fmt: skip
        yield f"nested-{name}-lines", _kept(_both(unit, "<p>Some words here.", 0.1))
        yield f"nested-{name}-text", _kept(_both(unit, "words ", 0.1))
        yield f"nested-{name}-both", _kept(_fill(unit + "<p>Some words here.</p>"))
    for name, unit in {
        "marks": "<b>a</b>", "links": "<a href=/x>a</a>", "permalinks": "<a href=#x>#</a>", "terms": "<dt>a</dt><dd>b</dd>", "items": "<li>a",
        "cells": "<td>a", "quotes": "<blockquote>a</blockquote>", "headings": "<h3>a</h3>", "lines": "<p>a",
    }.items():  # fmt: skip
        yield f"under-divs-{name}", _kept(_both("<div>", unit, 0.003))
        yield f"under-tables-{name}", _kept(_both("<table><tr><td>", unit, 0.003))
        yield f"under-bold-divs-{name}", _kept(_both("<b><div>", unit, 0.002))
    yield "list-nested-twice", _kept(_fill("<ul><li>a<ul><li>b</ul></ul>"))
    yield "marks-alternate", _kept(_fill("<b>a<i>b</b>c</i>"))
    yield "marks-around-blocks", _kept(_both("<b><i>", "<div>a</div>", 0.001))
    yield "links-around-blocks", _kept(_fill("<a href=/x><div>a</div>"))
    yield "code-lines", _kept(_fill("<div><span class=linenos>1</span>a</div>", b"<pre>", b"</pre>"))
    yield "code-gutters", _kept(_fill("<pre>1\n2\n3</pre><pre>a\nb</pre>"))
    yield "code-breaks", _kept(_fill("<br>a", b"<pre>", b"</pre>"))
    yield "breaks", _kept(_fill("<br>"))
    yield "breaks-text", _kept(_fill("a<br>"))
    yield "rules", _kept(_fill("<hr>"))
    yield "images", _kept(_numbered("<img src=/{}.png alt=a>"))
    yield "images-deep", _kept(_both("<div>", "<img src=a.png>", 0.01))
    yield "frames", _kept(_fill("<iframe src=https://www.youtube.com/embed/x></iframe>"))
    yield "formulas", _kept(_fill(r"<span class=math>\(x^2\)</span>"))
    yield "formula-deep", _kept(_fill("<msup><mi>x</mi>", b"<math>"))
    yield "delimiters", _kept(_fill(r"\(", b"<span class=math>", b"</span>"))
    yield "headings", _kept(_numbered("<h2>Heading {}</h2>"))
    yield (
        "posts",
        _numbered("<div class=post><a class=author>u{}</a><time>2020-01-01</time><p>Some words of a post.</div>"),
    )
    yield "comments", _numbered("<div class=comment id=c{}><b>u{}</b><p>I think so, too.</p></div>")
    yield "entries", _numbered("<li><a href=/n/{}>A headline of some words {}</a><p>And a teaser to it.")
    yield "empty-blocks", _fill("<div></div>")
    yield "stray-ends", _fill("</p>")
    yield "stray-breaks", _fill("</br>")
    yield "selects", _kept(_fill("<option>a", b"<select>"))
    yield "forms", _kept(_fill("<form><input><label>a</label></form>"))


def _values() -> Iterator[tuple[str, Case]]:
    yield "attributes-kept", _kept(_fill("<p id=a class=b style=c title=d lang=e dir=f>x"))
    yield "attributes-different", _kept(_numbered("<p id={} class='c{} d{}'>x"))
    yield "attributes-repeated", _kept(_fill("id=a ", b"<p ", b">x"))
    yield "attributes-unknown", _kept(_numbered("a{}=b ", "<p ", ">x"))
    yield "attributes-long", _kept(_numbered("<p class='" + "c " * 2000 + "{}'>x"))
    yield "attribute-endless", _kept(_fill("x", b"<a href='"))
    yield "classes-many", _kept(_fill("a-b_c ", b"<p class='", b"'>x"))
    yield "names-dashes", _kept(_fill("-", b"<p class='", b"'>x"))
    yield "tags-unknown", _kept(_numbered("<x-{}>a"))
    yield "tag-long", _kept(_fill("x", b"<", b">a"))
    yield "meta-many", _numbered("<meta name=n{} content=c{}>")
    yield "meta-long", _fill("word, ", b"<meta name=author content='", b"'>" + AROUND)
    yield "meta-date", _fill("2020-01-01 ", b"<meta property=article:published_time content='", b"'>" + AROUND)
    yield "links-many", _kept(_numbered("<a href=/{}>link {}</a> "))
    yield "links-equal", _kept(_fill("<a href=/x>a</a>"))
    yield "links-long", _kept(_numbered("<a href='/" + "x" * 4000 + "{}'>a</a>"))
    yield "links-dots", _kept(_fill("<a href='" + "../" * 300 + "a'>a</a>"))
    yield "links-strange", _kept(_fill("<a href='http://[::1'>a</a><a href='//'>b</a><a href='javascript:x'>c</a>"))
    yield "links-hosts", _kept(_numbered("<a href=http://h{}.example.org/>a</a>"))
    yield "links-queries", _kept(_numbered("<a href='?" + "a=b&" * 50 + "{}'>a</a>"))
    yield "link-percent", _kept(_fill("%", b"<a href='/", b"'>a</a>"))
    yield "base-long", _kept(_fill("a/", b"<base href='http://a.org/", b"'><a href=b>c</a>"))
    yield "links-base", _kept(_fill("<a href=b>c</a>", b"<base href='http://a.org/" + b"a/" * 1500 + b"'>"))
    yield "srcset-long", _kept(_fill("a.png 1x, ", b"<img src='' srcset='", b"'>"))
    yield "styles", _kept(_fill("<p style='" + "a:b;" * 120 + "display:none'>x"))
    yield "ids-equal", _kept(_fill("<p id=a>x"))
    yield "itemprops", _kept(_fill("<span itemprop=author>Ann Lee</span>"))
    yield "times", _kept(_fill("<time datetime=2020-01-01>1 January 2020</time>"))
    yield "bylines", _kept(_fill("<p class=byline>By Ann Lee, Bob Ray and Cy Poe</p>"))
    yield "breadcrumbs", _kept(_fill("<li class=breadcrumb><a href=/a>a</a>", b"<ol>"))
    yield "colspan-digits", _kept(_fill("9", b"<table><tr><td colspan=", b">a<td>b<tr><td>c<td>d</table>"))


def _texts() -> Iterator[tuple[str, Case]]:
    for name, unit in {
        "letter": "a", "digit": "7", "words": "word ", "dates": "1 Jan 2020 ", "names": "By Ann Lee ", "cjk": "中", "combining": "é\u0301",
        "zero-width": "\u200b", "rtl": "\u202eab", "nbsp": "&nbsp;", "entities": "&#x10ffff;", "amp": "&amp;", "emoji": "😀", "thai": "ก",
        "newlines": "\n", "tabs": "a\t", "spaces": "a      ", "sentences": "Ah. ", "mails": "a@b.org ", "urls": "http://a.org/b ",
        "escapes": "\x1b[31m", "controls": "\x01\x02", "signs": "\x0e\x10a\x11", "nul": "\0a", "bad": "&#0;", "dotless": "İı", "sharp-s": "ß",
    }.items():  # fmt: skip
        yield f"text-{name}", _kept(_fill(unit, b"<p>", b"</p>"))
    yield "text-bare", _fill("word ")
    yield "text-invalid", _kept(_fill(b"\xff\xfe\xc0\x80", b"<p>"))
    yield "text-pieces", _kept(_fill("<!-- -->a"))
    yield "title-words", _fill("word ", b"<title>", b"</title>" + AROUND)
    yield "title-bars", _fill(" | a", b"<title>", b"</title>" + AROUND)
    yield "titles", _fill("<title>a</title>", b"", AROUND)
    yield "h1-many", _kept(_fill("<h1>A title</h1>"))
    yield "noise", lambda size: random.Random(size).randbytes(size)
    yield "utf16", lambda size: ("<p>" + "words " * (size // 12)).encode("utf-16")
    yield "utf7", lambda size: b"<meta charset=utf-7><p>" + b"+AGEAYg- " * (size // 9)
    yield "hz", lambda size: b"<meta charset=hz><p>" + b"~{VPND~} " * (size // 9)
    yield "lies", lambda size: b"<meta charset=shift_jis><p>" + b"\x81\xff\x00" * (size // 3)


def _raw() -> Iterator[tuple[str, Case]]:
    yield "script-dashes", _fill("-", b"<script><!--", b"</script>" + AROUND)
    yield "script-comments", _fill("<!--", b"<script>", b"</script>" + AROUND)
    yield "script-twice", _fill("<!--<script></script>", b"<script>", b"</script>" + AROUND)
    yield "script-open", _fill("var a;", b"<script>")
    yield "scripts", _fill("<script>a</script>", b"", AROUND)
    yield "comment-open", _fill("-", AROUND + b"<!--")
    yield "comments-many", _fill("<!---->", AROUND)
    yield "comments-odd", _fill("<!-->", AROUND)
    yield "cdata", _fill("<![CDATA[a]]>", AROUND + b"<svg>")
    yield "doctypes", _fill("<!doctype html>", AROUND)
    yield "lt", _fill("<", AROUND)
    yield "lt-letter", _fill("<a", AROUND)
    yield "slashes", _fill("/", AROUND + b"<p ", b">x")
    yield "closed-paths", _fill("<path/>", AROUND + b"<svg>")
    yield "closed-html", _fill("<g/>", AROUND + b"<p>")
    yield "closed-unknown", _fill("<x/>", AROUND)
    yield "closed-raw", _fill("<textarea/><iframe/>", b'<?xml version="1.0"?>' + AROUND, AROUND)
    yield "noscript-raw", _fill("<noscript><iframe></noscript>", AROUND)
    yield "noembed-tags", _fill("<p>", AROUND + b"<noembed>", b"</noembed>x")
    yield "plaintext-tags", _fill("<p>a", AROUND + b"<plaintext>")
    yield "svg-links", _fill("<link>t</link>", AROUND + b"<svg>", b"</svg>")
    yield "svg-voids", _fill("<br></br><img></img>", AROUND + b"<math>", b"</math>")
    yield "svg-styles", _fill("<div>", AROUND + b"<svg><style>")
    yield "svg-titles", _fill("<title>", AROUND + b"<svg>")
    yield "svg-cdata", _fill("<td>", AROUND + b"<svg><![CDATA[><!--]]>")
    yield "svg-left", _fill("<div>", AROUND + b"<svg><foreignObject><div></svg></div></foreignObject><style>")
    yield "select-style", _fill("<div>", AROUND + b"<select><style></select>")
    yield "templates", _fill("<template><p>a</template>", AROUND)
    yield "framesets", _fill("<frameset><frame src=a>")
    yield "heads", _fill("<head></head><body>", b"", AROUND)


def _ld(value: str) -> Case:
    return lambda size: (
        b"<script type=application/ld+json>" + value.replace("{}", "9" * size).encode() + b"</script>" + AROUND
    )


def _data() -> Iterator[tuple[str, Case]]:
    start, end = b"<script type=application/ld+json>", b"</script>" + AROUND
    yield "ld-arrays", _fill("[", start, end)
    yield "ld-objects", _fill('{"a":', start, end)
    yield "ld-graph", _fill('{"@type":"Article","headline":"a"},', start + b"[", b"{}]" + end)
    yield "ld-many", _fill('<script type=application/ld+json>{"@type":"Article"}</script>', b"", AROUND)
    yield "ld-authors", _fill('{"name":"Ann Lee"},', start + b'{"@type":"Article","author":[', b"{}]}" + end)
    yield "ld-number", _ld('{"@type":"Article","headline":{}}')
    yield "ld-escapes", _fill("\\u0061", start + b'{"@type":"Article","headline":"', b'"}' + end)
    yield "ld-surrogates", _fill("\\ud800", start + b'{"@type":"Article","headline":"', b'"}' + end)
    body = json.dumps({"@type": "Article", "articleBody": "words " * 40})
    yield "ld-body", _fill("a|b ", start + b'{"@type":"Article","articleBody":"', b'"}</script><div id=root></div>')
    yield "ld-bodies", _fill(f"<script type=application/ld+json>{body}</script>", b"", b"<div id=root></div>")
    yield "ld-date", _fill("2020-", start + b'{"@type":"Article","datePublished":"', b'"}' + end)
    yield "mixed", _mixed


def _mixed(size: int) -> bytes:
    """Pieces of all kinds in a random order."""
    rng = random.Random(size)
    pieces = (
        [f"<{t}>" for t in TAGS] + [f"</{t.split()[0]}>" for t in TAGS] + ["some words ", "&amp;", "<!-- -->", "\n"]
    )
    out, length = [], 0
    while length < size:
        out.append(rng.choice(pieces))
        length += len(out[-1])
    return "".join(out).encode()


CASES: dict[str, Case] = dict(_cases())
