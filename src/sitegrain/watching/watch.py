"""Keep watch over a site: crawl it again, judge it by what was learned, tell what changed.

Everything is in one folder:

    crawls/TIME.warc.gz   one file per run; what did not change is stored once
    result/               the newest result, with its report
    model.json            what was learned of the site; learned again when the template changes
    changes.jsonl         every change so far, one JSON object a line, the oldest first
    changes.atom          the newest of them as a feed
    state.json            which crawl was the last that was worked through

A run that is killed loses nothing: the crawl goes on where it stopped, and what follows is done again from files that
were there before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from sitegrain.errors import OutputError, SourceError
from sitegrain.extractor.model import Drift, Extractor
from sitegrain.report.write import write_report
from sitegrain.result.folder import is_result
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.result.stored import open_result
from sitegrain.sources.crawl import CrawlOptions, CrawlSummary, crawl
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.address import page_key
from sitegrain.tables.notebook import counted
from sitegrain.watching.changes import Changes, Looks, PageChange, below, compare
from sitegrain.watching.feed import Entry, atom, entries
from sitegrain.wholefile import write_whole

try:
    import fcntl
except ImportError:  # pragma: no cover - not on POSIX: two runs at one time are then not noticed
    fcntl = None  # type: ignore[assignment]

CRAWLS, RESULT, MODEL, LINES, FEED, STATE = (
    "crawls", "result", "model.json", "changes.jsonl", "changes.atom", "state.json",
)  # fmt: skip
GROWN = 2
"""A site of so many times the pages that were learned is learned anew. Ours: what a small crawl taught is enough to judge
by, and twice as many pages teach more."""
_STAMP = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True)
class Watched:
    """What a run found."""

    crawl: CrawlSummary
    changes: Changes | None
    """None for the first run, which has nothing to compare with, and for a crawl that was interrupted."""
    result: Result | None = None
    is_refitted: bool = False
    """Whether the site was learned anew, because its template changed or it has grown."""


def watch(
    url: str,
    folder: str | Path,
    options: CrawlOptions | None = None,
    *,
    report: bool = True,
    on_event: Callable[[dict[str, Any]], None] | None = None,
) -> Watched:
    """One run: crawl, mine, compare with the run before, write what is new into the folder."""
    folder = Path(folder)
    try:
        (folder / CRAWLS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
    with _alone(folder):
        state = _read_state(folder, url)
        warc = _next_crawl(folder, state)
        earlier = folder / CRAWLS / state["crawl"] if state else None
        if earlier is not None and not earlier.is_file():
            raise SourceError(
                f"{earlier}, the crawl of the run before, is not there: put it back, or watch in a new folder"
            )
        options = replace(options or CrawlOptions(), earlier=str(earlier or ""))
        summary = crawl(url, warc, options, on_event=on_event)
        if summary.stopped == "interrupted":
            return Watched(summary, None)
        return _take_in(_Run(url, folder, warc, state, report), summary)


def _take_in(run: _Run, summary: CrawlSummary) -> Watched:
    """Mine the crawl, compare it with the result before, and write everything."""
    source = WarcSource(run.warc)
    is_first = not run.state
    result = mine(source, model=run.model if not is_first and run.model.is_file() else None)
    drift = _drift(result)
    odd = below(result.site, drift) if drift is not None else frozenset()
    looks = Looks(
        redesigned=odd - frozenset(run.state.get("odd", ())),
        same=frozenset(map(page_key, source.revisited)),
        known=drift.known if drift is not None else None,
    )
    is_refitted = not is_first and (drift is None or drift.is_changed or _has_grown(result))
    if is_refitted:
        result = _learned_anew(result)
        drift = _drift(result)
        odd = below(result.site, drift) if drift is not None else frozenset()
    changes = None if is_first else _changes(run, result, looks)
    if changes is not None and summary.stopped != "finished":
        changes = _without_gone(changes, summary.stopped)
    run.write_changes(changes)
    if len(result) > 1 and (is_refitted or not run.model.is_file()):
        result.save_model(run.model)
    result.save(run.folder / RESULT)
    if run.report:
        write_report(result, run.folder / RESULT / "report")
    state = {"url": run.url, "crawl": run.warc.name, "odd": sorted(odd)}
    write_whole(run.folder / STATE, json.dumps(state, indent=1) + "\n")
    return Watched(summary, changes, result, is_refitted)


def _extractor(result: Result) -> Extractor:
    nodes = result.recipe.nodes if result.recipe is not None else None
    assert isinstance(nodes, Extractor)
    return nodes


def _drift(result: Result) -> Drift | None:
    """How well the pages fit what was learned; None when nothing was, of a single page."""
    extractor = _extractor(result)
    return extractor.drift(result.site) if extractor.knowledge_ is not None else None


def _has_grown(result: Result) -> bool:
    knowledge = _extractor(result).knowledge_
    return knowledge is not None and len(result) >= GROWN * knowledge.n_pages


def _learned_anew(result: Result) -> Result:
    """The same pages, judged by what they teach now."""
    again = mine(result.site)
    read = ("source", "skipped", "problems", "links_inside", "links_resolved")
    return replace(again, provenance={**again.provenance, **{k: result.provenance[k] for k in read}})


def _changes(run: _Run, result: Result, looks: Looks) -> Changes:
    before = run.folder / RESULT
    if not is_result(before):
        raise SourceError(
            f"{before}, the result of the run before, is not there: put it back, or watch in a new folder"
        )
    stored = open_result(before)
    if str(stored.summary.get("source")) == str(run.warc):
        # A run that was killed after it had written its result: what it found is in the file of changes.
        pages = tuple(page for crawl_name, _, page in run.read_changes() if crawl_name == run.warc.name)
        return Changes(pages, len(result) - sum(page.kind != "gone" for page in pages), looks.known)
    return compare(stored, result, looks)


def _without_gone(changes: Changes, stopped: str) -> Changes:
    """Pages that a crawl did not come to are not gone."""
    kept = tuple(page for page in changes.pages if page.kind != "gone")
    n = counted(len(changes) - len(kept), "page")
    note = f"the crawl stopped at the {stopped}: {n} of the run before were not asked for and may still be there"
    return replace(changes, pages=kept, notes=(*changes.notes, note))


@dataclass(frozen=True)
class _Run:
    """One run, and the files it works on."""

    url: str
    folder: Path
    warc: Path
    state: Mapping[str, Any]
    """What the run before left; empty for the first one."""
    report: bool

    @property
    def model(self) -> Path:
        return self.folder / MODEL

    def read_changes(self) -> list[tuple[str, str, PageChange]]:
        """All changes so far: name of the crawl, time, page."""
        path = self.folder / LINES
        names = PageChange.__dataclass_fields__
        try:
            rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]
            return [
                (
                    str(row["crawl"]),
                    str(row["time"]),
                    PageChange(**{k: tuple(row[k]) if isinstance(row[k], list) else str(row[k]) for k in names}),  # type: ignore[arg-type]
                )
                for row in rows
            ]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{path} is damaged ({error}): move it away") from error

    def write_changes(self, changes: Changes | None) -> None:
        """Add what changed to the file of all changes, and make the feed from it; what an unfinished run wrote for the
        same crawl is replaced."""
        time = _time_of(self.warc)
        rows = [row for row in self.read_changes() if row[0] != self.warc.name]
        rows += [(self.warc.name, time, page) for page in (changes.pages if changes is not None else ())]
        lines = ({"crawl": crawl_name, "time": when, **asdict(page)} for crawl_name, when, page in rows)
        write_whole(self.folder / LINES, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        listed: list[Entry] = []
        for _, group in groupby(reversed(rows), key=lambda row: row[0]):
            of_run = list(group)[::-1]
            listed += entries(Changes(tuple(page for *_, page in of_run), 0), of_run[0][1], self.url)
        write_whole(self.folder / FEED, atom(self.url, listed))


# Files


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with open(folder / ".lock", "w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise OutputError(f"{folder} is being watched by another run: wait until it is done") from None
        yield


def _read_state(folder: Path, url: str) -> dict[str, Any]:
    """What the run before left; empty for the first one."""
    path = folder / STATE
    if not path.exists():
        return {}
    try:
        state = json.loads(path.read_bytes())
        found = {"url": str(state["url"]), "crawl": Path(str(state["crawl"])).name, "odd": list(map(str, state["odd"]))}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path} is damaged ({error}): watch in a new folder") from error
    if found["url"] != url:
        raise OutputError(f"{folder} watches {found['url']}: give another --out for {url}")
    return found


def _next_crawl(folder: Path, state: dict[str, Any]) -> Path:
    """The WARC of this run: one that a run left unfinished, or a new one."""
    last = state.get("crawl", "")
    open_ones = sorted(p for p in (folder / CRAWLS).glob("*.warc.gz") if p.name > last)
    if open_ones:
        return open_ones[-1]
    name = datetime.now(UTC).strftime(_STAMP)
    while f"{name}.warc.gz" <= last:  # two runs within a second, or a clock that was set back
        name = f"{last.removesuffix('.warc.gz')}_"  # sorts after the dot of the one before
    return folder / CRAWLS / f"{name}.warc.gz"


def _time_of(warc: Path) -> str:
    stamp = warc.name.removesuffix(".warc.gz").rstrip("_")
    try:
        return datetime.strptime(stamp, _STAMP).strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
