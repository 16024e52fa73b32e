"""How much one page may ask for. Every limit on what a page makes of us is stated here and nowhere else.

Bytes and nesting alone bound nothing: 69 KB of tags that a parser opens again and again were eight million rows. A page that
is over a budget loses what is over it, which is counted and said in its notes; no other page loses anything. The largest of
the 42,389 labelled and unlabelled pages at hand is named with each number, so that it is seen how far off an ordinary page is.
"""

from __future__ import annotations

from sitegrain.native.columns import NUMBERS

MAX_PAGE_BYTES = 32_000_000
"""Far above any page at hand (the largest is under 8 MB), low enough for a bounded time."""

MAX_NESTING = 600
"""Browsers stop at 512 open elements (Blink, WebKit); the deepest page at hand has fewer than 200."""

FREE_ROWS, BYTES_PER_ROW, MAX_ROWS = 40_000, 8, 1_000_000
"""Rows (elements and texts) that any page may have, bytes that pay for each of more, and an end to that. The largest page at hand
has 47,765 rows and 31 bytes to each of them, the densest of more than 15,000 rows 15.6; a bare list of 50,000 links has 14, a table of 50,000 rows of three short cells 8.2. A block
holds a row of text and one of an element at least, so this bounds blocks, too: 62,500 of a page of 1 MB, where the page at hand with the most has 12,187 texts. With 6 bytes two hostile
pages of 1 MB take more than three seconds, with 8 none does."""

MAX_VALUE_BYTES = NUMBERS["MAX_VALUE_BYTES"]
"""Bytes that are kept of an attribute's value: longer ones are pictures written as addresses."""

MAX_TITLE = 2_000
"""Characters that are kept of a page's `<title>`; the longest at hand has under 1,000."""

MAX_BASE = 1_000
"""Characters of the address that a page's links are relative to; of a longer one only the host counts. Every link of a page
repeats it."""

MAX_PATH, MIN_PATH, MAX_PATHS = 1_500, 100, 8_000_000
"""Characters of the path of a block from the root of its page; of a longer one the end. All paths of a page share the last number,
down to the second for each: deep pages have many deep blocks, and their paths grow with the square of their bytes. The page at hand with the
most blocks may use 650 for each of them, and needs fewer than 200."""

MAX_RENDERED_NESTING = 40
"""Quotes, lists, items and cells within one another that are written as such (20 lists, 40 quotes): each goes over all its lines
once more. What is deeper is text of the last one. The deepest page at hand has 18."""

MAX_REACH = 64
"""Open elements that are looked through for the table of a cell or the list of an item."""

MAX_GRID_WIDTH, MAX_GRID_CELLS = 200, 50_000
"""Columns of a written table, what is wider shares the last one (the widest at hand has fewer than 100); and cells of one whose
rows are filled up with empty cells, which Markdown needs in the first row only."""

SECONDS_PER_PAGE = 60.0
"""Of processor time for parsing a page, for judging it alone, and for writing each form of it; then the page has failed. The largest
pages at hand take a tenth of a second, the worst hostile page of 1 MB three for all of this together; machines are slow, and without
the C core all takes fifty times as long."""

SECONDS_PER_MORE = 5.0
"""Of processor time for each page of a site that is judged together, on top of that: an ordinary page takes a fiftieth of a second, and a
second without the C core. Then it is looked for the page that takes so long."""

SECONDS_PER_PART = 1800.0
"""Of processor time for a part of a site (256 pages) in one pass, after which its worker is ended."""


def max_rows(n_bytes: int) -> int:
    """Rows that a page of so many bytes may have.

    >>> max_rows(0), max_rows(1_000_000), max_rows(20_000_000)
    (40000, 125000, 1000000)
    """
    return min(max(FREE_ROWS, n_bytes // BYTES_PER_ROW), MAX_ROWS)
