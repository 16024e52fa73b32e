"""Author, date and the like from what a page says of itself: JSON-LD and `<meta>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitegrain.article.fields.authors.names import clean_name, join_names, may_be_name, may_be_whole
from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.days.visible import is_day_of_change
from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.elements import is_named
from sitegrain.tables.site import Site
from sitegrain.text.jsonld import GROUPS, Item, paragraphs, plain, types_of

_DATE_META = (
    "article:published_time", "og:published_time", "datepublished", "article:published", "citation_publication_date",
    "citation_online_date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", "dc.date",
    "dcterms.date",
    "dc.issued", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish-date", "publish_date",
    "publication_date", "publicationdate", "article.published", "article_date_original", "cxenseparse:recs:publishtime",
    "originalpublicationdate", "rnews:datepublished", "date", "datecreated", "article:post_time", "bt:pubdate", "pdate",
    "ptime", "shareaholic:article_published_time", "release_date", "video:release_date",
)  # fmt: skip
_AUTHOR_META = (
    "author", "article:author", "citation_author", "citation_authors", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator",
    "dc.creator.name", "byl", "article:author_name", "og:article:author", "shareaholic:article_author_name", "authors",
    "cxenseparse:author", "rbauthors", "author.name", "byline", "article.author", "creator", "og:author",
    "dc.contributor",
)  # fmt: skip
_IS_DATE_META, _IS_AUTHOR_META = frozenset(_DATE_META), frozenset(_AUTHOR_META)
_LIBRARY = frozenset(("citation_author", "citation_authors", "dc.creator", "dcterms.creator"))
_LAST_FIRST = re.compile(r"^\s*([^\s,]+(?: [^\s,]+)?), ([^\s,]+(?: [^\s,]+)?)\s*$")
"""As libraries write names: "Lee, Ann M."."""
_DATE_KEY = re.compile(
    r"publi(?:sh|cation).{0,6}(?:date|time)|date.{0,3}publish|(?:creat|issue)\w*[-_.]?date", re.IGNORECASE
)
_WRITTEN_BY = late_pattern(
    r"written by|^by$|author|verfasst|geschrieben|écrit par|escrito por|scritto da|autor|написано|автор|作者|"
    r"著者|執筆",
    re.IGNORECASE,
)


def page_items(view: View) -> list[Item]:
    """The JSON-LD items that may be the page's own article, post, question, product or video."""
    return view.linked.articles or view.linked.others


def linked_author(view: View) -> tuple[str, bool]:
    """(author, it is an organisation) by JSON-LD; a person of any item goes before an organisation."""
    second = ""
    for item in page_items(view):
        if "product" in item.types:
            continue
        for key in ("author", "creator"):
            value = item.data.get(key)
            if name := join_names(view.linked.names(value)):
                first = view.linked.resolve(value[0] if isinstance(value, list) and value else value)
                types = types_of(first.get("@type")) if isinstance(first, dict) else ()
                if not any(group in t for t in types for group in GROUPS):
                    return name, False
                second = second or name
    return second, True


def meta_author(view: View) -> str:
    """Author by `<meta>`."""
    for key in _AUTHOR_META if not _IS_AUTHOR_META.isdisjoint(view.meta) else ():  # most pages have none
        if value := view.meta.get(key):
            if key == "author" and _is_of_item(view, value):
                continue
            names = [value, *_all_meta(view, key)]
            if name := join_names([_LAST_FIRST.sub(r"\2 \1", n) for n in names] if key in _LIBRARY else names):
                return name
    for k in "123":
        label = view.meta.get(f"twitter:label{k}", "")
        if label and _WRITTEN_BY.search(label) and (name := join_names([view.meta.get(f"twitter:data{k}", "")])):
            return name
    # Meant for an account, it is sometimes a name.
    name = clean_name(view.meta.get("twitter:creator", ""))
    return name if may_be_whole(name) and may_be_name(name) else ""


def _is_of_item(view: View, value: str) -> bool:
    """True for an author who is only an item's on the page, as those of the works that it cites (`<meta itemprop=author>`)."""
    if "author" not in view.attrs("itemprop").values():
        return False
    return value not in _all_meta(view, "author")


def _all_meta(view: View, key: str) -> Iterator[str]:
    # The table of a page keeps the first <meta> of a name; several authors are several elements.
    for attribute in ("name", "property"):
        for row, name in view.attrs(attribute).items():
            if name.strip().lower() == key:
                yield view.attrs("content").get(row, "")


def linked_date(view: View) -> str:
    """Day of publication by JSON-LD."""
    for key in ("datePublished", "dateCreated", "uploadDate"):
        for item in page_items(view):
            if "product" in item.types:
                continue
            if found := parse_date(plain(item.data.get(key)), view.day_first):
                return found
    return ""


def meta_dates(view: View) -> set[str]:
    """All days of publication that `<meta>` tell: of a text that was published again there may be two."""
    values = (view.meta[key] for key in _IS_DATE_META.intersection(view.meta))
    return {found for value in values if (found := parse_date(value, view.day_first))}


def meta_date(view: View) -> str:
    """Day of publication by `<meta>`."""
    for key in _DATE_META if not _IS_DATE_META.isdisjoint(view.meta) else ():
        found = parse_date(value, view.day_first) if (value := view.meta.get(key)) else ""
        # Wikis give the day of the last change, and say so on the page.
        if found and not (key == "date" and is_day_of_change(view, found)):
            return found
    for key, value in view.meta.items():
        if is_named(_DATE_KEY, key) and (found := parse_date(value, view.day_first)):
            return found
    # The programs of sites give the minute in which they made the page by the same name.
    is_office = "office" in view.meta.get("generator", "").lower()
    return parse_date(view.meta.get("created", ""), view.day_first) if is_office else ""


def json_ld_text(site: Site, page: int) -> str:
    """The body of the article that a page carries only as JSON-LD, as paragraphs; empty when there is none."""
    best = ""
    for item in View(site, page).linked.items:
        for key in ("articleBody", "text", "reviewBody", "description"):
            value = item.data.get(key)
            if isinstance(value, str) and len(value) > len(best):
                best = value
    return paragraphs(best)
