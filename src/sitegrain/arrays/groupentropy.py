"""Term entropy inside each of many document collections at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sitegrain.arrays.types import Floats, Ints, Ints64


@dataclass(frozen=True, eq=False)
class GroupEntropy:
    """Entropy EN of every term of every collection, sorted by (group, term)."""

    group: Ints64
    term: Ints64
    entropy: Floats

    def look_up(self, group: Ints, term: Ints, missing: float = 0.0) -> Floats:
        """EN of each (group, term) pair; `missing` for pairs that were not seen."""
        out = np.full(len(group), missing)
        if not len(self.group) or not len(group):
            return out
        # Terms below 2^31, so a pair is one integer and the search is one pass.
        known = (self.group << 31) | self.term
        asked = (np.asarray(group, np.int64) << 31) | np.asarray(term, np.int64)
        at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        hit = (known[at] == asked) & (np.asarray(term) >= 0) & (np.asarray(group) >= 0)
        out[hit] = self.entropy[at[hit]]
        return out


def group_entropy(group: Ints, document: Ints, term: Ints, n_documents: Ints) -> GroupEntropy:
    """Entropy of the terms of several document collections, each with its own documents.

    One row per term occurrence: its collection, its document and its term. `n_documents[g]` is the size of
    collection g (documents without any term count too); EN = -Σ w log_n w with w the share of the term's
    occurrences in a document, and 0 when n is 1.

    >>> e = group_entropy(np.array([0, 0, 0, 1]), np.array([0, 1, 1, 0]), np.array([5, 5, 6, 5]), np.array([2, 1]))
    >>> e.group.tolist(), e.term.tolist(), e.entropy.tolist()
    ([0, 0, 1], [5, 6, 5], [1.0, 0.0, 0.0])
    """
    empty = np.zeros(0, np.int64)
    if not len(group):
        return GroupEntropy(empty, empty, np.zeros(0))
    key = (np.asarray(group, np.int64) << 31) | np.asarray(term, np.int64)
    order = np.lexsort((document, key))
    key, document = key[order], np.asarray(document)[order]
    new_key = np.append(True, key[1:] != key[:-1])
    new_cell = new_key | np.append(True, document[1:] != document[:-1])
    cell = np.flatnonzero(new_cell)
    tf = np.diff(np.append(cell, len(key))).astype(np.float64)
    first = np.flatnonzero(new_key[cell])
    total = np.add.reduceat(tf, first)
    spread = np.add.reduceat(tf * np.log(tf), first)
    key = key[cell][first]
    which = key >> 31
    n = np.asarray(n_documents)[which]
    raw = np.log(total) - spread / total
    entropy = np.where(n > 1, raw / np.log(np.maximum(n, 2)), 0.0)
    return GroupEntropy(which, key & ((1 << 31) - 1), np.clip(entropy, 0.0, 1.0))
