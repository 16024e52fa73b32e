"""The papers' experiments: one module per paper, found by name.

A module `NAME.py` here is an experiment when it has

    def reproduce(sites: Sequence[LabelledSite], out: Path) -> None

It writes one Markdown page (`report.MarkdownPage`) with its tables and plots beside the paper's own
numbers. A new module is a new `sitegrain reproduce NAME`; nothing else has to be changed.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from sitegrain.errors import UsageError

if TYPE_CHECKING:
    from sitegrain.evaluation.data import LabelledSite


class Experiment(Protocol):
    """What an experiment module's `reproduce` is."""

    def __call__(self, sites: Sequence[LabelledSite], out: Path) -> None: ...


def experiments() -> tuple[str, ...]:
    """Names of the experiments that exist."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def experiment(name: str) -> Experiment:
    """The experiment of this name."""
    if name not in experiments():
        known = ", ".join(experiments()) or "none yet"
        raise UsageError(f"no experiment called {name!r}; known: {known}")
    return cast(Experiment, importlib.import_module(f"{__name__}.{name}").reproduce)
