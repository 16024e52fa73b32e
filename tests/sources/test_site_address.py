"""Addresses of a folder from its pages: each kind of copy of a site, and none."""

from __future__ import annotations

from pathlib import Path

import pytest

import sitegrain
from sitegrain.errors import SourceError
from sitegrain.sources.folder import FolderSource
from sitegrain.sources.site_address import MAX_SAMPLE, mend_base, spread


def written(folder: Path, pages: dict[str, str]) -> FolderSource:
    for name, html in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(html)
    return FolderSource(folder)


def resolved(source: FolderSource) -> tuple[int, dict[str, str]]:
    site = sitegrain.mine(source, methods=["everything", "outlink-count"]).site
    return int((site.links.target >= 0).sum()), dict(zip(site.pages.path, site.pages.url, strict=True))


def test_absolute_links_and_canonical_addresses(tmp_path: Path) -> None:
    pages = {f"news/{k}.html": "<a href='https://www.a.org/blog/news/0.html'>0</a> <a href=/x>x</a>" for k in range(4)}
    pages["index.html"] = "<link rel=canonical href='https://www.a.org/blog/'>" + "".join(
        f"<a href='https://www.a.org/blog/news/{k}.html'>{k}</a>" for k in range(4)
    )
    n, urls = resolved(written(tmp_path, pages))
    assert n == 8
    assert urls["news/1.html"] == "https://www.a.org/blog/news/1.html"
    assert urls["index.html"] == "https://www.a.org/blog/"


def test_links_to_other_sites_name_no_base(tmp_path: Path) -> None:
    pages = {f"{k}.html": "<a href=1.html>1</a><a href='http://other.org/1.html'>1</a>" for k in range(3)}
    source = written(tmp_path, pages)
    assert resolved(source)[1]["0.html"] == "http://folder.example/0.html"
    assert "nothing" in source.about


def test_one_page_of_hundreds_names_the_address(tmp_path: Path) -> None:
    """A site made by hand, with relative links everywhere but in the index that a program made of it."""
    pages = {f"{k:03}.html": "<a href=000.html>first</a>" for k in range(2 * MAX_SAMPLE)}
    asked = spread(sorted(pages))
    index = next(name for name in pages if name not in asked)
    pages[index] = "".join(f"<a href='http://www.a.org/manual/{k:03}.html'>{k}</a>" for k in range(MAX_SAMPLE))
    source = written(tmp_path, pages)
    found = source.address(sorted(pages))
    assert found.base == "http://www.a.org/manual/"
    assert FolderSource(tmp_path, base="http://b.org/").address(sorted(pages)).base == "http://b.org/"


def test_host_folders_of_wget(tmp_path: Path) -> None:
    pages = {
        f"www.a.org/{k}/index.html": "<a href=../1/index.html>1</a><a href=http://b.a.org/x>x</a>" for k in range(3)
    }
    pages["b.a.org/x.html"] = "<a href=http://www.a.org/2/>2</a>"
    n, urls = resolved(written(tmp_path, pages))
    assert urls["www.a.org/1/index.html"] == "http://www.a.org/1/"
    assert urls["b.a.org/x.html"] == "http://b.a.org/x"
    assert n == 7


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "www.paper.example"])
@pytest.mark.parametrize(
    "links", ["<a href=/news/1>1</a><a href='/?p=2'>2</a>", "<a href='../index.html%3Fp=2.html'>2</a>"]
)
def test_the_only_folder_of_wget_is_a_host_that_nobody_registered(tmp_path: Path, host: str, links: str) -> None:
    pages = {f"{host}/news/{k}.html": links for k in range(4)} | {
        f"{host}/index.html?p={k}.html": links for k in range(4)
    }
    n, urls = resolved(written(tmp_path, pages))
    assert n >= 4
    assert urls[f"{host}/news/1.html"].startswith(f"http://{host}/news/1")


@pytest.mark.parametrize("sign", ["?", "@"])
def test_queries_in_file_names(tmp_path: Path, sign: str) -> None:
    pages = {f"index.html{sign}p={k}.html": f"<a href='/?p={(k + 1) % 3}'>next</a>" for k in range(3)}
    n, urls = resolved(written(tmp_path, pages))
    assert urls[f"index.html{sign}p=1.html"] == "http://folder.example/?p=1"
    assert n == 3


def test_queries_that_the_copy_has_escaped(tmp_path: Path) -> None:
    pages = {f"index.html?p={k}.html": f"<a href='index.html%3Fp={(k + 1) % 3}.html'>next</a>" for k in range(3)}
    n, urls = resolved(written(tmp_path, pages))
    assert urls["index.html?p=1.html"] == "http://folder.example/index.html%3Fp=1.html"
    assert n == 3


def test_endings_that_were_added(tmp_path: Path) -> None:
    pages = {f"view{k}.html": f"<a href='/view{(k + 1) % 3}'>next</a>" for k in range(3)}
    assert resolved(written(tmp_path, pages))[0] == 3


def test_files_under_other_names(tmp_path: Path) -> None:
    pages = {
        f"saved-{k}.html": f"<!-- saved from url=(0020)http://a.org/tea/{k} --><a href=/tea/{(k + 1) % 5}>n</a>"
        for k in range(5)
    }
    n, urls = resolved(written(tmp_path, pages))
    assert urls["saved-2.html"] == "http://a.org/tea/2"
    assert n == 5


def test_two_files_of_one_address_stay_two_pages(tmp_path: Path) -> None:
    pages = {f"x{k}.html": "<!-- Mirrored from a.org/tea by HTTrack --><a href=/tea>t</a>" for k in range(3)}
    assert len(resolved(written(tmp_path, pages))[1]) == 3


@pytest.mark.parametrize("base", ["a.org", "a.org/", "http://a.org", " A.org "])
def test_a_base_without_scheme_is_mended(tmp_path: Path, base: str) -> None:
    written(tmp_path, {"x.html": "<p>x"})
    assert [c.url for c in FolderSource(tmp_path, base)] == ["http://a.org/x.html"]


@pytest.mark.parametrize("base", ["folder", "", "ftp://a.org/", "a b", "javascript:1"])
def test_what_is_no_base_is_refused(tmp_path: Path, base: str) -> None:
    assert mend_base(base) == ""
    with pytest.raises(SourceError, match="not an address"):
        FolderSource(tmp_path, base)


def test_untrusted_pages_take_linear_time(tmp_path: Path) -> None:
    hostile = {"a.html": "<a " * 200_000, "b.html": "<a href='" * 100_000, "c.html": "<!-- saved from url=(" * 50_000}
    hostile["d.html"] = "".join(f"<a href='http://a.org/{'/' * 900}{k}'>" for k in range(300))
    hostile["e.html"] = "<link rel=canonical href='http://[::1'><a href='http://[x'>"
    assert len(list(written(tmp_path, hostile))) == 5


def test_links_that_leave_the_folder_and_come_back_name_it(tmp_path: Path) -> None:
    """A folder of a larger copy: `<base>` leads above it, or every link does."""
    by_base = (
        "<base href='../../'><a href='de/text/a.html'>A</a><a href='de/text/b.html'>B</a><a href='de/c.html'>C</a>"
    )
    by_link = "<a href='../../de/text/a.html'>A</a> <a href='../../de/text/b.html?#y'>B</a>"
    for page in (by_base, by_link):
        source = written(tmp_path, {"text/a.html": page, "text/b.html": page})
        n, urls = resolved(source)
        assert n == 4
        assert urls["text/a.html"] == "http://folder.example/de/text/a.html"
        assert "links that call the folder de" in source.about


def test_links_to_a_folder_beside_name_nothing(tmp_path: Path) -> None:
    page = "<a href=a.html>A</a> <a href=b.html>B</a> <a href='../other/a.html'>A there</a> <a href='../other/b.html'>B</a>"
    n, urls = resolved(written(tmp_path, {"a.html": page, "b.html": page}))
    assert n == 4
    assert urls["a.html"] == "http://folder.example/a.html"
