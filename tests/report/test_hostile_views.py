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

need_browser()
pytestmark = pytest.mark.browser

EVIL = "http://evil.example"
CONSTRUCTS = {
    "script": "<script>alert(1)</script>",
    "script by address": f"<script src={EVIL}/a.js></script>",
    "handler": "<p onclick=alert(1) onmouseover=alert(1) onfocus=alert(1) tabindex=0 autofocus>Touch me, please do</p>",
    "image handler": f"<img src={EVIL}/x.png onerror=alert(1) alt='\"><script>alert(1)</script>'>",
    "image set": f"<picture><source srcset={EVIL}/a.png><img srcset='{EVIL}/b.png 2x' data-src={EVIL}/c.png></picture>",
    "form": f"<form action={EVIL}/f id=f><input name=a value=b autofocus onfocus=alert(1)><button>Send it away</button></form>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/r'>",
    "javascript link": "<a href='javascript:alert(1)' target=_top>A link with a script in it</a>",
    "data link": "<a href='data:text/html,<script>alert(1)</script>' target=_blank>A link with data in it</a>",
    "base": f"<base href={EVIL}/ target=_top><a href=x>A link that goes elsewhere</a>",
    "style sheet": f"<link rel=stylesheet href={EVIL}/s.css><style>@import '{EVIL}/i.css'; body{{background:url({EVIL}/bg.png)}}</style>",
    "inline style": f"<p style='background:url({EVIL}/p.png);position:fixed;inset:0;z-index:99999'>Over everything there is</p>",
    "font": f"<style>@font-face{{font-family:x;src:url({EVIL}/f.woff)}}p{{font-family:x}}</style><p>In another font</p>",
    "frame": f"<iframe src={EVIL}/frame srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "object": f"<object data={EVIL}/o></object><embed src={EVIL}/e><applet code={EVIL}/a></applet>",
    "svg": f"<svg onload=alert(1)><script>alert(1)</script><use href={EVIL}/u.svg#a /><image href={EVIL}/i.png /><a href=javascript:alert(1)><text>In a picture</text></a></svg>",
    "media": f"<video src={EVIL}/v.mp4 poster={EVIL}/v.png autoplay></video><audio src={EVIL}/a.mp3 autoplay></audio><track src={EVIL}/t>",
    "prefetch": f"<link rel=preload href={EVIL}/l as=script><link rel=dns-prefetch href={EVIL}><link rel=icon href={EVIL}/i.ico>",
    "template": "<template><script>alert(1)</script></template><noscript><p title='</noscript><script>alert(1)</script>'>x</p></noscript>",
    "broken out": "<title></title><script>alert(1)</script></title><textarea></textarea><script>alert(1)</script></textarea>",
    "math": "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style></mglyph></table></mtext></math>",
    "text as markup": "<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt; &amp;lt;b&amp;gt;</p>",
    "attribute": f"<p class='\"><script>alert(1)</script>' id='x\" onclick=alert(1)' dir='\"><img src={EVIL}/d>'>Names that bite</p>",
    "table": "<table><tr><td colspan='2\" onclick=alert(1)' rowspan=99999999>cell of a table</td></tr></table>",
    "end of script": "<p>sitegrain(\"x\",\"</script><script>alert(1)</script>\") --&gt; <!-- --!><script>alert(1)</script></p>",
    "popup": "<script>open('/x'); print(); prompt('x')</script><a href=/x target=_blank ping=/ping>Opens a window for you</a>",
    "title": "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</title><p>Title with a script",
}  # fmt: skip


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
    frame, page = watched.frame, watched.page
    assert page.locator("iframe").get_attribute("sandbox") == ""
    assert "quiet paragraph" in frame.inner_text(".page")
    # Whoever looks at it moves over it and clicks about.
    for at in ((150, 300), (300, 420), (500, 500)):
        page.mouse.move(*at)
        page.mouse.click(*at)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.click("text=Markdown")
    page.wait_for_timeout(100)
    allowed = ("http-equiv", "name", "content", "charset", "class", "id", "dir", "lang", "colspan", "rowspan", "href",
               "data-b", "data-w", "aria-label", "title")  # fmt: skip
    found = frame.evaluate(
        "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => [a.name, a.value, e.tagName]))"
    )
    assert {attribute for attribute, _, _ in found} <= set(allowed)
    assert all(value[0] == "#" for attribute, value, _ in found if attribute == "href")
    tags = set(frame.evaluate("[...new Set([...document.querySelectorAll('*')].map(e => e.tagName))]"))
    assert not tags & {"SCRIPT", "IMG", "IFRAME", "FORM", "INPUT", "BUTTON", "LINK", "BASE", "OBJECT", "EMBED", "VIDEO"}
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
        let_in = "async html => { const d = await load('body-0'); d[0].html = html + d[0].html; views.page.data = d[0]; views.page.paint(); }"
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
