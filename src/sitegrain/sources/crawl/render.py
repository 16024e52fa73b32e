"""Pages whose content scripts build: run them in a local Chromium, take the DOM that comes out.

The page itself is not fetched a second time: the browser gets the bytes that the crawl received. What its
scripts ask for goes through a small proxy on loopback that makes the same address check as the crawl, so a
page cannot reach private addresses through the browser either. Pictures, fonts and media are not loaded.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from typing import Any
from urllib.parse import urlsplit

from sitegrain.errors import CrawlError, MissingExtraError
from sitegrain.sources.crawl.guard import is_public
from sitegrain.sources.crawl.options import CrawlOptions

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    # No way round the proxy: neither by WebRTC nor by QUIC.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
)
ROOT_FLAGS = ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
"""Chromium does not start as root with its sandbox; the crawl's summary says that it ran without."""
UNLOADED = frozenset({"image", "media", "font"})
MAX_TABS = 2
"""Pages rendered at one time: a tab takes about 100 MB."""


def find_browser(options: CrawlOptions) -> str:
    """The Chromium to run."""
    if options.browser:
        found = shutil.which(options.browser)
        if found is None:
            raise CrawlError(f"{options.browser} is not a program: give the path of a Chromium with --browser")
        return found
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise CrawlError("no Chromium found: install it (Debian: apt-get install chromium) or give --browser")


class Renderer:
    """One browser for a crawl. It starts with the first page."""

    def __init__(self, options: CrawlOptions) -> None:
        self._options = options
        self._path = find_browser(options)
        self._tabs = asyncio.Semaphore(MAX_TABS)
        self._starting: asyncio.Future[Any] | None = None
        self._playwright: Any = None
        self._proxy: asyncio.Server | None = None

    async def _browser(self) -> Any:
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._launch())
        return await self._starting

    async def _launch(self) -> Any:
        try:
            from playwright.async_api import Error, async_playwright
        except ImportError:
            raise MissingExtraError("Playwright", "render") from None
        self._proxy = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._proxy.sockets[0].getsockname()[1]
        self._playwright = await async_playwright().start()
        try:
            return await self._playwright.chromium.launch(
                executable_path=self._path,
                headless=True,
                args=[*FLAGS, *ROOT_FLAGS],
                # "<-loopback>": loopback too goes through the proxy, or it would escape the check.
                proxy={"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"},
            )
        except Error as error:
            raise CrawlError(f"{self._path} does not start: {str(error).splitlines()[0]}") from None

    async def render(self, url: str, content_type: str, body: bytes) -> bytes | None:
        """The DOM after the page's scripts ran, as HTML; None when the browser gave none in time."""
        browser = await self._browser()
        from playwright.async_api import Error

        async with self._tabs:
            context = await browser.new_context(
                user_agent=self._options.agent(),
                service_workers="block",
                accept_downloads=False,
                ignore_https_errors=not self._options.verify_tls,
            )
            try:
                return await asyncio.wait_for(
                    self._render_in(context, url, content_type, body), self._options.render_timeout + 5
                )
            except (Error, TimeoutError):
                return None
            finally:
                try:
                    await asyncio.wait_for(context.close(), 5)
                except (Error, TimeoutError):
                    pass

    async def close(self) -> None:
        """End the browser and the proxy."""
        try:
            if self._starting is not None and self._starting.done() and self._starting.exception() is None:
                await asyncio.wait_for(self._starting.result().close(), 10)
            if self._playwright is not None:
                await asyncio.wait_for(self._playwright.stop(), 10)
        except TimeoutError:
            pass  # it ends with this process
        if self._proxy is not None:
            self._proxy.close()

    async def _render_in(self, context: Any, url: str, content_type: str, body: bytes) -> bytes | None:
        from playwright.async_api import Error

        page = await context.new_page()
        served = False

        async def route(handler: Any) -> None:
            nonlocal served
            request = handler.request
            try:
                if not served and request.is_navigation_request() and request.frame == page.main_frame:
                    served = True
                    await handler.fulfill(status=200, body=body, content_type=content_type or "text/html")
                elif request.is_navigation_request() and request.frame == page.main_frame:
                    await handler.abort()  # the page goes elsewhere: that is a link, not this page
                elif request.resource_type in UNLOADED:
                    await handler.abort()
                else:
                    await handler.continue_()
            except Error:
                pass

        await page.route("**/*", route)
        limit = self._options.render_timeout * 1000
        await page.goto(url, wait_until="domcontentloaded", timeout=limit)
        try:
            await page.wait_for_load_state("networkidle", timeout=limit)
        except Error:
            pass  # a page that never stops asking: what it shows now is taken
        html: str = await asyncio.wait_for(page.content(), 5)
        data = html.encode("utf-8", "replace")
        return data if len(data) <= self._options.max_decoded else None

    # -- the proxy -----------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser: CONNECT, or a request with a whole URL."""
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            method, target, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
            is_tunnel = method == b"CONNECT"
            parts = urlsplit(("//" if is_tunnel else "") + target.decode("latin-1"))
            port = parts.port or (443 if is_tunnel else 80)
            address = await self._resolve(parts.hostname or "", port)
            far_reader, far_writer = await asyncio.wait_for(asyncio.open_connection(address, port), 10)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            return
        if is_tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            far_writer.write(_origin_form(head, method, parts))
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))

    async def _resolve(self, host: str, port: int) -> str:
        """The one address that is connected to, after the check."""
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
        for *_, address in found:
            if self._options.allow_private or is_public(str(address[0])):
                return str(address[0])
        raise OSError(f"{host} has no public address")


def _origin_form(head: bytes, method: bytes, parts: Any) -> bytes:
    """A proxy request as the server wants it; one per connection, so that none slips to another host."""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        line
        for line in head.split(b"\r\n")[1:-2]
        if not line.lower().startswith((b"proxy-", b"connection:", b"keep-alive:"))
    ]
    first = method + b" " + path.encode("latin-1") + b" HTTP/1.1"
    return b"\r\n".join([first, *lines, b"Connection: close"]) + b"\r\n\r\n"


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await asyncio.wait_for(reader.read(65536), 60):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
