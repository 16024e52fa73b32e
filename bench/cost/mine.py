"""What the command `sitegrain mine SITE --out OUT --workers 1` costs, stage by stage, as ratios to bare Lexbor parsing.

    python bench/cost/mine.py DATA/sites/NAME ... [--pages N] [--repeats N] [--record]

Every run is the command itself, report and all, in a fresh process; of several runs the cheapest counts. Processor time
of all threads. `start` is what the same command needs for a site of three pages of random words: interpreter, imports,
models (of languages, too, which are mapped and read where words are looked up). What a stage calls that is a stage of its own
is counted there only.

Memory is the largest resident set of the process, less that of the run over those three pages, over the bytes of the
HTML. `--record` adds the figures to `bench/cost/history.jsonl`, with the commit.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cached_property, wraps
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from timing import least

HISTORY = Path(__file__).with_name("history.jsonl")
STAGES = {
    "reading": ("sources.folder:FolderSource.address", "plan.spool:Spool.add", "plan.spool:_unpack"),
    "tables": ("tables.parsing.build:SiteBuilder.add", "tables.parsing.build:SiteBuilder.build"),
    "links": ("tables.site:Site.links",),
    "site fields": ("article.context:site_fields", "article.fields.sitevote:SiteFields.fit"),
    "judging": (
        "extractor.model:Extractor.fit",
        "extractor.model:Extractor.apply",
        "extractor.model:Extractor.path_scores",
        "extractor.knowledge:SaidCounts.of",
        "extractor.knowledge:PathCounts.of",
    ),
    "terms": ("text.terms:site_terms",),
    "roles": (
        "roles.model:SiteRoles.apply",
        "roles.model:SiteRoles.rank_features",
        "roles.counts:RoleCounts.of",
        "roles.page:part_evidence",
    ),
    "survey": ("plan.stages:survey",),
    "evidence": ("plan.stages:EvidenceStage.answer",),
    "lists": ("plan.stages:ListStage.answer",),
    "merging": ("plan.judging:Judging.judge", "plan.judging:Judging.__init__"),
    "pages table": ("result.result:Result.complete", "result.result:Result.pages"),
    "blocks table": ("result.result:Result.blocks",),
    "links table": ("result.result:Result.links", "plan.stages:PartResult.links"),
    "lines": ("article.article:Article.to_dict", "article.article:Article.html"),
    "writing": ("result.result:Result.save", "plan.mining:_InOrder.take", "plan.stages:RowsStage.__call__"),
    "report": ("report.write:write_report", "report.parts:write_bodies", "report.parts:write_stored_report"),
}
"""What belongs to each stage: functions and methods of `sitegrain`."""


class Stages:
    """Processor time by stage."""

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self._open: list[str] = []
        self._since = time.process_time()

    def switch(self) -> None:
        """What was used since the last switch belongs to the stage that is open."""
        now = time.process_time()
        stage = self._open[-1] if self._open else "rest"
        self.times[stage] = self.times.get(stage, 0.0) + now - self._since
        self._since = now

    def timed(self, stage: str, task: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(task)
        def run(*args: Any, **named: Any) -> Any:
            self.switch()
            self._open.append(stage)
            try:
                return task(*args, **named)
            finally:
                self.switch()
                self._open.pop()

        return run

    def watch(self) -> None:
        """Put timers around everything that is named in `STAGES`, in every module that has it."""
        places = [(stage, *place.split(":")) for stage, names in STAGES.items() for place in names]
        for module in {module for _, module, _ in places}:
            importlib.import_module(f"sitegrain.{module}")
        for stage, module, name in places:
            self._wrap(stage, sys.modules[f"sitegrain.{module}"], name)

    def _wrap(self, stage: str, module: Any, name: str) -> None:
        owner, _, attribute = name.rpartition(".")
        if not owner:
            task = getattr(module, attribute)
            timer = self.timed(stage, task)
            for other in [m for n, m in sys.modules.items() if n.startswith("sitegrain")]:
                if vars(other).get(attribute) is task:
                    setattr(other, attribute, timer)
            return
        holder = getattr(module, owner)
        task = vars(holder)[attribute]
        if isinstance(task, cached_property):
            task.func = self.timed(stage, task.func)
        elif isinstance(task, classmethod):
            setattr(holder, attribute, classmethod(self.timed(stage, task.__func__)))
        else:
            setattr(holder, attribute, self.timed(stage, task))


def mined(pages: Path, base: str, is_timed: bool) -> dict[str, Any]:
    """What the command used in this process, from its start."""
    from sitegrain.cli import run

    stages = Stages()
    if is_timed:
        stages.watch()
        stages.switch()
        stages.times.clear()
    with tempfile.TemporaryDirectory() as temporary, contextlib.redirect_stdout(io.StringIO()):
        command = ["mine", str(pages), "--out", f"{temporary}/out", "--workers", "1", "--quiet", "--base", base]
        with contextlib.suppress(SystemExit):
            run(command)
        if not Path(temporary, "out", "site.json").exists():
            raise RuntimeError(f"nothing was written for {pages}")
    stages.switch()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": time.process_time(), "peak": peak, "stages": stages.times}


def bare_seconds(pages: Path) -> tuple[float, int, int]:
    """Bare parsing of the pages of a folder: processor time, pages and bytes."""
    from selectolax.lexbor import LexborHTMLParser

    bodies = [path.read_bytes() for path in sorted(pages.rglob("*")) if path.is_file()]
    return least(lambda: [LexborHTMLParser(b) and None for b in bodies] and None, 5), len(bodies), sum(map(len, bodies))


def fresh(task: Callable[..., Any], *args: Any) -> Any:
    """Run in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(task, args)


def cheapest(pages: Path, base: str, is_timed: bool, repeats: int) -> dict[str, Any]:
    runs: list[dict[str, Any]] = [fresh(mined, pages, base, is_timed) for _ in range(repeats)]
    return min(runs, key=lambda run: float(run["seconds"]))


def measured(folder: Path, n_pages: int, repeats: int) -> dict[str, Any]:
    """The ratios of one site."""
    about = folder / "site.json"
    base = json.loads(about.read_text("utf-8"))["base_url"] if about.exists() else ""
    base = base or "http://site.example/"
    pages = folder / "html" if (folder / "html").is_dir() else folder
    with tempfile.TemporaryDirectory() as temporary:
        if n_pages:
            some = Path(temporary) / "some"
            for path in sorted(p for p in pages.rglob("*") if p.is_file())[:n_pages]:
                place = some / path.relative_to(pages)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
            pages = some
        small = Path(temporary) / "small"
        small.mkdir()
        chance = random.Random(0)
        letters = "".join(map(chr, (*range(97, 123), *range(0xE0, 0xFF), *range(0x3B1, 0x3C9), *range(0x430, 0x44F))))
        for name in "abc":
            words = ("".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(400))
            text = f"<title>{name}</title><a href=a.html>The first one</a><p>{' '.join(words)}"
            (small / f"{name}.html").write_text(text, "utf-8")
        bare, n, html = fresh(bare_seconds, pages)
        if not n:
            sys.exit(f"{folder}: no pages; give the folder of a site, unpacked")
        fresh(mined, small, "http://site.example/", False)  # compiles the modules
        start = cheapest(small, "http://site.example/", False, repeats)
        whole = cheapest(pages, base, False, repeats)
        parts = cheapest(pages, base, True, 1)
        bare = min(bare, fresh(bare_seconds, pages)[0])
    stages = {"start": start["seconds"], **parts["stages"]}
    # Stages are measured in a run of their own, with the models loaded within them: what `start` counts is not theirs.
    named = sum(parts["stages"].values())
    return {
        "site": folder.name,
        "pages": n,
        "bare_ms": round(bare / max(n, 1) * 1e3, 3),
        "stages": {stage: round(stages[stage] / bare, 2) for stage in ("start", *STAGES, "rest") if stage in stages},
        "named": round(named / bare, 2),
        "total": round(whole["seconds"] / bare, 2),
        "per_page": round((whole["seconds"] - start["seconds"]) / bare, 2),
        "memory": round((whole["peak"] - start["peak"]) / max(html, 1), 2),
        "start_mb": start["peak"] >> 20,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=0, help="the first N pages of each site; all by default")
    parser.add_argument("--repeats", type=int, default=2, help="runs, of which the cheapest counts")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    spent = parsing = 0.0
    for folder in given.sites:
        found = measured(folder, given.pages, given.repeats)
        print(f"{found['site']}: {found['pages']} pages, bare parsing {found['bare_ms']} ms a page")
        for stage, ratio in found["stages"].items():
            print(f"  {stage:14} {ratio:8.2f}x")
        print(
            f"  {'all':14} {found['total']:8.2f}x, of it {found['per_page']:.2f}x for the pages and the rest to start"
        )
        print(f"  peak memory: {found['start_mb']} MB to start, and {found['memory']:.1f} times the HTML", flush=True)
        if given.record:
            with open(HISTORY, "a", encoding="utf-8") as file:
                file.write(json.dumps({"commit": commit, "bench": "mine", **found}) + "\n")
        parsing += found["bare_ms"] * found["pages"]
        spent += found["bare_ms"] * found["pages"] * found["total"]
    if len(given.sites) > 1:
        print(f"{len(given.sites)} sites: {spent / parsing:.2f}x, all processor time over all bare parsing")


if __name__ == "__main__":
    if sys.flags.dont_write_bytecode:  # compiled modules, as an installed package has them
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
            raise SystemExit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)
    main()
