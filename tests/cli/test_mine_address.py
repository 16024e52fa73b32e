"""`mine` of an address: the crawl's options, the WARC beside the result, stop and go on; several files at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.builders import warc_of
from tests.cli.test_mine import run
from tests.sources.crawl.loopback import page, serve

FAST = ("--allow-private", "--delay", "0")


def test_an_address_is_crawled_by_the_options_of_crawl(tmp_path: Path) -> None:
    site = {"/": page(*(f"/{k}" for k in range(8)), text="<h1>Top</h1>")}
    site |= {f"/{k}": page("/", text=f"<h1>Number {k}</h1><p>" + f"Words of page {k}. " * 30) for k in range(8)}
    out = tmp_path / "found"
    with serve(site) as server:
        code, said, err = run("mine", server.base, "--out", out, "--no-report", *FAST, "--max-pages", "4")
        assert code == 0
        assert "stopped at the page limit: run the same command with a larger --max-pages to continue" in err
        assert "4 pages" in said
        first = server.counts()
        code, said, err = run("mine", server.base, "--out", out, "--no-report", *FAST, "--json")
        assert code == 0
        assert json.loads(said)["pages"] == 9
        assert json.loads(said)["source"] == f"{out}.warc.gz"
        assert all(n == 1 for path, n in server.counts().items() if path != "/robots.txt"), first
        assert run("mine", server.base, "--out", out, *FAST, "--method", "nonsense")[0] == 2  # before any crawl
        before = len(server.hits)
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "notes").write_text("x")
        assert run("mine", server.base, "--out", tmp_path / "mine", *FAST)[0] == 1
        assert len(server.hits) == before


def test_a_private_address_is_refused_with_an_option_that_exists(tmp_path: Path) -> None:
    with serve({"/": page()}) as server:
        code, _, err = run("mine", server.base, "--out", tmp_path / "r")
    assert (code, server.hits) == (1, [])
    assert "--allow-private" in err


def test_control_c_loses_nothing(tmp_path: Path) -> None:
    pages = {f"/{k}": page(f"/{k + 1}", text=f"<p>{'Some text. ' * 20}{k}") for k in range(60)}
    command = [sys.executable, "-m", "sitegrain", "mine", "", "--out", str(tmp_path / "r"), "--no-report"]
    with serve({"/": page("/0"), **pages}) as server:
        command[4] = server.base
        slow = subprocess.Popen([*command, "--allow-private", "--delay", "0.1"], stderr=subprocess.PIPE, text=True)
        while len(server.hits) < 4:
            assert slow.poll() is None
            time.sleep(0.01)
        os.kill(slow.pid, signal.SIGINT)
        _, err = slow.communicate(timeout=60)
        assert slow.returncode == 130
        assert "run the same command again" in err
        done = subprocess.run([*command, *FAST], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert max(n for path, n in server.counts().items() if path != "/robots.txt") == 1
    assert "61 pages" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("site", "--max-pages", "3"), "--max-pages: only for an address"),
        (("site", "--no-traps", "--depth", "2"), "--depth, --no-traps: only for an address"),
        (("site", "--earlier", "a.warc.gz"), "--earlier: only for an address, or for the WARC of a recrawl"),
        (("site", "a.warc.gz"), "site is a folder, and only files can be read together"),
        (("a.warc.gz", "site/1.html"), "are files of different kinds"),
        (("http://a.example/", "http://b.example/"), "one address at a time"),
        (("a.warc.gz", "http://b.example/"), "one address at a time"),
    ],
)
def test_what_makes_no_sense_is_said(
    args: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "1.html").write_text("<p>Tea")
    (tmp_path / "a.warc.gz").write_bytes(warc_of([("http://a.org/", b"<p>x")]))
    monkeypatch.chdir(tmp_path)
    code, out, err = run("mine", *args)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_several_files_are_one_site(tmp_path: Path) -> None:
    for name, urls in {"a": ("1", "2"), "b": ("3",)}.items():
        (tmp_path / f"{name}.warc.gz").write_bytes(warc_of([(f"http://a.org/{u}", b"<p>x" * 9) for u in urls]))
    code, out, _ = run("mine", tmp_path / "a.warc.gz", tmp_path / "b.warc.gz", "--json")
    assert (code, json.loads(out)["pages"]) == (0, 3)
    code, _, err = run("mine", tmp_path / "a.warc.gz", tmp_path / "c.warc.gz")
    assert (code, err) == (1, f"sitegrain: {tmp_path / 'c.warc.gz'} does not exist\n")
