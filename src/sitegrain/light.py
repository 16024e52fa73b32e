"""Data classes and patterns that are light to make: every start makes a hundred of the first and three hundred of the second.

To type checkers both are those of the library.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "late_pattern"]

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from re import compile as late_pattern
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, **more):
        """That of the library, but that nothing at run time looks whether a frozen one is changed, which type checkers do. (With a guard in Python, 73 fields
        of each page cost 1 % of its time. `Site` has one of its own.)

        The library writes and compiles six functions for a frozen class, 0.3 to 0.5 ms; here it writes one, 0.1 ms, and what shows, compares and hashes
        is the same for all. And a value of eight fields is made in 0.2 us, not in 2.3: of a page a dozen are made.

        >>> @dataclass(frozen=True)
        ... class Cup:
        ...     tea: str
        ...     size: int = 2
        >>> Cup("green"), Cup("green") == Cup("green", 2), len({Cup("green"), Cup("green")})
        (Cup(tea='green', size=2), True, 1)
        """

        def made(cls):
            if more:  # slots and the like, which the library alone can make
                return dataclasses.dataclass(cls, eq=eq, frozen=frozen, **more)
            own = vars(cls)
            has_hash = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
            if "__repr__" not in own:
                cls.__repr__ = _shown
            if eq and "__eq__" not in own:
                cls.__eq__ = _is_equal
            if eq and not has_hash:
                cls.__hash__ = _hashed if frozen else None
            return dataclasses.dataclass(cls, eq=False, repr=False)

        return made if cls is None else made(cls)

    @cache
    def _compared(cls):
        """The names of the fields that are compared, and of those that are hashed."""
        of = dataclasses.fields(cls)
        hashed = tuple(f.name for f in of if (f.compare if f.hash is None else f.hash))
        return tuple(f.name for f in of if f.compare), hashed

    def _is_equal(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        names, _ = _compared(self.__class__)
        return tuple(getattr(self, name) for name in names) == tuple(getattr(other, name) for name in names)

    def _hashed(self):
        return hash(tuple(getattr(self, name) for name in _compared(self.__class__)[1]))

    @recursive_repr()
    def _shown(self) -> str:
        """As the library writes it."""
        fields = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
        return f"{type(self).__qualname__}({', '.join(fields)})"

    class late_pattern:
        """A regular expression that is compiled when something is first asked of it: for what few pages and sites ask for.

        What many ask for is compiled at once (`re.compile`), so that processes which divide share it.

        >>> tea = late_pattern(r"te+a")
        >>> tea.findall("tea, teea"), tea.pattern
        (['tea', 'teea'], 'te+a')
        """

        __slots__ = (
            "_flags", "_source", "findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern",
            "scanner", "search", "split", "sub", "subn",
        )  # fmt: skip

        def __init__(self, source: str | bytes, flags: int = 0) -> None:
            self._source = source
            self._flags = flags

        def __getattr__(self, name: str) -> Any:  # as long as nothing is there
            compiled = re.compile(self._source, self._flags)
            for known in self.__slots__[2:]:
                setattr(self, known, getattr(compiled, known))
            return getattr(compiled, name)
