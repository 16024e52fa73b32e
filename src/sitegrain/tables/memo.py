"""What was worked out of a site is not worked out again as long as the site lives."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from types import CodeType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Ints, Ints8
from sitegrain.tables.site import Site

P = ParamSpec("P")
T = TypeVar("T")


if TYPE_CHECKING:
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):
        """That of the library without its lock, which it has no more from Python 3.12 on: of a page forty such properties are asked for.

        >>> class Page:
        ...     @cached_property
        ...     def n_rows(self):
        ...         print("counted")
        ...         return 3
        >>> page = Page()
        >>> page.n_rows, page.n_rows
        counted
        (3, 3)
        """

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


KEPT = 3
"""Answers kept of one function for one site: methods that are compared ask alike, and terms are as large as the text."""


def per_site(function: Callable[Concatenate[Site, P], T]) -> Callable[Concatenate[Site, P], T]:
    """Remember the last few answers of a function of a site, by its other arguments, which must be hashable.

    A site never changes, so an answer stays right. It is kept beside the tables of the site, and goes when the site goes: the answer itself must
    not hold the site. `dataclasses.replace(site)` is a site of which nothing is known yet.

    >>> from dataclasses import replace
    >>> from sitegrain.tables.parsing.build import build_site
    >>> @per_site
    ... def count(site, least=0):
    ...     print("counted")
    ...     return site.n_pages
    >>> site = build_site([])
    >>> count(site), count(site, least=0), count(replace(site))
    counted
    counted
    (0, 0, 0)
    """
    n_more, defaults = _arguments(function)
    n_least = n_more - len(defaults)

    if not n_more:  # most, and many are asked for every page

        @wraps(function)
        def known_at_once(site: Site, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return site.__dict__["_remembered"][function][()]  # type: ignore[no-any-return]
            except KeyError:
                return remembered(site, *args, **kwargs)

    @wraps(function)
    def remembered(site: Site, /, *args: P.args, **kwargs: P.kwargs) -> T:
        # Many are asked for every page, and binding takes longer than looking.
        if not kwargs and len(args) == n_more:
            key: tuple[Any, ...] = args
        elif not kwargs and len(args) == n_least:
            key = args + defaults
        else:
            asked = signature(function).bind(site, *args, **kwargs)
            asked.apply_defaults()
            key = asked.args[1:]
        try:
            return site.__dict__["_remembered"][function][key]  # type: ignore[no-any-return]
        except KeyError:  # also of an answer that is being looked for
            pass
        known: dict[Any, dict[tuple[Any, ...], T]] = vars(site).setdefault("_remembered", {})
        of_site = known.setdefault(function, {})
        answer = function(site, *args, **kwargs)
        for oldest in list(of_site)[: 1 - KEPT]:
            of_site.pop(oldest, None)
        of_site[key] = answer
        return answer

    return remembered if n_more else known_at_once


def _arguments(function: Callable[..., object]) -> tuple[int, tuple[Any, ...]]:
    """How many arguments there are after the site, and what the last of them are by default.

    >>> _arguments(lambda site, a, b=1: None)
    (2, (1,))
    """
    code: CodeType | None = getattr(function, "__code__", None)
    # Fifty functions are asked at every start, and a signature takes 50 us.
    if code is not None and not code.co_kwonlyargcount and not hasattr(function, "__wrapped__"):
        return code.co_argcount - 1, getattr(function, "__defaults__", None) or ()
    more = list(signature(function).parameters.values())[1:]
    return len(more), tuple(p.default for p in more if p.default is not p.empty)


class Asked:
    """What a question is answered for strings that are known by their numbers; each is asked once, when it is first needed,
    and many at once, which are told faster.

    >>> texts = ("Tea", "milk", "Bay")
    >>> is_title = Asked(texts, lambda some: [text.istitle() for text in some])
    >>> is_title.of(np.array([1, 0, 1])).tolist()
    [0, 1, 0]
    """

    def __init__(self, strings: Sequence[str], ask: Callable[[list[str]], Sequence[int] | Ints | Bools]) -> None:
        self._strings, self._ask = strings, ask
        self._known = np.full(len(strings), -1, np.int8)

    def of(self, which: Ints) -> Ints8:
        """The answers, from 0 to 127, for strings by their numbers."""
        found = self._known[which]
        if b"\xff" in found.tobytes():  # -1; found in bytes a few times as fast as in an array
            asked = distinct(which[found < 0])
            self._known[asked] = self._ask(list(map(self._strings.__getitem__, asked.tolist())))
            found = self._known[which]
        return found
