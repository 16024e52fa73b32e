"""Dates as pages write them, in the month names of many languages -> `YYYY-MM-DD`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from sitegrain import native
from sitegrain.article.fields.days.calendars import other_years, western

FIRST_YEAR = 1991
"""The first web page was put up in August 1991."""

_MONTHS = """
january jan januar januari janvier janv enero ene gennaio gen janeiro jaanuar tammikuuta tammikuu
  leden ledna styczen stycznia ocak ianuarie gener sausio januara yanvar янв января январь сiчня
  січня يناير كانون-الثاني ιανουαριου ינואר
  oca siječnja януари јануара јануар ιαν ιανουαριος جانفي جنوری בינואר janvaris
  sty січ ian jaan ژانویه
february feb februar februari fevrier fevr fev febrero febbraio fevereiro veebruar helmikuuta
  helmikuu unor unora luty lutego subat februarie febrer vasario februara фев февраля февраль лютого
  فبراير شباط φεβρουαριου פברואר
  şub veljače февруари фебруара фебруар φεβ φεβρουαριος فيفري فروری בפברואר februaris
  lut февр лют febr veebr فوریه
march mar marz maerz mars marzo marco maart maret marts marts maaliskuuta maaliskuu brezen brezna
  marzec marca mart martie kovo mrt марта март мар березня مارس آذار μαρτιου מרץ
  marcius ožujka marec μαρ μαρτιος مارچ במרץ
  marc бер
april apr avril avr abril abr aprile aprill huhtikuuta huhtikuu duben dubna kwiecien kwietnia nisan
  aprilie balandzio aprila апр апреля апрель квітня أبريل ابريل نيسان απριλιου אפריל
  nis aprilis travnja април απρ απριλιος أفريل اپریل באפריל
  kwi квіт آوریل
may mai mayo maggio mag maio mei maj toukokuuta toukokuu kveten kvetna maja mayis geguzes maig мая
  май травня مايو أيار μαιου מאי
  majus svibnja мај μαι μαιος ماي مئی במאי maijs
  трав
june jun juni juin junio giugno giu junho juuni kesakuuta kesakuu cerven cervna czerwiec czerwca
  haziran iunie birzelio juny juna июн июня июнь червня يونيو حزيران ιουνιου יוני
  haz junius lipnja junij юни јуна јун ιουν ιουνιος جوان جون ביוני junijs
  cze черв iun ژوئن
july jul juli juillet juil julio luglio lug julho juuli heinakuuta heinakuu cervenec cervence lipiec
  lipca temmuz iulie liepos juliol jula июл июля июль липня يوليو تموز ιουλιου יולי
  tem julius srpnja julij юли јула јул ιουλ ιουλιος جويلية جولائی ביולי julijs
  lip лип iul ژوئیه
august aug aout agosto ago agustus augusti elokuuta elokuu srpen srpna sierpien sierpnia agustos
  rugpjucio agost avgust augusta авг августа август серпня أغسطس آب αυγουστου אוגוסט
  ağu augusztus kolovoza avg αυγ αυγουστος أوت اگست באוגוסט ogos augusts
  sie серп augustus
september sep sept septembre septiembre setiembre settembre set setembro syyskuuta syyskuu zari
  wrzesien wrzesnia eylul septembrie rugsejo setembre septembra сен сент сентября сентябрь вересня
  سبتمبر أيلول σεπτεμβριου ספטמבר
  eyl szeptember rujna septembar септември септембра септембар σεπ σεπτεμβριος ستمبر בספטמבר septembris
  wrz вер szept سپتامبر
october oct oktober octobre octubre ottobre ott outubro out oktoober lokakuuta lokakuu rijen rijna
  pazdziernik pazdziernika ekim octombrie spalio oktobra okt октября октябрь окт жовтня أكتوبر
  اكتوبر οκτωβριου אוקטובר
  eki oktobar октомври октобра октобар οκτ οκτωβριος اکتوبر באוקטובר oktobris
  paz жовт اکتبر
november nov novembre noviembre novembro marraskuuta marraskuu listopad listopadu listopada kasim
  noiembrie lapkricio novembra ноября ноябрь ноя листопада نوفمبر νοεμβριου נובמבר
  kas studenoga studenog novembar ноември новембра новембар νοε νοεμβριος نومبر בנובמבר novembris
  lis нояб лист نوامبر
december dec dezember dez decembre diciembre dic dicembre dezembro desember detsember joulukuuta
  joulukuu prosinec prosince grudzien grudnia aralik decembrie gruodzio desembre decembra des дек
  декабря декабрь грудня ديسمبر δεκεμβριου דצמבר
  ara prosinca decembar декември децембра децембар δεκ δεκεμβριος دسمبر בדצמבר disember decembris
  gru груд dets دسامبر
"""


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in text if not unicodedata.combining(c)).replace("ı", "i")


_MONTH_OF = {
    _fold(name).rstrip("."): k
    for k, line in enumerate(re.sub(r"\n  +", " ", _MONTHS).strip().split("\n"), 1)
    for name in line.split()
} | {name: k for k, name in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)}


@lru_cache(maxsize=1 << 10)
def _month(word: str) -> int:
    """The number of a month by its name, 0 for another word. The same words come again and again."""
    return _MONTH_OF.get(_fold(word), 0)


_DIGIT = re.compile(r"\d")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=T\d{4}|$)")
_WORD = r"[^\W\d_]{3,14}"
_NUMBERS = re.compile(r"(?<![\d./-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d)")
_SLASHED = re.compile(r"/\s?(?:19|20)\d\d")
_SHORT = re.compile(
    r"\W{0,3}(\d\d)([./-])(\d\d)\2(\d\d)(?:,? \d\d?:\d\d(?::\d\d)?(?: ?[ap]\.?m\b)?)?\W{0,3}", re.IGNORECASE
)
_URL = re.compile(r"/((?:19|20)\d\d)(?:[/-]|/[A-Za-z_]{2,20}/)(\d{1,2})[/-](\d{1,2})(?=[/\-_.]|$)")
_URL_NAMED = re.compile(r"/((?:19|20)\d\d)/([A-Za-z]{3,9})/(\d{1,2})(?=[/\-_.]|$)")
_URL_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)")
_DAY_NUMBERS = re.compile(r"\W*(\d{1,2})([-/.])(\d{1,2})\.?\W*")
_DAY_ASIAN = re.compile(r"\W*(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]\W*")
_DAY_MONTH = re.compile(
    rf"\W*(?:\w{{2,10}}\.?,\s)?(\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s(?:de |of )?({_WORD})\W*", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\W*(?:\w{{2,10}}\.?,\s)?({_WORD})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\W*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _latest() -> date:
    # A page may be dated in a time zone ahead of ours, not later than that.
    return datetime.now(UTC).date() + timedelta(days=2)


@lru_cache(maxsize=1)
def _latest_number() -> int:
    latest = _latest()
    return 10000 * latest.year + 100 * latest.month + latest.day


def _made(year: str, month: int | str, day: str) -> str:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return ""
    return found.isoformat() if found.year >= FIRST_YEAR and found <= _latest() else ""


def find_dates(text: str, day_first: bool | None = None) -> Iterator[tuple[int, str]]:
    """(where, date) of the dates in a short text, by kind of writing; `day_first` decides on 3/4/2020.

    >>> [d for _, d in find_dates("Posted 3rd of May 2020, updated Jun. 7, 2021")]
    ['2020-05-03', '2021-06-07']
    >>> [d for _, d in find_dates("Wed Nov 24 15:31:44 CST 2010")]
    ['2010-11-24']
    """
    yield from native.find_dates(western(text), day_first, _month, FIRST_YEAR, _latest_number())


def _first_of(text: str, day_first: bool | None) -> str:
    """The date of `find_dates` that stands first."""
    return min(native.find_dates(text, day_first, _month, FIRST_YEAR, _latest_number()), default=(0, ""))[1]


def _has_signs(text: str) -> bool:
    """False for a text that has no date in numbers alone."""
    return "-" in text or "/" in text or "." in text


def writes_day_first(language: str, host: str) -> bool | None:
    """How a page writes 3/4/2020, by its language and where it is from; None when neither tells.

    Only the United States (and the Philippines) put the month first; those without a spoken order write the year first.

    >>> writes_day_first("fr", "a.org"), writes_day_first("en-GB", "a.org"), writes_day_first("en", "a.co.uk")
    (True, True, True)
    >>> writes_day_first("en-us", "a.org"), writes_day_first("en", "a.org"), writes_day_first("ja", "a.jp")
    (None, None, None)
    """
    primary, _, region = language.lower().replace("_", "-").partition("-")
    if primary in ("en", ""):
        is_abroad = region[:2] in _DAY_FIRST_LANDS or host.rpartition(".")[2] in _DAY_FIRST_LANDS
        return True if is_abroad and region[:2] != "us" else None
    return None if primary in _YEAR_FIRST_LANGUAGES else True


_DAY_FIRST_LANDS = frozenset("gb uk ie au nz in za".split())
_YEAR_FIRST_LANGUAGES = frozenset("ja zh ko hu lt mn".split())


def has_open_order(text: str) -> bool:
    """True where 3/4/2020 stands in a text, which may be of March or of April.

    >>> has_open_order("on 3/4/2020"), has_open_order("on 25/12/2020"), has_open_order("on 3.4.2020")
    (True, False, False)
    """
    found = _NUMBERS.finditer(text) if _SLASHED.search(text) else ()
    return any(match[2] == "/" and int(match[1]) <= 12 and int(match[3]) <= 12 for match in found)


def order_of(text: str) -> bool | None:
    """True when a date in numbers can only have its day first, False for the month, None when it does not tell.

    >>> order_of("25/12/2020"), order_of("12/25/2020"), order_of("1/2/2020")
    (True, False, None)
    """
    match = _NUMBERS.search(text)
    if match is None or (int(match[1]) > 12) == (int(match[3]) > 12):
        return None
    return int(match[1]) > 12


@lru_cache(maxsize=1 << 13)
def parse_date(text: str, day_first: bool | None = None) -> str:
    """The first date of a text as `YYYY-MM-DD`, or an empty string.

    >>> parse_date("2024-05-06T23:00:00+02:00"), parse_date("6. Mai 2024"), parse_date("le 6 août 2024")
    ('2024-05-06', '2024-05-06', '2024-08-06')
    >>> parse_date("24/mar/2006"), parse_date("07.30.04"), parse_date("30.07.04"), parse_date("05.06.04"), parse_date("1.30.04"), parse_date("07/30/04 08:00 AM")
    ('2006-03-24', '2004-07-30', '2004-07-30', '', '', '2004-07-30')
    >>> parse_date("16 февр. 2021 г."), parse_date("2021. 1. 15."), parse_date("2021. január 15."), parse_date("五月 31, 2020"), parse_date("15 paź 2021")
    ('2021-02-16', '2021-01-15', '2021-01-15', '2020-05-31', '2021-10-15')
    >>> parse_date("2024年5月6日"), parse_date("мая 6"), parse_date("30/02/2024"), parse_date("6/5/2024", True)
    ('2024-05-06', '', '', '2024-05-06')
    >>> parse_date("2012. március 3."), parse_date("12 Şub 2012"), parse_date("12 במרץ 2012"), parse_date("۱۰ آبان ۱۴۰۱")
    ('2012-03-03', '2012-02-12', '2012-03-12', '2022-11-01')
    """
    text = text[:400]
    if not _DIGIT.search(text):
        return ""
    text = western(text)
    if not YEAR.search(text):
        match = _COMPACT.search(text)
        return _made(match[1], match[2], match[3]) if match else _short_date(text)
    return _first_of(text, day_first if _has_signs(text) else None)


def _short_date(text: str) -> str:
    """The date of a text that is no more than one with two digits of the year, if it tells the day from the month."""
    match = _SHORT.fullmatch(text)
    if match is None or (int(match[1]) > 12) == (int(match[3]) > 12):
        return ""
    month, day = (match[3], match[1]) if int(match[1]) > 12 else (match[1], match[3])
    return _made(f"{19 if int(match[4]) >= FIRST_YEAR % 100 else 20}{match[4]}", month, day)


@lru_cache(maxsize=1 << 13)
def first_date(line: str, day_first: bool | None = None) -> str:
    """The first of `find_dates`, or an empty string; lines come again on other pages, and are asked for again on one."""
    text = western(line)
    return _first_of(text, day_first if _has_signs(text) else None)


def year_spots(text: str) -> list[int]:
    """Where four digits begin that may be a year, also those within longer numbers, or a year of another calendar.

    >>> year_spots("3 May 2020, 10 آبان 1401")
    [6, 20]
    """
    found = native.year_spots(text)
    return found if text.isascii() else sorted({*found, *other_years(text)})


def day_of_year(line: str, year: str, day_first: bool | None) -> str:
    """The date of a line that is a day without its year; an empty string for other lines.

    >>> day_of_year("12-31", "2019", None), day_of_year("3 January —", "2020", None), day_of_year("Jan 3", "2020", None)
    ('2019-12-31', '2020-01-03', '2020-01-03')
    >>> day_of_year("5月6日", "2020", None), day_of_year("05/06", "2020", True), day_of_year("31.12.", "2019", None)
    ('2020-05-06', '2020-06-05', '2019-12-31')
    >>> day_of_year("3 comments", "2020", None), day_of_year("6.1", "", None)
    ('', '')
    """
    if not year:
        return ""
    if match := _DAY_ASIAN.fullmatch(line):
        return _made(year, match[1], match[2])
    if match := _DAY_NUMBERS.fullmatch(line):
        is_day_first = int(match[1]) > 12 or (
            int(match[3]) <= 12 and (match[2] == "." if day_first is None else day_first)
        )
        return _made(year, match[3], match[1]) if is_day_first else _made(year, match[1], match[3])
    if match := _DAY_MONTH.fullmatch(line):
        return _made(year, _month(match[2]), match[1])
    if match := _MONTH_DAY.fullmatch(line):
        return _made(year, _month(match[1]), match[2])
    return ""


def is_month(word: str) -> bool:
    """True for the name of a month.

    >>> is_month("Août"), is_month("Tea")
    (True, False)
    """
    return _month(word) > 0


def url_date(url: str) -> str:
    """The date in a path such as /2024/05/06/, with a section after the year or without, /2024/may/06/ or /20240506/.

    >>> url_date("http://a.org/2024/05/06/tea"), url_date("http://a.org/2024/99/06/"), url_date("http://a.org/2024/TRAVEL/05/06/tea")
    ('2024-05-06', '', '2024-05-06')
    >>> url_date("http://a.org/2024/may/06/tea"), url_date("http://a.org/20240506/tea"), url_date("http://a.org/tea-202405061.html")
    ('2024-05-06', '2024-05-06', '')
    """
    if match := _URL.search(url):
        return _made(match[1], match[2], match[3])
    if match := _URL_NAMED.search(url):
        return _made(match[1], _month(match[2]), match[3])
    match = _URL_COMPACT.search(url.partition("?")[0])
    return _made(match[1], match[2], match[3]) if match else ""


def swapped(day: str) -> str:
    """The day with its numbers read in the other order, empty if there is none: 2020-03-04 may have been written 3/4/2020 or 4/3/2020.

    >>> swapped("2020-03-04"), swapped("2020-03-14"), swapped("2020-03-03")
    ('2020-04-03', '', '')
    """
    year, month, number = day.split("-")
    return _made(year, number, month) if month != number and int(number) <= 12 else ""


def may_be_swapped(text: str, day: str) -> bool:
    """True for a text with numbers that are this day in one order, and another day in the other.

    >>> may_be_swapped("03-09-2026", "2026-09-03"), may_be_swapped("2026-09-03", "2026-09-03"), may_be_swapped("13.09.2026", "2026-09-13")
    (True, False, False)
    """
    year, month, number = day.split("-")
    wanted = {int(month), int(number)}
    return day[:4] in text and any(
        m[4] == year and {int(m[1]), int(m[3])} == wanted and max(wanted) <= 12 for m in _NUMBERS.finditer(text)
    )


def is_next_day(a: str, b: str) -> bool:
    """True for two dates that are a day apart, in either order.

    >>> is_next_day("2020-03-01", "2020-02-29"), is_next_day("2020-03-01", "2020-03-01"), is_next_day("", "2020-03-01")
    (True, False, False)
    """
    return bool(a and b) and abs(date.fromisoformat(a) - date.fromisoformat(b)) == timedelta(days=1)
