"""Pictures, films and sounds of a page: where each is fetched from, and which belong to the kept text.

A picture has no text to be judged by, so it is judged by the text around it. It belongs to the kept text when it stands
within it: the nearest text before and after it is kept, or it stands next to kept text inside of the smallest element
that holds nearly all of it, or of one of which all is kept (the last post of a thread). A branch that has more than a label of text, and none of it kept, is left out with its pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.strings import StringCounts
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Ints16, Ints32, Ints64
from sitegrain.tables.address import host_of, page_key, resolve
from sitegrain.tables.budgets import MAX_REACH
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, TAG_CODE, TEXT, tag_mask

MEDIA_TAGS: dict[str, str] = {"video": "video", "audio": "audio", "iframe": "video", "embed": "video"}
"""What is written as a link, and what it is called when it has no name."""
IS_SEEN = tag_mask(("img", "hr", *MEDIA_TAGS))
_IS_BLOCK = tag_mask(BLOCK_TAGS)
_IS_FIELD = tag_mask(("form", "input", "button", "select", "textarea"))
SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset", "src", "srcset")
"""Attributes that say where a picture is fetched from, the surest first: pages that load pictures late name them in the first
four, and a stand-in in `src`."""
_RANK = np.full(len(ATTRIBUTES), len(SOURCES), np.int64)
_RANK[[ATTRIBUTES.index(name) for name in SOURCES]] = np.arange(len(SOURCES))
_A, _FIGURE, _HR, _NOSCRIPT, _PICTURE_TAG, _SOURCE = (
    TAG_CODE[tag] for tag in ("a", "figure", "hr", "noscript", "picture", "source")
)
HOLDS_TEXT = tag_mask(
    "p blockquote pre ul ol dl center font b strong i em u span a small big h1 h2 h3 h4 h5 h6".split()
)
"""Elements that are a piece of a body and not the body: the picture before a lone paragraph stands beside it."""
NEARLY_ALL = 0.9
"""Share of the kept text whose smallest common element is the body of the page; the rest may be a title or a note
that stands apart. Not tuned."""
MIN_PAGES, MANY_PAGES = 3, 0.25
"""Pages, and share of a site's pages, from which a picture is taken for a part of the template. With 0.05 eight labelled sites lose
one in five of their own pictures (recall 0.81 against 0.94), and no more of the foreign ones go."""
SHORT_LABEL = 100
"""Characters of left-out text of a link that only label its picture (a file name, its size in pixels)."""
LONG_CAPTION = 500
"""The same of a figure, and of a link to the picture itself: captions are left out of the text by convention, and their pictures stay. Of 2,939 on the
pages of the six sets 199 in 200 are shorter."""
MAX_BOX = 40
"""Rows of a box that holds a picture and what is said below it. Set beforehand: those of newspapers have 5 to 20."""
MAX_CARD = 8
"""Elements between a picture and the link around it."""
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?)$", re.IGNORECASE)
_STAND_IN = re.compile(
    r"(?:^|[/_.-])(?:\w*placeholder|spacer|missing-image|cleardot|1x1|dummy|shim|no-?image)\.(?:gif|png|svg|webp|jpe?g)$"
    r"|(?:^|[/_.-])(?:blank|clear|transparent[\w-]*|pixel|loading|progress|empty)\.(?:gif|svg)$"
    r"|^(?:blank|clear|transparent|pixel|loading|progress|empty)\.(?:png|webp|jpe?g)$",
    re.IGNORECASE,
)
"""Files that fill the place of a picture until it is loaded, or of nothing at all. Words that are said of pictures, too, count as the whole name, or with
the formats of signs: "install-progress.png" and "logo-on-transparent.png" are pictures. For the last part of a path."""
_SIZE = re.compile(r"-([5-9]\d|\d{3,4})x([5-9]\d|\d{3,4})(?=\.[a-z]{3,4}$)")
"""As content systems name the sizes that they cut; below 50 pixels it is the name of an icon."""
MAX_BUTTON = 24
"""Pixels of the height of a button: boards have them of 12 to 20. Set beforehand."""
THUMBNAIL = 300
"""Pixels: the larger of WordPress's two small sizes."""
_AVATAR = re.compile(r"(?:^|[\s/_.-])(?<!onebox-)(?:gr)?avatars?(?:$|[\s/_.-])", re.IGNORECASE)
"""Names of faces; Discourse calls the picture of a page that a post links to `onebox-avatar`, whatever its size."""
_FILM = re.compile(
    r"https?://(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com/embed|youtu\.be|player\.vimeo\.com|dailymotion\.com/embed|"
    r"soundcloud\.com|bandcamp\.com|slideshare\.net|ted\.com)/\S"
)
_MARKUP = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=]{1,4000}")
"""Values are cut at 4,096 bytes when the page is read, so a longer picture is not whole."""


def image_address(attrs: Mapping[str, str], base: str) -> str:
    """Where an `<img>` is fetched from: lazy-loading names the picture beside a placeholder in `src`.

    >>> image_address({"src": "blank.gif", "data-src": "/tea.jpg"}, "http://a.org/x/")
    'http://a.org/tea.jpg'
    >>> image_address({"src": "data:image/gif;base64,R0l=", "srcset": "s.png 300w, l.png 900w"}, "http://a.org/x/")
    'http://a.org/x/l.png'
    """
    for name in SOURCES:
        value = attrs.get(name, "").strip()
        if value and name.endswith("srcset"):
            value = _largest(value)
        if (
            value
            and (found := resolve(value, base))
            and not _STAND_IN.search(found.partition("?")[0].rpartition("/")[2])
        ):
            return found
    data = attrs.get("src", "").strip()
    return data if _DATA_IMAGE.fullmatch(data) else ""


def picture_address(
    row: int, tag: Ints16, parent: Ints32, attrs_of: Callable[[int], Mapping[str, str]], base: str
) -> str:
    """`image_address` of a row; if it has none, that of a `<source>` before it in its `<picture>`."""
    if found := image_address(attrs_of(row), base):
        return found
    up = int(parent[row])
    if up >= 0 and tag[up] == _PICTURE_TAG:
        for source in range(up + 1, min(row, up + MAX_CARD)):
            if tag[source] == _SOURCE and (found := image_address(attrs_of(source), base)):
                return found
    return ""


def picture_name(attrs: Mapping[str, str]) -> str:
    """What an `<img>` says instead, without the tags that some content systems write into it.

    >>> picture_name({"alt": "<p>A  pot</p>"}), picture_name({"alt": "2 < 3"})
    ('A pot', '2 < 3')
    """
    alt = attrs.get("alt", "")
    return " ".join((_MARKUP.sub(" ", alt) if "<" in alt else alt).split())


def is_no_picture(attrs: Mapping[str, str]) -> bool:
    """True for a counting pixel, and for the face beside a post or a byline.

    >>> is_no_picture({"width": "1"}), is_no_picture({"src": "/user_avatar/ann.png"}), is_no_picture({"src": "tea.png"})
    (True, True, False)
    >>> is_no_picture({"class": "user-avatar"}), is_no_picture({"class": "thumbnail onebox-avatar", "src": "tea.png"})
    (True, False)
    """
    if any(attrs.get(name, "") in ("0", "1") for name in ("width", "height")):
        return True
    said = f"{attrs.get('class', '')} {attrs.get('src', '')}"
    return "avatar" in said.lower() and _AVATAR.search(said) is not None  # most say nothing of the kind


def sizes_of(address: str) -> tuple[str, bool]:
    """(the address of a picture without the size that it was cut to, it was cut to a thumbnail).

    >>> sizes_of("http://a.org/tea-300x200.jpg"), sizes_of("http://a.org/tea-900x600.jpg"), sizes_of("http://a.org/4x4.jpg")
    (('http://a.org/tea.jpg', True), ('http://a.org/tea.jpg', False), ('http://a.org/4x4.jpg', False))
    """
    match = _SIZE.search(address) if "x" in address[-20:] else None
    if match is None:
        return address, False
    return address[: match.start()] + address[match.end() :], max(int(match[1]), int(match[2])) <= THUMBNAIL


def is_shown_small(address: str, shown: dict[str, str]) -> bool:
    """True for a small copy of a picture that was shown before, as galleries have them; the same file may come again (a smiley). Keeps
    what is `shown`."""
    whole, is_small = sizes_of(address)
    return shown.setdefault(whole, address) != address and is_small


def is_without_scripts(row: int, tag: Ints16, parent: Ints32) -> bool:
    """True in a `<noscript>`, which shows a lazy picture or film once more."""
    for _ in range(4):
        row = int(parent[row])
        if row < 0 or tag[row] == _NOSCRIPT:
            return row >= 0
    return False


def is_low_link(row: int, tag: Ints16, parent: Ints32, attrs: Mapping[str, str]) -> bool:
    """True for a picture in a link that says it is no higher than a line, and what it does ("Reply with quote") twice, once as a hint: a button.
    Small logos and signs of wikis have no hint of their own."""
    digits = attrs.get("height", "").removesuffix("px")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 3 and int(digits) <= MAX_BUTTON):
        return False
    if not attrs.get("alt") or attrs["alt"] != attrs.get("title"):
        return False
    for _ in range(3):
        row = int(parent[row])
        if row < 0 or tag[row] == _A:
            return row >= 0
    return False


def _largest(srcset: str) -> str:
    best, size = "", -1.0
    for part in re.split(r",\s+", srcset.strip())[:50]:
        address, _, width = part.strip().partition(" ")
        number = re.match(r"\d{1,6}(?:\.\d{1,3})?", width.strip())
        value = float(number[0]) if number else 1.0
        if address and not address.startswith("data:") and value > size:
            best, size = address, value
    return best


def media_address(tag: str, attrs: Mapping[str, str], base: str) -> str:
    """Where a film or a sound is; of frames only those of well-known players."""
    src = attrs.get("data-src", "") or attrs.get("src", "")
    found = resolve(src, base) if src.strip() else ""
    return found if tag in ("video", "audio") or _FILM.match(found) else ""


def image_pages(site: Site) -> StringCounts:
    """Where the pictures of a site, or of a part of it, are fetched from, and on how many pages; of a picture that is loaded late that is not its
    stand-in, which many pictures share."""
    attrs, nodes = site.attrs, site.nodes
    rank = _RANK[attrs.name]
    mine = np.flatnonzero((rank < len(SOURCES)) & (nodes.tag[attrs.node] == TAG_CODE["img"]))
    mine = mine[np.array([bool(site.strings[value]) for value in attrs.value[mine].tolist()], bool)]
    mine = mine[np.lexsort((rank[mine], attrs.node[mine]))]
    mine = mine[np.diff(attrs.node[mine], prepend=-1) != 0]
    pairs = distinct(attrs.value[mine].astype(np.int64) * max(site.n_pages, 1) + nodes.page[attrs.node[mine]])
    value, n_pages = np.unique(pairs // max(site.n_pages, 1), return_counts=True)
    found = zip(value.tolist(), n_pages.tolist(), strict=True)
    return StringCounts.of({site.strings[v]: n for v, n in found})


def repeated_images(site: Site) -> frozenset[str]:
    """Where the pictures that stand on many pages of a site are fetched from: logos, buttons, icons, smileys."""
    return frozenset(image_pages(site).as_dict(many_pages(site.n_pages)))


def many_pages(n_pages: int) -> float:
    """Pages from which a picture is taken for a part of the template."""
    return max(MIN_PAGES, MANY_PAGES * n_pages)


def has_line(tag: Ints16, parent: Ints32, kept: Bools) -> Bools:
    """Per row: it is a block with kept text in a line of its own, and not in a block within."""
    out = np.zeros(len(tag), bool)
    up = parent[np.flatnonzero(kept)]
    while len(up := up[up >= 0]):  # as often as inline elements stand in one another, which the parser limits
        is_block = _IS_BLOCK[tag[up]]
        out[up[is_block]] = True
        up = parent[up[~is_block]]
    return out


def is_button(row: int, tag: Ints16, parent: Ints32, has_line: Bools, hrefs: Mapping[int, str]) -> bool:
    """True for a repeated picture that is linked or stands in no line of text of its block (a banner above the title); a smiley does, and one that leads
    to a larger picture shows what that shows (the seal of a prize, once for each that was won).

    `has_line` says of each row whether it is a block with such a line; `hrefs` are the addresses of links.
    """
    up = int(parent[row])
    while up >= 0 and not _IS_BLOCK[tag[up]]:
        if tag[up] == TAG_CODE["a"]:
            return not leads_to_picture(hrefs.get(up, ""))
        up = int(parent[up])
    return up < 0 or not has_line[up]


def seen_rows(
    tag: Ints16,
    parent: Ints32,
    end: Ints32,
    kept: Bools,
    lengths: Ints64,
    hrefs: Mapping[int, str],
    url: str = "",
    source_of: Callable[[int], str] = lambda row: "",
) -> list[list[int]]:
    """For each picture (film, sound, rule) of a page that belongs to the kept text: its row and those above it that
    hold no kept text. `lengths` are the characters of text rows, 0 for others; `hrefs` are the addresses of links; `url` is the
    address of the page; `source_of` gives the `src` of a picture."""
    seen = np.flatnonzero(IS_SEEN[tag])
    texts = np.flatnonzero(tag == TEXT)
    if not len(seen) or not kept.any():
        return []
    n_kept = prefix_sum(kept)
    body = _body(tag, parent, end, kept, n_kept)
    size, kept_size = prefix_sum(lengths), prefix_sum(np.where(kept, lengths, 0))
    above, is_without = parent.tolist(), (n_kept[end] == n_kept[:-1]).tolist()
    known: dict[int, list[int]] = {}
    labelled: dict[int, int] = {}
    """Parent -> the figure around its pictures, or else the link; -1 for none."""
    found: list[tuple[int, list[int], int]] = []
    """Each with the rows above it that hold no kept text, and how much its figure or link says of it."""
    is_label = np.zeros(len(tag), bool)
    for row in seen.tolist():
        up = above[row]
        if up not in known:
            known[up] = []
            higher = up
            while higher >= 0 and is_without[higher] and len(known[up]) < MAX_REACH:
                known[up].append(higher)
                higher = above[higher]
            labelled[up] = next((i for kind in (_FIGURE, _A) for i in known[up] if tag[i] == kind), -1)
        own = labelled[up] if labelled[up] >= 0 else row
        is_of_picture = tag[own] == _FIGURE or leads_to_picture(hrefs.get(own, ""))
        label = int(size[end[own]] - size[own])  # a figure or a link labels its own picture
        label = label if label <= (LONG_CAPTION if is_of_picture else SHORT_LABEL) else 0
        found.append((row, [row, *known[up]], label))
        if label and is_of_picture:
            is_label[own : end[own]] = (
                True  # of one picture of a row of them: the text beside the next is what stands before the row
            )
    texts = texts[~is_label[texts]]
    is_kept = kept[texts]
    out = []
    for row, path, label in found:
        top = path[-1]
        up = above[top]
        if (link := link_around(row, tag, parent)) >= 0:
            n_said, n_kept_said = (int(sums[end[link]] - sums[link]) for sums in (size, kept_size))
            if 2 * n_kept_said < n_said and not leads_to_picture(hrefs.get(link, "")):
                continue  # a card that leads to another page, of which little is kept
            if n_said and leads_on(hrefs.get(link, ""), url):
                continue  # one that is kept: the picture is the other page's
            if shares_page(hrefs.get(link, ""), url):
                continue
        first, following = np.searchsorted(texts, [top, end[top]]).tolist()
        before_kept = first > 0 and bool(is_kept[first - 1])
        after_kept = following < len(texts) and bool(is_kept[following])
        if up < 0:
            continue
        if (said := int(size[end[top]] - size[top])) > label and not (
            before_kept
            and after_kept
            and said <= LONG_CAPTION
            and is_captioned(row, top, tag, end, size)
            and not is_drawn(source_of(row))
        ):
            continue
        is_whole = size[end[up]] - size[up] == kept_size[end[up]] - kept_size[up]
        within = body <= row < end[body] or is_whole
        if (before_kept and after_kept) or ((before_kept or after_kept) and within and tag[row] != _HR):
            out.append(path)
    return out


def is_captioned(row: int, top: int, tag: Ints16, end: Ints32, size: Ints64) -> bool:
    """True for a small box with one picture and what is said below it, without links and fields: a figure that is not called one. Of 187 such boxes
    between kept paragraphs of news and other pages three quarters are, and most others are drawings or stand below their text."""
    if end[top] - top > MAX_BOX or size[row] > size[top]:
        return False
    i = top
    while i < end[top]:
        if tag[i] == _NOSCRIPT:  # the same picture once more
            i = int(end[i])
            continue
        if i != row and (IS_SEEN[tag[i]] or _IS_FIELD[tag[i]] or (tag[i] == _A and size[end[i]] > size[i])):
            return False
        i += 1
    return True


def is_drawn(source: str) -> bool:
    """True for a sign or a logo, by the format of its file.

    >>> is_drawn("/tick.svg?v=2"), is_drawn("/tea.jpg")
    (True, False)
    """
    return source.partition("?")[0].lower().endswith(".svg")


def leads_to_picture(href: str) -> bool:
    """True for the address of a file of a picture."""
    return _PICTURE.search(href.partition("?")[0]) is not None


def shares_page(href: str, url: str) -> bool:
    """True for a link that hands the address of its own page to another: a button to share it, to mail it, to print it.

    >>> shares_page("https://x.example/share?u=http%3A%2F%2Fa.org%2Ftea", "http://a.org/tea")
    True
    >>> shares_page("http://a.org/tea?size=large", "http://a.org/tea")
    False
    """
    own = url.partition("://")[2].partition("?")[0].rstrip("/")
    return "/" in own and own in unquote(href.partition("?")[2])


def leads_on(href: str, url: str) -> bool:
    """True for a link to another page of the site: with words beside its picture it is a card. On 66 labelled sites 3 of 21 such pictures
    belong to the text that they stand in, and all of 222 without words do.

    >>> leads_on("/milk", "http://a.org/tea"), leads_on("#top", "http://a.org/tea"), leads_on("/tea.jpg", "http://a.org/tea")
    (True, False, False)
    """
    if not href or leads_to_picture(href):
        return False
    found = resolve(href, url)
    return bool(found) and host_of(found) == host_of(url) and page_key(found) != page_key(url)


def link_around(row: int, tag: Ints16, parent: Ints32) -> int:
    """The row of the link around a picture; -1 for none."""
    for _ in range(MAX_CARD):
        row = int(parent[row])
        if row < 0 or tag[row] == _A:
            return row
    return -1


def _body(tag: Ints16, parent: Ints32, end: Ints32, kept: Bools, n_kept: Ints64) -> int:
    """The smallest element that holds nearly all kept text and is more than a paragraph of it."""
    wanted = NEARLY_ALL * int(n_kept[-1])
    rows = np.flatnonzero(kept)
    row = int(rows[len(rows) // 2])
    while row > 0 and (HOLDS_TEXT[tag[row]] or n_kept[end[row]] - n_kept[row] < wanted):
        row = int(parent[row])
    return max(row, 0)
