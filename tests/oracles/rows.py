"""The rows of a parsed tree by a walk over its nodes: no serialization between."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser

from sitegrain.native.columns import NUMBERS, kinds_of
from sitegrain.tables.tags import ATTRIBUTES, NO_TEXT_TAGS, TAG_CODE, TEXT, UNKNOWN

_ATTR_CODE = {name: code for code, name in enumerate(ATTRIBUTES)}
_STYLE_HIDES = re.compile(r"display:none|visibility:hidden")


def _hidden_flag(name: str, value: str) -> int:
    if name == "hidden":
        return 2
    if name == "style" and _STYLE_HIDES.search("".join(value.split()).lower()[:511]):
        return 2
    return 4 if name == "aria-hidden" and value == "true" else 0


def tree_columns(tree: LexborHTMLParser) -> tuple[dict[str, npt.NDArray[Any]], str, str, tuple[str, ...]]:
    """The rows of a tree as `native.scan` gives them: one walk, one step a node."""
    tag: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    start: list[int] = []
    flags: list[int] = []
    attr_node: list[int] = []
    attr_name: list[int] = []
    attr_values: list[str] = []
    texts: list[str] = []
    json_ld: list[str] = []
    row_of: dict[int, int] = {}
    length = 0
    pending = 0
    pre_of: list[int] = []  # the outermost <pre> that a row is in: there white space is kept, before the next text
    blanks, blanks_of = "", -1
    root = tree.root
    for node in root.traverse(include_text=True) if root is not None else ():
        name = node.tag
        if name is None:  # a processing instruction
            continue
        up = node.parent
        above = row_of.get(up.mem_id, -1) if up is not None else -1
        if name == "-text":
            if above < 0:
                continue
            text = node.text_content or ""
            kind = up.tag if up is not None else None
            if kind == "script":
                if any(
                    attr_node[i] == above and ATTRIBUTES[attr_name[i]] == "type" and "ld+json" in attr_values[i].lower()
                    for i in range(len(attr_node) - 1, max(-1, len(attr_node) - 40), -1)
                ):
                    json_ld.append(text)
                continue
            if kind in NO_TEXT_TAGS:
                continue
            if blanks_of != pre_of[above]:
                blanks, blanks_of = "", pre_of[above]
            if not text.strip(" \n\t\r\f\xa0"):
                pending = 1
                blanks += text if blanks_of >= 0 else ""
                continue
            code = TEXT
            texts.append(blanks + text)
            blanks = ""
        else:
            if name.startswith(("-", "!")) or (above < 0 and tag):
                continue
            code = TAG_CODE.get(name, UNKNOWN)
            row_of[node.mem_id] = len(tag)
            if name == "br":
                blanks = blanks[: blanks.rfind("\n") + 1]
        row = len(tag)
        outer = pre_of[above] if above >= 0 else -1
        pre_of.append(row if outer < 0 and name == "pre" else outer)
        tag.append(code)
        parent.append(above)
        depth.append(depth[above] + 1 if above >= 0 else 0)
        start.append(length)
        flag = pending
        pending = 0
        if code == TEXT:
            length += len(texts[-1])
        else:
            if code == UNKNOWN:
                attr_node.append(row)
                attr_name.append(0)
                attr_values.append(name[:64])
            for key, value in node.attributes.items():
                if key in _ATTR_CODE and key != ":tag":
                    kept = (value or "").encode()[: NUMBERS["MAX_VALUE_BYTES"]].decode("utf-8", "ignore")
                    flag |= _hidden_flag(key, kept)
                    attr_node.append(row)
                    attr_name.append(_ATTR_CODE[key])
                    attr_values.append(kept)
        flags.append(flag)
    end = list(range(1, len(tag) + 1))
    stop = [s + len(t) for s, t in zip(start, _texts_by_row(tag, texts), strict=True)]
    for row in range(len(tag) - 1, 0, -1):  # children before parents: a subtree ends where its last child ends
        above = parent[row]
        if above >= 0:
            end[above] = max(end[above], end[row])
            stop[above] = max(stop[above], stop[row])
    ids: dict[str, int] = {}
    numbers = [ids.setdefault(value, len(ids)) for value in attr_values]
    ends = np.cumsum([len(v) for v in ids], dtype=np.int32) if ids else np.zeros(0, np.int32)
    found = {
        "tag": tag, "parent": parent, "end": end, "depth": depth, "text_start": start, "text_end": stop, "flags": flags,
        "attr_node": attr_node, "attr_name": attr_name, "attr_value": numbers, "value_end": ends,
    }  # fmt: skip
    columns = {name: np.array(found[name], kind) for name, kind in kinds_of("SCANNED").items()}
    return columns, "".join(texts), "".join(ids), tuple(json_ld)


def _texts_by_row(tag: list[int], texts: list[str]) -> list[str]:
    left = iter(texts)
    return [next(left) if code == TEXT else "" for code in tag]
