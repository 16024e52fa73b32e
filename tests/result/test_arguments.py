"""What is said to who gives `mine` or `extract` something that they do not take."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sitegrain
from sitegrain.errors import SourceError, UsageError

HTML = "<title>Tea</title><h1>Tea</h1><p>Boil the water."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "not NoneType"),
        (5, "not int"),
        (b"folder", "not bytes"),
        ([{"url": "http://a.org/", "html": HTML}], "yields dict"),
        ({"http://a.org/": HTML}, "yields str"),
        ([("http://a.org/", HTML)], "yields tuple"),
        (pa.table({"url": ["http://a.org/"], "html": [HTML]}), "yields ChunkedArray|not Table"),
        ([sitegrain.Capture("http://a.org/", HTML)], "bytes: Capture"),  # type: ignore[arg-type]
        ([sitegrain.Capture(None, b"<p>Tea")], "address as str"),  # type: ignore[arg-type]
    ],
)
@pytest.mark.parametrize("is_written", [False, True])
def test_what_is_no_source(tmp_path: Path, source: Any, said: str, is_written: bool) -> None:
    with pytest.raises(UsageError, match=said):
        sitegrain.mine(source, tmp_path / "out" if is_written else None)


def test_names_of_files_are_one_site(tmp_path: Path) -> None:
    names: list[str | Path] = [tmp_path / "a.html", str(tmp_path / "b.html")]
    for name in names:
        Path(name).write_text(HTML)
    assert len(sitegrain.mine(names)) == 2
    with pytest.raises(SourceError, match=r"c\.html does not exist"):
        sitegrain.mine([*names, "c.html"])


def test_other_mistakes() -> None:
    with pytest.raises(UsageError, match=r"methods=\['sst'\]"):
        sitegrain.extract(HTML, methods="sst")
    with pytest.raises(UsageError, match="not bytes"):
        sitegrain.extract(HTML, url=b"http://a.org/")  # type: ignore[arg-type]


def test_threads_may_mine() -> None:
    pages = [sitegrain.Capture(f"http://a.org/{k}", f"<p>Page {k} of {'mills ' * k}".encode()) for k in range(9)]
    with ThreadPoolExecutor(3) as pool:
        assert len({str(found.pages.to_pylist()) for found in pool.map(lambda _: sitegrain.mine(pages), range(6))}) == 1
