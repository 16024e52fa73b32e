"""The explorer in a real browser: what only it can do."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegrain.demo import generate
from sitegrain.result.mining import mine
from tests.browsing import Watched, browser, need_browser

need_browser()
uvicorn = pytest.importorskip("uvicorn", reason="pip install 'sitegrain[web]'")
pytestmark = pytest.mark.browser

from sitegrain.web.app import create_app, listen  # noqa: E402
from sitegrain.web.session import open_session  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    truth = generate(tmp_path / "courier")
    mine(str(truth.html), tmp_path / "result")
    return tmp_path / "result"


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    session, bound = open_session(str(folder), against=folder), listen()
    port = bound.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(session, "secret", port), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    yield f"http://127.0.0.1:{port}/secret/"
    server.should_exit = True
    thread.join()


def test_explore(address: str, folder: Path) -> None:
    with browser() as chromium:
        watched = Watched(chromium.new_page(viewport={"width": 1300, "height": 850}))
        page = watched.page
        for view in ("site", "graph", "pages", "compare"):
            watched.open(address, view)
        assert "150 pages as before" in page.inner_text(".filters")
        watched.open(address, "search?q=lighthouse")
        watched.until("document.querySelectorAll('.hits li').length > 0")
        page.click(".hits a")
        page.wait_for_selector("#view[data-ready='page']")
        assert watched.frame.locator(".page .d").count() > 0
        page.select_option("select[aria-label=Method]", "everything")
        watched.until("document.body.innerText.includes('Both keep')")
        watched.page.wait_for_timeout(500)
        assert watched.frame.locator(".page .d").count() == 0
        page.select_option("select[aria-label=Method]", "infodiscoverer")
        watched.until("document.body.innerText.includes('only infodiscoverer')")
        watched.page.wait_for_timeout(500)
        differ = page.evaluate("views.page.data.other.flatMap((o, b) => (o !== views.page.data.kept[b] ? [b] : []))")
        assert differ, "the two methods do not agree everywhere"
        shown = watched.frame.eval_on_selector_all(".page .x", "els => els.map(e => +e.dataset.b)")
        assert set(shown) <= set(differ)
        assert shown
        page.select_option("select[aria-label=Method]", "")
        watched.until("!document.body.innerText.includes('Both keep')")
        page.click("button:has-text('Label')")
        before = page.locator(".block.k-content").count()
        page.locator(".block.k-content").first.click()
        watched.until(f"document.querySelectorAll('.block.k-content').length === {before - 1}")
        page.click(".tools button.main:has-text('article')")
        watched.until("document.body.innerText.includes('labelled article')")
        row = json.loads((folder / "labels.jsonl").read_text("utf-8"))
        assert row["kind"] == "article"
        assert row["content_selector"]
        outside = [u for u in watched.requests if not u.startswith((address, "data:"))]
        assert [u for u in outside if not u.endswith("/favicon.ico")] == []
        assert watched.errors == []
        assert watched.dialogs == []
