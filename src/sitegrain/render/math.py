"""Formulas: MathML as LaTeX, by the annotation that KaTeX and MathJax leave in it or else element by element.

    msup(x, 2) -> x^{2}        mfrac(a, b) -> \\frac{a}{b}        msqrt(x) -> \\sqrt{x}

One pass over the rows of the formula from the last to the first, so children are written before their parents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sitegrain.tables.elements import is_named
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TEXT

MAX_ROWS = 20_000
"""Rows of one formula; a longer one is written as text."""
MAX_FORMULA = 20_000
"""Characters of a text between delimiters that is read as a formula."""
_MATH_NAME = re.compile(r"(?:^|\s)(?:math|arithmatex|tex)(?:$|\s)")
_BOX = re.compile(r"(?:^|\s)(?:katex(?:-display)?|MathJax(?:_Display|_SVG)?|mjx-chtml|mwe-math-element)(?:$|\s)")
_DELIMITED = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$([^$]+)\$)\s*", re.DOTALL)
_NAMES = {
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∞": r"\infty", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx",
    "±": r"\pm", "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "→": r"\to", "∈": r"\in", "∂": r"\partial",
    "∇": r"\nabla", "√": r"\surd", "…": r"\ldots", "⋯": r"\cdots", "−": "-", "∗": "*", "′": "'", "⁡": "", "⁢": "",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon", "ζ": r"\zeta", "η": r"\eta",
    "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi",
    "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "υ": r"\upsilon", "φ": r"\phi", "χ": r"\chi", "ψ": r"\psi",
    "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Π": r"\Pi", "Σ": r"\Sigma",
    "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_",
}  # fmt: skip
_FUNCTIONS = frozenset("sin cos tan log ln exp lim max min sup inf det dim arg gcd cot sec csc sinh cosh tanh".split())
_SCRIPTS = {"msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "munderover": ("_", "^"), "munder": ("_",)}
_ACCENTS = {"¯": r"\bar", "‾": r"\overline", "^": r"\hat", "ˆ": r"\hat", "~": r"\tilde", "˜": r"\tilde",
            r"\to": r"\vec", "⃗": r"\vec", "˙": r"\dot"}  # fmt: skip


def is_formula_box(name: str) -> bool:
    """True for the class of an element that KaTeX or MathJax put around a formula and the ways they show it."""
    return _BOX.search(name) is not None


def math_rows(names: Mapping[int, str]) -> list[int]:
    """Rows whose class says that they hold a formula between delimiters. `names` gives the class of each row that has one."""
    # A page has few names that differ, and most have none of formulas.
    known = {name for name in set(names.values()) if ("math" in name or "tex" in name) and is_named(_MATH_NAME, name)}
    return [row for row, name in names.items() if name in known] if known else []


def delimited(text: str) -> tuple[str, bool]:
    r"""The LaTeX between delimiters that are the whole text, and whether it stands on its own line.

    >>> delimited(r"\(x^2\)"), delimited("$$a$$"), delimited("tea")
    (('x^2', False), ('a', True), ('', False))
    """
    match = _DELIMITED.fullmatch(text) if len(text) <= MAX_FORMULA else None
    if not match:
        return "", False
    return next(g for g in match.groups() if g is not None).strip(), match[2] is not None or match[3] is not None


def latex(site: Site, top: int) -> str:
    r"""The formula of a `<math>` row as LaTeX; empty when it is too long or says nothing.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<math><mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></math>"
    >>> site = build_site([Capture("http://a.org/", html)])
    >>> latex(site, int(site.rows("math")[0]))
    '\\frac{1}{x^{2}}'
    """
    nodes = site.nodes
    end = int(nodes.end[top])
    if end - top > MAX_ROWS:
        return ""
    inner: dict[int, list[str]] = {}
    annotation = ""
    for row in range(end - 1, top - 1, -1):
        parent = int(nodes.parent[row])
        if nodes.tag[row] == TEXT:
            inner.setdefault(parent, []).append(site.node_text(row))
            continue
        name = site.tag_name(row).lower()
        parts = inner.pop(row, [])[::-1]
        if name == "annotation":
            if "tex" in site.node_attrs(row).get("encoding", "").lower():
                annotation = "".join(parts)
        elif name != "annotation-xml" and (written := _written(name, parts)):
            inner.setdefault(parent, []).append(written)
        if row == top:
            return " ".join((annotation or "".join(parts)).split())
    return ""


def _written(name: str, parts: list[str]) -> str:
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        text = "".join(parts).strip()
        if name in ("mtext", "ms"):
            return rf"\text{{{text}}}" if text else ""
        if text in _FUNCTIONS:
            return rf"\{text} "
        known = "".join(_spaced(_NAMES.get(c, c)) for c in text)
        return rf"\mathrm{{{known}}}" if name == "mi" and len(text) > 1 and text.isalpha() else known
    whole = "".join(parts)
    if name in _SCRIPTS and len(parts) == len(_SCRIPTS[name]) + 1:
        base = parts[0] if len(parts[0].strip()) == 1 or parts[0].startswith("\\") else f"{{{parts[0]}}}"
        return base.rstrip() + "".join(f"{sign}{{{p}}}" for sign, p in zip(_SCRIPTS[name], parts[1:], strict=True))
    if name == "mover" and len(parts) == 2:
        accent = _ACCENTS.get(parts[1].strip())
        return rf"{accent}{{{parts[0]}}}" if accent else rf"\overset{{{parts[1]}}}{{{parts[0]}}}"
    if name == "mfrac" and len(parts) == 2:
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if name == "mroot" and len(parts) == 2:
        return rf"\sqrt[{parts[1]}]{{{parts[0]}}}"
    if name == "msqrt":
        return rf"\sqrt{{{whole}}}"
    if name == "mfenced":
        return f"({','.join(parts)})"
    if name == "mtr":
        return " & ".join(parts) + r" \\ "
    if name == "mtable":
        return rf"\begin{{matrix}}{whole}\end{{matrix}}"
    return whole


def _spaced(name: str) -> str:
    # A letter after a command would be read as part of its name.
    return name + " " if name.startswith("\\") and name[-1].isalpha() else name
