"""The reader of plain pages is a quick way only: in Python it refuses every page."""

from __future__ import annotations


def read_plain(data: bytes, nesting: int, rows: int, tag_bits: bytes) -> str:
    """`sitegrain.native.read_plain`."""
    return "no compiled core"
