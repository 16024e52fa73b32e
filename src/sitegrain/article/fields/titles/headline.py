"""Which of what a page says and shows is its title: the heading that says what `<title>` says, and as much of it as is its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sitegrain.article.fields.metadata import page_items
from sitegrain.article.fields.titles.headings import (
    MAX_HEADING_ROWS,
    beginning_within,
    below_book,
    fuller_heading,
    heading_text,
    is_day,
    is_in_trail,
    numbered_heading,
    without_copies,
)
from sitegrain.article.fields.titles.shownpart import home_title, shown_instead
from sitegrain.article.fields.titles.titles import (
    MAX_NAME_WORDS,
    MAX_TITLE,
    SEPARATOR,
    KnownTitles,
    agreement,
    bare_heading,
    before_kicker,
    heading_rows,
    host_name,
    is_site_name,
    is_without_end,
    likeness,
    runs_of,
    said_once,
    separators,
    squeeze,
    strip_site,
)
from sitegrain.article.fields.titles.untitled import is_no_title
from sitegrain.article.fields.values import NOTHING, Field
from sitegrain.article.fields.view import View
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.memo import cached_property
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, TAG_CODE
from sitegrain.text.jsonld import plain
from sitegrain.text.words import title_words

_A, *_PAGE = (TAG_CODE[tag] for tag in ("a", "body", "main", "article"))
_HREF = (ATTRIBUTES.index("href"),)
_NUMBERED = re.compile(r"[?&][^=&]*=\d+(?:&|$)")
BELOW_TRAIL = 300
"""Characters between a trail of links and the headline: an address, a day, a kicker. Set beforehand."""
TRAIL_WORDS = 0.2
"""Share of the longer words of a headline that the end of the trail has, too. Set by sight: the headings of 30 news pages share a fifth or more."""
MIN_LETTERS = 4
MANY = 3
"""`<h1>`s of a page that uses them for its sections."""
SAME = 2.0
"""Score of a heading that says just what the page says of itself: above any likeness, which is 1 at most."""


class Headline:
    """The title of one page, and the row of the heading that shows it (-1 if none does)."""

    def __init__(self, view: View, names: Sequence[str], known: KnownTitles | None) -> None:
        self.view, self.names, self.known = view, names, known
        self.url = view.site.pages.url[view.page]

    @cached_property
    def _is_home(self) -> bool:
        # A number after the question mark is that of a post ("/?p=12").
        return "/" not in (key := page_key(self.url)) and not _NUMBERED.search(key)

    def _strip(self, title: str) -> str:
        title = " ".join(title.split())[:1000]
        return strip_site(title, self.names, self.url, self.known.title_ends if self.known else ())

    @cached_property
    def _raw(self) -> list[tuple[str, str]]:
        """(where, title) as the page says it."""
        view, meta = self.view, self.view.meta
        linked = (plain(i.data.get("headline")) or plain(i.data.get("name")) for i in page_items(view)[:3])
        said = (
            ("title", view.site.pages.title[view.page]),
            ("og:title", meta.get("og:title", "")),
            ("json-ld", next((x for x in linked if x), "")),
            ("twitter:title", meta.get("twitter:title", "")),
        )
        return [
            (source, value)
            for source, value in said
            if value
            and not is_no_title(value, self.url)
            and not (self.known is not None and self.known.is_constant("title", value))
        ]

    @cached_property
    def _said(self) -> list[Field]:
        own = {value: self._strip(value) for value in {value for _, value in self._raw}}  # most pages say it twice
        return [Field(own[value], source) for source, value in self._raw if own[value]]

    @property
    def is_said(self) -> bool:
        """True when the page says of itself what it is called."""
        return bool(self._said)

    @cached_property
    def _runs(self) -> set[tuple[str, ...]]:
        """The words of the parts of the page's titles, of neighbouring ones too."""
        return {run for value in {value for _, value in self._raw} for run in runs_of(value)}

    @cached_property
    def _first_headings(self) -> list[int]:
        """Rows of the `<h1>`s: several rules ask. One that says just what the page says of itself is the page's wherever it stands."""
        rows, every = heading_rows(self.view), self.view.tagged("h1")[:40]
        said = {tuple(title_words(f.value)) for f in self._said} if len(rows) < len(every) else set()
        own = [r for r in every if r in rows or tuple(title_words(self.view.text(r))) in said] if said else rows
        return without_copies(self.view, own, self._links_home)

    def _text(self, row: int) -> str:
        return heading_text(self.view, row, self._is_said)

    def _is_said(self, text: str) -> bool:
        """True for a part of what the page says of itself."""
        return tuple(title_words(text)) in self._runs

    def _is_name(self, row: int, text: str) -> bool:
        """True for a heading with the site's name: one of its names, the host's, or one that links to the home page."""
        if self._is_home:
            return False
        squeezed, label = squeeze(text), host_name(self.url)
        if squeezed in map(squeeze, self.names):
            return True
        words = title_words(text)
        if any(words == title_words(f.value) for f in self._said):
            return False
        if self._is_end(words):
            return True
        is_long = len(words) > MAX_NAME_WORDS
        if self._begins(words) and (is_long or self._is_named_last(words, label)):
            return False
        # Where `<title>` names a section, nothing but the heading can tell.
        is_host = (
            len(label) > 3
            and squeezed.startswith(label)
            and not (is_long and (self._is_shared or self._is_half_said(words)))
        )
        return is_host or self._links_home(row)

    def _is_named_last(self, words: list[str], label: str) -> bool:
        """True for the first part of a `<title>` whose last part has the host's name: so the first has it as a word of its own."""
        parts = SEPARATOR.split(self.view.site.pages.title[self.view.page])
        return len(parts) > 1 and title_words(parts[0]) == words and len(label) > 3 and label in squeeze(parts[-1])

    def _is_section(self, text: str) -> bool:
        """True for a part of `<title>` of which `og:title` has no word, where `og:title` is another part of it or an `<h1>`: the section or site."""
        words = title_words(text)
        is_label = 0 < len(words) < MAX_NAME_WORDS
        if not is_label or not self._shared or tuple(words) not in runs_of(self.view.site.pages.title[self.view.page]):
            return False
        return set(words).isdisjoint(title_words(self._shared)) and likeness(text, self._shared) == 0.0

    @cached_property
    def _shared(self) -> str:
        """The title that `og:title` gives, if the page says or shows it elsewhere, too."""
        value = next((f.value for f in self._said if f.source == "og:title"), "")
        words = title_words(value)
        if len(words) < 2 or self._is_home or is_site_name(value, self.names, self.url):
            return ""
        is_part = tuple(words) in runs_of(self.view.site.pages.title[self.view.page])
        return value if is_part or any(title_words(self._text(row)) == words for row in self._first_headings) else ""

    def _begins(self, words: list[str]) -> bool:
        """True for the words with which something that the page says of itself begins."""
        return any(title_words(value)[: len(words)] == words for _, value in self._raw)

    def _is_half_said(self, words: list[str]) -> bool:
        """True for words of which half are in what the page says of itself."""
        return any(2 * len(set(words) & set(title_words(f.value))) >= len(set(words)) for f in self._said)

    def _is_beginning(self, words: list[str]) -> bool:
        """True for the first words of what the page says of itself, enough of them to be a title."""
        return len(words) > MAX_NAME_WORDS and self._begins(words)

    def _is_end(self, words: list[str]) -> bool:
        """True for the last part of `<title>`, or one of the last, where more than as much again stands before it: the site or the section.
        Only of a page alone: where the site is known, the headings that it repeats are."""
        if self.known is not None or not words or tuple(words) not in self._runs:
            return False
        said = "".join(title_words(self._raw[0][1]))
        place = said.rfind("".join(words))
        return place > len(said) - place and not is_site_name(SEPARATOR.split(self._raw[0][1])[0], self.names, self.url)

    def _links_home(self, row: int) -> bool:
        view, base = self.view, self.view.site.pages.base[self.view.page]
        up, end = int(view.site.nodes.parent[row]), min(int(view.site.nodes.end[row]), row + MAX_HEADING_ROWS)
        link, href = next(iter(view.values(up, up + 1, _HREF) or view.values(row + 1, end, _HREF)), (-1, ""))
        if link < 0 or (link > row and view.text(link) != view.text(row)):
            return False
        url = resolve(href, base)
        return bool(url) and "/" not in page_key(url)

    def _below_trail(self) -> tuple[Field, int] | None:
        """The `<h2>` under a trail of links whose end is the page's one `<h1>`, which is small and for machines: the headline has words of it."""
        view, (first, lists) = self.view, (self.view.rows.start, self.view.lists)
        # A link home is the site's name in a bar, and below it stands what the site says of itself.
        if len(rows := self._first_headings) != 1 or self._links_home(rows[0]):
            return None
        row = next((h for h in view.tagged("h2") if h >= lists.end[rows[0] - first] and not view.is_elsewhere(h)), -1)
        if row < 0 or lists.text_start[row - first] - lists.text_end[rows[0] - first] > BELOW_TRAIL:
            return None  # of most pages, which is sooner told than where the heading stands
        if not is_in_trail(view, rows[0]) or self._is_said_by_all(rows[0]):
            return None
        text = said_once(view.text(row))
        words = title_words(text)
        own = {word for word in words if len(word) >= MIN_LETTERS}
        shared = own.intersection(title_words(view.text(rows[0])))
        if not 2 <= len(text) <= MAX_TITLE or len(shared) < max(1.0, TRAIL_WORDS * len(own)):
            return None
        if headline := self._under_kicker(row, words):
            return headline, row
        said = next((f.value for f in self._said if title_words(f.value) == words), "")  # with the colon after a kicker
        return Field(said or self._within(row, text).value, "h2"), row

    def _under_kicker(self, row: int, words: list[str]) -> Field | None:
        """What `og:title` says, where it is an element of its own in this heading: what stands before or after it is a kicker."""
        end = min(int(self.view.site.nodes.end[row]), row + MAX_HEADING_ROWS)
        for f in self._said:
            inner = title_words(f.value) if f.source == "og:title" else []
            if 2 <= len(inner) < len(words) and any(
                title_words(self.view.text(i)) == inner for i in range(row + 1, end)
            ):
                return f
        return None

    def _is_said_by_all(self, row: int) -> bool:
        """True for a heading whose words `<title>`, `og:title` and JSON-LD, if there is any, all give."""
        words = title_words(self._text(row))
        said = {f.source: title_words(f.value) == words for f in self._said}
        return said.get("title", False) and said.get("og:title", False) and said.get("json-ld", True)

    def _leads_on(self, row: int) -> bool:
        """True for a heading that is a link to another page: it is that page's title."""
        view, links = self.view, self.view.site.links
        own = view.site.page_links(view.page)
        first, lists = view.rows.start, view.lists
        around = row
        while around >= first and lists.tag[around - first] != _A and lists.tag[around - first] not in _PAGE:
            around = lists.parent[around - first]
        top = around if around >= first and lists.tag[around - first] == _A else row
        lo, hi = (own.start + int(k) for k in np.searchsorted(links.node[own], [top, lists.end[top - first]]))
        text = view.text(row) if lo < hi else ""
        return any(
            links.url[i] and not links.is_self[i] and (links.node[i] == top or view.text(int(links.node[i])) == text)
            for i in range(lo, hi)
        )

    @property
    def _is_shared(self) -> bool:
        """True when `<title>` is that of other pages, too, and says nothing of this one."""
        return self.known is not None and self.view.site.pages.title[self.view.page] in self.known.shared

    @cached_property
    def found(self) -> tuple[Field, int]:
        """The title, and the row of its heading."""
        field, row = self._found
        if numbered := numbered_heading(self.view, field.value):
            return numbered
        if field.source in HEADINGS:
            return field, row
        if self._is_home and (home := home_title(self.view, self.names, self.url)):
            return home, row
        if field.source == "title" and self.known is None and not self._is_home:
            return shown_instead(self.view, field.value, self.names, self.url) or (field, row)
        return field, row

    @property
    def _found(self) -> tuple[Field, int]:
        if headline := self._below_trail():
            return headline
        headings = [(row, self._text(row)) for row in self._first_headings]
        if self.known is not None:
            headings = [(row, text) for row, text in headings if text not in self.known.repeated]
        own = [(row, text) for row, text in headings if not self._is_name(row, text) and not self._is_section(text)]
        listed: set[int] = set()
        # Of a page alone the first heading is as good a guess, and links cost time.
        if self.known is not None and len(own) > 1:
            listed = {row for row, text in own if self._leads_on(row) and self._score(text) < SAME}
        is_list = len(listed) > 1
        if is_list:  # the titles of other pages, and what stands under them
            own = [(row, text) for row, text in own if row < min(listed) or self._score(text) >= SAME]
        if self._is_shared and not own and not is_list and (first := self._only_heading()):
            return first
        if own and (part := self._below_section(own)):
            return part
        if not self._said:
            headings = own or ([(min(listed), "")] if is_list else headings)
            if first := self._first_heading(headings):
                return first
            if headings and headings[0][1]:
                return Field(headings[0][1], "h1"), headings[0][0]
            leads_on = is_list or self._is_home
            if not leads_on and sum(map(self._leads_on, heading_rows(self.view, "h2")[:12])) < 2:
                return NOTHING, -1
            title = self.view.site.pages.title[self.view.page]
            name = (title if self._is_home else self._strip(title) or title) or next(iter(self.names), "")
            return Field(name, "title") if name else NOTHING, -1
        # The heading that says what the page says of itself, and most of it.
        if own:
            scores = [(self._score(text), " " in text, -k) for k, (_, text) in enumerate(own)]
            best, _, k = max(scores)
            row, text = own[-k]
            if best >= SAME:
                row, text = next((h for h in own if is_without_end(text, h[1])), (row, text))
                return self._above(title_words(text)) or (self._within(row, text), row)
            lower = self._lower_heading()
            if lower is not None and k == 0 and best >= 0.5 and self._is_over_part(row, text, *lower):
                lower = None
            if best >= 0.5 and (lower is None or set(title_words(lower[0].value)) <= set(title_words(text))):
                # Of several headings that are merely like the title, one below the first is a section's.
                if len(own) >= MANY and own[-k] != own[0] and not self._is_beginning(title_words(text)):
                    if scores[0][0] < 0.5:
                        return self._cleanest(), own[0][0]
                    row, text = own[0]
                return self._within(row, text), row
            # <title> is often written for search engines.
            is_first = best > 0 and k == 0 and len(title_words(text)) > MAX_NAME_WORDS
            is_one = len({text for _, text in own}) == 1
            if lower is None and (is_one or is_first) and not self._is_home and self._may_be_title(text, best):
                return Field(bare_heading(text), "h1"), own[0][0]
            return lower or (self._cleanest(), own[0][0])
        fuller = None if self._is_home else fuller_heading(self.view, self._said[0].value)
        return self._lower_heading() or fuller or (self._cleanest(), -1)

    def _above(self, words: list[str]) -> tuple[Field, int] | None:
        """The lower heading with which `<title>` begins, where an `<h1>` with these words ends it: the `<h1>` is the book's or the site's."""
        title = self.view.site.pages.title[self.view.page]
        said, cuts = title_words(title), separators(title)
        last = title_words(title[cuts[-1][1] :]) if cuts else []
        if self._is_home or not cuts or ":" in title[slice(*cuts[-1])]:
            return None  # a headline stands after its kicker and a colon
        if len(words) < MAX_NAME_WORDS < len(last):
            return self._below_label(words, last)
        if last != words:
            return None
        lower = self._lower_heading()
        own = title_words(lower[0].value) if lower is not None else []
        return lower if own and said[: len(own)] == own and len(own) + len(words) <= len(said) else None

    def _below_label(self, words: list[str], last: list[str]) -> tuple[Field, int] | None:
        """The lower heading that ends `<title>`, where the `<h1>` is one or two words in its middle: the section ("Bay - News - The tea is hot again")."""
        rows = heading_rows(self.view, "h2", lambda row: title_words(bare_heading(self.view.text(row))) == last)
        row = next((row for row in rows if title_words(bare_heading(self.view.text(row))) == last), -1)
        is_said_first = any(title_words(f.value) == words for f in self._said) or self._begins(words)
        return None if row < 0 or is_said_first else (Field(bare_heading(self.view.text(row)), "h2"), row)

    def _score(self, heading: str) -> float:
        words = title_words(heading)
        if words and any(words == title_words(f.value) for f in self._said):
            return SAME + 0.1
        if words and tuple(words) in self._runs:
            return SAME + 0.05 if self._begins(words) else SAME
        return max((agreement(heading, f.value) for f in self._said), default=0.0)

    @staticmethod
    def _may_be_title(heading: str, score: float) -> bool:
        # One word that <title> does not have is a label ("Imprint"), and so are two signs of a script without spaces.
        return (score > 0 or len(title_words(heading)) > 1) and len(squeeze(heading)) >= MIN_LETTERS

    def _cleanest(self) -> Field:
        # Markup for machines is cleaner than <title>, when it is the same title.
        chosen = self._said[0]
        for f in self._said[1:]:
            is_same = likeness(f.value, chosen.value) >= 0.99 and len(f.value) < len(chosen.value)
            if is_same and (self._is_home or not is_site_name(f.value, self.names, self.url)):
                return f
        return chosen

    def _lower_heading(self) -> tuple[Field, int] | None:
        for tag in ("h2", "h3"):
            for row in heading_rows(self.view, tag, self._may_be_said):
                text = self.view.text(row)
                words = title_words(text)
                # JSON-LD may be of anything on the page, such as a question with its answer.
                said = (f for f in self._said if f.source != "json-ld")
                if any(words == title_words(f.value) for f in said) or self._is_own_part(words):
                    return self._under_kicker(row, words) or Field(bare_heading(text), tag), row
        return None

    def _may_be_said(self, row: int) -> bool:
        """False for a heading that says nothing of what the page says of itself: most, and this is sooner told than where each stands."""
        words = title_words(self.view.text(row))
        return any(words == title_words(f.value) for f in self._said) or self._is_own_part(words)

    def _is_over_part(self, row: int, text: str, lower: Field, below: int) -> bool:
        """True for a heading above a shorter one that says a part of the title, and not all of it: the page's, and that of a section."""
        words = title_words(lower.value)
        is_part = not any(words == title_words(f.value) for f in self._said)
        return row < below and is_part and len(title_words(text)) > len(words)

    def _is_own_part(self, words: list[str]) -> bool:
        """True for the words with which a title begins, up to where a part of it ends, or ends after the site's name."""
        for source, value in self._raw:
            said = title_words(value) if source != "json-ld" else []
            n = len(words)
            if n < 2 or n > len(said) or tuple(words) not in self._runs:
                continue
            if said[:n] == words or (
                said[-n:] == words and is_site_name(SEPARATOR.split(value)[0], self.names, self.url)
            ):
                return True
        return False

    def _first_heading(self, headings: list[tuple[int, str]]) -> tuple[Field, int] | None:
        """Of a page that says nothing of its title: an `<h2>` or `<h3>` above the first `<h1>`, which then begins a section, or the first of a
        page without `<h1>`. Only a site can tell it from the name of a menu."""
        if self.known is None:
            return None
        limit = headings[0][0] if headings else self.view.rows.stop
        rows = sorted(row for tag in ("h2", "h3") for row in heading_rows(self.view, tag) if row < limit)
        leading = [row for row in rows if self._leads_on(row)]
        for row in rows if len(leading) < 2 else rows[: rows.index(leading[0])]:
            text = self.view.text(row)
            if text in self.known.repeated or is_day(text) or self._is_name(row, text):
                continue
            if not self.view.is_elsewhere(row):
                return Field(bare_heading(text), self.view.site.tag_name(row)), row
        return None

    def _below_section(self, own: list[tuple[int, str]]) -> tuple[Field, int] | None:
        """The lower heading that ends `<title>`, where what it begins with is the `<h1>` of several pages: that of their book or section."""
        title = self.view.site.pages.title[self.view.page]
        said, above = title_words(title), title_words(own[0][1])
        if self.known is None or own[0][1] not in self.known.shared:
            return None
        if chapter := below_book(self.view, own, self.known.shared):
            return chapter
        if self._is_shared or not above or said[: len(above)] != above:
            return None
        for row in (row for tag in ("h2", "h3") for row in heading_rows(self.view, tag)[:40]):
            text = self.view.text(row)
            words = title_words(text)
            is_end = 0 < len(words) <= len(said) - len(above) and said[-len(words) :] == words
            if is_end and tuple(words) in self._runs and text not in self.known.shared:
                return Field(bare_heading(text), self.view.site.tag_name(row)), row
        return None

    def _only_heading(self) -> tuple[Field, int] | None:
        """The one `<h2>` of a page whose `<title>` is that of its section; posts of a list have several."""
        found = [
            row for row in heading_rows(self.view, "h2") if self.known and self.view.text(row) not in self.known.shared
        ]
        if len(found) != 1 or self.view.is_elsewhere(found[0]) or self._leads_on(found[0]):
            return None
        text = self.view.text(found[0])
        return None if is_day(text) or self._is_name(found[0], text) else (Field(bare_heading(text), "h2"), found[0])

    def _is_all_but_end(self, words: list[str]) -> bool:
        """True for the words of `og:title`, if `<title>` has more after them: what stands after them is the site's name."""
        said = {source: title_words(value) for source, value in self._raw}
        title = said.get("title", [])
        return said.get("og:title") == words and len(title) > len(words) and title[: len(words)] == words

    def _within(self, row: int, heading: str) -> Field:
        # Headings carry more than the title: a number, a permalink sign, a button. <title> does not.
        words = title_words(heading)
        if headline := next(filter(None, (before_kicker(heading, value) for _, value in self._raw)), ""):
            return Field(headline, "h1")
        if self._is_home and any(words == title_words(value) for _, value in self._raw):
            return Field(bare_heading(heading), "h1")  # the name of the site is a part of its own title
        is_said = any(
            tuple(words) in runs_of(value) for source, value in self._raw if source in ("og:title", "json-ld")
        )
        is_named = any(is_site_name(part, self.names, self.url) for part in SEPARATOR.split(heading))
        if is_said and (not is_named or self._is_all_but_end(words)):
            return Field(bare_heading(heading), "h1")  # said twice in full: no part of it is the site's
        end = min(int(self.view.site.nodes.end[row]), row + MAX_HEADING_ROWS)
        shared = next((title_words(value) for source, value in self._raw if source == "og:title"), [])
        if not is_named and shared[:2] == words[:2] and shared[-2:] == words[-2:]:
            return Field(bare_heading(heading), "h1")  # said from its beginning to its end
        if part := beginning_within(self.view, row, words, [value for _, value in self._raw]):
            return Field(bare_heading(part), "h1")
        n_texts = int(self.view.site.is_text[row:end].sum())
        for f in self._said:
            inner = title_words(f.value)
            # A kicker and the headline under it are elements of their own.
            if 2 <= len(inner) < len(words) and any(
                title_words(self.view.text(i)) == inner for i in range(row + 1, end)
            ):
                return f
            if f.source in ("title", "og:title") and 2 <= len(inner) < len(words):
                head, found, tail = heading.partition(f.value)
                # In one text, a colon stands within a headline; between two, after a kicker.
                apart = r"(?:.*(?:[-–—|:»]|\s/)\s*)?" if n_texts > 1 else r"(?:.*(?:[-–—|»]|\s/)\s*)?"
                if found and re.fullmatch(apart, head) and re.match(r"$|\s*[-–—|(¶#]", tail):
                    return f
        return Field(bare_heading(heading), "h1")
