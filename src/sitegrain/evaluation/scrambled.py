"""What class and id names are worth to a method: its figures with all names replaced, minus those without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sitegrain.evaluation.metrics import bootstrap_difference
from sitegrain.evaluation.results import Results, Row, joined

CHANGE = " scrambled minus plain"
"""Ends the data name of rows that are differences."""

_NO_CHANGE = ("ms_per_page", "gold_repeated")
"""Figures whose difference says nothing about names."""


def with_change(plain: Results, scrambled: Results) -> Results:
    """Both runs as one: rows of each under its data name, and rows of their differences."""
    both = joined((plain, scrambled))
    return replace(both, rows=(*both.rows, *change_rows(plain, scrambled)))


def change_rows(plain: Results, scrambled: Results) -> Iterator[Row]:
    """Scrambled minus plain of every figure that both runs have.

    The main text figure of `all` has its 95% interval: over pages, or over sites where there are several.
    """
    before = {(r.method, r.group, r.metric): r for r in plain.rows}
    for row in scrambled.rows:
        old = before.get((row.method, row.group, row.metric))
        if old is None or row.metric in _NO_CHANGE or row.metric.endswith(("_low", "_high")):
            continue
        data = old.data + CHANGE
        yield Row(row.method, data, row.group, row.metric, row.value - old.value, row.n)
        if row.group == "all" and row.metric in ("word_f1", "token_f1"):
            a, b = (_units(results, row.method, row.metric) for results in (scrambled, plain))
            both = sorted(a.keys() & b.keys())
            gap = bootstrap_difference([a[k] for k in both], [b[k] for k in both])
            yield Row(row.method, data, row.group, f"{row.metric}_low", gap.low, len(both))
            yield Row(row.method, data, row.group, f"{row.metric}_high", gap.high, len(both))


def _units(results: Results, method: str, metric: str) -> dict[str, float]:
    """What the figure is the mean of: pages of a page set or of one site, else sites."""
    scores = [s for s in results.scores if s.method == method]
    sites = sorted({s.group for s in scores}) if metric == "token_f1" else []
    if len(sites) < 2:
        return {s.page: s.values[metric] for s in scores}
    return {site: float(np.mean([s.values[metric] for s in scores if s.group == site])) for site in sites}
