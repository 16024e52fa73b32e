"""Plain values as JSON."""

from __future__ import annotations

import json
import math

MOST_DEEP = 64
"""Lists and dictionaries within one another that are written: those of ours are five deep."""


def json_bytes(value: object) -> bytes | None:
    level, deep = [value], 0
    while level:
        below: list[object] = []
        for one in level:
            if not _is_plain(one):
                return None
            if isinstance(one, dict):
                below += [*one.keys(), *one.values()] if all(type(key) is str for key in one) else [object()]
            elif isinstance(one, (list, tuple)):
                below += one
        deep += any(isinstance(one, (dict, list, tuple)) for one in level)
        if deep > MOST_DEEP:
            return None
        level = below
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _is_plain(one: object) -> bool:
    if type(one) is str:
        return one.isascii() or not any("\ud800" <= c < "\ue000" for c in one)
    if type(one) is int:
        return -(1 << 63) <= one < 1 << 63
    return math.isfinite(one) if type(one) is float else one is None or type(one) in (bool, dict, list, tuple)
