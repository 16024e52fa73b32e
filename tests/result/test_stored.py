"""A result folder gives back what was written, and says what is wrong with one that cannot."""

from __future__ import annotations

import json
import os
import random
import shutil
from contextlib import suppress
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sitegrain
from sitegrain import Capture, Result, SitegrainError, SourceError, UsageError
from sitegrain.demo import generate
from sitegrain.result.base import AnyResult
from sitegrain.result.parquet import StoredTable
from tests.article.threads.test_signed import THREAD
from tests.builders import captures_of

FILES = (
    "articles.jsonl",
    "blocks.parquet",
    "distilled.graphml",
    "links.parquet",
    "pages.parquet",
    "site.json",
    "tocs.jsonl",
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The demo site, and a page of the kind that is in neither list."""
    truth = generate(tmp_path_factory.mktemp("demo"))
    pages = [Capture(p.url, (truth.html / p.path).read_bytes(), path=p.path) for p in truth.pages[:60]]
    return sitegrain.mine(
        [*pages, Capture("http://courier.example/\ud83d", b"<p>x")], methods=["everything", "outlink-count"]
    )


@pytest.fixture(scope="module")
def written(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "out"
    result.save(folder)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "out"))


def test_it_gives_back_what_was_written(result: Result, folder: Path) -> None:
    stored = sitegrain.open_result(folder)
    assert isinstance(stored, AnyResult)
    assert len(stored) == len(result) == 61
    assert stored.summary == json.loads(json.dumps(result.summary))
    for name in ("pages", "blocks", "links"):
        assert stored.table(name).equals(getattr(result, name))
        assert getattr(stored, name).equals(getattr(result, name))
    assert stored.table("pages", ["url", "role"]).equals(result.table("pages", ["url", "role"]))
    assert stored.graphml() == result.graphml()
    for role in ("toc", "article", "other"):
        assert stored.count(role) == result.count(role) > 0
    assert [a.page for a in stored.tocs] == [a.page for a in result.tocs]
    assert [a.page for a in stored.articles[5::7]] == [a.page for a in result.articles[5::7]]
    assert stored[-1].page == 60


def test_pages_give_back_what_they_gave(result: Result, folder: Path) -> None:
    names = (
        "path role page_type title author date language sitename canonical description images sources text markdown entries "
        "confidence notes".split()
    )
    for old, new in zip(result, sitegrain.open_result(folder), strict=True):
        for name in names:
            if name != "canonical":  # of the last page, an address that no Parquet file can hold
                assert getattr(new, name) == getattr(old, name), (name, old)
        assert new.url.encode() == old.url.encode("utf-8", "replace")
        assert new.canonical.encode() == old.canonical.encode("utf-8", "replace")
        for name in ("title", "author", "date", "language", "sitename", "description", "images"):
            assert getattr(new.fields, name) == getattr(old.fields, name)
        assert new.role_confidence == result.roles.page_confidence[old.page]
        wanted = old.to_dict()
        if old.role == "other":
            wanted = {**wanted, "url": new.url, "canonical": new.canonical}
            del wanted["html"]
            with pytest.raises(UsageError, match="keeps no HTML"):
                _ = new.html
        else:
            assert new.html == old.html
        assert new.to_dict() == wanted


def test_posts_of_threads_are_given_back(tmp_path: Path) -> None:
    threads = [
        Capture(f"http://tea.example/viewtopic.php?t={k}", THREAD.replace("three", str(k)).encode())
        for k in range(3, 9)
    ]
    result = sitegrain.mine([*threads, Capture("http://tea.example/about.html", b"<h1>Tea</h1><p>We drink it.")])
    result.save(tmp_path / "out")
    stored = sitegrain.open_result(tmp_path / "out")
    kept = [a.page for a in result if a.role == "article" and a.page_type == "forum"]
    assert len(kept) == 6
    for page in kept:
        assert len(result[page].posts) > 1
        assert stored[page].posts == result[page].posts
    assert stored[6].posts == []


def test_opening_reads_next_to_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    read = StoredTable.read

    def noted(self: StoredTable, columns: list[str] | None = None) -> object:
        asked.append(columns)
        return read(self, columns)

    monkeypatch.setattr(StoredTable, "read", noted)
    stored = sitegrain.open_result(folder)
    assert len(stored) == 61
    assert asked == []
    assert stored[0].title
    assert stored[1].title
    assert asked == [["title"]]


def test_an_earlier_result_is_replaced_and_no_other(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "out")
    result.save(tmp_path / "out")
    assert os.listdir(tmp_path) == ["out"]
    assert sorted(os.listdir(tmp_path / "out")) == sorted((*FILES, "manifest.json"))


def test_an_empty_list_is_a_list(tmp_path: Path) -> None:
    sitegrain.mine(captures_of("<p>x"), tmp_path / "out", methods=["everything", "outlink-count"])
    stored = sitegrain.open_result(tmp_path / "out")
    assert (len(stored.articles), len(stored.tocs), stored[0].text) == (0, 0, "x")


# Folders that are none


def test_what_is_no_result_is_not_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name, message in (
        ("no", "does not exist: give the folder of a result; `sitegrain mine SOURCE --out FOLDER` makes one"),
        ("empty", "is not a sitegrain result, since it has no site.json"),
        ("out/site.json", "is a file: give the folder of a result"),
    ):
        with pytest.raises(SourceError, match=message):
            sitegrain.open_result(tmp_path / name)
    about = json.loads((folder / "site.json").read_text())
    for said, message in (
        (json.dumps({**about, "version": 99}), "newer sitegrain"),
        (json.dumps({**about, "version": "x"}), r"is damaged \(no version\)"),
        (json.dumps({"site": "a labelled one", "base_url": "http://a.org/"}), "does not describe one"),
        (json.dumps({k: v for k, v in about.items() if k != "roles"}), "lacks 'roles' in site.json"),
        (json.dumps({**about, "pages": 7}), "site.json speaks of 7 pages, pages.parquet holds 61"),
        ("[" * 100_000, "is damaged"),
        ("{", "is damaged"),
        ("[]", "does not describe one"),
    ):
        (folder / "site.json").write_text(said)
        with pytest.raises(SourceError, match=message):
            sitegrain.open_result(folder)


@pytest.mark.parametrize("name", [name for name in FILES if name != "site.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(SourceError, match=f"is damaged, it lacks {name}: mine the site again"):
        sitegrain.open_result(folder)


def read_all(folder: Path) -> None:
    stored = sitegrain.open_result(folder)
    for name in ("pages", "blocks", "links"):
        stored.table(name)
    stored.graphml()
    for found in stored:
        found.to_dict()
        found._repr_html_()
        _ = found.entries, found.fields, found.notes, found.confidence, found.posts


def test_a_column_that_is_gone_is_named(folder: Path) -> None:
    table = pq.read_table(folder / "pages.parquet")
    pq.write_table(table.drop_columns(["title"]), folder / "pages.parquet")
    with pytest.raises(SourceError, match=r"pages.parquet has no column title"):
        read_all(folder)


def test_columns_of_other_types_are_told(folder: Path) -> None:
    table = pq.read_table(folder / "pages.parquet")
    for name, kind in product(
        ("role", "sources", "toc_score", "confidence", "images"), (pa.string(), pa.large_string())
    ):
        place = table.column_names.index(name)
        pq.write_table(table.set_column(place, name, pa.array(["{"] * len(table), kind)), folder / "pages.parquet")
        with pytest.raises(SourceError, match=r"pages.parquet is damaged"):
            read_all(folder)


def test_lines_that_do_not_fit_are_told(folder: Path) -> None:
    lines = (folder / "articles.jsonl").read_bytes().splitlines(keepends=True)
    for changed in (
        lines[1:],
        lines[::-1],
        [],
        [b"{}\n"] * len(lines),
        [b"[\n"] * len(lines),
        [*lines[:-1], lines[-1][:-1]],
    ):
        (folder / "articles.jsonl").write_bytes(b"".join(changed))
        with pytest.raises(SourceError, match=r"articles.jsonl is damaged"):
            read_all(folder)


@pytest.mark.parametrize("name", FILES)
def test_random_damage_is_told_or_harmless(written: Path, tmp_path: Path, name: str) -> None:
    whole = (written / name).read_bytes()
    random_ = random.Random(name)
    for k in range(6):
        folder = Path(shutil.copytree(written, tmp_path / str(k)))
        data = bytearray(whole[: random_.randrange(len(whole))] if k % 2 else whole)
        for _ in range(8):
            if data:
                data[random_.randrange(len(data))] = random_.randrange(256)
        (folder / name).write_bytes(data)
        with suppress(SitegrainError):
            read_all(folder)


def test_html_is_in_the_page_table_and_a_folder_of_before_is_read(folder: Path, result: Result) -> None:
    lines = [json.loads(line) for line in (folder / "articles.jsonl").read_text().splitlines()]
    assert not any("html" in line for line in lines)
    table = pq.read_table(folder / "pages.parquet")
    pq.write_table(table, folder / "pages.parquet", row_group_size=7)  # of several groups the right one is read
    wanted = [result[page].html for page in result._order("article")]
    assert [a.html for a in sitegrain.open_result(folder).articles] == wanted
    pq.write_table(table.drop_columns(["html"]), folder / "pages.parquet")
    about = json.loads((folder / "site.json").read_text()) | {"version": 1}
    (folder / "site.json").write_text(json.dumps(about))
    old = (json.dumps({**line, "html": html}) + "\n" for line, html in zip(lines, wanted, strict=True))
    (folder / "articles.jsonl").write_text("".join(old))
    assert [a.html for a in sitegrain.open_result(folder).articles] == wanted
