"""The report of a site that was mined in parts: bodies are written with each part, the rest from the stored tables."""

from __future__ import annotations

from pathlib import Path

from sitegrain.errors import OutputError
from sitegrain.plan.part import PartResult
from sitegrain.report.files import BlockPages, ReportFiles, asset
from sitegrain.report.write import STATIC
from sitegrain.result.folder import MANIFEST, record_files
from sitegrain.result.stored import StoredResult


def write_bodies(result: PartResult, folder: Path) -> None:
    """Write the bodies of a part into the folder of its result (a `PartHook`)."""
    data = folder / "report" / "data"
    data.mkdir(parents=True, exist_ok=True)
    pages = BlockPages(result.site, result.nodes, result, first=result.first)
    for start in pages.starts:
        name = f"body-{start}"
        (data / f"{name}.js").write_text(pages.data(name, start), encoding="utf-8")


def write_stored_report(result: StoredResult) -> Path:
    """Write what is left of the report of a result whose bodies are there; returns the page to open."""
    folder = result.folder / "report"
    data = folder / "data"
    try:
        data.mkdir(parents=True, exist_ok=True)
        starts = sorted(int(path.stem.removeprefix("body-")) for path in data.glob("body-*.js"))
        files = ReportFiles(result, None, {}, starts)
        for name in STATIC:
            (folder / name).write_text(asset(name), encoding="utf-8")
        for name in files.data_names():
            if not name.startswith("body-"):
                (data / f"{name}.js").write_text(files.data(name), encoding="utf-8")
        (folder / "distilled.svg").write_text(files.svg(), encoding="utf-8")
        if (result.folder / MANIFEST).exists():
            names = (p.relative_to(result.folder).as_posix() for p in folder.rglob("*") if p.is_file())
            record_files(result.folder, names)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
    return folder / "index.html"
