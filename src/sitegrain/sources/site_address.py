"""Where the pages of a folder live, read from the pages themselves.

A copy of a site on disk has lost its address, and with it every absolute link. Most pages still say it: the canonical
link, `og:url`, the remark of the program that saved the page, absolute links that end like a file of the folder, and the
folders that `wget` and HTTrack name after hosts. Each is a vote for a base; a vote counts only when what follows the base
is the path of a file at hand, so that links to other sites vote for nothing. Programs that copy sites also rename files
(`?p=1` becomes `index.html?p=1.html` or `index.html@p=1.html`, `about` becomes `about.html`): of the ways to read a file
name as an address, the one by which most links lead to files is taken.
"""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from urllib.parse import quote

from sitegrain.light import dataclass, late_pattern
from sitegrain.tables.address import DEFAULT_BASE, host_of, is_registered, page_key, resolve, site_key

MAX_SAMPLE = 150
"""Pages that are asked. More change nothing but the time: the pages of a site agree or are useless."""
MAX_ASKED = 600
"""Pages that are asked when those name no address: where pages are made by hand, one in hundreds may, as the index that a program made
(on a labelled site of 243 pages one names the addresses of 179). Bounds the memory."""
MAX_TRIED = 30
"""Pages whose links are tried with each way to read file names."""
MAX_LINKS = 300
"""Links of one page that are looked at."""
CLAIM = 3
"""What a page's word on its own address counts for against a link that happens to end like a file; set beforehand."""
BY_CLAIM = 0.7
"""Pages are addressed by what they say of themselves, and not by their file names, when that resolves this much more."""
_DOWN, MAX_CLIMB = "~/", 8
"""A folder that no site has, and how far above the folder a link may lead."""
MIN_SHARE = 0.02
"""Share of the files that links must reach to name a base by themselves: three of a hundred files end like some page
of any site."""
_SAFE = "/~!$&'()*+,;=:@"
_TAG = re.compile(rb"<(a|area|base|link|meta)\s([^<>]{1,3000})>", re.IGNORECASE)
_ATTRIBUTE = late_pattern(
    rb"""(?<![\w-])(href|rel|property|name|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I
)
_ANCHOR_HREF = re.compile(rb"""(?<![\w-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_SAVED = re.compile(
    rb"<!--\s*(?:Mirrored from\s+|saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)([^\s<>]{4,2000})"
)
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_ONLY_FOLDER = re.compile(r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?::\d{1,5})?")
"""What a folder may be called after a host that nobody registered: a machine of one's own, with its port."""
_MACHINE = re.compile(r"www\.|localhost|.*:|\d+(?:\.\d+){3}$")
_INDEX = re.compile(r"(?:^|(?<=/))index\.html?$", re.IGNORECASE)


def as_is(path: str) -> str:
    """The path of a file as the path of an address; an index file is its folder.

    >>> as_is("news/index.html"), as_is("a b?c.html")
    ('news/', 'a%20b%3Fc.html')
    """
    return _quoted(_INDEX.sub("", path))


def with_query(path: str) -> str:
    """The same, where `?` or `@` in the file name began a query, and `.html` after it was added.

    >>> with_query("index.html?p=1.html"), with_query("foro/viewtopic.php@t=5&f=2.html"), with_query("about.html")
    ('?p=1', 'foro/viewtopic.php?t=5&f=2', 'about.html')
    """
    head, slash, name = path.rpartition("/")
    found = re.match(r"([^?@]*)[?@]([^?@]*=.*)", name)
    if not found:
        return as_is(path)
    name = _INDEX.sub("", found[1])
    query = re.sub(r"\.html?$", "", found[2])
    return _quoted(head + slash + name) + "?" + quote(query, safe=_SAFE + "%")


def without_ending(path: str) -> str:
    """The same, where `.html` was added to the name of the page.

    >>> without_ending("news/tea.html"), without_ending("index.php?p=1.html"), without_ending("view.php.html")
    ('news/tea', 'index.php?p=1', 'view.php')
    """
    address = with_query(path)
    return re.sub(r"(?<=[^/])\.html?$", "", address)


def _quoted(path: str) -> str:
    # A file system may hold names that are no Unicode; they keep their bytes in the address.
    return quote(path.encode("utf-8", "surrogateescape"), safe=_SAFE)


READINGS: tuple[tuple[Callable[[str], str], str], ...] = (
    (as_is, ""),
    (with_query, "queries in file names"),
    (without_ending, "file endings that were added"),
)
"""Ways to read the name of a file as an address, the plainest first, and what each is called."""


def mend_base(base: str) -> str:
    """A base as the user gave it with its scheme, or empty when it cannot be the address of a site.

    >>> mend_base("a.org/blog"), mend_base("HTTP://a.org"), mend_base("file:///x"), mend_base("no where")
    ('http://a.org/blog/', 'http://a.org/', '', '')
    """
    base = base.strip()
    if "://" not in base and (_HOST.match(base) or re.match(r"localhost(?:[:/]|$)", base)):
        base = "http://" + base
    url = resolve(base, "")
    return url if not url or url.endswith("/") else url + "/"


@dataclass(frozen=True)
class SiteAddress:
    """How the files of a folder are addressed."""

    base: str = DEFAULT_BASE
    why: str = "nothing in the pages names an address"
    """How the base was found, in words."""
    read: Callable[[str], str] = as_is
    hosts: frozenset[str] = frozenset()
    """Top folders that are named after hosts: what is below them has its address in its path."""
    by_claim: bool = False
    """File names say nothing: a page is where it says it is."""

    def url(self, path: str, claims: Sequence[str] = ()) -> str:
        """The address of a file; `claims` are where the page says that it is."""
        if self.by_claim:
            for claim in claims:
                if site_key(host_of(claim)) == site_key(host_of(self.base)):
                    return claim
        top, slash, rest = path.partition("/")
        if slash and top in self.hosts:
            scheme = self.base.partition(":")[0]
            return f"{scheme}://{top}/{self.read(rest)}"
        return self.base.rstrip("/") + "/" + self.read(path)


@dataclass
class _Said:
    """What one page says of addresses."""

    claims: list[str] = field(default_factory=list)
    """Where it says that it is, most trustworthy first."""
    base: str = ""
    """`<base>`, which its links start from."""
    origins: list[str] = field(default_factory=list)
    """Addresses of the site that it names without saying which page they are: `<base>`, feeds."""
    links: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, body: bytes) -> _Said:
        """Read the links, `<link>`, `<meta>` and `<base>` of a page by their tags, without a parser."""
        out = cls()
        canonical, shared, saved = "", "", saved_address(body)
        for tag in _TAG.finditer(body):
            name = tag[1].lower()
            if name in (b"a", b"area"):
                if len(out.links) >= MAX_LINKS:
                    break
                if found := _ANCHOR_HREF.search(tag[2]):
                    out.links.append(_text(found[1] or found[2] or found[3] or b""))
                continue
            attributes = _attributes(tag[2])
            href = attributes.get("href", "")
            if name == b"meta":
                if (attributes.get("property") or attributes.get("name", "")).lower() == "og:url":
                    shared = shared or attributes.get("content", "")
            elif name == b"base":
                out.base = out.base or href
                out.origins.append(href)
            elif "canonical" in attributes.get("rel", "").lower().split():
                canonical = canonical or href
            elif "alternate" in attributes.get("rel", "").lower().split():
                out.origins.append(href)
        out.claims = [u for u in (resolve(claim, "") for claim in (canonical, shared, saved)) if u]
        return out


@dataclass(frozen=True)
class PageSays:
    """The same of a page and its path, read when it is asked for: of most pages of a folder whose base was given nobody asks."""

    path: str
    body: bytes = field(repr=False)

    @cached_property
    def _said(self) -> _Said:
        return _Said.of(self.body)

    @property
    def claims(self) -> list[str]:
        return self._said.claims

    @property
    def base(self) -> str:
        return self._said.base

    @property
    def origins(self) -> list[str]:
        return self._said.origins

    @property
    def links(self) -> list[str]:
        return self._said.links


def saved_address(body: bytes) -> str:
    """Where a page was when a program saved it, as browsers, HTTrack and SingleFile write it down; empty if none did.

    >>> saved_address(b"<!-- saved from url=(0014)https://a.org/ --><html>"), saved_address(b"<!-- Mirrored from a.org/b -->")
    ('https://a.org/', 'http://a.org/b')
    """
    found = _SAVED.search(body)
    said = _text(found[1]) if found else ""
    return resolve(said if "://" in said else f"http://{said}", "") if said else ""


def _attributes(tag: bytes) -> dict[str, str]:
    out: dict[str, str] = {}
    for found in _ATTRIBUTE.finditer(tag):
        out.setdefault(found[1].decode("ascii").lower(), _text(found[2] or found[3] or found[4] or b""))
    return out


def _text(value: bytes) -> str:
    return html.unescape(value.decode("utf-8", "replace")).strip()


def spread(paths: Sequence[str], most: int = MAX_SAMPLE) -> list[str]:
    """At most so many of the paths, evenly over the folder."""
    step = max(1, -(-len(paths) // most))
    return list(paths[::step])


def folder_address(
    paths: Sequence[str], ask: Callable[[Sequence[str]], Iterable[PageSays]], base: str | None = None
) -> SiteAddress:
    """The address of a folder from the paths of its files; `ask` reads what some of them say."""
    found = find_address(paths, ask(spread(paths)), base)
    if base is None and found.base == DEFAULT_BASE and len(paths) > MAX_SAMPLE:
        found = find_address(paths, ask(spread(paths, MAX_ASKED)))
    return found


def find_address(paths: Sequence[str], pages: Iterable[PageSays], base: str | None = None) -> SiteAddress:
    """The address of a folder from the paths of all its files and from what a sample of its pages says.

    With a base that was given, only how file names are to be read is found.
    """
    pages = list(pages)
    if base is not None:
        # Readings that give all pages the same addresses are one.
        given = {tuple(map(read, (p.path for p in pages))): read for read, _ in reversed(READINGS)}
        ways = [SiteAddress(base, "as given", read) for read, _ in READINGS if read in given.values()]
        keys: dict[tuple[str, str], str] = {}
        return max(ways, key=lambda way: _resolved(way, pages, keys)) if len(ways) > 1 else ways[0]
    hosts = host_folders(paths)
    known: dict[str, str] = {}
    for read, _ in reversed(READINGS):
        known |= {_key(read, path): path for path in paths}
    votes = _Votes(known)
    for page in pages:
        votes.add(page)
    base, why = votes.best()
    if hosts:
        scheme = votes.scheme(site_key(next(iter(sorted(hosts)))))
        base, why = f"{scheme}://{sorted(hosts)[0]}/", f"folders named after hosts: {', '.join(sorted(hosts)[:3])}"
    keys = {}
    ways = [SiteAddress(base, f"{why}; {name}" if name else why, read, hosts) for read, name in READINGS]
    top = _only_folder(paths)
    if base == DEFAULT_BASE and top:
        said = f"the only folder is called {top}"
        below = [
            SiteAddress(f"http://{top}/", f"{said}; {name}" if name else said, read, frozenset([top]))
            for read, name in READINGS
        ]
        # With relative links alone all ways are as good; `v1.2` is hardly a host.
        ways = below + ways if _MACHINE.match(top) else ways + below
    if base == DEFAULT_BASE and (name := votes.folder_name()):
        inside = SiteAddress(f"{DEFAULT_BASE.rstrip('/')}{name}/", f"links that call the folder {name[1:]}")
        # Other folders may have files of the same names: what is read so must be most of what leads anywhere.
        if _resolved(inside, pages, keys) > 2 * max(_resolved(way, pages, keys) for way in ways):
            return inside
    if not hosts and (own := votes.claimed_site(len(pages))):
        ways.append(SiteAddress(own, "what the pages say of themselves", by_claim=True))
    return max(ways, key=lambda way: _resolved(way, pages, keys) * (BY_CLAIM if way.by_claim else 1.0))


def host_folders(paths: Sequence[str]) -> frozenset[str]:
    """Top folders named after hosts that hold nearly all pages: `www.a.org/news/1.html`."""
    top = Counter(path.partition("/")[0] for path in paths if "/" in path)
    hosts = {t for t in top if _HOST.fullmatch(t) and is_registered(t)}
    # HTTrack puts a page or two of its own beside them.
    return frozenset(hosts) if sum(top[t] for t in hosts) > 0.8 * len(paths) else frozenset()


def _only_folder(paths: Sequence[str]) -> str:
    """The folder that holds all pages, if it is called like a host; else empty."""
    tops = {path.partition("/")[0] for path in paths if "/" in path}
    is_only = len(tops) == 1 and all("/" in path for path in paths)
    return next((top for top in tops if is_only and _ONLY_FOLDER.fullmatch(top)), "")


def _key(read: Callable[[str], str], path: str) -> str:
    """What `page_key` makes of the address of a file, without the host."""
    return page_key("http://h/" + read(path)).partition("h")[2].lstrip("/")


class _Votes:
    """For which base the pages speak."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = known
        """Path of an address, as a key -> file."""
        self.by_claim: dict[str, set[str]] = defaultdict(set)
        self.by_link: dict[str, set[str]] = defaultdict(set)
        self.by_root: dict[str, set[str]] = defaultdict(set)
        self.by_climb: dict[str, set[str]] = defaultdict(set)
        """By links that leave the folder and come back to it by its name (`../../de/tea.html`)."""
        self.origins: Counter[str] = Counter()
        self.names: Counter[str] = Counter()
        """Origins as they are written, with their scheme and `www`."""
        self.claims: Counter[str] = Counter()

    def add(self, page: PageSays) -> None:
        for claim in page.claims:
            self._name(claim)
            self.claims[claim] += 1
            for base, file in self._split(page_key(claim)):
                if file == page.path:
                    self.by_claim[base].add(file)
        for origin in page.origins:
            url = resolve(origin, "")
            # Feeds are often at a service; those services are named so.
            if url and not page.claims and "feed" not in host_of(url):
                self.origins[page_key(url).partition("/")[0].partition("?")[0]] += 1
                self._name(url)
        for href in set(page.links):
            if href.startswith("/") and not href.startswith("//"):
                for base, file in self._split(page_key("http://h" + href)):
                    self.by_root[base[1:]].add(file)
            elif href[:4].lower() == "http" and (url := resolve(href, "")):
                self._name(url)
                for base, file in self._split(page_key(url)):
                    # The home page is what any address of a host would be.
                    if file and base.count("/") < page_key(url).count("/"):
                        self.by_link[base].add(file)
            elif ".." in page.base or ".." in href:
                self._climb(page, href)

    def _climb(self, page: PageSays, href: str) -> None:
        # As if the folder lay that deep: what is left of the way down tells how far up a link leads.
        start = f"http://h/{_DOWN * MAX_CLIMB}{_quoted(page.path)}"
        left = re.match(f"http://h/((?:{_DOWN})*)", url := resolve(href, resolve(page.base, start) or start))
        n_above = MAX_CLIMB - left[1].count(_DOWN) if left else 0
        for base, file in self._split(page_key("http://h/" + url[left.end() :])) if left and n_above else ():
            if base.count("/") == n_above:
                self.by_climb[base[1:]].add(file)

    def _name(self, url: str) -> None:
        self.names[url[: url.index("/", 8)]] += 1

    def _split(self, key: str) -> Iterator[tuple[str, str]]:
        """Every way to read a key as a base and a file that is at hand."""
        if "" in self.known:
            yield key, self.known[""]
        for slash in [m.start() for m in re.finditer("/", key)][:20]:
            if (file := self.known.get(key[slash + 1 :])) is not None:
                yield key[:slash], file
        if "?" in key and (file := self.known.get(key[key.index("?") :])) is not None:
            yield key[: key.index("?")], file

    def best(self) -> tuple[str, str]:
        """The base with most votes, and who voted."""
        bases = self.by_claim.keys() | self.by_link.keys()
        if bases:
            base = max(sorted(bases), key=self._score)
            if self.by_claim[base] or len(self.by_link[base]) > max(2, MIN_SHARE * len(set(self.known.values()))):
                told = f"{len(self.by_claim[base])} pages that name their address" if self.by_claim[base] else ""
                linked = f"links to {len(self.by_link[base])} files" if self.by_link[base] else ""
                return self._written(base), " and ".join(filter(None, (told, linked)))
        host = self.origins.most_common(1)
        origin = self._written(host[0][0]) if host else DEFAULT_BASE
        roots = max(sorted(self.by_root), key=lambda b: (len(self.by_root[b]), -len(b)), default="")
        if roots and len(self.by_root[roots]) >= 2:
            return f"{origin.rstrip('/')}{roots}/", f"links from the root to {len(self.by_root[roots])} files"
        if host:
            return origin, f"feeds and <base> of {host[0][1]} pages"
        return DEFAULT_BASE, "nothing in the pages names an address"

    def folder_name(self) -> str:
        """What links that come back to the folder call it, with a slash before it; empty when there are none."""
        name = max(sorted(self.by_climb), key=lambda b: len(self.by_climb[b]), default="")
        return name if name and len(self.by_climb[name]) >= 2 else ""

    def _score(self, base: str) -> int:
        return CLAIM * len(self.by_claim[base]) + len(self.by_link[base])

    def _written(self, base: str) -> str:
        """A base as the pages write it: with scheme and `www`."""
        host, slash, path = base.partition("/")
        origins = [o for o in self.names if page_key(o + "/") == host]
        origin = max(sorted(origins), key=lambda o: self.names[o], default="http://" + host)
        return f"{origin}{slash}{path}/"

    def scheme(self, site: str) -> str:
        """`https` when the pages write addresses of this site so."""
        count = Counter({o: n for o, n in self.names.items() if site_key(host_of(o + "/")) == site})
        return "https" if sum(n if o.startswith("https") else -n for o, n in count.items()) > 0 else "http"

    def claimed_site(self, n_pages: int) -> str:
        """The home of the site when most pages name addresses of one site, each its own; else empty."""
        sites = Counter(site_key(host_of(claim)) for claim in self.claims)
        site, n = sites.most_common(1)[0] if sites else ("", 0)
        if 2 * n <= n_pages:
            return ""
        first = next(claim for claim in self.claims if site_key(host_of(claim)) == site)
        return first[: first.index("/", 8)] + "/"


def _resolved(address: SiteAddress, pages: Sequence[PageSays], known: dict[tuple[str, str], str]) -> int:
    """How many links of some of the pages lead to one of them when they are addressed so.

    `known` are the keys of the links of pages, by where they start from: most ways to read file names give most pages the same addresses.
    """
    urls = [address.url(page.path, page.claims if address.by_claim else ()) for page in pages]
    keys = set(map(page_key, urls))
    step = max(1, len(pages) // MAX_TRIED)
    pages, urls = pages[::step], urls[::step]
    found = 0
    seen: dict[tuple[str, str], bool] = {}
    for page, url in zip(pages, urls, strict=True):
        start = resolve(page.base, url) or url
        folder = start.partition("?")[0].rpartition("/")[0]
        for href in set(page.links):
            if (is_found := seen.get((folder, href))) is None:
                if (key := known.get((start, href))) is None:
                    key = known[start, href] = page_key(resolve(href, start))
                is_found = seen[folder, href] = key in keys
            found += is_found
    return found
