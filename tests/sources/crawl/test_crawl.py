"""A crawl fetches what it should, once, and its WARC says so."""

from __future__ import annotations

import fcntl
import gzip
import json
import time
import zlib
from collections import Counter
from hashlib import sha1
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import brotli
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from sitegrain.errors import CrawlError, MissingExtraError, OutputError
from sitegrain.sources.crawl import CrawlOptions, archive, parent
from sitegrain.sources.crawl.archive import read_entries
from sitegrain.sources.crawl.job import Job
from sitegrain.sources.crawl.middleware import RobotsMiddleware
from sitegrain.sources.crawl.reading import PageLinks, read_page
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve

QUICK = CrawlOptions(delay=0, allow_private=True, backoff=0.01)


def options(**changes: object) -> CrawlOptions:
    values = {name: getattr(QUICK, name) for name in QUICK.__slots__}
    return CrawlOptions(**{**values, **changes})


def pages_of(out: Path) -> Counter[str]:
    """URL → how often it is in the WARC as a page."""
    found: Counter[str] = Counter()
    for _, entry in read_entries(out, max_decoded=1 << 24):
        if entry.kind in ("response", "revisit") and entry.status in (200, 304) and "robots.txt" not in entry.url:
            found[entry.url] += 1
    return found


def check_warc(out: Path) -> None:
    """warcio's own checker finds nothing wrong, and the index points at records."""

    class Command:
        inputs = [str(out)]
        verbose = False

    assert Checker(Command()).process_all() == 0
    lines = out.with_name(out.name.replace(".warc.gz", ".cdxj")).read_text().splitlines()
    assert lines == sorted(lines)
    assert lines
    with open(out, "rb") as stream:
        for line in lines:
            found = json.loads(line.split(" ", 2)[2])
            stream.seek(int(found["offset"]))
            record = gzip.decompress(stream.read(int(found["length"])))
            assert f"WARC-Target-URI: {found['url']}\r\n".encode() in record


ROBOTS = Answer(b"User-agent: *\nDisallow: /secret/\nCrawl-delay: 0\n", headers={"Content-Type": "text/plain"})


def test_every_page_once(forker: Forker, tmp_path: Path) -> None:
    site = {
        "/robots.txt": ROBOTS,
        "/": page("/a", "b", "/a#part", "/old", "/gone", "/paper.pdf", "/doc", "/secret/x", "http://other.example/"),
        "/a": page("/", "/c?x=1&y=2", "/c?y=2&x=1"),
        "/b": page("/a/../a", "/empty"),
        "/old": Answer(status=301, headers={"Location": "/a"}),
        "/doc": Answer(b"%PDF" * 1000, headers={"Content-Type": "application/pdf"}),
        "/c?x=1&y=2": page("/secret/y", "javascript:void(0)", "mailto:x@y"),
        "/empty": Answer(b""),
    }
    out = tmp_path / "site.warc.gz"
    with serve(site) as server:
        summary = forker.crawl(server.base, out)
        assert max(server.counts().values()) == 1
        assert not any(path.startswith("/secret") for _, path in server.hits)
        assert "/paper.pdf" not in server.counts()
        base = server.base
    want = {f"{base}{p}" for p in ("/", "/a", "/b", "/c?x=1&y=2", "/empty")}
    assert pages_of(out) == Counter(dict.fromkeys(want, 1))
    counts = (summary.pages, summary.redirects, summary.not_found, summary.not_html, summary.disallowed)
    assert counts == (5, 1, 1, 2, 2)
    assert summary.stopped == "finished"
    assert summary.queue == 0
    check_warc(out)


def test_records_are_what_went_over_the_wire(forker: Forker, tmp_path: Path) -> None:
    text = "<p>grün</p>" * 50
    packed = gzip.compress(text.encode())
    site = {
        "/": page("/gzip", "/br", "/deflate"),
        "/gzip": Answer(packed, headers={"Content-Encoding": "gzip", "X-Odd": "\xe9\xff"}),
        "/br": Answer(brotli.compress(text.encode()), headers={"Content-Encoding": "br"}),
        "/deflate": Answer(zlib.compress(text.encode()), headers={"Content-Encoding": "deflate"}),
    }
    out = tmp_path / "site.warc.gz"
    with serve(site) as server:
        forker.crawl(server.base, out)
        agent = server.heads[-1]["user-agent"]
    kinds: Counter[str] = Counter()
    bodies, versions = {}, set()
    with open(out, "rb") as stream:
        for record in ArchiveIterator(stream):
            kinds[record.rec_type] += 1
            versions.add(record.rec_headers.protocol)
            if record.rec_type == "request":
                assert record.http_headers.get_header("User-Agent") == agent
            if record.rec_type == "response":
                name = record.rec_headers.get_header("WARC-Target-URI").rpartition("/")[2]
                bodies[name] = record.raw_stream.read()
    assert versions == {"WARC/1.1"}
    assert kinds == {"warcinfo": 1, "request": 4, "response": 4}
    assert bodies["gzip"] == packed
    decoded = {e.url.rpartition("/")[2]: e.body.decode() for _, e in read_entries(out, max_decoded=1 << 20)}
    assert decoded["gzip"] == decoded["br"] == decoded["deflate"] == text
    assert agent.startswith("sitegrain/")


def test_scope_depth_and_patterns(forker: Forker, tmp_path: Path) -> None:
    def site(path: str, headers: object) -> Answer | None:
        # Every page links one deeper in both sections.
        if path == "/":
            return page("/news/1", "/shop/1")
        section, _, number = path[1:].partition("/")
        return page(f"/{section}/{int(number) + 1}", "/print/9", "/news/skip5") if number.isdigit() else None

    found = {}
    with serve(site) as server:
        for name, chosen in {
            "depth": options(depth=2, exclude=("skip", "/print/")),
            "depths": options(depth=1, depths={"/news/": 3}, exclude=("skip", "/print/")),
            "include": options(depth=3, include=("/shop/",)),
            "zero": options(depth=0),
        }.items():
            out = tmp_path / f"{name}.warc.gz"
            forker.crawl(server.base, out, chosen)
            found[name] = {url.removeprefix(server.base) for url in pages_of(out)}
    assert found["depth"] == {"/", "/news/1", "/news/2", "/shop/1", "/shop/2"}
    assert found["depths"] == {"/", "/news/1", "/news/2", "/news/3", "/shop/1"}
    assert found["include"] == {"/", "/shop/1", "/shop/2", "/shop/3"}
    assert found["zero"] == {"/"}


def test_page_and_byte_limits_are_exact(forker: Forker, tmp_path: Path) -> None:
    site = {"/": page(*(f"/{i}" for i in range(40)))} | {f"/{i}": page(text="x" * 1000) for i in range(40)}
    with serve(site) as server:
        summary = forker.crawl(server.base, tmp_path / "pages.warc.gz", options(max_pages=7))
        assert (summary.pages, summary.stopped) == (7, "page limit")
        assert len(pages_of(tmp_path / "pages.warc.gz")) == 7
        assert len(server.hits) <= 8  # robots.txt and the pages: nothing was fetched to be thrown away
        # The same command does nothing; a higher limit goes on.
        server.hits.clear()
        assert forker.crawl(server.base, tmp_path / "pages.warc.gz", options(max_pages=7)).pages == 7
        assert server.hits == []
        assert forker.crawl(server.base, tmp_path / "pages.warc.gz", options(max_pages=11)).pages == 11
        summary = forker.crawl(server.base, tmp_path / "bytes.warc.gz", options(max_bytes=6000))
        assert summary.stopped == "byte limit"
        assert 6000 <= summary.bytes < 7200
    assert max(pages_of(tmp_path / "pages.warc.gz").values()) == 1
    check_warc(tmp_path / "pages.warc.gz")


def test_sitemaps_and_feeds(forker: Forker, tmp_path: Path) -> None:
    xml = {"Content-Type": "application/xml"}
    index = b"<sitemapindex><sitemap><loc>%s/map.xml.gz</loc></sitemap><sitemap><loc>/map.txt</loc></sitemap></sitemapindex>"
    urls = b"<urlset><url><loc>%s/hidden</loc></url><url><loc>http://other.example/</loc></url></urlset>"
    feed = b"<rss><channel><item><link>/from-feed</link></item></channel></rss>"
    bad = b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><rss><item><link>&e;</link></item>"
    site = {
        "/": page(text='<link rel=alternate type="application/rss+xml" href=/feed>'
                       '<link rel=alternate type="application/rss+xml" href=/bad>'),
        "/hidden": page(), "/on-a-line": page(), "/from-feed": page(), "/feed": Answer(feed, headers=xml), "/bad": Answer(bad, headers=xml),
    }  # fmt: skip
    with serve(site) as server:
        base = server.base.encode()
        site["/robots.txt"] = Answer(b"Sitemap: %s/maps.xml\n" % base, headers={"Content-Type": "text/plain"})
        site["/maps.xml"] = Answer(index % base, headers=xml)
        site["/map.txt"] = Answer(b"%s/on-a-line\n\n" % base, headers={"Content-Type": "text/plain"})
        site["/map.xml.gz"] = Answer(gzip.compress(urls % base), headers={"Content-Type": "application/gzip"})
        forker.crawl(server.base, tmp_path / "plain.warc.gz")
        forker.crawl(server.base, tmp_path / "more.warc.gz", options(sitemaps=True, feeds=True))
        found = {url.removeprefix(server.base) for url in pages_of(tmp_path / "more.warc.gz")}
    assert len(pages_of(tmp_path / "plain.warc.gz")) == 1
    assert found == {"/", "/hidden", "/on-a-line", "/from-feed"}


def test_traps_end(forker: Forker, tmp_path: Path) -> None:
    def site(path: str, headers: object) -> Answer | None:
        if path == "/":
            return page("/real/1", "/cal/1", "rep/x/", "/shop?a=1", "/s/a1b2c3d4e5f6a7b8")
        if path.startswith("/real/"):
            number = int(path.rpartition("/")[2])
            return page(f"/real/{number + 1}" if number < 40 else "/", text=f"Page {number}")
        if path.startswith("/s/"):
            return page(*(f"/s/{sha1(f'{path}{i}'.encode()).hexdigest()}" for i in range(3)), text="Welcome")
        if path.startswith("/cal/"):
            return page(f"/cal/{int(path[5:]) + 1}", text="No events in this month. " + path)
        if path.startswith("/rep/"):
            return page("x/")
        if path.startswith("/shop"):
            return page(*(f"{path}&{k}=1" for k in "bcdefgh" if f"{k}=" not in path))
        return None

    with serve(site) as server:
        summary = forker.crawl(server.base, tmp_path / "site.warc.gz", options(max_pages=400))
        paths = [path for _, path in server.hits]
    assert summary.stopped == "finished"
    assert set(summary.traps) == {"path", "query", "same"}
    assert sum(path.startswith("/real/") for path in paths) == 40
    assert sum(path.startswith("/cal/") for path in paths) < 30
    assert sum(path.startswith("/shop") for path in paths) < 140
    assert sum(path.startswith("/s/") for path in paths) < 120


def test_robots_forbids_all(forker: Forker, tmp_path: Path) -> None:
    out = tmp_path / "site.warc.gz"
    site = {"/": page(), "/robots.txt": Answer(b"User-agent: *\nDisallow: /", headers={"Content-Type": "text/plain"})}
    with serve(site) as server:
        with pytest.raises(CrawlError, match=r"nothing was fetched.*robots\.txt forbids"):
            forker.crawl(server.base, out)
        assert server.counts() == {"/robots.txt": 1}
        site["/robots.txt"] = Answer(status=503, headers={"Retry-After": "0"})
        with pytest.raises(CrawlError, match=r"robots\.txt answers 503"):
            forker.crawl(server.base, out, QUICK)
        assert set(server.counts()) == {"/robots.txt"}
    assert list(tmp_path.glob("site*z")) == []


def test_crawl_delay_is_honoured(forker: Forker, tmp_path: Path) -> None:
    times: list[float] = []

    def site(path: str, headers: object) -> Answer | None:
        if path == "/robots.txt":
            return Answer(b"User-agent: *\nCrawl-delay: 0.4", headers={"Content-Type": "text/plain"})
        times.append(time.monotonic())
        return page("/1", "/2", "/3")

    with serve(site) as server:
        summary = forker.crawl(server.base, tmp_path / "site.warc.gz")
    assert summary.crawl_delay == 0.4
    assert len(times) == 4
    # All three waits together: on a busy machine one page may be answered late, and then the gap after it is short.
    assert times[-1] - times[0] > 0.9


def test_long_crawl_delay_is_explained_at_once(tmp_path: Path) -> None:
    job = Job("http://e.org/", tmp_path / "a.warc.gz", options())
    told: list[str] = []
    job.on_warning = told.append
    downloader = SimpleNamespace(per_slot_settings={}, slots={})
    crawler: Any = SimpleNamespace(spider=SimpleNamespace(job=job), engine=SimpleNamespace(downloader=downloader))
    robots = RobotsMiddleware(crawler)
    for host, delay in (("quick.e.org", 1.0), ("slow.e.org", 30.0), ("absurd.e.org", 100_000.0)):
        robots._pace(host, SimpleNamespace(crawl_delay=lambda agent, d=delay: d, request_rate=lambda agent: None))
    assert [slot["delay"] for slot in downloader.per_slot_settings.values()] == [1.0, 30.0, 3600.0]
    assert job.summary().warnings == tuple(told)
    assert told[0].startswith("robots.txt of slow.e.org asks for 30 s between requests: 100 pages take 50 minutes")
    assert "asks for 100,000 s between requests (3,600 s is the longest" in told[1]


def test_a_page_that_cannot_be_read_again_does_not_stop_later_runs(
    forker: Forker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.warc.gz"
    with serve({"/": page("/b"), "/b": page("/c"), "/c": page()}) as server:
        forker.crawl(server.base, out, options(max_pages=2))

        def poisoned(url: str, content_type: str, body: bytes) -> PageLinks:
            if url.endswith("/b"):
                raise ValueError("poison")
            return read_page(url, content_type, body)

        monkeypatch.setattr("sitegrain.sources.crawl.job.read_page", poisoned)
        job = Job(server.base + "/", out, options())
        job.begin()
        job.end()
    assert job.tally.pages == 2
    assert [reason for _, reason in job.problems] == ["sitegrain failed on it: ValueError: poison"]


def test_busy_server_is_left_alone(forker: Forker, tmp_path: Path) -> None:
    times: list[tuple[float, str]] = []

    def site(path: str, headers: object) -> Answer | None:
        times.append((time.monotonic(), path))
        if path == "/busy" and sum(p == "/busy" for _, p in times) == 1:
            return Answer(status=429, headers={"Retry-After": "1"})
        if path == "/broken":
            return Answer(status=500)
        return page("/busy", "/broken") if path == "/" else page("/later")

    with serve(site) as server:
        summary = forker.crawl(server.base, tmp_path / "site.warc.gz", options(concurrency=1))
        assert server.counts()["/broken"] == 3
    first, second = (t for t, path in times if path == "/busy")
    assert second - first >= 0.95
    assert not any(first < t < first + 0.95 for t, _ in times)
    assert (summary.pages, summary.errors, summary.retries) == (3, 1, 3)


def test_recrawl(forker: Forker, tmp_path: Path) -> None:
    site = {
        "/": page("/same", "/etag", "/packed", "/new-text", "/dies"),
        "/same": page("/below-same"),
        "/below-same": page(),
        "/etag": page("/below-etag", ETag='"1"'),
        "/below-etag": page(),
        "/packed": Answer(gzip.compress(b"<p>text", mtime=1), headers={"Content-Encoding": "gzip"}),
        "/new-text": page(text="before"),
        "/dies": page(),
    }
    old, new = tmp_path / "old.warc.gz", tmp_path / "new.warc.gz"
    with serve(site) as server:
        first = forker.crawl(server.base, old)
        assert (first.pages, first.recrawl) == (8, False)
        site["/new-text"] = page("/fresh", text="after")
        site["/fresh"] = page()
        site["/packed"] = Answer(gzip.compress(b"<p>text", mtime=2), headers={"Content-Encoding": "gzip"})
        site["/"] = page("/same", "/etag", "/packed", "/new-text")
        del site["/dies"]
        second = forker.crawl(server.base, new, options(earlier=str(old)))
        assert (second.new, second.changed, second.unchanged, second.gone) == (1, 2, 5, 1)
        assert second.pages == 8
        server.hits.clear()
        again = forker.crawl(server.base, new, options(earlier=str(old)))
        assert (again.new, again.changed, again.unchanged, again.gone) == (1, 2, 5, 1)
        assert server.hits == []
    check_warc(new)
    revisits = {}
    with open(new, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "revisit":
                fields = record.rec_headers
                assert fields.get_header("WARC-Refers-To-Date")
                path = fields.get_header("WARC-Target-URI").removeprefix(server.base)
                revisits[path] = fields.get_header("WARC-Profile").rpartition("/")[2]
    assert revisits == {
        "/same": "identical-payload-digest",
        "/below-same": "identical-payload-digest",
        "/below-etag": "identical-payload-digest",
        "/etag": "server-not-modified",
    }


def test_entrance_that_moves_takes_the_scope_along(forker: Forker, tmp_path: Path) -> None:
    with serve({"/": page("/1"), "/1": page()}) as target:
        moved = {"/": Answer(status=301, headers={"Location": target.base + "/"})}
        with serve(moved) as server:
            names = {"old.example": ["93.184.216.34"], "new.example": ["93.184.216.35"]}
            moved["/"] = Answer(status=301, headers={"Location": f"http://new.example:{target.port}/"})
            ports = {"93.184.216.34": server.port, "93.184.216.35": target.port}
            summary = forker.crawl(
                f"http://old.example:{server.port}/", tmp_path / "s.warc.gz", options(allow_private=False),
                names=names, ports=ports,
            )  # fmt: skip
    assert (summary.pages, summary.redirects) == (2, 1)


def test_two_crawls_do_not_write_one_file(forker: Forker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LOCK_WAIT", 0.1)
    out = tmp_path / "site.warc.gz"
    with serve({"/": page()}) as server:
        forker.crawl(server.base, out)
        with open(out, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            with pytest.raises(OutputError, match="another crawl"):
                archive.WarcLog(out).open(server.base + "/")


def test_without_the_extra_its_pip_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sitegrain\[crawl\]'"):
        parent.crawl("http://t.example/", tmp_path / "site.warc.gz")
