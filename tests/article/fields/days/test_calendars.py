"""Dates in other digits and calendars."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from sitegrain.article.fields import article_fields
from sitegrain.article.fields.days.calendars import western
from sitegrain.article.fields.days.dates import find_dates, parse_date, year_spots
from tests.builders import site_of

SOLAR = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()
NEW_YEARS = {
    1370: "1991-03-21",
    1375: "1996-03-20",
    1391: "2012-03-20",
    1396: "2017-03-21",
    1400: "2021-03-21",
    1403: "2024-03-20",
}


def solar_day(year: int, days: int) -> str:
    """The day that comes so many days after the first of a solar year: six months of 31 days, five of 30, one of 29 or 30."""
    month = min(days // 31, 6) + max(days - 186, 0) // 30
    day = days % 31 if days < 186 else (days - 186) % 30
    return f"{day + 1} {SOLAR[month]} {year}"


@pytest.mark.parametrize(("year", "first"), NEW_YEARS.items())
def test_every_day_of_a_solar_year(year: int, first: str) -> None:
    start = date.fromisoformat(first)
    for days in range(365):
        assert western(solar_day(year, days)) == (start + timedelta(days=days)).isoformat()


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("30 خرداد 1391", "2012-06-19"),
        ("۱۰ آبان ۱۴۰۱", "2022-11-01"),
        ("۱۵ ارديبهشت ۱۳۹۰", "2011-05-05"),  # with an Arabic letter
        ("۱۳۹۱/۰۳/۳۰", "2012-06-19"),
        ("٢٣ مارس ٢٠١٢", "2012-03-23"),
        ("23 تشرين الأول 2012", "2012-10-23"),
        ("วันที่ 12 มกราคม พ.ศ. 2559", "2016-01-12"),
        ("12 มกราคม 2016", "2016-01-12"),
        ("๕ ม.ค. ๕๙", "2016-01-05"),
        ("12/01/2559", "2016-12-01"),
        ("平成25年3月1日", "2013-03-01"),
        ("令和元年5月1日", "2019-05-01"),
        ("中華民國112年3月1日", "2023-03-01"),
        ("２０１２年３月１日", "2012-03-01"),
        ("१२ मार्च २०१२", "2012-03-12"),
        ("১২ মার্চ ২০১২", "2012-03-12"),
        ("2012. március 3.", "2012-03-03"),
        ("12 Μαΐ 2012", "2012-05-12"),
        ("99/99/2559", ""),
        ("1391/13/30", ""),
        ("平成25年13月1日", ""),
    ],
)
def test_a_day_of_another_calendar(line: str, day: str) -> None:
    assert parse_date(line) == day
    assert min(find_dates(line), default=(0, ""))[1] == day


@pytest.mark.parametrize("line", ["۱۰ آبان ۱۴۰۱، سال", "5 ม.ค. 59 เวลา", "平成25年3月1日", "٢٣ مارس ٢٠١٢"])
def test_a_page_that_shows_one_has_it(line: str) -> None:
    assert year_spots(line)
    found = article_fields(site_of(f"<h1>Tea</h1><p>{line}<p>Text."), 0).date
    assert (found.value, found.source) == (parse_date(line), "date line")
