"""`watch` on a site on loopback whose pages change, vanish and get a new template between runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sitegrain.errors import CrawlError, OutputError, SourceError
from sitegrain.result.stored import open_result
from sitegrain.sources.crawl import CrawlOptions, CrawlSummary
from sitegrain.watching import watch as watching
from sitegrain.watching.changes import Changes, diff
from sitegrain.wholefile import write_whole
from tests.cli.test_mine import run
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.conftest import forker as forker
from tests.sources.crawl.loopback import Answer, Server, serve

WORDS = (
    "harbour engine letter museum garden bridge violin orchard station market lantern river census kitchen weather "
    "bicycle archive mountain recipe theatre election hospital railway pottery dialect festival"
).split()
OPTIONS = CrawlOptions(delay=0, allow_private=True, retries=0)


def sentences(seed: int, n: int) -> str:
    """Plain sentences that no other page has."""
    return " ".join(
        f"The {WORDS[(seed * 7 + k * 3) % 26]} of {WORDS[(seed + k * 5) % 26]} number {seed * 31 + k} was opened by "
        f"{WORDS[(seed * 3 + k) % 26]} people in {1900 + (seed * 13 + k) % 99}."
        for k in range(n)
    )


class Paper:
    """A small newspaper, written anew for every request from what is known now."""

    def __init__(self) -> None:
        self.articles = {
            f"/story-{k}.html": (f"Story of the {WORDS[k]}", [sentences(k, 4), sentences(k + 50, 4)]) for k in range(14)
        }
        self.design = "old"
        self.down: set[str] = set()

    def __call__(self, path: str, headers: Any) -> Answer | None:
        if path in self.down:
            return Answer(b"down", 503)
        if path == "/":
            items = "".join(f'<li><a href="{url}">{title}</a></li>' for url, (title, _) in self.articles.items())
            return self._page("The Daily Test", f"<ul>{items}</ul>")
        if path not in self.articles:
            return None
        title, paragraphs = self.articles[path]
        return self._page(title, f"<h1>{title}</h1>" + "".join(f"<p>{p}</p>" for p in paragraphs))

    def _page(self, title: str, body: str) -> Answer:
        links = "".join(
            f"<li><a href='/'>{name}</a></li>" for name in ("Home", "Politics", "Sport", "Weather", "Contact")
        )
        if self.design == "old":
            html = (
                f"<div class=page><div class=head><p class=logo>The Daily Test</p><ul class=menu>{links}</ul></div>"
                f"<div class=main><div class=text>{body}</div></div>"
                f"<div class=side><h3>Most read</h3><ul>{links}</ul></div><div class=foot><p>All rights reserved</p></div></div>"
            )
        else:
            html = (
                f"<header class=top><nav class=bar><ol>{links}</ol></nav></header><main class=wrap><section class=grid>"
                f"<article class=card>{body}</article><aside class=rail><ol class=rank>{links}</ol></aside></section></main>"
                "<footer class=end><small>All rights reserved</small></footer>"
            )
        return Answer(f"<!doctype html><html><head><title>{title}</title></head><body>{html}</body></html>".encode())


@pytest.fixture
def quick(forker: Forker, monkeypatch: pytest.MonkeyPatch) -> None:
    def crawl(url: str, out: Path, options: CrawlOptions, on_event: Callable[..., None] | None = None) -> CrawlSummary:
        return forker.crawl(url, out, options)

    monkeypatch.setattr(watching, "crawl", crawl)


def look(server: Server, folder: Path, options: CrawlOptions = OPTIONS) -> watching.Watched:
    """One run, and nothing is fetched twice in it."""
    server.hits.clear()
    found = watching.watch(server.base + "/", folder, options, report=False)
    assert max(server.counts().values()) == 1
    return found


def seen(changes: Changes | None) -> dict[str, set[str]]:
    assert changes is not None
    return {kind: {"/" + page.url.rpartition("/")[2] for page in changes.of(kind)} for kind in changes.counts}


def titles(folder: Path) -> list[str]:
    root = ElementTree.fromstring((folder / "changes.atom").read_text("utf-8"))
    return [
        e.text or "" for e in root.iterfind("{http://www.w3.org/2005/Atom}entry/{http://www.w3.org/2005/Atom}title")
    ]


@pytest.mark.usefixtures("quick")
def test_every_run_tells_what_changed(tmp_path: Path) -> None:
    paper, folder = Paper(), tmp_path / "watched"
    nothing: dict[str, set[str]] = {"new": set(), "changed": set(), "gone": set(), "redesigned": set()}
    with serve(paper) as server:
        first = look(server, folder)
        assert first.changes is None
        assert first.result is not None
        assert len(first.result) == 15
        assert titles(folder) == []
        # nothing happened
        assert seen(look(server, folder).changes) == nothing
        # one story is new, one is changed, one is gone: the front page lists what there is
        paper.articles["/story-new.html"] = ("Story of a comet", [sentences(90, 5), sentences(91, 5)])
        title, (one, two) = paper.articles["/story-3.html"]
        paper.articles["/story-3.html"] = (
            title,
            [one, two, "Correction: the bridge was never opened at all, says the mayor."],
        )
        del paper.articles["/story-5.html"]
        found = look(server, folder).changes
        assert seen(found) == {
            "new": {"/story-new.html"}, "changed": {"/story-3.html", "/"}, "gone": {"/story-5.html"}, "redesigned": set(),
        }  # fmt: skip
        assert found is not None
        story = next(page for page in found.of("changed") if page.url.endswith("story-3.html"))
        assert story.added == ("Correction: the bridge was never opened at all, says the mayor.",)
        assert story.removed == ()
        assert titles(folder) == ["New: Story of a comet", f"Changed: {title}", "Gone: Story of the bridge"]
        # the server fails for a story: it is neither gone now nor new the next day
        paper.down = {"/story-7.html"}
        assert seen(look(server, folder).changes) == nothing
        paper.down = set()
        assert seen(look(server, folder).changes) == nothing
        # a new template, and the same words
        paper.design = "new"
        redesigned = look(server, folder)
        assert seen(redesigned.changes) == {**nothing, "redesigned": {"/", *paper.articles}}
        assert redesigned.is_refitted
        assert redesigned.changes is not None
        assert redesigned.changes.is_redesigned
        assert titles(folder)[0] == "Redesigned"
        text = next(a.text for a in open_result(folder / "result").articles if a.url.endswith("story-new.html"))
        assert sentences(90, 5) in text
        assert "Politics" not in text
        # the new template is the known one now
        again = look(server, folder)
        assert seen(again.changes) == nothing
        assert not again.is_refitted
    lines = [json.loads(line) for line in (folder / "changes.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 4 + 15
    assert diff(*sorted((folder / "crawls").glob("*.gz"))[1:3]).counts == {
        "new": 1,
        "changed": 2,
        "gone": 1,
        "redesigned": 0,
    }


@pytest.mark.usefixtures("quick")
def test_a_limit_makes_no_page_gone(tmp_path: Path) -> None:
    with serve(Paper()) as server:
        look(server, tmp_path)
        found = look(server, tmp_path, CrawlOptions(delay=0, allow_private=True, max_pages=6)).changes
    assert found is not None
    assert found.counts["gone"] == 0
    assert "9 pages of the run before were not asked for" in found.notes[0]


@pytest.mark.usefixtures("quick")
def test_a_killed_run_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper()
    with serve(paper) as server:
        look(server, tmp_path)
        del paper.articles["/story-5.html"]
        want = {"/story-5.html"}

        def die(path: Path, text: str) -> None:
            if path.name == deaths[0]:
                raise KeyboardInterrupt
            write_whole(path, text)

        monkeypatch.setattr(watching, "write_whole", die)
        deaths = ["changes.jsonl", "changes.atom", "state.json"]
        while deaths:
            with pytest.raises(KeyboardInterrupt):
                watching.watch(server.base + "/", tmp_path, OPTIONS, report=False)
            deaths.pop(0)
        monkeypatch.undo()
        monkeypatch.setattr(
            watching, "crawl", lambda url, out, options, on_event: CrawlSummary(url, str(out), "finished")
        )
        found = watching.watch(server.base + "/", tmp_path, OPTIONS, report=False).changes
    assert seen(found)["gone"] == want
    assert len(list((tmp_path / "crawls").glob("*.warc.gz"))) == 2
    assert (tmp_path / "changes.jsonl").read_text().count("story-5") == 1


@pytest.mark.usefixtures("quick")
def test_what_cannot_be_watched(tmp_path: Path) -> None:
    with serve(Paper()) as server:
        look(server, tmp_path / "a")
        with pytest.raises(OutputError, match="give another --out"):
            watching.watch(server.base + "/story-1.html", tmp_path / "a", OPTIONS)
        (tmp_path / "a" / "state.json").write_text("{")
        with pytest.raises(SourceError, match="is damaged"):
            watching.watch(server.base + "/", tmp_path / "a", OPTIONS)
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="cannot be written"):
            watching.watch(server.base + "/", tmp_path / "file", OPTIONS)
        server.site = {}
        with pytest.raises(CrawlError):
            watching.watch(server.base + "/", tmp_path / "b", OPTIONS)


def test_commands(tmp_path: Path) -> None:
    """Through the real crawler: first run, no change, a change; exit codes 0, 3, 0, and 1 when the site is down."""
    paper, args = Paper(), ("--out", tmp_path / "w", "--delay", "0", "--allow-private")
    with serve(paper) as server:
        code, out, err = run("watch", server.base, *args)
        assert (code, err) == (0, "")
        assert "first run: 15 pages" in out
        assert (tmp_path / "w" / "result" / "report" / "index.html").exists()
        del paper.articles["/story-5.html"]
        code, out, _ = run("watch", server.base, *args, "--json", "--no-report")
        assert code == 0
        assert json.loads(out)["gone"] == 1
        code, out, _ = run("watch", server.base, *args, "--no-report")
        assert (code, out.splitlines()[0]) == (3, "0 new, 0 changed, 0 gone, 0 redesigned, 14 unchanged")
        before, after, last = sorted((tmp_path / "w" / "crawls").glob("*.warc.gz"))
        code, out, _ = run("diff", before, after)
        assert code == 0
        assert "- gone article: Story of the bridge" in out
        assert "    - " not in out.partition("~ changed")[0]
        code, out, _ = run("diff", before, after, "--format", "atom")
        assert (code, len(ElementTree.fromstring(out).findall("{*}entry"))) == (0, 1)
        assert run("diff", after, last)[0] == 3
        assert json.loads(run("diff", before, after, "--json")[1])["gone"] == 1
        # what could not be fetched, and a limit that ended the crawl, are told
        paper.down = {"/story-7.html"}
        code, _, err = run("watch", server.base, *args, "--no-report", "--retries", "0", "--max-pages", "20")
        assert (code, "/story-7.html: status 50" in err) == (3, True)
        err = run("watch", server.base, "--out", tmp_path / "v", *args[2:], "--max-pages", "5")[2]
        assert "stopped at the page limit" in err
    code, _, err = run("watch", server.base, *args)
    assert code == 1
    assert "Traceback" not in err
    assert run("watch", server.base)[0] == 2
    assert run("diff", before, tmp_path / "none")[0] == 1


@pytest.mark.parametrize("last", ["2999-12-31T235959Z.warc.gz", "2999-12-31T235959Z_.warc.gz"])
def test_a_clock_that_was_set_back_does_not_stop_the_next_crawl(tmp_path: Path, last: str) -> None:
    """Its name still sorts after the one before: that is how a crawl that was left unfinished is found."""
    found = watching._next_crawl(tmp_path, {"crawl": last})
    assert found.name > last
    assert watching._time_of(found) == "2999-12-31T23:59:59Z"
