"""Every view of the report of the demo site, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sitegrain.demo import Truth
from sitegrain.report.write import report_files, write_report, write_single_file
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from tests.browsing import Watched, browser, need_browser

need_browser()
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def result(truth: Truth) -> Result:
    return mine(truth.folder)


@pytest.fixture(scope="module")
def address(result: Result, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(result, tmp_path_factory.mktemp("out") / "report").as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture(params=["light", "dark", "phone"])
def watched(request: pytest.FixtureRequest, chromium: Any) -> Iterator[Watched]:
    size = {"width": 390, "height": 800} if request.param == "phone" else {"width": 1300, "height": 850}
    scheme = "dark" if request.param == "dark" else "light"
    context = chromium.new_context(viewport=size, color_scheme=scheme)
    found = Watched(context.new_page())
    yield found
    assert found.errors == []
    assert found.dialogs == []
    assert [url for url in found.requests if not url.startswith(("file:", "data:"))] == []
    context.close()


def test_site(watched: Watched, address: str, result: Result) -> None:
    watched.open(address, "site")
    page = watched.page
    assert page.inner_text("h1") == "The Lantern Bay Courier"
    counts = {a.split("\n")[1]: int(a.split("\n")[0]) for a in page.locator(".stack a").all_inner_texts()}
    assert counts["TOC pages"] == result.count("toc")
    assert counts["articles"] == result.count("article")
    assert page.locator(".thumb").count() == result.templates.max() + 1
    page.locator(".tree > li:nth-child(2) summary").first.click()
    watched.until("document.querySelectorAll('.tree > li:nth-child(2) li').length > 3")
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], "nothing sticks out at the side"


def test_pages_filter_sort_and_scroll(watched: Watched, address: str, result: Result) -> None:
    watched.open(address, "pages?role=toc")
    page = watched.page
    assert page.inner_text("output.count").startswith(f"{result.count('toc')} page")
    page.fill("form.filters input[name=q]", "archive 2024")
    watched.until("document.querySelector('output.count').textContent.startsWith('6 ')")
    assert all("Archive 2024" in text for text in page.locator(".c-title .name").all_inner_texts())
    page.click("text=Clear")
    watched.until("document.querySelector('output.count').textContent.startsWith('150 ')")
    watched.open(address, "pages?sort=confidence")
    first = page.locator(".space .row").first.get_attribute("href").removeprefix("#/page/")
    confidence = np.array([a.confidence for a in (result[p] for p in range(len(result)))])
    assert confidence[int(first)] == confidence.min()
    page.evaluate("document.querySelector('.rows').scrollTop = 1e9")
    page.wait_for_selector(".row[aria-rowindex='151']")
    assert page.locator(".space .row").count() < 60, "rows out of sight are no elements"


def test_blocks_are_painted_as_they_were_judged(watched: Watched, address: str, result: Result) -> None:
    number = result.articles[0].page
    watched.open(address, f"page/{number}")
    frame = watched.frame
    painted: dict[int, list[str]] = {}
    for block, text, is_kept in frame.eval_on_selector_all(
        ".page .b", "els => els.map(e => [+e.dataset.b, e.textContent, e.classList.contains('k')])"
    ):
        painted.setdefault(block, []).append(text)
        assert is_kept == _kept(result, number)[block]
    rows = result.site.page_rows(number)
    own = report_files(result).pages
    assert own is not None
    for block, texts in painted.items():
        wanted = "".join(
            result.site.node_text(r)
            for r in range(rows.start, rows.stop)
            if result.site.is_text[r] and own.row_block[r] == block
        )
        assert "".join("".join(texts).split()) == "".join(wanted.split()), block
    clean = "".join(frame.inner_text(".clean").split())
    for block, texts in painted.items():
        if _kept(result, number)[block]:
            assert "".join("".join(texts).split()) in clean


def _kept(result: Result, page: int) -> list[bool]:
    blocks = result.nodes.blocks
    return [
        bool(k) for k, p in zip(blocks.is_informative, result.site.nodes.page[blocks.node], strict=True) if p == page
    ]


def test_a_click_scrolls_the_other_side(watched: Watched, address: str, result: Result) -> None:
    number = max(range(len(result)), key=lambda p: len(result[p].text) * (result[p].role == "article"))
    watched.open(address, f"page/{number}")
    frame = watched.frame
    last = max(b for b, kept in enumerate(_kept(result, number)) if kept)
    assert not _in_sight(frame, f"#b{last}")
    frame.eval_on_selector(f"#c{last}", "el => el.scrollIntoView()")
    frame.click(f"#c{last} .go")
    frame.wait_for_selector(f"#b{last}:target")
    watched.page.wait_for_timeout(900)
    assert _in_sight(frame, f"#b{last}")
    said = frame.eval_on_selector(f"#b{last}", "el => getComputedStyle(el, '::after').content")
    assert "score" in said
    first = _kept(result, number).index(True)
    frame.eval_on_selector(f"#b{first}", "el => el.scrollIntoView()")
    frame.click(f"#b{first} .go")
    frame.wait_for_selector(f"#c{first}:target")


def _in_sight(frame: Any, selector: str) -> bool:
    script = "el => { const a = el.getBoundingClientRect(), b = el.closest('.pane').getBoundingClientRect(); return a.top < b.bottom && a.bottom > b.top; }"
    return bool(frame.eval_on_selector(selector, script))


def test_a_page_opens_where_its_content_begins(watched: Watched, address: str, result: Result) -> None:
    number = max((a.page for a in result.articles), key=lambda page: _kept(result, page).index(True))
    watched.open(address, f"page/{number}")
    first = _kept(result, number).index(True)
    watched.page.wait_for_timeout(900)
    assert watched.frame.eval_on_selector(".page", "el => el.scrollTop") > 0, "else the page proves nothing"
    assert _in_sight(watched.frame, f"#b{first}")
    assert not watched.frame.query_selector(":target.b"), "opened, not pointed at"


def test_keys_threshold_and_markdown(watched: Watched, address: str, result: Result) -> None:
    number = result.articles[0].page
    watched.open(address, f"page/{number}")
    page, frame = watched.page, watched.frame
    page.click("text=Markdown")
    assert page.inner_text("pre.markdown").strip() == result[number].markdown.strip()
    n_kept = frame.locator(".page .k").count()
    if page.locator(".cut input").is_visible():
        page.locator(".cut input").fill("0")
        page.wait_for_timeout(300)
        assert watched.frame.locator(".page .k").count() > n_kept
    page.keyboard.press("Escape")
    page.click("h1")
    page.keyboard.press("j")
    watched.until(f"location.hash === '#/page/{number + 1}'")
    page.keyboard.press("n")
    watched.until(f"location.hash !== '#/page/{number + 1}'")
    page.wait_for_selector("#view[data-ready='page']")


def test_graph(watched: Watched, address: str) -> None:
    watched.open(address, "graph")
    page = watched.page
    watched.until("document.querySelector('output.count').textContent.includes('link')")
    drawn = "(() => { const c = document.querySelector('canvas.graph'), gl = views.graph.drawing; gl.draw(views.graph.view, [['points', 0]]); const p = new Uint8Array(c.width * c.height * 4); gl.gl.readPixels(0, 0, c.width, c.height, 6408, 5121, p); return p.filter((v, i) => i % 4 === 3 && v > 200).length; })()"
    assert page.evaluate(drawn) > 500, "pages are drawn"
    after = page.inner_text("output.count")
    page.click("text=Before: all links")
    watched.until(f"document.querySelector('output.count').textContent !== {after!r}")
    before = page.inner_text("output.count")
    page.locator(".cut input").fill("20")
    watched.until(f"document.querySelector('output.count').textContent !== {before!r}")
    page.fill("input[placeholder='Find in the graph']", "festival")
    assert page.evaluate("views.graph.found.length") >= 1
    spot = page.evaluate(
        "(() => { const b = document.querySelector('canvas.graph').getBoundingClientRect(), [x, y] = views.graph.screen(views.graph.graph.home); return [b.left + x, b.top + y, views.graph.graph.home]; })()"
    )
    page.mouse.click(spot[0], spot[1])
    watched.until(f"location.hash === '#/page/{spot[2]}'")


def test_one_file(chromium: Any, result: Result, tmp_path: Path) -> None:
    write_single_file(result, tmp_path / "report.html")
    watched = Watched(chromium.new_page())
    watched.open((tmp_path / "report.html").as_uri(), "page/3")
    assert watched.frame.locator(".b").count() > 3
    assert len([url for url in watched.requests if url.startswith("file:")]) == 1
    assert watched.errors == []
    watched.page.close()
