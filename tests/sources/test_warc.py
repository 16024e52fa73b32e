"""WARC files: what is a page, what is counted, and what survives damage."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import brotli
import pyarrow as pa
import pytest

from sitegrain.errors import SourceError
from sitegrain.sources import base
from sitegrain.sources.encoding import decode_body, unchunk
from sitegrain.sources.open import open_source
from sitegrain.sources.warc import WarcSource
from tests.builders import gzipped, warc_of

# Words of noise, so that compressed records are long enough to be cut in the middle.
NOISE = [" ".join(str(random.Random(i * 1000 + j).random()) for j in range(400)) for i in range(6)]
PAGES = [(f"http://a.example/{i}", f"<p>page {i} {noise}".encode()) for i, noise in enumerate(NOISE)]


def read(path: Path, data: bytes) -> tuple[WarcSource, list[str]]:
    path.write_bytes(data)
    source = WarcSource(path)
    return source, [c.url for c in source]


@pytest.mark.parametrize("is_gzip", [True, False])
def test_reads_pages(tmp_path: Path, is_gzip: bool) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(warc_of(PAGES, is_gzip=is_gzip))
    source = WarcSource(path)
    captures = list(source)
    assert [(c.url, c.body) for c in captures] == PAGES
    assert captures[0].time is not None
    assert captures[0].content_type == "text/html; charset=utf-8"
    assert not source.counts


def test_how_the_scheme_is_written_makes_no_difference(tmp_path: Path) -> None:
    _, found = read(tmp_path / "a.warc", warc_of([("HTTP://A.org/tea", b"<p>Tea"), ("urn:a", b"<p>Tea")]))
    assert found == ["HTTP://A.org/tea"]


def test_robots_txt_is_no_page(tmp_path: Path) -> None:
    source, urls = read(tmp_path / "a.warc", warc_of([("http://a.example/robots.txt", b"<p>Tea"), *PAGES[:1]]))
    assert urls == [PAGES[0][0]]
    assert source.counts == {"skipped: not HTML": 1}


def test_wacz_is_read_without_unpacking_it(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    with ZipFile(path, "w") as packed:
        packed.writestr("datapackage.json", "{}")
        packed.writestr("archive/one.warc.gz", warc_of(PAGES[:2], is_gzip=True))
        packed.writestr("archive/two.warc", warc_of(PAGES[2:4]))
        packed.writestr("archive/cut.warc.gz", warc_of(PAGES[4:], is_gzip=True)[:-2000])
    source = WarcSource(path)
    assert [(c.url, c.body) for c in source][:5] == PAGES[:5]
    assert any("a.wacz/archive/cut.warc.gz: " in problem for problem in source.problems)
    assert isinstance(open_source(path), WarcSource)


def test_wacz_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    with ZipFile(path, "w") as packed:
        packed.writestr("archive/one.warc.gz", warc_of(PAGES[:2]), compress_type=ZIP_DEFLATED)
    with pytest.raises(SourceError, match=r"packed within a WACZ 1; .* is compressed twice"):
        list(WarcSource(path))
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(SourceError, match="not a zip file"):
        list(WarcSource(path))


def test_what_is_no_page_is_counted(tmp_path: Path) -> None:
    data = warc_of(PAGES[:1])
    data += warc_of([("http://a.example/404", b"<p>gone")], status="404 Not Found")
    data += warc_of([("http://a.example/i.png", b"\x89PNG")], headers={"Content-Type": "image/png"})
    data += warc_of([("http://a.example/lie", b"\x89PNG\r\n")])
    data += warc_of([("http://a.example/0", b"")], kind="revisit")
    data += warc_of([("http://a.example/empty", b" \n")])
    data += warc_of([("dns:a.example", b"<p>x")])
    data += warc_of([("http://a.example/q", b"<p>q")], kind="request")
    data += warc_of([("http://a.example/z", b"zz<")], headers={"Content-Type": "text/html", "Content-Encoding": "foo"})
    source, urls = read(tmp_path / "a.warc.gz", data)
    assert urls == [PAGES[0][0]]
    assert source.counts == {
        "skipped: status not 200": 1,
        "skipped: not HTML": 2,
        "skipped: revisit record": 1,
        "skipped: empty page": 1,
        "skipped: not http": 1,
        "skipped: unknown content encoding": 1,
    }
    assert not source.problems


@pytest.mark.parametrize("is_gzip", [True, False])
def test_truncated(tmp_path: Path, is_gzip: bool) -> None:
    data = warc_of(PAGES, is_gzip=is_gzip)
    source, urls = read(tmp_path / "a.warc", data[: int(len(data) * 0.75)])
    assert urls[:4] == [u for u, _ in PAGES[:4]]
    assert sum(n for reason, n in source.counts.items() if reason.startswith("damaged")) == 1
    assert len(source.problems) == 1 or "damaged: no HTTP answer in the record" in source.counts


@pytest.mark.parametrize("is_gzip", [True, False])
def test_damage_in_the_middle_costs_what_it_hits(tmp_path: Path, is_gzip: bool) -> None:
    data = bytearray(warc_of(PAGES, is_gzip=is_gzip))
    middle = len(data) // 2 - len(data) // 12
    data[middle : middle + 40] = b"\xff\x00" * 25  # ten bytes more than were there
    source, urls = read(tmp_path / "a.warc", bytes(data))
    assert {u for u, _ in PAGES} - set(urls) <= {PAGES[2][0], PAGES[3][0]}
    assert PAGES[4][0] in urls
    assert PAGES[5][0] in urls
    assert source.counts["damaged: broken record"] >= 1
    assert "damaged near byte" in source.problems[0]


def test_garbage_and_emptiness_are_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="damaged near byte 0"):
        read(tmp_path / "a.warc", b"hello world" * 1000)
    with pytest.raises(SourceError, match="the file is empty"):
        read(tmp_path / "b.warc", b"")
    with pytest.raises(SourceError, match="does not exist"):
        WarcSource(tmp_path / "no.warc")


def test_many_false_starts_are_given_up(tmp_path: Path) -> None:
    source, urls = read(tmp_path / "a.warc", warc_of(PAGES[:1]) + b"\x1f\x8b\x08" * 20_000 + warc_of(PAGES[1:2]))
    assert urls == [PAGES[0][0]]
    assert any("given up" in p for p in source.problems)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzipped("<p>hello"), "gzip"),
        (b"<p>hello", "gzip"),  # already decoded, the header was left
        (brotli.compress(b"<p>hello"), "br"),
        (b"<p>hello", "br"),
        (pa.compress(b"<p>hello", codec="zstd", asbytes=True), "zstd"),
        (b"<p>hello", "zstd"),
        (b"<p>hello", "deflate"),
        (b"<p>hello", ""),
    ],
    ids=["gzip", "not-gzip", "brotli", "not-brotli", "zstd", "not-zstd", "not-deflate", "none"],
)
def test_encodings(body: bytes, encoding: str) -> None:
    assert decode_body(body, {"content-encoding": encoding}) == b"<p>hello"


def test_of_a_body_that_is_cut_there_is_what_came_before() -> None:
    text = b"".join(b"<p>mill %d" % (i * 7919 % 100_003) for i in range(50_000))
    for encoding, packed in (("gzip", gzip.compress(text)), ("zstd", pa.compress(text, codec="zstd", asbytes=True))):
        found = decode_body(packed[:-1000], {"content-encoding": encoding})
        assert found is not None, encoding
        assert text.startswith(found), encoding
        assert len(found) > len(text) // 2, encoding


def test_chunks() -> None:
    assert unchunk(b"3\r\n<p>\r\n5;x=y\r\nhello\r\n0\r\n\r\n") == b"<p>hello"
    assert unchunk(b"3\r\n<p>\r\n50\r\nhel") == b"<p>hel"
    assert unchunk(b"<p>no chunks") == b"<p>no chunks"


def test_a_bomb_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.sources.encoding.MAX_BODY", 10_000)
    x = b"x" * 5_000_000
    packed = {
        "gzip": gzipped("x" * 5_000_000),
        "br": brotli.compress(x),
        "zstd": pa.compress(x, codec="zstd", asbytes=True),
    }
    for encoding, body in packed.items():
        assert decode_body(body, {"content-encoding": encoding}) == b"x" * 10_000


def test_large_record_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.sources.warc.MAX_BODY", 1000)
    path = tmp_path / "a.warc"
    path.write_bytes(warc_of(PAGES[:2]))
    source = WarcSource(path)
    assert [len(c.body) for c in source] == [1000, 1000]
    assert source.counts["cut: page too large"] == 2
    assert base.MAX_BODY > 1000
