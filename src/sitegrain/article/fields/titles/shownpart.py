"""Which part of its `<title>` a page shows: where no heading says it, a line may, and what stands behind it is a section's name or the site's."""

from __future__ import annotations

from collections.abc import Sequence

from sitegrain.article.fields.titles.titles import (
    MAX_TITLE,
    bare_heading,
    heading_rows,
    is_site_name,
    separators,
    squeeze,
)
from sitegrain.article.fields.titles.untitled import is_no_title
from sitegrain.article.fields.values import Field
from sitegrain.article.fields.view import View
from sitegrain.text.words import title_words

MAX_TEXTS = 2000
"""Text nodes of a page that are looked at: a title stands near the beginning."""
MIN_OWN_WORDS = 3
"""Words of a link to the page itself that is its title: "Read more" and "To the top" are shorter. Set beforehand."""
MIN_WORDS = 2
"""Words of a title; one alone stands in menus and labels, too."""


def shown_instead(view: View, title: str, names: Sequence[str], url: str) -> tuple[Field, int] | None:
    """What a page shows of the `<title>` that no heading says, or its first heading where that is the site's name; and the row of the heading."""
    if (row := _own_heading(view)) >= 0:
        return Field(bare_heading(view.text(row)), view.site.tag_name(row)), row
    if is_site_name(title, names, url):
        row = _first_heading(view, names, url)
        return (Field(bare_heading(view.text(row)), view.site.tag_name(row)), row) if row >= 0 else None
    part = _shown_part(view, title, names, url)
    return (Field(part, "title"), -1) if part else None


def _own_heading(view: View) -> int:
    """The row of the heading that says what a link to the page itself says, in a list of the latest ones or a menu; -1 if there is none."""
    said = {tuple(words) for row in view.own_links if len(words := title_words(view.text(row))) >= MIN_OWN_WORDS}
    if not said:
        return -1
    found = (row for row in view.headings[:100] if tuple(title_words(view.text(row))) in said)
    return next((row for row in found if not view.is_elsewhere(row)), -1)


def _shown_part(view: View, title: str, names: Sequence[str], url: str) -> str:
    """The longest beginning of a title, up to one of its separators, that is a line of the page, or its end behind a colon; empty if there is none, or the
    page shows all of it."""
    cuts = separators(title) if len(title) <= MAX_TITLE else ()
    parts = [title[:start] for start, _ in cuts]
    parts += [title[end:] for start, end in cuts[-1:] if ":" in title[start:end]]
    wanted = {
        part: len(title_words(part))
        for part in parts
        if len(title_words(part)) >= MIN_WORDS and not is_site_name(part, names, url)
    }
    if not wanted:
        return ""
    lists, first, text = view.lists, view.rows.start, view.site.texts[view.page]
    found: set[str] = set()
    for row in view.text_rows[:MAX_TEXTS]:
        start, end = lists.text_start[row - first], lists.text_end[row - first]
        if end - start > MAX_TITLE:
            continue
        line = " ".join(text[start:end].split())
        if (line in wanted or line == title) and _is_line(view, row):
            found.add(line)
    return "" if title in found else max(found, key=lambda part: wanted[part], default="")


def _is_line(view: View, row: int) -> bool:
    """False in menus, in links to other pages, and in what one presses or chooses."""
    is_part = view.inside(row, "head", "button", "label", "option")
    return not (is_part or view.is_elsewhere(row) or view.leads_on(row))


def _first_heading(view: View, names: Sequence[str], url: str) -> int:
    """The row of the first heading of a page whose `<title>` is the site's name, -1 if there is none that may be its title."""
    for tag in ("h2", "h3"):
        for row in heading_rows(view, tag)[:MIN_WORDS]:
            text = view.text(row)
            if (
                len(title_words(text)) >= MIN_WORDS
                and not is_site_name(text, names, url)
                and not view.is_elsewhere(row)
            ):
                return -1 if view.leads_on(row) else row
    return -1


def home_title(view: View, names: Sequence[str], url: str) -> Field | None:
    """The `<title>` of a home page, if it begins with the name of the site: there it is the title, and what follows says what the site is."""

    def is_own_name(text: str) -> bool:
        return bool(squeeze(text)) and is_site_name(text, names, url)

    title = " ".join(view.site.pages.title[view.page].split())
    cuts = separators(title) if len(title) <= MAX_TITLE else ()
    if not cuts or not is_own_name(title[: cuts[0][0]]):
        return None
    first, last = title[: cuts[0][0]], title[cuts[-1][1] :]
    is_said = is_own_name(last)
    rest = title[cuts[0][1] : cuts[-1][0] if is_said else len(title)]
    return Field(first if is_no_title(rest) else title[: cuts[-1][0]] if is_said else title, "title")
