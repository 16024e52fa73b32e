"""Folders, files, standard input, Parquet, and how a name is understood."""

from __future__ import annotations

import io
import os
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegrain.demo import generate
from sitegrain.errors import SourceError
from sitegrain.sources.folder import FileSource, FolderSource
from sitegrain.sources.open import open_source
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WarcSource
from tests.builders import warc_of


def test_folder_paths_become_urls(tmp_path: Path) -> None:
    for name in ("index.html", "b/index.htm", "b/c d.html", "b/e?x=1.html", "中.html", "page", "x.php"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<p>x")
    (tmp_path / "style.css").write_text("p {}")
    (tmp_path / "pic.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (tmp_path / "zero.html").write_bytes(b"\0" * 50)
    (tmp_path / "nul.html").write_bytes(b"<p>a\0b")
    source = FolderSource(tmp_path, "http://a.org/s")
    assert {c.path: c.url for c in source} == {
        "index.html": "http://a.org/s/",
        "nul.html": "http://a.org/s/nul.html",
        "page": "http://a.org/s/page",
        "x.php": "http://a.org/s/x.php",
        "中.html": "http://a.org/s/%E4%B8%AD.html",
        "b/c d.html": "http://a.org/s/b/c%20d.html",
        "b/e?x=1.html": "http://a.org/s/b/e%3Fx=1.html",
        "b/index.htm": "http://a.org/s/b/",
    }
    assert source.counts == {"skipped: not HTML by name": 1, "skipped: binary file": 2}


def test_folder_is_read_lazily_and_again(tmp_path: Path) -> None:
    for i in range(3):
        (tmp_path / f"{i}.html").write_text("<p>x")
    (tmp_path / "a.css").write_text("")
    source = FolderSource(tmp_path)
    it = iter(source)
    next(it)
    (tmp_path / "2.html").unlink()
    assert len(list(it)) == 1
    assert source.counts == {"skipped: unreadable file": 1, "skipped: not HTML by name": 1}
    assert len(list(source)) == 2
    assert source.counts == {"skipped: not HTML by name": 1}


def test_empty_and_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is empty"):
        open_source(tmp_path)
    (tmp_path / "a.css").write_text("x")
    with pytest.raises(SourceError, match="no HTML file"):
        list(open_source(tmp_path))
    with pytest.raises(SourceError, match="does not exist"):
        open_source(tmp_path / "no")
    with pytest.raises(SourceError, match="not a folder"):
        FolderSource(tmp_path / "a.css")
    (tmp_path / "empty.html").write_text("")
    with pytest.raises(SourceError, match="empty file 1"):
        list(open_source(tmp_path / "empty.html"))


def test_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "a.html").write_text("<p>x")
    source = FolderSource(tmp_path)
    assert len(list(source)) == 1
    assert source.counts == {"skipped: not a plain file": 1}


def test_files_without_an_ending_are_pages_if_they_have_a_tag(tmp_path: Path) -> None:
    (tmp_path / "wiki").write_text("<p>x")
    (tmp_path / "topic.php").write_text("words")  # named as a page: what it holds is its own affair
    (tmp_path / "wide").write_bytes("<p>é".encode("utf-16-le"))
    (tmp_path / "Makefile").write_text("all: a < b\n\tcc $< -o $@")
    (tmp_path / "objects.inv").write_bytes(b"# a list of names, packed:\n\xda<x\xc4\xbd<Q \xe3")  # a tag by chance only
    source = FolderSource(tmp_path)
    assert [c.path for c in source] == ["topic.php", "wide", "wiki"]
    assert source.counts == {"skipped: not HTML by name, and does not begin like it": 2}


def test_large_file_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.sources.folder.MAX_BODY", 100)
    (tmp_path / "a.html").write_text("<p>" + "x" * 1000)
    source = FolderSource(tmp_path)
    assert [len(c.body) for c in source] == [100]
    assert source.counts == {"cut: page too large": 1}


def test_labelled_site_names_its_base(tmp_path: Path) -> None:
    truth = generate(tmp_path)
    for source in (open_source(truth.folder), open_source(truth.html)):
        captures = {c.path: c.url for c in source}
        assert captures == {p.path: p.url for p in truth.pages}
        assert source.counts == {"skipped: not HTML by name": 1}  # robots.txt


def test_files_and_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_text("<p>x")
    assert [c.url for c in FileSource([tmp_path / "a.html"], url="http://b.org/")] == ["http://b.org/"]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<p>in")))
    assert [c.body for c in open_source("-")] == [b"<p>in"]
    with pytest.raises(SourceError, match="is a folder"):
        FileSource([tmp_path])


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    htmls = ["<p>é", None, "\0" * 9, "<meta charset=latin1><p>é"]
    pq.write_table(pa.table({"url": [f"http://a.org/{i}" for i in range(4)], "html": htmls}), path)
    source = open_source(path)
    captures = list(source)
    assert [c.body.decode() for c in captures] == [htmls[0], htmls[3]]
    assert captures[1].content_type == "text/html; charset=utf-8"
    assert source.counts == {"skipped: a row without a page": 1, "skipped: binary file": 1}
    renamed = tmp_path / "b.parquet"
    pq.write_table(pa.table({"u": ["http://a.org/"], "h": [b"<p>x"]}), renamed)
    assert [c.body for c in ParquetSource(renamed, "u", "h")] == [b"<p>x"]
    with pytest.raises(SourceError, match=r"no column 'url' \(it has: u, h\); name it with --url-column"):
        list(open_source(renamed))
    pq.write_table(pa.table({"url": ["http://a.org/"], "html": [3]}), renamed)
    with pytest.raises(SourceError, match="holds int64, not text"):
        list(open_source(renamed))
    renamed.write_bytes(path.read_bytes()[:60])
    with pytest.raises(SourceError, match="not a readable Parquet file"):
        list(open_source(renamed))


def test_parquet_that_is_hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    offsets = pa.py_buffer(struct.pack("<3i", 0, 4, 8))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"<p>\xff<p>x")])
    pq.write_table(pa.table({"url": ["http://a.org/", "http://a.org/b"], "html": bad}), path)
    assert [c.body for c in open_source(path)] == [b"<p>\xff", b"<p>x"]
    # Rows that claim to unpack to far too much are left alone, and named; the others are read.
    monkeypatch.setattr("sitegrain.sources.parquet._BOMB_BYTES", 100_000)
    htmls = ["<p>" + "a " * 100_000 + str(k) for k in range(8)] + ["<p>good"]
    table = pa.table({"url": [f"http://a.org/{k}" for k in range(9)], "html": htmls})
    pq.write_table(table, path, compression="zstd", use_dictionary=False, row_group_size=8)
    source = open_source(path)
    assert [c.body for c in source] == [b"<p>good"]
    assert source.counts == {"skipped: rows that unpack to far too much": 8}
    assert "row group 0 claims 1 MB" in source.problems[0]


def test_open_source_tells_kinds(tmp_path: Path) -> None:
    data = warc_of([("http://a.org/", b"<p>x")], is_gzip=False)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.warc.gz").write_bytes(warc_of([("http://a.org/", b"<p>x")]))
    (tmp_path / "w" / "b.warc").write_bytes(data)
    (tmp_path / "strange.name").write_bytes(data)
    assert isinstance(open_source(tmp_path / "strange.name"), WarcSource)
    assert len(list(open_source(tmp_path / "w"))) == 2


@pytest.mark.parametrize("name", ["a.zip", "a.tar.xz", "A.TGZ"])
def test_an_archive_of_files_is_told_from_a_page(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"<p>anything")
    with pytest.raises(SourceError, match="is an archive of files: unpack it"):
        open_source(tmp_path / name)


def test_feeds_and_programs_that_write_pages_are_no_pages(tmp_path: Path) -> None:
    files = {
        "index.html": "<h1>Tea</h1>",
        "feed/index.html": "\ufeff<?xml version='1.0'?>\n<?xml-stylesheet href='a.xsl'?><!-- Bay -->\n<rss version='2.0'><channel>",
        "atom/index.html": "<feed xmlns='http://www.w3.org/2005/Atom'>",
        "board.pl": "\n<!DOCTYPE html><title>Board</title>",
        "server.pl": ":- use_module(x). page --> html(['<html>', '<p>Tea'])",
        "page.xotcl": "# writes pages\nputs {<html><body><p>Tea</p>}",
        "Tea": "<html><p>Tea</p>",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    source = FolderSource(tmp_path, "http://a.org/")
    assert [capture.path for capture in source] == ["Tea", "board.pl", "index.html"]
    assert source.counts == {"skipped: a feed": 2, "skipped: not HTML by name, and does not begin like it": 2}
