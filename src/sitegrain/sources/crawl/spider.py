"""The Scrapy side of a crawl: the scheduler, the spider and the settings."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import DontCloseSpider, DownloadCancelledError, IgnoreRequest, StopDownload
from scrapy.http import Response
from scrapy.utils.gz import gunzip
from scrapy.utils.sitemap import Sitemap
from twisted.python.failure import Failure

from sitegrain.errors import SitegrainError
from sitegrain.sources.crawl.addresses import normalise
from sitegrain.sources.crawl.guard import AddressRefused
from sitegrain.sources.crawl.job import Job
from sitegrain.sources.crawl.middleware import Disallowed, TooLarge, exchange_of, explain, job_of
from sitegrain.sources.crawl.options import CrawlOptions
from sitegrain.sources.crawl.reading import looks_like_html, read_feed, read_sitemap_lines

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitegrain.sources.crawl.render import Renderer

MAX_SITEMAPS = 200
MAX_SITEMAP_URLS = 500_000


class FrontierScheduler(BaseScheduler):
    """Gives Scrapy the next request of the job's frontier; requests exist only while they run."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.job = job_of(crawler)
        self.extra: deque[Request] = deque()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler:
        return cls(crawler)

    def has_pending_requests(self) -> bool:
        return bool(self.extra) or (not self.job.stop_reason and len(self.job.frontier) > 0)

    def enqueue_request(self, request: Request) -> bool:
        self.extra.append(request)
        return True

    def next_request(self) -> Request | None:
        if self.extra:
            return self.extra.popleft()
        url = self.job.next_url()
        if url is None:
            return None
        spider: Any = self.crawler.spider
        meta: dict[str, Any] = {"dont_redirect": True, "handle_httpstatus_all": True, "is_page": True}
        if self.job.options.retries == 0:
            meta["download_fail_on_dataloss"] = False
        return Request(
            url,
            callback=spider.take_page,
            errback=spider.lose_page,
            headers=self.job.conditions(url),
            meta=meta,
            cb_kwargs={"url": url},
        )


class CrawlSpider(Spider):
    """Hands every answer to the job and stops when the job says so."""

    name = "sitegrain"

    def __init__(self, job: Job, renderer: Renderer | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job = job
        self.renderer = renderer
        self._sitemaps: set[str] = set()
        self._n_seeds = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> CrawlSpider:
        spider: CrawlSpider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.check_head, signals.headers_received)
        crawler.signals.connect(spider.go_on, signals.spider_idle)
        if spider.renderer is not None:
            crawler.signals.connect(spider.renderer.close, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        # All requests come from the scheduler.
        return
        yield

    # -- pages ---------------------------------------------------------------------------------------------

    def check_head(self, headers: Any, body_length: int, request: Request, spider: Spider) -> None:
        """Hang up after the header when it is too long or when no HTML follows."""
        size = sum(len(n) + 4 + len(v) for n, values in headers.items() for v in values)
        if size > self.job.options.max_header:
            raise StopDownload(fail=True)
        kind = (headers.get(b"Content-Type") or b"").decode("latin-1")
        if request.meta.get("is_page") and kind and not looks_like_html(kind, b""):
            raise StopDownload(fail=False)

    async def take_page(self, response: Response, url: str) -> None:
        job = self.job
        if job.stop_reason == "byte limit":
            job.frontier.put_back(url)
            return
        request: Request = response.request  # type: ignore[assignment]
        exchange = exchange_of(request, response, "disconnect" if "dataloss" in response.flags else "")
        try:
            if "download_stopped" in response.flags and 200 <= response.status < 300:
                job.skip(url, "not html", exchange.content_type)
            else:
                rendered = None
                if self.renderer is not None and 200 <= response.status < 300:
                    rendered = await self.renderer.render(url, exchange.content_type, response.body)
                    if rendered is None:
                        job.problem(url, "its scripts did not end in time: kept as fetched")
                job.take(exchange, response.body, rendered)
        except SitegrainError as error:
            job.fatal = job.fatal or error
            job.frontier.put_back(url)
        except Exception as error:  # one page that we cannot deal with does not end the crawl, and is not hidden
            job.fault(url, error)
        self._after()

    def lose_page(self, failure: Failure) -> None:
        error: Any = failure.value
        url: str = failure.request.cb_kwargs["url"]  # type: ignore[attr-defined]
        job = self.job
        try:
            if isinstance(error, Disallowed):
                job.forbid(url, str(error))
            elif isinstance(error, TooLarge):
                job.skip(url, "too large", str(error))
            elif isinstance(error, (DownloadCancelledError, StopDownload)):
                job.skip(url, "too large", explain(error))
            elif isinstance(error, IgnoreRequest):
                job.frontier.put_back(url)
            elif isinstance(error, AddressRefused):
                job.skip(url, "refused", explain(error))
            else:
                job.skip(url, "error", explain(error))
        except SitegrainError as fatal:
            job.fatal = job.fatal or fatal
        self._after()

    def _after(self) -> None:
        job = self.job
        for feed in job.new_feeds:
            self._ask(feed, self.take_feed)
        job.new_feeds.clear()
        if job.fatal is not None:
            self.stop("failed")
        elif job.stop_reason:
            self.stop(job.stop_reason)

    def stop(self, reason: str) -> None:
        """Let go of what waits, finish what runs, close."""
        engine: Any = self.crawler.engine
        self.job.stop_reason = self.job.stop_reason or reason
        if engine is None or engine.spider is None or getattr(self, "_stopping", False):
            return
        self._stopping = True
        engine._slot.scheduler.extra.clear()
        for slot in engine.downloader.slots.values():
            while slot.queue:
                _, waiting = slot.queue.popleft()
                waiting.errback(Failure(IgnoreRequest("the crawl stopped")))  # type: ignore[no-untyped-call]
        self._closing = asyncio.ensure_future(engine.close_spider_async(reason=reason))

    def go_on(self, spider: Spider) -> None:
        """At the end, ask for pages of the earlier crawl that no link led to."""
        if self.job.add_unreached():
            engine: Any = self.crawler.engine
            engine._slot.nextcall.schedule()  # or it would look again only after seconds
            raise DontCloseSpider

    # -- extra seeds ---------------------------------------------------------------------------------------

    def _ask(self, url: str, callback: Any, **kwargs: Any) -> None:
        request = Request(url, callback=callback, errback=self._lose_extra, cb_kwargs=kwargs)
        if callback == self.take_sitemap:
            request.meta["no_robots"] = True
        self.crawler.engine.crawl(request)

    def _lose_extra(self, failure: Failure) -> None:
        self.job.tally.retries += 0  # a sitemap or a feed that cannot be read leaves the crawl as it is

    def add_sitemaps(self, origin: str, urls: list[str]) -> None:
        """Sitemaps of an origin, as its robots.txt names them; without names the usual place is tried."""
        parts = urlsplit(origin)
        if not self.job.options.sitemaps or not self.job.scope.holds_host(parts.hostname or ""):
            return
        for url in urls or [f"{origin}/sitemap.xml"]:
            self._add_sitemap(normalise(url, origin + "/"))

    def _add_sitemap(self, url: str | None) -> None:
        if url is not None and url not in self._sitemaps and len(self._sitemaps) < MAX_SITEMAPS:
            self._sitemaps.add(url)
            self._ask(url, self.take_sitemap)

    def take_sitemap(self, response: Response) -> None:
        body = response.body
        if body[:2] == b"\x1f\x8b":
            try:
                body = gunzip(body, max_size=self.job.options.max_decoded)
            except Exception:  # a sitemap that cannot be unpacked is no sitemap
                return
        seeds: list[str] = []
        if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            seeds = read_sitemap_lines(response.url, body)[: MAX_SITEMAP_URLS - self._n_seeds]
            self._n_seeds += len(seeds)
            self.job.add_seeds(seeds)
            return
        try:
            sitemap = Sitemap(body)
            for entry in sitemap:
                url = normalise(str(entry["loc"]), response.url)
                if sitemap.type == "sitemapindex":
                    self._add_sitemap(url)
                elif url is not None and self._n_seeds < MAX_SITEMAP_URLS:
                    self._n_seeds += 1
                    seeds.append(url)
        except (StopIteration, SyntaxError, ValueError):  # lxml's error is a SyntaxError
            return
        self.job.add_seeds(seeds)

    def take_feed(self, response: Response) -> None:
        self.job.add_seeds(read_feed(response.url, response.body))


def settings(options: CrawlOptions) -> dict[str, Any]:
    """Scrapy's settings for a crawl."""
    here = "sitegrain.sources.crawl"
    return {
        "BOT_NAME": "sitegrain",
        "USER_AGENT": options.agent(),
        "LOG_ENABLED": bool(os.environ.get("SITEGRAIN_CRAWL_LOG")),
        "LOG_LEVEL": os.environ.get("SITEGRAIN_CRAWL_LOG") or "WARNING",
        "LOG_INSTALL_ROOT_HANDLER": bool(os.environ.get("SITEGRAIN_CRAWL_LOG")),
        "STATS_DUMP": False,
        # The callbacks give nothing back; with the usual 100 Scrapy starts 100 tasks for each answer.
        "CONCURRENT_ITEMS": 1,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "TWISTED_DNS_RESOLVER": "scrapy.resolver.CachingHostnameResolver",
        "SCHEDULER": f"{here}.spider.FrontierScheduler",
        # Only the web: no data, file, ftp or s3 URLs, and no proxy: it would connect in our place, unchecked.
        "DOWNLOAD_HANDLERS": {
            "http": f"{here}.middleware.LimitedHandler",
            "https": f"{here}.middleware.LimitedHandler",
            "data": None,
            "file": None,
            "ftp": None,
            "s3": None,
        },
        # Only the parts that a crawl needs. Cookies are kept by a part of ours: Scrapy's would load a list of domains from the web.
        "DOWNLOADER_MIDDLEWARES_BASE": {
            f"{here}.middleware.RobotsMiddleware": 100,
            "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
            "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
            "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
            f"{here}.middleware.AgainMiddleware": 550,
            f"{here}.middleware.DecodeMiddleware": 590,
            "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": 600,
            f"{here}.cookies.CookieMiddleware": 700,
        },
        "SPIDER_MIDDLEWARES_BASE": {
            "scrapy.spidermiddlewares.start.StartSpiderMiddleware": 25,
            "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": 50,
        },
        "EXTENSIONS_BASE": {f"{here}.middleware.Throttle": 0},
        "CONCURRENT_REQUESTS": options.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "DOWNLOAD_DELAY": options.delay,
        "AUTOTHROTTLE_ENABLED": options.delay > 0,
        "AUTOTHROTTLE_START_DELAY": options.delay,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,
        "AUTOTHROTTLE_MAX_DELAY": max(60.0, options.delay),
        "DOWNLOAD_TIMEOUT": options.page_timeout,
        "DOWNLOAD_MAXSIZE": options.max_body,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_VERIFY_CERTIFICATES": options.verify_tls,
        "REDIRECT_MAX_TIMES": 5,
        "SITEGRAIN_MAX_HEADER": options.max_header,
        "SITEGRAIN_MAX_DECODED": options.max_decoded,
    }
