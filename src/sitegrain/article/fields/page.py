"""The fields of one page, each with where it came from, each read when asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from sitegrain.arrays.types import Bools
from sitegrain.article.fields.authors.beside import name_by_date
from sitegrain.article.fields.authors.bylines import visible_author
from sitegrain.article.fields.authors.credited import is_part, may_be_unseen
from sitegrain.article.fields.authors.farther import farther_author, person_shown
from sitegrain.article.fields.authors.letters import sender, without_sender
from sitegrain.article.fields.authors.marked import has_author, marked_author
from sitegrain.article.fields.authors.names import is_account, is_group, may_be_name, may_be_whole
from sitegrain.article.fields.authors.shops import sells
from sitegrain.article.fields.authors.signed import shown_of, signed_name
from sitegrain.article.fields.days.dates import url_date
from sitegrain.article.fields.days.dating import day_elsewhere, day_shown_of
from sitegrain.article.fields.days.late import late_date
from sitegrain.article.fields.days.visible import marked_date, seen_dates, visible_date
from sitegrain.article.fields.metadata import linked_author, linked_date, meta_author, meta_date, page_items
from sitegrain.article.fields.scripts import is_most, own_script
from sitegrain.article.fields.titles.headline import Headline
from sitegrain.article.fields.titles.saidtitle import TextSpot, title_rows, title_spots
from sitegrain.article.fields.titles.titles import is_site_name, squeeze, without_sign
from sitegrain.article.fields.titles.untitled import agreed_title, bold_title
from sitegrain.article.fields.values import NOTHING, Field, Images, pixels
from sitegrain.article.fields.view import View
from sitegrain.article.threads.signed import UNSEEN
from sitegrain.tables.address import DEFAULT_BASE, NOWHERE, host_of, resolve, shown_address
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS
from sitegrain.text.jsonld import plain
from sitegrain.text.language import is_other_language, primary_language, text_language
from sitegrain.text.words import title_words

NAMES = ("title", "author", "date", "language", "sitename", "canonical", "images", "description")


class Known(Protocol):
    """What a site tells of the fields of its pages: see `SiteFields`."""

    site_name: str
    title_ends: tuple[str, ...]
    repeated: frozenset[str]
    shared: frozenset[str]
    day_first: bool | None

    def clocks_of(self, view: View) -> frozenset[str]: ...
    def read_author(self, view: View) -> Field: ...
    def read_date(self, view: View) -> Field: ...
    def name_beside(self, view: View) -> str: ...
    def is_constant(self, name: str, value: str) -> bool: ...


class Fields:
    """The fields of one page. Every field is read when it is first asked for.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<title>Tea | Bay</title><h1>Tea</h1><p>By Ann Lee<p>3 May 2020<p>Boil water."
    >>> fields = Fields(build_site([Capture("http://bay.org/tea", html)]), 0)
    >>> fields.title, fields.author
    (Field(value='Tea', source='h1'), Field(value='Ann Lee', source='byline'))
    >>> fields.date
    Field(value='2020-05-03', source='date line')
    """

    def __init__(
        self,
        site: Site,
        page: int,
        known: Known | None = None,
        kept: Bools | None = None,
        text: Callable[[], str] | None = None,
        is_of_item: Callable[[str, str], bool] | None = None,
    ) -> None:
        self._site, self._page = site, page
        self._is_of_item = is_of_item
        self._known = known
        self._kept = kept
        self._text = text

    @cached_property
    def view(self) -> View:
        """The page as it is read."""
        view = View(self._site, self._page)
        if self._known is not None:
            view.day_first = view.day_first if self._known.day_first is None else self._known.day_first
            view.clock_dates = self._known.clocks_of(view)
        return view

    def release(self) -> None:
        """Let go of the view of the page; what was read stays, and the rest can still be read."""
        self.__dict__.pop("view", None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url})"

    @property
    def url(self) -> str:
        return self.view.site.pages.url[self.view.page]

    def _first(self, *readers: tuple[str, Callable[[], str]]) -> Field:
        for source, read in readers:
            if value := read():
                return Field(value, source)
        return NOTHING

    # --- title

    @cached_property
    def _names(self) -> tuple[str, ...]:
        names = [self.sitename.value if self.sitename.source != "host" else ""]
        if self._known is not None:
            names.append(self._known.site_name)
        return tuple(n for n in names if n)

    @cached_property
    def _title(self) -> tuple[Field, int]:
        """The title, and the row of the heading that shows it (-1 if none does)."""
        headline = Headline(self.view, self._names, self._known)
        field, row = headline.found
        if field.value and (headline.is_said or field.source not in ("h2", "h3")):
            return field, row
        if not field.value and (agreed := agreed_title(self.view, self._names)):
            return Field(agreed, "h1"), row
        limit = row if field.value else self.view.rows.stop
        line = bold_title(self.view, self._known, self._names, self._kept, limit)
        return (Field(line, "bold line"), -1) if line else (field, row)

    @cached_property
    def title(self) -> Field:
        return without_sender(self.view, self._title[0])

    @property
    def heading(self) -> int:
        """The row of the heading that shows the title, -1 if none does."""
        field, row = self._title
        return row if field.source in HEADINGS else -1

    @cached_property
    def _title_row(self) -> int:
        """Where the page's own matter begins: the heading, a text node that says the title, or the first long text."""
        if (row := self._title[1]) >= 0 or (row := next(self._title_texts(), -1)) >= 0:
            return row
        rows, starts, ends = self.view.text_nodes
        first: int = self.view.rows.start
        long = (row for row, start, end in zip(rows, starts, ends, strict=True) if end - start >= LONG_TEXT)
        return max(next(long, first) - 20, first)

    def _where(self) -> int:
        return self._title_row

    @cached_property
    def _title_spots(self) -> list[TextSpot]:
        return title_spots(self.view, self.title.value)

    def _title_texts(self) -> Iterator[int]:
        """The text nodes that say the title."""
        return title_rows(self.view, self.title.value, self._title_spots)

    @property
    def title_line(self) -> int:
        """The row of a text that says the title where no heading does, -1 if none does: in no menu, and in no link but one to the page itself."""
        if self._title[1] >= 0 or len(title_words(self.title.value)) < 2:
            return -1
        rows = (row for row in self._title_texts() if not self.view.leads_on(row) and not self.view.is_elsewhere(row))
        return next(rows, -1)

    # --- author and date

    def _own(self, name: str, found: Field) -> Field:
        """What was found, unless it belongs to something on the page, or is a day that the page does not show where pages have none."""
        if not found or self._is_of_item is None:
            return found
        is_other = self._is_of_item(name, found.source)
        if name == "date" and found.source in ("json-ld", "meta") and self._is_of_item(name, UNSEEN):
            is_other = found.value not in (day for _, day in seen_dates(self.view))
        return NOTHING if is_other else found

    def _is_listed(self, name: str) -> bool:
        """Whether what is only seen belongs to something on the page: it need not be looked for where nothing else can be found."""
        return self._is_of_item is not None and self._is_of_item(name, UNSEEN)

    @property
    def author(self) -> Field:
        if not self._is_listed("author"):
            return self._own("author", self._named)
        # A byline of the page is that of an item, and tells nothing better; those who made the site, or put the page there unnamed, wrote no list or product.
        told = self._told_author
        is_nobody = is_group(told.value) or may_be_unseen(self.view.site.texts[self.view.page], told.value)
        return NOTHING if is_nobody else Field(without_sign(told.value, self._names, self.url), told.source)

    @property
    def date(self) -> Field:
        is_told = bool(self._told_date or url_date(self.url))
        return NOTHING if not is_told and self._is_listed("date") else self._own("date", self._dated)

    @property
    def is_author_told(self) -> bool:
        """False for an author whom neither metadata (`signed.METADATA`) nor microdata name: one can only be seen."""
        return bool(self.view.attrs("itemprop") or self._linked_author[0] or self._meta_author)

    @property
    def is_date_told(self) -> bool:
        """The same of the day."""
        return bool(self.view.attrs("itemprop") or self._told_date or url_date(self.url))

    @cached_property
    def _linked_author(self) -> tuple[str, bool]:
        return linked_author(self.view)

    @cached_property
    def _meta_author(self) -> str:
        return meta_author(self.view)

    @cached_property
    def _told_date(self) -> Field:
        """The day that the page says of itself."""
        view = self.view
        return self._first(("json-ld", lambda: linked_date(view)), ("meta", lambda: meta_date(view)))

    @cached_property
    def _named(self) -> Field:
        """Who wrote it; the title of the page, or a heading that reads like none, is no name."""
        found = Field(without_sign(self._author.value, self._names, self.url), self._author.source)
        value = found.value.casefold()
        if found.source in ("json-ld", "meta", "") or (
            value != self.title.value.casefold() and may_be_name(found.value)
        ):
            return found
        # Boards and boxes about the author have the name in a heading, and say so.
        rows = [row for row in self.view.headings[:100] if not has_author(self.view, row)]
        headings = {self.view.text(row).casefold() for row in rows}
        return NOTHING if value in headings | {self.title.value.casefold()} else found

    @cached_property
    def _told_author(self) -> Field:
        """Who wrote it by what the page says of itself: a person before an organisation, as sites name themselves as the author of what a
        person signed."""
        (linked, is_none), meta = self._linked_author, self._meta_author
        if linked and not is_none and not is_site_name(linked, self._names, self.url):
            return Field(linked, "json-ld")
        # "Bay Courier (www.bay.org)" names the site, too.
        is_host = bool(meta) and f"({host_of(self.url)})" in self.view.meta.get("author", "")
        is_other = meta and not self._is_group and not is_host and not is_site_name(meta, self._names, self.url)
        return Field(meta, "meta") if is_other else NOTHING

    @property
    def _is_group(self) -> bool:
        """Whether `<meta>` names the organisation that JSON-LD names."""
        (linked, is_group), meta = self._linked_author, self._meta_author
        return is_group and bool(meta) and squeeze(meta) == squeeze(linked)

    @cached_property
    def _author(self) -> Field:
        view, linked, meta, is_again = self.view, self._linked_author[0], self._meta_author, self._is_group
        if told := self._told_author:
            own = (
                person_shown(view, self._title_row, self._names)
                if self._known is None and is_group(told.value)
                else NOTHING
            )
            return own or shown_of(view, self._title_row, told.value, self._known is None) or told
        if self._known is not None and (found := self._known.read_author(view)):
            return found
        if view.linked.find("product") and not view.linked.articles:
            return NOTHING  # names on the page of a product are those of its buyers
        if name := sender(view, self._title_row):
            return Field(name, "mail")
        name, source = marked_author(view, self._title_row)
        is_marked_account = source == "microdata" and is_account(name)  # of boards: "ann12"
        if (
            not name or not (may_be_name(name) or is_marked_account) or (is_again and not may_be_whole(name))
        ):  # the last: another word for it
            line = visible_author(view, self._title_row)
            name, source = (line, "byline") if line or is_again else (name, source)
        elif "," in name and is_part(line := visible_author(view, self._title_row), name):
            name, source = line, "byline"  # the others looked it through
        is_site = not name or is_site_name(name, self._names, self.url)
        if name and is_site and (own := person_shown(view, self._title_row, self._names, is_labelled=True)):
            return own
        if is_site and (linked or meta) and (line := signed_name(view, self._names, self.url)):
            name, source = line, "signature"
        if name and sells(view, self._title_row):
            return NOTHING
        where, names, known = self._title_row, self._names, self._known
        return self._first(
            (source, lambda: name),
            ("date line", lambda: name_by_date(view, where, names) if known is None else known.name_beside(view)),
            ("byline", lambda: farther_author(view, where, names) if known is None else ""),
            ("json-ld", lambda: linked),
            ("meta", lambda: meta),
        )

    @cached_property
    def _dated(self) -> Field:
        view = self.view
        if found := self._told_date:
            return day_shown_of(view, self._where, found)
        if self._known is not None and (found := self._known.read_date(view)):
            return found
        value, source = marked_date(view, self._where)
        if not value:
            value, source = url_date(self.url), "url"  # surer than a line that reads like a date
        if not value:
            value, source = visible_date(view, self._where)
        if value:
            return Field(value, source)
        if self._known is not None:
            return NOTHING
        return self._first(
            ("list", lambda: day_elsewhere(view)),
            # A site that knows its pages has said what it can: on 60 sites, of 22 dates that htmldate then found on 11,660 pages, half
            # were those of a copy or of pages that have none; and loading it takes longer than 100 pages.
            ("htmldate", lambda: late_date(view, self.url) if self._is_article else ""),
        )

    @property
    def _is_article(self) -> bool:
        # htmldate finds a date on any page: of 46 that it found on WCXB pages without one 2 were right, 39 had none.
        og_type = self.view.meta.get("og:type", "").lower()
        return og_type == "article" or bool(self.view.linked.articles) or bool(self._named)

    # --- the rest

    @cached_property
    def language(self) -> Field:
        """Two letters: what the page says, or what its text looks like."""
        view = self.view
        text = self._text or (lambda: view.site.texts[view.page][:2000])
        found = self._declared_language(view)
        sample = text() if found else ""
        # Templates say the language they were made in. A script of its own tells a language, whatever code and names stand beside it; else
        # both halves of a text that is long enough must say otherwise.
        half = min(len(sample) // 2, MIN_LANGUAGE_TEXT)
        own = "" if sample.isascii() else own_script(sample[:2000])
        if own:
            other = text_language(own)
            # Few words of another script may be a quotation: they only confirm what the page says.
            if other != found.value and not is_most(own, sample[:2000]):
                other = text_language(sample)
            if other and is_other_language(other, found.value):
                return Field(other, "text")
        elif len(sample) >= MIN_LANGUAGE_TEXT:
            other = text_language(sample[:half])
            if other and is_other_language(other, found.value) and other == text_language(sample[half : 2 * half]):
                return Field(other, "text")
        return found or self._first(("text", lambda: text_language(text()[:2000])))

    def _declared_language(self, view: View) -> Field:
        if said := primary_language(view.site.pages.language[view.page]):
            return Field(said, "html lang")
        if said := primary_language(view.meta.get("content-language") or view.meta.get("og:locale", "")):
            return Field(said, "meta")
        linked = (primary_language(plain(item.data.get("inLanguage"))) for item in page_items(view))
        return Field(said, "json-ld") if (said := next(filter(None, linked), "")) else NOTHING

    @cached_property
    def sitename(self) -> Field:
        view = self.view

        def linked() -> str:
            for item in page_items(view):
                if names := view.linked.names(item.data.get("publisher")):
                    return names[0]
            for item in view.linked.find("website", deep=True):
                if name := plain(item.data.get("name")):
                    return name
            return ""

        def host() -> str:
            return "" if self.url.startswith((NOWHERE, DEFAULT_BASE)) else host_of(self.url).removeprefix("www.")

        return self._first(
            ("og:site_name", lambda: " ".join(view.meta.get("og:site_name", "").split())),
            ("json-ld", linked),
            (
                "meta",
                lambda: " ".join(
                    (view.meta.get("application-name") or view.meta.get("apple-mobile-web-app-title", "")).split()
                ),
            ),
            ("site", lambda: self._known.site_name if self._known is not None else ""),
            ("host", host),
        )

    @cached_property
    def canonical(self) -> Field:
        view = self.view
        base = view.site.pages.base[view.page]

        def linked() -> str:
            for item in page_items(view):
                for key in ("mainEntityOfPage", "url"):
                    for url in view.linked.urls(item.data.get(key)):
                        if found := resolve(url, base):
                            return found
            return ""

        return self._first(
            ("link", lambda: view.site.pages.canonical[view.page]),
            ("og:url", lambda: resolve(view.meta.get("og:url", ""), base) if view.meta.get("og:url") else ""),
            ("json-ld", linked),
            ("url", lambda: "" if self.url.startswith(NOWHERE) else self.url),
        )

    @cached_property
    def description(self) -> Field:
        view = self.view

        def once(value: str) -> str:
            value = plain(value)
            return "" if self._known is not None and self._known.is_constant("description", value) else value

        return self._first(
            ("meta", lambda: once(view.meta.get("description", ""))),
            ("og:description", lambda: once(view.meta.get("og:description", ""))),
            (
                "json-ld",
                lambda: next((x for i in page_items(view) if (x := once(plain(i.data.get("description"))))), ""),
            ),
            ("meta", lambda: once(view.meta.get("twitter:description") or view.meta.get("dc.description", ""))),
        )

    @cached_property
    def images(self) -> Images:
        """The lead image that the page names, then the images within its text; no icons, none that all pages show."""
        view = self.view
        base = view.site.pages.base[view.page]
        lead: list[tuple[str, str]] = [("og:image", view.meta.get(k, "")) for k in ("og:image", "og:image:url")]
        lead += [("json-ld", u) for i in page_items(view)[:1] for u in view.linked.urls(i.data.get("image"))[:5]]
        lead.append(("twitter:image", view.meta.get("twitter:image", "")))
        found: dict[str, str] = {}
        for source, url in [*lead, *(("body", u) for u in self._body_images())]:
            address = resolve(url, base) if url else ""
            if address and not (self._known is not None and self._known.is_constant("images", address)):
                found.setdefault(shown_address(address), source)
        return Images(tuple(found), next(iter(found.values()), ""))

    def _body_images(self) -> list[str]:
        view = self.view
        lo, hi = view.rows.start, view.rows.stop
        if not view.images:
            return []
        if self._kept is not None:
            said = self._kept[view.rows].tobytes()  # a few times as fast to search in as an array
            if (first := said.find(1)) < 0:
                return []
            # From the first kept text on, and a little before it: the picture above the first paragraph.
            lo, hi = max(lo, lo + first - 8), lo + said.rfind(1) + 8
        rows = view.images[bisect_left(view.images, lo) : bisect_left(view.images, hi)]
        if not rows:
            return []
        late, plain, several, width, height = map(view.attrs, ("data-src", "src", "srcset", "width", "height"))
        out = []
        for row in rows:
            if view.is_elsewhere(row) or min(pixels(width.get(row, "")), pixels(height.get(row, ""))) < MIN_PIXELS:
                continue
            src = late.get(row) or plain.get(row, "")
            if not src or src.startswith("data:"):
                src = several.get(row, "").strip().partition(" ")[0]
            if src and not src.startswith("data:"):
                out.append(src)
        return out[:200]

    def to_dict(self) -> dict[str, Any]:
        """{name: {"value": ..., "source": ...}} of the fields that were found."""
        found = {name: getattr(self, name) for name in NAMES}
        return {
            name: {"value": list(f.value) if isinstance(f.value, tuple) else f.value, "source": f.source}
            for name, f in found.items()
            if f
        }


MIN_LANGUAGE_TEXT = 300
"""Characters of a text whose language is believed against what the page says; half of it is judged at a time."""
LONG_TEXT = 100
"""Characters of a text node that is prose: lines of menus are shorter."""
MIN_PIXELS = 64
"""Images that say they are smaller are icons, avatars or counters."""


def article_fields(site: Site, page: int) -> Fields:
    """The fields of one page by itself; `SiteFields` knows more when the site has several."""
    return Fields(site, page)
