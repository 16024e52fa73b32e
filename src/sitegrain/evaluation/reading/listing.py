"""How well the entries of TOC pages are read: their addresses, titles and dates against the main list of labelled sites.

Gold are the links inside of `toc_selector` that lead to labelled articles. Neither way counts a link there to a page
without a label or labelled otherwise (a list of lists), one within a sentence (a paragraph with more text than links, as of a
post that is printed whole), and what a person sees as no item: a link in a `<nav>` of the block, one without a letter ("2"),
and one that half of the site's pages have, too. A title is right if it is the target's own: its heading, its `<title>` or a line of its
beginning that is no link says the same, or holds it, whatever the order of words and the accents ("Lee, Ann"). A date is
right if the target gives the same, has it on one of its posts (boards show when a thread was last written to), or shows it
in a short line (the days of an event).

That is the wide measure. The strict one is older and stands first in every report: gold are all links inside of `toc_selector` that
lead to labelled articles, only links to pages without a label count neither way, a title must be in the target's `<title>` or
first headings (or hold one), and a date must be the target's own.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.article.article import Article
from sitegrain.article.context import SiteContext
from sitegrain.article.fields import Fields
from sitegrain.article.fields.days.visible import shown_dates
from sitegrain.article.lists.entries import TocEntry
from sitegrain.article.threads.posts import find_posts
from sitegrain.evaluation.data import LabelledSite, page_url
from sitegrain.evaluation.gold import gold_page
from sitegrain.evaluation.options import Options
from sitegrain.evaluation.reading.wording import squeezed, words
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.result.recipe import make_recipe
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import tag_mask

TOC_PAGES = 8
TARGETS = 60
"""Articles that the TOC pages lead to, read for their titles and dates."""
OTHERS = 60
LINES = 200
"""Text nodes of a page among which its own title is looked for."""
MAX_TITLE = 200
MIN_PROSE = 60
"""Characters of a paragraph beyond twice its links that make it a sentence with links, and not a link with a gloss."""
MENU = 0.5
"""Share of the site's pages that have a link which is the menu's, wherever a label's block ends. Set beforehand."""
MIN_MENU = 10
"""Pages of a site that has a menu."""
_TIME = re.compile(r"[\W\d]*(?:[ap]\.?m\.?)?\W*", re.IGNORECASE)
_IS_PARAGRAPH, _IS_LINK, _IS_NAV = tag_mask(("p",)), tag_mask(("a",)), tag_mask(("nav",))


@dataclass
class EntryScores:
    """Entries by one of the two measures."""

    f1: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    titles: list[bool] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)
    """Of the entries with a date whose target has one."""

    def add_page(self, found: set[str], gold: set[str]) -> None:
        """Count the addresses of one page."""
        right = len(found & gold)
        self.precision.append(right / len(found) if found else 0.0)
        self.recall.append(right / len(gold))
        self.f1.append(2 * right / (len(found) + len(gold)) if found else 0.0)


@dataclass
class ListScores:
    """The TOC pages of one site."""

    site: str
    strict: EntryScores = field(default_factory=EntryScores)
    wide: EntryScores = field(default_factory=EntryScores)


def measure_lists(labelled: LabelledSite, options: Options) -> ListScores:
    """The entries of a seeded sample of a site's TOC pages."""
    rng = random.Random(f"{options.seed}/{labelled.name}")
    tocs = sorted(x.path for x in labelled.labels.values() if x.kind == "toc" and x.toc_selector and not x.dup_of)
    sample = set(rng.sample(tocs, min(TOC_PAGES, len(tocs))))
    kinds, paths = _pages(labelled)
    linked = _linked(labelled, sample, kinds, paths)
    targets = set(rng.sample(linked, min(TARGETS, len(linked))))
    rest = sorted(set(labelled.labels) - sample - targets)
    captures = list(labelled.captures(sample | targets | set(rng.sample(rest, min(OTHERS, len(rest))))))
    site = build_site([options.shown(c, labelled.name) for c in captures])
    verdict = make_recipe(model=options.model_for(CONTENT_KIND, labelled.name)).judge(site)
    context = SiteContext(site)
    row = {path: p for p, path in enumerate(site.pages.path)}
    menu = _menu(site)
    out = ListScores(labelled.name)
    for capture in captures:
        if capture.path not in sample:
            continue
        p = row[capture.path]
        inside = _inside(site, p, [*gold_page(capture, labelled.labels[capture.path]).keep])
        linked_articles = {k for k in inside if kinds.get(k) == "article"}
        gold = {k for k in linked_articles if inside[k] and k not in menu}
        if not linked_articles:
            continue
        entries = Article(site, p, verdict, "toc", context).entries
        found = {page_key(e.url) for e in entries}
        out.strict.add_page({k for k in found if k not in inside or k in kinds}, linked_articles)
        if gold:
            out.wide.add_page(
                found - {k for k in inside if k not in gold and (k not in menu or kinds.get(k, "other") != "toc")}, gold
            )
        for entry in entries:
            if entry.page >= 0 and (key := page_key(entry.url)) in linked_articles:
                _details(site, context, verdict.node_kept, entry, out, is_item=key in gold)
    return out


def _details(site: Site, context: SiteContext, kept: Bools, entry: TocEntry, out: ListScores, is_item: bool) -> None:
    """Title and date of an entry that leads to an article; `is_item` for those that the wide measure counts."""
    fields = Fields(site, entry.page, context.fields)
    known = context.fields
    title = entry.title.rstrip("….").removesuffix("[...]")
    said = [site.pages.title[entry.page], fields.title.value, *_headings(site, entry.page)]
    out.strict.titles.append(any(_holds(t, title) for t in said))
    if entry.date and fields.date:
        out.strict.dates.append(entry.date == fields.date.value)
    if not is_item:
        return
    said = [
        t for t in (*said, *_lines(site, entry.page)) if t and not (known is not None and known.is_constant("title", t))
    ]
    out.wide.titles.append(_TIME.fullmatch(title) is None and any(_says(t, title) for t in said))
    if entry.date and fields.date:
        posts = find_posts(site, entry.page, kept) if entry.date != fields.date.value else []
        shown = (date for _, date in shown_dates(fields.view))
        out.wide.dates.append(entry.date in (fields.date.value, *(post.date for post in posts), *shown))


def _holds(line: str, title: str) -> bool:
    a, b = squeezed(line), squeezed(title)
    return bool(a and b) and (b in a or (len(a) > 8 and a in b))


def _says(line: str, title: str) -> bool:
    a, b = (
        squeezed("".join(c for c in unicodedata.normalize("NFKD", t) if not unicodedata.combining(c)))
        for t in (line, title)
    )
    if not a or not b:
        return False
    return b in a or (len(a) > 8 and a in b) or sorted(words(line)) == sorted(words(title))


def _headings(site: Site, page: int) -> Iterator[str]:
    rows = site.page_rows(page)
    for row in site.rows("h1", "h2"):
        if rows.start <= row < rows.stop:
            yield site.node_text(int(row))


def _lines(site: Site, page: int) -> Iterator[str]:
    """Text nodes near the top of the page that are no link and no longer than a title."""
    rows = site.page_rows(page)
    above = site.nodes.parent
    for row in (np.flatnonzero(site.is_text[rows])[:LINES] + rows.start).tolist():
        if (
            site.nodes.text_end[row] - site.nodes.text_start[row] <= MAX_TITLE
            and not _IS_LINK[site.nodes.tag[above[row]]]
        ):
            yield site.node_text(row)


def _pages(labelled: LabelledSite) -> tuple[dict[str, str], dict[str, str]]:
    """(page key -> kind, page key -> path) of the labelled pages."""
    urls = {path: page_url(labelled.base_url, path) for path in labelled.labels}
    keys = {path: page_key(resolve(url, "") or url) for path, url in urls.items()}
    return {k: labelled.labels[p].kind for p, k in keys.items()}, {k: p for p, k in keys.items()}


def _linked(labelled: LabelledSite, sample: set[str], kinds: dict[str, str], paths: dict[str, str]) -> list[str]:
    site = build_site(labelled.captures(sample))
    keys = {page_key(url) for url in site.links.url if url}
    return sorted(paths[k] for k in keys if kinds.get(k) == "article")


def _menu(site: Site) -> set[str]:
    """Keys of the pages that half of the site's pages lead to."""
    if site.n_pages < MIN_MENU:
        return set()
    pairs = {(page_key(url), p) for url, p in zip(site.links.url, site.links.page.tolist(), strict=True) if url}
    often = Counter(key for key, _ in pairs)
    return {key for key, n in often.items() if n >= MENU * site.n_pages}


def _inside(site: Site, page: int, keep: list[int]) -> dict[str, bool]:
    """Keys of the pages linked in the gold block -> a link to it may be an item: it stands in no sentence and no `<nav>`, and says
    or shows something."""
    rows = site.page_rows(page)
    nodes, links = site.nodes, site.links
    elements = rows.start + np.flatnonzero(~site.is_text[rows])
    gold = np.zeros(site.n_nodes, bool)
    is_nav = np.zeros(site.n_nodes, bool)
    for top in elements[keep].tolist():
        gold[top : nodes.end[top]] = True
        for nav in (np.flatnonzero(_IS_NAV[nodes.tag[top + 1 : nodes.end[top]]]) + top + 1).tolist():
            is_nav[nav : nodes.end[nav]] = True
    own = [int(i) for i in np.flatnonzero(links.page == page) if links.url[i] and not links.is_self[i]]
    size = {int(links.node[i]): int(nodes.text_end[links.node[i]] - nodes.text_start[links.node[i]]) for i in own}
    of_paragraph: dict[int, int] = {}
    paragraph: dict[int, int] = {}
    for row, n in size.items():
        up = row
        while up >= 0 and not _IS_PARAGRAPH[nodes.tag[up]]:
            up = int(nodes.parent[up])
        paragraph[row] = up
        of_paragraph[up] = of_paragraph.get(up, 0) + n
    out: dict[str, bool] = {}
    for i in own:
        row = int(links.node[i])
        if not gold[row]:
            continue
        up = paragraph[row]
        is_inline = up >= 0 and int(nodes.text_end[up] - nodes.text_start[up]) > 2 * of_paragraph[up] + MIN_PROSE
        text = site.node_text(row)
        is_number = bool(text.strip()) and not any(map(str.isalpha, text))
        key = page_key(links.url[i])
        out[key] = out.get(key, False) or not (is_inline or is_nav[row] or is_number)
    return out
