r"""Formulas that stand in the text between delimiters, for MathJax or KaTeX to set them in the reader's browser.

the sum \(x_1 + x_2\) is       ->  the sum $x_1 + x_2$ is
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.light import late_pattern
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

MAX_FORMULA = 2000
"""Characters of a formula."""
_SCRIPT, _SRC = TAG_CODE["script"], ATTRIBUTES.index("src")
_SETS = re.compile(r"mathjax|katex", re.IGNORECASE)
_FENCE = re.compile(r"^(`{3,}+|~{3,}+)([^\n]*+)$", re.MULTILINE)
_CODE = re.compile(r"(?<![`\\])(`++)[^`\n]++\1(?!`)")
"""Code in a line. No sign is looked at twice: a run of backticks is one delimiter."""
_IN_LINE, _ON_ITS_OWN = (
    re.compile(rf"{start}((?:(?!{start})[^\n]){{1,{MAX_FORMULA}}}?){end}")
    for start, end in ((r"\\\\\(", r"\\\\\)"), (r"\\\\\\\[", r"\\\\\\\]"))
)
"""In a line and in one of its own, as Markdown escapes them."""
_DOLLARS = late_pattern(
    rf"(?<![\\$0-9A-Za-z])(?:\$(?![\s$])([^$\n]{{1,{MAX_FORMULA}}}?)(?<!\s)\$(?![$0-9A-Za-z])|\$\$([^$\n]{{1,{MAX_FORMULA}}}?)\$\$)"
)
_IS_TEX = re.compile(r"\\\\[A-Za-z]|[\^_]")
"""A single letter between dollars may be a formula; but so may be the price of tea."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@per_site
def _pages_that_set(site: Site) -> frozenset[int]:
    """Pages that load a program which sets formulas."""
    at = np.flatnonzero((site.attrs.name == _SRC) & (site.nodes.tag[site.attrs.node] == _SCRIPT))
    said = site.attrs.value[at]
    known = [v for v in distinct(said).tolist() if _SETS.search(site.strings[v])]
    return frozenset(site.nodes.page[site.attrs.node[at[np.isin(said, known)]]].tolist()) if known else frozenset()


def sets_formulas(site: Site, page: int) -> bool:
    """Whether a page loads MathJax or KaTeX."""
    return page in _pages_that_set(site)


def may_hold_formulas(markdown: str) -> bool:
    """Whether a delimiter stands in it: this is sooner told than what the page loads."""
    return "$" in markdown or "\\\\(" in markdown or "\\\\\\[" in markdown


def with_formulas(markdown: str) -> str:
    r"""Markdown with the formulas that stand in its text between dollars, and as they were before they were escaped; code stays as it is.

    >>> print(with_formulas(r"the sum \\(x\_1 \\le 2\\), `\\(x\\)` and $y^\*$ for $5 or $6"))
    the sum $x_1 \le 2$, `\\(x\\)` and $y^*$ for $5 or $6
    """
    out, done = [], 0
    for start, end in _blocks_of_code(markdown):
        out += [_between_code(markdown[done:start]), markdown[start:end]]
        done = end
    return "".join([*out, _between_code(markdown[done:])])


def _blocks_of_code(markdown: str) -> Iterator[tuple[int, int]]:
    """Where blocks of code begin and end, by their fences; without its second fence one goes on to the end."""
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(markdown):
        if opened is None:
            opened = line
        elif line[1] == opened[1] and not line[2].strip(" "):
            yield opened.start(), line.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(markdown)


def _between_code(text: str) -> str:
    out, done = [], 0
    for code in _CODE.finditer(text):
        out += [_formulas(text[done : code.start()]), code[0]]
        done = code.end()
    return "".join([*out, _formulas(text[done:])])


def _formulas(text: str) -> str:
    text = _DOLLARS.sub(_in_dollars, text)
    text = _IN_LINE.sub(lambda m: f"${_plain(m[1]).strip()}$", text)
    return _ON_ITS_OWN.sub(lambda m: f"$${_plain(m[1]).strip()}$$", text)


def _in_dollars(found: re.Match[str]) -> str:
    if not _IS_TEX.search(found[0]):
        return found[0]
    return f"${_plain(found[1])}$" if found[1] else f"$${_plain(found[2]).strip()}$$"


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
