"""What a page has to say for itself: prose of its own, and whether its title is that of a file or of another page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import splitext
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.roles.counts import RARE_IMAGE, folded_texts, image_sources
from sitegrain.roles.menus import inside
from sitegrain.roles.parts import RARE, Columns, PageParts, address_path
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, tag_mask
from sitegrain.text.words import fold

MEDIA = frozenset(
    (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".tif", ".tiff", ".pdf", ".mp3", ".mp4", ".ogg")
)
"""Endings of files that a page may be the cover of."""
_IS_LABEL = tag_mask(("title", "option", "button", "label", "h1"))
_STAMP = re.compile(r"(?<=\w)[-_]\d{6,}(?=$|[-_]\d{2,4}x\d{2,4}$)")
_SIZE = re.compile(r"[-_]\d{2,4}x\d{2,4}$")
_SIGNS = re.compile(r"[^\w]+|_")
_PAGE_END = re.compile(r"\.html?$")
_COPY_END = re.compile(r"(?<=\w)\.html?$")
_MEDIA_END = re.compile(rf"\.(?:{'|'.join(sorted(e[1:] for e in MEDIA))})(?:\.html?)?(?:[?#]|$)", re.IGNORECASE)


_LAST = frozenset(end[-3:] for end in (*MEDIA, "html", "htm"))


def _names_media(address: str) -> bool:
    """Whether an address has such an ending; of most that is told by their last letters."""
    if address[-3:].lower() not in _LAST and "?" not in address and "#" not in address and address[-1:] != "\n":
        return False
    return _MEDIA_END.search(address) is not None


def prose_texts(parts: PageParts) -> Bools:
    """Per text node: it is of the page's own, and neither a link within the site, a date, a title nor a label of a form.

    Headings count unless they say the title: some sites write whole articles as headings.
    """
    site, nodes = parts.site, parts.site.nodes
    rows = site.text_rows
    # With those to the page itself: tables of contents are that.
    leading = inside(site, site.links.node[parts.leads_on | site.links.is_self])[rows]
    out = ~(leading | parts.dated | _IS_LABEL[nodes.tag[nodes.parent[rows]]]) & (parts.weight > RARE)
    titles = [fold(t) for t in site.pages.title]
    heading = np.flatnonzero(parts.headed & out)
    said = zip(folded_texts(site, rows[heading]), parts.page[heading].tolist(), strict=True)
    is_title = [not text or text in titles[page] for text, page in said]
    out[heading[np.array(is_title, bool)]] = False
    return np.asarray(out, bool)


def own_images(parts: PageParts) -> Floats:
    """Images of a page that stand on no more than two pages."""
    page, found = image_sources(parts.site)
    is_rare = parts.known.counts.images.at(found.key) <= RARE_IMAGE
    rare = found.is_first & is_rare[found.which] if len(page) else found.is_first
    return np.bincount(page[rare], minlength=parts.site.n_pages).astype(np.float64)


def file_titles(parts: PageParts) -> tuple[Floats, Floats]:
    """1 for a page that is named like a file, or whose title is the name of a file that it shows: a picture's page.

    And 1 for another page that shows a file with the name that ends its address, which says less: who writes pages by hand calls a
    picture like the page that it stands on.
    """
    site = parts.site
    attrs, tag = site.attrs, site.nodes.tag
    of_file, like_file = np.zeros(site.n_pages), np.zeros(site.n_pages)
    titles = parts.titles
    shown: list[set[str]] = [set() for _ in range(site.n_pages)]
    for name, code in (("src", "img"), ("href", "a")):
        mine = np.flatnonzero(attrs.name == ATTRIBUTES.index(name))
        mine = mine[tag[attrs.node[mine]] == TAG_CODE[code]]
        # Each address is read once, however many pages have it.
        value = attrs.value[mine]
        is_used = np.zeros(len(site.strings), bool)
        is_used[value] = True
        files = [v for v in np.flatnonzero(is_used).tolist() if _names_media(site.strings[v])]
        is_used[:] = False
        is_used[files] = True
        hit = is_used[value]
        stems = {v: _plain_stem(site.strings[v]) for v in files}
        for page, v in zip(site.nodes.page[attrs.node[mine[hit]]].tolist(), value[hit].tolist(), strict=True):
            shown[page].add(stems[v])
    for page, title in enumerate(titles):
        url = site.pages.url[page]
        if not shown[page] and "%" not in url and not _MEDIA_END.search(url) and not _MEDIA_END.search(title):
            continue  # most pages name no file at all
        last = unquote(address_path(url)).rstrip("/").rsplit("/", 1)[-1]
        of_file[page] = bool(file_stem(title) or file_stem(last))
        if shown[page] and not of_file[page]:
            of_file[page] = _is_shown(_plain(title), shown[page])
            like_file[page] = not of_file[page] and _is_shown(_plain(_PAGE_END.sub("", last)), shown[page])
    return of_file, like_file


def _is_shown(stem: str, shown: set[str]) -> bool:
    return bool(stem) and stem in shown


def file_stem(path: str) -> str:
    """The name of a picture or other file without its ending; empty if the path names none.

    >>> file_stem("img/Flag_of_Norway.svg"), file_stem("a/b.png.html"), file_stem("news.html")
    ('Flag_of_Norway', 'b', '')
    """
    if _MEDIA_END.search(path) is None:
        return ""
    # Copies of sites end every address in .html.
    stem, ending = splitext(_COPY_END.sub("", path.rsplit("/", 1)[-1]))
    return stem if ending.lower() in MEDIA else ""


@lru_cache(maxsize=1 << 12)
def _plain_stem(href: str) -> str:
    stem = file_stem(unquote(address_path(href)))
    # Some write the moment of the upload behind the name.
    return _plain(_STAMP.sub("", stem)) if stem else ""


def _plain(name: str) -> str:
    """A file name without case and signs, and without the size that picture galleries put at its end; a short one says nothing."""
    plain = _SIGNS.sub("", _SIZE.sub("", fold(name)))
    return plain if len(plain) >= 3 else ""


def about_columns(titles: Sequence[str], columns: Columns) -> None:
    """Titles that are about another page (`Talk: X`, `Pages that link to "X"`, `Comments on X`), and their kinds."""
    n = len(titles)
    known: dict[str, int] = {}
    for t in titles:
        known[t] = known.get(t, 0) + 1
    about, before = np.zeros(n), []
    for page, title in enumerate(titles):
        head = ""
        for found in re.finditer(r"[\s:\"“„«'‘]+", title):
            rest = title[found.end() :].rstrip("\"”“»'’ ")
            if found.start() > 0 and len(rest) >= 3 and known.get(rest, 0) > (rest == title):
                head = title[: found.start()]
                break
        about[page] = bool(head)
        colon = title.find(":")
        before.append(head or (title[:colon] if 0 < colon < 40 else ""))
    size: dict[str, int] = {}
    for head in before:
        size[head] = size.get(head, 0) + 1
    columns.add("site_title_about", about)
    columns.log("site_title_prefix", [size[h] if h else 0 for h in before])
