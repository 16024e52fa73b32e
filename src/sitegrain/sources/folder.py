"""Pages from a folder on disk, from single files, or from standard input."""

from __future__ import annotations

import json
import mimetypes
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from sitegrain.errors import SourceError
from sitegrain.sources.base import HTML_TYPES, MAX_BODY, Source, is_binary
from sitegrain.tables.capture import Capture

DEFAULT_BASE = "http://folder.example/"
"""Where pages of a folder live when nobody says: a reserved name that leads nowhere."""

# Endings that servers use for pages and that `mimetypes` does not know as HTML.
_PAGE_ENDINGS = frozenset(".php .asp .aspx .jsp .cgi .cfm .pl .xhtml .shtml .phtml .do".split())


def _may_be_page(name: str) -> bool:
    ending = os.path.splitext(name)[1].lower()
    kind, encoding = mimetypes.guess_type(name.lower(), strict=False)
    return ending in _PAGE_ENDINGS or (encoding is None and (kind is None or kind in HTML_TYPES))


def path_url(base: str, path: str) -> str:
    """The address of a file: its path under the base, where an index file is its folder.

    >>> path_url("http://a.org/x/", "news/index.html"), path_url("http://a.org/", "a b?c.html")
    ('http://a.org/x/news/', 'http://a.org/a%20b%3Fc.html')
    """
    head, _, name = path.rpartition("/")
    if name.lower() in ("index.html", "index.htm"):
        path = head + "/" if head else ""
    # A file system may hold names that are no Unicode; they keep their bytes in the address.
    return base.rstrip("/") + "/" + quote(path.encode("utf-8", "surrogateescape"), safe="/~!$&'()*+,;=:@")


def _read(file: BinaryIO, source: Source, name: str) -> bytes | None:
    body = file.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        source.counts["cut: page too large"] += 1
        source.problems.append(f"{name}: only the first {MAX_BODY >> 20} MB were read")
        body = body[:MAX_BODY]
    if is_binary(body):
        source.counts["skipped: binary file"] += 1
        return None
    if not body.strip(b"\0\t\n\f\r "):
        source.counts["skipped: empty file"] += 1
        return None
    return body


class FolderSource(Source):
    """Every page below a folder, in the order of their paths.

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
        self.base = base or DEFAULT_BASE

    def captures(self) -> Iterator[Capture]:
        n = 0
        for folder, folders, names in os.walk(self.root, onerror=self._cannot_list):
            folders.sort()
            for name in sorted(names):
                full = os.path.join(folder, name)
                if not _may_be_page(name):
                    self.counts["skipped: not HTML by name"] += 1
                    continue
                try:
                    if not os.path.isfile(full):  # a pipe or a socket would block
                        self.counts["skipped: not a plain file"] += 1
                        continue
                    with open(full, "rb") as file:
                        body = _read(file, self, full)
                except OSError as error:
                    self.counts["skipped: unreadable file"] += 1
                    self.problems.append(f"{full}: {error.strerror or error}")
                    continue
                if body is None:
                    continue
                n += 1
                path = os.path.relpath(full, self.root).replace(os.sep, "/")
                url = path_url(self.base, path)
                yield Capture(url, body, path=path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        if not n:
            raise SourceError(f"{self.root} holds no HTML file{_why(self)}")

    def _cannot_list(self, error: OSError) -> None:
        self.counts["skipped: unreadable folder"] += 1
        self.problems.append(f"{error.filename}: {error.strerror}")


class FileSource(Source):
    """One or more HTML files; `-` is standard input."""

    def __init__(self, files: Sequence[str | Path], url: str | None = None) -> None:
        super().__init__(", ".join(str(f) for f in files))
        self.files = [str(f) for f in files]
        self.url = url
        for file in self.files:
            if file != "-" and not os.path.exists(file):
                raise SourceError(f"{file} does not exist")
            if file != "-" and os.path.isdir(file):
                raise SourceError(f"{file} is a folder, not an HTML file")

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            try:
                if name == "-":
                    body = _read(sys.stdin.buffer, self, "standard input")
                else:
                    with open(name, "rb") as file:
                        body = _read(file, self, name)
            except OSError as error:
                self.counts["skipped: unreadable file"] += 1
                self.problems.append(f"{name}: {error.strerror or error}")
                continue
            if body is None:
                self.problems.append(f"{name}: no HTML")
                continue
            n += 1
            path = "stdin" if name == "-" else name
            yield Capture(self.url or path_url(DEFAULT_BASE, os.path.basename(path)), body, path=path)
        if not n:
            raise SourceError(f"no HTML in {self.name}{_why(self)}")


def _base_of(about: Path) -> str | None:
    try:
        base = json.loads(about.read_bytes())["base_url"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return base if isinstance(base, str) and base.startswith(("http://", "https://")) else None


def _why(source: Source) -> str:
    reasons = ", ".join(f"{reason} {n}" for reason, n in source.counts.items())
    return f" ({reasons})" if reasons else ""
