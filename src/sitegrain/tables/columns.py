"""The columns of the tables: one dataclass a table, one array (or tuple of strings) a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Int = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Bool = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pages:
    """One row per page."""

    url: tuple[str, ...]
    path: tuple[str, ...]
    """Name in the folder or archive the page came from; empty when there is none."""
    title: tuple[str, ...]
    language: tuple[str, ...]
    """What the page says of itself (`<html lang>`), lower case, or empty."""
    canonical: tuple[str, ...]
    base: tuple[str, ...]
    """The address that relative links are resolved against."""
    meta: tuple[Mapping[str, str], ...]
    """`<meta>` name/property/http-equiv/itemprop (lower case) -> content; first one wins."""
    json_ld: tuple[tuple[str, ...], ...]
    """Raw text of every `<script type=application/ld+json>`."""
    node_offset: Int64
    """Rows of page p are node_offset[p]:node_offset[p+1]."""
    n_bytes: Int64
    notes: tuple[str, ...]
    """What had to be done to read the page ("cut at 20 MB", "nesting flattened"), or empty."""

    def __len__(self) -> int:
        return len(self.url)


@dataclass(frozen=True)
class Nodes:
    """One row per element and per text node that is not white space, in document order."""

    page: Int
    tag: npt.NDArray[np.int16]
    """Code in `TAGS`; 0 is a text node."""
    parent: Int
    end: Int
    depth: Int
    text_start: Int
    """First character of the row's text in its page's text; an element spans its subtree."""
    text_end: Int
    flags: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.page)


@dataclass(frozen=True)
class Attrs:
    """One row per kept attribute (`ATTRIBUTES`), sorted by node."""

    node: Int
    name: npt.NDArray[np.int16]
    """Code in `ATTRIBUTES`."""
    value: Int
    """Row of `Site.strings`."""

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True)
class Links:
    """One row per `<a href>` or `<area href>`, in document order."""

    node: Int
    page: Int
    target: Int
    """Page that the link leads to, or -1 when it leaves the set."""
    url: tuple[str, ...]
    """Normalised target without fragment; empty for what is no http(s) address."""
    is_self: Bool
    is_same_site: Bool
    """Same registrable domain as the page, whether in the set or not."""

    def __len__(self) -> int:
        return len(self.node)
