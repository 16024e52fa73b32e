"""Why a page has its role, in words.

The trees weigh two hundred columns together; a reader wants the two or three facts that speak most for the answer. Each
column here has a mean and a spread among pages of each role (`Typical`, learned with the trees), and a fact speaks for a
role by how much likelier its value is there than in the next role, as if it were normally distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.methods.base import ARTICLE, OTHER, ROLES, TOC
from sitegrain.roles.page import PageFeatures
from sitegrain.roles.words import SaidWords

Typical = dict[str, list[tuple[float, float]]]
"""Column -> (mean, spread) for each role."""

N_REASONS = 2
SPEAKS = 0.3
"""Logarithm of how much likelier a value must be in a role to be named as a reason for it; set beforehand."""
_NAMED = {TOC: "lists", ARTICLE: "threads and products", OTHER: "profiles, files, tools and errors"}
_PLAIN = "no single fact decides; it is like pages of this role in many small ways"


def _count(words: str, one: str, many: str, none: str = "") -> Callable[[float, float], str]:
    """A column that counts something, in words: `{}` is the number with its noun; `none` is the whole of it for zero."""

    def told(value: float, count: float) -> str:
        n = round(count)
        if not n:
            return none or words.format(f"no {many}")
        return words.format(f"{n:,} {one if n == 1 else many}")

    return told


def _share(words: str) -> Callable[[float, float], str]:
    return lambda value, count: words.format(f"{value:.0%}")


SHOWN: Mapping[str, Callable[[float, float], str]] = {
    "site_prose_chars": _count("{} of its own prose", "character", "characters", "no prose of its own"),
    "site_stretch": _count("a longest stretch of prose of {}", "character", "characters", "no stretch of prose"),
    "site_stretches": _count("{} of prose between links", "stretch", "stretches"),
    "site_own_links": _count("{} of its own", "link", "links"),
    "site_title_links": _count("{} to a page by its title", "link", "links"),
    "site_heading_links": _count("{} by headings", "link", "links"),
    "site_own_density": _share("{} of its own text is links"),
    "site_holds": _count("prints the text of {}", "other page", "other pages"),
    "site_held": _count("its text is printed by {}", "other page", "other pages"),
    "site_series": _count("in a series with {}", "other page", "other pages", "in no series"),
    "site_in_words": lambda value, count: f"linked with {value:.1f} words on average",
    "page_long_chars": _count("{} in sentences", "character", "characters", "no sentences"),
    "page_link_density": _share("{} of the page's text is links"),
    "page_links": _count("{} within the site", "link", "links"),
    "page_noindex": lambda value, count: "asks not to be indexed" if value else "may be indexed",
}
"""Columns that are told, and how: by their value, and by what it is the logarithm of."""


def learn_typical(names: Sequence[str], x: Floats32, role: npt.NDArray[np.integer], weight: Floats) -> Typical:
    """Mean and spread of the shown columns among the pages of each role."""
    out: Typical = {}
    for name in SHOWN:
        column = x[:, list(names).index(name)]
        out[name] = []
        for r in range(len(ROLES)):
            mine = (role == r) & np.isfinite(column)
            if not mine.any():
                out[name].append((0.0, 1.0))
                continue
            mean = float(np.average(column[mine], weights=weight[mine]))
            spread = float(np.sqrt(np.average((column[mine] - mean) ** 2, weights=weight[mine])))
            # A column that never varies in a role would decide alone.
            out[name].append((round(mean, 4), round(max(spread, 0.2), 4)))
    return out


PAGES_AT_ONCE = 4096
"""Pages that are looked at together."""


def role_reasons(
    features: PageFeatures,
    role: npt.NDArray[np.integer],
    typical: Typical,
    said_words: SaidWords,
    conventions: npt.NDArray[np.integer],
) -> npt.NDArray[np.object_]:
    """For each page, what speaks most for its role: facts, and what software says by its address or title, or else a telling word."""
    shown = [name for name in SHOWN if name in typical and name in features.names]
    if not shown:
        return np.full(len(role), "", object)
    place, told = [features.names.index(name) for name in shown], [SHOWN[name] for name in shown]
    mean, spread = (np.array([[typical[name][r][k] for name in shown] for r in range(len(ROLES))]) for k in (0, 1))
    out = []
    telling = said_words.telling(role)
    for page in np.flatnonzero(conventions == role).tolist():
        telling[page] = f"named as software names {_NAMED[int(role[page])]}"
    for first in range(0, len(role), PAGES_AT_ONCE):
        x, own_role = features.values[first : first + PAGES_AT_ONCE, place], role[first : first + PAGES_AT_ONCE]
        log = -0.5 * ((x[None] - mean[:, None]) / spread[:, None]) ** 2 - np.log(spread)[:, None]
        own = log[own_role, np.arange(len(x))]
        log[own_role, np.arange(len(x))] = -np.inf
        speaks = np.nan_to_num(own - log.max(axis=0), nan=-np.inf)
        best = np.argsort(-speaks, axis=1, kind="stable")[:, :N_REASONS]
        with np.errstate(over="ignore"):  # of columns that are no logarithm
            counts = np.expm1(x)
        found = (np.take_along_axis(of, best, axis=1).tolist() for of in (speaks > SPEAKS, x, counts))
        for row, reasons in enumerate(zip(best.tolist(), *found, strict=True)):
            said = [told[c](value, count) for c, is_said, value, count in zip(*reasons, strict=True) if is_said]
            word = telling[first + row]
            out.append("; ".join([*said, word] if word else said) or _PLAIN)
    return np.array(out, object)
