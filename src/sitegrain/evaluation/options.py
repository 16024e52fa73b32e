"""How to run an evaluation: what is drawn, what is hidden, and which models have not seen what is measured."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sitegrain.errors import SourceError, UsageError
from sitegrain.evaluation.disguise import scramble_names
from sitegrain.learned.files import model_kind
from sitegrain.tables.capture import Capture

Progress = Callable[[int, int], None]
"""Called with (tasks done, tasks in all)."""


@dataclass(frozen=True)
class Options:
    """How to run."""

    sample: int = 20
    """Articles per site (the README of the data measures with 20); 0 is all of them."""
    seed: int = 0
    scramble: bool = False
    no_site: bool = False
    """Show a method one page at a time, also of a site."""
    folds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By kind of model (content trees, page roles): registrable domain, host, page or site -> file that has not seen it."""
    workers: int = 2

    def shown(self, capture: Capture, key: str) -> Capture:
        """A page as methods see it: with other names of classes and ids, if that was asked for; `key` tells sites, or pages of a set, apart."""
        return scramble_names(capture, key) if self.scramble else capture

    def model_for(self, kind: str, *names: str) -> Path | None:
        """The model of a kind that has not seen what has one of these names; None to use the shipped one."""
        index = self.folds.get(kind)
        if index is None:
            return None
        for name in names:
            if name in index:
                return Path(index[name])
        raise UsageError(f"the out-of-fold index has no model for {' or '.join(map(repr, names))}")


def read_folds(folders: Iterable[Path]) -> dict[str, dict[str, str]]:
    """The out-of-fold indexes of folders of models: `index.json`, {"models": {domain or site: file}}.

    The models of a folder are of one kind, which the files themselves say.
    """
    out: dict[str, dict[str, str]] = {}
    for folder in folders:
        path = folder / "index.json"
        try:
            models = json.loads(path.read_text(encoding="utf-8"))["models"]
            found = {str(k): str(folder / v) for k, v in models.items()}
        except OSError as error:
            raise SourceError(
                f"cannot read {path} ({error.strerror or error}): an out-of-fold folder holds models and index.json, as "
                "`python -m sitegrain.training` writes them"
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f'{path} is not {{"models": {{"name": "file"}}}}: {error}') from error
        missing = sorted({f for f in found.values() if not os.path.isfile(f)})
        if missing:
            raise SourceError(f"{path} names models that are not there: {', '.join(missing[:3])}")
        if found:
            kind = model_kind(min(found.values()))
            if kind in out:
                raise UsageError(f"two folders of models of the same kind ({kind}): give one of each")
            out[kind] = found
    return out
