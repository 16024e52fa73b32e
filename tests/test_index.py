"""The full-text index: what it finds, what it takes, and what is wrong with the folder."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from sitegrain.demo import generate
from sitegrain.errors import OutputError, SourceError, UsageError
from sitegrain.index import (
    FILE,
    VERSION,
    Document,
    build_index,
    count_template_hits,
    index_folder,
    index_result,
    menu_queries,
    open_index,
)
from sitegrain.result.mining import mine
from tests.builders import captures_of
from tests.cli.runner import invoke

MENU = "<ul><li><a href=0.html>Games</a><li><a href=1.html>Hardware jobs</a></ul>"
BODIES = (
    "<p>Rivers rose after the rain.</p>",
    "<p>A wolf crossed the old border.</p>",
    "<p>New hardware for young games.</p>",
    "<p>Voters chose a mayor.</p>",
)
PAGES = [f"<title>Page {i} - Daily</title><body>{MENU}<div>{body}</div>" for i, body in enumerate(BODIES)]
DOCUMENTS = [
    Document("http://a/1", "One - Daily", "Rivers rose after the rain", "menu games Rivers rose after the rain"),
    Document("http://a/2", "Two - Daily", "New games were shown.\nSecond line", "menu games New games were shown"),
    Document("http://a/3", "Three - Daily", "東京の天気は晴れ", "menu games 東京の天気は晴れ"),
    Document("http://a/4", "Four - Daily", "Всё о погоде", "menu games Всё о погоде"),
]


def test_search_uses_the_informative_text(tmp_path: Path) -> None:
    build_index(tmp_path, DOCUMENTS, "en")
    with open_index(tmp_path) as index:
        assert [h.url for h in index.search("GAMES")] == ["http://a/2"]
        assert len(index.search("games", part="whole")) == 4
        assert index.urls("games") == ["http://a/2"]
        assert index.urls("games", 2, "whole") == [h.url for h in index.search("games", 2, "whole")]
        assert index.template_hits("games") == (3, 4)
        assert index.search("new game")[0].snippet == "New games were shown."
        assert [h.url for h in index.search("天気")] == ["http://a/3"]
        assert [h.url for h in index.search("東")] == ["http://a/3"]
        assert [h.url for h in index.search("погоде")] == ["http://a/4"]
        assert [h.url for h in index.search("two")] == ["http://a/2"]
        # A word of every title is the site's name.
        assert index.search("daily") == []
        sizes = index.sizes()
        assert sizes.n_pages == 4
        assert sizes.ratio is not None
        assert 0 < sizes.ratio < 1
        assert "4 pages" in repr(index)


@pytest.mark.parametrize("language", ["", "de", "el", "en", "tr"])
def test_a_word_is_found_in_any_case(tmp_path: Path, language: str) -> None:
    texts = ["Die Straße nach Norden", "DIE STRASSE NACH SÜDEN", "Ο ΟΔΟΣ", "ο οδος", "ﬁshing", "FISHING"]
    build_index(tmp_path, [Document(f"http://a/{k}", "", text) for k, text in enumerate(texts)], language)
    with open_index(tmp_path) as index:
        for k in range(0, len(texts), 2):
            for text in texts[k : k + 2]:
                assert sorted(index.urls(text.split()[1 if k < 4 else 0])) == [f"http://a/{k}", f"http://a/{k + 1}"]


def test_a_query_is_words_not_syntax(tmp_path: Path) -> None:
    build_index(tmp_path, DOCUMENTS, "en")
    with open_index(tmp_path) as index:
        for query in ('games"', "games*", "(games", "NEAR(games)", "title:games", "games AND", "-games", "gam\x00es"):
            index.search(query)
        for query in ("", "   ", "!!!", '"'):
            with pytest.raises(UsageError):
                index.search(query)
        assert index.search("games zebra") == []
        assert index.missing("games zebra") == ["zebra"]
        with pytest.raises(UsageError):
            index.search("x", part="other")  # type: ignore[arg-type]
        counted = count_template_hits(index, ["games", "!!", "zebra"])
        assert (counted.n_queries, counted.n_hits, counted.n_template) == (3, 4, 3)


def test_strange_text_is_indexed(tmp_path: Path) -> None:
    odd = [
        Document("http://a/\ud800", "\ud83d", "half \udc00 pair\x00 end " + "x" * 100_000, "w"),
        Document("", "", "", ""),
    ]
    build_index(tmp_path, odd)
    with open_index(tmp_path) as index:
        assert len(index.search("pair")) == 1
        long = index.search("pair")[0].snippet
        assert len(long) < 300


def test_no_documents(tmp_path: Path) -> None:
    build_index(tmp_path, [])
    with open_index(tmp_path) as index:
        assert index.search("anything") == []
        assert index.sizes().ratio is None


def test_a_missing_damaged_or_other_index(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such folder"):
        open_index(tmp_path / "none")
    with pytest.raises(SourceError, match="has no index; mine a site first"):
        open_index(tmp_path)
    (tmp_path / FILE).write_bytes(b"not a database at all" * 100)
    with pytest.raises(SourceError, match="not a sitegrain index"):
        open_index(tmp_path)
    build_index(tmp_path, DOCUMENTS)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    with pytest.raises(SourceError, match="version 99"):
        open_index(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"UPDATE meta SET value = '{VERSION}' WHERE key = 'version'")
        db.execute("DROP TABLE page")
    with open_index(tmp_path) as index, pytest.raises(SourceError, match="damaged"):
        index.search("games")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError):
        build_index(tmp_path / "file", DOCUMENTS)


def test_index_of_a_mined_site(tmp_path: Path) -> None:
    result = mine(captures_of(*PAGES), methods=["gibson-dom"])
    index_result(result, tmp_path)
    assert menu_queries(result.site) == ["games", "hardware jobs"]
    with open_index(tmp_path) as index:
        assert len(index.search("hardware", part="whole")) == 4
        assert [h.title for h in index.search("hardware")] == ["Page 2 - Daily"]
        assert index.template_hits("hardware jobs") == (4, 4)
    # Sentences are taken one by one where the method judges them.
    index_result(mine(captures_of(*PAGES), methods=["sst"]), tmp_path)
    with open_index(tmp_path) as index:
        assert [h.title for h in index.search("hardware")] == ["Page 2 - Daily"]


def test_index_of_a_result_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    mine(captures_of(*PAGES), out, methods=["gibson-dom"])
    index_folder(out)
    with open_index(out) as index:
        assert [h.title for h in index.search("wolf")] == ["Page 1"]
        assert index.sizes().ratio is None


# The command line


def test_command_line(tmp_path: Path) -> None:
    site = tmp_path / "pages"
    site.mkdir()
    for i, page in enumerate(PAGES):
        (site / f"{i}.html").write_text(page)
    out = tmp_path / "index"
    done = invoke(["index", str(site), "--out", str(out), "--method", "gibson-dom"])
    assert done.exit_code == 0, done.output
    assert "4 pages indexed" in done.output
    assert "template text only" in done.output
    done = invoke(["index", str(site), "--out", str(out), "--method", "gibson-dom", "--json", "--query", "games"])
    report = json.loads(done.stdout)
    assert (report["queries"], report["hits"], report["template_hits"]) == (1, 4, 3)
    done = invoke(["search", str(out), "wolf"])
    assert done.exit_code == 0
    assert "A wolf crossed the old border." in done.output
    done = invoke(["search", str(out), "games", "--whole", "--json", "-n", "2"])
    assert [json.loads(line)["title"] for line in done.stdout.splitlines()]
    done = invoke(["search", str(out), "zebra"])
    assert done.exit_code == 1
    assert "no page has 'zebra'" in done.output
    assert isinstance(invoke(["index", str(site)]).exception, UsageError)
    assert isinstance(invoke(["search", str(tmp_path / "none"), "x"]).exception, SourceError)


def test_search_indexes_a_result_folder_and_follows_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    mine(captures_of(*PAGES), out, methods=["gibson-dom"])
    done = invoke(["search", str(out), "wolf"])
    assert done.exit_code == 0
    assert "Page 1" in done.output
    with sqlite3.connect(out / FILE) as db:
        db.execute("UPDATE meta SET value = 'long ago' WHERE key = 'made'")
    done = invoke(["search", str(out), "mayor"])
    assert "Page 3" in done.output
    with open_index(out) as index:
        assert index.facts["made"] != "long ago"
    done = invoke(["index", str(out)])
    assert "no whole pages to compare with" in done.output  # it was mined from captures
    assert isinstance(invoke(["index", str(out), "--method", "sst"]).exception, UsageError)


def test_a_result_folder_is_compared_with_what_it_was_mined_from(tmp_path: Path) -> None:
    source, out = tmp_path / "pages", tmp_path / "out"
    source.mkdir()
    for i, page in enumerate(PAGES):
        (source / f"{i}.html").write_text(page)
    mine(source, out, methods=["gibson-dom"])
    done = invoke(["index", str(out), "--json"])
    report = json.loads(done.stdout)
    assert 0 < report["ratio"] < 1
    assert (report["queries"], report["hits"], report["template_hits"]) == (2, 8, 7)
    done = invoke(["index", str(out), "--query", "hardware"])
    assert "3 of 4 (1 given queries)" in done.output
    source.rename(tmp_path / "moved")
    assert "--pages" in invoke(["index", str(out)]).output
    (tmp_path / "moved" / "3.html").unlink()  # a page that is gone counts with its informative text
    done = invoke(["index", str(out), "--pages", str(tmp_path / "moved"), "--query", "games", "--json"])
    assert json.loads(done.stdout)["hits"] == 3
    assert invoke(["search", str(out), "mayor"]).exit_code == 0
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.html").write_text("<p>Another site.")
    for wrong, error in ((other, UsageError), (tmp_path / "none", SourceError)):
        done = invoke(["index", str(out), "--pages", str(wrong)])
        assert isinstance(done.exception, error)
    done = invoke(["index", str(other), "--out", str(tmp_path / "i"), "--pages", str(other)])
    assert isinstance(done.exception, UsageError)


def test_common_words_are_answered_from_titles_and_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit titles come first; below it nothing changes."""
    pages = [
        Document(
            f"http://a.org/{i}", "Tea and boats" if i == 7 else f"Number {i}", "tea " * (i % 5 + 1) + "and more " * i
        )
        for i in range(40)
    ]
    build_index(tmp_path, pages, "en")
    with open_index(tmp_path) as index:
        exact = [hit.url for hit in index.search("tea", 40)]
        assert len(exact) == 40
        monkeypatch.setattr("sitegrain.index.MAX_RANKED", 10)
        hits = [hit.url for hit in index.search("tea", 5)]
        assert hits[0] == "http://a.org/7"
        assert len(set(hits)) == 5
        assert {int(url.rpartition("/")[2]) for url in hits} <= set(range(11))
        monkeypatch.setattr("sitegrain.index.MAX_RANKED", 40)
        assert [hit.url for hit in index.search("tea", 40)] == exact


def test_pages_that_only_say_where_another_has_gone_come_last(tmp_path: Path) -> None:
    article = "The harbour master opened the new harbour on Monday. " + "The ships came in one after the other. " * 40
    stub = Document("http://a/stub", "Harbour", "Harbour has moved")
    build_index(tmp_path, [stub, Document("http://a/story", "The harbour is open", article)], "en")
    with open_index(tmp_path) as index:
        assert [hit.url for hit in index.search("harbour")] == ["http://a/story", "http://a/stub"]
        assert index.urls("harbour") == ["http://a/story", "http://a/stub"]


def test_articles_alone_can_be_indexed(tmp_path: Path) -> None:
    generate(tmp_path / "site")
    result = mine(tmp_path / "site", tmp_path / "result")
    index_folder(tmp_path / "result", articles_only=True)
    with open_index(tmp_path / "result") as index:
        assert set(index.urls("the")) <= {article.url for article in result.articles}
        assert index.sizes().n_pages == len(result.articles)
