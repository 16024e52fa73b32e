"""The pages of a site on disk, packed and in parts: read once from wherever they come, then as often as the plan asks.

Of several captures of a page the last one counts and stands where the first one stood, as in `tables/parsing/build.py`.
"""

from __future__ import annotations

import itertools
import json
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from sitegrain.arrays.hashing import string_hash
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Ints64
from sitegrain.errors import OutputError
from sitegrain.light import dataclass
from sitegrain.plan.frames import PartFileError, frame, read_frame
from sitegrain.sources.base import Source
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.capture import Capture

PART_PAGES = 256
"""Pages of a part: what a worker holds at once. From 128 to 1,024 the time is the same within a twentieth; the memory is not."""
PART_BYTES = 24 << 20
"""Bytes of HTML of a part, for sites of large pages; the last page may exceed it."""
STEP = 16
"""Parts begin at multiples of this, so that files of a report, of so many pages each, lie within one part."""
HALVED, LEAST_HALF = 4, 64
"""The last parts, which are cut in two if each half has so many pages."""
FEW = 2
"""Parts of a site that are cut in two once more: beside so little HTML what is made of one part is most of the memory. Of 296 pages the peak
is 200 MB, and 217 with halves alone, in the same time."""
GROUP_PAGES, GROUP_BYTES = 16, 1 << 20
"""Pages that are packed together, and their bytes: 16 pages of a site take 0.16 of their HTML where each alone takes 0.41, and all of
them are unpacked where one is asked for."""
_HEAD = struct.Struct("<II")


@dataclass(frozen=True, eq=False)
class Place:
    """Where pages are: file, offset of the group and number within it of each, and the first page of each part."""

    folder: Path
    file: Ints64
    offset: Ints64
    within: Ints64
    start: Ints64
    """n_parts + 1 entries."""
    held: dict[int, Capture] = field(default_factory=dict, compare=False)
    """Pages that are still at hand as they came, until the first pass has them: none of them is unpacked then."""

    @property
    def n_pages(self) -> int:
        return len(self.file)

    @property
    def n_parts(self) -> int:
        return len(self.start) - 1

    def without(self, rows: Sequence[int]) -> Place:
        """The same parts without some pages."""
        keep = np.ones(self.n_pages, bool)
        keep[list(rows)] = False
        file, offset, within = self.file[keep], self.offset[keep], self.within[keep]
        return replace(self, file=file, offset=offset, within=within, start=offsets(keep)[self.start], held={})

    def remove(self) -> None:
        """The pages are not needed any more."""
        for path in self.folder.glob("*.pages"):
            path.unlink()

    def captures(self, part: int) -> list[Capture]:
        """The pages of a part."""
        return list(self.pages(range(int(self.start[part]), int(self.start[part + 1])), lets_go=True))

    def pages(self, rows: Iterable[int], lets_go: bool = False) -> Iterator[Capture]:
        """These pages, in this order; `lets_go` holds them no longer: whoever wants them again reads them from disk."""
        at, group = (-1, -1), list[bytes]()
        for row in rows:
            if (held := self.held.pop(row, None) if lets_go else self.held.get(row)) is not None:
                yield held
                continue
            number, offset = int(self.file[row]), int(self.offset[row])
            name = f"{number:06}.pages"
            try:
                if at != (number, offset):
                    with open(self.folder / name, "rb") as file:
                        file.seek(offset)
                        at, group = (number, offset), _records(read_frame(file))
                capture = _unpack(group[int(self.within[row])])
            except (OSError, ValueError, IndexError, struct.error) as error:
                raise PartFileError(f"{name} is damaged: {error}") from error
            yield capture


@dataclass
class Spool:
    """Takes the pages of a site one at a time."""

    folder: Path
    part_pages: int = PART_PAGES
    room: int = 0
    """Bytes of HTML that are also held as they came."""
    counts: Counter[str] = field(default_factory=Counter)
    n_bytes: int = 0
    _places: list[tuple[int, int, int]] = field(default_factory=list)
    _start: list[int] = field(default_factory=lambda: [0])
    _row: dict[int, int] = field(default_factory=dict)
    _size: int = 0
    _at: int = 0
    """Where the group that is being filled will be."""
    _group: list[bytes] = field(default_factory=list)
    _group_size: int = 0
    _held: dict[int, Capture] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._file = open(self.folder / "000000.pages", "wb")  # noqa: SIM115

    def __len__(self) -> int:
        return len(self._places)

    def add(self, capture: Capture) -> int:
        """Take one page; its row, which is that of an earlier page when it is a capture of that."""
        row = self._row.setdefault(_key(capture.url, len(self)), len(self))
        if row == len(self):
            self._begin_part()
            self._places.append((0, 0, 0))
        else:
            self.counts["duplicate URL, last capture kept"] += 1
        self._places[row] = (len(self._start) - 1, self._at, len(self._group))
        self._held.pop(row, None)
        if self.n_bytes + len(capture.body) <= self.room:
            self._held[row] = capture
        self._group.append(_packed(capture))
        self._group_size += len(capture.body)
        self._size += len(capture.body)
        self.n_bytes += len(capture.body)
        if len(self._group) >= GROUP_PAGES or self._group_size >= GROUP_BYTES:
            self._write_group()
        return row

    def _write_group(self) -> None:
        if not self._group:
            return
        packed = frame(b"".join(self._group))
        try:
            self._file.write(packed)
            self._file.flush()
        except OSError as error:
            raise OutputError(f"no room for the pages beside the result: {error.strerror or error}") from error
        self._at += len(packed)
        self._group.clear()
        self._group_size = 0

    def _begin_part(self) -> None:
        own = len(self) - self._start[-1]
        is_full = own >= self.part_pages or self._size >= PART_BYTES
        if own and is_full and len(self) % min(STEP, self.part_pages) == 0:
            self._write_group()
            self._start.append(len(self))
            self._file.close()
            self._file = open(self.folder / f"{len(self._start) - 1:06}.pages", "wb")  # noqa: SIM115
            self._size = self._at = 0

    def close(self) -> Place:
        """All pages are in: where they are."""
        self._write_group()
        self._file.close()
        places = np.array(self._places, np.int64).reshape(-1, 3)
        start = np.array(_smaller_at_the_end([*self._start, len(self)]), np.int64)
        return Place(self.folder, places[:, 0], places[:, 1], places[:, 2], start, self._held)


def _smaller_at_the_end(start: list[int]) -> list[int]:
    """Where parts begin, the last four cut in two: workers have all done when the last one has, and small sites are something for more
    than two. By the pages alone, so that the number of workers changes nothing."""
    for _ in range(2 if 2 < len(start) <= FEW + 1 else 1):
        cut = {start[-1]}
        for k, (first, last) in enumerate(itertools.pairwise(start)):
            cut.add(first)
            middle = (first + last) // 2 // STEP * STEP
            if k >= len(start) - 1 - HALVED and len(start) > 2 and min(middle - first, last - middle) >= LEAST_HALF:
                cut.add(middle)
        start = sorted(cut)
    return start


def _packed(capture: Capture) -> bytes:
    time = capture.time.isoformat() if capture.time else None
    head = json.dumps([capture.url, capture.status, dict(capture.headers), time, capture.path]).encode()
    return _HEAD.pack(len(head), len(capture.body)) + head + capture.body


def _records(group: bytes) -> list[bytes]:
    """The pages of a group, each as it was put there."""
    found: list[bytes] = []
    at = 0
    while at < len(group):
        size = _HEAD.size + sum(_HEAD.unpack_from(group, at))
        found.append(group[at : at + size])
        at += size
    return found


def _unpack(record: bytes) -> Capture:
    n_head, _ = _HEAD.unpack_from(record)
    body = _HEAD.size + n_head
    url, status, headers, time, path = json.loads(record[_HEAD.size : body])
    return Capture(url, record[body:], status, headers, datetime.fromisoformat(time) if time else None, path)


def _key(url: str, n: int) -> int:
    """What makes two captures one page; one without a good address is a page of its own."""
    key = page_key(resolve(url, "") or url) if url and _can_be_split(url) else f"no address {n}"
    return string_hash(key)


def _can_be_split(url: str) -> bool:
    # Hosts in brackets and in other letters are all that may be wrong.
    if url.isascii() and "[" not in url and "]" not in url:
        return True
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


class SpooledSource(Source):
    """The pages of a spool, with what their source said of itself."""

    def __init__(self, spool: Spool, source: object) -> None:
        super().__init__(source.name if isinstance(source, Source) else "captures")
        self.place, self._spooled = spool.close(), spool.counts
        self.of = source if isinstance(source, Source) else None
        self.about = self.of.about if self.of else ""

    def captures(self) -> Iterator[Capture]:
        """The pages, in order."""
        self.counts.update(self._spooled)
        if self.of is not None:
            self.counts.update(self.of.counts)
            self.problems.extend(self.of.problems)
        return self.place.pages(range(self.place.n_pages), lets_go=True)
