"""Names, redirects and browser tricks that lead to private addresses: none is reached.

Everything stays on loopback: the name server is scripted, and connections to any of the private addresses would be led to a server of
the test, so one that got through would be seen.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sitegrain.errors import CrawlError
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve
from tests.sources.crawl.test_crawl import options

PUBLIC = "93.184.216.34"
GUARDED = options(allow_private=False, retries=0)
PRIVATE = (
    "127.0.0.1 127.9.9.9 127.255.255.254 10.0.0.7 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 "
    "169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 100.127.255.255 0.0.0.0 0.1.2.3 192.0.0.8 192.0.0.192 192.0.2.1 "
    "198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 "
    "::1 :: fe80::1 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ::ffff:127.0.0.1 2002:7f00:1::"
).split()
"""What a name of a public-looking site may answer with: 37."""
SPELLINGS = (
    "127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 017700000001 127.0.0.1. [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] "
    "localhost LOCALHOST localhost. １２７.0.0.1 169.254.169.254"
).split()
"""How a redirect may write one: 16."""


def test_there_are_enough() -> None:
    assert len(PRIVATE) + len(SPELLINGS) >= 53


def test_names_that_answer_with_private_addresses(forker: Forker, tmp_path: Path) -> None:
    with serve({"/": page(text="secret")}) as secret:
        hosts = {f"n{k}.public.example": [address] for k, address in enumerate(PRIVATE)}
        site = {f"/{k}": Answer(status=302, headers={"Location": f"http://{host}/"}) for k, host in enumerate(hosts)}
        with serve(site) as server:
            site["/"] = page(*(f"/{k}" for k in range(0, len(PRIVATE), 2)), *(f"http://{host}/" for host in hosts))
            names = {"public.example": [PUBLIC], **hosts}
            ports = {PUBLIC: server.port, **dict.fromkeys(PRIVATE, secret.port)}
            summary = forker.crawl(
                f"http://public.example:{server.port}/", tmp_path / "x.warc.gz", GUARDED, names=names, ports=ports
            )
    assert secret.hits == []
    assert summary.pages == 1
    assert summary.refused >= len(PRIVATE)


def test_the_way_there_is_open(forker: Forker, tmp_path: Path) -> None:
    """The same crawl reaches the server when it may: the test above can fail."""
    with serve({"/": page(text="secret")}) as secret, serve({"/": page("http://n.public.example/")}) as server:
        names = {"public.example": [PUBLIC], "n.public.example": ["10.0.0.7"]}
        ports = {PUBLIC: server.port, "10.0.0.7": secret.port}
        forker.crawl(
            f"http://public.example:{server.port}/", tmp_path / "x.warc.gz", options(), names=names, ports=ports
        )
    assert [path for _, path in secret.hits if path == "/"] == ["/"]


def test_redirects_to_spellings_of_private_addresses(forker: Forker, tmp_path: Path) -> None:
    with serve({"/": page(text="secret")}) as secret:
        site = {
            f"/{k}": Answer(status=302, headers={"Location": f"http://{host}:{secret.port}/"})
            for k, host in enumerate(SPELLINGS)
        }
        names = {"public.example": [PUBLIC], "localhost": ["127.0.0.1"], "localhost.": ["127.0.0.1"]}
        with serve(site) as server:
            ports = {PUBLIC: server.port, "169.254.169.254": secret.port}
            for k, host in enumerate(SPELLINGS):
                with pytest.raises(CrawlError):
                    forker.crawl(
                        f"http://public.example:{server.port}/{k}", tmp_path / f"{k}.warc.gz", GUARDED, names=names, ports=ports
                    )  # fmt: skip
                assert secret.hits == [], host


@contextmanager
def doorbell() -> Iterator[tuple[int, list[str]]]:
    """A port of loopback, TCP and UDP, IPv4 and where there is one IPv6; and whatever rang there."""
    rung: list[str] = []
    first = socket.create_server(("127.0.0.1", 0))
    port = first.getsockname()[1]
    doors: list[socket.socket] = [first]
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", port))
    doors.append(datagrams)
    try:
        doors.append(socket.create_server(("::1", port), family=socket.AF_INET6))
    except OSError:
        pass  # no IPv6 here

    def listen(door: socket.socket) -> None:
        while True:
            try:
                if door.type == socket.SOCK_DGRAM:
                    rung.append(f"UDP {door.recv(100)!r}")
                    continue
                connection, _ = door.accept()
                connection.settimeout(2)
                rung.append(f"TCP {connection.recv(200).split(b' HTTP')[0]!r}")
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                connection.close()
            except OSError:
                if door.fileno() < 0:
                    return

    for door in doors:
        threading.Thread(target=listen, args=(door,), daemon=True).start()
    yield port, rung
    for door in doors:
        if door.type == socket.SOCK_STREAM:
            door.shutdown(socket.SHUT_RDWR)
        door.close()


VECTORS = {
    "fetch": "fetch(U)", "fetch-no-cors": "fetch(U,{mode:'no-cors'})", "keepalive": "fetch(U,{mode:'no-cors',keepalive:true})",
    "post": "fetch(U,{method:'POST',mode:'no-cors',body:'x'})", "xhr": "x=new XMLHttpRequest();x.open('GET',U);x.send()",
    "beacon": "navigator.sendBeacon(U,'x')", "websocket": "new WebSocket(U.replace('http','ws'))", "events": "new EventSource(U)",
    "localhost": "fetch(U.replace('127.0.0.1','localhost'),{mode:'no-cors'})", "v6": "fetch(U.replace('127.0.0.1','[::1]'),{mode:'no-cors'})",
    "short": "fetch(U.replace('127.0.0.1','127.1'),{mode:'no-cors'})", "hex": "fetch(U.replace('127.0.0.1','0x7f000001'),{mode:'no-cors'})",
    "decimal": "fetch(U.replace('127.0.0.1','2130706433'),{mode:'no-cors'})", "zero": "fetch(U.replace('127.0.0.1','0.0.0.0'),{mode:'no-cors'})",
    "mapped": "fetch(U.replace('127.0.0.1','[::ffff:127.0.0.1]'),{mode:'no-cors'})", "subdomain": "fetch(U.replace('127.0.0.1','x.localhost'),{mode:'no-cors'})",
    "image": "new Image().src=U", "script": "add('script').src=U", "module": "import(U).catch(()=>0)", "frame": "add('iframe').src=U",
    "object": "add('object').data=U", "embed": "add('embed').src=U", "video": "add('video').src=U", "audio": "add('audio').src=U",
    "style": "l=add('link');l.rel='stylesheet';l.href=U", "prefetch": "l=add('link');l.rel='prefetch';l.href=U",
    "preload": "l=add('link');l.rel='preload';l.as='fetch';l.href=U", "preconnect": "l=add('link');l.rel='preconnect';l.href=U",
    "icon": "l=add('link');l.rel='icon';l.href=U", "manifest": "l=add('link');l.rel='manifest';l.href=U",
    "css": "add('style').textContent='body{background:url('+U+')} @import url('+U+');@font-face{font-family:a;src:url('+U+')}'",
    "form": "f=add('form');f.action=U;f.target='w';add('iframe').name='w';f.submit()", "open": "window.open(U)",
    "refresh": "add('iframe').srcdoc='<meta http-equiv=refresh content=\"0;url='+U+'\">'",
    "worker": "new Worker(URL.createObjectURL(new Blob(['importScripts(\"'+U+'\")'])))", "svg": "add('div').innerHTML='<svg><image href='+U+'></image></svg>'",
    "ping": "a=add('a');a.href='#';a.ping=U;a.click()", "stun": "rtc('stun:127.0.0.1:'+P)", "turn": "rtc('turn:127.0.0.1:'+P+'?transport=tcp')",
    "quic": "new WebTransport('https://127.0.0.1:'+P+'/')",
}  # fmt: skip
"""What a page can do to reach an address."""


def test_there_are_enough_vectors() -> None:
    assert len(VECTORS) >= 35


@pytest.mark.browser
@pytest.mark.skipif(not (shutil.which("chromium") or shutil.which("chromium-browser")), reason="no chromium here")
def test_a_browser_reaches_nothing_private() -> None:
    pytest.importorskip("playwright")
    from sitegrain.sources.crawl.render import Renderer

    async def run(allow_private: bool, port: int) -> None:
        tries = "".join(
            f"try{{const U='http://127.0.0.1:{port}/{name}';{code}}}catch(e){{}}\n" for name, code in VECTORS.items()
        )
        start = (
            f"var x,l,f,a;const P={port};const add=t=>document.body.appendChild(document.createElement(t));"
            "const rtc=u=>{const c=new RTCPeerConnection({iceServers:[{urls:u,username:'a',credential:'b'}]});"
            "c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o))};\n"
        )
        renderer = Renderer(options(allow_private=allow_private, render_timeout=30.0))
        body = f"<!doctype html><body><script>{start}{tries}</script>".encode()
        await renderer.render("http://public.example/", "text/html", body)
        await asyncio.sleep(2)
        await renderer.close()

    with doorbell() as (port, rung):
        asyncio.run(run(False, port))
        assert rung == []
        asyncio.run(run(True, port))
        assert len({ring.split("/")[1] for ring in rung if "/" in ring}) >= 5, rung  # the vectors do work
