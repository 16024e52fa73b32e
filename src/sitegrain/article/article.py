"""What was found on one page: text, fields, list, how sure it is and what to know of it. Everything when asked for."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sitegrain.arrays.types import Bools, Ints16, Ints64
from sitegrain.article.entries import SiteLinks, TocEntry, toc_entries
from sitegrain.article.fields import Fields, SiteFields, json_ld_text
from sitegrain.article.found import article_card, article_line
from sitegrain.article.posts import Post, find_posts
from sitegrain.methods.base import NodeVerdict
from sitegrain.render import plain_markdown, repeated_images, to_html, to_markdown, to_text
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TEXT, UNKNOWN

SHELL_TEXT = 400
"""Characters of all text of a page that is only there to run a script. Of the 13 WCXB development pages with so little, 12
show nothing of what they are about; of the 16 pages with up to four times as much, 13 do. A static page may be as short, and
then has text that is kept."""
MIN_BODY = 200
"""Characters of a JSON-LD body that is a text and not a caption."""
MIN_FIELD_PAGES = 3
"""Pages from which a site can vote on where fields sit."""
NEEDS_RENDERING = "needs rendering: the page is made by a script"
_SCRIPT, _IMG, _FRAME, _IFRAME = (TAG_CODE[t] for t in ("script", "img", "frame", "iframe"))
_ASKS_SCRIPT = re.compile(r"java\s?script", re.IGNORECASE)
_BINARY = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")
_FIELDS = ("title", "author", "date", "language", "sitename", "canonical", "description", "images")


class SiteContext:
    """What all articles of a site share, made when the first of them needs it."""

    def __init__(self, site: Site) -> None:
        self.site = site

    @cached_property
    def fields(self) -> SiteFields | None:
        """Where fields sit on this site; None for a page or two."""
        return SiteFields().fit(self.site) if self.site.n_pages >= MIN_FIELD_PAGES else None

    @cached_property
    def images(self) -> frozenset[str]:
        """Pictures of the site's template; none for a page or two."""
        return repeated_images(self.site) if self.site.n_pages >= MIN_FIELD_PAGES else frozenset()

    @cached_property
    def links(self) -> SiteLinks:
        """Which links repeat on this site."""
        return SiteLinks.of(self.site)


def kind_nodes(site: Site, verdict: NodeVerdict, kind: str, page: int | None = None) -> Bools:
    """Per row: a text node of a block of a kind ("comments", "related", "author") that was left out, on one page or all."""
    out = np.zeros(site.n_nodes, np.bool_)
    kinds = verdict.blocks.evidence.get("kind")
    if kinds is not None and len(kinds):
        rows = slice(0, site.n_nodes) if page is None else site.page_rows(page)
        block = verdict.node_block[rows]
        out[rows] = (block >= 0) & (kinds[block] == kind) & ~verdict.node_kept[rows]
    return out


class Reason(NamedTuple):
    """Why a block was kept or left out, and the start of its text."""

    is_informative: bool
    why: str
    start: str


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
        self.role = role
        self._types = types
        self._context = context if context is not None else SiteContext(site)

    def __repr__(self) -> str:
        return article_line(self)

    def _repr_html_(self) -> str:
        return article_card(self)

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
        known = self._context.fields
        return Fields(self.site, self.page, known, self.verdict.node_kept, lambda: self.text)

    @property
    def title(self) -> str:
        return self.fields.title.value

    @property
    def author(self) -> str:
        """Who wrote it, several names apart by commas; empty when unknown."""
        return self.fields.author.value

    @property
    def date(self) -> str:
        """Day of publication as `YYYY-MM-DD`; empty when unknown."""
        return self.fields.date.value

    @property
    def language(self) -> str:
        """What the page says, or what its text looks like; empty when neither tells."""
        return self.fields.language.value

    @property
    def sitename(self) -> str:
        return self.fields.sitename.value

    @property
    def canonical(self) -> str:
        """The address that the page says it has."""
        return self.fields.canonical.value

    @property
    def description(self) -> str:
        return self.fields.description.value

    @property
    def images(self) -> tuple[str, ...]:
        """Addresses of the lead image and of the images within the text."""
        return self.fields.images.value

    # --- text

    @cached_property
    def entries(self) -> list[TocEntry]:
        """The main list of a TOC page, besides its text; empty for other pages."""
        if self.role != "toc":
            return []
        return toc_entries(self.site, self.page, self.verdict.node_score, self._context.links)

    @cached_property
    def _body(self) -> _Body:
        if problem := _unreadable(self.site.texts[self.page]):
            return _Body("", 0.0, (problem,), False)
        text = to_text(self.site, self.page, self.verdict.node_kept)
        if len(self.site.texts[self.page]) > max(SHELL_TEXT, len(text) // 100) and text:
            return _Body(text, -1.0, _about_text(self.site.texts[self.page]))
        return self._little(text)

    def _little(self, text: str) -> _Body:
        """A page that shows next to nothing: what else it carries, and why it is so little."""
        rows = self.site.page_rows(self.page)
        tag = self.site.nodes.tag[rows]
        notes: list[str] = []
        said = self.site.texts[self.page]
        is_little = len(said) <= SHELL_TEXT
        # A page that runs scripts and shows a text of its own is a short page, unless it asks for scripts.
        is_shell = is_little and bool((tag == _SCRIPT).any()) and (not text or _ASKS_SCRIPT.search(said) is not None)
        has_image = bool((tag == _IMG).any())
        if is_shell and not has_image:
            notes.append(NEEDS_RENDERING)
        elif (tag == _FRAME).any() or (not text and is_little and not has_image and (tag == _IFRAME).any()):
            notes.append("frames only: the text is in other pages")
        elif not text:
            notes.append("only images" if has_image and is_little else "no text")
        else:
            notes += _about_tags(tag)
            notes += _about_text(self.site.texts[self.page])
        if is_shell or not text:
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
    def markdown(self) -> str:
        """The same with its structure."""
        if not self._body.is_own:
            return plain_markdown(self._body.text)
        return to_markdown(self.site, self.page, self.verdict.node_kept, self._context.images)

    @property
    def front_matter(self) -> str:
        """Title, author, date and address as YAML, to stand above the Markdown; what is unknown is left out."""
        found = {"title": self.title, "author": self.author, "date": self.date, "url": self.url}
        # JSON's strings are YAML's.
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in found.items() if value]
        return "\n".join(["---", *lines, "---", "", ""])

    @cached_property
    def html(self) -> str:
        """Clean HTML: safe to show."""
        if self._body.is_own:
            return to_html(self.site, self.page, self.verdict.node_kept, self._context.images)
        return "\n".join(f"<p>{html.escape(part)}</p>" for part in self._body.text.split("\n\n") if part)

    @cached_property
    def confidence(self) -> float:
        """0 to 1: the mean score of the kept text; little for pages that show none of their text, 0 for no text."""
        if self._body.confidence >= 0:
            return self._body.confidence
        rows = self.kept_nodes
        size = (self.site.nodes.text_end[rows] - self.site.nodes.text_start[rows]).astype(np.float64)
        if not size.sum():
            return 0.0
        mean = float(np.average(self.verdict.node_score[rows], weights=size))
        return min(max(mean, 0.0), 1.0) * (0.5 if self._body.notes else 1.0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of this page: "cut at 20 MB", "needs rendering: ..."."""
        said = self.site.pages.notes[self.page]
        return (*([said] if said else []), *self._body.notes)

    @property
    def page_type(self) -> str:
        """article, collection, documentation, forum, listing, product or service; empty when the method does not tell."""
        return self._types[self.page] if len(self._types) > self.page else ""

    @cached_property
    def comments(self) -> str:
        """The text of the comments under an article, which is no part of its text; empty if there are none."""
        return self._left_out("comments")

    @cached_property
    def posts(self) -> list[Post]:
        """The posts of a thread, in order; empty for a page that is no thread."""
        found = find_posts(self.site, self.page, self.verdict.node_kept)
        n_signed = sum(bool(post.author) for post in found)
        # A list of dated notes is no thread: threads are signed, by more than one.
        is_thread = self.page_type == "forum" or (
            2 * n_signed >= len(found) and len({post.author for post in found} - {""}) > 1
        )
        return found if is_thread else []

    @cached_property
    def comment_posts(self) -> list[Post]:
        """The comments under an article, one by one; empty where they cannot be told apart."""
        return find_posts(self.site, self.page, kind_nodes(self.site, self.verdict, "comments", self.page))

    @cached_property
    def related(self) -> str:
        """The text of the lists of other pages around an article, which is no part of its text."""
        return self._left_out("related")

    @cached_property
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
        rows = self.site.page_rows(self.page)
        own = np.flatnonzero(self.verdict.node_block[rows] >= 0) + rows.start
        nodes: dict[int, list[int]] = {}
        for row in own.tolist():
            nodes.setdefault(int(self.verdict.node_block[row]), []).append(row)
        blocks = self.verdict.blocks
        return [
            Reason(bool(blocks.is_informative[block]), blocks.reason[block], self._start(rows))
            for block, rows in nodes.items()
        ]

    def _start(self, rows: list[int]) -> str:
        text = " ".join(" ".join(self.site.node_text(row) for row in rows[:20]).split())
        return text if len(text) <= 100 else text[:99] + "…"

    def to_dict(self) -> dict[str, Any]:
        """As JSON: what `extract --format json` prints."""
        out: dict[str, Any] = {name: getattr(self, name) for name in ("url", "path", "role", *_FIELDS)}
        out["images"] = list(self.images)
        out["sources"] = self.sources
        out["confidence"] = round(self.confidence, 4)
        out["notes"] = list(self.notes)
        if self.role == "toc":
            out["entries"] = [asdict(entry) for entry in self.entries]
        if self.page_type == "forum":
            out["posts"] = [asdict(post) for post in self.posts]
        return {**out, **{name: getattr(self, name) for name in ("text", "markdown", "html")}}

    @property
    def sources(self) -> dict[str, str]:
        """Where each field was found, for those that were."""
        return {name: field.source for name in _FIELDS if (field := getattr(self.fields, name))}


def _unreadable(text: str) -> str:
    """Why a page that was read as HTML is none: a PDF, an image, an archive."""
    start = text[:2000]
    if start.lstrip().startswith("%PDF-"):
        return "not HTML: a PDF"
    # Text has next to no control characters; a page in a wrong character set has some that cannot be decoded.
    return "not HTML: binary data" if len(_BINARY.findall(start)) > 0.1 * max(len(start), 20) else ""


def _about_text(text: str) -> tuple[str, ...]:
    start, end = text[:50].lstrip(), text[-50:].rstrip()
    if start[:1] + end[-1:] in ("{}", "[]") and ('":' in text[:2000] or '",' in text[:2000] or '" :' in text[:2000]):
        return ("not HTML: looks like JSON",)
    return ()


def _about_tags(tag: Ints16) -> list[str]:
    elements = tag[tag != TEXT]
    if (elements == UNKNOWN).sum() * 2 > len(elements):
        return ["not HTML: looks like XML"]
    return ["no tags: read as plain text"] if len(elements) <= 3 else []
