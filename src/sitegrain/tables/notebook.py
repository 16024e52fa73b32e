"""What is shown of a site, a page or a result: one line at the prompt, a small table in a notebook.

Whatever comes from a page is text here, and none of it becomes markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MAX_ROWS = 10
"""Rows of a preview: it says what is there, and the tables have the rest."""
MAX_CELL = 80

_CELL = "text-align:left;vertical-align:top;padding:2px 8px"


def shortened(text: str, length: int) -> str:
    """A text on one line, cut with an ellipsis.

    >>> shortened("Boil  water, wait.", 12)
    'Boil water,…'
    """
    # A page may be long, and a line of it is all that is shown.
    line = " ".join(text[: 8 * length].split())
    return line if len(line) <= length and len(text) <= 8 * length else line[: length - 1] + "…"


def counted(n: int, word: str) -> str:
    """
    >>> counted(1, "page"), counted(1200, "link")
    ('1 page', '1,200 links')
    """
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def html_table(heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]], n_rows: int) -> str:
    """A heading and the first rows of a table as safe HTML; `n_rows` is how many there are in all."""
    shown = [row for row, _ in zip(rows, range(MAX_ROWS), strict=False)]
    head = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{_cell(value)}</td>' for value in row) + "</tr>" for row in shown
    )
    more = f"<div>… and {n_rows - len(shown):,} more</div>" if n_rows > len(shown) else ""
    return f"<div><b>{_cell(heading)}</b><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def html_card(heading: str, facts: str, text: str) -> str:
    """A heading, a line of facts and the start of a text as safe HTML."""
    start = text if len(text) <= 1000 else text[:999] + "…"
    return (
        f'<div><b>{_cell(heading)}</b><div style="opacity:.7">{_safe(shortened(facts, 300))}</div>'
        f'<div style="white-space:pre-wrap;max-width:50em">{_safe(start)}</div></div>'
    )


def _cell(value: object) -> str:
    return _safe(shortened(str(value), MAX_CELL))


def _safe(text: str) -> str:
    # Halves of surrogate pairs cannot be sent to a browser.
    return escape(text.encode("utf-8", "replace").decode())
