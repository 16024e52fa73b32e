from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.errors import UsageError
from sitegrain.partition import (
    PARTITIONERS,
    TAG_SET,
    Partition,
    get_block_set,
    partitioner,
    section_blocks,
    table_blocks,
)
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.extractor.pages import random_site
from tests.oracles import partition as oracle

SEEDS = st.integers(0, 10**6)


def blocks_of(site: Site, partition: Partition) -> oracle.Cut:
    found: dict[int, list[int]] = {}
    for row in site.text_rows.tolist():
        found.setdefault(int(partition.node_block[row]), []).append(row)
    return {tuple(rows) for rows in found.values()}


def texts_of(html: str, name: str) -> list[str]:
    site = site_of(html)
    partition = partitioner(name)(site)
    out: dict[int, list[str]] = {}
    for row in site.text_rows.tolist():
        out.setdefault(int(partition.node_block[row]), []).append(" ".join(site.node_text(row).split()))
    return [" ".join(parts) for _, parts in sorted(out.items())]


@pytest.mark.parametrize("name", sorted(PARTITIONERS))
@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_every_text_is_in_exactly_one_block(name: str, seed: int) -> None:
    site = random_site(seed)
    partition = partitioner(name)(site)
    block = partition.node_block
    assert (block[site.text_rows] >= 0).all()
    assert (block[~site.is_text] == -1).all()
    assert (partition.row_block[site.is_text] == block[site.is_text]).all()
    inside = partition.row_block >= 0
    assert set(partition.row_block[inside].tolist()) == set(range(len(partition)))
    top = partition.block_node[partition.row_block[inside]]
    rows = np.flatnonzero(inside)
    assert (site.nodes.page[top] == site.nodes.page[rows]).all()
    assert ((top <= rows) & (rows < site.nodes.end[top])).all()
    assert (np.diff(partition.block_page) >= 0).all()
    assert (site.nodes.page[partition.block_node] == partition.block_page).all()


@given(seed=SEEDS, tags=st.permutations(TAG_SET))
@settings(max_examples=30, deadline=None)
def test_get_block_set_equals_the_papers_loop_in_any_order(seed: int, tags: list[str]) -> None:
    site = random_site(seed)
    assert blocks_of(site, get_block_set(site, tags[:5])) == oracle.get_block_set(site, tuple(tags[:5]))


@given(seed=SEEDS, max_chars=st.sampled_from((None, 30, 200, 2000)))
@settings(max_examples=30, deadline=None)
def test_table_blocks_equal_the_oracle(seed: int, max_chars: int | None) -> None:
    site = random_site(seed)
    assert blocks_of(site, table_blocks(site, max_chars)) == oracle.table_blocks(site, max_chars)


@given(seed=SEEDS, sizes=st.sampled_from(((80, 500), (20, 60), (5, 200))))
@settings(max_examples=40, deadline=None)
def test_section_blocks_equal_the_oracle(seed: int, sizes: tuple[int, int]) -> None:
    site = random_site(seed, 3)
    assert blocks_of(site, section_blocks(site, *sizes)) == oracle.section_blocks(site, *sizes)


def test_table_tree_of_lin_and_ho() -> None:
    """Their figure 4: a block's text excludes the text of the tables inside it."""
    html = (
        "<title>T</title>S0<table><tr><td>S1<table><tr><td>S2</table><table><tr><td>S3<table><tr><td>S4</table>"
        "</table>S5</table><table><tr><td>S6</table>"
    )
    assert sorted(texts_of(html, "table")) == ["S0", "S1 S5", "S2", "S3", "S4", "S6", "T"]


def test_text_between_two_blocks_is_a_block() -> None:
    assert texts_of("<div>a<p>b</p>c<hr>d<p>e</p></div>", "getblockset") == ["a", "b", "c", "d", "e"]


def test_a_page_laid_out_in_boxes() -> None:
    long = "word " * 60
    html = (
        "<title>T</title><header><h1>Head</h1><p>By me</p></header><nav><ul><li>a<li>b</ul></nav>"
        f"<main><div><h2>One</h2><p>{long}</p><p>{long}</p><p>short</p></div></main>"
        "<div class=cs><div class=c>" + "</div><div class=c>".join(f"{i} {long}" for i in range(4)) + "</div></div>"
    )
    found = texts_of(html, "section")
    one = " ".join(long.split())
    assert found[:3] == ["T", "Head By me", "a b"]
    assert f"One {one}" in found
    assert f"{one} short" in found
    assert " ".join(f"{i} {one}" for i in range(4)) in found


def test_pages_without_text_tables_or_nodes() -> None:
    for name in PARTITIONERS:
        assert len(partitioner(name)(site_of())) == 0
        assert len(partitioner(name)(site_of(""))) == 0
        images = partitioner(name)(site_of("<div><img src=a></div>"))
        assert len(images) == 1
        assert (images.node_block == -1).all()
    assert texts_of("just text", "table") == ["just text"]


def test_a_deep_page_is_cut_without_recursion() -> None:
    site = site_of("<div>" * 400 + "deep" + "</div>" * 400)
    for name in PARTITIONERS:
        assert len(partitioner(name)(site)) == 1


def test_a_wrong_tag_or_name_is_said() -> None:
    with pytest.raises(UsageError, match="blink-tag"):
        get_block_set(site_of("a"), ["blink-tag"])
    with pytest.raises(UsageError, match="section"):
        partitioner("vips")
