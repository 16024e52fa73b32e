"""Limits on the time of a page, and what they do for sites and crawls."""

from __future__ import annotations

import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import sitegrain
from sitegrain.extractor.model import Extractor
from sitegrain.render.page import RenderedPage
from sitegrain.sources.crawl.reading import read_page
from sitegrain.tables import timing
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import ParsedPage, parse_page
from sitegrain.tables.site import Site
from sitegrain.tables.timing import TooSlowError, is_limited, time_limited

GOOD = [
    Capture(f"http://a.org/{i}", b"<title>Good</title><p>" + b"Some words of prose, and more. " * 20) for i in range(3)
]
POISON = Capture("http://a.org/slow", b"<p>poison " + b"Some words of prose, and more. " * 20)
quick = partial(time_limited, 0.2)


def forever() -> None:
    while True:
        pass


def hanging_parse(capture: Capture) -> ParsedPage:
    if b"poison" in capture.body:
        forever()
    return parse_page(capture)


def test_limits_stand_in_one_another() -> None:
    with time_limited(20):
        with pytest.raises(TooSlowError), time_limited(0.05):
            forever()
        assert 15 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 20
        with time_limited(500):
            assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 20
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL
    with pytest.raises(TooSlowError), time_limited(0.05), time_limited(500):
        forever()


def test_an_alarm_that_ctrl_c_left_behind_is_of_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come between the alarm and the note that there is one."""

    class Interrupted(list[float]):
        def append(self, _: float) -> None:
            raise KeyboardInterrupt

    def leave_behind(seconds: float) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(timing, "_IN_FORCE", Interrupted())
            with pytest.raises(KeyboardInterrupt), time_limited(seconds):
                pass
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0

    leave_behind(0.05)
    begin = time.process_time()
    while time.process_time() < begin + 0.1:
        pass  # nothing rings
    leave_behind(20)
    with pytest.raises(TooSlowError), time_limited(0.05):
        forever()
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


def test_what_follows_a_limit_that_rang_has_one_of_its_own() -> None:
    with time_limited(0.05):
        with pytest.raises(TooSlowError), time_limited(20):
            forever()
        with pytest.raises(TooSlowError), time_limited(0.05):
            forever()
        with time_limited(20):
            assert 15 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 21  # the system rounds up
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


def test_an_alarm_of_the_program_stays() -> None:
    before = signal.signal(signal.SIGVTALRM, lambda *_: None)
    try:
        with time_limited(0.01):
            end = time.process_time() + 0.05
            while time.process_time() < end:
                pass
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_other_threads_have_no_limit() -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with time_limited(0.01):
                pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failed


def test_a_parse_that_hangs_is_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.tables.parsing.build.parse_page", hanging_parse)
    monkeypatch.setattr("sitegrain.tables.parsing.build.time_limited", quick)
    result = sitegrain.mine([*GOOD, POISON])
    assert len(result) == 3
    assert result.summary["skipped"]["failed: a page that cannot be parsed"] == 1
    assert "http://a.org/slow: cannot be parsed (TooSlowError" in result.summary["problems"][0]
    assert "cannot be parsed (TooSlowError" in sitegrain.extract(POISON.body).notes[-1]


def test_a_crawl_goes_on_after_a_page_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.sources.crawl.reading.parse_page", hanging_parse)
    monkeypatch.setattr("sitegrain.sources.crawl.reading.time_limited", quick)
    with pytest.raises(TooSlowError):  # which the crawl counts and names, as it does other faults
        read_page(POISON.url, "text/html", POISON.body)


def test_judging_that_hangs_is_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Extractor.apply

    def apply(self: Extractor, site: Site) -> Any:
        if any("poison" in text for text in site.texts):
            forever()
        return real(self, site)

    monkeypatch.setattr(Extractor, "apply", apply)
    monkeypatch.setattr("sitegrain.result.mining.time_limited", lambda *_: quick())
    result = sitegrain.mine([*GOOD, POISON])
    assert len(result) == 3
    assert "TooSlowError" in result.summary["problems"][-1]
    monkeypatch.setattr("sitegrain.result.extracting.time_limited", quick)
    assert "cannot be judged (TooSlowError" in sitegrain.extract(POISON.body).notes[-1]


def test_writing_that_hangs_is_one_form_of_one_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = RenderedPage.markdown

    def hangs(self: RenderedPage) -> str:
        if self._given[1] == 3:
            forever()
        return real(self)

    monkeypatch.setattr(RenderedPage, "markdown", hangs)
    monkeypatch.setattr("sitegrain.article.article.time_limited", quick)
    sitegrain.mine([*GOOD, POISON], tmp_path / "out")
    stored = sitegrain.open_result(tmp_path / "out")
    assert "markdown cannot be made (TooSlowError" in stored[3].notes[-1]
    assert "Some words" in stored[3].text
    assert all("Some words" in stored[i].markdown for i in range(3))


def test_whether_a_limit_is_in_force() -> None:
    assert not is_limited()
    with time_limited():
        assert is_limited()
    with time_limited(1e6):
        assert not is_limited()  # that of a page would ring first
    assert not is_limited()
