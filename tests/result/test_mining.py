"""From a source to a result, through every kind of bad input."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sitegrain
from sitegrain import Capture, OutputError, Result, SourceError, UsageError
from sitegrain.demo import Truth, generate, serve
from sitegrain.extractor.pagetypes import TYPES_OF_ROLE
from sitegrain.methods.base import ROLES
from sitegrain.methods.infodiscoverer import InfoDiscoverer
from sitegrain.methods.lamis.ranking import LAMIS
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS
from sitegrain.result import folder
from sitegrain.result.mining import opened
from sitegrain.result.recipe import make_recipe
from sitegrain.result.stored import open_result
from sitegrain.roles.model import SiteRoles
from sitegrain.sources.crawled import CrawlSource
from sitegrain.tables.parsing.parse import ParsedPage, parse_page
from sitegrain.tables.paths import shared_node_paths
from tests.builders import captures_of, site_of, warc_of

SIMPLE = ("everything", "outlink-count")
"""These tests are about the plumbing, so they use methods whose verdicts are known beforehand."""


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return generate(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def result(truth: Truth) -> Result:
    return sitegrain.mine(truth.folder, methods=SIMPLE)


def test_pages_table(result: Result, truth: Truth) -> None:
    pages = result.pages
    wanted = (
        "url path role toc_score article_score role_confidence confidence template language title author date text "
        "markdown".split()
    )
    assert set(wanted) <= set(pages.column_names)
    assert sorted(pages["path"].to_pylist()) == sorted(p.path for p in truth.pages)
    assert set(pages["role"].to_pylist()) <= {"toc", "article", "other"}
    by_path = {row["path"]: row for row in pages.select(["page", "path", "language", "text"]).to_pylist()}
    for page in truth.pages:
        if page.kind == "article":
            assert by_path[page.path]["language"] == page.language
            # The first recipe keeps everything: nothing of the truth may be lost on the way.
            text = "".join(result.page_text(by_path[page.path]["page"]).split())
            assert all("".join(part.split()) in text for part in page.content)


def test_articles_and_tocs_are_sequences(result: Result) -> None:
    articles, tocs = result.articles, result.tocs
    assert len(articles) == len(list(articles)) == result.count("article")
    assert len(tocs) == result.count("toc")
    assert {a.role for a in articles} == {"article"}
    assert articles[-1] is articles[len(articles) - 1] is result[articles[-1].page]
    assert [a.page for a in articles[3:9:2]] == [articles[k].page for k in (3, 5, 7)]
    scores = result.roles.page_toc[[a.page for a in tocs]].tolist()
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(IndexError, match=f"number {len(tocs)} of {len(tocs)} TOC pages"):
        tocs[len(tocs)]
    with pytest.raises(UsageError, match="no role is called 'hub'; there are: other, toc, article"):
        result.count("hub")
    assert articles[0].text
    assert articles[0].to_dict()["markdown"] == articles[0].markdown
    assert all(result.site.is_text[articles[0].kept_nodes])


def test_the_summary_says_which_models_judged(truth: Truth, tmp_path: Path) -> None:
    pages = [(p.url, (truth.html / p.path).read_bytes()) for p in truth.pages[:12]]
    captures = [Capture(url, body) for url, body in pages]
    learned = sitegrain.mine(captures)
    learned.save_model(tmp_path / "courier.json")
    shipped = {"content.json": "extractor/data", "roles.json": "roles/data"}
    for model in learned.summary["models"]:
        content = resources.files("sitegrain").joinpath(shipped[model["file"]], model["file"]).read_bytes()
        assert model["sha256"] == hashlib.sha256(content).hexdigest()
    assert [m["method"] for m in learned.summary["models"]] == ["default", "siteroles"]
    again = sitegrain.mine(captures, model=tmp_path / "courier.json").summary["models"][-1]
    content = (tmp_path / "courier.json").read_bytes()
    assert again == {"method": "default", "file": "courier.json", "sha256": hashlib.sha256(content).hexdigest()}
    document = {**json.loads(content), "origin": {"command": "mine", "data": {"a": "long" * 100}}}
    (tmp_path / "told.json").write_text(json.dumps(document))
    assert sitegrain.mine(captures, model=tmp_path / "told.json").summary["models"][-1]["about"] == {"command": "mine"}
    assert sitegrain.mine(captures, methods=SIMPLE).summary["models"] == []
    assert isinstance(learned.summary["native"], bool)


def test_templates_part_the_two_looks(result: Result, truth: Truth) -> None:
    look = {p.path: p.look for p in truth.pages}
    looks: dict[int, set[str]] = {}
    for path, template in zip(result.site.pages.path, result.templates.tolist(), strict=True):
        looks.setdefault(template, set()).add(look[path])
    assert all(len(found) == 1 for found in looks.values())
    assert len(looks) < 15


def test_links_table(result: Result) -> None:
    links = result.links.slice(0, 12).to_pylist()
    assert links[0]["anchor"] == "The Lantern Bay Courier"
    assert all(link["target"] >= 0 for link in links if link["is_same_site"] and "robots" not in link["target_url"])


def test_the_distilled_site_is_in_the_links_and_in_graphml(result: Result, tmp_path: Path) -> None:
    rows = result.links.select(["page", "target", "entropy", "is_distilled"]).to_pylist()
    role = result.pages["role"].to_pylist()
    kept = [r for r in rows if r["is_distilled"]]
    assert 0 < len(kept) < len(rows)
    assert all(role[r["page"]] == "toc" and role[r["target"]] in ("toc", "article") for r in kept)
    assert all(r["entropy"] is None or 0 <= r["entropy"] <= 1 for r in rows)
    assert all(r["entropy"] is None for r in rows if r["target"] < 0)
    result.save(tmp_path / "r")
    text = (tmp_path / "r" / "distilled.graphml").read_text()
    assert text.count("<edge ") == len({(r["page"], r["target"]) for r in kept})


def test_the_user_may_say_how_many_toc_pages_there_are(truth: Truth) -> None:
    for method in (SiteRoles(n_toc=4), LAMIS(normalize_links=True, n_toc=4)):
        assert sitegrain.mine(truth.folder, methods=("everything", method)).count("toc") == 4
    with pytest.raises(UsageError, match="negative"):
        SiteRoles(n_toc=-1)


def test_a_method_that_is_given_learns_nothing_but_a_copy_of_it_does(truth: Truth, tmp_path: Path) -> None:
    method = InfoDiscoverer(n_training=5)
    result = sitegrain.mine(truth.folder, methods=[method], save_model=tmp_path / "m.json")
    assert not method.is_fitted
    assert result.recipe is not None
    assert result.recipe.nodes == method
    again = sitegrain.mine(truth.folder, methods=["infodiscoverer"], model=tmp_path / "m.json")
    np.testing.assert_array_equal(again.nodes.node_kept, result.nodes.node_kept)
    with pytest.raises(UsageError, match="a model brings its own parameters"):
        make_recipe([method], tmp_path / "m.json")
    # A method that was fitted before judges by what it knows, also a page alone.
    page = [Capture("http://a.org/", (truth.html / truth.pages[0].path).read_bytes())]
    alone, known = (sitegrain.mine(page, methods=[m]) for m in (method, InfoDiscoverer().fit(result.site)))
    assert "one page only" in alone.nodes.notes[0]
    assert not any("one page only" in note for note in known.nodes.notes)


def test_what_cannot_be_saved_is_told_before_anything_is_read(tmp_path: Path) -> None:
    def never() -> Iterator[Capture]:
        raise AssertionError("a page was read")
        yield

    with pytest.raises(UsageError, match="'origin' has no model to save"):
        sitegrain.mine(never(), methods=["origin"], save_model=tmp_path / "m.json")
    with pytest.raises(OutputError, match="no such folder"):
        sitegrain.mine(never(), save_model=tmp_path / "none" / "m.json")


def test_the_type_of_a_page_is_said_of_the_page() -> None:
    pages = ["<p>" + "Fog came in over the harbour, and the ferry left late. " * 9] * 2
    result = sitegrain.mine(captures_of(*pages))
    assert list(result.roles.page_type) == [a.page_type for a in result] == result.pages["page_type"].to_pylist()
    assert len(result.roles.page_type) == 2
    assert not hasattr(sitegrain.mine(captures_of(*pages), methods=["everything"]).nodes, "page_type")


def test_image_links_have_a_label() -> None:
    result = sitegrain.mine(captures_of('<a href="1.html"><img src=x.png alt="Next page"></a>', "<p>x"))
    assert result.links["anchor"].to_pylist() == ["Next page"]


def test_paths_equal_the_slow_ones(result: Result) -> None:
    site = result.site
    rows = np.random.default_rng(5).integers(0, site.n_nodes, 300).astype(np.int32)
    assert shared_node_paths(site, rows).each() == [site.xpath(int(row)) for row in rows]


def test_every_kind_of_source(truth: Truth, tmp_path: Path) -> None:
    pages = [(p.url, (truth.html / p.path).read_bytes()) for p in truth.pages[:20]]
    warc, parquet = tmp_path / "a.warc.gz", tmp_path / "a.parquet"
    warc.write_bytes(warc_of(pages))
    pq.write_table(pa.table({"url": [u for u, _ in pages], "html": [b for _, b in pages]}), parquet)
    sites = [sitegrain.read_warc(warc), sitegrain.read_parquet(parquet), sitegrain.mine(warc).site]
    sites.append(sitegrain.mine(Capture(u, b) for u, b in pages).site)
    for site in sites:
        site.check()
        assert site.pages.url == tuple(u for u, _ in pages)
        assert site.texts == sites[0].texts
    assert len(sitegrain.read_folder(truth.folder)) == 150
    assert sitegrain.mine(sites[0]).count("toc") == sitegrain.mine(sites[1]).count("toc")


def test_methods_by_name() -> None:
    assert make_recipe(["outlink-count", "everything"]).pages.name == "outlink-count"
    with pytest.raises(UsageError, match="there is no method 'nothing'"):
        sitegrain.mine(captures_of("<p>x"), methods=["nothing"])
    assert set(NODE_METHODS).isdisjoint(PAGE_METHODS)
    for two, what in ((["sst", "everything"], "text"), (["hits", "lamis"], "pages")):
        with pytest.raises(UsageError, match=f"{two[0]!r} and {two[1]!r} both judge {what}: choose one of them"):
            make_recipe(two)


# Bad input


def test_no_pages() -> None:
    with pytest.raises(SourceError, match="no page"):
        sitegrain.mine([])


def test_duplicate_urls_the_last_wins_and_is_counted() -> None:
    captures = [Capture("http://a.org/", b"<p>old"), Capture("http://a.org/index.html", b"<p>new")]
    result = sitegrain.mine(captures, methods=SIMPLE)
    assert result.page_text(0) == "new"
    assert result.summary["skipped"] == {"duplicate URL, last capture kept": 1}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", ""),
        (b"<p>a\0b\0", "ab"),
        (b"\xff\xfe" + "<p>caf\u00e9".encode("utf-16-le"), "caf\u00e9"),
        (b"<meta charset=utf-8><p>caf\xe9 au lait, s'il vous pla\xeet", "caf\ufffd au lait, s'il vous pla\ufffdt"),
        (b"<meta charset=no-such-set><p>plain", "plain"),
        ("<meta charset=iso-8859-1><p>\u4e2d\u6587\u6587\u7ae0".encode(), "\u4e2d\u6587\u6587\u7ae0"),
        (b"<p>unclosed <b>every <i>thing", "unclosed every thing"),
        (b"no tags at all", "no tags at all"),
        (b"<div>" * 200_000 + b"deep", "deep"),
    ],
    ids=["empty", "nul", "utf16", "lying-utf8", "unknown", "lying-latin1", "unclosed", "text", "nested"],
)  # fmt: skip
def test_odd_pages(body: bytes, text: str) -> None:
    article = sitegrain.extract(body, methods=SIMPLE)
    if text == "ab":
        assert "".join(c for c in article.text if c.isalpha()) == "ab"
    else:
        assert article.text == text
    assert isinstance(article.markdown, str)
    assert isinstance(article.html, str)


def test_odd_links_are_kept_apart() -> None:
    site = site_of('<a href="javascript:x">a</a><a href="data:,x">b</a><a href="../../../1.html">c</a>', "<p>")
    assert site.links.url == ("", "", "http://t.example/1.html")
    assert site.links.target.tolist() == [-1, -1, 1]


def test_text_has_no_character_set() -> None:
    assert sitegrain.extract("<meta charset=latin1><p>é中", methods=SIMPLE).text == "é中"
    assert sitegrain.extract("<p>half a pair \ud83d", methods=SIMPLE).text.startswith("half a pair")


def test_out_is_checked_before_the_work(tmp_path: Path) -> None:
    def never() -> Iterator[Capture]:
        raise AssertionError("the source was read")
        yield

    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="is a file"):
        sitegrain.mine(never(), tmp_path / "file")
    with pytest.raises(OutputError, match="holds other files"):
        sitegrain.mine(never(), tmp_path)
    with pytest.raises(OutputError, match="cannot be written"):
        sitegrain.mine(never(), tmp_path / "file" / "below")
    if os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        with pytest.raises(OutputError, match="cannot be written: Permission denied"):
            sitegrain.mine(never(), locked / "out")


@pytest.mark.parametrize("when", [0, 1, 2, 3, 4, 5])
def test_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int) -> None:
    """Each of the six files is written and flushed; the disk fills up at one of them."""
    calls = 0
    real = os.fsync

    def full(fd: int) -> None:
        nonlocal calls
        calls += 1
        if calls > when:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(fd)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="cannot be written: No space left on device; nothing was left there"):
        sitegrain.mine(captures_of("<p>x"), tmp_path / "out")
    assert os.listdir(tmp_path) == []


def test_full_disk_keeps_the_old_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitegrain.mine(captures_of("<p>old"), tmp_path / "out", methods=SIMPLE)

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("sitegrain.result.folder.parquet_writer", full)
    with pytest.raises(OutputError):
        sitegrain.mine(captures_of("<p>new"), tmp_path / "out")
    assert os.listdir(tmp_path) == ["out"]
    assert open_result(tmp_path / "out").table("pages")["text"].to_pylist() == ["old"]


def test_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(fd: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        sitegrain.mine(captures_of("<p>x"), tmp_path / "out")
    assert os.listdir(tmp_path) == []


def test_damage_is_named_in_the_result(tmp_path: Path) -> None:
    pages = [(f"http://a.org/{i}", b"<p>" + os.urandom(900).hex().encode()) for i in range(4)]
    data = warc_of(pages, is_gzip=False)
    (tmp_path / "a.warc").write_bytes(data[: len(data) - 300])
    result = sitegrain.mine(tmp_path / "a.warc", methods=SIMPLE)
    assert len(result) == 4
    assert result.summary["skipped"] == {"damaged: truncated record": 1}
    assert "is cut after" in result.summary["problems"][0]


def test_evidence_is_in_the_tables(result: Result) -> None:
    assert {"n_outlinks", "link_share"} <= set(result.pages.column_names)
    changed = replace(
        result,
        roles=replace(
            result.roles, evidence={"hub": np.arange(150.0), "kind": np.array(["x"] * 150), "url": np.ones(150)}
        ),
    )
    assert changed.pages["hub"].to_pylist()[2] == 2.0
    assert changed.pages["kind"].to_pylist()[0] == "x"
    assert changed.pages["evidence_url"].to_pylist()[0] == 1.0


def test_a_crawl_is_a_source(truth: Truth) -> None:
    pytest.importorskip("sitegrain.sources.crawl")
    with serve(truth.folder) as server:
        options = {"allow_private": True, "delay": 0.0, "max_pages": 12}
        result = sitegrain.mine(CrawlSource(server.url, options))
    assert len(result) >= 10
    assert not any("/private/" in url for url in result.site.pages.url)


def test_one_bad_page_is_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    good = [Capture(f"http://a.org/{k}", b"<p>" + b"Some words of a good page. " * 20) for k in range(3)]
    result = sitegrain.mine([*good, Capture("http://[::1", b"<p>bad address"), Capture("http://[::2", b"<p>another")])
    assert len(result) == 5
    assert result.summary["skipped"]["address that cannot be read"] == 2
    assert "http://[::1: is not an address" in result.summary["problems"][0]

    def fails(capture: Capture) -> ParsedPage:
        if capture.url.endswith("1"):
            raise ValueError("poison")
        return parse_page(capture)

    monkeypatch.setattr("sitegrain.tables.parsing.build.parse_page", fails)
    result = sitegrain.mine(good)
    assert [page.url for page in result.site] == ["http://a.org/0", "http://a.org/2"]
    assert result.summary["problems"] == ["http://a.org/1: cannot be parsed (ValueError: poison)"]


def test_only_our_own_files_are_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    sitegrain.mine(captures_of("<p>old"), out, methods=SIMPLE)
    sitegrain.mine(captures_of("<p>new"), out, methods=SIMPLE)
    assert "new" in (out / "articles.jsonl").read_text() + (out / "tocs.jsonl").read_text() + str(
        sitegrain.open_result(out)[0].text
    )
    (out / "html").mkdir()
    (out / "html" / "a.html").write_bytes(b"<p>mine")
    (out / "my-notes.txt").write_text("work")
    with pytest.raises(OutputError, match=r"holds other files \(html/a\.html, my-notes\.txt\)"):
        sitegrain.mine(out / "html", out)
    assert (out / "my-notes.txt").read_text() == "work"
    (out / "my-notes.txt").unlink()
    (out / "html" / "a.html").unlink()
    with pytest.raises(OutputError, match="html"):  # an empty folder is somebody's, too
        sitegrain.mine(captures_of("<p>x"), out)
    (out / "html").rmdir()
    (out / "manifest.json").write_text("[")
    with pytest.raises(OutputError, match="holds other files"):
        sitegrain.mine(captures_of("<p>x"), out)
    # A folder that only has a site.json of its own is nobody's result.
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "site.json").write_text("{}")
    with pytest.raises(OutputError, match=r"site\.json"):
        sitegrain.mine(captures_of("<p>x"), tmp_path / "theirs")


def test_what_comes_while_we_work_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    sitegrain.mine(captures_of("<p>old"), out, methods=SIMPLE)

    def pages() -> Iterator[Capture]:
        (out / "notes").mkdir()
        (out / "notes" / "mine.txt").write_text("work")
        yield from captures_of("<p>new")

    result = sitegrain.mine(pages(), methods=SIMPLE)
    # What came before the check of `save` is refused, and what comes after it stays.
    with pytest.raises(OutputError, match=r"notes/mine\.txt"):
        result.save(out)
    (out / "notes" / "mine.txt").rename(tmp_path / "mine.txt")
    (out / "notes").rmdir()
    check = folder.check_out

    def late(path: Path) -> None:
        check(path)
        (out / "mine.txt").write_text("work")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "check_out", late)
        result.save(out)
    assert (out / "mine.txt").read_text() == "work"
    assert sitegrain.open_result(out)[0].text == "new"


def test_a_link_stays_a_link_and_leftovers_go(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path / f".real.part-{dead.pid}"
    left.mkdir()
    (left / "pages.parquet").write_bytes(b"half")
    sitegrain.mine(captures_of("<p>x"), tmp_path / "out", methods=SIMPLE)
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real" / "site.json").is_file()
    assert not left.exists()


@pytest.mark.parametrize("has_exchange", [True, False])
def test_a_kill_in_the_swap_leaves_a_whole_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_exchange: bool
) -> None:
    out = tmp_path / "out"
    sitegrain.mine(captures_of("<p>old"), out, methods=SIMPLE)
    if not has_exchange:
        monkeypatch.setattr(folder, "_exchange", lambda one, other: False)
    sitegrain.mine(captures_of("<p>new"), out, methods=SIMPLE)
    assert sitegrain.open_result(out)[0].text == "new"
    assert os.listdir(tmp_path) == ["out"]
    if has_exchange:  # no moment without a result: nothing is renamed away
        monkeypatch.setattr(os, "rename", lambda a, b: pytest.fail("renamed"))
        sitegrain.mine(captures_of("<p>newest"), out, methods=SIMPLE)
        assert sitegrain.open_result(out)[0].text == "newest"


def test_no_role_changes_a_text(result: Result) -> None:
    """Whatever role every page is given, text, Markdown and HTML are what the extractor kept."""

    def written(role: str) -> list[tuple[str, str, str]]:
        roles = np.full(len(result), ROLES.index(role), np.int8)
        given = Result(result.site, result.nodes, replace(result.roles, page_role=roles))
        assert any(a.entries for a in given) == (role == "toc")
        return [(a.text, a.markdown, a.html) for a in given]

    assert written("toc") == written("article") == written("other")
    assert all(text == result.page_text(page) for page, (text, _, _) in enumerate(written("toc")))


def test_page_types_agree_with_roles(truth: Truth) -> None:
    found = sitegrain.mine(truth.folder)
    for article in found:
        assert not article.page_type or article.page_type in TYPES_OF_ROLE[article.role]


def test_what_is_crawled_stays_beside_the_result(tmp_path: Path) -> None:
    kept = opened("http://a.org/", tmp_path / "out")
    assert isinstance(kept, CrawlSource)
    assert kept.keep == tmp_path / "out.warc.gz"
    alone = opened("http://a.org/")
    assert isinstance(alone, CrawlSource)
    assert alone.keep is None, "without a result there is no place that the user named"
