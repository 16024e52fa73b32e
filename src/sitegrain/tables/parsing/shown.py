"""What browsers show otherwise than a parser reads it: shadow roots that a page declares, signs of no width, readings of ruby, titles of drawings."""

from __future__ import annotations

import re
from typing import Any

import numpy.typing as npt

from sitegrain import native

_SHADOW = b"shadowroot"
_RARE = _SHADOW.index(b"w")
"""The letter of it that pages have fewest of."""
_TOKEN = re.compile(rb"<!--|<script\b|<(/?)template(?=[\s/>])([^>]*)", re.IGNORECASE)
_IS_SHADOW = re.compile(rb"\sshadowroot(?:mode)?\s*=", re.IGNORECASE)


def open_shadow_roots(data: bytes) -> bytes:
    """A page whose shadow roots are elements like others: a `<template shadowrootmode>` is shown, another one is not.

    >>> open_shadow_roots(b"<my-tea><template shadowrootmode=open><p>Boil</template></my-tea>")
    b'<my-tea><shadow-root shadowrootmode=open><p>Boil</shadow-root></my-tea>'
    """
    if not native.holds(data, _SHADOW, _RARE):
        return data
    small = data.lower()
    out: list[bytes] = []
    is_shadow: list[bool] = []
    kept_from = at = 0
    while token := _TOKEN.search(data, at):
        at = token.end()
        if token[2] is None:
            closing = b"-->" if token[0] == b"<!--" else b"</script"
            at = small.find(closing, at)
            if at < 0:
                break
            continue
        if token[1]:
            if not is_shadow or not is_shadow.pop():
                continue
        else:
            is_shadow.append(_IS_SHADOW.search(token[2]) is not None)
            if not is_shadow[-1]:
                continue
        out += [data[kept_from : token.start()], b"</shadow-root" if token[1] else b"<shadow-root"]
        kept_from = token.end() if token[1] else token.start(2)
    return b"".join((*out, data[kept_from:]))


def without_unseen(text: str, columns: dict[str, npt.NDArray[Any]]) -> tuple[str, dict[str, npt.NDArray[Any]]]:
    """The text of a page without what stands in no line, and those of its `columns` that follow: see `native.unseen`."""
    found = native.unseen(text, columns["tag"], columns["end"], columns["text_start"], columns["text_end"])
    if found is None:
        return text, {}
    shown, start, stop, tag = found
    changed: dict[str, npt.NDArray[Any]] = {"text_start": start, "text_end": stop}
    return shown, changed if tag is None else changed | {"tag": tag}
