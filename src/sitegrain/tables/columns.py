"""The columns of the tables: one dataclass a table, one array (or tuple of strings) a column."""

from __future__ import annotations

from collections.abc import Mapping

from sitegrain.arrays.types import Bits, Bools, Hashes, Ints16, Ints32, Ints64
from sitegrain.light import dataclass


@dataclass(frozen=True, eq=False)
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
    node_offset: Ints64
    """Rows of page p are node_offset[p]:node_offset[p+1]."""
    n_bytes: Ints64
    notes: tuple[str, ...]
    """What had to be done to read the page ("cut at 32 MB", "nesting flattened"), or empty."""

    def __len__(self) -> int:
        return len(self.url)


@dataclass(frozen=True, eq=False)
class Nodes:
    """One row per element and per text node that is not white space, in document order."""

    page: Ints32
    tag: Ints16
    """Code in `TAGS`; 0 is a text node."""
    parent: Ints32
    end: Ints32
    depth: Ints32
    text_start: Ints32
    """First character of the row's text in its page's text; an element spans its subtree."""
    text_end: Ints32
    flags: Bits

    def __len__(self) -> int:
        return len(self.page)


@dataclass(frozen=True, eq=False)
class Attrs:
    """One row per kept attribute (`ATTRIBUTES`), sorted by node."""

    node: Ints32
    name: Ints16
    """Code in `ATTRIBUTES`."""
    value: Ints32
    """Row of `Site.strings`."""

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True, eq=False)
class Links:
    """One row per `<a href>` or `<area href>`, in document order."""

    node: Ints32
    page: Ints32
    target: Ints32
    """Page that the link leads to, or -1 when it leaves the set."""
    url: tuple[str, ...]
    """Normalised target without fragment; empty for what is no http(s) address."""
    address: Ints32
    """Which of `addresses` that is."""
    addresses: tuple[str, ...]
    """Every different `url`, in no order."""
    address_key: Hashes
    """Per address: a key that all addresses of a page share."""
    is_self: Bools
    is_same_site: Bools
    """Same registrable domain as the page, whether in the set or not."""

    def __len__(self) -> int:
        return len(self.node)
