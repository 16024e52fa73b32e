"""Many single pages: the same answers in the same order on any number of processes, and a bad page is one page."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import pytest

from sitegrain.methods.base import NodeVerdict
from sitegrain.methods.simple import Everything
from sitegrain.plan import pages
from sitegrain.plan.pages import BATCH, FEW, Wanted, extract_all
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site

MANY = FEW + 2 * BATCH + 5


def page(n: int, text: str = "") -> Capture:
    return Capture(f"http://a.org/{n}", f"<p>Page {n} says {text or 'little'}.".encode())


@dataclass
class Touchy(Everything):
    """Keeps everything; ends its process on one page, and never ends on another."""

    def apply(self, site: Site) -> NodeVerdict:
        text = site.node_text(0)
        if "deadly" in text:
            os._exit(9)
        while "endless" in text:
            pass
        return super().apply(site)


def found(captures: list[Capture], workers: int, **wanted: Any) -> list[pages.Extracted]:
    return list(extract_all(captures, Wanted(**wanted), workers))


@pytest.mark.parametrize("form", ["text", "json"])
def test_any_number_of_processes_says_the_same_in_order(form: str) -> None:
    captures = [page(n) for n in range(MANY)]
    one = found(captures, 1, form=form)
    assert [answer.name for answer in one] == [capture.url for capture in captures]
    assert one[7].text == "Page 7 says little." or form == "json"
    assert found(captures, 2, form=form) == one


def test_a_page_that_ends_its_process_is_one_page() -> None:
    bad = FEW // 2
    captures = [page(n, "something deadly" if n == bad else "") for n in range(MANY)]
    answers = found(captures, 2, methods=(Touchy(),))
    assert [answer.name for answer in answers] == [capture.url for capture in captures]
    assert {answer.name: answer.problem for answer in answers if answer.problem} == {
        f"http://a.org/{bad}": "ended its process"
    }
    assert sum(not answer.is_empty for answer in answers) == MANY - 1


def test_a_page_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SECONDS_PER_PAGE", 0.2)
    answers = found([page(0), page(1, "something endless"), page(2)], 1, methods=(Touchy(),))
    assert [bool(answer.problem) for answer in answers] == [False, True, False]
    assert "more than 0.2 s" in answers[1].problem


def test_what_the_server_said_of_its_letters_holds() -> None:
    headers = {"content-type": "text/html; charset=windows-1251"}
    (answer,) = found([Capture("http://a.org/", "<p>Привет".encode("cp1251"), headers=headers)], 1)
    assert answer.text == "Привет"
