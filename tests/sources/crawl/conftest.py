"""Crawls for tests, without Scrapy's start-up time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sitegrain.errors
from sitegrain.sources.crawl import CrawlOptions, CrawlSummary
from sitegrain.sources.crawl.addresses import check_entrance

Crawl = Callable[..., CrawlSummary]


class Forker:
    """Talks to `forker.py`."""

    def __init__(self) -> None:
        source = str(Path(sitegrain.errors.__file__).parent.parent)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.sources.crawl.forker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONPATH": source},
        )

    def order(self, url: str, out: Path, options: CrawlOptions, **more: Any) -> Path:
        """Run a crawl to its end (or to its kill); the file with its result, if it came to one."""
        result = out.with_suffix(".result")
        result.unlink(missing_ok=True)
        order = {"entrance": check_entrance(url), "out": str(out), "options": options.to_json(), "result": str(result)}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({**order, **more}) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip().isdigit()
        assert self.process.stdout.readline().strip() == "done"
        return result

    def crawl(self, url: str, out: Path, options: CrawlOptions | None = None, **more: Any) -> CrawlSummary:
        """Like `sitegrain.sources.crawl.crawl`, on loopback and without delay unless the options say otherwise."""
        result = self.order(url, out, options or CrawlOptions(delay=0, allow_private=True), **more)
        found = json.loads(result.read_text())
        if "error" in found:
            raise getattr(sitegrain.errors, found["error"])(found["message"])
        return CrawlSummary.from_dict(found["summary"])

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def forker() -> Iterator[Forker]:
    started = Forker()
    yield started
    started.close()
