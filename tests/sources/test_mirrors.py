"""A folder of mirrors: each folder is addressed by its own pages."""

from __future__ import annotations

from pathlib import Path

from sitegrain.sources.folder import FolderSource
from sitegrain.sources.mirrors import MirrorsSource, as_mirrors


def _write(folder: Path, pages: dict[str, str]) -> None:
    for name, html in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(html)


def test_each_folder_has_its_own_address(tmp_path: Path) -> None:
    said = {f"{k}.html": f"<link rel=canonical href=http://a.org/{k}.html><p>x" for k in range(3)}
    _write(tmp_path / "first", said)
    _write(tmp_path / "My Blog", {"index.html": "<a href=b.html>b</a>", "b.html": "<p>b"})
    _write(tmp_path / "wget" / "www.c.org", {"index.html": "<p>c"})
    _write(tmp_path, {"notes.txt": "no page"})
    source = as_mirrors(FolderSource(tmp_path))
    assert isinstance(source, MirrorsSource)
    assert sorted(capture.url for capture in source) == [
        "http://a.org/0.html", "http://a.org/1.html", "http://a.org/2.html", "http://my-blog.example/",
        "http://my-blog.example/b.html", "http://www.c.org/",
    ]  # fmt: skip
    assert not source.problems


def test_an_empty_mirror_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    _write(tmp_path / "a", {"x.html": "<p>a"})
    _write(tmp_path / "b", {"x.html": ""})
    _write(tmp_path / "c", {"x.html": "<p>c"})
    source = as_mirrors(FolderSource(tmp_path))
    assert [capture.url for capture in source] == ["http://a.example/x.html", "http://c.example/x.html"]
    assert source.counts == {"skipped: empty file": 1}
    assert [problem.partition(" holds ")[2] for problem in source.problems] == ["no HTML file (skipped: empty file 1)"]


def test_one_site_stays_one(tmp_path: Path) -> None:
    sections = {"news/1.html": "<p>x", "sport/1.html": "<p>y"}
    _write(tmp_path / "own", sections | {"index.html": "<p>z"})
    _write(tmp_path / "hosts", {"a.org/1.html": "<p>x", "b.org/1.html": "<p>y"})
    _write(tmp_path / "told", sections)
    _write(tmp_path / "deep", {"a/b/1.html": "<p>x", "a/c/1.html": "<p>y"})
    for name, base in (("own", None), ("hosts", None), ("told", "http://a.org/"), ("deep", None)):
        source = FolderSource(tmp_path / name, base)
        assert as_mirrors(source) is source
