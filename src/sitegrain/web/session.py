"""What the explorer holds: a result from its folder or just mined, and what was run on it since."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.errors import SourceError, UsageError
from sitegrain.index import FILE, Index, index_folder, index_result, open_index
from sitegrain.methods.base import NodeMethod
from sitegrain.methods.parameters import Parameter, parameters, set_parameters
from sitegrain.methods.registry import NODE_METHODS, make_method
from sitegrain.report.files import BlockPages, ReportFiles, asset, body_name, packed
from sitegrain.report.tables import Tables, some, strings
from sitegrain.report.write import judged_pages
from sitegrain.result.mining import mine
from sitegrain.result.recipe import make_recipe
from sitegrain.result.result import Result
from sitegrain.result.stored import open_result
from sitegrain.sources.open import open_source
from sitegrain.tables.parsing.build import build_site
from sitegrain.web.compare import Comparison
from sitegrain.web.labels import Labels, label_path, label_row

MAX_RUNS = 8
"""Other verdicts that are held: each has a few numbers for every row of the site."""
CHUNK = 32
"""Pages in a file of bodies, where no report says otherwise."""
_FILES = frozenset(("trees",))
"""Parameters that name a file: the explorer opens none but its own."""


class Session:
    """One site in the explorer. Work that takes long is done under one lock, in the thread of the request."""

    def __init__(
        self, tables: Tables, folder: Path | None = None, pages: str | None = None, labels: Path | None = None
    ) -> None:
        self.tables = tables
        self.folder = folder
        """The result folder; None when the site was mined for this session."""
        self._source = pages
        self._lock = threading.RLock()
        self._runs: dict[str, BlockPages] = {}
        self._n_runs = 0
        self._packed: dict[str, str] = {}
        self._opened: Index | None = None
        self.labels = Labels(labels or (folder / "labels.jsonl" if folder is not None else Path("labels.jsonl")))
        self.said: dict[str, Any] = {"n": 0}
        """What became of the last label, with the number of labels that were tried."""
        self.comparison: Comparison | None = None
        """With a second result of the site."""
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    # --- the report's files

    @cached_property
    def files(self) -> ReportFiles:
        return ReportFiles(self.tables, starts=self.starts)

    @cached_property
    def starts(self) -> list[int]:
        """The first pages of the files of bodies: those of the report, if this version wrote one."""
        return self._written or list(range(0, len(self.addresses), CHUNK))

    @cached_property
    def _written(self) -> list[int]:
        if self.folder is None:
            return []
        report = self.folder / "report"
        try:
            if (report / "body.js").read_text("utf-8") != asset("body.js"):
                return []
            names = [path.stem for path in (report / "data").glob("body-*.js")]
        except (OSError, ValueError):
            return []
        numbers = (name.removeprefix("body-") for name in names)
        return sorted(int(number) for number in numbers if number.isascii() and number.isdigit())

    @cached_property
    def addresses(self) -> list[str]:
        return strings(some(self.tables, "pages", "url"), "url")

    @cached_property
    def result(self) -> Result:
        """The site with its verdict: as mined, or read again from where the result was mined from."""
        if isinstance(self.tables, Result):
            return self.tables
        name = self._source or str(getattr(self.tables, "mined_from", None) or "")
        if not name or not Path(name).exists():
            raise SourceError("the pages that this result was mined from are not here: name their place with --pages")
        site = build_site(open_source(name))
        if list(site.pages.url) != self.addresses:
            raise SourceError(
                f"{name} holds pages other than those of this result: name the place of its pages with --pages"
            )
        made = self.tables.summary["methods"]
        # A name as LAMIS-LN is a set of parameters, so those are enough; JSON made lists of tuples.
        given = [
            {k: tuple(v) if isinstance(v, list) else v for k, v in made[kind].items()} for kind in ("nodes", "pages")
        ]
        recipe = make_recipe([make_method(str(parameters.pop("name")), **parameters) for parameters in given])
        nodes = recipe.judge(site)
        stored = self.tables.table("blocks", ["is_informative"]).column("is_informative").to_numpy(zero_copy_only=False)
        if not np.array_equal(nodes.blocks.is_informative, stored):
            raise SourceError(
                "these pages are now judged differently from when the result was made (a model file was given then, or "
                "sitegrain has changed): mine them again"
            )
        return Result(site, nodes, recipe.pages.fit_apply(site), dict(self.tables.summary), recipe)

    @cached_property
    def own_pages(self) -> BlockPages:
        return BlockPages(self.result.site, self.result.nodes, self.result, starts=self.starts)

    def data(self, name: str) -> str:
        """A data file of the report; bodies also by any run. `KeyError` if there is none of that name."""
        with self._lock:
            if name == "site":
                about = {"starts": self.starts, "methods": list(self.methods), "server": self.about()}
                return packed(name, {**self.files.overview, **about})
            if name in ("pages", "graph"):
                if name not in self._packed:
                    self._packed[name] = self.files.data(name)
                return self._packed[name]
            number, run = body_name(name)
            if not run and number in self._written and self.folder is not None:
                return (self.folder / "report" / "data" / f"body-{number}.js").read_text("ascii")
            return (self._runs[run] if run else self.own_pages).data(name, number)

    @cached_property
    def methods(self) -> dict[str, NodeMethod]:
        """The methods that can be run, with the parameters they have unless others are set."""
        return {name: make() for name, make in NODE_METHODS.items()}

    def about(self) -> dict[str, Any]:
        """What the explorer can do with this site."""
        return {
            "compare": self.comparison is not None,
            "labelled": self.labelled(),
            "said": self.said["n"],
            "parameters": {name: [_field(p) for p in settable(method)] for name, method in self.methods.items()},
        }

    # --- methods

    def run(self, method: str, settings: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Judge the site by a method with parameters; says how far it agrees with the result, and by what name the
        pages are to be asked for."""
        if method not in self.methods:
            raise UsageError(f"no method {method!r} here")
        known = {p.name for p in settable(self.methods[method])}
        if unknown := sorted(set(settings or {}) - known):
            raise UsageError(f"{method} has no parameter {unknown[0]!r} that can be set here")
        given = [f"{name}={value}" for name, value in (settings or {}).items()]
        judge = set_parameters({method: self.methods[method]}, given)[method]
        with self._lock:
            result = self.result
            judged = judged_pages(result, judge.fit_apply(result.site), self.starts)
            self._n_runs += 1
            name = f"run-{self._n_runs}"
            self._runs[name] = judged
            while len(self._runs) > MAX_RUNS:
                del self._runs[next(iter(self._runs))]
        return {"run": name, "method": method, **self._agreement(judged)}

    def _agreement(self, judged: BlockPages) -> dict[str, Any]:
        """Characters kept by both, by one, and the pages where they differ most."""
        other_kept, own = judged.verdict.node_kept, self.result.nodes.node_kept
        nodes, n = self.result.site.nodes, len(self.result)
        size = np.where(self.result.site.is_text, nodes.text_end - nodes.text_start, 0)

        def total(chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> Any:
            return np.bincount(nodes.page[chosen], size[chosen], minlength=n)

        both, other, mine_only = total(other_kept & own), total(other_kept & ~own), total(own & ~other_kept)
        most = np.argsort(-(other + mine_only), kind="stable")[:50]
        return {
            "both": int(both.sum()), "only_method": int(other.sum()), "only_result": int(mine_only.sum()),
            "pages": [[int(p), int(other[p]), int(mine_only[p])] for p in most.tolist() if other[p] + mine_only[p]],
        }  # fmt: skip

    def save_model(self) -> str:
        """Write what was learned of the site into the result folder."""
        if self.folder is None:
            raise UsageError("this site has no result folder: mine it with --out, and explore that")
        with self._lock:
            path = self.folder / "model.json"
            self.result.save_model(path)
        return path.name

    # --- search and comparison

    def search(self, query: str, n: int = 30) -> list[dict[str, Any]]:
        """Full-text search in the informative text; the index is made at the first search, and stays open."""
        with self._lock:
            if self._opened is None:
                self._opened = open_index(self._index())
            hits = self._opened.search(query, n)
            page_of = self._page_of
        return [
            {"page": page_of.get(hit.url, -1), "url": hit.url, "title": hit.title, "snippet": hit.snippet}
            for hit in hits
        ]

    @cached_property
    def _page_of(self) -> dict[str, int]:
        return {url: page for page, url in enumerate(self.addresses)}

    def _index(self) -> Path:
        if self.folder is not None:
            if not (self.folder / FILE).exists():
                index_folder(self.folder)
            return self.folder
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="sitegrain-explore-")
            index_result(self.result, self._temporary.name)
        return Path(self._temporary.name)

    def compare(self, page: int | None = None) -> dict[str, Any]:
        """Pages that are new, gone or changed since the other result; of one page, its lines that are."""
        if self.comparison is None:
            raise UsageError("nothing to compare with: give --against FOLDER")
        with self._lock:
            if page is None:
                return self.comparison.found
            return {"lines": self.comparison.lines(self._known(page))}

    # --- labels

    def label(self, page: int, kind: str, blocks: Sequence[int]) -> dict[str, Any]:
        """Write what a person says of a page: its kind, and the blocks that are its content (or its list)."""
        with self._lock:
            about = self.tables.table("pages", ["path", "url"]).slice(self._known(page), 1).to_pylist()[0]
            path = label_path(about["path"] or "", about["url"])
            row = label_row(path, kind, self.own_pages, page, blocks)
            self.labels.set(row)
        return row

    def labelled(self) -> dict[int, str]:
        """The kinds of the pages that have a label."""
        if not self.labels.rows:
            return {}
        paths = strings(some(self.tables, "pages", "url", "path"), "path")
        named = (label_path(path, url) for path, url in zip(paths, self.addresses, strict=True))
        rows = self.labels.rows
        return {page: str(rows[name].get("kind", "")) for page, name in enumerate(named) if name in rows}

    def _known(self, page: int) -> int:
        if not 0 <= page < len(self.addresses):
            raise UsageError(f"no page {page}")
        return page

    def close(self) -> None:
        """Remove what was made for this session only."""
        if self._opened is not None:
            self._opened.close()
        if self._temporary is not None:
            self._temporary.cleanup()


def settable(method: NodeMethod) -> list[Parameter]:
    """The parameters of a method that a person may set here."""
    return [p for p in parameters(method) if p.name not in _FILES and "a file" not in p.allowed]


def _field(parameter: Parameter) -> dict[str, Any]:
    """A parameter as a form shows it."""
    default, allowed = parameter.default, parameter.allowed
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
    found = allowed.removeprefix("one of ").split("; or ")[0].split(", ") if allowed.startswith("one of ") else []
    if allowed.startswith("true or false"):
        found = ["True", "False"]
    if found and allowed.endswith("; or none"):
        found.append("none")
    return {
        "name": parameter.name, "value": "none" if default is None else shown, "allowed": allowed, "choices": found,
    }  # fmt: skip


def open_session(
    source: str, pages: str | None = None, against: Path | None = None, labels: Path | None = None
) -> Session:
    """Open a result folder, or mine a source now."""
    folder = Path(source)
    if (folder / "site.json").is_file() and (folder / "pages.parquet").is_file():
        session = Session(open_result(folder), folder, pages, labels)
    else:
        session = Session(mine(source), None, None, labels)
    _ = session.labels.rows  # a file that holds no labels is told now
    if against is not None:
        session.comparison = Comparison(session.tables, open_result(against))
    return session
