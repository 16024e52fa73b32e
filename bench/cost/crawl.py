"""Measure the crawl against its promises, on loopback.

    python bench/cost/crawl.py speed            2,000 pages with delay 0: seconds (promise: under 60)
    python bench/cost/crawl.py memory           20,000 pages: peak memory on the way (promise: under 300 MB, flat)
    python bench/cost/crawl.py kill             kill -9 of the whole command, 20 times, fixed seed; then one run to the end

The server runs in a process of its own. Pages are 8 KB of text with 20 links.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from sitegrain.sources.crawl import CrawlOptions, crawl

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("n", "r", "ste", "lla", "m")]


def body(number: int, n_pages: int) -> bytes:
    rng = random.Random(number)
    links = [rng.randrange(n_pages) for _ in range(18)] + [(2 * number + 1) % n_pages, (2 * number + 2) % n_pages]
    items = "".join(f'<li><a href="/p/{i}">{" ".join(rng.choices(WORDS, k=5))}</a>' for i in links)
    text = "".join(f"<p>{' '.join(rng.choices(WORDS, k=110))}." for _ in range(12))
    return f"<!doctype html><title>Page {number}</title><ul>{items}</ul><h1>{number}</h1>{text}".encode()


def serve(port: Any, n_pages: int, pause: float, hits: Any) -> None:
    """A small HTTP/1.1 server; it counts requests."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode()
                number = 0 if path == "/" else int(path[3:]) if path.startswith("/p/") else -1
                if number >= 0:
                    hits[number] += 1
                await asyncio.sleep(pause)
                status, page = ("200 OK", body(number, n_pages)) if number >= 0 else ("404 Not Found", b"")
                head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n".encode()
                writer.write(head + page)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(run())


class Site:
    """A running server process."""

    def __init__(self, n_pages: int, pause: float = 0.0) -> None:
        self.n_pages = n_pages
        port = multiprocessing.Value("i", 0)
        self.hits = multiprocessing.Array("i", n_pages, lock=False)
        self.process = multiprocessing.Process(target=serve, args=(port, n_pages, pause, self.hits), daemon=True)
        self.process.start()
        while not port.value:
            time.sleep(0.01)
        self.url = f"http://127.0.0.1:{port.value}/"


def check(out: Path, n_pages: int | None) -> str:
    """The WARC is valid and holds each page once."""

    class Command:
        inputs = [str(out)]
        verbose = False

    assert Checker(Command()).process_all() == 0, "warcio's checker finds mistakes"
    found: Counter[str] = Counter()
    with open(out, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                found[record.rec_headers.get_header("WARC-Target-URI")] += 1
    assert max(found.values()) == 1, "a page is there twice"
    assert n_pages is None or len(found) == n_pages, f"{len(found)} pages instead of {n_pages}"
    return f"{len(found):,} pages, each once; warcio check passed"


def peak_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def reachable(n_pages: int) -> int:
    """Pages that links lead to, by a plain walk."""
    import re

    seen, todo = {0}, [0]
    while todo:
        for link in re.findall(rb'"/p/(\d+)"', body(todo.pop(), n_pages)):
            if int(link) not in seen:
                seen.add(int(link))
                todo.append(int(link))
    # The entrance is page 0 under "/", and "/p/0" is linked as well.
    return len(seen) + 1


def measure(n_pages: int, watch: list[int]) -> None:
    site = Site(n_pages)
    pid = 0
    marks: dict[int, float] = {}

    def show(event: dict[str, Any]) -> None:
        nonlocal pid
        pid = event.get("pid", pid)
        for mark in watch:
            if event.get("pages", 0) >= mark and mark not in marks:
                marks[mark] = peak_mb(pid)
        if "pages" in event:
            marks[-1] = peak_mb(pid)

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "site.warc.gz"
        start = time.perf_counter()
        summary = crawl(site.url, out, CrawlOptions(delay=0, allow_private=True), on_event=show)
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{summary.pages:,} pages, {summary.bytes / 1e6:.0f} MB, in {seconds:.1f} s; ", end="")
        print(f"it used {used.ru_utime + used.ru_stime:.1f} s of CPU; load is {os.getloadavg()[0]:.1f}")
        for mark in watch:
            print(f"peak memory at {mark:,} pages: {marks.get(mark, 0):.0f} MB")
        print(f"peak memory at the end: {marks.get(-1, 0):.0f} MB")
        print(check(out, reachable(n_pages)))
        print(f"most requests for one page: {max(site.hits)}")
    site.process.kill()


def kill(n_pages: int, n_kills: int, seed: int) -> None:
    rng = random.Random(seed)
    site = Site(n_pages, pause=0.02)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "site.warc.gz"
        command = [sys.executable, "-c", "from sitegrain.cli import main; main()", "crawl", site.url, "--out", str(out),
                   "--delay", "0", "--allow-private", "--json"]  # fmt: skip
        n_killed = 0
        for number in range(n_kills):
            size = out.stat().st_size if out.exists() else 0
            parent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            assert parent.stderr is not None
            child = json.loads(parent.stderr.readline())["pid"]
            threading.Thread(target=parent.stderr.read, daemon=True).start()
            while parent.poll() is None and not (out.exists() and out.stat().st_size > size):
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.5))
            n_killed += parent.poll() is None
            # By turns: the crawling process, or its parent (the child must follow by itself).
            try:
                os.kill(child if number % 2 else parent.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            parent.wait()
        finished = subprocess.run(command, capture_output=True, text=True, check=True)
        summary = json.loads(finished.stdout)
        print(f"killed {n_killed} times; the last run found {summary['resumed']:,} of {summary['pages']:,} pages")
        print(check(out, reachable(n_pages)))
        again = sum(h > 1 for h in site.hits)
        print(f"pages asked for more than once (under way when the kill came): {again}")
    site.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "memory", "kill"])
    parser.add_argument("--pages", type=int)
    parser.add_argument("--seed", type=int, default=20040101)
    args = parser.parse_args()
    if args.what == "speed":
        measure(args.pages or 2000, [])
    elif args.what == "memory":
        measure(args.pages or 20_000, [2000, 5000, 10_000])
    else:
        kill(args.pages or 2500, 20, args.seed)


if __name__ == "__main__":
    main()
