"""Gibson, shingling, Yi-Liu, RTDM and Origin against their slow versions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.hashing import string_hashes
from sitegrain.arrays.trees import treedistance as treemap
from sitegrain.arrays.trees.treedistance import LabelTree, Mapper
from sitegrain.errors import ModelError, UsageError
from sitegrain.methods.base import NodeMethod
from sitegrain.methods.gibson import GibsonDom, GibsonText
from sitegrain.methods.rtdm import Rtdm
from sitegrain.methods.shingling import Shingling
from sitegrain.methods.simple import Origin
from sitegrain.methods.yiliu import YiLiu
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.oracles import rivals
from tests.randomsites import random_pages

SEEDS = st.integers(0, 10**6)
PAGES = [
    f"<html><body><div class=nav>Home News Sport Contact</div><div class=main><p>{body}</p></div>"
    "<div class=foot>All rights reserved by the company</div></body></html>"
    for body in ("River stones lie still.", "A wolf ran by the lamp.", "Weather will be fine today.", "One more story.")
]


def kept(model: NodeMethod, site: Site) -> set[int]:
    return set(np.flatnonzero(model.fit_apply(site).node_kept).tolist())


def kept_text(model: NodeMethod, site: Site, page: int = 0) -> list[str]:
    verdict = model.fit_apply(site)
    return [site.node_text(r) for r in np.flatnonzero(verdict.node_kept & (site.nodes.page == page)).tolist()]


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([1, 500, 900]))
def test_gibson_dom_equals_its_oracle(seed: int, min_pages: int) -> None:
    site = site_of(*random_pages(seed))
    assert kept(GibsonDom(min_pages=min_pages), site) == rivals.gibson_dom(site, min_pages)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([1, 3, 32]))
def test_gibson_text_equals_its_oracle(seed: int, width: int) -> None:
    site = site_of(*random_pages(seed))
    assert kept(GibsonText(width=width, min_count=600), site) == rivals.gibson_text(site, width, 600)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([0.3, 0.6, 0.9, 1.0]), st.integers(2, 5), st.sampled_from([1, 12]))
def test_shingling_equals_all_pairs(seed: int, match: float, share: int, size: int) -> None:
    site = site_of(*random_pages(seed))
    model = Shingling(share_factor=share, min_match_factor=match, min_frag_size=size, width=2, sketch=10_000)
    assert kept(model, site) == rivals.shingling(site, share, match, size, 2)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.02, 0.6]))
def test_yi_liu_equals_its_oracle(seed: int, rare: float) -> None:
    site = site_of(*random_pages(seed))
    model = YiLiu(rare_share=rare)
    verdict = model.fit_apply(site)
    slow = rivals.yi_liu(site, model.decay, model.threshold, rare)
    for row, importance in slow.items():
        assert verdict.node_score[row] == pytest.approx(min(max(importance, 0), 1), abs=1e-9)
        if abs(importance - model.threshold) > 1e-9:
            assert verdict.node_kept[row] == (importance >= model.threshold)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    n = draw(st.integers(1, 5))
    parent = [-1]
    path = [0]
    for row in range(1, n):
        path = path[: draw(st.integers(1, len(path)))]
        parent.append(path[-1])
        path.append(row)
    return draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n)), parent


def tree(labels: list[str], parent: list[int]) -> LabelTree:
    return LabelTree.build(string_hashes(labels), np.array(parent))


@settings(max_examples=120, deadline=None)
@given(trees(), trees())
def test_rtdm_distance_equals_brute_force(a: tuple[list[str], list[int]], b: tuple[list[str], list[int]]) -> None:
    assert Mapper().distance(tree(*a), tree(*b)) == rivals.rtdm_distance(*a, *b)
    check_mapping(Mapper(), tree(*a), tree(*b))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_rtdm_big_tables_and_mappings_agree(seed: int) -> None:
    """The array table equals the cell-by-cell one, and the mapping found has the cost that was computed."""
    rng = np.random.default_rng(seed)

    def forest(n: int) -> LabelTree:
        labels, parent = ["r"], [-1]
        for _ in range(n):
            up = len(labels)
            labels.append(str(rng.choice(list("abc"))))
            parent.append(0)
            for _ in range(rng.integers(0, 3)):
                labels.append(str(rng.choice(list("xy"))))
                parent.append(up)
        return tree(labels, parent)

    a, b = forest(20), forest(18)
    mapper = Mapper()
    distance = mapper.distance(a, b)
    small = Mapper()
    small._solve(a, b)
    left, right, _ = treemap._trim(a, b, a.kids[0], b.kids[0])
    cells = small._small_table(a, b, left, right)
    assert cells == small._big_table(a, b, left, right)
    assert cells[-1][-1] == distance
    check_mapping(mapper, a, b)


def check_mapping(mapper: Mapper, a: LabelTree, b: LabelTree) -> None:
    """The pairs found are a restricted top-down mapping and cost what was computed."""
    pairs = [tuple(p) for p in mapper.pairs(a, b).tolist()]
    assert len({x for x, _ in pairs}) == len(pairs) == len({y for _, y in pairs})
    assert [y for _, y in pairs] == sorted(y for _, y in pairs)
    differ = {(x, y) for x, y in pairs if a.label[x] != b.label[y]}
    for x, y in pairs:
        if (x, y) != (0, 0):
            up = (int(a.parent[x]), int(b.parent[y]))
            assert up in pairs
            assert up == (0, 0) or up not in differ
    assert len(a) + len(b) - 2 * len(pairs) + len(differ) == mapper.distance(a, b)
    assert {tuple(p) for p in mapper.same_labels(a, b).tolist()} == set(pairs) - differ


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(2, 5))
def test_rtdm_equals_its_oracle(seed: int, sample: int) -> None:
    site = site_of(*random_pages(seed))
    if site.n_pages < 2:
        return
    pages = np.random.default_rng(0).permutation(site.n_pages)[:sample].tolist()
    assert kept(Rtdm(sample=sample), site) == rivals.rtdm(site, pages)


def test_rtdm_drops_what_the_sample_has_in_common() -> None:
    site = site_of(*PAGES)
    assert kept_text(Rtdm(), site) == ["River stones lie still."]


def test_every_rival_finds_a_plain_template() -> None:
    site = site_of(*PAGES)
    assert kept_text(GibsonDom(), site) == ["River stones lie still."]
    assert kept_text(GibsonText(width=3), site) == ["River stones lie still."]
    assert kept_text(Shingling(share_factor=3, min_frag_size=10), site) == ["River stones lie still."]
    assert kept_text(YiLiu(), site) == ["River stones lie still."]
    assert len(kept_text(Origin(), site)) == 3


@pytest.mark.parametrize("model", [GibsonDom(), GibsonText(), Shingling(), YiLiu(), Rtdm(), Origin()])
def test_one_page_and_no_page(model: NodeMethod) -> None:
    one = site_of(PAGES[0])
    verdict = model.fit_apply(one)
    assert verdict.node_kept.sum() == 3
    if not isinstance(model, Origin):
        assert verdict.notes
    empty = site_of()
    assert len(model.fit_apply(empty).node_kept) == 0


def test_a_template_learned_from_some_pages_is_used_on_others() -> None:
    new = site_of(PAGES[3].replace("One more story", "Something unseen"))
    for model in (GibsonDom(), GibsonText(width=3), Shingling(share_factor=3, min_frag_size=10), YiLiu(), Rtdm()):
        verdict = model.fit(site_of(*PAGES)).apply(new)
        texts = [new.node_text(r) for r in np.flatnonzero(verdict.node_kept).tolist()]
        assert texts == ["Something unseen."], model.name


@pytest.mark.parametrize(
    "make",
    [
        lambda: Shingling(min_match_factor=0),
        lambda: Shingling(share_factor=0),
        lambda: GibsonText(width=0),
        lambda: YiLiu(threshold=2),
        lambda: Rtdm(sample=1),
    ],
)
def test_parameters_that_make_no_sense(make: object) -> None:
    with pytest.raises(UsageError):
        make()  # type: ignore[operator]


def test_deep_pages() -> None:
    deep = "<div>" * 3000 + "text" + "</div>" * 3000
    site = site_of(f"<body>{deep}", f"<body>{deep}<p>other words here")
    for model in (GibsonDom(), GibsonText(), Shingling(), YiLiu(), Rtdm()):
        assert len(model.fit_apply(site).node_kept) == site.n_nodes


def test_a_template_that_is_no_tree_is_refused(tmp_path: Path) -> None:
    model = Rtdm(sample=3).fit(site_of(*PAGES))
    for parent in ([0], [-1, 1], [-1, -1], [-1, 0, 1, 0, 2], [-1, 5]):
        model.label_, model.parent_ = np.zeros(len(parent), np.uint64), np.array(parent, np.int64)
        model.save(tmp_path / "m.json")
        with pytest.raises(ModelError, match="no tree"):
            Rtdm.load(tmp_path / "m.json")
