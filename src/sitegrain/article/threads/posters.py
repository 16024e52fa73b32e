"""Who wrote the posts of a page, and when, given which rows belong to which post."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.article.fields.days.dates import order_of, parse_date
from sitegrain.article.threads.postparts import Units
from sitegrain.article.threads.threadpage import (
    LABELLED,
    MAX_NAME,
    ThreadPage,
    empty_text,
    is_of_user,
    may_be_names,
    median,
    say_when,
    tell_joined,
    tells_joined,
)
from sitegrain.tables.memo import cached_property
from sitegrain.tables.tags import TAG_CODE, TEXT

MARKED = 0.6
"""Share of the posts that must have a date or a name of their own. Set beforehand."""
BESIDE_DAY = 0.5
"""Weight of names that stand right before or after the day, where nothing says that they are of users: of users those may be whom they answer. Set beforehand."""
_A = TAG_CODE["a"]
_NOT_WHEN = re.compile(r"edited|last|updated|geändert|modifi", re.IGNORECASE)


class SignedPage(ThreadPage):
    """A page of posts with who wrote them and when."""

    day_first: bool | None = None
    """How 3/4/2020 is written, where no day of the posts tells."""

    @cached_property
    def _when(self) -> Bools:
        """Rows that say when."""
        when = np.asarray(self.tag == TAG_CODE["time"])
        when[self.lines[say_when(self.site).of(self.text_ids[self.lines]) > 0]] = True
        when[self.hinted_days()] = True
        return when

    def _names(self, units: Units) -> dict[int, int]:
        """Post -> the text node with the name of who wrote it."""
        found: dict[int, dict[int, int]] = defaultdict(dict)
        rank: dict[int, list[int]] = defaultdict(list)
        seen: Counter[int] = Counter()
        users: dict[int, int] = {}
        title = self.site.pages.title[self.page]
        rows = self.lines[units.owner[self.lines] >= 0]
        rows = rows[may_be_names(self.site).of(self.text_ids[rows]) > 0]
        columns = rows, units.owner[rows], units.keys[self.parent[rows]], self.text_ids[rows], self._near_users[rows]
        texts = self.site.unique_texts
        in_title: dict[int, bool] = {}
        for row, i, key, text, is_near in zip(*(column.tolist() for column in columns), strict=True):
            if (is_title := in_title.get(text)) is None:
                is_title = in_title[text] = texts[text] in title
            if is_title:
                continue
            if is_near and i not in users and self.is_user(row):
                users[i] = row
            if i not in (own := found[key]):
                own[i] = row
                rank[key].append(seen[i])
                seen[i] += 1
        ids, wanted, best, best_score = self.ids, self.wanted.data, 0, 0.0
        for key, own in found.items():
            different = {ids[row] for row in own.values()}
            share = len(own) / units.n
            row = next(iter(own.values()))
            if share < MARKED or (len(different) == 1 and len(own) > 2 and not self.is_signed(row)):
                continue
            score = share + 0.5 * len(different) / len(own) + 0.4 / (1 + median(rank[key]))
            score += (
                1.0 * (self.is_user(row) or LABELLED.match(self.said(row)) is not None or self.is_signed(row))
                + 0.2 * self.is_linked(row)
                + 0.4 * self.is_called(row)
            )
            if not self.is_user(row):
                score += BESIDE_DAY * sum(map(self._is_beside_day, own.values())) / len(own)
            score -= 0.8 * sum(wanted[r] for r in own.values()) / len(own) * (not self.is_user(row))
            if score > best_score:
                best, best_score = key, score
        often = Counter(ids[row] for row in users.values())
        users = {i: row for i, row in users.items() if units.n < 3 or 2 * often[ids[row]] <= units.n}
        # Moderators and guests are often named by other classes than members.
        return {**users, **found[best]} if best_score else users

    def _is_beside_day(self, row: int) -> bool:
        """Whether the line that it stands in, or the text right before or after it, says when."""
        line, texts = self.line(row), self._said_rows
        at = int(np.searchsorted(texts, row))
        near = texts[max(at - 1, 0) : at + 2]
        return bool(self._when[line.start : line.stop].any() or self._when[near].any())

    @cached_property
    def _said_rows(self) -> Ints64:
        """Rows of the text nodes that say something."""
        rows = np.flatnonzero((self.tag == TEXT) & (self.size > 0))
        return np.asarray(rows[self.text_ids[rows] != empty_text(self.site)], np.int64)

    def _dates(self, units: Units) -> tuple[dict[int, str], list[int]]:
        """(post -> its date, the text nodes that say no more than when)."""
        found: dict[int, dict[int, tuple[str, int]]] = defaultdict(dict)
        lines = self.lines
        of_posts = np.flatnonzero(self._when[lines] & (units.owner[lines] >= 0))
        # The day that somebody joined stands beside a line that says so.
        of_posts = of_posts[
            tell_joined(self.site).of(self.text_ids[lines[np.maximum(of_posts - 1, 0)]]) * (of_posts > 0) == 0
        ]
        rows = lines[of_posts]
        told = [order for row in rows.tolist() if (order := order_of(self.said(row))) is not None]
        day_first = told[0] if told else self.day_first
        columns = rows, units.owner[rows], units.keys[self.parent[rows]]
        for row, i, key in zip(*(column.tolist() for column in columns), strict=True):
            if key in found and i in found[key]:
                continue
            text = self.said(row)
            if _NOT_WHEN.search(text) or tells_joined(self.line_text(row)[:30]):
                continue
            found[key][i] = (self._date(row, text, day_first), row)
        if not found:
            return {}, []
        texts, ids, wanted = self.texts, self.ids, self.wanted.data

        def worth(key: int) -> float:
            own = found[key]
            dated = sum(bool(date) for date, _ in own.values())
            inside: int = sum(len(texts[ids[row]]) > 40 and wanted[row] for _, row in own.values())
            # Posts follow one another in time; those who wrote them did not join in that order.
            days = [date for _, (date, _) in sorted(own.items()) if date]
            steps = list(pairwise(days))
            in_order = max(sum(a <= b for a, b in steps), sum(a >= b for a, b in steps))
            return len(own) + dated - inside + in_order / max(len(steps), 1)

        best = max(found, key=worth)
        if len(found[best]) < 0.5 * units.n:
            return {}, []
        dates = {i: date for i, (date, _) in found[best].items() if date}
        if 0 not in dates and dates:  # the post that opens the thread may be of another template; no answer is older
            opening = min((own[0][::-1] for own in found.values() if 0 in own and own[0][0]), default=(0, ""))[1]
            if "" < opening <= min(dates.values()):
                dates[0] = opening
        return dates, [row for _, row in found[best].values() if len(self.said(row)) <= MAX_NAME]

    def _date(self, row: int, text: str, day_first: bool | None) -> str:
        for attrs in self.near_attrs(row):
            for name in ("datetime", "title", "content") if attrs else ():
                if (value := attrs.get(name, "")) and (date := parse_date(value)):
                    return date
        return parse_date(text, day_first)

    def _face(self, units: Units, i: int) -> str:
        """Who the first link to a member's page says it is by its title: some boards show faces and no names."""
        for row in np.flatnonzero((self.tag == _A) & (units.owner == i)).tolist()[:20]:
            attrs = self.attrs_of(row)
            title = " ".join(attrs.get("title", "").split())
            if is_of_user(attrs.get("href", "")) and 2 <= len(title) <= MAX_NAME and " " not in title:
                return title
        return ""
