"""Write the report of a result: a folder that opens with a double click, or one file."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sitegrain.errors import OutputError
from sitegrain.methods.base import NodeVerdict
from sitegrain.report.files import ASSETS, BlockPages, ReportFiles, asset
from sitegrain.report.tables import Tables
from sitegrain.result.folder import MANIFEST, record_files
from sitegrain.result.result import Result

LARGE_FILE = 20 << 20
"""Bytes from which a report in one file is worth a warning: browsers take seconds to open more."""
STATIC = tuple(name for name in ASSETS if name != "explore.js")


def judged_pages(result: Result, verdict: NodeVerdict, starts: Sequence[int] | None = None) -> BlockPages:
    """The pages as another method judges them, beside the result's own verdict."""
    judged = Result(result.site, verdict, result.roles, result.provenance)
    return BlockPages(result.site, verdict, judged, result.nodes.node_kept, starts=starts)


def report_files(result: Result, also: Mapping[str, NodeVerdict] | None = None) -> ReportFiles:
    """The files of the report of a result, with the verdicts of other methods by their names."""
    others = {name: judged_pages(result, verdict) for name, verdict in (also or {}).items()}
    return ReportFiles(result, BlockPages(result.site, result.nodes, result), others)


class ReportWriter:
    """Writes a report part by part: the bodies of the pages as they come, the rest from the tables of the whole result.
    Nothing is there before `finish`; what `close` finds unfinished is removed.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not _may_replace(self.folder):
            raise OutputError(f"{folder} is not a report, so it is not replaced: give a new or empty folder")
        self._part = self.folder.with_name(f".{self.folder.name}.part-{os.getpid()}")
        self._starts: list[int] = []
        self._methods: dict[str, BlockPages] = {}
        self._names: list[str] = []
        with self._told():
            shutil.rmtree(self._part, ignore_errors=True)
            (self._part / "data").mkdir(parents=True)

    def add(self, pages: BlockPages, others: Mapping[str, BlockPages] | None = None) -> None:
        """Write the bodies of the pages that follow those written before."""
        self._starts += pages.starts
        self._methods.update(others or {})
        for method, judged in {"": pages, **(others or {})}.items():
            for start in judged.starts:
                name = f"body-{start}-{method}" if method else f"body-{start}"
                self._write(f"data/{name}.js", judged.data(name, start))

    def finish(self, tables: Tables) -> Path:
        """Write what speaks of all pages, and put the folder in its place; returns the page to open."""
        files = ReportFiles(tables, None, self._methods, self._starts)
        for name in STATIC:
            self._write(name, asset(name))
        for name in files.data_names():
            self._write(f"data/{name}.js", files.data(name))
        self._write("distilled.svg", files.svg())
        with self._told():
            shutil.rmtree(self.folder, ignore_errors=True)
            self._part.rename(self.folder)
            if (self.folder.parent / MANIFEST).exists():
                record_files(self.folder.parent, (f"{self.folder.name}/{name}" for name in self._names))
        return self.folder / "index.html"

    def close(self) -> None:
        """Remove what was not finished."""
        shutil.rmtree(self._part, ignore_errors=True)

    def _write(self, name: str, text: str) -> None:
        with self._told():
            (self._part / name).write_text(text, encoding="utf-8")
        self._names.append(name)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.close()
            raise OutputError(f"{self.folder} cannot be written: {error.strerror or error}") from error


def _may_replace(folder: Path) -> bool:
    return not folder.exists() or (folder / "core.js").exists() or (folder.is_dir() and not any(folder.iterdir()))


def write_report(result: Result, folder: str | Path, also: Mapping[str, NodeVerdict] | None = None) -> Path:
    """Write the report into a folder, whole or not at all; returns the page to open.

    `also` holds what other methods say of the site: the Page view then switches between them.
    """
    files = report_files(result, also)
    assert files.pages is not None
    with closing(ReportWriter(folder)) as writer:
        writer.add(files.pages, files.others)
        return writer.finish(result)


def write_single_file(result: Result, path: str | Path, also: Mapping[str, NodeVerdict] | None = None) -> int:
    """Write the report as one HTML file; returns its size in bytes."""
    files = report_files(result, also)
    page = asset("index.html")
    page = re.sub(r'<link rel="stylesheet"[^>]*>', lambda _: f"<style>{asset('style.css')}</style>", page)
    page = page.replace("script-src 'self' file:", "script-src 'unsafe-inline'")
    data = "".join(f"<script>{files.data(name)}</script>\n" for name in (*files.data_names(), "svg"))
    scripts = re.findall(r'<script src="([a-z]+\.js)"></script>\n', page)
    for name in scripts:
        code = f"<script>{asset(name)}</script>\n" + (data if name == "core.js" else "")
        page = page.replace(f'<script src="{name}"></script>\n', code)
    path = Path(path)
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(path)
        if (path.parent / MANIFEST).exists():
            record_files(path.parent, [path.name])
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error
    return len(page.encode())
