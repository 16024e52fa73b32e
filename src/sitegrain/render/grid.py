"""Data tables: their cells, which tables show data and not the layout, and cells at their places.

A page may claim any span, so a grid has at most `MAX_GRID_WIDTH` columns, and spans beyond count as one cell.
"""

from __future__ import annotations

import re
from dataclasses import field

from sitegrain.light import dataclass
from sitegrain.tables.budgets import MAX_GRID_CELLS, MAX_GRID_WIDTH
from sitegrain.tables.tags import HEADINGS

MAX_SPAN = 100
LONG_CELL = 600
"""Characters of a cell that is prose: a table of two by two such cells is a page in columns."""
PROSE_CELL = 100
"""Characters of a cell in the mean from which several paragraphs are prose: prices for two kinds of people are two lines of 20."""
LAYOUT_TAGS = frozenset((*HEADINGS, "pre", "xmp", "textarea", "table", "blockquote", "article", "form", "hr"))
"""With any of these inside, a table is there for the layout."""


@dataclass
class Cell:
    """One cell of a data table."""

    blocks: list[str]
    """What it holds, written."""
    is_header: bool
    colspan: int = 1
    rowspan: int = 1


@dataclass
class Table:
    """A data table as it stands in the page; rows may be ragged and cells may span."""

    caption: str = ""
    rows: list[list[Cell]] = field(default_factory=list)


def read_span(value: str) -> int:
    """The value of a `colspan` or `rowspan`."""
    return min(int(value), MAX_SPAN) if re.fullmatch(r"[1-9]\d{0,5}", value.strip()) else 1


def is_layout(tags: list[str], cell_sizes: list[int], role: str) -> bool:
    """True for a table that only puts things side by side. `tags` are those inside of it, `cell_sizes` the characters of
    its cells."""
    if role in ("presentation", "none"):
        return True
    n_cells, n_rows = len(cell_sizes), tags.count("tr")
    # One column or one row shows no relation between things; several paragraphs to a cell are prose, if they are not short lines.
    if n_rows < 2 or n_cells < 2 * n_rows or any(tag in LAYOUT_TAGS for tag in tags):
        return True
    if tags.count("p") > n_cells and sum(cell_sizes) > PROSE_CELL * n_cells:
        return True
    if "th" in tags or "caption" in tags:
        return False
    return max(cell_sizes) > LONG_CELL or sum(size > 0 for size in cell_sizes) < 2


def grid(table: Table, written: list[list[str]]) -> list[list[str]]:
    """Cells at their places: Markdown has no spans, so a spanning cell stands first and leaves the rest empty.

    `written` are the texts of the cells, row by row as in `table.rows`. Empty columns and rows are left out.
    """
    rows: list[dict[int, str]] = []
    held: dict[int, int] = {}
    for row, texts in zip(table.rows, written, strict=True):
        line: dict[int, str] = {}
        x = 0
        for cell, text in zip(row, texts, strict=True):
            while x in held:
                x += 1
            x = min(x, MAX_GRID_WIDTH - 1)  # what is wider shares the last column
            line[x] = f"{line[x]} {text}" if x in line else text
            span = cell.colspan if x + cell.colspan <= MAX_GRID_WIDTH else 1
            if cell.rowspan > 1 and x + span <= MAX_GRID_WIDTH:
                held.update(dict.fromkeys(range(x, x + span), cell.rowspan))
            x += span
        held = {at: left - 1 for at, left in held.items() if left > 1}
        rows.append(line)
    used = sorted({x for line in rows for x, text in line.items() if text})
    pad = len(used) * len(rows) <= MAX_GRID_CELLS
    out: list[list[str]] = []
    for line in rows:
        if any(line.values()):
            last = used[-1] if pad or not out else max(x for x, text in line.items() if text)
            out.append([line.get(x, "") for x in used if x <= last])
    return out
