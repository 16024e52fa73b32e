"""Dates in other digits, calendars and scripts, written as the West writes them.

Iran counts solar years (1391 began in March 2012), Thailand those of the Buddha (2559 is 2016), Japan those of its emperors
(平成25年 is 2013), Taiwan those of its republic (民國112年 is 2023).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

_DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙０１２３４５６７８９"
_OTHER_DIGIT = re.compile(f"[{_DIGITS}]")
_BEYOND_LATIN = re.compile("[^\\0-\u036f]")  # by what it is not: Python goes over each letter of a class to compile it
"""Without such a letter there is no other calendar, but for one in numbers."""
_FURTHER = re.compile("[^\\0-\u012f]")
_WESTERN = str.maketrans(_DIGITS, "0123456789" * (len(_DIGITS) // 10))
_SOLAR = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()
_THAI = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม".split()
_THAI_SHORT = "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.".split()
_MONTHS = {name: k for names in (_SOLAR, _THAI, _THAI_SHORT) for k, name in enumerate(names, 1)}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""The year before the first of each."""
BUDDHA = 543
"""Years by which Thailand is ahead."""
_ENGLISH = {
    name.replace("_", " "): english
    for english, names in (
        ("jan", "जनवरी জানুয়ারি জানুয়ারী كانون_الثاني"),
        ("feb", "फरवरी फ़रवरी ফেব্রুয়ারি ফেব্রুয়ারী"),
        ("mar", "मार्च মার্চ"),
        ("apr", "अप्रैल এপ্রিল"),
        ("may", "मई মে"),
        ("jun", "जून জুন"),
        ("jul", "जुलाई জুলাই"),
        ("aug", "अगस्त আগস্ট"),
        ("sep", "सितंबर सितम्बर সেপ্টেম্বর"),
        ("oct", "अक्टूबर अक्तूबर অক্টোবর تشرين_الأول تشرين_الاول"),
        ("nov", "नवंबर नवम्बर নভেম্বর تشرين_الثاني"),
        ("dec", "दिसंबर दिसम्बर ডিসেম্বর كانون_الأول كانون_الاول"),
    )
    for name in names.split()
}
"""Months that are two words, or that have marks which patterns take for the end of a word."""


def _any(names: list[str]) -> str:
    return "|".join(re.escape(name) for name in names)


_SOLAR_DAY = re.compile(rf"(?<!\d)(\d{{1,2}})\s{{0,3}}({_any(_SOLAR)})(?:\s?ماه)?[\s،,]{{1,3}}(1[34]\d\d)(?!\d)")
_SOLAR_NUMBERS = re.compile(r"(?<!\d)(1[34]\d\d)/(\d{1,2})/(\d{1,2})(?!\d)")
_THAI_DAY = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s{{0,3}}({_any(_THAI)}|{_any(_THAI_SHORT)})\s{{0,3}}(?:[พค]\.?\s?ศ\.?\s{{0,2}})?(\d{{4}}|\d\d)(?!\d)"
)
_THAI_NUMBERS = re.compile(r"(?<![\d./-])(\d{1,2}[./-]\d{1,2}[./-])(25[3-9]\d)(?!\d)")
_ERA_DAY = re.compile(rf"({_any([*_ERAS])})\s?(元|\d{{1,3}})\s?年\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})\s?日")
_NAMED = re.compile(_any(sorted(_ENGLISH, key=len, reverse=True)))
_ARABIC_LETTERS = str.maketrans("يك", "یک")
"""Persian is often typed with Arabic letters."""


def is_western(text: str) -> bool:
    """True for a text without letters from U+0130 on: in those before it, a pattern of either case finds what one of small letters finds in
    the text in small letters, which takes half the time.

    >>> is_western("Mié 3 Août"), is_western("мая")
    (True, False)
    """
    return text.isascii() or not _FURTHER.search(text)


def western(text: str) -> str:
    """A line with its dates in Western digits, years and, where need be, names of months.

    >>> western("۱۰ آبان ۱۴۰۱"), western("1391/03/30"), western("12 มกราคม 2559"), western("๕ ม.ค. ๕๙")
    ('2022-11-01', '2012-06-19', '2016-01-12', '2016-01-05')
    >>> western("平成25年3月1日"), western("令和元年5月1日"), western("民國112年3月1日"), western("２０１２年３月１日")
    ('2013-03-01', '2019-05-01', '2023-03-01', '2012年3月1日')
    >>> western("१२ मार्च २०१२"), western("12/01/2559"), western("May 3, 2020")
    ('12 mar 2012', '12/01/2016', 'May 3, 2020')
    """
    is_latin = text.isascii() or not _BEYOND_LATIN.search(text)
    if is_latin:
        if "/" not in text and "25" not in text:
            return text
    elif _OTHER_DIGIT.search(text):
        text = text.translate(_WESTERN)
    if "13" in text or "14" in text:
        text = _SOLAR_NUMBERS.sub(lambda m: _solar(m[1], int(m[2]), m[3]) or m[0], text)
    if "25" in text:
        text = _THAI_NUMBERS.sub(lambda m: f"{m[1]}{int(m[2]) - BUDDHA}", text)
    if is_latin:
        return text
    text = _ERA_DAY.sub(lambda m: f"{_ERAS[m[1]] + int(m[2].replace('元', '1'))}-{int(m[3]):02}-{int(m[4]):02}", text)
    text = _THAI_DAY.sub(lambda m: f"{_of_buddha(m[3])}-{_MONTHS[m[2]]:02}-{int(m[1]):02}", text)
    persian = text.translate(_ARABIC_LETTERS)
    if _SOLAR_DAY.search(persian):
        return _SOLAR_DAY.sub(lambda m: _solar(m[3], _MONTHS[m[2]], m[1]) or m[0], persian)
    return _NAMED.sub(lambda m: _ENGLISH[m[0]], text)


def other_years(text: str) -> Iterator[int]:
    """Where in a text years of other digits or calendars may begin. A search for few characters is ten times as fast as one for a pattern.

    >>> list(other_years("10 آبان 1401")), list(other_years("平成25年3月")), list(other_years("٢٠١٢")), list(other_years("in 1401"))
    ([8], [0], [0], [])
    """
    if text.isascii():
        return
    # One character is found five times as fast as two.
    wanted = [century for century in ("٢٠", "۲۰", "२०", "২০", "２０") if century[0] in text]
    wanted += ["13", "14", "۱۳", "۱۴"] if "ا" in text else []
    wanted += ["25", "๒๕", *_THAI_SHORT] if "า" in text else []
    wanted += _ERAS if "年" in text else []
    for start in wanted:
        at = text.find(start)
        while at >= 0:
            if not start.isdecimal() or text[at + 2 : at + 4].isdecimal():
                yield at
            at = text.find(start, at + 1)


def _of_buddha(year: str) -> int:
    """Two digits are of this or the last of his centuries, or else of ours."""
    if len(year) == 2:
        return int(year) + (2500 - BUDDHA if int(year) > 33 else 2000)
    return int(year) - (BUDDHA if int(year) > 2400 else 0)


def _solar(year: str, month: int, day: str) -> str:
    """The day of a solar year of Iran, in which 8 of 33 years are leap years; empty for none.

    >>> _solar("1391", 3, "30"), _solar("1399", 12, "30"), _solar("1391", 13, "1")
    ('2012-06-19', '2021-03-20', '')
    """
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return ""
    years = int(year) - 979
    days = 365 * years + years // 33 * 8 + (years % 33 + 3) // 4 + 31 * (month - 1) - max(month - 7, 0) + int(day) - 1
    return (date(1600, 1, 1) + timedelta(days=days + 79)).isoformat()
