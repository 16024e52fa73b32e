"""What the page's own tree says of code: its language, which of its text is the gutter beside it, and which links are a part of it."""

from __future__ import annotations

import re
from itertools import pairwise

from selectolax.lexbor import LexborNode

from sitegrain.evaluation.reading.wording import squeezed

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight|hl|brush|sourcecode)\s*[-:]\s*|sourceCode\s+|highlight\s+)([A-Za-z][\w+#.-]*)",
    re.IGNORECASE,
)
_NO_LANGUAGE = frozenset(
    "auto default none text plain plaintext plain-text txt notranslate source highlight console-output".split()
)
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:linenos?|lineno|line-?numbers?(?:-rows)?|gutter|lnt|rouge-gutter|blob-num)(?:$|[\s_-])"
)


def is_in_longer_code(link: LexborNode) -> bool:
    """True for a link that is a part of some code: Markdown has it only around all of it."""
    up = link.parent
    while up is not None and up.tag != "code":
        up = up.parent
    return up is not None and squeezed(up.text()) != squeezed(link.text())


def are_line_numbers(lines: list[str]) -> bool:
    """Numbers that count up by one, and not some that a program prints."""
    said = [line.strip() for line in lines]
    if not all(line.isdigit() and len(line) < 9 for line in said):
        return False
    return all(int(b) - int(a) == 1 for a, b in pairwise(said))


def is_gutter(node: LexborNode) -> bool:
    names = f"{node.attributes.get('class') or ''}"
    return bool(_GUTTER.search(names)) and not squeezed(node.text()).strip("0123456789")


def is_in_gutter(node: LexborNode) -> bool:
    up: LexborNode | None = node
    for _ in range(3):
        if up is None:
            return False
        if is_gutter(up):
            return True
        up = up.parent
    return False


def code_language(node: LexborNode) -> str:
    """The language that the page gives for a code block: its own, its `<code>`'s, or that of the box around it."""
    places = [node, *node.css("code")[:1]]
    up = node.parent
    while (
        up is not None and len(places) < 5 and up.tag in ("div", "figure", "td", "tr", "tbody", "table", "code", "pre")
    ):
        if up.tag in ("div", "figure"):
            places.append(up)
        up = up.parent
    for place in places:
        if named := (place.attributes.get("data-lang") or place.attributes.get("data-language") or "").lower():
            named = re.match(r"[\w+#.-]*", named)[0]  # type: ignore[index]
            return "" if named in _NO_LANGUAGE else named
        for found in _LANGUAGE.findall(place.attributes.get("class") or ""):
            if found.lower() not in _NO_LANGUAGE:
                return str(found.lower())
    return ""
