"""Pages that programs save as one file: MHTML, and what gzip packed."""

from __future__ import annotations

import base64
import gzip
import quopri
import zlib
from pathlib import Path

import pytest

import sitegrain
from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY
from sitegrain.sources.folder import FileSource, FolderSource
from sitegrain.sources.saved import SavedPage, unpacked

PAGE = (
    "<html><title>Tea</title><body><p>Boil the water = wait, caf\u00e9 style.</p>" + "<p>Then pour it slowly. </p>" * 30
)
HEAD = """From: <Saved by Blink>
Snapshot-Content-Location: https://tea.example/boil
Subject: =?utf-8?Q?Tea=20?=
Date: Thu, 19 Nov 2026 10:00:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----=_x--y"

"""


def message(
    html: bytes, way: str = "quoted-printable", head: str = HEAD, charset: str = "utf-8", end: str = "\n"
) -> bytes:
    """A page as a browser saves it, with a picture before it."""
    write = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(way, bytes)
    parts = (
        b"Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: https://tea.example/a.png\n\niVBORw0KGgo=\n",
        f"Content-Type: text/html; charset={charset}\nContent-Transfer-Encoding: {way}\n"
        "Content-Location: https://tea.example/boil\n\n".encode()
        + write(html)
        + b"\n",
        b"Content-Type: text/html\n\n<p>a frame\n",
    )
    text = head.encode() + b"".join(b"\n------=_x--y\n" + part for part in parts) + b"\n------=_x--y--\n"
    return text.replace(b"\n", end.encode())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("way", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "cp1252"])
def test_mhtml(tmp_path: Path, way: str, end: str, charset: str) -> None:
    file = tmp_path / "tea.mhtml"
    file.write_bytes(message(PAGE.encode(charset), way, charset=charset, end=end))
    article = sitegrain.extract(file)
    assert (article.title, article.url) == ("Tea", "https://tea.example/boil")
    assert "Boil the water = wait, caf\u00e9 style." in article.text
    assert "frame" not in article.text


def test_a_folder_of_saved_pages_has_their_addresses(tmp_path: Path) -> None:
    (tmp_path / "Tea.mhtml").write_bytes(message(PAGE.encode()))
    (tmp_path / "Cake.MHT").write_bytes(message(b"<p>Cake=", head=HEAD.replace("/boil", "/cake")))
    (tmp_path / "plain.html.gz").write_bytes(gzip.compress(b"<p>Plain"))
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(b"a,b"))
    source = FolderSource(tmp_path)
    assert {c.path: (c.url, c.body[:8]) for c in source} == {
        "Cake.MHT": ("https://tea.example/cake", b"<p>Cake="),
        "Tea.mhtml": ("https://tea.example/boil", PAGE.encode()[:8]),
        "plain.html.gz": ("http://folder.example/plain.html", b"<p>Plain"),
    }
    assert source.about.startswith("http://folder.example/")
    assert source.counts == {"skipped: not HTML by name": 1}
    (tmp_path / "plain.html.gz").unlink()
    assert len(list(source)) == 2
    assert source.about == ""


def test_frames_of_saved_pages_are_no_pages(tmp_path: Path) -> None:
    for name in (
        "Tea.html",
        "Tea_files/saved_resource.html",
        "Tea_files/deep/x.html",
        "manual_files/own.html",
        "Kuchen.htm",
        "Kuchen-Dateien/ad.htm",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>x")
    source = FolderSource(tmp_path)
    assert sorted(c.path for c in source) == ["Kuchen.htm", "Tea.html", "manual_files/own.html"]
    assert source.counts == {"skipped: a folder of pictures and frames that a browser saved with a page": 2}


@pytest.mark.parametrize(
    "body",
    [
        HEAD.encode(),
        HEAD.encode() + b"\n------=_x--y",
        HEAD.encode() + b"\n------=_x--y\n" * 5000,
        HEAD.encode() + b"\n------=_x--y--\n",
        HEAD.encode() + b"\n------=_x--y\nContent-Type: image/png\n\nxx",
        message(b"", "base64").replace(
            b"Content-Transfer-Encoding: base64\nContent-Location: https://tea.example/boil\n\n", b"\n\n"
        ),
        gzip.compress(b"", mtime=0),
        gzip.compress(HEAD.encode(), mtime=0),
        b"\x1f\x8bno gzip at all",
    ],
    # names of their own: packed bytes hold the time, and two processes would name them differently
    ids=["head", "open", "many", "empty", "picture", "no-body", "packed-nothing", "packed-head", "not-packed"],
)
def test_what_holds_no_page_is_told(tmp_path: Path, body: bytes) -> None:
    file = tmp_path / "a.mhtml"
    file.write_bytes(body)
    with pytest.raises(SourceError, match=r"packed file without a page 1|empty file 1"):
        list(FileSource([file]))


def test_a_page_that_speaks_of_mhtml_is_a_page() -> None:
    for page in (b"<pre>MIME-Version: 1.0\n", b"Tea: hot\nMIME-Versions are many", b" \n<p>x"):
        assert unpacked(page) == SavedPage(page)


def test_packed_pages_are_bounded() -> None:
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(bomb.compress(b"<p>" + b" " * (1 << 20)) for _ in range(3 * MAX_BODY >> 20)) + bomb.flush()
    found = unpacked(packed)
    assert found is not None
    assert len(found.body) <= MAX_BODY
