"""Code blocks: which language they say they are in, and which of their text is the gutter beside the code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from sitegrain.arrays.types import Ints16, Ints32
from sitegrain.light import late_pattern
from sitegrain.tables.elements import is_named
from sitegrain.tables.tags import TAG_CODE, TAGS, TEXT, tag_mask

Attrs = Callable[[int], Mapping[str, str]]

PRES = frozenset(("pre", "xmp", "plaintext", "textarea"))
IS_PRE = tag_mask(PRES)
_NAMED = late_pattern(
    # `language-c` (HTML5), `lang-c` (prettify), `highlight-c` (Sphinx), `hl-c` (Furo), `brush: c` (SyntaxHighlighter)
    r"(?:^|\s)(?:language|lang|highlight-source|highlight|hl|brush|code)\s*[-:]\s*([a-z][\w+#.-]{0,30})"
    # `sourceCode c`, `sourceCode numberSource c` (pandoc), `highlight c` (Hexo; not `highlight hl-c`), `c hljs` (highlight.js)
    r"|(?:^|\s)(?:sourcecode|highlight)\s+(?:numbersource\s+)?(?!(?:language|lang|highlight|hl|brush|code)-)([a-z][\w+#-]{0,30})|(?:^|\s)([a-z][\w+#]{0,30})\s+hljs(?:$|\s)"
)
_LANGUAGE = re.compile(r"[a-z][\w+#.-]{0,30}")
_NO_LANGUAGE = frozenset(
    "default none text plain plaintext txt notranslate source highlight highlighter-rouge hljs block wrapper box "
    "toolbar copy container table tab-size language rouge prettyprint undefined null auto guess src view code line lines".split()
)
_GUTTER = late_pattern(
    r"(?:^|[\s_-])(?:linenos?|linenum(?:bers?)?|line-?numbers?(?:-rows)?|lineno\w*|gutter|lnt?|blob-num)(?:$|[\s_-])"
)
_AROUND = frozenset(("div", "figure", "td", "tr", "tbody", "table", "code", "pre"))
"""What may stand around code and its box: a table that holds the line numbers, which may be in a `<code>` or a `<pre>` itself (Rouge)."""
MAX_BOXES = 2
_CELL = TAG_CODE["td"]
_IS_LINE, _HOLDS_LINES = tag_mask(("div", "p", "li")), tag_mask(("pre", "code"))
_IN_GUTTERS = ("linen", "line-n", "gutter", "ln", "blob-num")
"""One of these stands in every name that the pattern matches."""
_NUMBERS = re.compile(r"[\s\d]*\d[\s\d]*")


def code_language(row: int, tag: Ints16, parent: Ints32, attrs: Attrs) -> str:
    """The programming language of a code block: by the names of itself, of the `<code>` in it and of the boxes around."""
    near = [row]
    near += [i for i in (row + 1, row + 2) if i < len(tag) and tag[i] == TAG_CODE["code"] and parent[i] >= row][:1]
    up = int(parent[row])
    n_boxes = 0
    while up >= 0 and n_boxes < MAX_BOXES and TAGS[tag[up]] in _AROUND:
        if TAGS[tag[up]] in ("div", "figure"):
            near.append(up)
            n_boxes += 1
        up = int(parent[up])
    for place in near:
        own = attrs(place)
        for name in ("data-lang", "data-language"):
            if (named := own.get(name, "").lower()) not in _NO_LANGUAGE and _LANGUAGE.fullmatch(named):
                return named
        for groups in _NAMED.findall(own.get("class", "").lower()):
            found = "".join(groups)
            # `code-block__x1`: the name of a box, whatever follows it
            if found not in _NO_LANGUAGE and re.split("[-_]", found)[0] not in _NO_LANGUAGE:
                return str(found)
    return ""


def may_be_gutter(name: str) -> bool:
    """Whether a class may be that of line numbers."""
    lower = name.lower()
    return any(word in lower for word in _IN_GUTTERS)


def gutter_rows(tag: Ints16, end: Ints32, text_of: Callable[[int], str], named: Mapping[int, str]) -> list[int]:
    """Elements that hold nothing but the line numbers of code: by their class name, or a `<pre>` of numbers that stands
    before another one with the code. `named` gives the class of each row that has one."""
    if not IS_PRE[tag].any() and TAG_CODE["code"] not in tag:
        return []
    out = []
    names = set(named.values())
    all_names = "\n".join(names).lower()
    if any(word in all_names for word in _IN_GUTTERS):  # on few pages with code
        gutters = {name for name in names if is_named(_GUTTER, name.lower())}
        out = [row for row, name in named.items() if name in gutters and _NUMBERS.fullmatch(text_of(row))]
    is_told = np.zeros(len(tag), bool)
    for row in out:
        is_told[row : end[row]] = True
    pres = np.flatnonzero(IS_PRE[tag]).tolist()
    for row, following in pairwise(pres):
        # Two cells, or two blocks of one figure, and not a sample of numbers in a text.
        if following - end[row] <= 4 and not is_told[row] and _NUMBERS.fullmatch(text_of(row)):
            lines = [text_of(i) for i in range(row + 1, int(end[row])) if tag[i] == TEXT]
            numbers = " ".join(lines).split()
            # Each on a line, or in an element, of its own; a single one in the cell before the code.
            is_one = numbers == ["1"] and tag[following - 1] == _CELL
            is_column = is_one or 1 < len(numbers) == len(lines) or "\n" in "".join(lines)
            if is_column and numbers == [
                str(i) for i in range(int(numbers[0][:9]), int(numbers[0][:9]) + len(numbers))
            ]:
                out.append(row)
    return out


def is_in_line(before: list[str]) -> bool:
    """Whether what is written of code does not end with its line."""
    return bool(before) and not before[-1].endswith("\n")


def empty_lines(tag: Ints16, parent: Ints32, end: Ints32, first: int, row: int) -> int:
    """How many lines without text stand among the rows from `first` to `row`: blocks that are children of code, as the line after them is. A loop over rows,
    which are asked once each."""
    n = 0
    while first < row:
        last = int(end[first])
        is_block = last <= row and _IS_LINE[tag[first]] and _HOLDS_LINES[tag[parent[first]]]
        if is_block and _IS_LINE[tag[last]] and parent[last] == parent[first] and TEXT not in tag[first:last]:
            n += 1
            first = last
        else:
            first += 1
    return n
