"""A small full-text index of a site: of its whole pages, and of their informative text alone.

One SQLite file (FTS5). Search uses the informative part; the whole part is there to compare with: how much smaller
an index gets, and how many hits matched nothing but template text.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, Literal, Self

from sitegrain.errors import OutputError, SitegrainError, SourceError, UsageError
from sitegrain.methods.base import ROLES, NodeVerdict
from sitegrain.methods.sst.method import SentenceVerdict
from sitegrain.native.chars import storable
from sitegrain.render import to_text
from sitegrain.result.folder import record_files
from sitegrain.result.result import Result
from sitegrain.result.stored import open_result
from sitegrain.tables.site import Site
from sitegrain.text.language import primary_language, site_language
from sitegrain.text.words import cut_words, stemmer
from sitegrain.wholefile import whole_file

FORMAT = "sitegrain index"
VERSION = 3
FILE = "index.sqlite"
"""Name of the file in its folder."""

Part = Literal["informative", "whole"]
PARTS: tuple[Part, ...] = ("informative", "whole")

TITLE_WEIGHT = 3.0
"""A word in the title counts as three in the text: the usual choice for BM25 over fields; nothing here tunes it."""
SITE_NAME_SHARE = 0.5
"""A title word on more than this share of the pages is the site's name, not what the page is about."""
MAX_RANKED = 20_000
"""Pages that are ranked for a query: about 2 microseconds each, so that an answer takes less than 0.2 s."""
STUB_WORDS = 20.0
"""A page with so many words of informative text counts half: BM25 prefers short texts, and the shortest that have a query
in their title are pages that only say where another page has gone. Ours; an article of 300 words loses a sixteenth."""
SNIPPET = 200


_SCORE = f"-bm25({{}}, {TITLE_WEIGHT}, 1.0) * (page.n_words + 1.0) / (page.n_words + {STUB_WORDS})"
"""What hits are ordered by; the place is for the part that is searched."""


@dataclass(frozen=True)
class Document:
    """One page to index."""

    url: str
    title: str
    informative: str
    whole: str = ""
    """All text of the page; empty when it is not known (a result folder keeps the informative text only)."""


@dataclass(frozen=True)
class Hit:
    """One found page, the best first."""

    url: str
    title: str
    snippet: str
    score: float
    """BM25; higher is better."""


@dataclass(frozen=True)
class Sizes:
    """What the two parts of an index take."""

    n_pages: int
    whole_bytes: int
    """Of the inverted lists; 0 when the whole text was not indexed."""
    informative_bytes: int
    whole_characters: int
    informative_characters: int

    @property
    def ratio(self) -> float | None:
        """Informative part of the index as a share of the whole one."""
        return self.informative_bytes / self.whole_bytes if self.whole_bytes else None


# Building


def site_documents(site: Site, verdict: NodeVerdict) -> Iterator[Document]:
    """The pages of a site, whole and informative; sentence by sentence where the method judges sentences."""
    for page in range(site.n_pages):
        if isinstance(verdict, SentenceVerdict):
            text = verdict.page_text(site, page)
        else:
            text = to_text(site, page, verdict.node_kept)
        whole = to_text(site, page, site.is_text)
        yield Document(site.pages.url[page], site.pages.title[page], text, whole)


def index_result(result: Result, folder: str | Path, *, articles_only: bool = False) -> Path:
    """Index a mined site; returns the file."""
    about = {"source": str(result.provenance.get("source", "")), "made": str(result.provenance.get("time", ""))}
    is_wanted = [not articles_only or ROLES[role] == "article" for role in result.roles.page_role.tolist()]
    documents = list(compress(site_documents(result.site, result.nodes), is_wanted))
    return build_index(folder, documents, site_language(result.site), about)


def index_folder(folder: str | Path, site: Site | None = None, *, articles_only: bool = False) -> Path:
    """Index the informative text of a result folder, inside it; returns the file.

    With the site that it was mined from, whole pages are indexed too. Pages are matched by address, then by path; of
    a page that the site lacks the informative text is all there is.
    """
    stored = open_result(folder)
    table = stored.table("pages", ["url", "path", "title", "text", "language", "role"])
    columns = {name: [x or "" for x in table.column(name).to_pylist()] for name in table.column_names}
    whole = _whole_texts(site, columns["url"], columns["path"]) if site is not None else {}
    if site is not None and not whole:
        raise UsageError(f"no page of {folder} is in that source: give what it was mined from")
    documents = [
        Document(url, title, text, whole.get(page, text if whole else ""))
        for page, (url, title, text) in enumerate(zip(columns["url"], columns["title"], columns["text"], strict=True))
        if not articles_only or columns["role"][page] == "article"
    ]
    languages = Counter(map(primary_language, columns["language"]))
    language = min(languages, key=lambda x: (-languages[x], x)) if languages else ""
    about = {
        "source": str(stored.summary.get("source", "")),
        "made": str(stored.summary.get("time", "")),
        "pages": "articles" if articles_only else "all",
    }
    made = build_index(folder, documents, language, about)
    record_files(Path(folder), [made.name])
    return made


def _whole_texts(site: Site, urls: Sequence[str], paths: Sequence[str]) -> dict[int, str]:
    """The whole text of the pages with these addresses or paths, by their place in the lists."""
    by_path = {path: page for page, path in enumerate(site.pages.path) if path}
    by_url = {url: page for page, url in enumerate(site.pages.url) if url}
    found = ((i, by_url.get(url, by_path.get(path))) for i, (url, path) in enumerate(zip(urls, paths, strict=True)))
    return {i: to_text(site, page, site.is_text) for i, page in found if page is not None}


def build_index(
    folder: str | Path, documents: Sequence[Document], language: str = "", about: Mapping[str, str] | None = None
) -> Path:
    """Write an index of these pages into a folder (made if absent), whole or not at all; returns the file."""
    folder = Path(folder)
    path = folder / FILE
    words = _analyser(language)
    titles = [" ".join(title) for title in own_titles([page.title for page in documents], language)]
    try:
        with whole_file(path) as part:
            folder.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part)) as db:
                _fill(db, documents, titles, words)
                facts = {"format": FORMAT, "version": str(VERSION), "language": language, **(about or {})}
                db.executemany("INSERT INTO meta VALUES (?, ?)", [(k, storable(v)) for k, v in facts.items()])
                db.commit()
    except sqlite3.Error as error:
        if "fts5" in str(error):
            raise SitegrainError("this Python's SQLite has no full-text search (FTS5)") from error
        raise OutputError(f"{path} cannot be written: {error}") from error
    return path


def _fill(
    db: sqlite3.Connection, documents: Sequence[Document], titles: Sequence[str], words: Callable[[str], list[str]]
) -> None:
    fts = """fts5(title, text, content='', tokenize="unicode61 categories 'L* N* Co M*'")"""
    db.executescript(
        f"""
        PRAGMA journal_mode = OFF;
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE page (id INTEGER PRIMARY KEY, n_words INTEGER, n_whole INTEGER, url TEXT, title TEXT, text TEXT);
        CREATE VIRTUAL TABLE informative USING {fts};
        CREATE VIRTUAL TABLE whole USING {fts};
        """
    )
    for i, (page, title) in enumerate(zip(documents, titles, strict=True), 1):
        cut = {"informative": words(page.informative), "whole": words(page.whole)}
        texts = (storable(page.url), storable(page.title), storable(page.informative))
        db.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?)", (i, len(cut["informative"]), len(page.whole), *texts))
        for part, found in cut.items():
            if part == "informative" or page.whole:
                values = (i, title, " ".join(found))
                db.execute(f"INSERT INTO {part} (rowid, title, text) VALUES (?, ?, ?)", values)
    for part in PARTS:
        # One segment each, so that sizes compare.
        db.execute(f"INSERT INTO {part} ({part}) VALUES ('optimize')")


def _analyser(language: str) -> Callable[[str], list[str]]:
    """From a text to the words that are looked up: stems, every word counts (a query may be a stop word). STRASSE is a straße in any language."""
    stem = stemmer(language)
    known: dict[str, str] = {}

    def words(text: str) -> list[str]:
        return [known[w] if w in known else known.setdefault(w, stem(w.casefold()) or w) for w in cut_words(text)]

    return words


def own_titles(titles: Sequence[str], language: str = "") -> list[list[str]]:
    """The words of each title, as they are looked up, without those that most titles have."""
    words = _analyser(language)
    lists = [words(title) for title in titles]
    count = Counter(w for ws in lists for w in set(ws))
    most = max(2.0, SITE_NAME_SHARE * len(titles))
    return [[w for w in ws if count[w] <= most] for ws in lists]


# Searching


class Index:
    """An index, opened for reading; a context manager."""

    def __init__(self, path: Path, db: sqlite3.Connection, facts: Mapping[str, str]) -> None:
        self.path = path
        self.facts = facts
        self._db = db
        self._words = _analyser(facts.get("language", ""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __repr__(self) -> str:
        return f"Index({self.path}: {self._number('SELECT count(*) FROM page'):,} pages)"

    def search(self, query: str, n: int = 20, part: Part = "informative") -> list[Hit]:
        """The best pages that have all words of a query; none if there is no such page."""
        if part not in PARTS:
            raise UsageError(f"no part {part!r} in an index; use one of {', '.join(PARTS)}")
        words = list(dict.fromkeys(self._words(query)))
        found = self._best(part, self._query(query), max(n, 0))
        texts = self._rows(
            f"SELECT id, url, title, text FROM page WHERE id IN ({','.join('?' * len(found))})",
            [row for row, _ in found],
        )
        page = {row: (url, title, text) for row, url, title, text in texts}
        wanted = set(words)
        return [
            Hit(page[row][0], page[row][1], self._snippet(page[row][2], wanted), score)
            for row, score in found
            if row in page
        ]

    def _best(self, part: Part, wanted: str, n: int) -> list[tuple[int, float]]:
        """The best pages, by number, with their scores. Where more than `MAX_RANKED` match, the words tell little: pages
        that have them in the title come first, and of the others the first `MAX_RANKED` are ranked."""
        last = self._rows(f"SELECT rowid FROM {part} WHERE {part} MATCH ? LIMIT 1 OFFSET ?", (wanted, MAX_RANKED))
        if not last:
            return self._ranked(part, wanted, n)
        bound = int(last[0][0])
        titled = self._ranked(part, f"{{title}} : ({wanted})", n, bound)
        had = {row for row, _ in titled}
        more = [(row, score) for row, score in self._ranked(part, wanted, n, bound) if row not in had]
        return [*titled, *more][:n]

    def _ranked(self, part: Part, wanted: str, n: int, bound: int = 2**62) -> list[tuple[int, float]]:
        # Texts are read for the best alone: a common word is on every page.
        rows = self._rows(
            f"SELECT {part}.rowid AS row, {_SCORE.format(part)} AS score FROM {part} JOIN page ON page.id = {part}.rowid "
            f"WHERE {part} MATCH ? AND {part}.rowid <= ? ORDER BY score DESC, row LIMIT ?",
            (wanted, bound, n),
        )
        return [(int(row), float(score)) for row, score in rows]

    def urls(self, query: str, n: int | None = None, part: Part = "informative") -> list[str]:
        """The addresses that `search` would give (all of them without `n`), without reading their texts."""
        rows = self._rows(
            f"SELECT page.url FROM {part} JOIN page ON page.id = {part}.rowid WHERE {part} MATCH ? "
            f"ORDER BY {_SCORE.format(part)} DESC, page.id LIMIT ?",
            (self._query(query), -1 if n is None else n),
        )
        return [row[0] for row in rows]

    def missing(self, query: str) -> list[str]:
        """The words of a query that no page has in its informative text."""
        return [
            word
            for word in dict.fromkeys(self._words(query))
            if not self._rows("SELECT 1 FROM informative WHERE informative MATCH ? LIMIT 1", (_quote(word),))
        ]

    def template_hits(self, query: str) -> tuple[int, int]:
        """Of the top 20 hits in whole pages, how many match in template text only; and how many hits there are."""
        wanted = self._query(query)
        top = self._rows(
            f"SELECT rowid FROM whole WHERE whole MATCH ? ORDER BY bm25(whole, {TITLE_WEIGHT}, 1.0), rowid LIMIT ?",
            (wanted, 20),
        )
        real = {row[0] for row in self._rows("SELECT rowid FROM informative WHERE informative MATCH ?", (wanted,))}
        return sum(row[0] not in real for row in top), len(top)

    def sizes(self) -> Sizes:
        """What the whole and the informative part take."""
        lists = {part: self._number(f"SELECT coalesce(sum(length(block)), 0) FROM {part}_data") for part in PARTS}
        whole = self._number("SELECT coalesce(sum(n_whole), 0) FROM page")
        return Sizes(
            self._number("SELECT count(*) FROM page"),
            lists["whole"] if whole else 0,
            lists["informative"],
            whole,
            self._number("SELECT coalesce(sum(length(text)), 0) FROM page"),
        )

    def _query(self, query: str) -> str:
        words = list(dict.fromkeys(self._words(query)))
        if not words:
            raise UsageError(f"there is no word to search for in {query!r}")
        return " AND ".join(_quote(w) for w in words)

    def _snippet(self, text: str, words: set[str]) -> str:
        """The line that has most of the words, around the first of them."""
        best, most = "", -1
        for line in text.split("\n"):
            found = len(words & set(self._words(line)))
            if found > most:
                best, most = line, found
                if found == len(words):
                    break
        if len(best) <= SNIPPET:
            return best
        at = next((m.start() for m in re.finditer(r"\w+", best) if words & set(self._words(m[0]))), 0)
        start = max(0, min(at - SNIPPET // 4, len(best) - SNIPPET))
        return ("…" if start else "") + best[start : start + SNIPPET].strip() + "…"

    def _rows(self, sql: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise SourceError(f"{self.path} is damaged ({error}): build the index again") from error

    def _number(self, sql: str) -> int:
        return int(self._rows(sql)[0][0])


def _quote(word: str) -> str:
    """A word as FTS5 takes it: nothing in it is syntax. One sign of a script of pairs matches pairs it begins."""
    text = '"' + word.replace('"', '""') + '"'
    return f"{text} *" if len(word) == 1 and not word.isascii() else text


def open_index(folder: str | Path) -> Index:
    """Open the index in a folder."""
    path = Path(folder) / FILE
    how = "mine a site first (`sitegrain mine SITE --out RESULT`) and search its RESULT"
    if not Path(folder).is_dir():
        raise SourceError(f"{folder}: no such folder; {how}")
    if not path.is_file():
        raise SourceError(f"{folder} has no index; {how}")
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        facts = dict(db.execute("SELECT key, value FROM meta").fetchall())
    except sqlite3.Error as error:
        raise SourceError(f"{path} is not a sitegrain index ({error}); {how}") from error
    if facts.get("format") != FORMAT or facts.get("version") != str(VERSION):
        db.close()
        found = facts.get("version", "unknown")
        raise SourceError(f"{path} has version {found}, this sitegrain reads {VERSION}; {how}")
    return Index(path, db, facts)


# How good it is


@dataclass(frozen=True)
class TemplateHits:
    """What a set of queries found in whole pages."""

    n_queries: int
    n_hits: int
    """Hits among the first 20 of each query."""
    n_template: int
    """Of those, how many have the words in template text only."""

    @property
    def share(self) -> float:
        """Wrong hits as a share of all; 0 when there is no hit."""
        return self.n_template / self.n_hits if self.n_hits else 0.0


def count_template_hits(index: Index, queries: Iterable[str]) -> TemplateHits:
    """Add up `template_hits` over queries; those without a word or without a hit count as queries only."""
    total = [0, 0, 0]
    for query in queries:
        with suppress(UsageError):
            wrong, found = index.template_hits(query)
            total = [total[0], total[1] + found, total[2] + wrong]
        total[0] += 1
    return TemplateHits(*total)


def menu_queries(site: Site) -> list[str]:
    """What the site's own menus say: anchor texts of one to four words on at least a tenth of the pages.

    People search with such words ("game hardware tech jobs" in the paper), and every page has them in its template.
    """
    pages: dict[str, set[int]] = {}
    for node, page in zip(site.links.node.tolist(), site.links.page.tolist(), strict=True):
        text = " ".join(site.node_text(node).split()).lower()
        if 1 <= len(text.split()) <= 4 and len(text) <= 40 and any(c.isalpha() for c in text):
            pages.setdefault(text, set()).add(page)
    least = max(2, math.ceil(site.n_pages / 10))
    often = sorted((-len(where), text) for text, where in pages.items() if len(where) >= least)
    return [text for _, text in often[:50]]
