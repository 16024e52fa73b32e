"""Files of JSON lines: which rows are pages, what is told of those that are none, and what damage costs."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import time
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest

import sitegrain
from sitegrain.errors import SourceError
from sitegrain.sources import jsonl
from sitegrain.sources.jsonl import JsonLinesSource
from sitegrain.sources.kinds import kind_of_file
from sitegrain.sources.open import open_source

ROWS = [{"url": f"http://a.example/{k}", "html": f"<p>Page {k} of the mill."} for k in range(3)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", LINES),
        ("a.ndjson", LINES.rstrip() + b"\n\n \n"),
        ("a.JL", b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n")),
        ("a.jsonl.gz", gzip.compress(LINES[:90]) + gzip.compress(LINES[90:])),
        ("a.jsonl.bz2", bz2.compress(LINES)),
        ("a.jsonl.xz", lzma.compress(LINES)),
        ("a.jsonl.zst", pa.compress(LINES, codec="zstd", asbytes=True)),
    ],
    ids=["plain", "ndjson", "jl", "gz", "bz2", "xz", "zst"],
)
def test_each_line_is_a_page(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    found = list(open_source(path))
    assert [(c.url, c.body.decode()) for c in found] == [(row["url"], row["html"]) for row in ROWS]
    assert sitegrain.read_jsonl(path).n_pages == 3


def test_fields_are_named_also_within_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 1, "text": "<p>Café", "metadata": {"url": "http://a.example/", "n": 2}}))
    with pytest.raises(SourceError, match=r"no field 'url' \(it has: text, metadata.url\); name it with --url-column"):
        list(open_source(path))
    with pytest.raises(SourceError, match="no field 'html'"):
        list(open_source(path, url_column="metadata.url"))
    (capture,) = open_source(path, url_column="metadata.url", html_column="text")
    assert (capture.url, capture.body.decode()) == ("http://a.example/", "<p>Café")


def test_of_many_fields_the_first_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({f"http://a.example/{k}": "<p>x" for k in range(5000)}))
    with pytest.raises(SourceError, match=r"a\.example/9, \.\.\.\); name it") as raised:
        list(open_source(path))
    assert len(str(raised.value)) < 1000


def test_what_is_said_of_a_character_set_is_history(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"url": "http://a.example/", "html": "<meta charset=latin1><p>Żółw i \ud800 mill"}))
    (text,) = sitegrain.mine(path).pages["text"].to_pylist()
    assert text == "Żółw i \ufffd mill"


def test_damage_costs_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_LONGEST", 200)
    path = tmp_path / "a.jsonl"
    odd = (
        b'nonsense\n[1]\n{"url": 3, "html": "<p>x"}\n{"url": "u"}\n' + b'{"url": "u", "html": "' + b"x" * 500 + b'"}\n'
    )
    path.write_bytes(LINES + odd + b"[" * 150 + b"\n" + LINES + LINES[:-20])
    source = JsonLinesSource(path)
    assert len(list(source)) == 3 + 3 + 2
    assert source.counts == {
        "damaged: broken line": 5,
        "skipped: a row without an address": 1,
        "skipped: a row without a page": 1,
    }
    assert [p.split(": ", 1)[1][:22] for p in source.problems] == [
        "line 4 is no JSON (Exp",
        "line 5 is no JSON obje",
        "line 8 has more than 0",
        "line 9 is no JSON (Exp",
        "line 15 is no JSON (Un",
    ]


def test_a_line_without_an_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_LONGEST", 200)
    monkeypatch.setattr(jsonl, "_MOST_SKIPPED", 5 << 20)
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINES + b"x" * (20 << 20) + b"\n" + LINES))
    source = JsonLinesSource(path)
    assert len(list(source)) == 3
    assert "does not end" in source.problems[-1]


def test_a_packed_file_that_is_cut_keeps_what_came_before(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"url": f"http://a.example/{k}", "html": f"<p>{k * 7919 % 10_007}"}) + "\n" for k in range(9000)
    )
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode())[:-3000])
    source = JsonLinesSource(path)
    assert len(list(source)) > 4000
    assert sum(source.counts.values()) == 1
    assert len(source.problems) == 1


@pytest.mark.parametrize("data", [b"", b"\n", b"nonsense", b"[]\n{}"], ids=["nothing", "blank", "words", "no-row"])
def test_a_file_without_a_page_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"no page in|no field"):
        list(open_source(path))
    with pytest.raises(SourceError, match="does not exist"):
        JsonLinesSource(tmp_path / "b.jsonl")


def test_files_that_came_before_warc_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(b"filedesc://x.arc 0.0.0.0 20100101000000 text/plain 76\n")
    with pytest.raises(SourceError, match="warcio recompress"):
        kind_of_file(str(path))


LIST = json.dumps(ROWS).encode()
SHOWN = json.dumps([{**row, "html": row["html"] + ' \u20ac "\U0001f375"\n'} for row in ROWS], indent=1)


@pytest.mark.parametrize(
    "data",
    [
        LIST,
        b"\xef\xbb\xbf\r\n [\n" + b",\n".join(LINES.splitlines()) + b"\n]\n",
        gzip.compress(json.dumps(ROWS, indent=2).encode()),
        "".join(json.dumps(row, indent=2) + "\n" for row in ROWS).encode(),
        LIST.decode().encode("utf-16"),
        LINES.decode().replace("\n", "\r\n").encode("utf-16"),
        b"[" + LIST + b", []]",
    ],
    ids=["array", "array-of-lines", "shown", "one-after-the-other", "utf-16", "lines-in-utf-16", "arrays"],
)
def test_each_object_of_an_array_is_a_page(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    source = open_source(path)
    assert [(c.url, c.body.decode()) for c in source] == [(row["url"], row["html"]) for row in ROWS]
    assert not source.counts
    assert not source.problems


@pytest.mark.parametrize("piece", range(1, 40))
def test_an_array_is_read_in_pieces_that_end_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(jsonl, "_PIECE", piece)
    path = tmp_path / "a.json"
    for text in (
        SHOWN,
        SHOWN.encode().decode("unicode-escape", "ignore") and json.dumps(json.loads(SHOWN), ensure_ascii=False),
    ):
        path.write_text(text, encoding="utf-8")
        source = JsonLinesSource(path)
        assert [c.body.decode() for c in source] == [row["html"] for row in json.loads(SHOWN)]
        assert not source.problems


@pytest.mark.parametrize("between", [",\n", " , "], ids=["lines", "one-line"])
@pytest.mark.parametrize("piece", [1, 7, 64, 1 << 20])
def test_damage_in_an_array_costs_what_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, between: str, piece: int
) -> None:
    monkeypatch.setattr(jsonl, "_PIECE", piece)
    rows = [json.dumps(row) for row in ROWS]
    path = tmp_path / "a.json"
    path.write_text("[" + between.join([rows[0], '{"url": "u" "html"}', rows[1], '"words"', "7", rows[2]]) + "]")
    source = JsonLinesSource(path)
    assert [c.url[-1] for c in source] == ["0", "1", "2"]
    assert [p.split(": ", 1)[1] for p in source.problems] == [
        "row 2 is no JSON (Expecting ',' delimiter)",
        "row 4 is no JSON object",
        "row 5 is no JSON object",
    ]


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (b'{"url": "http://a.example/4", "html": "<p>', "row 4 is no JSON (Unterminated string starting at)"),
        (b"", "row 4 is not found: the file ends before its array does"),
        (b'{"a":' * 100_000, "row 4 is nested too deeply: the rest of the file is not read"),
        (b'{"html": "' + b"x" * 3000 + b'"}]', "row 4 has more than 0 MB: the rest of the file is not read"),
        (b'{"url": ' + b"9" * 900 + b', "html": "x"}]', ""),
    ],
    ids=["cut", "cut-between", "deep", "long", "number"],
)
def test_where_an_array_cannot_be_read_on_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, said: str
) -> None:
    if b"xxx" in end:
        monkeypatch.setattr(jsonl, "_LONGEST", 2000)
        monkeypatch.setattr(jsonl, "_PIECE", 100)
    path = tmp_path / "a.json"
    path.write_bytes(LIST[:-1] + b", " + end)
    source = JsonLinesSource(path)
    assert len(list(source)) == 3
    assert [p.split(": ", 1)[1] for p in source.problems][:1] == [said] * bool(said)


def test_many_broken_objects_cost_no_more_than_their_length(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[" + '{"a" 1},' * 200_000 + LIST[1:].decode())
    begin = time.process_time()
    source = JsonLinesSource(path)
    assert len(list(source)) == 3
    assert time.process_time() - begin < 8  # half a minute when each error counted the lines before it
    assert source.counts["damaged: broken row"] == 200_000


def test_an_object_that_is_cut_is_damaged_once(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ROWS[0], indent=1) + "\n" + json.dumps(ROWS[1], indent=1)[:-5])
    source = JsonLinesSource(path)
    assert len(list(source)) == 1
    assert source.counts == {"damaged: broken row": 1}


def test_a_first_line_that_is_torn_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES[:40] + b"\n" + LINES)
    source = JsonLinesSource(path)
    assert len(list(source)) == 3
    assert source.counts == {"damaged: broken line": 1}


def test_an_array_takes_no_more_memory_than_its_longest_objects(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    row = json.dumps({"url": "http://a.example/", "html": "<p>" + "x" * 100_000})
    path.write_text("[" + ", ".join([row] * 400) + "]")
    tracemalloc.start()
    assert sum(1 for _ in JsonLinesSource(path)) == 400
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 << 20
