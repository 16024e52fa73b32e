"""The anchors of links: most are one text node, whose number is taken; they must be what reading every link gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.hashing import string_hashes
from sitegrain.roles.counts import link_texts
from tests.builders import site_of

WITHIN = (
    "",
    " ",
    "tea",
    " tea ",
    "tea  time",
    "<b>tea</b>",
    "<b>tea</b> time",
    "<img src=a.png>",
    "<img src=a.png> tea",
    "<p>tea",
)


@settings(deadline=None)  # the first site loads what the others have
@given(st.lists(st.lists(st.sampled_from(WITHIN), max_size=5), min_size=1, max_size=3))
def test_anchors_are_the_texts_of_links(pages: list[list[str]]) -> None:
    site = site_of(
        *("".join(f"<div><a href=/{text.count('t')}>{text}</a></div>tea" for text in page) for page in pages)
    )
    found = link_texts(site)
    slow = [" ".join(site.node_text(node).split()) for node in site.links.node.tolist()]
    assert [found.anchors[k] for k in found.anchor.tolist()] == slow
    assert len(set(found.anchors)) == len(found.anchors)
    assert found.anchor_key.tolist() == string_hashes(found.anchors).tolist()
    assert [found.urls[k] for k in found.url.tolist()] == list(site.links.url)


def test_a_page_without_text_has_links_without_words() -> None:
    found = link_texts(site_of("<a href=/x><img src=a.png></a>"))
    assert found.anchors == ("",)
    assert found.anchor.tolist() == [0]
