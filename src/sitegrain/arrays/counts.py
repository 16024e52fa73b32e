"""How often things come, by a 64-bit key: the statistic that parts of a site are counted with and merged by.

Columns are whole numbers, so a sum does not depend on its order: merging is associative and commutative to the last bit,
and a site that was counted in any number of parts has the same counts. A fraction is counted in units of `UNIT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Hashes, Ints64
from sitegrain.light import dataclass

UNIT = 2.0**32
"""Units of a fraction: one addend is off by 1.2e-10 at most, and sums up to 2e9 fit."""
KEYS_AT_ONCE = 1 << 20
"""Keys that `merged` sorts at once: bounds its memory to some 50 MB beside what it is given."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Whole numbers by key, keys ascending and each once.

    >>> a, b = Counts.of(np.array([7, 5, 7], np.uint64)), Counts.of(np.array([9, 7], np.uint64))
    >>> both = a.merge(b)
    >>> both.key.tolist(), both.times.tolist(), both.at(np.array([7, 8], np.uint64)).tolist()
    ([5, 7, 9], [1, 3, 1], [3, 0])
    """

    key: Hashes
    values: Ints64
    """n x k: what is added up; the first column says how often the key came."""

    @classmethod
    def of(cls, key: Hashes, *columns: npt.NDArray[np.integer]) -> Counts:
        """Count keys that may come again, and add up these columns."""
        if columns:  # numpy sorts keys alone in a fraction of the time that it takes to find their order
            order = np.argsort(key, kind="stable")
            ordered = key[order]
        else:
            ordered = np.sort(key)
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(key) else np.zeros(0, np.int64)
        out = np.empty((len(first), 1 + len(columns)), np.int64)
        out[:, 0] = np.diff(first, append=len(key))
        for k, column in enumerate(columns, 1):
            out[:, k] = np.add.reduceat(column[order], first, dtype=np.int64) if len(first) else 0
        return cls(ordered[first], out)

    @classmethod
    def none(cls, n_columns: int = 1) -> Counts:
        """Counts of nothing."""
        return cls(np.zeros(0, np.uint64), np.zeros((0, n_columns), np.int64))

    def __len__(self) -> int:
        return len(self.key)

    @property
    def times(self) -> Ints64:
        """How often each key came."""
        return self.values[:, 0]

    def merge(self, other: Counts) -> Counts:
        """The counts of both."""
        return merged([self, other], n_columns=self.values.shape[1])

    def at_least(self, times: float) -> Counts:
        """Those that came so often."""
        return self.where(self.times >= times)

    def where(self, chosen: npt.NDArray[np.bool_]) -> Counts:
        """The chosen ones."""
        return Counts(self.key[chosen], self.values[chosen])

    def row(self, key: Hashes) -> Ints64:
        """Where each of these keys is; -1 where it is not."""
        if not len(self.key):
            return np.full(len(key), -1, np.int64)
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[at] == key, at, -1)

    def at(self, key: Hashes, missing: int = 0, column: int = 0) -> Ints64:
        """A column for these keys."""
        row = self.row(key)
        return np.where(row >= 0, self.values[row, column], missing) if len(self) else np.full(len(key), missing)


def merged(parts: Sequence[Counts], least: int = 1, n_columns: int = 1) -> Counts:
    """The counts of all parts, of keys that come `least` times or more in all.

    Ranges of keys are merged one after the other, so that what is dropped never takes room. `n_columns` is the width of an
    answer about nothing.
    """
    parts = [part for part in parts if len(part)]
    if not parts:
        return Counts.none(n_columns)
    out: list[Counts] = []
    for slices in _ranges([part.key for part in parts]):
        key = np.concatenate([part.key[at] for part, at in zip(parts, slices, strict=True)])
        values = np.concatenate([part.values[at] for part, at in zip(parts, slices, strict=True)])
        if len(key):
            order = np.argsort(key, kind="stable")
            key = key[order]
            first = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
            out.append(Counts(key[first], np.add.reduceat(values[order], first, axis=0)).at_least(least))
    return Counts(np.concatenate([c.key for c in out]), np.concatenate([c.values for c in out]))


@dataclass(frozen=True, eq=False)
class Distinct:
    """Different things, each with what it belongs to: distinct anchors of a page, distinct texts at a path.

    >>> one = Distinct.unique(np.array([5, 5, 6], np.uint64), np.array([1, 1, 2], np.uint64))
    >>> Distinct.joined([one, one]).owner.tolist()
    [1, 2]
    """

    key: Hashes
    owner: Hashes

    @classmethod
    def unique(cls, key: Hashes, of: Hashes) -> Distinct:
        """Of pairs that may come again; what a key belongs to is always the same."""
        found, at = np.unique(key, return_index=True)
        return cls(found, of[at])

    def merge(self, other: Distinct) -> Distinct:
        """What is in either."""
        return Distinct.joined([self, other])

    @classmethod
    def joined(cls, parts: Sequence[Distinct]) -> Distinct:
        """What is in any of the parts; ranges of keys one after the other."""
        parts = [part for part in parts if len(part.key)]
        out = [cls(np.zeros(0, np.uint64), np.zeros(0, np.uint64))]
        for slices in _ranges([part.key for part in parts]):
            key = np.concatenate([part.key[at] for part, at in zip(parts, slices, strict=True)])
            owner = np.concatenate([part.owner[at] for part, at in zip(parts, slices, strict=True)])
            out.append(cls.unique(key, owner))
        return cls(np.concatenate([p.key for p in out]), np.concatenate([p.owner for p in out]))


def _ranges(keys: Sequence[Hashes]) -> list[list[slice]]:
    """Ranges of keys of some `KEYS_AT_ONCE` in all, each as one slice of every array."""
    total = sum(len(key) for key in keys)
    n_ranges = max(1, -(-total // KEYS_AT_ONCE)) if keys else 0
    bounds = (np.arange(1, n_ranges, dtype=np.float64) / max(n_ranges, 1) * 2.0**64).astype(np.uint64)
    cuts = [[0, *np.searchsorted(key, bounds).tolist(), len(key)] for key in keys]
    return [[slice(cut[k], cut[k + 1]) for cut in cuts] for k in range(n_ranges)]


def units(values: Floats) -> Ints64:
    """Fractions as whole numbers of units."""
    return np.rint(np.asarray(values, np.float64) * UNIT).astype(np.int64)


def joined(columns: Iterable[npt.NDArray[np.generic]], kind: npt.DTypeLike) -> npt.NDArray[np.generic]:
    """Arrays one after the other; empty of this kind when there are none."""
    found = list(columns)
    return np.concatenate(found) if found else np.zeros(0, kind)
