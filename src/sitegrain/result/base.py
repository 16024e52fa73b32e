"""What every result can be asked, whether it was mined just now or is read from its folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.article.found import FoundPage
from sitegrain.article.lists.series import Section, sections_of
from sitegrain.errors import UsageError
from sitegrain.methods.base import ROLES
from sitegrain.tables.notebook import counted, html_table, shortened

A_co = TypeVar("A_co", bound=FoundPage, covariant=True)


class PageList(Sequence[A_co]):
    """Some pages of a result, in an order; each is looked up when it is asked for.

    >>> PageList("article", [3, 5], lambda page: page)[::-1]
    PageList(2 articles)
    """

    def __init__(self, what: str, rows: Sequence[int], look_up: Callable[[int], A_co]) -> None:
        self._what = what
        self._rows = rows
        self._look_up = look_up

    def __repr__(self) -> str:
        return f"{type(self).__name__}({counted(len(self), self._what)})"

    def _repr_html_(self) -> str:
        rows = ((a.page, a.title, a.url) for a in self)
        return html_table(counted(len(self), self._what), ("page", "title", "url"), rows, len(self))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> A_co: ...
    @overload
    def __getitem__(self, index: slice) -> PageList[A_co]: ...
    def __getitem__(self, index: int | slice) -> A_co | PageList[A_co]:
        if isinstance(index, slice):
            return PageList(self._what, self._rows[index], self._look_up)
        if not -len(self) <= index < len(self):
            raise IndexError(f"number {index} of {counted(len(self), self._what)}")
        return self._look_up(self._rows[index])


class AnyResult(ABC, Generic[A_co]):
    """What was found in a site: `Result` when it was mined just now, `StoredResult` when it was read from a folder.

    Its length is the number of pages, an index gives what was found on that page.
    """

    def __repr__(self) -> str:
        found = ((len(self), "page"), (self.count("toc"), "TOC page"), (self.count("article"), "article"))
        return f"{type(self).__name__}({shortened(self._where, 60)}: {', '.join(counted(*n) for n in found)})"

    @property
    @abstractmethod
    def _where(self) -> str:
        """What to call the site by, for people."""

    def _repr_html_(self) -> str:
        rows = ((a.page, a.role, a.title, a.url) for a in self)
        return html_table(repr(self), ("page", "role", "title", "url"), rows, len(self))

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, page: int) -> A_co: ...

    def __iter__(self) -> Iterator[A_co]:
        return (self[page] for page in range(len(self)))

    @property
    @abstractmethod
    def _page_role(self) -> npt.NDArray[np.int8]:
        """Per page: its role, a place in `ROLES`."""

    @property
    @abstractmethod
    def _page_toc(self) -> npt.NDArray[np.float64]:
        """Per page: how much it is like a TOC page."""

    def count(self, role: str) -> int:
        """How many pages have this role."""
        return len(self._order(role))

    @property
    def articles(self) -> PageList[A_co]:
        """The article pages, in order."""
        return PageList("article", self._order("article"), self.__getitem__)

    @property
    def tocs(self) -> PageList[A_co]:
        """The TOC pages, those most like one first."""
        return PageList("TOC page", self._order("toc"), self.__getitem__)

    @property
    def sections(self) -> list[Section]:
        """The lists of the site: TOC pages that are one series ("page 2") are put together, their entries in order."""
        tocs = [(page, self[page].url) for page in self._order("toc")]
        return sections_of(tocs, lambda page: self[page].entries)

    def _order(self, role: str) -> list[int]:
        """The pages of a role, in the order of `articles` and `tocs` and of the lines in their files."""
        if role not in ROLES:
            raise UsageError(f"no role is called {role!r}; there are: {', '.join(ROLES)}")
        rows = np.flatnonzero(self._page_role == ROLES.index(role))
        if role == "toc":
            rows = rows[np.argsort(-self._page_toc[rows], kind="stable")]
        found: list[int] = rows.tolist()
        return found

    @property
    @abstractmethod
    def pages(self) -> pa.Table:
        """One row per page: see docs/output.md."""

    @property
    @abstractmethod
    def blocks(self) -> pa.Table:
        """One row per block: see docs/output.md."""

    @property
    @abstractmethod
    def links(self) -> pa.Table:
        """One row per link: see docs/output.md."""

    @property
    @abstractmethod
    def summary(self) -> Mapping[str, Any]:
        """What was done and found, in numbers: see docs/output.md, site.json."""

    @abstractmethod
    def graphml(self) -> str:
        """The distilled site as GraphML: TOC pages, articles, and the informative links between them."""

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """`pages`, `blocks` or `links`; with `columns`, those alone."""
        table = getattr(self, name)
        return table if columns is None else table.select(list(columns))

    def column_names(self, name: str) -> list[str]:
        """The columns of `pages`, `blocks` or `links`."""
        return list(self.table(name).column_names)
