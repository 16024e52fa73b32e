"""Pages from a folder on disk, or from single files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from sitegrain.errors import SourceError
from sitegrain.light import late_pattern
from sitegrain.sources.base import HTML_TYPES, MAX_BODY, Source, is_binary
from sitegrain.sources.saved import MHTML_ENDINGS, PACKED_ENDING, SavedPage, saved_folders, unpacked
from sitegrain.sources.site_address import PageSays, SiteAddress, folder_address, mend_base, saved_address
from sitegrain.tables.address import DEFAULT_BASE, NOWHERE
from sitegrain.tables.capture import Capture

# Endings of pages: what nearly all have, which need not be looked up, and those of servers, which `mimetypes` does not know.
_PAGE_ENDINGS = frozenset(".html .htm .php .asp .aspx .jsp .cgi .cfm .pl .xhtml .shtml .phtml .do".split())

_HEAD, _SAMPLE = 1 << 16, 1 << 20
"""Bytes in which a page says where it is, and in which a sampled page is asked for its links."""
_AT_ONCE = 1 << 20
"""Bytes that are read first: Python makes room for all that is asked for, and hardly a page has as many."""


_TAG = late_pattern(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|div|p|a|br|h[1-6]|table|tr|td|ul|ol|li|dl|pre|img|span|font|center|frameset)[\s/>]",
    re.IGNORECASE,
)
"""A tag that pages begin with. Any letter after a "<" is not enough: data has that by chance."""
_PROGRAMS = frozenset(".pl .cgi .do".split())
"""Endings of addresses of pages that are those of programs on disk."""
_FEED = re.compile(rb"\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*)*<(?:rss|feed|rdf:rdf)[\s>]", re.IGNORECASE | re.DOTALL)
_FEED_HEAD = 1 << 11
_BLANK = b"\xef\xbb\xbf\xff\xfe\0\t\n\f\r "


def _is_page(name: str, body: bytes) -> bool:
    """Whether a file is a page, given how it begins: it is named like one, or begins with a tag. A program that writes pages has tags, too, but
    begins with something else.

    >>> _is_page("tea.html", b"Tea"), _is_page("Tea", b" <html>"), _is_page("tea.pl", b"print '<html>'"), _is_page("LICENSE", b"Tea")
    (True, True, False, False)
    """
    if is_named_page(name) and os.path.splitext(name)[1].lower() not in _PROGRAMS:
        return True
    return body.lstrip(_BLANK).startswith(b"<") and _TAG.search(body.replace(b"\0", b"")) is not None


def _is_feed(body: bytes) -> bool:
    """Whether this is a feed: copies of sites have it as `feed/index.html`.

    >>> _is_feed(b"<?xml version='1.0'?><!-- Bay --><rss version='2.0'>"), _is_feed(b"<html><feed>"), _is_feed(b"<feedback>")
    (True, False, False)
    """
    return _FEED.match(body[:_FEED_HEAD].lstrip(_BLANK)) is not None


def _kind_of(name: str) -> tuple[str | None, str | None]:
    """The type of a file by its name, and how it is packed."""
    import mimetypes  # only a folder asks

    return mimetypes.guess_type(name.lower(), strict=False)


def _may_be_page(name: str) -> bool:
    return is_named_page(name) or _kind_of(name) == (None, None)


def is_named_page(name: str) -> bool:
    """Whether a file is named like a page."""
    if os.path.splitext(name)[1].lower() in _PAGE_ENDINGS:  # nearly all
        return True
    kind, encoding = _kind_of(name)
    return (encoding in (None, "gzip") and kind in HTML_TYPES) or name.lower().endswith(MHTML_ENDINGS)


def _is(asked: Callable[[], bool]) -> bool:
    """What an entry of a listing is; one that cannot be looked at is nothing."""
    try:
        return asked()
    except OSError:
        return False


def _read(file: BinaryIO, source: Source, name: str) -> SavedPage | None:
    body = file.read(_AT_ONCE)
    if len(body) == _AT_ONCE:
        body += file.read(MAX_BODY + 1 - _AT_ONCE)
    if len(body) > MAX_BODY:
        source.counts["cut: page too large"] += 1
        source.problems.append(f"{name}: only the first {MAX_BODY >> 20} MB were read")
        body = body[:MAX_BODY]
    found = unpacked(body)
    if found is None:
        source.counts["skipped: a packed file without a page"] += 1
        return None
    if is_binary(found.body):
        source.counts["skipped: binary file"] += 1
        return None
    if not found.body.strip(b"\0\t\n\f\r "):
        source.counts["skipped: empty file"] += 1
        return None
    return found


class FolderSource(Source):
    """Every page below a folder, in the order of their paths.

    `base` is the address that the files live under; when nobody says, it is found from the pages (`address` tells how).
    A folder with `html/` and a `site.json` that names a `base_url` is a labelled site: its `html/` is read.
    """

    def __init__(self, folder: str | Path, base: str | None = None) -> None:
        super().__init__(str(folder))
        root = Path(folder)
        if not root.is_dir():
            what = "is not a folder" if root.exists() else "does not exist"
            raise SourceError(f"{root} {what}: give a folder of HTML files")
        about = root / "site.json" if (root / "html").is_dir() else root.parent / "site.json"
        if base is None and about.is_file() and (root.name == "html" or (root / "html").is_dir()):
            base = _base_of(about)
        if about.parent == root and about.is_file():
            root = root / "html"
        self.root = root
        self.base = base if base is None else mend_base(base)
        if self.base == "":
            raise SourceError(f"{base!r} is not an address that pages can live under: give one such as http://a.org/")

    def captures(self) -> Iterator[Capture]:
        paths = list(self.paths())
        address = self.address(paths)
        self.about = ""
        seen: set[str] = set()
        for path in paths:
            full = os.path.join(self.root, path)
            try:
                with open(full, "rb") as file:
                    page = _read(file, self, full)
            except OSError as error:
                self.counts["skipped: unreadable file"] += 1
                self.problems.append(f"{full}: {error.strerror or error}")
                continue
            if page is None:
                continue
            body, name = page.body, path.removesuffix(PACKED_ENDING)
            if not _is_page(name, body[:_HEAD]):  # Makefile, LICENSE, CNAME, a program
                self.counts["skipped: not HTML by name, and does not begin like it"] += 1
                continue
            if _is_feed(body):
                self.counts["skipped: a feed"] += 1
                continue
            url = page.url or address.url(name, PageSays(name, body[:_HEAD]).claims if address.by_claim else ())
            if not page.url and not self.base:
                self.about = f"{address.base} ({address.why})"
            if url in seen:  # two files that are read as one address are still two pages
                url = SiteAddress(address.base).url(path)
            seen.add(url)
            shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            yield Capture(url, body, headers=_headers(page), path=shown)
        if not seen:
            raise SourceError(f"{self.root} holds no HTML file{_why(self)}")

    def address(self, paths: Sequence[str]) -> SiteAddress:
        """How the files are addressed: under the base that was given, or as a sample of the pages says."""
        return folder_address(paths, self._says, self.base)

    def _says(self, paths: Sequence[str]) -> Iterator[PageSays]:
        for path in paths:
            try:
                with open(os.path.join(self.root, path), "rb") as file:
                    page = unpacked(file.read(_SAMPLE))
                if page is not None:
                    yield PageSays(path.removesuffix(PACKED_ENDING), page.body[:_SAMPLE])
            except OSError:  # it is named when it is read as a page
                continue

    def paths(self) -> Iterator[str]:
        """Paths of the files that may be pages. Links to folders are not followed, nor links to files that lie elsewhere: a page
        of one folder must not be the user's other files. (To follow them, mine the folder that they lead to.)"""
        inside = os.path.realpath(self.root)
        folders = [("", os.fspath(self.root))]
        while folders:
            below, folder = folders.pop()
            # What a listing tells of each name need not be asked of the system again, twice for every file.
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self._cannot_list(error)
                continue
            found: list[tuple[str, str]] = []
            within = {entry.name for entry in entries if _is(entry.is_dir)}
            saved = saved_folders(within, [entry.name for entry in entries])
            for entry in entries:
                name = entry.name
                if name in within:
                    if name in saved:
                        self.counts["skipped: a folder of pictures and frames that a browser saved with a page"] += 1
                    elif not entry.is_symlink():
                        found.append((f"{below}{name}/", entry.path))
                elif not _may_be_page(name):
                    self.counts["skipped: not HTML by name"] += 1
                elif entry.is_symlink() and not os.path.realpath(entry.path).startswith(inside + os.sep):
                    self.counts["skipped: a link that leads out of the folder"] += 1
                    self.problems.append(
                        f"{entry.path}: is a link to {os.path.realpath(entry.path)}, which is not in the folder"
                    )
                elif not _is(entry.is_file):  # a pipe or a socket would block
                    self.counts["skipped: not a plain file"] += 1
                else:
                    yield below + name
            folders += reversed(found)

    def _cannot_list(self, error: OSError) -> None:
        self.counts["skipped: unreadable folder"] += 1
        self.problems.append(f"{error.filename}: {error.strerror}")


class FileSource(Source):
    """One or more HTML files.

    Without an address, files are pages of a folder; those that are `alone` are where the program that saved them says, or nowhere.
    """

    def __init__(self, files: Sequence[str | Path], url: str | None = None, alone: bool = False) -> None:
        super().__init__(", ".join(str(f) for f in files))
        self.alone = alone
        self.files = [str(f) for f in files]
        self.url = url
        for file in self.files:
            if not os.path.exists(file):
                raise SourceError(f"{file} does not exist")
            if os.path.isdir(file):
                raise SourceError(f"{file} is a folder, not an HTML file")

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            try:
                with open(name, "rb") as file:
                    page = _read(file, self, name)
            except OSError as error:
                self.counts["skipped: unreadable file"] += 1
                self.problems.append(f"{name}: {error.strerror or error}")
                continue
            if page is None:
                self.problems.append(f"{name}: no HTML")
                continue
            n += 1
            saved = page.url or (saved_address(page.body[:_HEAD]) if self.alone else "")
            folder = SiteAddress(NOWHERE if self.alone else DEFAULT_BASE)
            url = self.url or saved or folder.url(os.path.basename(name))
            yield Capture(url, page.body, headers=_headers(page), path=name)
        if not n:
            raise SourceError(f"no HTML in {self.name}{_why(self)}")


def _headers(page: SavedPage) -> dict[str, str]:
    """What a server would have said of a saved page."""
    return {"content-type": page.content_type} if page.content_type else {}


def _base_of(about: Path) -> str | None:
    try:
        base = json.loads(about.read_bytes())["base_url"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return base if isinstance(base, str) and base.startswith(("http://", "https://")) else None


def _why(source: Source) -> str:
    reasons = ", ".join(f"{reason} {n}" for reason, n in source.counts.items())
    return f" ({reasons})" if reasons else ""
