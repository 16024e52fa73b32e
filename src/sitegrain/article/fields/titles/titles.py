"""What the page is called: `<title>` without the site's name, next to what the page shows as its heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Protocol

from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.address import host_of, site_key
from sitegrain.text.words import title_words

SEPARATOR = re.compile(
    r"\s+[|\-–—·•»«:~⋅|/]{1,2}\s+|\s*[|｜│»«_]\s*|\s+::\s+|(?<=\S): |\s*[–—]\s+|(?<=[」』】》])[:：-]"
)
_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/\w+/(?=https?:)")
_HOST_ENDINGS = frozenset(("com", "org", "net", "blog", "inc", "us", "uk", "forum", "forums", "sforum", "wiki"))
MAX_TITLE = 300
MAX_PARTS = 8
MAX_NAME_WORDS = 3
"""A heading of more words that begins with the host's name is the title all the same if `<title>` has them ("Nintendo Switch OLED Model")."""


class KnownTitles(Protocol):
    """What a site tells of the titles of its pages."""

    title_ends: tuple[str, ...]
    repeated: frozenset[str]
    shared: frozenset[str]

    def is_constant(self, name: str, value: str) -> bool: ...


def likeness(a: str, b: str) -> float:
    """Share of the shorter title's words that the other has, 0 to 1; scripts without spaces by characters."""
    x, y = title_words(a), title_words(b)
    if len(x) <= 2 or len(y) <= 2:
        joined = "".join(x), "".join(y)
        if min(map(len, joined)) >= 4 and (joined[0] in joined[1] or joined[1] in joined[0]):
            return 1.0
        if not a.isascii():
            x, y = list(joined[0]), list(joined[1])
    if not x or not y:
        return 0.0
    return len(set(x) & set(y)) / min(len(set(x)), len(set(y)))


def agreement(heading: str, said: str) -> float:
    """Likeness of a heading to a title; little of a long title is no likeness."""
    n, m = len(title_words(heading)), len(title_words(said))
    if min(n, m) <= 2 and not heading.isascii():  # scripts without spaces
        n, m = len(squeeze(heading)), len(squeeze(said))
    return likeness(heading, said) * (0.4 if 4 * n < m else 1.0)


def squeeze(text: str) -> str:
    """The words of a text without what parts them."""
    return "".join(title_words(text))


def plain_letters(text: str) -> str:
    """Letters without their accents, as hosts have them.

    >>> plain_letters("nestlémarkt")
    'nestlemarkt'
    """
    return (
        text
        if text.isascii()
        else "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    )


@lru_cache(maxsize=256)
def host_name(url: str) -> str:
    """The part of a host that is like the name of its site.

    >>> host_name("http://www.bay-courier.com/x")
    'baycourier'
    """
    return _host_label(host_of(_ARCHIVED.sub("", url) if "web.archive.org" in url else url))


@lru_cache(maxsize=1 << 10)
def _host_label(host: str) -> str:
    return site_key(host).partition(".")[0].replace("-", "")


def is_site_name(text: str, names: Collection[str], url: str) -> bool:
    """True when a piece of a title is the name of the site: one of these names, or its host's.

    >>> is_site_name("The Bay Courier", (), "http://www.baycourier.com/x"), is_site_name("Tea", ("TEA!",), ""), is_site_name("bay.de", (), "http://bay.de/")
    (True, True, True)
    """
    squeezed = squeeze(text)
    if not squeezed:
        return True
    for name in names:
        other = squeeze(name)
        if other and (
            squeezed == other
            or (len(squeezed) > 4 and (squeezed in other or (other in squeezed and 2 * len(other) >= len(squeezed))))
        ):
            return True
    label, squeezed = host_name(url), plain_letters(squeezed)
    plain = squeezed.removeprefix("the").removeprefix("www")
    if len(label) > 3 and plain.startswith(label) and plain[len(label) :] in _HOST_ENDINGS:
        plain = label
    words = title_words(text)
    if len(words) >= 3 and 0 <= len(words) - len(label) <= 1:
        initials = "".join(w[0] for w in words)
        if initials in (label, label + "s"):
            return True
    return bool(label) and (
        plain == label
        or squeezed in (label, squeeze(host_of(url).removeprefix("www.")))
        or (len(label) >= 4 and label in squeezed and 2 * len(label) >= len(squeezed))
        or (len(plain) >= 5 and plain in label)
    )


def without_sign(authors: str, names: Collection[str], url: str) -> str:
    """Names of authors without the site's after the last one: its sign, or a name of several words.

    >>> without_sign("Ann Lee, Bo Chi, BAY", ("Bay",), ""), without_sign("Ann Lee, Bay", ("Bay",), ""), without_sign("BAY", ("Bay",), "")
    ('Ann Lee, Bo Chi', 'Ann Lee, Bay', 'BAY')
    >>> without_sign("Ann Lee, Bay Courier", ("Bay Courier",), ""), without_sign("Ann Lee, BAY SOUTH", ("Bay",), "")
    ('Ann Lee', 'Ann Lee')
    """
    first, _, last = authors.rpartition(", ")
    if " " not in first or not (last.isupper() or " " in last):
        return authors
    # A house with several names them behind its sign: "BAY SOUTH".
    sign = last.partition(" ")[0] if last.isupper() else last
    return first if is_site_name(sign, names, url) else authors


def _ends_with(text: str, names: Collection[str]) -> bool:
    """True for more words than a name, which stands at their end ("New to Astronomy")."""
    squeezed = squeeze(text).removeprefix("the")
    return any((other := squeeze(name)) and squeezed.endswith(other) and squeezed != other for name in names)


def separators(title: str) -> tuple[tuple[int, int], ...]:
    """Where the separators of a title begin and end. Pages say their title several times, and several rules ask."""
    return _separators(title) if len(title) <= MAX_TITLE else _separators.__wrapped__(title)


@lru_cache(maxsize=1 << 10)
def _separators(title: str) -> tuple[tuple[int, int], ...]:
    return tuple(cut.span() for cut in SEPARATOR.finditer(title))


_PAGE_NUMBER = late_pattern(
    r"\s\((?:page|página|pagina|seite|страница|сторінка|strona|strana|stránka|sida|side|sivu|oldal|sayfa|halaman|trang|σελίδα|صفحة) \d{1,4}\)$",
    re.IGNORECASE,
)
"""Which page of a thread it is, as boards write it behind its title."""


def strip_site(title: str, names: Collection[str], url: str, known: Collection[str] = ()) -> str:
    """A title without the name of its site, before or after it.

    >>> strip_site("Tea | The Bay Courier", (), "http://baycourier.com/tea")
    'Tea'
    >>> strip_site("Bay Courier: Tea - with milk", ("Bay Courier",), ""), strip_site("「茶」:Bay日誌", ("Bay日誌",), "")
    ('Tea - with milk', '「茶」')
    >>> strip_site("Tea (Page 2) / The Bay Courier", (), "http://baycourier.com/tea"), strip_site("Tea (1971)", (), "")
    ('Tea', 'Tea (1971)')
    """
    for end in known:
        if len(title) > len(end) + 1:
            if title.endswith(end):
                return _PAGE_NUMBER.sub("", title[: -len(end)].rstrip())
            if title.startswith(end):
                return title[len(end) :].lstrip()
    host = host_of(url).removeprefix("www.")
    if host and title[: len(host)].lower() == host and title[len(host) : len(host) + 1] == " ":
        title = title[len(host) :].lstrip(" |-–—:")  # blogs of old programs: "bay.org Tea"
    is_named = False
    for _ in range(3):
        cuts = separators(title)
        if not cuts:
            break
        first, last = cuts[0], cuts[-1]
        start = title[: first[0]]
        if is_site_name(title[last[1] :], names, url) and title[: last[0]].strip():
            title, is_named = title[: last[0]].strip(), True
        elif (
            is_site_name(start, names, url)
            # Named at the end, a site is named at the start by its very name only ("New to Astronomy – ... - Astronomy"); with a number it
            # is an issue or a part of it.
            and (
                squeeze(start) in (host_name(url), *map(squeeze, names))
                or not (is_named or any(map(str.isdigit, start)) or _ends_with(start, names))
            )
            and title[first[1] :].strip()
        ):
            title = title[first[1] :].strip()
        else:
            break
    # What stands behind a bar is about the site, if what stands before it can be a title.
    head = re.split(r"\s[|｜]\s", title)[0]
    if len(title_words(head)) >= 2 or not head.isascii():
        title = head
    return _PAGE_NUMBER.sub("", title).strip()


def runs_of(title: str) -> set[tuple[str, ...]]:
    """The words of a title's parts and of neighbouring parts together.

    >>> sorted(runs_of("Tea: how to | Bay"))
    [('bay',), ('how', 'to'), ('how', 'to', 'bay'), ('tea',), ('tea', 'how', 'to'), ('tea', 'how', 'to', 'bay')]
    """
    cuts = separators(title[:1000])[:MAX_PARTS]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(title)]
    found = {tuple(title_words(title[a:b])) for i, a in enumerate(starts) for b in ends[i:]}
    return found - {()}


def before_kicker(heading: str, said: str) -> str:
    """The headline of a heading that has a kicker above it, where the page says of itself first the headline and then the kicker.

    >>> before_kicker("Hot water Tea is cheaper", "Tea is cheaper - Hot water"), before_kicker("Tea is cheaper", "Tea is cheaper - Bay")
    ('Tea is cheaper', '')
    """
    cuts = separators(said)
    is_apart = len(cuts) == 1 and ":" not in said[slice(*cuts[0])]  # before a colon stands a kicker
    head, tail = (said[: cuts[0][0]], said[cuts[0][1] :]) if is_apart else ("", "")
    return head if head and title_words(tail) + title_words(head) == title_words(heading) else ""


def is_without_end(heading: str, other: str) -> bool:
    """True for another heading that says all but what stands behind the last separator of this one: the board or the section.

    >>> is_without_end("How to brew green tea - Tea Forum", "How to brew green tea"), is_without_end("Brewing green tea: a guide", "Brewing green tea")
    (True, False)
    """
    cuts = separators(heading)
    words = title_words(heading[: cuts[-1][0]]) if cuts and ":" not in heading[slice(*cuts[-1])] else []
    return len(words) > MAX_NAME_WORDS and words == title_words(other)


def bare_heading(text: str) -> str:
    """A heading without the permalink signs at its end (`¶`, `#`, pictures of a font, spaces of no width) and without soft hyphens.

    >>> bare_heading("Tea \uf0c1"), bare_heading("C# ¶")
    ('Tea', 'C#')
    """
    text = text.replace("\xad", "")
    last = text.rstrip()[-1:]
    if last not in "¶§\u200b#" and not "\ue000" <= last <= "\uf8ff":  # most headings
        return text
    return re.sub(r"(?:\s*[¶§\u200b\ue000-\uf8ff]|\s+#)+\s*$", "", text)


def said_once(text: str) -> str:
    """A heading that says its words twice, once for readers of the screen and once for eyes, says them once.

    >>> said_once("News News"), said_once("Bora Bora Bora"), said_once("Tea")
    ('News', 'Bora Bora Bora', 'Tea')
    """
    words = text.split()
    half, rest = divmod(len(words), 2)
    return " ".join(words[:half]) if half and not rest and words[:half] == words[half:] else text


def heading_rows(view: View, tag: str = "h1", is_asked: Callable[[int], bool] | None = None) -> list[int]:
    """Headings that have text and stand on the page itself; none where it is not asked for any of them."""
    found = [row for row in view.tagged(tag)[:40] if 2 <= len(view.text(row)) <= MAX_TITLE]
    if is_asked is not None and not any(map(is_asked, found)):
        return []
    return [row for row in found if not view.is_elsewhere(row)] or found
