"""Crawls that follow one another: which WARC a recrawl was compared with, and the one before that.

A recrawl stores what did not change as revisit records, which point into the WARC of the earlier crawl. So a recrawl is
whole only together with the files before it. Its first record names the one before, relative to its own folder.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

EARLIER_FIELD = "sitegrain-earlier"
"""Line of the first record of a crawl's WARC that names the earlier one."""
MAX_CHAIN = 30
"""Crawls that build on one another. Reading a recrawl reads all of them, so after this many (a month of daily crawls) the
next one stores every page again and begins a new chain."""
_FIRST_RECORD = 1 << 16
"""No first record of ours is longer."""


def earlier_name(earlier: str | Path, out: str | Path) -> str:
    """How the first record of `out` names the earlier WARC: relative to the folder of `out`, so both can be moved."""
    return os.path.relpath(os.path.realpath(earlier), os.path.dirname(os.path.realpath(out))).replace(os.sep, "/")


def earlier_of(path: str | Path) -> Path | None:
    """The WARC that a recrawl builds on, if it says so; the file may be missing. None for any other WARC."""
    for line in _first_record(path).decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == EARLIER_FIELD and value.strip():
            return Path(path).parent / value.strip()
    return None


def chain_of(path: str | Path) -> list[Path]:
    """A WARC and those that it builds on, the oldest first; it ends before a file that is not there."""
    found, seen = [Path(path)], {os.path.realpath(path)}
    while len(found) < 2 * MAX_CHAIN and (before := earlier_of(found[-1])) is not None:
        # A file may name any other, also itself: only plain files that look like a crawl's are opened, and each once.
        if not (before.name.endswith(".warc.gz") and before.is_file()) or os.path.realpath(before) in seen:
            break
        seen.add(os.path.realpath(before))
        found.append(before)
    return found[::-1]


def _first_record(path: str | Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return zlib.decompressobj(31).decompress(file.read(_FIRST_RECORD), _FIRST_RECORD)
    except (OSError, zlib.error):  # whoever reads the pages says what is wrong
        return b""
