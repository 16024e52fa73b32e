"""Both bodies of the kernels, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from sitegrain import native
from sitegrain.extractor.cues import class_words, cue_words
from sitegrain.native import judging, pages, reference

T = TypeVar("T")

needs_core = pytest.mark.skipif(not native.is_compiled, reason="the core is not built: there is one body only")


def put_in(patch: pytest.MonkeyPatch, body: object) -> None:
    """All kernels are those of `body`."""
    for module in (pages, judging):
        patch.setattr(module, "core", body)


@contextmanager
def in_python() -> Iterator[None]:
    """Here the kernels run in Python. What one body made ready (words, trees, tables) is not for the other."""
    with pytest.MonkeyPatch.context() as patch:
        put_in(patch, reference)
        class_words.cache_clear()
        cue_words.cache_clear()
        yield
    class_words.cache_clear()
    cue_words.cache_clear()


def both(call: Callable[[], T]) -> tuple[T, T]:
    """What a call gives in C and in Python."""
    compiled = call()
    with in_python():
        return compiled, call()
