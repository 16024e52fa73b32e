"""The frontier reaches what a plain breadth-first walk reaches, whatever the order of arrival."""

from __future__ import annotations

import random
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.crawl.addresses import Scope, index_key, normalise, same_page_key
from sitegrain.sources.crawl.frontier import Frontier
from sitegrain.sources.crawl.traps import SAME_DATES, TrapDetector, repeats, shape

Graph = dict[int, tuple[list[int], bool]]
graphs = st.dictionaries(
    st.integers(0, 14), st.tuples(st.lists(st.integers(0, 14), max_size=4), st.booleans()), max_size=15
)


def url_of(number: int) -> str:
    return f"http://e.org/{'news' if number % 3 == 0 else 'shop'}/{number}"


def walk(graph: Graph, options: CrawlOptions) -> dict[int, int]:
    """Page → depth, by the rule: 0-1 breadth-first, a redirect costs nothing, a page too deep leads nowhere."""
    depth = {0: 0}
    todo = deque([0])
    while todo:
        page = todo.popleft()
        links, is_redirect = graph.get(page, ([], False))
        for link in links[:1] if is_redirect else links:
            new = depth[page] + (not is_redirect)
            limit = options.depth_limit(url_of(link).removeprefix("http://e.org"))
            if (limit is None or new <= limit) and new < depth.get(link, 99):
                depth[link] = new
                todo.append(link)
    return depth


@settings(max_examples=60, deadline=None)
@given(graphs, st.integers(0, 4), st.integers(0, 4), st.randoms(use_true_random=False), st.integers(0, 12))
def test_same_pages_in_any_order(graph: Graph, depth: int, news: int, rng: random.Random, n_before: int) -> None:
    options = CrawlOptions(depth=depth, depths={"/news/": news})
    # The entrance is always wanted, so its own limit does not count.
    want = walk(graph, options)
    number = {url_of(i): i for i in range(15)}

    def finish(frontier: Frontier, url: str) -> tuple[str, list[str], bool]:
        links, is_redirect = graph.get(number[url], ([], False))
        found = [url_of(i) for i in (links[:1] if is_redirect else links)]
        frontier.done(url, found, is_redirect=is_redirect)
        return url, found, is_redirect

    first = Frontier(options)
    first.add(url_of(0), 0)
    log: list[tuple[str, list[str], bool]] = []
    out: list[str] = []
    while len(log) < n_before:
        while (url := first.take()) is not None:
            out.append(url)
        if not out:
            break
        log.append(finish(first, out.pop(rng.randrange(len(out)))))
    # The crawl is killed here: a new one reads its log and goes on.
    second = Frontier(options)
    second.add(url_of(0), 0)
    for url, found, is_redirect in log:
        second.done(url, found, is_redirect=is_redirect)
    fetched = [url for url, _, _ in log]
    out = []
    while True:
        while (url := second.take()) is not None:
            out.append(url)
        if not out:
            break
        fetched.append(finish(second, out.pop(rng.randrange(len(out))))[0])
    assert len(fetched) == len(set(fetched))
    assert {number[url] for url in fetched} >= set(want)
    assert {number[url] for url in fetched if second.depth(url) == want.get(number[url])} >= set(want)
    assert len(second) == second.n_out == 0


def test_breadth_first_and_put_back() -> None:
    frontier = Frontier(CrawlOptions())
    frontier.add("http://e.org/", 0)
    assert frontier.take() == "http://e.org/"
    frontier.done("http://e.org/", ["http://e.org/b", "http://e.org/a", "http://e.org/b"])
    frontier.add("http://e.org/deep", 5)
    assert len(frontier) == 3
    assert frontier.take() == "http://e.org/b"
    frontier.put_back("http://e.org/b")
    assert [frontier.take() for _ in range(4)] == ["http://e.org/a", "http://e.org/b", "http://e.org/deep", None]


@pytest.mark.parametrize(
    ("href", "want"),
    [
        ("HTTP://E.org:80/a/../b?x#y", "http://e.org/b?x"),
        ("//e.org", "http://e.org/"),
        ("?p=2", "http://e.org/x?p=2"),
        ("javascript:go()", None),
        ("data:text/html,x", None),
        ("http://", None),
        ("/" + "a" * 3000, None),
        ("/p?PHPSESSID=0123456789abcdef0&q=1", "http://e.org/p?q=1"),
        ("/p?q=1&sid=0123456789abcdef0", "http://e.org/p?q=1"),
        ("/p?sid=12", "http://e.org/p?sid=12"),
        ("/p;jsessionid=AB12?q=1", "http://e.org/p?q=1"),
    ],
)
def test_one_spelling(href: str, want: str | None) -> None:
    assert normalise(href, "http://e.org/x") == want


def test_scopes() -> None:
    urls = {
        "same": "http://www.e.co.uk/a/b", "host": "http://news.e.co.uk/a/b", "tls": "https://www.e.co.uk/",
        "other": "http://f.co.uk/", "port": "http://www.e.co.uk:8080/", "trick": "http://www.e.co.uk.evil.org/",
    }  # fmt: skip
    found = {
        scope: {n for n, u in urls.items() if Scope("http://www.e.co.uk/a/", CrawlOptions(scope=scope)).holds(u)}
        for scope in ("domain", "host", "prefix")
    }
    assert found == {"domain": {"same", "host", "tls"}, "host": {"same", "tls"}, "prefix": {"same"}}


def test_keys() -> None:
    assert same_page_key("http://e.org/?b&a") == "http://e.org/?a&b"
    assert index_key("http://127.0.0.1:80/") == "127.0.0.1:80)/"
    assert index_key("https://www2.e.org/A b") == "org,e)/a%20b"


def test_trap_signs() -> None:
    assert repeats("/a/a/a/")
    assert repeats("/x/a/b/c/a/b/c/a/b/c")
    assert repeats("/" + "/".join(map(str, range(30))))
    assert not repeats("/a/b/a/b")
    assert not repeats("/2011/11/11/11-things")
    assert not repeats("/")
    assert shape("http://e.org/x/a1b2c3d4e5f6a7b8c9/y?id=3") == "http://e.org/x/0/y?id"
    assert shape("http://e.org/a-long-name-of-an-article") == "http://e.org/a-long-name-of-an-article"


def test_calendar_ends_and_chains_of_numbers_do_not() -> None:
    for path, is_trap in (("/calendar?month=", True), ("/2031/01/", True), ("/page/", False)):
        detector = TrapDetector()
        for i in range(3 * SAME_DATES):
            detector.learn(f"http://e.org{path}{i}", f"Nothing on day {i}", [f"http://e.org{path}{i + 1}"])
        assert detector.catches(f"http://e.org{path}9999") is is_trap
    # Dated pages that say something are no trap.
    detector = TrapDetector()
    for i in range(3 * SAME_DATES):
        text = " ".join(f"w{chr(97 + (i * j) % 26)}{chr(97 + j % 26)}" for j in range(40))
        detector.learn(f"http://e.org/2031/01/{i}", text, [f"http://e.org/2031/01/{i + 1}"])
    assert not detector.catches("http://e.org/2031/01/9999")


def test_filters_end() -> None:
    detector = TrapDetector()
    names = "abcdef"
    caught = [
        detector.catches("http://e.org/shop?" + "&".join(f"{n}=1" for i, n in enumerate(names) if mask >> i & 1))
        for mask in range(1, 64)
    ]
    assert 0 < sum(caught) < 63
    # Numbers in one or two parameters are pages of a forum.
    assert not any(detector.catches(f"http://e.org/forum?f={i % 9}&t={i}") for i in range(3000))


def test_ids_of_letters_in_a_path_are_a_trap() -> None:
    detector = TrapDetector()
    names = ["".join(chr(97 + (k * p + p) % 26) for p in (3, 5, 7, 11, 17, 19)) for k in range(400)]
    caught = 0
    for name in names:
        url = f"http://e.org/s/{name}/tea"
        if detector.catches(url):
            caught += 1
            continue
        detector.learn(url, "the same tea as ever", [])
    assert caught > 300
    assert detector.counts["same"] == caught
    # A folder in which most pages ask for a login keeps the others.
    detector = TrapDetector()
    for k in range(400):
        url = f"http://e.org/node/{k}/view"
        assert not detector.catches(url)
        detector.learn(url, "please log in" if k % 3 else f"text {k}", [])


def test_ever_new_parameter_names_are_a_trap() -> None:
    detector = TrapDetector()
    caught = [detector.catches(f"http://e.org/list?x{k}a=1") for k in range(300)]
    assert not any(caught[:100])
    assert all(caught[100:])
    assert not any(detector.catches(f"http://e.org/list{k}?page={k}") for k in range(300))
