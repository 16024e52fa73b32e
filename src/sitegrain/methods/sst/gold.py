"""Labels of pages, read from a file: which text nodes of a site people call content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.errors import SourceError, UsageError
from sitegrain.tables.select import select_rows
from sitegrain.tables.site import Site


def read_gold(file: Path, site: Site) -> tuple[Bools, Ints64]:
    """Per row: a text node that is content; and the pages that the file tells of.

    Each line of the file is a JSON object with the `path` of a page, a `content_selector` (CSS: the union of what it
    matches is content) and perhaps a `drop_selector` (what is not, inside): what `sitegrain evaluate` reads as
    `labels.jsonl`. Lines without a content selector, such as those of TOC pages, tell nothing here.
    """
    row = {path.removeprefix("html/"): page for page, path in enumerate(site.pages.path) if path}
    gold = np.zeros(site.n_nodes, np.bool_)
    pages: list[int] = []
    for label in _labels(file):
        page, selector = row.get(label["path"].removeprefix("html/"), -1), label["content_selector"]
        if page < 0 or not selector or label["kind"] not in ("", "article"):
            continue
        found = select_rows(site, page, selector, label["drop_selector"] or ":not(*)")
        if found is None or not len(found[0]):
            continue
        for rows, is_content in zip(found, (True, False), strict=True):
            for top in rows.tolist():
                gold[top : site.nodes.end[top]] = is_content
        pages.append(page)
    if not pages:
        raise UsageError(
            f"{file} labels the content of no page of this site: paths and selectors must be those of its pages"
        )
    return gold & site.is_text, np.array(sorted(pages), np.int64)


def _labels(file: Path) -> list[dict[str, str]]:
    """The labels of a file; what one does not say is empty."""
    try:
        lines = file.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot read the labels {file}: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            label = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{file} line {number} is not JSON: {error}") from error
        keys = ("path", "kind", "content_selector", "drop_selector")
        told: dict[str, Any] = {key: label.get(key) or "" for key in keys} if isinstance(label, dict) else {"": None}
        if not all(isinstance(value, str) for value in told.values()):
            raise SourceError(f"{file} line {number} is not a label: path, kind and selectors must be text")
        found.append(told)
    return found
