"""Pages that press on every rule of the reader of plain pages, and what the long way makes of a page."""

from __future__ import annotations

import random

import numpy as np

from sitegrain import native
from sitegrain.tables.budgets import MAX_NESTING, max_rows
from sitegrain.tables.parsing.parse import TAG_BITS, parse_tree, read_tree

_BLOCKS = "div p ul ol li dl dt dd h1 h2 h3 pre listing blockquote section article form center address fieldset details dialog search main"
_MARKS = "a b i em font nobr code strong u tt small big s strike"
_TABLES = "table tbody thead tfoot tr td th caption col colgroup"
_OTHER = (
    "span button select option optgroup input hr br img image area wbr ruby rb rt rtc rp object marquee applet param source label my-tag "
    "a-name-of-more-than-sixteen-letters keygen bgsound menuitem"
)
_HEAD = "html head body title meta link base noscript style script template noframes"
_RAW = "textarea xmp iframe noembed title style script noframes"
_FOREIGN = "svg math g path foreignObject desc title mi mo mtext annotation-xml linearGradient image use a font style script mglyph clipPath"
_RARE = "frameset frame plaintext selectedcontent"
FAMILIES = {
    name: tuple(tags.split())
    for name, tags in {
        "blocks": _BLOCKS, "marks": _MARKS, "tables": _TABLES, "other": _OTHER, "head": _HEAD, "raw": _RAW, "foreign": _FOREIGN, "rare": _RARE,
    }.items()
}  # fmt: skip
_TEXTS = (
    "x", " ", "\n", " y ", "\r\n", "\r", "&amp;", "&nbsp;", "a&lt;b", "&copy2", "&copy=", "&notit;", "&#65;", "&#x80;", "&#0;", "&#13;", "&#32;",
    "&#10;", "a < b", "<", "<3", "é中😀", "&", "&;", "&#;", "&#x;", "&hellip", "&Aacutex", "{}", "\t\f",
)  # fmt: skip
_VALUES = (
    "", "=x", "='a b'", '="c"', "=", "='&amp;'", "=&copy=1", "='&copy;&lt&ltx'", '="a\r\nb"', " = z", "='text/html'", "=hidden", "='application/ld+json'",
    "='display:none'", "=a/", "='>'",
)  # fmt: skip
_NAMES = (
    "class",
    "id",
    "type",
    "HREF",
    "style",
    "hidden",
    "title",
    "color",
    "encoding",
    "onclick",
    "data-x",
    "lang",
    "aria-hidden",
    "/",
    "=a",
    "xlink:href",
)
_WHOLE = (
    "<!-- c -->", "<!-->", "<!--->", "<!--a--!>", "<!x>", "<?php echo 1 ?>", "</ x>", "<!doctype html>", "<!DOCTYPE html PUBLIC 'x'>", "<![CDATA[x]]>", "</>",
    "</p>", "</br>", "</body>", "</html>", "<body class=a id=b>", "<html lang=en>", "<script>a<b</script>", "<style>p>b</style>", "<textarea>\nq&amp;</textarea>",
    "<script type=application/ld+json>{\"a\":\"<b>\"}\r\n</script>", "<script><!--<script></script>--></script>", "<title>t&eacute;</title>", "<input type=hidden>",
    "<select><option>a<option>b</select>", "<svg><path d='M0'/><title>t</title></svg>", "<iframe src=x>f</iframe>", "<noscript><img></noscript>",
    "<a href=x>l</a>", "<b>", "</b>", "<p>", "<table><tr><td>", "</table>", "<template><p>t</template>",
)  # fmt: skip


def soup(rng: random.Random, most: int = 30) -> str:
    """A page of a few tags of a few families, opened and closed without care."""
    names = [tag for family in rng.sample(list(FAMILIES), rng.choice((1, 2, 2, 3, 8))) for tag in FAMILIES[family]]
    names = rng.sample(names, min(len(names), rng.choice((2, 4, 8, 40))))
    closing, attributes = rng.choice((0.2, 0.4, 0.6)), rng.choice((0.05, 0.3))
    pieces = [
        rng.choice(("", "<!doctype html>", "<!doctype html><html><head>", "<body>", "<table>", "<svg>", "<select>"))
    ]
    for _ in range(rng.randrange(1, most)):
        match rng.random():
            case kind if kind < 0.25:
                pieces.append(rng.choice(_TEXTS))
            case kind if kind < 0.35:
                pieces.append(rng.choice(_WHOLE))
            case _:
                name = rng.choice(names)
                if rng.random() < 0.1:
                    name = name.upper()
                if rng.random() < closing:
                    pieces.append(f"</{name}>")
                    continue
                pieces.append(f"<{name}")
                while rng.random() < attributes:
                    pieces.append(
                        f"{rng.choice((' ', ' ', ' ', '/', chr(10)))}{rng.choice(_NAMES)}{rng.choice(_VALUES)}"
                    )
                pieces.append(rng.choice((">", ">", ">", ">", "/>", " />")))
    return "".join(pieces)


def long_way(data: bytes) -> tuple[native.Scanned, int]:
    """A page by the guard, Lexbor and the reader of its tree; and what the guard cut."""
    left, cuts = native.guard(data, MAX_NESTING, max_rows(len(data)), TAG_BITS)
    return read_tree(parse_tree(left)), cuts


def difference(data: bytes) -> str:
    """How the reader of plain pages reads a page otherwise; "refused" with its word if it does not read it."""
    plain = native.read_plain(data, MAX_NESTING, max_rows(len(data)), TAG_BITS)
    if isinstance(plain, str):
        return f"refused: {plain}"
    expected, cuts = long_way(data)
    if cuts:
        return f"the guard cuts: {cuts}"
    for name, column in expected.columns.items():
        if not np.array_equal(plain.columns[name], column):
            return name
    return next((f for f in ("text", "value_text", "json_ld") if getattr(plain, f) != getattr(expected, f)), "")
