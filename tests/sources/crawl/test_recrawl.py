"""A recrawl is whole: what it only points to is read from the crawls before it."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

from sitegrain.sources import chain
from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.warc import WarcSource
from tests.builders import warc_of
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve

OPTIONS = CrawlOptions(delay=0, allow_private=True, retries=0)
NAMES = ("a", "b", "c", "d")


def texts(path: Path, earlier: Path | None = None) -> tuple[WarcSource, dict[str, str]]:
    """The last word of each page by its path."""
    source = WarcSource(path, earlier)
    return source, {c.url.rpartition("/")[2]: c.body.decode().partition("body>")[2][:3] for c in source}


def recrawl(forker: Forker, url: str, out: Path, earlier: Path | None) -> Path:
    forker.crawl(url, out, replace(OPTIONS, earlier=str(earlier or "")))
    return out


def test_a_chain_of_recrawls_is_read_whole(forker: Forker, tmp_path: Path) -> None:
    site = {"/": page(*NAMES, text="top", ETag='"0"')}
    site |= {f"/{n}": page(text=f"{n}-1", ETag=f'"{n}1"') for n in NAMES}
    with serve(site) as server:
        one = recrawl(forker, server.base, tmp_path / "1.warc.gz", None)
        site["/a"] = page(text="a-2", ETag='"a2"')
        del site["/b"]
        two = recrawl(forker, server.base, tmp_path / "2.warc.gz", one)
        assert texts(two)[1] == {"": "top", "a": "a-2", "c": "c-1", "d": "d-1"}
        site["/c"] = Answer(b"down", 503)
        three = recrawl(forker, server.base, tmp_path / "3.warc.gz", two)
        source, found = texts(three)
        assert found == {"": "top", "a": "a-2", "c": "c-1", "d": "d-1"}  # c stands in two files back, a one
        assert source.counts["could not be fetched, earlier copy kept"] == 1
        assert not source.problems
        site["/c"] = page(text="c-1", ETag='"c1"')
        server.hits.clear()
        server.heads.clear()
        four = recrawl(forker, server.base, tmp_path / "4.warc.gz", three)
        asked = {path: "if-none-match" in head for (_, path), head in zip(server.hits, server.heads, strict=True)}
        assert asked == {"/": True, "/a": True, "/b": False, "/c": True, "/d": True, "/robots.txt": False}
        assert max(server.counts().values()) == 1
        assert texts(four)[1] == found
    assert chain.chain_of(four) == [one, two, three, four]


def test_pages_that_are_not_here_are_told(forker: Forker, tmp_path: Path) -> None:
    site = {"/": page("a", text="top", ETag='"0"'), "/a": page(text="a-1", ETag='"1"')}
    with serve(site) as server:
        one = recrawl(forker, server.base, tmp_path / "1.warc.gz", None)
        site["/a"] = page(text="a-2")
        two = recrawl(forker, server.base, tmp_path / "2.warc.gz", one)
    moved = one.rename(tmp_path / "moved.warc.gz")
    source, found = texts(two)
    assert found == {"a": "a-2"}
    assert len(source.problems) == 1
    assert "1.warc.gz, which is not here: name it with --earlier" in source.problems[0]
    assert texts(two, moved)[1] == {"": "top", "a": "a-2"}
    both = WarcSource([moved, two])
    assert [c.url.rpartition("/")[2] for c in both] == ["", "a", "a"]  # the last one counts
    assert not both.problems


def test_a_chain_ends(tmp_path: Path) -> None:
    def named(path: Path, earlier: str) -> Path:
        head = f"WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\n{chain.EARLIER_FIELD}: {earlier}\r\n"
        path.write_bytes(gzip.compress(head.encode()) + warc_of([("http://a.org/", b"<p>x")]))
        return path

    one = named(tmp_path / "1.warc.gz", "1.warc.gz")  # itself
    assert chain.chain_of(one) == [one]
    two, three = named(tmp_path / "2.warc.gz", "3.warc.gz"), named(tmp_path / "3.warc.gz", "2.warc.gz")
    assert chain.chain_of(two) == [three, two]
    odd = named(tmp_path / "4.warc.gz", "/dev/zero")
    assert chain.chain_of(odd) == [odd]
    long = [named(tmp_path / f"{k}.warc.gz", f"{k - 1}.warc.gz") for k in range(100, 200)]
    assert len(chain.chain_of(long[-1])) == 2 * chain.MAX_CHAIN


def test_a_long_chain_begins_anew(forker: Forker, tmp_path: Path) -> None:
    site = {"/": page("a", text="top", ETag='"0"'), "/a": page(text="a-1", ETag='"1"')}
    with serve(site) as server:
        before = recrawl(forker, server.base, tmp_path / "0.warc.gz", None)
        # As if it stood at the end of a long chain: files of another crawl do as well.
        for k in range(1, chain.MAX_CHAIN):
            before = recrawl(forker, server.base, tmp_path / f"{k}.warc.gz", before) if k < 2 else linked(before, k)
        assert len(chain.chain_of(before)) == chain.MAX_CHAIN
        new = recrawl(forker, server.base, tmp_path / "new.warc.gz", before)
    assert chain.chain_of(new) == [new]
    assert texts(new)[1] == {"": "top", "a": "a-1"}


def linked(before: Path, k: int) -> Path:
    """A copy of a recrawl that names it as its earlier one."""
    path = before.with_name(f"{k}.warc.gz")
    data = before.read_bytes()
    first = gzip.decompress(data[: data.index(b"\x1f\x8b\x08", 10)])
    old = f"{chain.EARLIER_FIELD}: {k - 2}.warc.gz".encode()
    assert old in first
    new = f"{chain.EARLIER_FIELD}: {k - 1}.warc.gz".encode()
    grown = first.replace(old, new)
    size = len(first.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n\r\n"))
    more = len(new) - len(old)
    grown = grown.replace(f"Content-Length: {size}".encode(), f"Content-Length: {size + more}".encode())
    path.write_bytes(gzip.compress(grown) + data[data.index(b"\x1f\x8b\x08", 10) :])
    return path
