"""A real Chromium for tests of what people look at: `make test-browser`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sitegrain.errors import CrawlError
from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.crawl.render import find_browser


def need_browser() -> None:
    """Skip the module when there is no Chromium or no Playwright."""
    pytest.importorskip("playwright", reason="pip install 'sitegrain[render]'")
    try:
        find_browser(CrawlOptions())
    except CrawlError as error:
        pytest.skip(str(error), allow_module_level=True)


class Watched:
    """A page that counts what must not happen."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._dismiss)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.context.on("page", lambda opened: self.requests.append(f"a window: {opened.url}"))

    def _dismiss(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def open(self, address: str, view: str) -> None:
        """Go to a view and wait until it is there."""
        self.page.goto(f"{address}#/{view}")
        self.page.wait_for_selector(f"#view[data-ready='{view.split('/')[0].split('?')[0]}']")

    def until(self, expression: str) -> None:
        """Wait for something to be true (the report's policy forbids Playwright's own way, which evaluates text)."""
        for _ in range(100):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {expression}")

    @property
    def frame(self) -> Any:
        """The sandboxed frame of the Page view."""
        element = self.page.wait_for_selector("iframe")
        frame = element.content_frame()
        frame.wait_for_selector(".pane.clean", state="attached")
        return frame


@contextmanager
def browser() -> Iterator[Any]:
    """A running Chromium that draws WebGL without a graphics card."""
    from playwright.sync_api import sync_playwright

    args = ["--no-sandbox", "--disable-background-networking", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_browser(CrawlOptions())), args=args)
        try:
            yield opened
        finally:
            opened.close()
