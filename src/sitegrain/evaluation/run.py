"""Run methods and peers on labelled data of either layout, in one run, on the same pages."""

from __future__ import annotations

from collections.abc import Sequence

from sitegrain.evaluation.data import DataFolder, LabelledSite, PageSet
from sitegrain.evaluation.methods import Candidate
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.results import Results, joined
from sitegrain.evaluation.run_pages import evaluate_pages
from sitegrain.evaluation.run_sites import evaluate_sites


def evaluate(
    data: PageSet | Sequence[LabelledSite] | DataFolder,
    methods: Sequence[Candidate],
    options: Options,
    progress: Progress = lambda done, total: None,
) -> Results:
    """Run methods on labelled data of any layout; `progress` is called with how much is done, and of how much."""
    if isinstance(data, DataFolder):
        parts = [evaluate_pages(pages, methods, options, progress) for pages in data.sets]
        if data.sites:
            parts.append(evaluate_sites(data.sites, methods, options, progress))
        return joined(parts)
    if isinstance(data, PageSet):
        return evaluate_pages(data, methods, options, progress)
    return evaluate_sites(data, methods, options, progress)
