"""What a page shows of the day that it says of itself, and days that stand where its own matter does not."""

from __future__ import annotations

from collections.abc import Callable

from sitegrain.article.fields.days.dates import find_dates, is_next_day, may_be_swapped, swapped, url_date
from sitegrain.article.fields.days.visible import (
    BELOW,
    day_at_title,
    line_of,
    local_day,
    seen_dates,
    shown_dates,
    speaks_of_publishing,
)
from sitegrain.article.fields.metadata import meta_dates
from sitegrain.article.fields.values import Field
from sitegrain.article.fields.view import View
from sitegrain.tables.site import HIDDEN

MAX_ITEM = 400
"""Characters of an item of a list: a title, a day, a lead. Set beforehand."""
ITEM_DEPTH = 5
"""Elements from a link up to the item that it stands in. Set beforehand."""
MAX_DAYS = 200
"""Days that a page shows, of which one may be its own: more are those of a list."""


def day_shown_of(view: View, where: Callable[[], int], told: Field) -> Field:
    """The day that a page says of itself, as it shows it: metadata may be in UTC, of a copy, or have day and month in the wrong order."""
    # The address has the day where it was written.
    near = url_date(view.site.pages.url[view.page]) if told.source == "meta" else ""
    if is_next_day(near, told.value):
        return Field(near, "url")
    if near := _other_order(view, told.value):
        return Field(near, "date line")
    if near := _shown_of_several(view, where, told.value):
        return Field(near, "meta")
    near = local_day(view, where, told.value) or day_at_title(view, where, told.value)
    return Field(near, "date line") if near else told


def _shown_of_several(view: View, where: Callable[[], int], said: str) -> str:
    """Where metadata tell several days of publication: the one that stands near the title of a page that does not show the first one."""
    others = meta_dates(view) - {said}
    shown = [*seen_dates(view)] if others else []
    days = {day for _, day in shown}
    if said in days or others.isdisjoint(days):
        return ""
    title_row = where()
    return next((day for row, day in shown if day in others and abs(row - title_row) <= BELOW), "")


def _other_order(view: View, said: str) -> str:
    """The day that metadata say in numbers of open order ("03-09-2026"), if the page shows it in the other order, and not in this one."""
    other = swapped(said)
    sources = (*view.meta.values(), *view.site.pages.json_ld[view.page]) if other else ()
    if not any(may_be_swapped(source[:MAX_ITEM], said) for source in sources):
        return ""
    shown = {day for _, day in seen_dates(view)}
    return other if other in shown and said not in shown else ""


def day_elsewhere(view: View) -> str:
    """The day of a page that stands in a box of other things: beside a link to the page itself in a list of the latest ones, or behind a word that
    says when it was published. Empty if there is none, or if there are several."""
    return _day_of_own_item(view) or _published_elsewhere(view)


def _day_of_own_item(view: View) -> str:
    """The one day in the items of lists that link to the page itself."""
    found = {day for row in view.own_links if view.text(row) and (day := _day_of_item(view, row))}
    return found.pop() if len(found) == 1 else ""


def _day_of_item(view: View, row: int) -> str:
    first, lists = view.rows.start, view.lists
    for _ in range(ITEM_DEPTH):
        if row < first or lists.text_end[row - first] - lists.text_start[row - first] > MAX_ITEM:
            return ""
        days = {day for _, day in find_dates(view.text(row), view.day_first)}
        if days:
            return days.pop() if len(days) == 1 else ""
        row = lists.parent[row - first]
    return ""


def _published_elsewhere(view: View) -> str:
    """The one day behind a word that says when the page was published, in a box at its side or its foot."""
    found = {
        day
        for row, day in shown_dates(view)[:MAX_DAYS]
        if day not in view.clock_dates
        and view.is_elsewhere(row)
        and not view.lists.flags[row - view.rows.start] & HIDDEN
        and not view.inside(row, "nav", "template", "dialog", "a")
        and speaks_of_publishing(line_of(view, row))
    }
    return found.pop() if len(found) == 1 else ""
