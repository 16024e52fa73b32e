"""htmldate as the last word on a date: slow, so it is asked only when nothing else told."""

from __future__ import annotations

import logging
from typing import Any

from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.tags import TAGS, TEXT

MAX_ROWS = 20_000
"""Rows of a page that are shown to htmldate; its time grows with them (about 1 ms for 100)."""
_CONTROL = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ATTRIBUTES = ("class", "id", "datetime", "content", "itemprop", "property", "name", "title")


def late_date(view: View, url: str) -> str:
    """The day of publication by htmldate's fast search, or an empty string."""
    from htmldate import find_date

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    tree = _tree(view)
    if tree is None:
        return ""
    try:
        found = find_date(tree, extensive_search=False, original_date=True, url=url or None)
    except Exception:  # another project's code on hostile input: whatever it raises, there is no date
        return ""
    return parse_date(found or "")


def _tree(view: View) -> Any:
    """The page as the lxml tree that htmldate wants, with the attributes it looks at."""
    from lxml import html

    nodes, start = view.site.nodes, view.rows.start
    stop = min(view.rows.stop, start + MAX_ROWS)
    if stop <= start:
        return None
    page_text = view.site.texts[view.page]
    attributes: dict[int, dict[str, str]] = {}
    for name in _ATTRIBUTES:
        for row, value in view.attrs(name).items():
            if row < stop:
                attributes.setdefault(row, {})[name] = _CONTROL.sub(" ", value)
    made: list[Any] = []
    root = html.Element("html")
    for row in range(start, stop):
        parent = int(nodes.parent[row])
        above = made[parent - start] if parent >= start else None
        tag = int(nodes.tag[row])
        if tag == TEXT:
            text = _CONTROL.sub(" ", page_text[nodes.text_start[row] : nodes.text_end[row]])
            if above is not None and len(above):
                above[-1].tail = (above[-1].tail or "") + text
            elif above is not None:
                above.text = (above.text or "") + text
            made.append(above)
            continue
        if above is None:
            made.append(root)
            continue
        name = TAGS[tag] if TAGS[tag] != "unknown" else "span"
        element = html.Element(name, attributes.get(row, {}))
        above.append(element)
        made.append(element)
    return root
