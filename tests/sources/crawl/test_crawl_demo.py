"""The demo site, crawled: every reachable page once, nothing that robots.txt forbids; and the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import deque
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from sitegrain.demo import generate
from sitegrain.demo import serve as serve_demo
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve
from tests.sources.crawl.test_crawl import check_warc, options, pages_of


def reachable(folder: Path, forbidden: str) -> set[str]:
    """Paths that links lead to, by a plain walk over the files."""
    seen, todo = {"/"}, deque(["/"])
    while todo:
        path = todo.popleft()
        file = folder / (unquote(path.lstrip("/")) or "index.html")
        if file.is_dir():
            file = file / "index.html"
        for href in re.findall(r'<a [^>]*href="([^"]*)"', file.read_text(encoding="utf-8", errors="replace")):
            target = urlsplit(urljoin(f"http://d{path}", href.replace("&amp;", "&")))
            is_page = target.path.endswith((".html", "/"))
            if target.netloc != "d" or not is_page or target.path in seen or target.path.startswith(forbidden):
                continue
            if (folder / unquote(target.path.lstrip("/"))).exists():
                seen.add(target.path)
                todo.append(target.path)
    return seen


def test_demo_site(forker: Forker, tmp_path: Path) -> None:
    generate(tmp_path / "demo")
    html = tmp_path / "demo" / "html"
    some_folder = next(p.name for p in sorted(html.iterdir()) if p.is_dir())
    (html / "robots.txt").write_text(f"User-agent: *\nDisallow: /{some_folder}/\n")
    out = tmp_path / "demo.warc.gz"
    with serve_demo(tmp_path / "demo") as server:
        summary = forker.crawl(server.url, out, options())
        paths = {urlsplit(url).path: n for url, n in pages_of(out).items()}
    want = reachable(html, f"/{some_folder}/")
    assert {unquote(p) for p in paths} == {unquote(p) for p in want}
    assert set(paths.values()) == {1}
    assert summary.disallowed > 0
    check_warc(out)


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from sitegrain.cli import main; main()", "crawl", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_command(tmp_path: Path) -> None:
    site = {"/": page("/a/1", "/b/1"), "/a/1": page("/a/2"), "/a/2": page(), "/b/1": page("/b/2"), "/b/2": page()}
    out = tmp_path / "site.warc.gz"
    with serve(site) as server:
        chosen = ("--delay", "0", "--allow-private", "--depth", "1", "--depth", "/a/=2")
        done = run(server.base, "--out", str(out), *chosen)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("finished: 4 pages")
        events = [json.loads(line) for line in done.stderr.splitlines()]
        assert events[0]["event"] == "start"
        site["/robots.txt"] = Answer(b"User-agent: sitegrain\nDisallow: /", headers={"Content-Type": "text/plain"})
        forbidden = run(server.base, "--out", str(tmp_path / "no.warc.gz"), "--allow-private", "--quiet")
    assert forbidden.returncode == 1
    assert "robots.txt forbids" in forbidden.stderr
    assert not (tmp_path / "no.warc.gz").exists()


@pytest.mark.parametrize("args", [["ftp://x/"], ["http://x/", "--depth", "/a"]])
def test_bad_usage(args: list[str]) -> None:
    done = run(*args, "--out", "x.warc.gz")
    assert done.returncode == 2
    assert done.stderr.startswith("sitegrain: ")
    assert not Path("x.warc.gz").exists()
