"""`crawl`: start the crawling process, listen to it, stop it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sitegrain.errors
from sitegrain.errors import CrawlError, MissingExtraError, OutputError, SourceError, UsageError
from sitegrain.sources.crawl.addresses import check_entrance
from sitegrain.sources.crawl.options import CrawlOptions, CrawlSummary

if TYPE_CHECKING:
    import subprocess

Event = dict[str, Any]


def crawl(
    url: str,
    out: str | Path,
    options: CrawlOptions | None = None,
    *,
    on_event: Callable[[Event], None] | None = None,
) -> CrawlSummary:
    """Crawl a site from its entrance URL into a WARC file.

    When `out` already holds a part of the same crawl, it goes on from there: no finished page is fetched
    again. `on_event` gets a dictionary about twice a second (`"event": "progress"`), and at once what the user should
    know (`"event": "warning"`).

    The crawl runs in a child process. Ctrl-C lets it finish the pages that are under way and returns the
    summary (`stopped` is "interrupted"); a second Ctrl-C kills it. Either way the same call goes on later.

    Raises `UsageError` for arguments that make no sense, `OutputError` when `out` cannot be (over)written,
    `CrawlError` when not a single page could be fetched.
    """
    options = options or CrawlOptions()
    entrance = check_entrance(url)
    path = Path(out)
    if not path.name.endswith(".warc.gz"):
        raise UsageError(f"{path}: the name of a crawl's output ends in .warc.gz")
    if not path.parent.is_dir():
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is a folder or a device: give the name of a file")
    if options.earlier:
        if not Path(options.earlier).is_file():
            raise SourceError(f"{options.earlier}: there is no such earlier WARC")
        if path.exists() and path.samefile(options.earlier):
            raise UsageError("the earlier WARC and the output are one file: a recrawl needs a new --out")
    _need("scrapy", "Scrapy", "crawl")
    if options.render:
        _need("playwright", "Playwright", "render")
    order = {"entrance": entrance, "out": str(path), "options": options.to_json()}
    return _listen(_start(order), on_event)


def _need(module: str, what: str, extra: str) -> None:
    if find_spec(module) is None:
        raise MissingExtraError(what, extra)


def _start(order: dict[str, str]) -> subprocess.Popen[str]:
    import subprocess  # what mines a folder reads this module, too, and starts no crawl

    # The child finds sitegrain where this process found it, also in a notebook with its own sys.path.
    root = str(Path(sitegrain.errors.__file__).parent.parent)
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    child = subprocess.Popen(
        [sys.executable, "-m", "sitegrain.sources.crawl.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        # Its own group: the terminal's Ctrl-C comes to us alone, and we pass it on.
        process_group=0 if os.name == "posix" else None,
    )
    assert child.stdin is not None
    child.stdin.write(json.dumps(order) + "\n")
    child.stdin.flush()
    return child


def _listen(child: subprocess.Popen[str], on_event: Callable[[Event], None] | None) -> CrawlSummary:
    last: Event = {}
    asked = False
    try:
        while True:
            try:
                for line in child.stdout or ():
                    last = json.loads(line)
                    if on_event is not None and last["event"] in ("start", "progress", "warning"):
                        on_event(last)
                break
            except KeyboardInterrupt:
                if asked:
                    raise
                asked = True
                child.terminate()
        child.wait()
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
    if last.get("event") == "end":
        return CrawlSummary.from_dict(last["summary"])
    if last.get("event") == "failed":
        kind = getattr(sitegrain.errors, last["error"], CrawlError)
        error: Exception = CrawlError(last["message"])
        if kind is not MissingExtraError:
            error = kind(last["message"])
        raise error
    raise CrawlError(
        f"the crawling process died (exit {child.returncode}); run the same command again to continue where it stopped"
    )
