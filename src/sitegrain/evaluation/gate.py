"""The gate: quality floors that may rise and do not sink unnoticed.

`floors.json` pins figures (method, metric, group) on data with a known digest. `make gate` measures them again
and fails below a floor, and when the data is not the pinned data. Data that is not there is printed as
skipped, never as passed. The shipped models learned from the shared data, so their floors there say that nothing
broke, not how good they are; floors out of fold say that, and need the models of `python -m sitegrain.training`.

    python -m sitegrain.evaluation.gate --data DATA     check (what `make gate` runs)
    ... --out-of-fold MODELS                                      check the floors out of fold too
    ... --pin DATA METHOD METRIC[,METRIC] [--group G[,G]]         add floors at today's figures
    ... --pin DATA default METRIC[,METRIC] --structure            the same for figures of `evaluate --structure`
    ... --raise                                                   lift floors to today's figures
    ... --lower                                                   the only way to sink one: to today's figures
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from sitegrain.errors import OutputError, SitegrainError, SourceError, UsageError
from sitegrain.evaluation.data import DataFolder, LabelledSite, PageSet, open_data
from sitegrain.evaluation.methods import find_methods
from sitegrain.evaluation.options import Options, read_folds
from sitegrain.evaluation.peers import PEERS
from sitegrain.evaluation.run import evaluate

FLOORS = Path(__file__).parent / "floors.json"
DEMO = "demo"
"""Data inside the repository: the demo site, written afresh for each run."""
MARGIN = 0.002
"""How far below today's figure a floor is pinned. Methods are deterministic; this leaves room for the last
digits of another machine's libraries."""
FOLD_MARGIN = 0.005
"""The same for figures out of fold, whose models are trained anew: two trainings of one recipe differ by up to 0.004 on a set
(docs/experiments.md), and another machine is another training."""


@dataclass(frozen=True)
class Floor:
    """One pinned figure."""

    data: str
    """`demo`, or a path under the data folder."""
    digest: str
    method: str
    metric: str
    floor: float
    group: str = "all"
    scramble: bool = False
    no_site: bool = False
    out_of_fold: bool = False
    """Measured with models that have not seen the page they judge."""
    structure: bool = False
    """A figure of `evaluate --structure`: "images recall", "toc f1", "title bare", "posts f1"; of the default alone."""

    @property
    def run(self) -> tuple[str, bool, bool, bool, bool]:
        """Floors with the same are measured in one run."""
        return self.data, self.scramble, self.no_site, self.out_of_fold, self.structure

    def __str__(self) -> str:
        words = (
            ("scrambled", self.scramble), ("one page", self.no_site), ("out of fold", self.out_of_fold),
            ("structure", self.structure),
        )  # fmt: skip
        more = "".join(f", {word}" for word, on in words if on)
        return f"{self.data}: {self.method} {self.metric} ({self.group}{more})"


@dataclass(frozen=True)
class Outcome:
    """What became of one floor."""

    floor: Floor
    status: Literal["passed", "failed", "skipped"]
    value: float | None
    note: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.status:<8}{self.floor}: {self.note}"


def read_floors(path: Path = FLOORS) -> list[Floor]:
    """The floors of a file."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["floors"]
        floors = [Floor(**row) for row in rows]
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path} holds no floors: {error}") from error
    for f in floors:
        # A NaN is neither above nor below anything: such a floor would never fail.
        if not isinstance(f.floor, (int, float)) or not math.isfinite(f.floor):
            raise SourceError(f"{path}: the floor of {f} is not a number")
    return floors


def write_floors(floors: Iterable[Floor], path: Path = FLOORS) -> None:
    """Write floors, one a line, sorted, so that a change shows as one line."""
    rows = sorted((asdict(f) for f in floors), key=lambda r: json.dumps(r))
    body = ",\n".join("  " + json.dumps(r, ensure_ascii=False) for r in rows)
    try:
        path.write_text('{"floors": [\n' + body + "\n]}\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error}") from error


def check_floors(
    floors: Sequence[Floor],
    root: Path | None,
    workers: int = 2,
    folds: Sequence[Path] = (),
    say: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Measure again what is pinned. Without a root, only floors on data inside the repository are measured.

    `folds` are the folders of the models out of fold; `say` is told what is measured, since it takes minutes.
    """
    outcomes: list[Outcome] = []
    runs: dict[tuple[str, bool, bool, bool, bool], list[Floor]] = {}
    for floor in floors:
        runs.setdefault(floor.run, []).append(floor)
    with tempfile.TemporaryDirectory() as scratch:
        for (name, scramble, no_site, out_of_fold, structure), mine in runs.items():
            where = _find(name, root, Path(scratch))
            if where is None:
                outcomes += (Outcome(f, "skipped", None, "the data is not here") for f in mine)
                continue
            if out_of_fold and not folds:
                outcomes += (Outcome(f, "skipped", None, "no models out of fold (--out-of-fold)") for f in mine)
                continue
            say(f"measuring {name} for {len(mine)} floor{'s' * (len(mine) > 1)}")
            data = open_data(where)
            digest = digest_of(data)
            assert not isinstance(data, DataFolder)  # which digest_of refuses
            strange = [f for f in mine if f.digest != digest]
            outcomes += (
                Outcome(f, "failed", None, f"the data is not the pinned data (digest {digest[:16]})", digest)
                for f in strange
            )
            known = [f for f in mine if f.digest == digest]
            models = read_folds(folds) if out_of_fold else {}
            options = Options(scramble=scramble, no_site=no_site, folds=models, workers=workers)
            if known and structure:
                figures = structure_figures(data, options)
                outcomes += (_judge(f, figures.get(f.metric), digest) for f in known)
            elif known:
                names = sorted({f.method for f in known})
                methods = find_methods([n for n in names if n not in PEERS], [n for n in names if n in PEERS])
                results = evaluate(data, methods, options, lambda done, total: None)
                outcomes += (_judge(f, results.value(f.method, f.metric, f.group), digest) for f in known)
    return outcomes


def structure_figures(data: PageSet | Sequence[LabelledSite], options: Options) -> dict[str, float]:
    """What `evaluate --structure` prints of the default, by name."""
    from sitegrain.evaluation.reading.fields import measure_pages
    from sitegrain.evaluation.reading.structure import measure_structure, structure_values

    def silent(done: int, total: int) -> None:
        pass

    if isinstance(data, PageSet):
        return measure_pages(data, options, silent).values
    return structure_values(measure_structure(data, (), options, silent))


def _judge(floor: Floor, value: float | None, digest: str) -> Outcome:
    if value is None or not math.isfinite(value):
        return Outcome(floor, "failed", None, "the run gave no such figure", digest)
    # Written so that anything that is not clearly at or above the floor fails.
    ok = value >= floor.floor
    return Outcome(floor, "passed" if ok else "failed", value, f"{value:.4f}, floor {floor.floor:.4f}", digest)


def _find(name: str, root: Path | None, scratch: Path) -> Path | None:
    if name == DEMO:
        folder = scratch / DEMO
        if not folder.exists():
            from sitegrain.demo import generate

            generate(folder)
        return folder
    if root is None:
        return None
    # An archive and its unpacked folder have the same digest, so either will do.
    stem = name.removesuffix(".tar.xz")
    return next((root / n for n in (name, stem, f"{stem}.tar.xz") if (root / n).exists()), None)


def digest_of(data: PageSet | Sequence[LabelledSite] | DataFolder) -> str:
    """One digest for data of any layout."""
    if isinstance(data, PageSet):
        return data.digest
    if isinstance(data, DataFolder):
        raise UsageError("floors are pinned for one page set or for sites, and not for a folder of several")
    if len(data) == 1:
        return data[0].digest
    import hashlib

    whole = hashlib.sha256()
    for site in sorted(data, key=lambda s: s.name):
        whole.update(f"{site.name} {site.digest}\n".encode())
    return whole.hexdigest()


def lifted(outcomes: Iterable[Outcome], *, lower: bool) -> list[Floor]:
    """The floors after a run: raised to today's figures, and lowered only when told to."""
    floors = []
    for o in outcomes:
        floor = o.floor
        if o.value is not None:
            margin = FOLD_MARGIN if floor.out_of_fold else MARGIN
            today = math.floor((o.value - margin) * 1e4) / 1e4
            floor = replace(floor, floor=today if lower else max(floor.floor, today))
        floors.append(floor)
    return floors


def main(arguments: Sequence[str] | None = None, say: Callable[[str], None] = print) -> int:
    """Run the gate; the exit code is 0 only when nothing failed."""
    parser = argparse.ArgumentParser(prog="gate", description="Check the quality floors.")
    parser.add_argument("--data", type=Path, help="folder that holds the shared data")
    parser.add_argument("--floors", type=Path, default=FLOORS)
    parser.add_argument("--raise", dest="lift", action="store_true", help="lift floors to today's figures")
    parser.add_argument("--lower", action="store_true", help="set floors to today's figures, also downwards")
    parser.add_argument("--pin", nargs=3, metavar=("DATA", "METHOD", "METRIC"), help="add floors; metrics with commas")
    parser.add_argument("--group", default="all", help="with --pin: groups, with commas")
    parser.add_argument("--scramble", action="store_true", help="with --pin")
    parser.add_argument("--no-site", action="store_true", help="with --pin")
    parser.add_argument("--structure", action="store_true", help="with --pin: figures of `evaluate --structure`")
    parser.add_argument(
        "--out-of-fold", type=Path, action="append", default=[],
        help="folder of models with an index.json (one of each kind may be given); with --pin: pin out of fold",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    try:
        floors = read_floors(options.floors)
        if options.pin:
            return _pin(options, floors, say)
        outcomes = check_floors(floors, options.data, options.workers, options.out_of_fold, say)
        for outcome in outcomes:
            say(str(outcome))
        if options.lift or options.lower:
            write_floors(lifted(outcomes, lower=options.lower), options.floors)
            say(f"wrote {options.floors}")
    except SitegrainError as error:
        say(f"error: {error}")
        return 2
    count = {s: sum(o.status == s for o in outcomes) for s in ("passed", "failed", "skipped")}
    say(", ".join(f"{n} {status}" for status, n in count.items()))
    # Lowering mends a figure that sank; it mends neither other data nor a figure that is not there.
    left = [o for o in outcomes if o.status == "failed" and not (options.lower and o.value is not None)]
    return 1 if left else 0


def _pin(options: argparse.Namespace, floors: list[Floor], say: Callable[[str], None]) -> int:
    """Add floors at today's figures: all of them, or none when one would sink."""
    data, method, metrics = options.pin
    modes = (options.scramble, options.no_site, bool(options.out_of_fold), options.structure)
    with tempfile.TemporaryDirectory() as scratch:
        where = _find(data, options.data, Path(scratch))
        if where is None:
            raise SourceError(f"no data {data!r} under {options.data}")
        digest = digest_of(open_data(where))
    wanted = [
        Floor(data, digest, method, metric.strip(), -math.inf, group.strip(), *modes)
        for metric in metrics.split(",")
        for group in options.group.split(",")
    ]
    outcomes = check_floors(wanted, options.data, options.workers, options.out_of_fold, say)
    missing = [o for o in outcomes if o.value is None]
    for outcome in missing:
        say(str(outcome))
    old = {str(f): f.floor for f in floors}
    new = {str(f): f for f in lifted(outcomes, lower=False)}
    sunk = [name for name, f in new.items() if old.get(name, -math.inf) > f.floor and not options.lower]
    for name in sunk:
        say(f"failed  {name}: today's floor {new[name].floor:.4f} is below {old[name]:.4f}; --lower to sink it")
    if missing or sunk:
        return 1
    write_floors([*(f for f in floors if str(f) not in new), *new.values()], options.floors)
    for name, floor in new.items():
        say(f"pinned  {name}: {floor.floor:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
