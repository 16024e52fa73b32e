"""kill -9 at any moment: the next run goes on, and the WARC holds each page once."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import sitegrain.errors
from sitegrain.errors import OutputError
from sitegrain.sources.crawl.archive import Exchange, WarcLog, read_entries
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve
from tests.sources.crawl.test_crawl import QUICK, check_warc, options, pages_of

N_KILLS = int(os.environ.get("KILLS", "20"))
"""More of them by hand: `KILLS=50 pytest tests/sources/crawl/test_crawl_kill.py`."""
N_PAGES = 400


def big_site(path: str, headers: object) -> Answer | None:
    """A tree of pages, three links each; some redirect, some are missing."""
    if path == "/":
        number = 0
    elif path[1:].isdigit():
        number = int(path[1:])
    else:
        return None
    if number % 10 == 7:
        return Answer(status=302, headers={"Location": f"/{number + 1}"})
    links = [f"/{i}" for i in range(3 * number + 1, 3 * number + 4) if i < N_PAGES]
    time.sleep(0.002)
    return page(*links, f"/{number + 1 if number + 1 < N_PAGES else ''}", text=f"page {number} " * 40)


def test_kills_at_any_moment(forker: Forker, tmp_path: Path) -> None:
    rng = random.Random(20040101)
    out = tmp_path / "site.warc.gz"
    n_killed = 0
    with serve(big_site) as server:
        for _ in range(N_KILLS):
            size = out.stat().st_size if out.exists() else 0
            result = forker.order(server.base, out, QUICK, size=size, kill_after=rng.uniform(0, 0.06))
            n_killed += not result.exists()
        assert n_killed == N_KILLS
        before = pages_of_torn(out)
        hits_before = server.counts()
        summary = forker.crawl(server.base, out, QUICK)
        # No finished page is fetched a second time by the run after.
        again = server.counts() - hits_before
        assert not set(again) & {url.removeprefix(server.base) for url in before}
        want = {f"{server.base}/{i or ''}" for i in range(N_PAGES) if i % 10 != 7}
    assert summary.stopped == "finished"
    assert summary.resumed == len(before)
    assert pages_of(out) == Counter(dict.fromkeys(want, 1))
    all_records = Counter(e.url for _, e in read_entries(out, max_decoded=1 << 20) if e.kind == "response")
    assert max(all_records.values()) == 1
    check_warc(out)


def pages_of_torn(out: Path) -> Counter[str]:
    """Pages of a WARC that may be torn: of a copy that was cut."""
    copy = out.with_name("copy.warc.gz")
    copy.write_bytes(out.read_bytes())
    entrance = next(e for _, e in read_entries(copy, max_decoded=1 << 20)).headers["sitegrain-entrance"]
    log = WarcLog(copy)
    log.open(entrance)
    log.close()
    return pages_of(copy)


def small_log(path: Path) -> bytes:
    log = WarcLog(path)
    assert log.open("http://e.org/") is False
    log.start("http://e.org/", "sitegrain/test", "{}")
    for i in range(3):
        body = random.Random(i).randbytes(300)
        exchange = Exchange(f"http://e.org/{i}", 200, b"GET / HTTP/1.1\r\n\r\n", [(b"A", b"b")], body)
        log.write(exchange, b"<p>dom" if i else None)
    log.write_metadata("http://e.org/x", {"outcome": "not html"})
    log.close()
    return path.read_bytes()


def test_every_cut_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    whole = small_log(path)
    ends = []
    for cut in [*range(0, len(whole), 7), len(whole)]:
        path.write_bytes(whole[:cut])
        log = WarcLog(path)
        log.open("http://e.org/")
        log.close()
        left = path.read_bytes()
        assert whole.startswith(left)
        ends.append(len(left))
    assert len(set(ends)) == 6  # nothing, the header, three pages, the note
    path.write_bytes(whole + bytes(100))  # zeros, as after a power cut
    log = WarcLog(path)
    log.open("http://e.org/")
    log.close()
    assert path.read_bytes() == whole


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    whole = small_log(path)
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    foreign = gzip.compress(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n")
    for content, message in (
        (b"my notes", "is not the WARC"),
        (gzip.compress(b"a packed file"), "is not the WARC"),
        (gzip.compress(b"a packed file" * 9000)[:-20], "is not the WARC"),
        (foreign, "is not the WARC"),
        (bytes(damaged), "damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(OutputError, match=message):
            WarcLog(path).open("http://e.org/")
        assert path.read_bytes() == content
    path.write_bytes(whole)
    with pytest.raises(OutputError, match=r"holds the crawl of http://e\.org/"):
        WarcLog(path).open("http://f.org/")
    assert path.read_bytes() == whole


SCRIPT = """
import sys
from sitegrain.sources.crawl import CrawlOptions, crawl
def show(event): print(event["event"], event.get("pid", event.get("pages")), flush=True)
options = CrawlOptions(delay=0.02, concurrency=2, allow_private=True)
print("end", crawl(sys.argv[1], sys.argv[2], options, on_event=show).stopped, flush=True)
"""


def test_ctrl_c_and_a_dead_parent(tmp_path: Path) -> None:
    out = tmp_path / "site.warc.gz"
    source = str(Path(sitegrain.errors.__file__).parent.parent)

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", SCRIPT, server.base, str(out)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )

    def wait_for_pages(process: subprocess.Popen[str]) -> int:
        assert process.stdout is not None
        child = int(process.stdout.readline().split()[1])
        while int(process.stdout.readline().split()[1]) == 0:
            pass
        return child

    with serve(big_site) as server:
        process = start()
        wait_for_pages(process)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
        assert rest.splitlines()[-1] == "end interrupted"
        check_warc(out)
        n_before = len(pages_of(out))
        # The parent dies: its crawling process follows.
        process = start()
        child = wait_for_pages(process)
        process.kill()
        process.communicate()
        for _ in range(100):
            if not alive(child):
                break
            time.sleep(0.05)
        assert not alive(child)
    assert len(pages_of_torn(out)) >= n_before
    assert max(pages_of_torn(out).values()) == 1


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_resume_goes_on_where_depth_says(forker: Forker, tmp_path: Path) -> None:
    """A resumed crawl knows how deep its pages are."""
    site = {"/": page("/a"), "/a": page("/b"), "/b": page("/c"), "/c": page("/d"), "/d": page()}
    out = tmp_path / "site.warc.gz"
    with serve(site) as server:
        forker.crawl(server.base, out, options(depth=4, max_pages=2))
        forker.crawl(server.base, out, options(depth=3))
        assert server.counts() - Counter({"/robots.txt": 2}) == Counter(["/", "/a", "/b", "/c"])
