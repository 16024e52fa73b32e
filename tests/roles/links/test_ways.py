"""Pages that are the only way to others, and pages that one comes in by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.late import sparse
from sitegrain.methods.base import ARTICLE, OTHER, TOC
from sitegrain.roles import model
from sitegrain.roles.counts import RoleKnown
from sitegrain.roles.links.ways import dead_ends, entrances, only_ways
from sitegrain.roles.model import SiteRoles, heed_ways, obey_home
from sitegrain.roles.own import PageEvidence
from sitegrain.roles.page import PageFeatures, features_of, page_features, part_evidence
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

TEXT = "is taken out with the tool of the set that came with the car, and put back with new washers. "

Links = list[list[bool]]


@st.composite
def graphs(draw: st.DrawFn) -> Links:
    n = draw(st.integers(1, 7))
    return draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=n, max_size=n))


@given(graphs())
@settings(deadline=None)
def test_only_ways_are_those_of_the_slow_count(links: Links) -> None:
    n = len(links)
    slow = [sum(links[i][j] and sum(links[k][j] for k in range(n)) == 1 for j in range(n)) for i in range(n)]
    assert only_ways(sparse.csr_array(np.array(links, np.float32))).tolist() == slow


@given(graphs(), st.data())
@settings(deadline=None)
def test_entrances_are_those_of_the_slow_count(links: Links, data: st.DataObject) -> None:
    n = len(links)
    folder = data.draw(st.lists(st.sampled_from(("", "a/", "b/", "c/", "c/d/")), min_size=n, max_size=n))
    urls = [f"http://t.example/{f}p{k}.htm" for k, f in enumerate(folder)]
    matrix = sparse.csr_array(np.array(links, np.float32))
    slow = []
    for i in range(n):
        reached = {folder[j] for j in range(n) if links[i][j]}
        is_led_to = any(links[k][i] for k in range(n))
        slow.append(not is_led_to and len(reached) >= 3 and 2 * len(reached) >= len(set(folder)))
    assert entrances(urls, matrix, matrix).tolist() == slow


def features(pages: dict[str, str]) -> PageFeatures:
    return page_features(build_site([Capture(f"http://t.example/{p}", b.encode(), path=p) for p, b in pages.items()]))


def garage() -> dict[str, str]:
    """Twelve repairs, which a story leads to as the list of them does, and four countries, which only `world.htm` leads to."""
    repairs = [f"repair/r{k}.htm" for k in range(12)]
    links = "".join(f"<p><a href=/{name}>Repair {name}</a>" for name in repairs)
    pages = {name: f"<title>{name}</title><p>{name} {TEXT * 6}" for name in repairs}
    pages["list.htm"] = f"<title>Repairs</title>{links}"
    pages["story.htm"] = f"<title>What I did</title><p>{TEXT * 3}{links}<p>{TEXT * 3}"
    places = "".join(f"<td><a href=/place/p{k}.htm>Country {k}</a>" for k in range(4))
    pages |= {f"place/p{k}.htm": f"<title>{k}</title><p>The garage {k} {TEXT * 6}" for k in range(4)}
    pages["place/world.htm"] = f"<title>World</title><p>Welcome. {TEXT * 12}<table><tr>{places}</table>"
    return pages


def test_a_page_that_is_the_only_way_to_others_leads_on() -> None:
    found = features(garage())
    ways = dict(zip((url[17:] for url in found.url), only_ways(found.own_links).tolist(), strict=True))
    assert {page: n for page, n in ways.items() if n} == {"place/world.htm": 4}
    told = heed_ways(np.full((len(ways), 3), [0.1, 0.3, 0.6]), found)
    assert told.sum(axis=1) == pytest.approx(1)
    called = {page for page, role in zip(ways, told.argmax(axis=1).tolist(), strict=True) if role == TOC}
    assert called == {"place/world.htm"}


def test_the_roles_of_a_site_heed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = features(garage())
    world = found.url.index("http://t.example/place/world.htm")
    heeded = SiteRoles().rank_features(found).page_toc[world]
    monkeypatch.setattr(model, "heed_ways", lambda p, _: p)
    assert heeded > SiteRoles().rank_features(found).page_toc[world]


def test_one_page_is_no_list() -> None:
    """A story that leads to a page which nobody else names is a story."""
    pages = garage()
    pages["alone.htm"] = f"<title>Alone</title><p>Alone {TEXT * 6}"
    pages["story.htm"] += "<p><a href=/alone.htm>And one more</a>"
    found = features(pages)
    story = found.url.index("http://t.example/story.htm")
    assert only_ways(found.own_links)[story] == 1
    p = np.full((len(pages), 3), [0.1, 0.3, 0.6])
    assert heed_ways(p, found)[story] == pytest.approx(p[story])


def framed(root: str) -> dict[str, str]:
    frames = "<frame src=menu.htm><frame src=start.htm><frame src=top.htm><frame src=//else.example/x.htm><frame>"
    pages = {root: f"<title>The garage</title><frameset cols='20%,80%'>{frames}</frameset>"}
    pages["menu.htm"] = "".join(f"<a href=r{k}.htm target=main><img src={k}.gif></a>" for k in range(5))
    pages["start.htm"] = f"<title>Welcome</title><p>Welcome. {TEXT * 8}<p>See what is <a href=r0.htm>new</a>."
    pages["top.htm"] = "<title>Top</title><img src=banner.gif>"
    return pages | {f"r{k}.htm": f"<title>Repair {k}</title><p>Repair {k} {TEXT * 6}" for k in range(5)}


@pytest.mark.parametrize(("root", "shown"), [("index.html", {"menu.htm", "start.htm", "top.htm"}), ("old.html", set())])
def test_the_home_page_is_what_it_shows_in_its_frames(root: str, shown: set[str]) -> None:
    found = features(framed(root))
    paths = [url[17:] or root for url in found.url]
    column = found.values[:, found.names.index("site_home_frame")]
    assert {path for path, value in zip(paths, column.tolist(), strict=True) if value} == shown
    told = obey_home(np.full((len(paths), 3), [0.2, 0.1, 0.7]), found).argmax(axis=1).tolist()
    called = {path for path, role in zip(paths, told, strict=True) if role == TOC}
    assert called - {root} == shown - {"top.htm"}  # which has no links
    # A frame is no link: nothing else that is known of these pages changes.
    assert found.own_links.toarray()[paths.index(root)].sum() == 0


def test_frames_may_be_in_another_part_of_the_site() -> None:
    captures = [Capture(f"http://t.example/{p}", b.encode(), path=p) for p, b in framed("index.html").items()]
    known = RoleKnown.of(build_site(captures))
    parts = [part_evidence(build_site(captures[k : k + 3]), known, k) for k in range(0, len(captures), 3)]
    whole, parted = page_features(build_site(captures)), features_of(PageEvidence.joined(parts), known)
    column = whole.names.index("site_home_frame")
    assert whole.values[:, column].sum() == 3
    assert parted.values[:, column].tolist() == whole.values[:, column].tolist()


def test_the_page_that_one_comes_in_by_leads_on() -> None:
    """A menu of pictures for a frame: no text, and no page has a link to it."""
    pages: dict[str, str] = {}
    for name in ("films", "news", "people"):
        links = "".join(f"<p><a href=p{k}.htm>{name} {k}</a>" for k in range(5))
        pages[f"{name}/list.htm"] = f"<title>{name}</title>{links}<p><a href=/about.htm>About us</a>"
        pages |= {
            f"{name}/p{k}.htm": f"<title>{name} {k}</title><p>{name} {k} {TEXT * 6}<a href=list.htm>Back</a>"
            for k in range(5)
        }
    pages["about.htm"] = f"<title>About</title><p>{TEXT * 6}"
    icons = "".join(f"<a href={name}/list.htm><img src={name}.gif></a>" for name in ("films", "news", "people"))
    pages["left.htm"] = f"<title>Bar</title>{icons}"
    found = features(pages)
    is_entrance = entrances(found.url, found.own_links, found.leads)
    assert [url[17:] for url, is_one in zip(found.url, is_entrance.tolist(), strict=True) if is_one] == ["left.htm"]
    told = heed_ways(np.full((len(pages), 3), [0.1, 0.2, 0.7]), found)
    assert told[found.url.index("http://t.example/left.htm")].argmax() == TOC
    assert told[found.url.index("http://t.example/about.htm")].argmax() == ARTICLE


def test_a_text_without_links_is_an_article_and_a_short_page_may_be_anything() -> None:
    text = "".join(f"<p>Part {k} of the list {TEXT}" for k in range(20))
    pages = garage() | {"readme.htm": f"<title>Read me</title>{text}", "note.htm": "<title>Note</title><p>Closed."}
    pages["linked.htm"] = f"<title>Linked</title>{text.replace('Part', 'Bit')}<a href=/list.htm>back</a>"
    found = features(pages)
    is_end = dict(zip((url[17:] for url in found.url), dead_ends(found.names, found.values).tolist(), strict=True))
    assert (is_end["readme.htm"], is_end["note.htm"], is_end["linked.htm"]) == (True, False, False)
    told = heed_ways(np.full((len(pages), 3), [0.6, 0.1, 0.3]), found)
    roles = dict(zip(is_end, told.argmax(axis=1).tolist(), strict=True))
    assert (roles["readme.htm"], roles["linked.htm"]) == (ARTICLE, OTHER)
