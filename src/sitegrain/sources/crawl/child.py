"""The process that crawls. It reads its order from stdin and writes events to stdout, one JSON object a line.

A process of its own, because Twisted's reactor starts once per process: a notebook can so crawl twice, and
a crash or a kill takes nothing else along. When the parent is gone (stdin ends) it stops at once; the WARC
is a log and loses nothing.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sitegrain.errors import CrawlError, SitegrainError
from sitegrain.sources.crawl.guard import Connect, guarded
from sitegrain.sources.crawl.job import Job
from sitegrain.sources.crawl.options import CrawlOptions, CrawlSummary

PROGRESS_EVERY = 0.5

Emit = Callable[[dict[str, Any]], None]


def run(job: Job, emit: Emit, *, prepare: Callable[[Any], Connect] | None = None) -> CrawlSummary:
    """Crawl in this process; once per process.

    `prepare(reactor)` is for tests: it may install a name resolver and gives the function that connects.
    """
    job.begin()
    try:
        if not job.stop_reason and (len(job.frontier) or job.options.sitemaps or job.add_unreached()):
            _run_reactor(job, emit, prepare)
        if job.fatal is not None:
            raise job.fatal
        if job.tally.pages == 0 and job.stop_reason != "interrupted":
            raise CrawlError(_no_page(job))
    finally:
        job.end()
    return job.summary()


def _no_page(job: Job) -> str:
    reason = job.entrance_problem or "it leads to no page"
    if job.tally.disallowed:
        return f"nothing was fetched from {job.entrance}: {reason}"
    return f"{job.entrance} cannot be fetched: {reason}"


def _run_reactor(job: Job, emit: Emit, prepare: Callable[[Any], Connect] | None) -> None:
    from scrapy.crawler import AsyncCrawlerProcess

    from sitegrain.sources.crawl.spider import CrawlSpider, settings

    if not os.environ.get("SITEGRAIN_CRAWL_LOG"):
        # What matters is counted and named in the summary; Scrapy's warnings would go to stderr unasked.
        logging.getLogger().addHandler(logging.NullHandler())
    process = AsyncCrawlerProcess(settings(job.options))
    from twisted.internet import reactor
    from twisted.internet.task import LoopingCall

    any_reactor: Any = reactor
    crawler = process.create_crawler(CrawlSpider)

    renderer = None
    if job.options.render:
        from sitegrain.sources.crawl.render import ROOT_FLAGS, Renderer

        renderer = Renderer(job.options)
        if ROOT_FLAGS:
            job.warn("Chromium runs as root, and so without its sandbox: crawl as another user to keep it")

    def open_up() -> None:
        # Scrapy installs its resolver when the reactor starts; ours and the guard come on top.
        connect = any_reactor.connectTCP if prepare is None else prepare(any_reactor)
        any_reactor.connectTCP = connect if job.options.allow_private else guarded(connect)

    def stop(signum: int, frame: Any) -> None:
        job.stop_reason = job.stop_reason or "interrupted"
        spider: Any = crawler.spider
        if spider is not None:
            any_reactor.callFromThread(spider.stop, "interrupted")

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    open_up()
    done = process.crawl(crawler, job=job, renderer=renderer)
    report = LoopingCall(lambda: emit(progress(job)))
    report.start(PROGRESS_EVERY, now=False)
    process.start(install_signal_handlers=False)
    if done.done() and not done.cancelled() and done.exception() is not None:
        raise CrawlError(f"the crawl broke: {done.exception()}") from done.exception()


def progress(job: Job) -> dict[str, Any]:
    """The numbers that a progress bar shows."""
    summary = job.summary()
    rate = (summary.pages - summary.resumed) / max(summary.seconds, 1e-9)
    queue = summary.queue
    if job.options.max_pages is not None:
        queue = min(queue, max(0, job.options.max_pages - summary.pages))
    return {
        "event": "progress",
        "pages": summary.pages,
        "queue": queue,
        "errors": summary.errors + summary.refused + summary.too_large,
        "bytes": summary.bytes,
        "seconds": round(summary.seconds, 1),
        "mb_per_second": round(summary.bytes / 1e6 / max(summary.seconds, 1e-9), 3),
        "eta_seconds": round(queue / rate, 1) if rate > 0 else None,
    }


def _watch_parent() -> None:
    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(3)

    threading.Thread(target=wait, daemon=True).start()


def main() -> int:
    """Take an order from stdin, crawl, say how it ended."""
    order = json.loads(sys.stdin.readline())
    _watch_parent()
    # Whatever a library prints must not come between the events.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)

    def emit(event: dict[str, Any]) -> None:
        events.write(json.dumps(event) + "\n")

    job = Job(order["entrance"], Path(order["out"]), CrawlOptions.from_json(order["options"]))
    try:
        job.on_warning = lambda message: emit({"event": "warning", "message": message})
        emit({"event": "start", "pid": os.getpid(), "entrance": job.entrance, "out": str(job.out)})
        summary = run(job, emit)
        emit({"event": "end", "summary": json.loads(summary.to_json())})
    except SitegrainError as error:
        emit({"event": "failed", "error": type(error).__name__, "message": str(error)})
    events.close()
    # Not sys.exit: the thread that waits for stdin and a browser that hangs must not hold the process.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
