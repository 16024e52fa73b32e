"""What Scrapy's downloader is told: limits, robots.txt, pace, new tries, and the bytes as received."""

from __future__ import annotations

import asyncio
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from OpenSSL import SSL
from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import ProtegoRobotParser
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost
from twisted.web._newclient import HEADER, STATUS

from sitegrain.sources.crawl.archive import Exchange
from sitegrain.sources.crawl.guard import AddressRefused
from sitegrain.sources.crawl.job import Job
from sitegrain.sources.crawl.options import AGENT_NAME

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

AGAIN_STATUS = frozenset({408, 429, 500, 502, 503, 504, 522, 524})
BUSY_STATUS = frozenset({429, 503})
AGAIN_ERRORS = (
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    CannotResolveHostError,
    ConnectError,
    ConnectionDone,
    ConnectionLost,
)
MAX_ROBOTS = 512 * 1024
"""Bytes of robots.txt that are read: RFC 9309 asks for 500 KiB at least."""


SLOW_DELAY = 5.0
"""Seconds between requests from which a user wonders why nothing happens: it is said at once."""
LONGEST_DELAY = 3600.0
"""Seconds between requests that robots.txt can ask for. More is a mistake or a way to say no, which has a rule of its
own (Disallow)."""


class TooLarge(IgnoreRequest):
    """A body or a header beyond its limit."""


class Disallowed(IgnoreRequest):
    """robots.txt forbids the URL."""


def job_of(crawler: Crawler) -> Job:
    job: Job = crawler.spider.job  # type: ignore[union-attr]
    return job


class LimitedHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 with a limit on the size of the header."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit = crawler.settings.getint("SITEGRAIN_MAX_HEADER")
        self._pool._factory = _limited_factory(self._pool._factory, limit)


def _limited_factory(plain: Any, limit: int) -> Any:
    """Protocols that hang up when a header does not end in time. Twisted limits a line, not their number."""

    class Limited(plain):  # type: ignore[misc]
        def buildProtocol(self, addr: Any) -> Any:
            protocol = super().buildProtocol(addr)
            receive = protocol.dataReceived
            got = 0

            def data_received(data: bytes) -> None:
                nonlocal got
                receive(data)
                parser = getattr(protocol, "_parser", None)
                if parser is None or parser.state not in (STATUS, HEADER):
                    got = 0
                    return
                got += len(data)
                if got > limit:
                    protocol.transport.abortConnection()

            protocol.dataReceived = data_received
            return protocol

    return Limited


class DecodeMiddleware(HttpCompressionMiddleware):
    """Undo gzip, deflate, brotli and zstd up to a limit; keep the bytes as received beside."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._max_size = crawler.settings.getint("SITEGRAIN_MAX_DECODED")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DecodeMiddleware:
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        # Not brotli and zstd: few programs that read WARC files can unpack them.
        request.headers.setdefault("Accept-Encoding", b"gzip, deflate")

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        request.meta["received"] = (
            [(name, value) for name, values in response.headers.items() for value in values],
            response.body,
        )
        try:
            return super().process_response(request, response)
        except IgnoreRequest:
            raise TooLarge(f"more than {self._max_size:,} bytes when unpacked") from None


def exchange_of(request: Request, response: Response, truncated: str = "") -> Exchange:
    """The request and its answer as they went over the wire."""
    headers, body = request.meta.pop("received")
    parts = urlsplit(request.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{request.method} {path} HTTP/1.1".encode(), b"Host: " + parts.netloc.encode()]
    lines += [n + b": " + v for n, values in request.headers.items() for v in values]
    return Exchange(
        url=request.url,
        status=response.status,
        request_head=b"\r\n".join(lines) + b"\r\n\r\n",
        headers=headers,
        body=body,
        protocol=response.protocol or "HTTP/1.1",
        address=str(response.ip_address or ""),
        truncated=truncated,
    )


class _Rules:
    """One origin's robots.txt."""

    def __init__(self, parser: Any = None, *, closed: str = "", error: Exception | None = None) -> None:
        self.parser, self.closed, self.error = parser, closed, error

    def check(self, url: str) -> None:
        if self.error is not None:
            raise self.error
        if self.closed:
            raise Disallowed(self.closed)
        if self.parser is not None and not self.parser.allowed(url, AGENT_NAME):
            raise Disallowed("robots.txt forbids it")


class RobotsMiddleware:
    """RFC 9309: rules of 2xx are obeyed, 4xx is no rules, an unreachable robots.txt closes the site."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._rules: dict[str, asyncio.Future[_Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        if request.meta.get("no_robots"):
            return
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        future = self._rules.get(origin)
        if future is None:
            future = self._rules[origin] = asyncio.get_running_loop().create_future()
            future.set_result(await self._load(origin))
        rules = await future
        rules.check(request.url)

    async def _load(self, origin: str) -> _Rules:
        job = job_of(self.crawler)
        if not job.options.obey_robots:
            self.crawler.spider.add_sitemaps(origin, [])  # type: ignore[union-attr]
            return _Rules()
        request = Request(f"{origin}/robots.txt", meta={"no_robots": True}, callback=NO_CALLBACK)
        try:
            response = await self.crawler.engine.download_async(request)
        except TooLarge as error:
            return _Rules(closed=f"robots.txt cannot be read: {error}")
        except IgnoreRequest:  # too many redirects: RFC 9309 takes that for no rules
            return _Rules()
        except Exception as error:
            return _Rules(error=error)
        if response.status >= 500 or response.status == 429:
            return _Rules(closed=f"robots.txt answers {response.status}, which closes the site to crawlers")
        if not 200 <= response.status < 300:
            self.crawler.spider.add_sitemaps(origin, [])  # type: ignore[union-attr]
            return _Rules()
        if response.request is not None and response.url == request.url:
            job.keep_robots(exchange_of(response.request, response))
        parser = ProtegoRobotParser(response.body[:MAX_ROBOTS], None)
        self._pace(urlsplit(origin).hostname or "", parser.rp)
        self.crawler.spider.add_sitemaps(origin, list(parser.rp.sitemaps))  # type: ignore[union-attr]
        return _Rules(parser)

    def _pace(self, host: str, rules: Any) -> None:
        delay = float(rules.crawl_delay(AGENT_NAME) or 0)
        rate = rules.request_rate(AGENT_NAME)
        if rate is not None and rate.requests:
            delay = max(delay, rate.seconds / rate.requests)
        if not delay > 0:
            return
        job = job_of(self.crawler)
        asked, delay = delay, min(delay, LONGEST_DELAY)
        if asked >= SLOW_DELAY:
            job.warn(
                f"robots.txt of {host} asks for {asked:,.10g} s between requests"
                + (f" ({delay:,.0f} s is the longest that a crawl waits)" if asked > delay else "")
                + f": 100 pages take {100 * delay / 60:,.0f} minutes. On your own site, --no-robots ignores it"
            )
        job.crawl_delay = max(job.crawl_delay, delay)
        downloader = self.crawler.engine.downloader
        delay = max(delay, job.options.delay)
        # One at a time and without the usual jitter, which would come in under the delay now and then.
        downloader.per_slot_settings[host] = {"delay": delay, "concurrency": 1, "jitter": 0.0}
        slot = downloader.slots.get(host)
        if slot is not None:
            slot.delay, slot.concurrency, slot.jitter = delay, 1, 0.0


class Throttle(AutoThrottle):
    """Scrapy's autothrottle, never below the delay of robots.txt."""

    def _adjust_delay(self, slot: Any, latency: float, response: Response) -> None:
        floor = slot.delay if slot.jitter == 0.0 and slot.concurrency == 1 else 0.0
        super()._adjust_delay(slot, latency, response)
        slot.delay = max(slot.delay, floor)


class AgainMiddleware:
    """New tries with a doubling wait; a host that says 429 or 503 is left alone for as long as it asks."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._quiet_until: dict[str, float] = {}
        self._known_hosts: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> AgainMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        await self._sleep_until(self._quiet_until.get(urlsplit(request.url).netloc, 0.0))

    async def process_response(self, request: Request, response: Response, spider: Any = None) -> Any:
        host = urlsplit(request.url).netloc
        self._known_hosts.add(host)
        if response.status not in AGAIN_STATUS:
            return response
        options = job_of(self.crawler).options
        wait = self._wait(request)
        if response.status in BUSY_STATUS:
            asked = retry_after((response.headers.get("Retry-After") or b"").decode("latin-1"))
            wait = min(max(wait, asked), options.max_backoff)
            self._quiet_until[host] = max(self._quiet_until.get(host, 0.0), time.monotonic() + wait)
        if request.meta.get("tries", 0) >= options.retries:
            return response
        return await self._again(request, wait)

    async def process_exception(self, request: Request, exception: Exception, spider: Any = None) -> Any:
        options = job_of(self.crawler).options
        tries = request.meta.get("tries", 0)
        if not isinstance(exception, AGAIN_ERRORS) or isinstance(exception, AddressRefused):
            return None
        if request.meta.get("robots_failed") or tries >= options.retries:
            return None
        if isinstance(exception, DownloadTimeoutError) and tries >= 1:
            return None  # one page may cost the time limit twice, not more
        is_known = urlsplit(request.url).netloc in self._known_hosts
        if isinstance(exception, CannotResolveHostError) and not is_known:
            return None
        return await self._again(request, self._wait(request), exception)

    def _wait(self, request: Request) -> float:
        options = job_of(self.crawler).options
        tries: int = request.meta.get("tries", 0)
        return min(options.backoff * 2.0**tries, options.max_backoff)

    async def _again(self, request: Request, wait: float, error: Exception | None = None) -> Request:
        job = job_of(self.crawler)
        await self._sleep_until(time.monotonic() + wait)
        job.tally.retries += 1
        new: Request = request.copy()
        new.dont_filter = True
        tries = new.meta["tries"] = request.meta.get("tries", 0) + 1
        new.meta.pop("received", None)
        if isinstance(error, ResponseDataLossError) and tries >= job.options.retries:
            # The last try takes what comes: some servers send a wrong Content-Length every time.
            new.meta["download_fail_on_dataloss"] = False
        return new

    async def _sleep_until(self, when: float) -> None:
        # In small steps, so that Ctrl-C does not wait for it.
        while (left := when - time.monotonic()) > 0:
            if not self.crawler.engine.running or job_of(self.crawler).stop_reason:
                raise IgnoreRequest("the crawl stopped")
            await asyncio.sleep(min(left, 0.2))


def retry_after(value: str) -> float:
    """Seconds that a Retry-After header asks for, 0 when it says nothing usable.

    >>> retry_after("120"), retry_after("soon")
    (120.0, 0.0)
    """
    try:
        if value.strip().isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def explain(error: BaseException) -> str:
    """An error in plain words."""
    for cause in _causes(error):
        if isinstance(cause, AddressRefused):
            said = cause.args[0] if cause.args else "not a public address"
            return f"{said}; --allow-private allows private addresses"
        if isinstance(cause, SSL.Error) or type(cause).__name__.endswith("VerificationError"):
            detail = cause.args[0] if cause.args else ""
            if isinstance(detail, list) and detail:
                detail = "; ".join(str(part[-1]) for part in detail if part)
            return f"TLS error: {detail or type(cause).__name__}"
        if isinstance(cause, (ConnectionDone, ConnectionLost)):
            return "the server closed the connection without an answer"
    if isinstance(error, CannotResolveHostError):
        return "no such host"
    if isinstance(error, DownloadConnectionRefusedError):
        return "connection refused"
    if isinstance(error, DownloadTimeoutError):
        return "took too long"
    if isinstance(error, DownloadCancelledError):
        return "the body is larger than the limit"
    if isinstance(error, StopDownload):
        return "the header is larger than the limit"
    if isinstance(error, ResponseDataLossError):
        return "the server closed before the end"
    return " ".join(str(error).split())[:300] or type(error).__name__


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    todo: list[BaseException | None] = [error]
    while todo and len(found) < 50:
        current = todo.pop()
        if current is None or current in found:
            continue
        found.append(current)
        todo += [current.__cause__, current.__context__]
        todo += [getattr(reason, "value", None) for reason in getattr(current, "reasons", None) or ()]
    return found
