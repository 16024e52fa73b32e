"""Exports: every form holds what the result holds, opens where it should, and harms nobody."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.errors import OutputError, UsageError
from sitegrain.export import FORMATS, export
from sitegrain.export.chunks import count_tokens, cut
from sitegrain.export.names import Names, safe_name, stem_of
from sitegrain.export.target import MANIFEST, write_folder
from sitegrain.result.mining import mine
from sitegrain.result.stored import StoredResult
from sitegrain.tables.capture import Capture
from tests.cli.test_mine import run


def test_sqlite_has_full_text_search_roles_dates_and_links(courier: StoredResult, tmp_path: Path) -> None:
    with sqlite3.connect(export(courier, "sqlite", tmp_path / "a.sqlite")) as db:
        counts = dict(db.execute("SELECT role, count(*) FROM pages GROUP BY role").fetchall())
        assert counts == courier.summary["roles"]
        assert db.execute("SELECT count(*) FROM links").fetchone()[0] == courier.summary["links"]
        found = db.execute(
            "SELECT pages.title FROM pages JOIN pages_fts ON pages_fts.rowid = pages.id WHERE pages_fts MATCH ? "
            "AND role = 'article' ORDER BY bm25(pages_fts, 3.0) LIMIT 1", ("legacy database",),
        ).fetchone()  # fmt: skip
        assert found[0] == "The database index that nobody expected"
        # What datasette asks to find the search of a table (utils.detect_fts).
        like = """%VIRTUAL TABLE%USING FTS%content="pages"%"""
        assert db.execute("SELECT name FROM sqlite_master WHERE sql LIKE ?", (like,)).fetchall() == [("pages_fts",)]
        newest = db.execute("SELECT date FROM articles LIMIT 2").fetchall()
        assert newest == sorted(newest, reverse=True)
        toc = courier.tocs[0]
        listed = db.execute("SELECT title FROM entries WHERE toc = ? ORDER BY number", (toc.page,)).fetchall()
        assert [title for (title,) in listed] == [entry.title for entry in toc.entries]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_tables(courier: StoredResult, tmp_path: Path) -> None:
    csv.field_size_limit(sys.maxsize)
    with open(export(courier, "csv", tmp_path / "a.csv"), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["url"] for row in rows] == [page.url for page in courier]
    assert [row["text"].lstrip("'") for row in rows] == [page.text for page in courier]
    lines = export(courier, "jsonl", tmp_path / "a.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["markdown"] for line in lines] == [page.markdown for page in courier]
    table = pq.read_table(export(courier, "parquet", tmp_path / "a.parquet"))
    assert table.num_rows == len(courier)
    assert {"section", "role", "text"} <= set(table.column_names)


def test_markdown_files_stand_in_folders_by_section(courier: StoredResult, tmp_path: Path) -> None:
    folder = export(courier, "markdown", tmp_path / "notes")
    files = sorted(folder.rglob("*.md"))
    assert len(files) == len(courier.articles)
    assert {f.parent.name for f in files} == {"2002", "harbour", "kitchen", "machines", "science", "zh"}
    text = (folder / "machines" / "0111-nimcombe-quenisk.md").read_text("utf-8")
    assert text.startswith('---\ntitle: "The database index that nobody expected"\n')
    assert "\n---\n" in text
    # Again: replaced, and what is not ours stays.
    (folder / "mine.txt").write_text("x")
    export(courier, "markdown", folder)
    assert (folder / "mine.txt").exists()
    assert len(sorted(folder.rglob("*.md"))) == len(files)
    export(mine([Capture("http://a.org/x/y", b"<p>" + b"Words of a text. " * 40)]), "markdown", folder)
    assert not (folder / "machines").exists()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "zh").write_text("in the way")
    with pytest.raises(OutputError):
        export(courier, "markdown", tmp_path / "own")


def test_notes_of_a_vault_link_to_one_another(courier: StoredResult, tmp_path: Path) -> None:
    folder = export(courier, "obsidian", tmp_path / "vault")
    notes = {f.relative_to(folder).with_suffix("").as_posix(): f.read_text("utf-8") for f in folder.rglob("*.md")}
    assert len(notes) == len(courier.articles) + len(courier.tocs)
    links = [link for text in notes.values() for link in re.findall(r"\[\[([^|\]]+)\|", text)]
    assert len(links) > 200
    assert set(links) <= set(notes)


def test_chunks(courier: StoredResult, tmp_path: Path) -> None:
    rows = [
        json.loads(line) for line in export(courier, "chunks", tmp_path / "c.jsonl").read_text("utf-8").splitlines()
    ]
    assert {row["url"] for row in rows} == {a.url for a in courier.articles}
    assert max(row["n_tokens"] for row in rows) <= 400
    assert all(row["n_tokens"] == count_tokens(row["text"]) for row in rows)


WORDS = st.lists(
    st.sampled_from(["# Head", "## Sub", "word " * 30, "```\ncode\n# no head\n```", "短い文。" * 20, "x" * 300]),
    max_size=12,
)


@given(WORDS, st.integers(1, 60))
def test_chunks_lose_no_word_and_keep_the_limit(parts: list[str], most: int) -> None:
    text = "\n\n".join(parts)
    found = list(cut(text, most))
    assert all(chunk.n_tokens <= most for chunk in found)
    heads = [p.lstrip("# ") for p in parts if p.startswith("#")]
    body = "".join(p for p in parts if not p.startswith("#"))
    assert "".join("".join(chunk.text.split()) for chunk in found) == "".join(body.split())
    assert {step for chunk in found for step in chunk.path} <= set(heads)


def test_chunks_know_their_headings() -> None:
    text = "# A\n\none\n\n### B\n\ntwo\n\n## C\n\nthree\n\n# D\n\nfour"
    assert [chunk.path for chunk in cut(text)] == [("A",), ("A", "B"), ("A", "C"), ("D",)]
    with pytest.raises(UsageError):
        next(cut("x", 0))


@given(st.text(max_size=300))
def test_names_are_plain_file_names(text: str) -> None:
    for name in (safe_name(text), stem_of(f"http://a.org/{text}")):
        assert "/" not in name
        assert "\\" not in name
        assert "\0" not in name
        assert not name.startswith((".", "-"))
        assert len(name.encode()) < 200


def test_hostile_addresses_stay_in_the_folder(tmp_path: Path) -> None:
    text = b"<p>" + b"Some words of a real text about tea. " * 30
    urls = [
        "http://a.org/%2e%2e/%2e%2e/x",
        "http://a.org/a%00b/c",
        "http://a.org/..%5c..%5cx/y",
        "http://a.org/CON/nul",
    ]
    result = mine([Capture(url, text) for url in urls], methods=["everything"])
    for form in ("markdown", "obsidian"):
        folder = export(result, form, tmp_path / "in" / form)
        assert {f.name for f in tmp_path.iterdir()} == {"in"}
        assert len(list(folder.rglob("*.md"))) == result.count("article") + (form == "obsidian") * result.count("toc")
    names = Names()
    assert len({names.take("a", "b").lower() for _ in range(50)}) == 50


def test_a_cell_is_no_formula(tmp_path: Path) -> None:
    pages = [
        Capture("http://a.org/", b"<title>=cmd|' /C calc'!A0</title><h1>=cmd|' /C calc'!A0</h1><p>" + b"Tea. " * 99)
    ]
    text = export(mine(pages), "csv", tmp_path / "a.csv").read_text("utf-8-sig")
    assert "'=cmd" in text
    assert not re.search(r'(^|,|")=cmd', text, re.MULTILINE)


def test_command(courier: StoredResult, tmp_path: Path) -> None:
    for form in FORMATS:
        out = tmp_path / f"out{FORMATS[form]}"
        assert run("export", courier.folder, "--to", form, "--out", out) [:2] == (
            0, f"wrote {out}\n" + (f"look at it with: datasette {out}\n" if form == "sqlite" else ""),
        )  # fmt: skip
    code, out_text, _ = run("export", courier.folder, "--to", "csv")
    assert (code, out_text) == (0, f"wrote {courier.folder}.csv\n")
    assert run("export", courier.folder, "--to", "word")[0] == 2
    assert run("export", tmp_path / "none", "--to", "csv")[0] == 1
    assert run("export", courier.folder, "--to", "csv", "--out", tmp_path)[0] == 1
    assert run("export", courier.folder, "--to", "sqlite", "--out", "/proc/none/x.sqlite")[0] == 1


def test_a_folder_that_failed_is_not_in_the_way(tmp_path: Path) -> None:
    """A full disk in the middle left files that no manifest named, and the next export refused them."""

    def files(n: int) -> Iterator[tuple[str, str]]:
        yield "tea/a.md", "old"
        yield from ((f"mill/{k}.md", "new") for k in range(n))
        if n:
            raise OSError(28, "No space left on device")

    folder = tmp_path / "notes"
    write_folder(folder, files(0))
    with pytest.raises(OutputError, match="No space left"):
        write_folder(folder, files(3))
    assert sorted(path.name for path in folder.rglob("*")) == [MANIFEST, "a.md", "tea"]
    write_folder(folder, iter([("mill/0.md", "new")]))
    assert sorted(path.name for path in folder.rglob("*")) == [MANIFEST, "0.md", "mill"]
