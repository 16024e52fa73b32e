"""Many strings as two arrays, and how often each comes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.counts import Counts, merged
from sitegrain.arrays.hashing import string_hashes
from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Bits, Ints, Ints64
from sitegrain.light import dataclass

AT_ONCE = 256
"""Strings that are unpacked together."""


@dataclass(frozen=True, eq=False)
class Strings(Sequence[str]):
    """Strings one after the other, as UTF-8.

    >>> list(Strings.of(["a", "", "été"]))
    ['a', '', 'été']
    """

    data: Bits
    offset: Ints64

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Pack strings; halves of surrogate pairs, which pages do have, stay as they are."""
        raw = [s.encode("utf-8", "surrogatepass") for s in strings]
        return cls(np.frombuffer(b"".join(raw), np.uint8), offsets([len(r) for r in raw]))

    @classmethod
    def joined(cls, parts: Sequence[Strings]) -> Strings:
        """The strings of all parts, one after the other."""
        size = [np.zeros(0, np.int64), *(np.diff(part.offset) for part in parts)]
        return cls(
            np.concatenate([np.zeros(0, np.uint8), *(part.data for part in parts)]), offsets(np.concatenate(size))
        )

    def __len__(self) -> int:
        return len(self.offset) - 1

    def __iter__(self) -> Iterator[str]:
        return (text for first in range(0, len(self), AT_ONCE) for text in self.some(first, first + AT_ONCE))

    def some(self, first: int, last: int) -> list[str]:
        """Those from one place up to another; many at once take a third of the time of one by one.

        >>> Strings.of(["a", "b", "c"]).some(1, 3)
        ['b', 'c']
        """
        at = self.offset[first : last + 1]
        if not len(at):
            return []
        data, ends = self.data[at[0] : at[-1]].tobytes(), (at - at[0]).tolist()
        return [data[start:end].decode("utf-8", "surrogatepass") for start, end in itertools.pairwise(ends)]

    def __getitem__(self, k: int) -> str:  # type: ignore[override]
        if not 0 <= k < len(self):
            raise IndexError(k)
        return self.data[self.offset[k] : self.offset[k + 1]].tobytes().decode("utf-8", "surrogatepass")


class SharedStrings(NamedTuple):
    """Strings of which many are the same: each different one once.

    >>> SharedStrings(["a", "b"], np.array([1, 0, 1])).each()
    ['b', 'a', 'b']
    """

    strings: Sequence[str]
    which: Ints

    def each(self) -> list[str]:
        """All of them, one by one."""
        return [self.strings[k] for k in self.which.tolist()]


@dataclass(frozen=True, eq=False)
class StringCounts:
    """On how many pages strings are.

    >>> a, b = StringCounts.of({"tea": 2, "milk": 1}), StringCounts.of({"tea": 3})
    >>> sorted(a.merge(b).as_dict(least=2).items())
    [('tea', 5)]
    """

    counts: Counts
    strings: Strings
    """In the order of the keys."""

    @classmethod
    def of(cls, found: Mapping[str, int]) -> StringCounts:
        """From a counter."""
        strings = list(found)
        key = string_hashes(strings)
        order = np.argsort(key, kind="stable")
        times = np.fromiter(found.values(), np.int64, len(found))
        return cls(Counts(key[order], times[order].reshape(-1, 1)), Strings.of(strings[k] for k in order.tolist()))

    def merge(self, other: StringCounts) -> StringCounts:
        """The counts of both."""
        return merged_strings([self.counts, other.counts], [lambda: self.strings, lambda: other.strings])

    def as_dict(self, least: float = 1) -> dict[str, int]:
        """Those on so many pages or more, in the order of their keys."""
        times = self.counts.times
        return {self.strings[k]: int(times[k]) for k in np.flatnonzero(times >= least).tolist()}


def merged_strings(counts: Sequence[Counts], strings: Sequence[Callable[[], Strings]], least: int = 1) -> StringCounts:
    """The counts of all parts; the strings of one part at a time are asked for, and only those that count are read."""
    total = merged(counts, least)
    is_missing = np.ones(len(total), bool)
    data, size, place = [np.zeros(0, np.uint8)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for part, strings_of in zip(counts, strings, strict=True):
        row = total.row(part.key)
        wanted = np.flatnonzero((row >= 0) & is_missing[row] if len(total) else np.zeros(len(row), bool))
        if len(wanted):
            said = strings_of()
            data.append(take_segments(said.data, said.offset, wanted))
            size.append(np.diff(said.offset)[wanted])
            place.append(row[wanted])
            is_missing[row[wanted]] = False
    order = np.argsort(np.concatenate(place), kind="stable")
    sizes = np.concatenate(size)
    found = take_segments(np.concatenate(data), offsets(sizes), order)
    return StringCounts(total, Strings(found, offsets(sizes[order])))
