from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from sitegrain.errors import SourceError
from sitegrain.evaluation.data import DataFolder, PageSet, open_data, open_pages, open_site, open_sites, page_url
from sitegrain.methods.sst import gold
from sitegrain.web.labels import Labels
from tests.evaluation.builders import archive, small_pages, small_site, truth, write_pages, write_site


def test_a_site_reads_the_same_from_folder_and_archive(tmp_path: Path) -> None:
    folder = small_site(tmp_path / "site")
    a, b = open_site(folder), open_site(archive(folder))
    assert a.name == b.name == "site"
    assert a.labels == b.labels
    assert a.digest == b.digest
    pages = [sorted((c.path, c.url, c.body) for c in x.captures()) for x in (a, b)]
    assert pages[0] == pages[1]
    assert a.kinds() == {"article": 12, "toc": 1, "other": 1}
    assert {c.url for c in a.captures({"index.html", "posts/3.html"})} == {
        "http://t.example/",
        "http://t.example/posts/3.html",
    }


def test_files_as_windows_writes_them_are_read_alike(tmp_path: Path) -> None:
    folder = small_site(tmp_path / "site")
    labels = open_site(folder).labels
    lines = (folder / "labels.jsonl").read_text().splitlines()
    note = json.dumps({"path": "index.html", "kind": "toc", "note": "one\u2028two"}, ensure_ascii=False)
    (folder / "labels.jsonl").write_text("\ufeff" + "\r\n".join([note, *lines]), encoding="utf-8")
    found = open_site(folder)
    assert found.labels == labels
    assert {row["path"] for row in gold._labels(folder / "labels.jsonl")} == set(labels)
    assert set(Labels(folder / "labels.jsonl").rows) == set(labels)


def test_a_page_set_reads_the_same_from_folder_and_archive(tmp_path: Path) -> None:
    folder = small_pages(tmp_path / "set")
    a, b = open_data(folder), open_data(archive(folder))
    assert isinstance(a, PageSet)
    assert isinstance(b, PageSet)
    assert a.truths == b.truths
    assert a.digest == b.digest
    assert {t.name: c.body for c, t in a.captures()} == {t.name: c.body for c, t in b.captures()}
    assert a.truths["0003"].page_type == "forum"


def test_a_folder_of_sites(tmp_path: Path) -> None:
    small_site(tmp_path / "b")
    archive(small_site(tmp_path / "x" / "a")).rename(tmp_path / "a.tar.xz")
    (tmp_path / "notes.txt").write_text("no data")
    assert [s.name for s in open_sites(tmp_path)] == ["a", "b"]


def test_a_folder_of_archives_says_what_each_is(tmp_path: Path) -> None:
    archive(small_site(tmp_path / "x" / "a")).rename(tmp_path / "a.tar.xz")
    archive(small_pages(tmp_path / "x" / "b")).rename(tmp_path / "b.tar.xz")
    data = open_data(tmp_path)
    assert isinstance(data, DataFolder)
    assert ([s.name for s in data.sites], [s.name for s in data.sets]) == (["a"], ["b"])
    (tmp_path / "a.tar.xz").unlink()
    data = open_data(tmp_path)  # page sets alone, which were taken for sites
    assert isinstance(data, DataFolder)
    assert ([s.name for s in data.sites], [s.name for s in data.sets]) == ([], ["b"])


def test_the_digest_knows_every_byte(tmp_path: Path) -> None:
    folder = small_site(tmp_path / "site")
    before = open_site(folder).digest
    (folder / "html/about.html").write_text("other")
    assert open_site(folder).digest != before


def test_the_sample_is_seeded_and_leaves_out_short_and_double_pages(tmp_path: Path) -> None:
    rows = [{"path": f"{i}.html", "kind": "article", "content_selector": "p"} for i in range(30)]
    rows[0]["short"], rows[1]["dup_of"] = True, "2.html"  # type: ignore[assignment]
    site = open_site(write_site(tmp_path / "s", {}, rows))
    assert site.sample(5) == site.sample(5) != site.sample(5, seed=1)
    assert len(site.sample(0)) == 28
    assert not {"0.html", "1.html"} & set(site.sample(0))


def test_files_that_are_no_pages_are_left_out_unless_labelled(tmp_path: Path) -> None:
    rows = [{"path": "a.html", "kind": "other"}, {"path": "b.txt", "kind": "other"}]
    folder = write_site(tmp_path / "s", {"a.html": "x", "b.txt": "x", "robots.txt": "x", "new.html": "x"}, rows)
    assert {c.path for c in open_site(folder).captures()} == {"a.html", "b.txt", "new.html"}


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("index.html", "http://a.org/x/"),
        ("b/index.html", "http://a.org/x/b/"),
        ("myindex.html", "http://a.org/x/myindex.html"),
        ("i.php?a=1&b.html", "http://a.org/x/i.php%3Fa=1&b.html"),
        ("%e3%81/a.html", "http://a.org/x/%e3%81/a.html"),
        ("é#.html", "http://a.org/x/%C3%A9%23.html"),
    ],
)
def test_addresses(path: str, url: str) -> None:
    assert page_url("http://a.org/x/", path) == url


# Bad input


def test_missing_and_empty_truths_are_counted(tmp_path: Path) -> None:
    pages = {"1": "<p>a", "2": "<p>b", "3": "<p>c"}
    data = open_pages(write_pages(tmp_path / "s", pages, {"1": truth(None), "3": truth("c"), "9": truth("x")}))
    assert data.counts == {"page_without_truth": 1, "truth_without_page": 1, "empty_truth": 1}
    assert set(data.truths) == {"1", "3"}


def test_truths_of_strange_shape_are_read(tmp_path: Path) -> None:
    strange = '{"url": 7, "_internal": [], "ground_truth": {"main_content": null, "with": "x", "without": [1, "a"]}}'
    data = open_pages(write_pages(tmp_path / "s", {"1": "x"}, {"1": strange}))
    assert data.truths["1"].page_type == "unknown"
    assert data.truths["1"].noise == ("a",)


def test_no_truth_at_all(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no page in html/"):
        open_pages(write_pages(tmp_path / "s", {"1": "x"}, {"2": truth("x")}))


@pytest.mark.parametrize("text", ["{", "[]", "null", "[" * 100_000])
def test_a_truth_that_is_no_json_object(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"1\.json"):
        open_pages(write_pages(tmp_path / "s", {"1": "x"}, {"1": text}))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("7", "line 2: not a JSON object"),
        ('{"kind": "toc"}', "line 2: no path"),
        ('{"path": "a", "kind": "blog"}', "line 2: kind 'blog' is not one of article, toc, other"),
        ('{"path": "a", "kind": "toc", "toc_selector": 3}', "line 2: toc_selector is not text"),
    ],
)
def test_bad_labels_name_their_line(tmp_path: Path, line: str, message: str) -> None:
    folder = small_site(tmp_path / "s")
    (folder / "labels.jsonl").write_text('{"path": "b", "kind": "other"}\n' + line + "\n")
    with pytest.raises(SourceError, match=message):
        open_site(folder)


def test_what_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        open_data(tmp_path / "nothing")
    with pytest.raises(SourceError, match="no labelled data"):
        open_data(tmp_path)
    (tmp_path / "x.tar.xz").write_bytes(b"not an archive")
    with pytest.raises(SourceError, match="as a tar archive"):
        open_data(tmp_path / "x.tar.xz")
    folder = small_site(tmp_path / "s")
    (folder / "labels.jsonl").write_text("\n")
    with pytest.raises(SourceError, match="no label"):
        open_site(folder)
    small_pages(tmp_path / "p")
    with pytest.raises(SourceError, match="is a page set"):
        open_sites(tmp_path / "p")


def test_a_cut_archive(tmp_path: Path) -> None:
    path = archive(small_site(tmp_path / "s"))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(SourceError, match="as a tar archive"):
        open_site(path)


def test_nothing_is_unpacked_and_odd_members_are_passed_over(tmp_path: Path) -> None:
    folder = small_site(tmp_path / "s")
    path = tmp_path / "odd.tar"
    with tarfile.open(path, "w") as out:
        out.add(folder, "s")
        link = tarfile.TarInfo("s/html/link.html")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        out.addfile(link)
        out.addfile(tarfile.TarInfo("../../evil.html"))
    before = sorted(tmp_path.rglob("*"))
    assert not {c.path for c in open_site(path).captures()} - set(open_site(folder).labels)
    assert sorted(tmp_path.rglob("*")) == before
