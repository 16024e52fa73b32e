"""What browsers show otherwise than a parser reads it: shadow roots that a page declares, and soft hyphens."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

_SHADOW = b"shadowroot"
_TOKEN = re.compile(rb"<!--|<script\b|<(/?)template(?=[\s/>])([^>]*)", re.IGNORECASE)
_IS_SHADOW = re.compile(rb"\sshadowroot(?:mode)?\s*=", re.IGNORECASE)
SOFT_HYPHEN = "\xad"


def open_shadow_roots(data: bytes) -> bytes:
    """A page whose shadow roots are elements like others: a `<template shadowrootmode>` is shown, another one is not.

    >>> open_shadow_roots(b"<my-tea><template shadowrootmode=open><p>Boil</template></my-tea>")
    b'<my-tea><shadow-root shadowrootmode=open><p>Boil</shadow-root></my-tea>'
    """
    if data.rfind(_SHADOW) < 0:  # from the end: Python looks for a word of this length in a quarter of the time
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


def without_soft_hyphens(text: str, offsets: dict[str, npt.NDArray[np.int32]]) -> str:
    """The text of a page without the places where a word may be broken, which nobody sees; `offsets` into it follow."""
    if SOFT_HYPHEN not in text:
        return text
    at = np.flatnonzero(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) == ord(SOFT_HYPHEN))
    for name, offset in offsets.items():
        offsets[name] = (offset - np.searchsorted(at, offset)).astype(np.int32)
    return text.replace(SOFT_HYPHEN, "")
