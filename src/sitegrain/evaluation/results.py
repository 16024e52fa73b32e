"""What a run found: scores of pages, figures of data sets, and where they are written."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sitegrain.errors import OutputError, UsageError
from sitegrain.evaluation.methods import Candidate
from sitegrain.evaluation.peers import PEERS


@dataclass(frozen=True)
class Score:
    """What one method got on one page."""

    method: str
    page: str
    group: str
    values: Mapping[str, float]
    ms: float
    error: str = ""
    data: str = ""
    """As in `Row`; set when the run ends."""
    language: str = ""
    """Of the true text, or of the site; empty where it is not known."""
    is_doubtful: bool = False
    """Whether who made the data marked the truth as doubtful."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    method: str
    data: str
    group: str
    metric: str
    value: float
    n: int


@dataclass(frozen=True)
class Results:
    """Everything one run found."""

    rows: tuple[Row, ...]
    scores: tuple[Score, ...]
    problems: Mapping[str, Mapping[str, int]]
    """By data set or site: what was amiss with the data, counted."""
    digests: Mapping[str, str]
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    """What a reader of the figures must know."""

    def value(self, method: str, metric: str, group: str = "all") -> float | None:
        """One figure, or None."""
        for row in self.rows:
            if (row.method, row.metric, row.group) == (method, metric, group):
                return row.value
        return None

    def write(self, folder: Path) -> None:
        """Write results.json (figures) and pages.jsonl (one line per method and page)."""
        whole = {
            "rows": [asdict(r) for r in self.rows],
            "digests": dict(self.digests),
            "versions": dict(self.versions),
            "problems": {k: dict(v) for k, v in self.problems.items()},
            "notes": list(self.notes),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(asdict(score), ensure_ascii=False) + "\n" for score in self.scores)
            _write_whole(folder / "pages.jsonl", lines)
            _write_whole(folder / "results.json", [json.dumps(whole, indent=1) + "\n"])
        except OSError as error:
            raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from error


def joined(parts: Sequence[Results]) -> Results:
    """Several runs as one: their rows and scores keep the names of their data."""
    return Results(
        rows=tuple(row for part in parts for row in part.rows),
        scores=tuple(score for part in parts for score in part.scores),
        problems={name: counts for part in parts for name, counts in part.problems.items()},
        digests={name: digest for part in parts for name, digest in part.digests.items()},
        versions={name: version for part in parts for name, version in part.versions.items()},
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def check_out(folder: Path, data: Path) -> None:
    """Raise now, before minutes of measuring, when results could not be written there."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file: give a folder for the results")
    if data.is_dir() and folder.resolve().is_relative_to(data.resolve()):
        raise UsageError(
            f"{folder} is inside the data, whose digest it would change: give another folder for the results"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(folder / ".sitegrain-check", [])
        (folder / ".sitegrain-check").unlink()
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from error


def _write_whole(path: Path, lines: Iterable[str]) -> None:
    """Write a file whole or not at all: who reads an old result never reads half of a new one."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as out:
        out.writelines(lines)
    part.replace(path)


CERTAIN = "truth not doubtful"
"""Group of the pages whose truth is not marked for review, where others are."""
LANGUAGE = "language "
"""Begins the name of a group of pages by their language."""


def by_group(scores: Iterable[Score], by_language: bool = False) -> Iterator[tuple[str, str, list[Score]]]:
    """(method, group, scores) for the group `all`, for each group, for each language, and for pages whose truth is not doubtful, if some are."""
    found: dict[str, dict[str, list[Score]]] = {}
    for score in scores:
        groups = found.setdefault(score.method, {"all": []})
        groups["all"].append(score)
        groups.setdefault(score.group, []).append(score)
        if by_language and score.language:
            groups.setdefault(f"{LANGUAGE}{score.language}", []).append(score)
    for method, groups in found.items():
        certain = [score for score in groups["all"] if not score.is_doubtful]
        if 0 < len(certain) < len(groups["all"]):
            groups[CERTAIN] = certain
        for group in ["all", *sorted(g for g in groups if g != "all")]:
            yield method, group, groups[group]


def versions(methods: Iterable[Candidate]) -> dict[str, str]:
    """Versions of what was measured, and of what it ran on."""
    out = {"python": platform.python_version()}
    packages = ["sitegrain", "selectolax", "numpy", "scipy"]
    packages += [PEERS[m.name].package for m in methods if m.kind == "peer"]
    for package in packages:
        try:
            out[package] = version(package)
        except PackageNotFoundError:
            continue
    return out
