"""InfoDiscoverer and the extractors of Debnath et al. against their oracles, and on bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.errors import UsageError
from sitegrain.methods.base import NodeVerdict
from sitegrain.methods.blockfeatures import FEATURES, feature_values, k_means
from sitegrain.methods.blockwise import CUT_TAGS
from sitegrain.methods.contentextractor import ContentExtractor
from sitegrain.methods.featureextractor import FeatureExtractor, KFeatureExtractor
from sitegrain.methods.infodiscoverer import InfoDiscoverer
from sitegrain.methods.lextractor import Example, LExtractor
from sitegrain.methods.registry import make_method
from sitegrain.partition import PARTITIONERS, PartitionerName, partitioner
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from tests.builders import site_of
from tests.extractor.pages import random_site, template_site
from tests.oracles import blocks as oracle

SEEDS = st.integers(0, 10**6)
NAMES = ("infodiscoverer", "contentextractor", "featureextractor", "k-featureextractor")


def cut_tags(name: str) -> set[str]:
    """What pages are cut at: the paper's own set, or that of a partitioner of ours, which no paper has."""
    return oracle.PARTITIONING if name == "getblockset" else set(CUT_TAGS[name])


def kept_text(site: Site, verdict: NodeVerdict, page: int) -> str:
    rows = site.page_rows(page)
    return " ".join(site.node_text(r) for r in range(rows.start, rows.stop) if verdict.node_kept[r])


def news(n: int, *, menu: str = "Home World Sport Contact Imprint", title: str = "The Paper") -> list[str]:
    """Pages of one template, with words that no other page has."""
    return [
        f"<title>{title}</title><table><tr><td>{menu}</td></tr></table>"
        f"<table><tr><td>{' '.join(f'word{i}x{k}' for k in range(40))}. More here{i}.</td></tr></table>"
        for i in range(n)
    ]


# Against the oracles


@given(seed=SEEDS, name=st.sampled_from(("table", "section", "getblockset")), n=st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_infodiscoverer_equals_the_oracle(seed: int, name: PartitionerName, n: int) -> None:
    site = template_site(seed, n) if seed % 2 else random_site(seed, n)
    model = InfoDiscoverer(partitioner=name).fit(site)
    if model.n_pages_ < 2:
        return
    partition = partitioner(name)(site)
    entropies, threshold = oracle.info_discoverer(site, partition, site_terms(site))
    verdict = model.apply(site)
    np.testing.assert_allclose(verdict.blocks.evidence["entropy"], entropies, atol=1e-9)
    assert model.threshold_ == pytest.approx(threshold)
    assert verdict.blocks.is_informative.tolist() == [h <= threshold + 1e-9 for h in entropies]


@given(seed=SEEDS, name=st.sampled_from(("table", "section", "getblockset", "panel")), n=st.integers(2, 9))
@settings(max_examples=25, deadline=None)
def test_contentextractor_equals_all_pairs(seed: int, name: PartitionerName, n: int) -> None:
    site = template_site(seed, n) if seed % 3 else random_site(seed, n)
    model = ContentExtractor(partitioner=name).fit(site)
    if model.n_pages_ < 2:
        return
    partition = partitioner(name)(site)
    content, n_pages = oracle.content_extractor(site, partition, site_terms(site), cut_tags(name), 0.9, model.n_few)
    verdict = model.apply(site)
    assert verdict.blocks.is_informative.tolist() == content
    template = verdict.blocks.evidence["template_pages"]
    assert all((t > model.n_few + 1) == (n > model.n_few + 1) for t, n in zip(template.tolist(), n_pages, strict=True))


def test_contentextractor_equals_all_pairs_on_200_pages() -> None:
    site = template_site(11, 200)
    model = ContentExtractor().fit(site)
    partition = partitioner("section")(site)
    content, _ = oracle.content_extractor(site, partition, site_terms(site), cut_tags("section"), 0.9, model.n_few)
    assert model.apply(site).blocks.is_informative.tolist() == content


@given(
    seed=SEEDS,
    feature=st.sampled_from(("text", "link", "image", "list", "table", "form")),
    cut=st.sampled_from(("panel", "getblockset", "section")),
    values=st.sampled_from(("share", "largest")),
)
@settings(max_examples=40, deadline=None)
def test_featureextractor_equals_the_oracle(
    seed: int, feature: str, cut: PartitionerName, values: Literal["share", "largest"]
) -> None:
    site = random_site(seed, 2)
    partition = partitioner(cut)(site)
    found = FeatureExtractor(feature=feature, partitioner=cut, values=values).fit_apply(site)
    expected = oracle.feature_extractor(site, partition, site_terms(site), feature, values)
    assert found.blocks.is_informative.tolist() == expected


# Golden values


def test_feature_values_of_debnath() -> None:
    counts, largest = np.array([[1000.0, 2, 3, 1]]), np.array([2000.0, 4, 50, 3])
    np.testing.assert_allclose(feature_values(counts, largest), [[0.5, 0.5, 0.06, 1 / 3]])


def test_term_entropy_of_lin_and_ho() -> None:
    """Their figure 6: a term on both pages once has entropy 1, a term on one page 0."""
    menu, footer = "logo advert navigate", "copyright policy"
    site = site_of(
        *(
            f"<table><tr><td>{menu}</table><table><tr><td>{own}</table><table><tr><td>{footer}</table>"
            for own in ("storm coast flood", "market bank share")
        )
    )
    model = InfoDiscoverer(partitioner="table").fit(site)
    assert set(model.term_entropy_.values()) == {1.0}
    assert len(model.term_entropy_) == 5
    verdict = model.apply(site)
    assert verdict.blocks.evidence["entropy"].tolist() == [1, 0, 1, 1, 0, 1]
    assert [kept_text(site, verdict, p) for p in (0, 1)] == ["storm coast flood", "market bank share"]


def test_k_means_starts_at_equidistant_ranks() -> None:
    assert k_means(np.array([1.0, 2, 3, 10, 11, 12, 50]), 3).tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert k_means(np.array([5.0, 5, 5]), 2).tolist() == [0, 0, 0]
    assert k_means(np.array([]), 2).tolist() == []


# Titles, training pages, saving


def test_a_redundant_title_is_replaced() -> None:
    site = site_of(*news(4))
    model = InfoDiscoverer(partitioner="table").fit(site)
    titles = model.titles(site, model.apply(site))
    assert titles[2].startswith("word2x0 word2x1")
    own = site_of(*(p.replace("The Paper", f"Headline{i}") for i, p in enumerate(news(4))))
    model = InfoDiscoverer(partitioner="table").fit(own)
    assert model.titles(own, model.apply(own))[2] == "Headline2"


@pytest.mark.parametrize("kind", [InfoDiscoverer, ContentExtractor])
def test_some_training_pages_judge_all(kind: Any) -> None:
    site = site_of(*news(30))
    model = kind(n_training=6, seed=3).fit(site)
    assert model.n_pages_ == 6
    verdict = model.apply(site)
    again = kind(n_training=6, seed=3).fit(site).apply(site)
    np.testing.assert_array_equal(verdict.node_score, again.node_score)
    for page in range(30):
        text = kept_text(site, verdict, page)
        assert "Home" not in text
        assert f"word{page}x7" in text
    assert verdict.blocks.evidence["confidence"][0] == pytest.approx(1 - 1 / 6)


# What a model promises


@pytest.mark.parametrize("name", [*NAMES, "l-extractor"])
@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_every_text_node_has_score_verdict_and_reason(name: str, seed: int) -> None:
    site = random_site(seed, 4)
    verdict = make_method(name).fit_apply(site)
    assert verdict.node_score.shape == verdict.node_kept.shape == (site.n_nodes,)
    assert ((verdict.node_score >= 0) & (verdict.node_score <= 1)).all()
    assert not verdict.node_kept[~site.is_text].any()
    assert (verdict.node_block[site.text_rows] >= 0).all()
    assert len(verdict.blocks.reason) == len(verdict.blocks)
    assert all(verdict.blocks.reason)
    kept = verdict.node_kept
    assert verdict.blocks.is_informative[verdict.node_block[kept]].all()
    assert not kept[site.rows("title") + 1].any()
    for column in verdict.blocks.evidence.values():
        assert len(column) == len(verdict.blocks)


# Bad input


@pytest.mark.parametrize("name", ["infodiscoverer", "contentextractor"])
@pytest.mark.parametrize("copies", [1, 3])
def test_one_page_or_its_copies_are_no_site_evidence(name: str, copies: int) -> None:
    page = f"<div><a href=a>Home</a> <a href=b>Menu</a></div><div><p>{'Much text here. ' * 30}</p></div>"
    site = site_of(*[page] * copies)
    verdict = make_method(name).fit_apply(site)
    assert "no site evidence" in verdict.notes[0]
    assert (verdict.blocks.evidence["confidence"] == 0).all()
    assert "Much text" in kept_text(site, verdict, 0)
    assert "Menu" not in kept_text(site, verdict, 0)


@pytest.mark.parametrize("name", [*NAMES, "l-extractor"])
def test_empty_sites_and_pages(name: str) -> None:
    for htmls in ((), ("",), ("", ""), ("<p>. . .</p>", "<p>1 2 3</p>"), ("<img src=a>", "<img src=b>")):
        site = site_of(*htmls)
        verdict = make_method(name).fit_apply(site)
        assert len(verdict.node_kept) == site.n_nodes


@pytest.mark.parametrize("name", sorted(PARTITIONERS))
def test_every_partitioner_serves_both_site_methods(name: PartitionerName) -> None:
    site = site_of(*news(12))
    for kind in (InfoDiscoverer, ContentExtractor):
        assert "word3x5" in kept_text(site, kind(partitioner=name).fit_apply(site), 3)


def test_blocks_without_terms_are_redundant() -> None:
    site = site_of(*(p + "<div>* * *</div>" for p in news(5)))
    for name in ("infodiscoverer", "contentextractor"):
        verdict = make_method(name).fit_apply(site)
        assert "*" not in kept_text(site, verdict, 1)
        assert "no terms" in verdict.blocks.reason


def without_tables(n: int = 12) -> Site:
    """Pages whose menu and text the TABLE tree cannot part."""
    menu = "Home World Sport Contact Imprint Games Jobs Help " * 3
    texts = (" ".join(f"word{i}x{k}" for k in range(30)) for i in range(n))
    return site_of(*(f"<title>P</title><div>{menu}</div><div>{text}</div>" for text in texts))


def test_pages_without_tables_are_one_block_that_refinement_cuts() -> None:
    site = without_tables()
    plain = InfoDiscoverer(partitioner="table").fit(site)
    whole = plain.apply(site)
    # Menu and text together are as informative as the cut itself: the class of the block is ambiguous.
    assert whole.blocks.evidence["entropy"][0] == pytest.approx(4 / 9)
    assert plain.threshold_ == 0.5
    assert "Imprint" in kept_text(site, whole, 1)
    refined = InfoDiscoverer(partitioner="table", refines=True).fit(site).apply(site)
    assert "word1x3" in kept_text(site, refined, 1)
    assert "Imprint" not in kept_text(site, refined, 1)
    assert set(refined.blocks.evidence["entropy"].round(9).tolist()) == {0.0, 1.0}


@given(seed=SEEDS, name=st.sampled_from(("table", "section")))
@settings(max_examples=25, deadline=None)
def test_refinement_leaves_clear_blocks_as_they_are(seed: int, name: PartitionerName) -> None:
    site = random_site(seed, 4)
    model = InfoDiscoverer(partitioner=name, threshold=0.5).fit(site)
    if model.n_pages_ < 2:
        return
    plain = model.apply(site)
    model.refines = True
    refined = model.apply(site)
    before = plain.blocks.evidence["entropy"][plain.node_block[site.text_rows]]
    after = refined.blocks.evidence["entropy"][refined.node_block[site.text_rows]]
    close = abs(before - 0.5) <= model.step
    np.testing.assert_array_equal(before[~close], after[~close])
    assert (refined.node_block[site.text_rows] >= 0).all()
    # Two texts that were in two blocks are never in one.
    pairs = set(
        zip(refined.node_block[site.text_rows].tolist(), plain.node_block[site.text_rows].tolist(), strict=True)
    )
    assert len({new for new, _ in pairs}) == len(pairs)


def test_templates_and_languages_mixed() -> None:
    other = [
        "<div class=nav>Startseite Impressum Kontakt</div>"
        f"<div class=text>{' '.join(f'wort{i}y{k}' for k in range(30))}</div>"
        for i in range(12)
    ]
    site = site_of(*news(12), *other)
    for name in ("infodiscoverer", "contentextractor"):
        verdict = make_method(name).fit_apply(site)
        for page, word, noise in ((3, "word3x5", "Imprint"), (15, "wort3y5", "Impressum")):
            assert word in kept_text(site, verdict, page)
            assert noise not in kept_text(site, verdict, page)


def test_a_feature_that_no_block_has() -> None:
    site = site_of("<p>only text</p>", "<p>and text</p>")
    for kind in (FeatureExtractor, KFeatureExtractor):
        verdict = kind(feature="image").fit_apply(site)
        assert not verdict.node_kept.any()
        assert verdict.notes == ("2 of 2 pages have no block in which image stands out",)
        with pytest.raises(UsageError, match="style-sheet"):
            kind(feature="smell").fit(site)


def test_the_desired_feature_wins() -> None:
    words = "plain words " * 40
    site = site_of(
        f"<div><p>{words}</p></div><nav>{'<a href=x>go</a> ' * 30}</nav>"
        "<form>Find <input><input><select></select></form>"
    )
    for feature, text in (("text", "plain"), ("link", "go"), ("form", "Find")):
        assert set(kept_text(site, FeatureExtractor(feature=feature).fit_apply(site), 0).split()) >= {text}
        assert set(FEATURES) >= {feature}


@pytest.mark.parametrize(
    ("kind", "wrong", "words"),
    [
        (InfoDiscoverer, {"step": 0}, "step"),
        (InfoDiscoverer, {"n_training": 0}, "training page"),
        (ContentExtractor, {"eps": 1.5}, "eps"),
        (ContentExtractor, {"few": 1}, "few"),
        (ContentExtractor, {"n_training": 0}, "training page"),
        (FeatureExtractor, {"scope": "world"}, "scope is 'world'; use one of page, site"),
        (KFeatureExtractor, {"k": 2, "n_high": 2}, "can win"),
        (InfoDiscoverer, {"partitioner": "none"}, "partitioner is 'none'; use one of table"),
        (LExtractor, {"partitioner": "none"}, "partitioner is 'none'; use one of table"),
    ],
)
def test_wrong_parameters_are_said(kind: Any, wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        kind(**wrong)


# L-Extractor


def labelled(seed: int, n: int = 6) -> Example:
    """Long paragraphs are content, lists of links are not."""
    rng = np.random.default_rng(seed)
    menu = "<ul>" + "<li><a href=x>Go</a>" * 12 + "</ul>"
    page = "<div>{}</div><div><p>{}</p></div><div><a href=y>Imprint</a> <a href=z>Contact</a></div>"
    site = site_of(*(page.format(menu, f"word{seed} text{i} " * int(rng.integers(20, 90))) for i in range(n)))
    gold = np.zeros(site.n_nodes, bool)
    for row in site.rows("p"):
        gold[row : site.nodes.end[row]] = True
    return Example(site, gold & site.is_text)


def test_l_extractor_learns_from_labels(tmp_path: Path) -> None:
    model = LExtractor(partitioner="getblockset").learn([labelled(s) for s in range(6)])
    assert model.cv_["f1"] == 1.0
    site = labelled(77).site
    verdict = model.apply(site)
    path = tmp_path / "l.json"
    model.save(path)
    loaded = LExtractor.load(path)
    np.testing.assert_array_equal(loaded.apply(site).node_score, verdict.node_score)
    assert loaded.cv_ == model.cv_
    alone = LExtractor(partitioner="getblockset").learn([labelled(1, 9)])
    assert 0 < alone.cv_["accuracy"] <= 1


def test_l_extractor_says_what_labels_lack() -> None:
    site = template_site(1, 4)
    with pytest.raises(UsageError, match="none with a block"):
        LExtractor().learn([])
    with pytest.raises(UsageError, match="none with a block"):
        LExtractor().learn([Example(site, np.zeros(site.n_nodes, bool), [])])
    with pytest.raises(UsageError, match="no labelled block is content"):
        LExtractor().learn([Example(site, np.zeros(site.n_nodes, bool))])
    with pytest.raises(UsageError, match="anything but content"):
        LExtractor().learn([Example(site, site.is_text)])
    with pytest.raises(UsageError, match="one label per node"):
        LExtractor().learn([Example(site, np.zeros(3, bool))])
