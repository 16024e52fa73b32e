"""What a person says of pages: rows of labels.jsonl, in the format of docs/evaluation.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.errors import SourceError, UsageError
from sitegrain.report.body import block_tops
from sitegrain.report.files import BlockPages
from sitegrain.tables.site import Site
from sitegrain.wholefile import write_whole

KINDS = ("article", "toc", "other")


class Labels:
    """A file of labels; it is written anew, whole or not at all, when a page is labelled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The rows by the paths of their pages."""
        try:
            lines = self.path.read_text("utf-8-sig").split("\n")
        except FileNotFoundError:
            return {}
        try:
            rows = [json.loads(line) for line in lines if line.strip()]
            return {str(row["path"]): row for row in rows}
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{self.path} holds no labels: give another file with --labels") from error

    def set(self, row: dict[str, Any]) -> None:
        """Take in a row, in place of an earlier one of its page."""
        rows = {**self.rows, row["path"]: row}
        write_whole(self.path, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows.values()))
        self.rows.update(rows)


def label_path(path: str, url: str) -> str:
    """What a page is called in a file of labels."""
    return (path or url).removeprefix("html/")


def label_row(path: str, kind: str, pages: BlockPages, page: int, blocks: Sequence[int]) -> dict[str, Any]:
    """The row of a page: its kind, and a selector of the blocks that are its content (or its list)."""
    if kind not in KINDS:
        raise UsageError(f"no kind {kind!r}; use one of {', '.join(KINDS)}")
    row: dict[str, Any] = {"path": path, "kind": kind}
    if kind != "other":
        row["toc_selector" if kind == "toc" else "content_selector"] = _selector(pages, page, blocks)
    return row


def _selector(pages: BlockPages, page: int, blocks: Sequence[int]) -> str:
    """A CSS selector of the largest elements all of whose text is chosen."""
    site: Site = pages.site
    rows = site.page_rows(page)
    chosen = np.isin(pages.row_block[rows], np.asarray(list(blocks), np.int64)).astype(np.int64)
    end, parent = site.nodes.end[rows] - rows.start, site.nodes.parent[rows] - rows.start
    tops = np.flatnonzero(block_tops(site.nodes.tag[rows], end.astype(np.int64), parent.astype(np.int64), chosen) == 1)
    if not len(tops):
        raise UsageError("choose the blocks that are the content of the page first")
    # Text beside text that was not chosen has no element of its own: its parent is the nearest there is.
    elements = dict.fromkeys(int(parent[r]) if site.is_text[r + rows.start] else int(r) for r in tops.tolist())
    return ", ".join(_nth_path(site.xpath(row + rows.start)) for row in elements)


def _nth_path(xpath: str) -> str:
    """An XPath with positions as CSS.

    >>> _nth_path("/html/body[1]/p[2]")
    'html > body:nth-of-type(1) > p:nth-of-type(2)'
    """
    return " > ".join(step.replace("[", ":nth-of-type(").replace("]", ")") for step in xpath.strip("/").split("/"))


def block_numbers(values: object) -> list[int]:
    """Block numbers from a request; anything else is refused."""
    if not isinstance(values, list) or len(values) > 100_000 or not all(type(v) is int and v >= 0 for v in values):
        raise UsageError("blocks must be a list of numbers")
    return list(values)
