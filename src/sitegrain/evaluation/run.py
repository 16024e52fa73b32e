"""Run methods and peers on labelled data of either layout, in one run, on the same pages."""

from __future__ import annotations

from collections.abc import Sequence

from sitegrain.evaluation.data import LabelledSite, PageSet
from sitegrain.evaluation.methods import Candidate
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.results import Results
from sitegrain.evaluation.run_pages import evaluate_pages
from sitegrain.evaluation.run_sites import evaluate_sites


def evaluate(
    data: PageSet | Sequence[LabelledSite], methods: Sequence[Candidate], options: Options, progress: Progress
) -> Results:
    """Run methods on labelled data of either layout."""
    if isinstance(data, PageSet):
        return evaluate_pages(data, methods, options, progress)
    return evaluate_sites(data, methods, options, progress)
