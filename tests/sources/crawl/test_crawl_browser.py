"""Rendering in a real Chromium: `make test-browser`."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegrain.errors import CrawlError
from sitegrain.sources.crawl import CrawlOptions, crawl
from sitegrain.sources.crawl.archive import read_entries
from sitegrain.sources.crawl.render import find_browser
from tests.sources.crawl.loopback import Answer, page, serve
from tests.sources.crawl.test_crawl import check_warc, options, pages_of

pytest.importorskip("playwright", reason="pip install 'sitegrain[render]'")
try:
    find_browser(CrawlOptions())
except CrawlError as error:
    pytest.skip(str(error), allow_module_level=True)

pytestmark = pytest.mark.browser

SCRIPT = b"""
const a = document.createElement("a"); a.href = "/hidden"; a.textContent = "by script"; document.body.append(a);
fetch("/data.json").then(r => r.json()).then(d => { document.body.append(d.text); });
document.body.append("more ");
"""


def test_links_that_scripts_make(tmp_path: Path) -> None:
    site = {
        "/": Answer(b"<!doctype html><body><script src=/app.js></script><img src=/big.png>"),
        "/app.js": Answer(SCRIPT, headers={"Content-Type": "text/javascript"}),
        "/data.json": Answer(b'{"text": "from the server"}', headers={"Content-Type": "application/json"}),
        "/hidden": page(text="found"),
    }
    with serve(site) as server:
        plain = crawl(server.base, tmp_path / "plain.warc.gz", options())
        assert plain.pages == 1
        server.hits.clear()
        out = tmp_path / "rendered.warc.gz"
        summary = crawl(server.base, out, options(render=True, render_timeout=60.0))
        assert (summary.pages, summary.rendered) == (2, 2)
        # The page itself is fetched once; pictures are not fetched at all.
        assert server.counts()["/"] == 1
        assert "/big.png" not in server.counts()
        # The record leads to the same links when the crawl goes on later.
        server.hits.clear()
        again = crawl(server.base, out, options(render=True))
        assert (again.resumed, again.queue, server.hits) == (2, 0, [])
    check_warc(out)
    entries = [entry for _, entry in read_entries(out, max_decoded=1 << 20)]
    doms = {e.url.removeprefix(server.base): e for e in entries if e.kind == "conversion"}
    assert b"by script" in doms["/"].body
    assert b"from the server" in doms["/"].body
    assert set(pages_of(out)) == {server.base + "/", server.base + "/hidden"}


def test_scripts_do_not_reach_private_addresses(tmp_path: Path) -> None:
    """The proxy that the browser must use refuses what the crawl refuses."""
    import asyncio

    from sitegrain.sources.crawl.render import Renderer

    async def run(allow_private: bool, port: int) -> bytes:
        renderer = Renderer(options(allow_private=allow_private, render_timeout=60.0))
        script = (
            f"for (const h of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001'])"
            f" fetch('http://' + h + ':{port}/secret', {{mode: 'no-cors'}}).then("
            f"() => document.body.append('got ' + h + ' '), () => document.body.append('no ' + h + ' '));"
            f"new WebSocket('ws://127.0.0.1:{port}/ws');"
        )
        body = f"<!doctype html><body><script>{script}</script>".encode()
        html = await renderer.render("http://public.example/", "text/html", body)
        await renderer.close()
        return html or b""

    with serve({"/secret": page(text="secret")}) as server:
        refused = asyncio.run(run(False, server.port))
        assert server.hits == []
        assert b"no 127.0.0.1" in refused or b"got 127.0.0.1" in refused  # a refusal of the proxy is an answer
        asyncio.run(run(True, server.port))
        assert "/secret" in server.counts()


def test_no_datagram_leaves_the_browser(tmp_path: Path) -> None:
    """WebRTC asks a STUN server by UDP, which no proxy sees."""
    import asyncio
    import socket

    from sitegrain.sources.crawl.render import Renderer

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(1.0)
        servers = f"[{{urls: 'stun:127.0.0.1:{listener.getsockname()[1]}'}}]"
        script = (
            f"const c = new RTCPeerConnection({{iceServers: {servers}}}); c.createDataChannel('x');"
            "c.createOffer().then(o => c.setLocalDescription(o)).then(() => document.body.append('asked'));"
            "fetch('/wait');"
        )

        async def run() -> bytes:
            renderer = Renderer(options(allow_private=True, render_timeout=20.0))
            body = f"<!doctype html><body><script>{script}</script>".encode()
            html = await renderer.render("http://public.example/", "text/html", body)
            await asyncio.sleep(2)
            await renderer.close()
            return html or b""

        assert b"asked" in asyncio.run(run())
        with pytest.raises(TimeoutError):
            listener.recv(2048)


def test_a_page_that_never_rests_ends(tmp_path: Path) -> None:
    site = {
        "/": Answer(b"<body><script>setInterval(() => fetch('/tick'), 20)</script><p>text<a href=/loop>x"),
        "/loop": Answer(b"<body><script>for(;;){}</script>"),
        "/tick": Answer(b"", headers={"Content-Type": "text/plain"}),
    }
    with serve(site) as server:
        summary = crawl(server.base, tmp_path / "x.warc.gz", options(render=True, render_timeout=6.0))
    assert summary.pages == 2
    # The one that spins is kept as fetched, and that is said.
    assert [reason for url, reason in summary.problems if url.endswith("/loop")]


def test_no_such_browser(tmp_path: Path) -> None:
    with serve({"/": page()}) as server, pytest.raises(CrawlError, match="is not a program"):
        crawl(server.base, tmp_path / "x.warc.gz", options(render=True, browser="/no/such/chromium"))
