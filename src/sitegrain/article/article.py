"""What was found on one page: text, fields, list, how sure it is and what to know of it. Everything when asked for."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.article.context import SiteContext, guarded
from sitegrain.article.expected import Expected, expected
from sitegrain.article.found import article_card, article_line, front_matter, unheld
from sitegrain.article.reasons import Reason, kind_nodes, reasons_of
from sitegrain.article.threads.signed import FIRST_POST, METADATA, ROLE_OF, SIGNS, are_signed, is_of_item, told_type
from sitegrain.article.unreadable import about_tags, about_text, shows_text, unreadable
from sitegrain.article.untagged import is_untagged, untagged_text
from sitegrain.article.written import under_heading
from sitegrain.errors import PAGE_FAULTS
from sitegrain.light import dataclass
from sitegrain.methods.base import NodeVerdict
from sitegrain.render import to_text
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.tables.timing import TooSlowError, time_limited

if TYPE_CHECKING:  # loaded when they are asked for: who wants the text alone need not wait for them
    from sitegrain.article.fields import Fields
    from sitegrain.article.lists.entries import TocEntry
    from sitegrain.article.threads.posts import Post
    from sitegrain.render import RenderedPage

SHELL_TEXT = 400
"""Characters of all text of a page that is only there to run a script. Of the 13 WCXB development pages with so little, 12 show nothing of
what they are about; of the 16 pages with up to four times as much, 13 do. A static page may be as short, and then has text that is kept."""
MIN_BODY, LIST_LINKS = 200, 3
"""Characters of a JSON-LD body that is a text and not a caption; links of a short page that shows a list, as the last one of a category."""
NOTHING_KEPT = "nothing kept: no part of the page looks like its content"
NEEDS_RENDERING = "needs rendering: the page is made by a script"
_SCRIPT, _IMG, _FRAME, _IFRAME, _A = (TAG_CODE[t] for t in ("script", "img", "frame", "iframe", "a"))
_ASKS_SCRIPT = re.compile(r"java\s?script", re.IGNORECASE)
_FIELDS = ("title", "author", "date", "language", "sitename", "canonical", "description", "images")
T = TypeVar("T")


@dataclass(frozen=True)
class _Body:
    """The text of a page that is not simply its kept nodes."""

    text: str
    confidence: float
    """Replaces the mean score when not negative."""
    notes: tuple[str, ...] = ()
    is_own: bool = True
    """False when the text does not come from the kept nodes."""


class Article:
    """What was found on one page; texts and fields are made when asked for.

    >>> from sitegrain.result.extracting import extract
    >>> article = extract("<title>Tea</title><h1>Tea</h1><p>Boil <b>water</b>.", url="http://a.org/tea")
    >>> article
    Article(http://a.org/tea 'Tea', 16 characters)
    >>> print(article.markdown)
    # Tea
    <BLANKLINE>
    Boil **water**.
    >>> article.fields.title
    Field(value='Tea', source='h1')
    """

    def __init__(
        self,
        site: Site,
        page: int,
        nodes: NodeVerdict,
        role: str = "article",
        context: SiteContext | None = None,
        types: Sequence[str] = (),
    ) -> None:
        self.site = site
        self.page = page
        self.verdict = nodes
        self._role = role
        self._types = types
        self._context = context if context is not None else SiteContext(site)
        self.faults: list[str] = []
        """What of this page could not be made, by a mistake of ours."""

    def __repr__(self) -> str:
        return article_line(self, "Article")

    def __reduce__(self) -> Any:
        """The parsed page stays in this process: what travels to another is all that the article says."""
        from sitegrain.article.sent import TOLD, SentArticle

        return SentArticle, (self.to_dict(), {name: getattr(self, name) for name in TOLD})

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self  # nothing in it changes

    def _repr_html_(self) -> str:
        return article_card(self)

    @property
    def role(self) -> str:
        """`toc`, `article` or `other`; of a page that came alone, what its type says."""
        return self._role or ROLE_OF.get(self.page_type, "article")

    @property
    def url(self) -> str:
        return self.site.pages.url[self.page]

    @property
    def path(self) -> str:
        """Name in the folder or archive that the page came from."""
        return self.site.pages.path[self.page]

    # --- fields

    @cached_property
    def fields(self) -> Fields:
        """The fields with where each was found."""
        from sitegrain.article.fields import Fields

        again = partial(type(self), self.site, self.page, self.verdict, self._role, self._context, self._types)
        page = unheld(self, again)
        kept, known = self.verdict.node_kept, self._context.fields
        return Fields(self.site, self.page, known, kept, lambda: page().text, lambda *of: page()._is_of_item(*of))

    def _is_of_item(self, field: str, source: str) -> bool:
        """Whether a name or day that was found is of something on the page: the role of the page, known later, decides."""
        return is_of_item(field, source, self.role, self.page_type)

    def _read(self, name: str, asked: str = "") -> Any:
        """A field with where it was found, or what else is `asked` of it; None, and a fault is noted, where it cannot be made."""
        try:
            return getattr(self.fields, asked or name)
        except PAGE_FAULTS as error:
            fault = f"{name} cannot be made ({type(error).__name__}: {str(error)[:100]})"
            if fault not in self.faults:
                self.faults.append(fault)
            return None

    def _field(self, name: str, otherwise: T) -> T:
        found = self._read(name)
        value: T = found.value if found else otherwise
        return value

    @cached_property
    def title(self) -> str:
        return self._field("title", "")

    @property
    def author(self) -> str:
        """Who wrote it (or began the thread), several names apart by commas; empty when unknown."""
        return self._author[0]

    @property
    def date(self) -> str:
        """Day of publication as `YYYY-MM-DD`; empty when unknown."""
        return self._date[0]

    @cached_property
    def _author(self) -> tuple[str, str]:
        return self._signed("author")

    @cached_property
    def _date(self) -> tuple[str, str]:
        return self._signed("date")

    def _signed(self, name: str) -> tuple[str, str]:
        """(value, source) of author or date. What is seen on a thread may be of any post: the first goes before it, a lone one not (it may be none)."""
        is_thread = self.page_type == "forum"
        is_told = self._read(name, f"is_{name}_told") if is_thread else True
        if is_told is False and len(self.posts) > 1 and (first := self._first_post(name)):
            return first, FIRST_POST  # whatever is seen, which takes long to look for
        found = self._read(name) if is_told is not None else None
        value, source = (str(found.value), str(found.source)) if found else ("", "")
        is_seen = is_thread and source not in (*METADATA, "microdata")
        if is_seen and len(self.posts) > bool(value) and (first := self._first_post(name)):
            return first, FIRST_POST
        return value, source

    def _first_post(self, name: str) -> str:
        """Author or date of the first post of a thread."""
        from sitegrain.article.fields.authors.names import clean_name

        return self.posts[0].date if name == "date" else clean_name(self.posts[0].author)

    @cached_property
    def language(self) -> str:
        """What the page says, or what its text looks like; empty when neither tells."""
        return self._field("language", "")

    @cached_property
    def sitename(self) -> str:
        return self._field("sitename", "")

    @cached_property
    def canonical(self) -> str:
        """The address that the page says it has."""
        return self._field("canonical", "")

    @cached_property
    def description(self) -> str:
        return self._field("description", "")

    @cached_property
    def images(self) -> tuple[str, ...]:
        """Addresses of the lead image and of the images within the text."""
        return self._field("images", ())

    # --- text

    @guarded([])
    def entries(self) -> list[TocEntry]:
        """The main list of a TOC page, besides its text; empty for other pages."""
        if self.role != "toc":
            return []
        from sitegrain.article.lists.entries import toc_entries

        known = self._context
        scores = known.text_scores(self.verdict)
        return toc_entries(self.site, self.page, scores, known.links, known.fields, self.fields.view)

    @guarded(_Body("", 0.0, ("the text cannot be made",), False))
    def _body(self) -> _Body:
        if self._problem:
            return _Body("", 0.0, (self._problem,), False)
        text = to_text(self.site, self.page, self.verdict.node_kept)
        if text and is_untagged(self.site, self.page):
            text = untagged_text(self.site.texts[self.page])
        if len(self.site.texts[self.page]) > max(SHELL_TEXT, len(text) // 100) and text:
            return _Body(text, -1.0, about_text(self.site.texts[self.page]))
        return self._little(text)

    def _little(self, text: str) -> _Body:
        """A page that shows next to nothing: what else it carries, and why it is so little."""
        tag = self.site.nodes.tag[self.site.page_rows(self.page)]
        notes: list[str] = []
        said = self.site.texts[self.page]
        is_little = len(said) <= SHELL_TEXT
        # A page that runs scripts and shows a text of its own, or a list, is a short page, unless it asks for scripts.
        is_bare = not text and int((tag == _A).sum()) < LIST_LINKS
        is_shell = is_little and bool((tag == _SCRIPT).any()) and (is_bare or _ASKS_SCRIPT.search(said) is not None)
        has_image = bool((tag == _IMG).any())
        if is_shell and not has_image:
            notes.append(NEEDS_RENDERING)
        elif (tag == _FRAME).any() or (not text and is_little and not has_image and (tag == _IFRAME).any()):
            notes.append("frames only: the text is in other pages")
        elif not text:
            notes.append(("only images" if has_image else "no text") if is_little and is_bare else NOTHING_KEPT)
        else:
            notes += about_tags(tag)
            notes += about_text(self.site.texts[self.page])
        if is_shell or not text:
            from sitegrain.article.fields import Fields, json_ld_text

            body = json_ld_text(self.site, self.page)
            if len(body) >= MIN_BODY and len(body) > len(text):
                return _Body(body, 0.5, (*notes, "text from JSON-LD"), False)
            if is_shell and not text and (said := body or Fields(self.site, self.page).description.value):
                return _Body(said, 0.1, (*notes, "text from the description"), False)
            return _Body(text, 0.2 if text else 0.0, tuple(notes))
        return _Body(text, -1.0, tuple(notes))

    @property
    def text(self) -> str:
        """What was kept of the page, whatever its role: a role that is wrong takes no text away."""
        return self._body.text

    @cached_property
    def _rendered(self) -> RenderedPage:
        from sitegrain.render.page import RenderedPage

        kept, title = self._written
        return RenderedPage(self.site, self.page, kept, self._context.images, title)

    @property
    def _written(self) -> tuple[Bools, str]:
        """Which rows of the page are written, and the title above them, where it is none of them."""
        heading = self.fields.heading
        row = heading if heading >= 0 else self.fields.title_line
        kept, is_titled = under_heading(self.site, self.page, self.verdict.node_kept, row, heading >= 0)
        return kept, self.title if is_titled else ""

    @cached_property
    def _is_own(self) -> bool:
        """Whether the text is that of the kept nodes; where that is soon told, the text need not be written for it."""
        is_shown = not self._problem and shows_text(self.site, self.page, self.verdict.node_kept, SHELL_TEXT)
        return (is_shown or self._body.is_own) and not is_untagged(self.site, self.page)

    @cached_property
    def _problem(self) -> str:
        return unreadable(self.site.texts[self.page])

    @guarded("")
    def markdown(self) -> str:
        """The same with its structure, under the page's heading."""
        if not self._is_own:
            from sitegrain.render import plain_markdown

            return plain_markdown(self._body.text)
        return self._rendered.markdown()

    @property
    def front_matter(self) -> str:
        """Title, author, date and address as YAML, to stand above the Markdown; what is unknown is left out."""
        return front_matter(self)

    @guarded("")
    def html(self) -> str:
        """Clean HTML: safe to show."""
        if self._is_own:
            return self._rendered.html()
        parts = (html.escape(part).replace("\n", "<br>\n") for part in self._body.text.split("\n\n") if part)
        return "\n".join(f"<p>{part}</p>" for part in parts)

    @guarded(0.0, is_timed=False)
    def confidence(self) -> float:
        """0 to 1: how good the text is expected to be (F1, by the scores of what was kept and of what was left out); little for
        pages that show none of their text, 0 for no text."""
        if self._body.confidence >= 0:
            return self._body.confidence
        return self._expected.f1 * (0.5 if self._body.notes else 1.0)

    @cached_property
    def _expected(self) -> Expected:
        rows, (content, size) = self.site.page_rows(self.page), self._context.contents(self.verdict)
        return expected(content[rows], size[rows], self.verdict.node_kept[rows])

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of this page: "cut at 32 MB", "needs rendering: ...", "suspicious: ..."."""
        said = self.site.pages.notes[self.page]
        return (*([said] if said else []), *self._body.notes, *self._doubts, *self.faults)

    @guarded((), is_timed=False)
    def _doubts(self) -> tuple[str, ...]:
        doubt = "" if self._body.notes else self._expected.doubt
        return (doubt,) if doubt and self.role != "toc" else ()  # few are doubtful, and the role takes longer to tell

    @cached_property
    def page_type(self) -> str:
        """article, collection, documentation, forum, listing, product or service; empty when the method does not tell."""
        return told_type(self._looks_like, self._types, self.page, lambda: self.posts)

    @property
    def _looks_like(self) -> str:
        """The type, whether or not posts are found."""
        return self._types[self.page] if len(self._types) > self.page else ""

    @guarded("")
    def comments(self) -> str:
        """The text of the comments under an article, which is no part of its text; empty if there are none."""
        return to_text(self.site, self.page, self._comment_rows[0])

    @guarded([])
    def posts(self) -> list[Post]:
        """The posts of a thread, in order; empty for a page that is no thread."""
        from sitegrain.article.threads.posts import find_posts

        is_thread = self._looks_like == "forum"
        found = find_posts(self.site, self.page, self.verdict.node_kept, is_thread, day_first=self._day_first)
        return found if is_thread or are_signed(found) else []

    @guarded([])
    def comment_posts(self) -> list[Post]:
        """The comments under an article, one by one; empty where they cannot be told apart."""
        from sitegrain.article.threads.posts import find_posts

        wanted, is_one = self._comment_rows
        return find_posts(
            self.site, self.page, wanted, is_one, others=self.verdict.node_kept, day_first=self._day_first
        )

    @cached_property
    def _comment_rows(self) -> tuple[Bools, bool]:
        from sitegrain.article.threads.comments import comment_rows

        return comment_rows(self.site, self.verdict, self.page)

    @property
    def _day_first(self) -> bool | None:
        """How the site, or else the page, writes 3/4/2020."""
        view = self._read("view")
        return None if view is None else view.day_first

    @guarded("")
    def related(self) -> str:
        """The text of the lists of other pages around an article, which is no part of its text."""
        return self._left_out("related")

    @guarded("")
    def author_box(self) -> str:
        """What the page says of the author, which is no part of the article's text."""
        return self._left_out("author")

    def _left_out(self, kind: str) -> str:
        return to_text(self.site, self.page, kind_nodes(self.site, self.verdict, kind, self.page))

    @property
    def kept_nodes(self) -> Ints64:
        """Rows of the text nodes that were kept."""
        rows = self.site.page_rows(self.page)
        return np.asarray(np.flatnonzero(self.verdict.node_kept[rows]) + rows.start, np.int64)

    @property
    def reasons(self) -> list[Reason]:
        """Why each block of the page that has text was kept or left out."""
        return reasons_of(self.site, self.page, self.verdict)

    def complete(self, is_written: bool) -> None:
        """Make all that a result tells of the page (and what a line of it holds, if it `is_written` as one), and let go of what it
        was made with: a table of all pages needs the values of all and the means of one."""
        # One limit for all, as each of them costs five calls of the system.
        with suppress(TooSlowError), time_limited():
            _ = self.sources, self.markdown, self.entries, self.notes
            if is_written:
                _ = self.html
        self.fields.release()
        self.__dict__.pop("_rendered", None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON: what `extract --format json` prints."""
        out: dict[str, Any] = {name: getattr(self, name) for name in ("url", "path", "role", *_FIELDS)}
        out["images"] = list(self.images)
        out["sources"] = self.sources
        written = {name: getattr(self, name) for name in ("text", "markdown", "html")}  # before the notes: it may fail
        out["confidence"] = round(self.confidence, 4)
        out["notes"] = list(self.notes)
        if self.role == "toc":
            out["entries"] = [entry._asdict() for entry in self.entries]
        if self.page_type == "forum":
            out["posts"] = [post._asdict() for post in self.posts]
        return {**out, **written}

    @cached_property
    def sources(self) -> dict[str, str]:
        """Where each field was found, for those that were."""
        found = {name: self._source(name) for name in _FIELDS}
        return {name: source for name, source in found.items() if source}

    def _source(self, name: str) -> str:
        if name in SIGNS:
            return (self._author if name == "author" else self._date)[1]
        found = self._read(name)
        return str(found.source) if found else ""
