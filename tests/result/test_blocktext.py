"""The text of blocks, against the same made node by node."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.types import Ints32
from sitegrain.result.blocktext import block_texts
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS
from tests.builders import site_of

PIECES = st.sampled_from(
    (
        "<p>tea",
        " milk ",
        "<b>cup</b>",
        "<b> hot</b>",
        "<i>o</i>n",
        "<td>1",
        "<li>2",
        "</p>",
        "<br>",
        "\n<div>é</div>",
        "<a>x</a>",
    )
)


def slow(site: Site, node_block: Ints32, block: int) -> str:
    out, box = "", -2
    for row in np.flatnonzero((node_block == block) & site.is_text).tolist():
        around = int(site.nodes.parent[row])
        while around >= 0 and TAGS[site.nodes.tag[around]] not in BLOCK_TAGS:
            around = int(site.nodes.parent[around])
        text = site.texts[site.nodes.page[row]][site.nodes.text_start[row] : site.nodes.text_end[row]]
        out += (" " if around != box else "") + text
        box = around
    return " ".join(out.split())


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=25), st.integers(1, 6), st.randoms(use_true_random=False))
def test_texts_are_those_of_the_nodes(pieces: list[str], n_blocks: int, chance: Random) -> None:
    site = site_of("".join(pieces))
    cut = np.sort(np.array([chance.randrange(n_blocks) for _ in range(site.n_nodes)], np.int32))
    left_out = np.array([chance.random() < 0.1 for _ in range(site.n_nodes)])
    node_block = np.where(site.is_text & ~left_out, cut, -1).astype(np.int32)
    assert block_texts(site, node_block, n_blocks).each() == [slow(site, node_block, k) for k in range(n_blocks)]
