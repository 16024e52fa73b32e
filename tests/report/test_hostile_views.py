"""Hostile pages stay harmless: every construct, in a real browser, with requests and dialogs counted."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from sitegrain.report.write import write_report
from sitegrain.result.mining import mine
from tests.browsing import Watched, browser, need_browser
from tests.builders import captures_of
from tests.report.hostile import CONSTRUCTS, EVIL, look_around, nothing_got_in

need_browser()
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    body = "<p>A quiet paragraph of plain text that every page has somewhere in the middle of it, number {}.</p>"
    pages = [f"<html><body>{html}{body.format(i)}{html}" for i, html in enumerate(CONSTRUCTS.values())]
    result = mine(captures_of(*pages, base="http://t.example/<script>alert(1)</script>/"))
    return write_report(result, tmp_path_factory.mktemp("out") / "report").as_uri()


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_construct(chromium: Any, address: str, name: str) -> None:
    watched = Watched(chromium.new_page())
    number = list(CONSTRUCTS).index(name)
    watched.open(address, f"page/{number}")
    look_around(watched)
    nothing_got_in(watched)
    page = watched.page
    assert watched.dialogs == []
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []
    assert len(page.context.pages) == 1
    page.close()


@pytest.mark.parametrize("view", ["site", "graph", "pages"])
def test_other_views(chromium: Any, address: str, view: str) -> None:
    watched = Watched(chromium.new_page())
    watched.open(address, view)
    watched.page.wait_for_timeout(200)
    assert watched.dialogs == []
    assert watched.errors == []
    assert [url for url in watched.requests if not url.startswith("file:")] == []
    assert watched.page.locator("#view script, #view img").count() == 0
    watched.page.close()


class _Count(BaseHTTPRequestHandler):
    hits: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_the_frame_stops_what_gets_into_it(chromium: Any, address: str) -> None:
    """Should our serialisation ever let something through, sandbox and policy still hold: put it in on purpose, and
    count what reaches a server (the browser's own list names requests that the policy stopped, too)."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Count)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        evil = "".join(CONSTRUCTS.values()).replace(EVIL, f"http://127.0.0.1:{server.server_address[1]}")
        watched = Watched(chromium.new_page())
        watched.open(address, "page/0")
        watched.frame.wait_for_selector(".b")
        let_in = """html => {
            const file = views.page.data.file, build = file.build.bind(file);
            file.build = (at, top) => { build(at, top); top.insertAdjacentHTML("afterbegin", html); };
            views.page.paint();
        }"""
        watched.page.evaluate(let_in, evil)
        watched.page.wait_for_timeout(1000)
        assert watched.frame.locator("iframe").count() >= 1, "it did get in"
        assert watched.dialogs == []
        assert _Count.hits == []
        # The count counts: the same server does see a plain visit.
        with contextlib.suppress(Exception):
            watched.page.goto(f"http://127.0.0.1:{server.server_address[1]}/seen")
        assert "/seen" in _Count.hits
        watched.page.close()
    finally:
        server.shutdown()
        server.server_close()
