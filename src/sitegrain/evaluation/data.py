"""Labelled data: page sets (the WCXB layout) and labelled sites, from a folder or straight from a .tar.xz.

Nothing is ever unpacked to disk. The layouts are described in docs/evaluation.md, so that a user can label
a site of his own.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import random
import tarfile
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import quote

from sitegrain.errors import SourceError
from sitegrain.tables.capture import Capture

Kind = Literal["article", "toc", "other"]
KINDS: tuple[Kind, ...] = ("article", "toc", "other")

MAX_FILE = 64 << 20
"""A file larger than this is not read: no page of the web needs it, and an archive may claim anything."""

_NO_PAGES = (".txt", ".xml", ".css", ".js", ".json", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".pdf")
"""Files beside the pages (robots.txt, a style sheet) that are no pages unless a label says so."""


_TOP = ("html", "ground-truth", "labels.jsonl", "site.json")
"""What stands at the top of either layout."""


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one page of a labelled site."""

    path: str
    kind: Kind
    content_selector: str = ""
    """CSS; the gold of an article is the union of the matched elements, in document order."""
    drop_selector: str = ""
    """Elements inside it that are not content."""
    toc_selector: str = ""
    """The main list block of a TOC page."""
    short: bool = False
    dup_of: str = ""
    note: str = ""


@dataclass(frozen=True)
class LabelledSite:
    """A whole site with one label per page.

    `captures` streams the pages in the order of the archive (sorted by path for a folder).
    """

    name: str
    base_url: str
    language: str
    labels: Mapping[str, Label] = field(repr=False)
    """By path, the name under `html/`."""
    location: Path = field(repr=False)
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All of `site.json`."""

    def captures(self, paths: Collection[str] | None = None) -> Iterator[Capture]:
        """The pages, or only those with these paths."""
        for name, body in _files(self.location, under="html/"):
            path = name.removeprefix("html/")
            if path not in self.labels and path.lower().endswith(_NO_PAGES):
                continue
            if paths is None or path in paths:
                yield Capture(page_url(self.base_url, path), body, path=path)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of names and bytes; the same for a folder and for its archive."""
        return _digest(self.location)

    def sample(self, n: int, seed: int = 0) -> list[str]:
        """Paths of a seeded sample of articles that are neither `short` nor `dup_of`, sorted.

        The seed is joined with the site's name, so that a site's sample does not depend on other sites.
        """
        pool = sorted(x.path for x in self.labels.values() if x.kind == "article" and not x.short and not x.dup_of)
        if n <= 0 or n >= len(pool):
            return pool
        return sorted(random.Random(f"{seed}/{self.name}").sample(pool, n))

    def kinds(self) -> dict[str, int]:
        """Number of labels of each kind."""
        return dict(Counter(x.kind for x in self.labels.values()))


@dataclass(frozen=True, slots=True)
class TruthPost:
    """What is known of one post of a thread."""

    text: str
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of one page of a page set."""

    name: str
    url: str
    page_type: str
    text: str
    title: str = ""
    author: str = ""
    date: str = ""
    snippets: tuple[str, ...] = ()
    """Text that the output must hold (`with`)."""
    noise: tuple[str, ...] = ()
    """Text that the output must not hold (`without`)."""
    posts: tuple[TruthPost, ...] = ()
    """Of a thread, in order."""
    is_partial: bool = False
    """Only snippets are known, and no whole text."""
    is_doubtful: bool = False
    """Marked by its makers as one to look at again: not to be learned from."""


@dataclass(frozen=True)
class PageSet:
    """Single pages of many domains, each with its main text.

    `counts` says what was amiss: `page_without_truth`, `truth_without_page`, `empty_truth`.
    """

    name: str
    truths: Mapping[str, Truth] = field(repr=False)
    location: Path = field(repr=False)
    counts: Mapping[str, int] = field(default_factory=dict)

    def captures(self, names: Collection[str] | None = None) -> Iterator[tuple[Capture, Truth]]:
        """The pages that have a truth, each with it."""
        for file, body in _files(self.location, under="html/"):
            truth = self.truths.get(PurePosixPath(file).stem)
            if truth is not None and (names is None or truth.name in names):
                yield Capture(truth.url, body, path=file.removeprefix("html/")), truth

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of names and bytes; the same for a folder and for its archive."""
        return _digest(self.location)


def page_url(base_url: str, path: str) -> str:
    """The address of a page under its relative path.

    `index.html` is its folder's address. What is already percent-encoded in a file name stays: exports
    name their files after the encoded address.

    >>> page_url("http://a.org/", "post/index.html"), page_url("http://a.org/", "index.php?c=2.html")
    ('http://a.org/post/', 'http://a.org/index.php%3Fc=2.html')
    """
    parent, _, last = path.rpartition("/")
    if last == "index.html":
        path = parent + "/" if parent else ""
    return base_url.rstrip("/") + "/" + quote(path, safe="/%:@!$&'()*+,;=~", errors="surrogateescape")


# Opening


@dataclass(frozen=True)
class DataFolder:
    """Page sets and sites in one folder: everything there is to measure with."""

    sets: tuple[PageSet, ...]
    sites: tuple[LabelledSite, ...]


Data = PageSet | list[LabelledSite] | DataFolder


def open_data(path: Path | str) -> Data:
    """Labelled data of any layout: a page set, one labelled site, a folder of labelled sites, or a folder that holds page sets
    and such a folder named `sites`."""
    root = Path(path)
    if not root.exists():
        raise SourceError(f"{root}: no such file or folder")
    if root.is_dir() and not _is_layout(root):
        sets, sites = data_sets(root)
        if sites or any(p.is_dir() for p in sets):
            return DataFolder(tuple(map(open_pages, sets)), tuple(map(open_site, sites)))
        found = [p for p in sorted(root.iterdir()) if _is_archive(p) or (p.is_dir() and _is_layout(p))]
        if not found:
            raise SourceError(
                f"{root}: no labelled data. A page set has html/ and ground-truth/, a labelled site html/ "
                "and labels.jsonl; a folder of sites holds such folders or archives (see docs/evaluation.md)"
            )
        both = [_open_one(p) for p in found]  # an archive says what it is only when it is read
        page_sets = tuple(one for one in both if isinstance(one, PageSet))
        labelled = [one for one in both if isinstance(one, LabelledSite)]
        return DataFolder(page_sets, tuple(labelled)) if page_sets else labelled
    one = _open_one(root)
    return one if isinstance(one, PageSet) else [one]


def _open_one(path: Path) -> PageSet | LabelledSite:
    """A page set if it has truths, else a labelled site."""
    contents = _read_contents(path)
    has_truth = any(name.startswith("ground-truth/") for name in contents.files)
    return _page_set(contents) if has_truth or (path / "ground-truth").is_dir() else _site(contents)


def data_sets(root: Path | str) -> tuple[list[Path], list[Path]]:
    """What a folder of labelled data holds: its page sets, and the sites under `sites/`. Of a set or a site that is there
    both as a folder and as an archive, the folder."""

    def found(folder: Path, is_wanted: Callable[[Path], bool]) -> list[Path]:
        here = sorted(folder.iterdir()) if folder.is_dir() else []
        by_name = {_stem(p): p for p in [*filter(_is_archive, here), *(p for p in here if p.is_dir())] if is_wanted(p)}
        return [by_name[name] for name in sorted(by_name)]

    def is_page_set(path: Path) -> bool:
        return (path / "ground-truth").is_dir() if path.is_dir() else True

    top = Path(root)
    return found(top, is_page_set), found(top / "sites", lambda p: p.is_file() or (p / "labels.jsonl").is_file())


def open_sites(path: Path | str) -> list[LabelledSite]:
    """Labelled sites; an error if the data is a page set."""
    data = open_data(path)
    if isinstance(data, PageSet):
        raise SourceError(f"{path} is a page set; labelled sites are needed here")
    if isinstance(data, DataFolder):
        raise SourceError(f"{path} is a folder of several data sets; labelled sites are needed here: try {path}/sites")
    return data


def open_site(path: Path | str) -> LabelledSite:
    """One labelled site, from its folder or its archive."""
    return _site(_read_contents(Path(path)))


def open_pages(path: Path | str) -> PageSet:
    """A page set, from its folder or its archive."""
    return _page_set(_read_contents(Path(path)))


def _site(contents: _Contents) -> LabelledSite:
    location = contents.location
    if "labels.jsonl" not in contents.files:
        raise SourceError(f"{location}: no labels.jsonl; a labelled site has html/ and labels.jsonl")
    about = contents.files.get("site.json")
    facts = _json_object(about, f"{location}: site.json") if about else {}
    labels: dict[str, Label] = {}
    for number, line in enumerate(contents.files["labels.jsonl"].removeprefix(BOM_UTF8).splitlines(), 1):
        if line.strip():
            label = _label(
                _json_object(line.decode("utf-8", "replace"), f"{location}: labels.jsonl line {number}"),
                location,
                number,
            )
            labels[label.path] = label
    if not labels:
        raise SourceError(f"{location}: labels.jsonl holds no label")
    name = str(facts.get("site") or _stem(location))
    # Some archives do not know where their site stood; links between relative pages work anyway.
    base = str(facts.get("base_url") or f"http://{quote(name.lower())}.example/")
    site = LabelledSite(name, base, str(facts.get("lang") or ""), labels, location, facts)
    if contents.digest:
        vars(site)["digest"] = contents.digest
    return site


def _page_set(contents: _Contents) -> PageSet:
    location = contents.location
    truths: dict[str, Truth] = {}
    for name, body in contents.files.items():
        if name.startswith("ground-truth/"):
            stem = PurePosixPath(name).stem
            truths[stem] = _truth(stem, _json_object(body, f"{location}: {name}"))
    pages = {PurePosixPath(name).stem for name in contents.pages}
    counts = {
        "page_without_truth": len(pages - set(truths)),
        "truth_without_page": len(set(truths) - pages),
        "empty_truth": sum(not t.text.strip() for k, t in truths.items() if k in pages),
    }
    usable = {k: truths[k] for k in sorted(pages & set(truths))}
    if not usable:
        raise SourceError(
            f"{location}: no page in html/ has a truth of its name in ground-truth/ (html/0001.html and "
            f"ground-truth/0001.json); there are {len(pages):,} pages and {len(truths):,} truths"
        )
    page_set = PageSet(_stem(location), usable, location, counts)
    if contents.digest:
        vars(page_set)["digest"] = contents.digest
    return page_set


def _label(row: dict[str, Any], location: Path, number: int) -> Label:
    where = f"{location}: labels.jsonl line {number}"
    path, kind = row.get("path"), row.get("kind")
    if not isinstance(path, str) or not path:
        raise SourceError(f"{where}: no path")
    if kind not in KINDS:
        raise SourceError(f"{where}: kind {kind!r} is not one of {', '.join(KINDS)}")

    def text(key: str) -> str:
        value = row.get(key)
        if value is not None and not isinstance(value, str):
            raise SourceError(f"{where}: {key} is not text")
        return value or ""

    return Label(
        path=path,
        kind=kind,
        content_selector=text("content_selector"),
        drop_selector=text("drop_selector"),
        toc_selector=text("toc_selector"),
        short=bool(row.get("short")),
        dup_of=text("dup_of"),
        note=text("note"),
    )


def _truth(name: str, row: dict[str, Any]) -> Truth:
    gold = row.get("ground_truth")
    gold = gold if isinstance(gold, dict) else {}
    internal = row.get("_internal")
    kind = internal.get("page_type") if isinstance(internal, dict) else None
    primary = kind.get("primary") if isinstance(kind, dict) else None

    def texts(value: object) -> tuple[str, ...]:
        return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()

    def text(key: str) -> str:
        value = gold.get(key)
        return value if isinstance(value, str) else ""

    return Truth(
        name=name,
        url=row["url"] if isinstance(row.get("url"), str) else f"http://{name}.example/",
        page_type=primary if isinstance(primary, str) else "unknown",
        text=text("main_content"),
        title=text("title"),
        author=text("author"),
        date=text("publish_date"),
        snippets=texts(gold.get("with")),
        noise=texts(gold.get("without")),
        posts=_truth_posts(gold.get("posts")),
        is_partial=gold.get("partial") is True,
        is_doubtful=isinstance(kind, dict) and kind.get("needs_review") is True,
    )


def _truth_posts(value: object) -> tuple[TruthPost, ...]:
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return tuple(TruthPost(*(str(row.get(key) or "") for key in ("text", "user", "date"))) for row in rows)


def _json_object(text: bytes | str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{where}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise SourceError(f"{where}: not a JSON object")
    return value


# Files of a folder or of an archive, under the same names


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.name.endswith((".tar.xz", ".tar.gz", ".tar"))


def _is_layout(path: Path) -> bool:
    return (path / "labels.jsonl").is_file() or (path / "ground-truth").is_dir()


def _stem(path: Path) -> str:
    name = path.name or path.resolve().name
    for ending in (".tar.xz", ".tar.gz", ".tar"):
        name = name.removesuffix(ending)
    return name


def _files(location: Path, under: str = "") -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files below the data's top folder."""
    if not location.is_dir():
        yield from _members(location, under)
        return
    for file in sorted(location.joinpath(under).rglob("*")):
        try:
            if file.is_file() and file.stat().st_size <= MAX_FILE:
                yield file.relative_to(location).as_posix(), file.read_bytes()
        except OSError as error:
            raise SourceError(f"cannot read {file}: {error}") from error


def _members(path: Path, under: str = "") -> Iterator[tuple[str, bytes]]:
    if not path.is_file():
        raise SourceError(f"{path}: no such file or folder")
    try:
        # "r|*": one pass, front to back, so that nothing but the page at hand is in memory.
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                # The archive's top folder is its name and the layout begins below it; some archives have none.
                name = member.name.removeprefix("./")
                if name.partition("/")[0] not in _TOP:
                    name = name.partition("/")[2]
                if not member.isreg() or member.size > MAX_FILE or not name or not name.startswith(under):
                    continue
                file = archive.extractfile(member)
                if file is not None:
                    yield name, file.read()
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        kind = "it is damaged" if _is_archive(path) else "data is a folder or a .tar.xz"
        raise SourceError(f"cannot read {path} as a tar archive ({error}); {kind}") from error


@dataclass(frozen=True)
class _Contents:
    """What is read when data is opened: the labels, and the names of the pages."""

    location: Path
    files: dict[str, bytes]
    """Labels, truths and site.json."""
    pages: list[str]
    digest: str
    """Known when all bytes had to be read anyway (an archive has to be unpacked for its labels)."""


def _is_about(name: str) -> bool:
    is_truth = name.startswith("ground-truth/") and name.endswith(".json")
    return is_truth or name in ("labels.jsonl", "site.json")


def _read_contents(location: Path) -> _Contents:
    files: dict[str, bytes] = {}
    pages: list[str] = []
    if location.is_dir():
        for file in sorted(location.rglob("*")):
            name = file.relative_to(location).as_posix()
            if _is_about(name) and file.is_file():
                files[name] = file.read_bytes()
            elif name.startswith("html/") and file.is_file():
                pages.append(name)
        return _Contents(location, files, pages, "")
    parts: list[tuple[bytes, bytes]] = []
    for name, body in _members(location):
        parts.append(_part(name, body))
        if _is_about(name):
            files[name] = body
        elif name.startswith("html/"):
            pages.append(name)
    return _Contents(location, files, pages, _whole(parts))


def _part(name: str, body: bytes) -> tuple[bytes, bytes]:
    return name.encode("utf-8", "surrogateescape"), hashlib.sha256(body).digest()


def _whole(parts: list[tuple[bytes, bytes]]) -> str:
    whole = hashlib.sha256()
    for name, digest in sorted(parts):
        whole.update(len(name).to_bytes(4, "big") + name + digest)
    return whole.hexdigest()


def _digest(location: Path) -> str:
    return _whole([_part(name, body) for name, body in _files(location)])
