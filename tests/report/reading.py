"""A report's data files read back, and pages built from them: what core.js and body.js do, written plainly."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from sitegrain.report.body import MARKED, SHAPES, Body


def unpacked(text: str) -> tuple[str, Any]:
    """The name and the value of a data file."""
    found = re.fullmatch(r'sitegrain\("([a-z0-9-]+)","([A-Za-z0-9+/=]*)"\)\n', text)
    assert found, text[:100]
    whole = zlib.decompress(base64.b64decode(found[2]))
    size = int.from_bytes(whole[:4], "little")
    value = json.loads(whole[4 : 4 + size])
    at = 4 + size
    for name, kind, n in value.get("columns", ()) if isinstance(value, dict) else ():
        value[name] = np.frombuffer(whole, kind, n, at)
        at += value[name].nbytes
    assert at == len(whole)
    return found[1], value


def pages_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The pages of a file of bodies."""
    starts = [0, *np.cumsum(value["n_blocks"]).tolist()]
    bodies = htmls(value)
    out = []
    for k, (low, high) in enumerate(pairwise(starts)):
        page = {"page": value["first"] + k, "markdown": value["markdown"][k], "html": bodies[k]}
        page |= {name: [value["words"][name][c] for c in value[name][low:high]] for name in value["words"]}
        page |= {name: value[name][low:high].tolist() for name in ("kept", "score", "other") if name in value}
        page["facts"] = {
            name[5:]: value[name][low:high].tolist() for name, *_ in value["columns"] if name.startswith("fact ")
        }
        out.append(page)
    return out


def body_html(body: Body) -> list[str]:
    """The pages of a body as HTML."""
    value = {**body.columns, "text": body.text, "labels": body.labels, "attributes": body.attributes}
    return htmls({**value, "shapes": SHAPES, "marked": MARKED})


def htmls(value: dict[str, Any]) -> list[str]:
    """The pages of a file of bodies as HTML."""
    units = value["text"].encode("utf-16-le", "replace")
    space = np.unpackbits(value["space"], bitorder="little")
    given: dict[int, list[tuple[str, str]]] = {}
    for row, name, said in value["attributes"]:
        given.setdefault(row, []).append((name, said))
    lengths, marks, labels = iter(value["length"].tolist()), iter(value["mark"].tolist()), iter(value["labels"])
    out, at = [], 0
    for first, last in pairwise([0, *np.cumsum(value["n_rows"]).tolist()]):
        html: list[str] = []
        stack: list[str] = []
        for row in range(first, last):
            code, depth = int(value["shape"][row]), int(value["depth"][row])
            name = value["shapes"][code % value["marked"]]
            mark = f" data-b={next(marks)}" if code >= value["marked"] else ""
            piece = ""
            if name in ("#text", "#unseen"):
                size = 2 * next(lengths)
                piece = escape(units[at : at + size].decode("utf-16-le"), quote=False)
                at += size
            if name == "#unseen":
                continue
            while len(stack) > depth:
                html.append(f"</{stack.pop()}>")
            if space[row]:
                html.append(" ")
            if name == "#text":
                html.append(f"<span{mark}>{piece}</span>" if mark else piece)
            elif name == "img":
                html.append(f'<span class=i title="{escape(next(labels))}"></span>')
            else:
                said = "".join(f" {key}={v}" for key, v in given.get(row, ()))
                html.append(f"<{name}{said}{mark}>")
                stack.append("" if name in ("br", "hr") else name)
        html += [f"</{name}>" for name in reversed(stack)]
        out.append("".join(html).replace("</>", ""))
    return out
