"""How right the roles of pages are: by set of pages, by kind of site, and whether a confidence means what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats
from sitegrain.evaluation import metrics
from sitegrain.evaluation.roles.views import ARTICLES, KINDS, SAMPLE, SAMPLES, SCRAMBLED, WHOLE
from sitegrain.methods.base import ARTICLE, ROLES, TOC, PageVerdict

FIGURES = ("R-precision", "right roles", "macro F1", "article F1", "TOC F1")
BINS = 10
LEAST = {"R-precision": 0.95, "right roles": 0.94, "macro F1": 0.90, "article F1": 0.96, "TOC F1": 0.93}
"""What is wanted of whole sites."""
LEAST_OF_KIND, LEAST_OF_SAMPLES = 0.88, 0.90
"""R-precision of each kind of site, and right roles of samples."""
MOST_CALLED_TOC, MOST_SCRAMBLED, MOST_ERROR = 0.03, 0.01, 0.04
"""Articles alone that are called TOC pages, what may be lost where class names say nothing, and the calibration error."""


@dataclass(frozen=True)
class RoleScore:
    """The roles of one set of pages against the truth."""

    site: str
    view: str
    r_precision: float
    """NaN where the set has no TOC page, as other figures are where it has no such page."""
    confusion: Floats
    """Share of the pages by true role (rows) and role given (columns)."""
    confidence: Floats
    is_right: npt.NDArray[np.bool_]

    @property
    def figures(self) -> tuple[float, ...]:
        """One value for each of `FIGURES`."""
        f1 = role_f1(self.confusion)
        return (self.r_precision, float(np.trace(self.confusion)), float(np.nanmean(f1)), f1[ARTICLE], f1[TOC])


def role_f1(confusion: Floats) -> Floats:
    """F1 of each role; NaN for one that no page has.

    >>> role_f1(np.array([[0, 0, 0], [0, 3, 1], [0, 1, 5]])).round(3).tolist()
    [nan, 0.75, 0.833]
    """
    true, given, both = confusion.sum(axis=1), confusion.sum(axis=0), np.diag(confusion)
    return np.where(true > 0, 2 * both / np.maximum(true + given, 1e-12), np.nan)


def score_roles(site: str, view: str, verdict: PageVerdict, true: npt.NDArray[np.integer]) -> RoleScore:
    """Measure a verdict."""
    confusion = np.zeros((len(ROLES), len(ROLES)))
    np.add.at(confusion, (true, verdict.page_role), 1 / len(true))
    r_precision = np.nan
    if (true == TOC).any():
        r_precision = metrics.r_precision(metrics.rank_labels(verdict.page_toc, np.asarray(true == TOC)))
    right = np.asarray(verdict.page_role == true)
    return RoleScore(site, view, r_precision, confusion, verdict.page_confidence, right)


def reliability(confidence: Floats, is_right: npt.NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """(mean confidence, share that is right, pages) of each tenth of the scale that has pages."""
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return [
        (float(confidence[place == b].mean()), float(is_right[place == b].mean()), int((place == b).sum()))
        for b in range(BINS)
        if (place == b).any()
    ]


def calibration_error(confidence: Floats, is_right: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error: by how much confidence and being right differ, on average.

    >>> round(calibration_error(np.array([0.9, 0.9, 0.6, 0.6]), np.array([True, True, True, False])), 3)
    0.1
    """
    rows = reliability(confidence, is_right)
    return sum(abs(c - r) * n for c, r, n in rows) / max(len(confidence), 1)


def report(scores: Sequence[RoleScore]) -> str:
    """The figures as Markdown."""
    views = dict.fromkeys(s.view for s in scores)
    lines = ["## What is wanted", "", *_wanted(scores), ""]
    lines += ["## By set of pages (mean over sites)", "", *_table("pages at hand", views, scores, lambda s: s.view)]
    whole = [s for s in scores if s.view == WHOLE]
    kinds = dict.fromkeys(KINDS[s.site] for s in whole if s.site in KINDS)
    lines += ["", f"## By kind of site ({WHOLE})", ""]
    lines += _table("kind", sorted(kinds), whole, lambda s: KINDS.get(s.site, ""))
    lines += ["", f"## By site ({WHOLE})", "", *_table("site", sorted(s.site for s in whole), whole, lambda s: s.site)]
    for name, some in (("whole sites", whole), ("all sets", [s for s in scores if s.view != SCRAMBLED])):
        confidence, right = (np.concatenate([getattr(s, c) for s in some]) for c in ("confidence", "is_right"))
        error = calibration_error(confidence, right)
        lines += ["", f"## Confidence ({name}): expected calibration error {error:.4f}", ""]
        lines += ["| confidence | right | pages |", "|---|---|---|"]
        lines += [f"| {c:.3f} | {r:.3f} | {n:,} |" for c, r, n in reliability(confidence, right)]
    return "\n".join(lines) + "\n"


def _table(
    head: str, names: Iterable[str], scores: Sequence[RoleScore], of: Callable[[RoleScore], str]
) -> Iterable[str]:
    yield f"| {head} | sets | {' | '.join(FIGURES)} | called TOC |"
    yield "|---|" + "---|" * (len(FIGURES) + 2)
    for name in names:
        some = [s for s in scores if of(s) == name]
        means, called_toc = mean_figures(some)
        shown = " | ".join("–" if np.isnan(m) else f"{m:.3f}" for m in means.values())
        yield f"| {name} | {len(some)} | {shown} | {called_toc:.3f} |"


def mean_figures(scores: Sequence[RoleScore]) -> tuple[dict[str, float], float]:
    """The mean of each of `FIGURES` over some sets of pages, and the share of pages called TOC pages; NaN where none has such a page."""
    found = np.array([s.figures for s in scores], np.float64)
    means = [float(np.nanmean(c)) if np.isfinite(c).any() else float("nan") for c in found.T]
    # One site may have a single page of a role: F1 of all three is told over all pages, each site counting alike.
    confusion = np.mean([s.confusion for s in scores], axis=0)
    means[FIGURES.index("macro F1")] = float(np.nanmean(role_f1(confusion)))
    return dict(zip(FIGURES, means, strict=True)), float(confusion[:, TOC].sum())


def _wanted(scores: Sequence[RoleScore]) -> Iterator[str]:
    """What is wanted of roles, beside what was found."""
    of_view = {view: [s for s in scores if s.view == view] for view in dict.fromkeys(s.view for s in scores)}
    whole = of_view.get(WHOLE, [])
    yield from ("| | wanted | found | |", "|---|---|---|---|")
    if not whole:
        return
    means, _ = mean_figures(whole)
    for name, least in LEAST.items():
        yield _row(f"{name}, {WHOLE}", means[name], least=least)
    for kind in sorted({KINDS[s.site] for s in whole if s.site in KINDS}):
        found, _ = mean_figures([s for s in whole if KINDS.get(s.site) == kind])
        yield _row(f"R-precision, {kind}", found["R-precision"], least=LEAST_OF_KIND)
    for view in map(SAMPLE.format, SAMPLES):
        if view in of_view:
            yield _row(f"right roles, {view}", mean_figures(of_view[view])[0]["right roles"], least=LEAST_OF_SAMPLES)
    if ARTICLES in of_view:
        yield _row(f"called TOC, {ARTICLES}", mean_figures(of_view[ARTICLES])[1], most=MOST_CALLED_TOC)
    if SCRAMBLED in of_view:
        scrambled, _ = mean_figures(of_view[SCRAMBLED])
        for name in ("R-precision", "right roles"):
            yield _row(f"{name} lost, {SCRAMBLED}", means[name] - scrambled[name], most=MOST_SCRAMBLED)
    confidence, right = (np.concatenate([getattr(s, c) for s in whole]) for c in ("confidence", "is_right"))
    yield _row(f"calibration error, {WHOLE}", calibration_error(confidence, right), most=MOST_ERROR)


def _row(name: str, found: float, least: float = -np.inf, most: float = np.inf) -> str:
    bound = f"≥ {least:.2f}" if np.isfinite(least) else f"≤ {most:.2f}"
    holds = "–" if np.isnan(found) else "yes" if least <= found <= most else "**no**"
    return f"| {name} | {bound} | {found:.3f} | {holds} |"
