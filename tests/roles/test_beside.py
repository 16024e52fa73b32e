"""Lists beside what they lead to, links to other sites, and the home page: hand-made sites with known answers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.methods.base import TOC
from sitegrain.roles.model import obey_home
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.roles.parts import PageParts, _best_of_page
from sitegrain.roles.titles import _MEDIA_END, _names_media, file_titles
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from tests.builders import site_of

STORY = "<title>{0}</title><h1>{0}</h1><p>The council voted on Tuesday to keep bridge {0} open for another year."


def features(**pages: str) -> PageFeatures:
    """Of pages by their paths, `_` for `/`."""
    named = sorted((path.replace("_", "/"), html) for path, html in pages.items())
    return page_features(build_site([Capture(f"http://a.example/{p}.htm", h.encode(), path=p) for p, h in named]))


def of(found: PageFeatures, name: str) -> dict[str, float]:
    column = found.values[:, found.names.index(name)]
    return {url[17:-4]: float(value) for url, value in zip(found.url, column, strict=True)}


def test_a_list_stands_beside_what_it_leads_to() -> None:
    leads = "".join(f"<p><a href={k}.htm>Match {k}</a>" for k in range(4))
    found = features(
        news_news=f"<title>News</title>{leads}<a href=../about.htm>Us</a>",
        **{f"news_{k}": STORY.format(k) + f"<a href={(k + 1) % 4}.htm>The next</a>" for k in range(4)},
        about=STORY.format("about"),
    )
    assert of(found, "site_beside_cover")["news/news"] == pytest.approx(4 / 6)
    assert of(found, "site_beside_cover")["news/2"] == pytest.approx(1 / 6)
    assert np.isnan(of(found, "site_beside_cover")["about"])
    assert of(found, "site_beside_in")["news/1"] == pytest.approx(2 / 6)
    assert of(found, "site_beside_share")["news/news"] == pytest.approx(0.8)
    assert of(found, "site_beside_more")["news/news"] == pytest.approx(np.log(5 / 2.6))
    assert [name for name, value in of(found, "url_as_folder").items() if value] == ["news/news"]


def test_links_to_other_sites() -> None:
    found = features(
        links="".join(f"<p><a href=http://other{k}.example/>A friend of ours {k}</a>" for k in range(3)),
        story=STORY.format(1) + "<p>as the <a href=http://other1.example/x>other paper</a> wrote on Monday",
    )
    assert np.expm1(list(of(found, "site_out_own").values())).round().tolist() == [3, 1]
    assert np.expm1(list(of(found, "site_out_alone").values())).round().tolist() == [3, 0]


def test_a_file_may_have_the_moment_of_its_upload_in_its_name() -> None:
    site = site_of(
        "<title>Bank</title><h1>Bank</h1><img src=/up/bank_1529317837-300x188.jpg>",
        "<title>Report</title><h1>Report</h1><img src=/up/report-2018.jpg>",
    )
    assert file_titles(PageParts(site))[0].tolist() == [1, 0]


def test_the_home_page_leads_on() -> None:
    def home(name: str, n: int, is_linked: bool = True) -> dict[str, float]:
        up = f"<a href=/{name}.htm>The Paper</a>" if is_linked else ""
        menu = "".join(f"<a href={k}.htm>Story {k}</a>" for k in range(3))
        stories = {
            f"{k}": up + STORY.format(k).replace(f"<title>{k}", f"<title>Story {k} | The Paper") for k in range(n)
        }
        found = features(**{name: f"<title>The Paper</title>{menu}<p>Welcome", **stories})
        p = obey_home(np.full((len(found.values), 3), 1 / 3), found)
        assert p.sum(axis=1) == pytest.approx(1)
        assert ((p[:, TOC] > 0.9) == (found.values[:, found.names.index("site_sure_home")] == 1)).all()
        return of(found, "site_sure_home")

    # At the root of the site, or linked from everywhere and titled with the name of the site.
    assert [page for page, is_home in home("index", 6).items() if is_home] == ["index"]
    assert [page for page, is_home in home("main", 6).items() if is_home] == ["main"]
    assert not any(home("main", 6, is_linked=False).values())
    # What a program shows by a query is a page like others, also at the root.
    asked = [
        Capture(f"http://a.example/index.php{query}", STORY.format(k).encode())
        for k, query in enumerate(("", "?title=A", "?p=2"))
    ]
    found = page_features(build_site(asked))
    assert found.values[:, found.names.index("site_sure_home")].tolist() == [1, 0, 0]
    # A book as one page is linked from everywhere and named like the book; its first page is home.
    book = "".join(f"<p><a href={k}.htm>Part {k}</a> on the bridges of the town" for k in range(6))
    parts = {
        f"{k}": STORY.format(k).replace(f"<title>{k}", f"<title>Part {k} | The Book") + "<a href=all.htm>Print</a>"
        for k in range(6)
    }
    found = features(index="<title>The Book</title><p>Welcome", all=f"<title>The Book</title>{book}", **parts)
    assert [page for page, is_home in of(found, "site_sure_home").items() if is_home] == ["index"]
    assert of(found, "site_home")["all"] == 1


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), max_size=12))
def test_the_best_of_a_page_is_what_sorting_puts_last(rows: list[tuple[int, int, int]]) -> None:
    table: npt.NDArray[np.int64] = np.array(sorted(rows, key=lambda row: row[0]), np.int64).reshape(-1, 3)
    page, key, other = table.T
    best = np.full(4, -1, np.int64)
    order = np.lexsort((other, key, page))
    best[page[order]] = order
    assert _best_of_page(page, 4, key, other).tolist() == best.tolist()


@pytest.mark.parametrize(("folder", "is_home"), [("forum/", True), ("pub/", False)])
def test_what_opens_the_folder_of_all_pages_and_is_linked_from_them_is_home(folder: str, is_home: bool) -> None:
    boards = "".join(f"<a href=/forum/{k}/>Board {k}</a>" for k in range(6))
    pages = [Capture(f"http://a.example/{folder}", f"<title>Boards at a glance</title>{boards}".encode())]
    pages += [
        Capture(f"http://a.example/forum/{k}/", f"<a href=/{folder}>Index</a>{STORY.format(k)}".encode())
        for k in range(6)
    ]
    found = page_features(build_site(pages))
    assert found.values[:, found.names.index("site_sure_home")].tolist() == [is_home] + [False] * 6


def test_media_are_told_by_their_last_letters() -> None:
    ends = (
        "png",
        ".png",
        ".PNG",
        ".jpeg",
        ".webp.html",
        ".tiff.htm",
        ".mp4?a",
        ".ogg#b",
        ".svg\n",
        ".html",
        "/",
        "",
        ".pdfs",
        "?.gif",
        ".bmp/",
    )
    for address in (f"http://a.org/b{end}" for end in ends):
        assert _names_media(address) == (_MEDIA_END.search(address) is not None)
