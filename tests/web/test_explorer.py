"""The explorer in a real browser: what only it can do, and that hostile pages do nothing in it either."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sitegrain.demo import generate
from sitegrain.result.mining import mine
from tests.browsing import Watched, browser, need_browser
from tests.builders import captures_of
from tests.report.hostile import CONSTRUCTS, look_around, nothing_got_in

need_browser()
uvicorn = pytest.importorskip("uvicorn", reason="pip install 'sitegrain[web]'")
pytestmark = pytest.mark.browser

from sitegrain.web.app import create_app, listen  # noqa: E402
from sitegrain.web.session import Session, open_session  # noqa: E402


@contextmanager
def served(session: Session) -> Iterator[str]:
    bound = listen()
    port = bound.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(session, "secret", port), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}/secret/"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("explore")
    mine(str(generate(place / "courier").html), place / "result")
    return place / "result"


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(open_session(str(folder), against=folder)) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture
def watched(chromium: Any, address: str) -> Iterator[Watched]:
    # A page scrolls smoothly to where its content begins; a click on the way may miss.
    found = Watched(chromium.new_page(viewport={"width": 1300, "height": 850}, reduced_motion="reduce"))
    yield found
    assert outside(found, address) == []
    assert found.errors == []
    assert found.dialogs == []
    found.page.close()


def outside(watched: Watched, address: str) -> list[str]:
    return [u for u in watched.requests if not u.startswith((address, "data:")) and not u.endswith("/favicon.ico")]


def test_views_and_search(watched: Watched, address: str) -> None:
    page = watched.page
    for view in ("site", "graph", "pages", "compare"):
        watched.open(address, view)
    assert "150 pages unchanged" in page.inner_text(".filters")
    watched.open(address, "search?q=lighthouse")
    watched.until("document.querySelectorAll('.hits li').length > 0")
    page.click(".hits a")
    page.wait_for_selector("#view[data-ready='page']")
    assert watched.frame.locator(".page .d").count() > 0


def test_methods_and_parameters(watched: Watched, address: str) -> None:
    page = watched.page
    watched.open(address, "page/20")
    page.select_option("select[aria-label=Method]", "everything")
    watched.until("document.body.innerText.includes('Both keep')")
    watched.until("views.page.data.other != null")
    page.wait_for_timeout(500)
    assert watched.frame.locator(".page .d").count() == 0
    page.select_option("select[aria-label=Method]", "infodiscoverer")
    watched.until("document.body.innerText.includes('only infodiscoverer')")
    watched.until("views.page.data.kept.length > 1")
    page.wait_for_timeout(500)
    differ = page.evaluate("views.page.data.other.flatMap((o, b) => (o !== views.page.data.kept[b] ? [b] : []))")
    shown = watched.frame.eval_on_selector_all(".page .x", "els => els.map(e => +e.dataset.b)")
    assert set(shown) <= set(differ)
    # Another threshold: what is kept changes, and the form says what was set.
    before = page.evaluate("views.page.judged().told")
    page.fill(".params input[name=threshold]", "0.1")
    page.click(".params button.main")
    watched.until(f"views.page.judged().told !== {json.dumps(before)}")
    watched.until("document.querySelector('.params .set') != null")
    assert page.input_value(".params input[name=threshold]") == "0.1"
    # It stays when another page is opened, and the pages where the two differ are a list.
    page.click(".tools button:has-text('Differs')")
    first = page.locator(".differs a").first
    number = int(first.get_attribute("href").removeprefix("#/page/"))
    first.click()
    watched.until(f"views.page.data && views.page.data.number === {number}")
    watched.until("views.page.data.other != null")
    watched.until("document.querySelector('.tools select').value === 'infodiscoverer'")
    page.fill(".params input[name=threshold]", "much")
    page.click(".params button.main")
    watched.until("document.body.innerText.includes('threshold cannot be')")
    page.select_option("select[aria-label=Method]", "")
    watched.until("!document.body.innerText.includes('Both keep')")


def take_out(frame: Any, block: int) -> None:
    """Untick a block by a click on its text. While the frame still goes to its fragment, the text may move from under the mouse: then once more."""
    frame.wait_for_load_state("load")
    for _ in range(5):
        frame.locator(f"#b{block} .pick").first.click()
        for _ in range(20):
            if not frame.is_checked(f"#x{block}"):
                return
            frame.wait_for_timeout(50)
    raise AssertionError(f"a click on the text of block {block} does not untick it")


def test_label_by_clicking_the_page(watched: Watched, address: str, folder: Path) -> None:
    page = watched.page
    watched.open(address, "page/20")
    watched.until("views.page.data != null")
    kept = page.evaluate("views.page.data.kept.flatMap((k, b) => (k ? [b] : []))")
    page.click(".tools button:has-text('Label')")
    watched.until("document.querySelector('iframe').getAttribute('sandbox') === 'allow-forms'")
    frame = page.wait_for_selector("iframe").content_frame()
    frame.wait_for_selector("form.answer")
    assert frame.eval_on_selector_all(".p:checked", "els => els.map(e => +e.value)") == kept
    # One block out by a click on its text, another in by the keyboard.
    take_out(frame, kept[0])
    dropped = page.evaluate("views.page.data.kept.findIndex((k, b) => !k && document.body && b > 2)")
    frame.focus(f"#x{dropped}")
    page.keyboard.press("Space")
    ticked = set(frame.eval_on_selector_all(".p:checked", "els => els.map(e => +e.value)"))
    assert ticked == {*kept[1:], dropped}
    frame.click("button:has-text('Article')")
    watched.until("location.hash === '#/page/21'")
    watched.until("document.body.innerText.includes('Labelled as article')")
    row = json.loads((folder / "labels.jsonl").read_text("utf-8"))
    assert row["kind"] == "article"
    assert row["content_selector"]
    # The next page is ready to be labelled; an answer without anything ticked says so.
    frame = page.wait_for_selector("iframe").content_frame()
    frame.wait_for_selector("form.answer")
    frame.eval_on_selector_all(".p", "els => els.forEach(e => { e.checked = false; })")
    frame.click("button:has-text('TOC page')")
    watched.until("document.body.innerText.includes('choose the blocks')")
    # Another method has other blocks: they are not labelled, and a label goes back to those of the result.
    page.select_option("select[aria-label=Method]", "everything")
    watched.until("document.querySelector('iframe').getAttribute('sandbox') === ''")
    page.click(".tools button:has-text('Label')")
    watched.until(
        "document.querySelector('iframe').getAttribute('sandbox') === 'allow-forms' && views.page.data.other === null"
    )
    page.click(".tools button:has-text('Label')")
    watched.until("document.querySelector('iframe').getAttribute('sandbox') === ''")


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    body = "<p>A quiet paragraph of plain text that every page has somewhere in the middle of it, number {}.</p>"
    pages = [f"<html><body>{html}{body.format(i)}{html}" for i, html in enumerate(CONSTRUCTS.values())]
    result = mine(captures_of(*pages, base="http://t.example/<script>alert(1)</script>/"))
    with served(Session(result)) as found:
        yield found


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_hostile_page(chromium: Any, hostile: str, name: str) -> None:
    watched = Watched(chromium.new_page())
    watched.open(hostile, f"page/{list(CONSTRUCTS).index(name)}")
    look_around(watched)
    nothing_got_in(watched)
    watched.page.click(".tools button:has-text('Label')")
    frame = watched.page.wait_for_selector("iframe").content_frame()
    frame.wait_for_selector("form.answer")
    frame.locator(".pick").first.click()
    nothing_got_in(watched, is_form=True)
    assert watched.dialogs == []
    assert watched.errors == []
    assert outside(watched, hostile) == []
    assert len(watched.page.context.pages) == 1
    watched.page.close()


@pytest.mark.parametrize("view", ["site", "graph", "pages", "search?q=quiet"])
def test_hostile_site(chromium: Any, hostile: str, view: str) -> None:
    watched = Watched(chromium.new_page())
    watched.open(hostile, view)
    watched.page.wait_for_timeout(300)
    assert watched.page.locator("#view script, #view img").count() == 0
    assert (watched.dialogs, watched.errors, outside(watched, hostile)) == ([], [], [])
    watched.page.close()
