"""Dates in lines: C and Python alike on random lines that are made of the parts of dates, and in little time on any."""

from __future__ import annotations

import random
import time

import pytest

from sitegrain import native
from sitegrain.article.fields.days.dates import _month
from tests.native.bodies import both, needs_core

PARTS = (
    "1 2 3 5 12 13 19 20 25 29 30 31 32 99 007 123 1900 1989 1991 1999 2004 2012 2020 2024 2031 2999 20200 19995 05 08 "
    "jan Jan. JUNE march mars mar May mai mayo août Août Sept. december DEZ décembre января Мая января, марта г. Г. "
    "tháng THÁNG thg năm Năm 年 월 月 日 일 년 五月 十二月 十月 十一 º ª st nd RD th er of de del d' d’ De m. "
    "posted on by Monday Mon CST PDT +0200 -0800 15:31 15:31:44 9:30 9h30 12:5 Z T00 pazdziernika abcdefghijklmno "
    "ago today yesterday gestern heute hier ayer hoy vor hace il y a days minutes hours ſt 3ſt _x x_ a_b ½ ² ٣ ۲۰۲۰ ß İ ı … K ⅷ ⑳ 🙂 ① 𝟑 "
    "2020-05-03 3/4/2020 13/4/2020 4/13/2020 3.5.2020 3-5-2020 03.05.20 2020/5/3 2020.05.03 31/02/2012 29.02.2012"
).split()
SIGNS = (
    " ",
    " ",
    " ",
    " ",
    "",
    "",
    "  ",
    "   ",
    "    ",
    ".",
    ",",
    "-",
    "/",
    ", ",
    ". ",
    ":",
    "\n",
    "\t",
    "\xa0",
    "\x1c",
    "_",
    "'",
    "’",
    "(",
)
PLAIN = [part for part in PARTS if part.isascii()]


def lines(seed: int, n: int) -> list[str]:
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        parts = PLAIN if rng.random() < 0.6 else PARTS
        out.append("".join(rng.choice(parts) + rng.choice(SIGNS) for _ in range(rng.randrange(1, 8))))
    return out


@needs_core
def test_both_bodies_find_the_same_dates() -> None:
    some = lines(1, 60_000)
    n_found = 0
    for order in (None, True, False):
        in_c, in_python = both(lambda: [native.find_dates(t, order, _month, 1991, 20260101) for t in some])  # noqa: B023
        for line, a, b in zip(some, in_c, in_python, strict=True):
            assert a == b, line
        n_found += sum(map(bool, in_c))
    assert n_found > 10_000


@needs_core
def test_both_bodies_say_when_alike() -> None:
    some = lines(2, 60_000)
    in_c, in_python = both(lambda: native.say_when(some))
    for line, a, b in zip(some, in_c, in_python, strict=True):
        assert a == b, line
    assert all(in_c.count(answer) > 5000 for answer in (0, 1, 2))


@needs_core
def test_random_characters_are_read_alike() -> None:
    rng = random.Random(3)
    letters = "0123 4520/.-:,jandecmyþ'_\n月日年"
    some = ["".join(rng.choices(letters, k=rng.randrange(25))) for _ in range(60_000)]
    found = both(lambda: [native.find_dates(line, None, _month, 1991, 20260101) for line in some])
    assert found[0] == found[1]
    found_when = both(lambda: native.say_when(some))
    assert found_when[0] == found_when[1]


def test_long_lines_take_little_time() -> None:
    for part in (
        "1 ",
        "2020 ",
        "3 may ",
        "may ",
        "a" * 15,
        "20",
        " ",
        "3 abcde 20",
        "1.",
        "19/",
        "vor 1",
        "3\t\t\t",
        "thg5",
        "五月",
    ):
        line = part * (200_000 // len(part))
        began = time.process_time()
        native.find_dates(line, None, _month, 1991, 20260101)
        native.say_when([line])
        assert time.process_time() - began < 2.0, part


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises((TypeError, AttributeError)):
        native.say_when([b"today"])  # type: ignore[list-item]
    with pytest.raises(ZeroDivisionError):
        native.find_dates("3 May 2020", None, lambda word: 1 // 0, 1991, 20260101)
    assert native.say_when([]) == b""
