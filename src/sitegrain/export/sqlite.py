"""A result as one SQLite file with full-text search. Datasette, or whatever else reads SQLite, opens it as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sitegrain.errors import OutputError, SitegrainError
from sitegrain.export.names import section_of
from sitegrain.result.base import AnyResult

PAGE_COLUMNS = (
    "url", "path", "role", "page_type", "title", "author", "date", "language", "sitename", "canonical", "description",
    "toc_score", "article_score", "role_confidence", "confidence", "template", "text", "markdown", "notes",
)  # fmt: skip
_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, url TEXT, path TEXT, role TEXT, page_type TEXT, title TEXT, author TEXT, date TEXT, language TEXT,
  sitename TEXT, canonical TEXT, description TEXT, toc_score REAL, article_score REAL, role_confidence REAL,
  confidence REAL, template INTEGER, text TEXT, markdown TEXT, notes TEXT, section TEXT
);
CREATE TABLE links (
  page INTEGER REFERENCES pages(id), target INTEGER REFERENCES pages(id), url TEXT, anchor TEXT, is_same_site INTEGER,
  is_distilled INTEGER
);
CREATE TABLE entries (
  toc INTEGER REFERENCES pages(id), number INTEGER, page INTEGER REFERENCES pages(id), title TEXT, url TEXT, snippet TEXT
);
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
"""
_AFTER = """
CREATE INDEX pages_role ON pages(role);
CREATE INDEX pages_date ON pages(date);
CREATE INDEX pages_url ON pages(url);
CREATE INDEX links_page ON links(page);
CREATE INDEX links_target ON links(target);
CREATE INDEX entries_toc ON entries(toc);
CREATE VIEW articles AS
  SELECT id, date, title, author, section, url, confidence, text FROM pages WHERE role = 'article' ORDER BY date DESC;
CREATE VIRTUAL TABLE pages_fts USING fts5(title, author, description, text, content="pages", content_rowid="id");
INSERT INTO pages_fts(pages_fts) VALUES ('rebuild');
"""
"""Datasette looks for the very words `content="pages"` (in double quotes): the table then has a search box."""
_BATCH = 1000


def write_sqlite(result: AnyResult[Any], path: Path) -> None:
    """Write the file; a page that is not known (-1) is NULL."""
    try:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(_SCHEMA)
            marks = ", ".join("?" * (len(PAGE_COLUMNS) + 2))
            db.executemany(f"INSERT INTO pages VALUES ({marks})", _pages(result))
            db.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", _links(result))
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", _entries(result))
            about = {k: result.summary.get(k) for k in ("source", "pages", "templates", "time")}
            db.executemany("INSERT INTO about VALUES (?, ?)", [(k, str(v)) for k, v in about.items() if v is not None])
            db.executescript(_AFTER)
            db.commit()
    except sqlite3.Error as error:
        if "fts5" in str(error):
            raise SitegrainError("this Python's SQLite has no full-text search (FTS5)") from error
        raise OutputError(f"the database cannot be written: {error}") from error


def _pages(result: AnyResult[Any]) -> Iterator[tuple[Any, ...]]:
    at = 0
    for batch in result.table("pages", PAGE_COLUMNS).to_batches(_BATCH):
        for row in zip(*(batch.column(name).to_pylist() for name in PAGE_COLUMNS), strict=True):
            yield (at, *row, section_of(row[0] or ""))
            at += 1


def _links(result: AnyResult[Any]) -> Iterator[tuple[Any, ...]]:
    names = ("page", "target", "target_url", "anchor", "is_same_site", "is_distilled")
    for batch in result.table("links", names).to_batches(_BATCH):
        for page, target, *rest in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
            yield (page, target if target >= 0 else None, *rest)


def _entries(result: AnyResult[Any]) -> Iterator[tuple[Any, ...]]:
    for toc in result.tocs:
        for number, entry in enumerate(toc.entries):
            target = entry.page if entry.page >= 0 else None
            yield (
                toc.page,
                number,
                target,
                *(text.encode("utf-8", "replace").decode() for text in (entry.title, entry.url, entry.snippet)),
            )
