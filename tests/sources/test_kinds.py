"""What a file is taken for, and pages that come through a pipe."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegrain.errors import SourceError
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FolderSource
from sitegrain.sources.open import open_source
from sitegrain.sources.single import SinglePages
from tests.builders import warc_of

PAGES = [(f"http://a.example/{k}", f"<p>Page {k} of the mill.".encode()) for k in range(3)]
LINES = "".join(json.dumps({"url": url, "html": html.decode()}) + "\n" for url, html in PAGES).encode()
WET = b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nTea\r\n\r\n"
LONG = b"<title>Tea</title>" + b"<p>Boil the water and wait for it.</p>\n" * 5000


def parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"url": [url for url, _ in PAGES], "html": [html for _, html in PAGES]}), file)
    return file.getvalue()


def found(source: Source) -> list[tuple[str, bytes]]:
    return [(capture.url, capture.body) for capture in source]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("c4-train.json", LINES),
        ("part-00000", LINES),
        ("c4-train.json.gz", gzip.compress(LINES)),
        ("part-00000.gz", gzip.compress(LINES)),
        ("packed.jsonl", gzip.compress(LINES)),
        ("plain.jsonl.gz", LINES),
        ("pages.dat", warc_of(PAGES)),
        ("pages.gz", warc_of(PAGES, is_gzip=True)),
        ("pages", parquet()),
    ],
)
def test_files_of_many_pages_are_known_whatever_their_names(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert found(open_source(tmp_path / name)) == PAGES
    assert found(SinglePages([str(tmp_path / name)])) == PAGES


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", b"url,html\nhttp://a.example/,<p>Tea", "Parquet or JSON lines, with the columns url and html"),
        ("a.feather", b"ARROW1\0\0<p>", "Parquet or JSON lines"),
        ("a", b"ARROW1\0\0<p>", "Parquet or JSON lines"),
        ("a.har", b'{"log": {}}', "Parquet or JSON lines"),
        ("a.warc.wet.gz", gzip.compress(WET), r"no HTML page in .*\(WET\)"),
        ("a.gz", gzip.compress(WET), r"no HTML page in .*\(WET\)"),
        (
            "a.json",
            b'{"pages": [\n{"url": "http://a.example/", "html": "<p>Tea"},\n{"url": ""}]}',
            r"""jq -c '\.\["pages"\]\[\]' .*a\.json""",
        ),
        ("a.jsonl", b'{"url": "", "html": "<p>"}', "a row without an address 1"),
    ],
)
def test_what_is_no_page_is_not_read_as_one(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SourceError, match=said):
        list(open_source(tmp_path / name))


def test_a_page_that_shows_json_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(LINES)
    assert len(found(open_source(tmp_path / "a.html"))) == 1


@pytest.mark.parametrize(
    "data",
    [LINES, gzip.compress(LINES), warc_of(PAGES, is_gzip=True), parquet()],
    ids=["json", "gz", "warc", "parquet"],
)
def test_standard_input_may_hold_many_pages(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    for source in (open_source("-"), SinglePages(["-"])):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        assert found(source) == PAGES
    assert isinstance(source, SinglePages)
    assert source.is_many


def test_a_pipe_is_opened_once_and_read_whole(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for data, wanted in ((LONG, [LONG]), (LINES, [html for _, html in PAGES])):
        for source in (open_source(pipe), SinglePages([str(pipe)])):
            writer = threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True)
            writer.start()
            assert [body for _, body in found(source)] == wanted
            writer.join(10)


def test_what_is_said_of_a_pipe_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    with pytest.raises(SourceError, match="no HTML in stdin"):
        list(open_source("-"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LINES + b"{")))
    source = open_source("-")
    assert found(source) == PAGES
    assert source.problems[0].startswith("stdin: line 4 is no JSON")


def test_columns_of_parquet_may_be_nested_packed_or_bytes(tmp_path: Path) -> None:
    urls, htmls = [url for url, _ in PAGES], [html.decode() for _, html in PAGES]
    path = tmp_path / "a.parquet"
    for table, names in (
        ({"url": pa.array(urls).dictionary_encode(), "html": pa.array(htmls).dictionary_encode()}, ("url", "html")),
        (
            {"url": pa.array([url.encode() for url in urls]), "html": pa.array(htmls, pa.large_string())},
            ("url", "html"),
        ),
        (
            {"meta": [{"url": url, "n": 1} for url in urls], "doc": [{"body": {"html": html}} for html in htmls]},
            ("meta.url", "doc.body.html"),
        ),
    ):
        pq.write_table(pa.table(table), path)
        assert found(open_source(path, None, *names)) == PAGES
    with pytest.raises(SourceError, match=r"no column 'url' \(it has: meta.url, meta.n, doc.body\)"):
        list(open_source(path))


def test_a_folder_of_folders_of_archives_is_read(tmp_path: Path) -> None:
    for k in range(3):
        inner = tmp_path / "tables" / f"day={k}"
        inner.mkdir(parents=True)
        pq.write_table(pa.table({"url": [f"http://a.example/{k}"], "html": ["<p>Tea"]}), inner / "part-0.parquet")
        (inner / ".part-0.parquet.crc").write_bytes(b"crc")
        (inner / "_SUCCESS").touch()
    assert [c.url[-1] for c in open_source(tmp_path / "tables")] == ["0", "1", "2"]
    inner = tmp_path / "crawls" / "archive"
    inner.mkdir(parents=True)
    (inner / "a.warc.gz").write_bytes(warc_of([("http://a.example/", b"<p>Tea")]))
    (inner / "a.cdxj").write_text("index")
    assert len(list(open_source(tmp_path / "crawls"))) == 1
    # With a page in it, it is a folder of pages.
    (inner / "page.html").write_text("<p>Mill")
    assert isinstance(open_source(tmp_path / "crawls"), FolderSource)


def test_archives_of_two_kinds_are_no_source(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(warc_of([("http://a.example/", b"<p>Tea")]))
    (tmp_path / "b.jsonl").write_text("{}")
    with pytest.raises(SourceError, match="no HTML file"):
        list(open_source(tmp_path))
