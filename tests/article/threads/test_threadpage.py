"""Lines of posts: what stands in one, and which say when."""

from __future__ import annotations

import random
import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.article.threads.threadpage import MAX_HEAD, MAX_SPACED, ThreadPage, tell_when
from sitegrain.native.inputs import WHEN
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS, TEXT
from tests.builders import site_of

PIECES = st.sampled_from(
    ["3", "2020", "May ", "ago", "Yesterday", "today", "geſtern", "heute", "hier ", "AYER", "hoy", "il y a ", "前", "日", " ", "h", ":", "x", "vor "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=30))
def test_the_short_look_misses_nothing(text: str) -> None:
    assert (tell_when([text])[0] > 0) == (re.search(WHEN, text, re.IGNORECASE) is not None)


def line_of(site: Site, row: int) -> tuple[int, int]:
    """The line of a text node, looked for up from it: the last element around it that is short and holds no other block, up to the first block."""
    nodes, found, up = site.nodes, (row, row + 1), int(site.nodes.parent[row])
    while up >= 0:
        said, end = site.node_text(up), int(nodes.end[up])
        is_short = len(said) <= MAX_HEAD or (len(said) <= MAX_SPACED and len(" ".join(said.split())) <= MAX_HEAD)
        if not is_short or any(TAGS[tag] in BLOCK_TAGS for tag in nodes.tag[up + 1 : end]):
            break
        found = up, end
        if TAGS[nodes.tag[up]] in BLOCK_TAGS:
            break
        up = int(nodes.parent[up])
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_line_is_the_short_block_around_a_text(seed: int) -> None:
    rng = random.Random(seed)
    says = ["a", "by Ann", "b" * 97, "c" * 101, f"d{' ' * 120}d", f"e{' ' * 499}", f"f{' ' * 460}f" * 2]
    pieces = [rng.choice(["<p>", "<b>", "</b>", "</p>", "<div>", "</div>", *says]) for _ in range(rng.randint(1, 40))]
    site = site_of("<p>other", "".join(pieces))
    page, first = (
        ThreadPage(site, 1, np.ones(site.page_rows(1).stop - site.page_rows(1).start, bool)),
        site.page_rows(1).start,
    )
    for row in np.flatnonzero(page.tag == TEXT).tolist():
        start, stop = line_of(site, row + first)
        assert page.line(row) == slice(start - first, stop - first)
        texts = [i for i in range(start, stop) if site.nodes.tag[i] == TEXT]
        assert page.line_text(row) == " ".join(" ".join(site.node_text(i).split()) for i in texts)
