"""From one page to its article."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitegrain.article.article import Article
from sitegrain.article.reasons import kind_nodes
from sitegrain.errors import PAGE_FAULTS, UsageError
from sitegrain.extractor.pagetypes import PageTypes
from sitegrain.light import late_pattern
from sitegrain.methods.base import ROLES, TOC
from sitegrain.result.recipe import AnyMethod, make_recipe, page_types
from sitegrain.roles.conventions import UNSAID, is_entrance, said_roles
from sitegrain.roles.formpages import form_pages
from sitegrain.sources.folder import FileSource
from sitegrain.tables.address import NOWHERE, shown_address
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import SiteBuilder, build_site
from sitegrain.tables.timing import time_limited

if TYPE_CHECKING:
    from sitegrain.article.lists.entries import TocEntry

MAX_PATH = 4096
"""Characters of the longest path that Linux takes; what is longer is no name of a file."""
SURE_TYPE = 0.4
"""Vote for the type of a page alone from which on a name or day that is seen on a list or a product is another's. On WCXB and
trafilatura-snippets 103 were left out without this bound, 12 of them right; with it 83, 2 of them right. That was by votes of the layout; told by words,
too, pages of WCXB without a day have none in 0.971 instead of 0.947, and those with one keep it in 0.870 instead of 0.873."""
_ADDRESS = re.compile(r"(?:https?|ftp|file)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_ENDING = late_pattern(r".*\.(?:[xs]?html?|mhtml|php|aspx?|jsp|warc|warc\.gz|parquet)", re.IGNORECASE)
_START = late_pattern(r"(?:\.{1,2}/|~/|[a-z]:\\)\S+", re.IGNORECASE)


def extract(
    html: str | bytes | Path,
    url: str | None = None,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    comments: bool = False,
) -> Article:
    """The main text of one page; with the comments under it when `comments` is true (else they are `Article.comments`).

    The page is HTML as a string or as bytes, or the `Path` of a file. A string that is plainly the name of a file or an
    address is refused: it would be taken for a page of one word.

    >>> extract("<p>Hello <i>you</i>").text
    'Hello you'
    >>> extract("page.html")
    Traceback (most recent call last):
    sitegrain.errors.UsageError: 'page.html' is the name of a file, not HTML: extract(Path('page.html')) reads it...
    """
    return extract_capture(_capture(html, url), methods=methods, model=model, comments=comments)


def extract_capture(
    capture: Capture, *, methods: Sequence[AnyMethod] = (), model: str | Path | None = None, comments: bool = False
) -> Article:
    """The main text of a page as a source gives it, with what its server said of it."""
    builder = SiteBuilder()
    builder.add(capture)
    faults = list(builder.problems) if not len(builder) else []
    if faults:  # an empty page, and why
        builder.add(replace(capture, body=b""))
    site = builder.build()
    try:
        with time_limited():
            verdict = make_recipe(methods, model).judge(site)
    except PAGE_FAULTS as error:
        faults.append(f"the page cannot be judged ({type(error).__name__}: {error})")
        site = build_site([replace(capture, body=b"")])
        verdict = make_recipe(methods, model).judge(site)
    types = page_types(verdict)
    if comments:
        verdict = replace(verdict, node_kept=verdict.node_kept | kind_nodes(site, verdict, "comments"))
    article = PageAlone(site, 0, verdict, role="", types=types)
    article.faults += faults
    return article


class PageAlone(Article):
    """A page that came without its site. Its role is what its title or address says where software writes these, or else what its type says."""

    @property
    def url(self) -> str:
        """Its address; where none was given, the one that it names; else empty."""
        return "" if self._place.startswith(NOWHERE) else self._place

    @property
    def _place(self) -> str:
        return self.site.pages.url[self.page]

    @property
    def entries(self) -> list[TocEntry]:
        found = super().entries
        if self.url:
            return found
        return [entry._replace(url=shown_address(entry.url), image=shown_address(entry.image)) for entry in found]

    @cached_property
    def _said(self) -> str:
        said = said_roles([self._place], [self.title], form_pages(self.site), [True])[0]
        # A page without links is no list. They are asked for only where it matters: to resolve them takes a tenth of all that is told of a page.
        if said != UNSAID and (said != TOC or any(self.site.links.url)):
            return ROLES[said]
        # What looks like a thread at the entrance of a site is the list of its boards.
        return ROLES[TOC] if is_entrance(self._place) and super()._looks_like == "forum" else ""

    @property
    def role(self) -> str:
        return self._said or super().role

    @property
    def page_type(self) -> str:
        return self._looks_like

    @property
    def _looks_like(self) -> str:
        types = page_types(self.verdict, [self._said], [self._place]) if self._said else ()
        return types[0] if types else super()._looks_like

    def _is_of_item(self, field: str, source: str) -> bool:
        return super()._is_of_item(field, source) and self._is_sure_type

    @cached_property
    def _is_sure_type(self) -> bool:
        if self._said or is_entrance(self._place):
            return True
        types = self._types
        return isinstance(types, PageTypes) and bool(types.votes(0).max() >= SURE_TYPE)


def _capture(html: str | bytes | Path, url: str | None) -> Capture:
    if not isinstance(url, str | None):
        raise UsageError(f"the address of a page is a str, not {type(url).__name__}")
    if isinstance(html, Path):
        return next(iter(FileSource([html], url, alone=True)))
    if isinstance(html, bytes):
        return Capture(url or "", html)
    if not isinstance(html, str):
        raise UsageError(f"extract takes HTML as str or bytes, or the Path of a file, not {type(html).__name__}")
    if mistake := _mistake(html.strip()):
        raise UsageError(mistake)
    # Text has no character set any more, whatever its <meta> says.
    headers = {"content-type": "text/html; charset=utf-8"}
    return Capture(url or "", html.encode("utf-8", "replace"), headers=headers)


def _mistake(text: str) -> str:
    """What to call instead, when a string is plainly an address or the name of a file; empty when it may be a page.

    Plainly means: one word on one line, without a tag, that begins like an address or a path, or ends like the name of
    a page. With white space in it, or with no such ending, it is a path only when that file exists: people do write
    "see about.html" and "and/or".

    >>> _mistake("Boil water."), _mistake("see about.html"), _mistake("and/or"), _mistake("/s")
    ('', '', '', '')
    """
    if not text or len(text) > MAX_PATH or "<" in text or "\n" in text:
        return ""
    really = "If it is the text of a page after all, pass it as bytes"
    if _ADDRESS.fullmatch(text):
        return (
            f"{text!r} is an address, not HTML: mine({text!r}) crawls that site; of a single page pass what was "
            f"fetched, extract(body, url=...). {really}"
        )
    is_one_word = not any(c.isspace() for c in text)
    is_named = bool(_ENDING.fullmatch(text))
    if is_one_word and (is_named or _START.fullmatch(text)):
        is_path = True
    else:
        is_path = (is_named or "/" in text or "\\" in text) and os.path.exists(text)
    return f"{text!r} is the name of a file, not HTML: extract(Path({text!r})) reads it. {really}" if is_path else ""
