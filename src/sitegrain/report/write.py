"""Write the report of a result: a folder that opens with a double click, or one file."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from sitegrain.errors import OutputError
from sitegrain.methods.base import NodeVerdict
from sitegrain.report.files import ASSETS, BlockPages, ReportFiles, asset
from sitegrain.result.folder import MANIFEST, record_files
from sitegrain.result.result import Result

LARGE_FILE = 20 << 20
"""Bytes from which a report in one file is worth a warning: browsers take seconds to open more."""
_STATIC = tuple(name for name in ASSETS if name != "explore.js")


def judged_pages(result: Result, verdict: NodeVerdict) -> BlockPages:
    """The pages as another method judges them, beside the result's own verdict."""
    judged = Result(result.site, verdict, result.roles, result.provenance)
    return BlockPages(result.site, verdict, judged, result.nodes.node_kept)


def report_files(result: Result, also: Mapping[str, NodeVerdict] | None = None) -> ReportFiles:
    """The files of the report of a result, with the verdicts of other methods by their names."""
    others = {name: judged_pages(result, verdict) for name, verdict in (also or {}).items()}
    return ReportFiles(result, BlockPages(result.site, result.nodes, result), others)


def write_report(result: Result, folder: str | Path, also: Mapping[str, NodeVerdict] | None = None) -> Path:
    """Write the report into a folder, whole or not at all; returns the page to open.

    `also` holds what other methods say of the site: the Page view then switches between them.
    """
    folder = Path(folder)
    if folder.exists() and not (folder / "core.js").exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} is no report: it is not replaced; give a new or empty folder")
    part = folder.with_name(f".{folder.name}.part-{os.getpid()}")
    files = report_files(result, also)
    try:
        shutil.rmtree(part, ignore_errors=True)
        (part / "data").mkdir(parents=True)
        for name in _STATIC:
            (part / name).write_text(asset(name), encoding="utf-8")
        for name in files.data_names():
            (part / "data" / f"{name}.js").write_text(files.data(name), encoding="ascii")
        (part / "distilled.svg").write_text(files.svg(), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        names = [p.relative_to(part).as_posix() for p in part.rglob("*") if p.is_file()]
        part.rename(folder)
        if (folder.parent / MANIFEST).exists():
            record_files(folder.parent, (f"{folder.name}/{name}" for name in names))
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder / "index.html"


def write_single_file(result: Result, path: str | Path, also: Mapping[str, NodeVerdict] | None = None) -> int:
    """Write the report as one HTML file; returns its size in bytes."""
    files = report_files(result, also)
    page = asset("index.html")
    page = re.sub(r'<link rel="stylesheet"[^>]*>', lambda _: f"<style>{asset('style.css')}</style>", page)
    page = page.replace("script-src 'self' file:", "script-src 'unsafe-inline'")
    data = "".join(f"<script>{files.data(name)}</script>\n" for name in files.data_names())
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
