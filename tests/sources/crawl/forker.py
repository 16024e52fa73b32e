"""Runs crawls in forked processes: Scrapy is imported once, so that a crawl in a test costs no start-up.

Reads orders (JSON lines) from stdin. For each it forks a process that runs the crawl, prints the pid, waits (or
kills it), and says that it is done. An order may script the name server (`names`: host → answers, one look-up after
another) and send connections to public-looking addresses to a loopback port (`ports`: address → port), after the
crawl's own check.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import scrapy.crawler  # noqa: F401
from scrapy.utils.misc import load_object

from sitegrain.errors import SitegrainError
from sitegrain.sources.crawl.child import run
from sitegrain.sources.crawl.job import Job
from sitegrain.sources.crawl.options import CrawlOptions
from sitegrain.sources.crawl.spider import settings

# All that Scrapy would load by name; the reactor must not be among it, as it does not survive a fork.
chosen = settings(CrawlOptions())
for table in ("DOWNLOADER_MIDDLEWARES_BASE", "SPIDER_MIDDLEWARES_BASE", "EXTENSIONS_BASE"):
    for name in chosen[table]:
        load_object(name)
for name in (chosen["SCHEDULER"], chosen["TWISTED_DNS_RESOLVER"], "scrapy.core.engine.ExecutionEngine",
             "scrapy.statscollectors.MemoryStatsCollector", "scrapy.logformatter.LogFormatter",
             "scrapy.utils.request.RequestFingerprinter", "scrapy.pipelines.ItemPipelineManager",
             "scrapy.spiderloader.SpiderLoader"):  # fmt: skip
    load_object(name)
assert "twisted.internet.reactor" not in sys.modules


def prepare(order: dict[str, Any]) -> Any:
    def install(reactor: Any) -> Any:
        from scrapy.resolver import HostResolution
        from twisted.internet.address import IPv4Address, IPv6Address
        from twisted.internet.interfaces import IHostnameResolver
        from zope.interface import implementer

        answers = {host: list(reversed(found)) for host, found in order["names"].items()}

        @implementer(IHostnameResolver)
        class Scripted:
            def resolveHostName(self, receiver: Any, name: str, port: int = 0, *args: Any, **kwargs: Any) -> Any:
                receiver.resolutionBegan(HostResolution(name))
                is_literal = ":" in name or name[0].isdigit()
                found = answers.get(name, [name.strip("[]")] if is_literal else [])
                if found:
                    address = found.pop() if len(found) > 1 else found[0]
                    kind = IPv6Address if ":" in address else IPv4Address
                    receiver.addressResolved(kind("TCP", address, port))
                receiver.resolutionComplete()
                return receiver

        # Behind Scrapy's own resolver, which caches, and which is installed when the reactor starts.
        reactor.callWhenRunning(reactor.installNameResolver, Scripted())
        plain = reactor.connectTCP

        def connect(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
            if host in order["ports"]:
                host, port = "127.0.0.1", order["ports"][host]
            return plain(host, port, *args, **kwargs)

        return connect

    return install if "names" in order else None


def crawl(order: dict[str, Any]) -> None:
    if "max_file" in order:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["max_file"], order["max_file"]))
    job = Job(order["entrance"], Path(order["out"]), CrawlOptions.from_json(order["options"]))
    try:
        summary = run(job, lambda event: None, prepare=prepare(order))
        result = {"summary": json.loads(summary.to_json())}
    except SitegrainError as error:
        result = {"error": type(error).__name__, "message": str(error)}
    Path(order["result"]).write_text(json.dumps(result))


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                crawl(order)
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        print(pid, flush=True)
        if "kill_after" in order:
            # Not before the crawl is under way: its WARC grows.
            out, before = Path(order["out"]), order["size"]
            while os.waitpid(pid, os.WNOHANG) == (0, 0):
                if out.exists() and out.stat().st_size > before:
                    time.sleep(order["kill_after"])
                    try:
                        os.kill(pid, 9)
                        os.waitpid(pid, 0)
                    except (ProcessLookupError, ChildProcessError):
                        pass
                    break
                time.sleep(0.002)
        else:
            os.waitpid(pid, 0)
        print("done", flush=True)


if __name__ == "__main__":
    main()
