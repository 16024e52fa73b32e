"""SiteRoles on the demo site, on one page, and its model file."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from sitegrain.demo import Truth, generate
from sitegrain.errors import ModelError, UsageError
from sitegrain.evaluation.options import read_folds
from sitegrain.evaluation.roles.report import FIGURES, calibration_error
from sitegrain.learned.files import load_model, save_model
from sitegrain.learned.typed import to_plain
from sitegrain.methods.base import ARTICLE, OTHER, ROLES, TOC
from sitegrain.methods.lamis.graph import site_graph
from sitegrain.partition import partitioner
from sitegrain.result.distilled import distilled_links, write_graphml
from sitegrain.roles.conventions import UNSAID
from sitegrain.roles.model import (
    KIND,
    RoleTrees,
    SiteRoles,
    agree,
    agree_alike,
    calibrated,
    cut_where_it_parts,
    default_trees,
    heads,
    heed_conventions,
    heed_heads,
    lists,
    obey_page,
)
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.roles.parts import Columns, PageParts
from sitegrain.roles.reasons import SHOWN, role_reasons
from sitegrain.roles.titles import about_columns, file_titles
from sitegrain.roles.words import SaidWords
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from sitegrain.training.roles import Example, Singles, fit_scale, measure, train, train_folds
from tests.builders import site_of

Demo = tuple[Site, npt.NDArray[np.int64]]


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return generate(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def demo(truth: Truth) -> Demo:
    captures = [
        Capture(f"http://t.example/{p.path}", (truth.html / p.path).read_bytes(), path=p.path) for p in truth.pages
    ]
    site = build_site(captures)
    return site, np.array([ROLES.index(truth.roles()[p]) for p in site.pages.path])


@pytest.fixture(scope="module")
def features(demo: Demo) -> PageFeatures:
    return page_features(demo[0])


def test_the_demo_site(demo: Demo, features: PageFeatures) -> None:
    site, role = demo
    found = dict(zip(FIGURES, measure(Example("demo", features, role), default_trees()).figures, strict=True))
    assert found["R-precision"] >= 0.9
    assert found["article F1"] >= 0.95
    verdict = SiteRoles(n_toc=3).rank_features(features)
    assert (verdict.page_role == TOC).sum() == 3
    with pytest.raises(UsageError):
        SiteRoles(n_toc=-2).apply(site)


def test_one_page_has_only_page_evidence() -> None:
    text = "<p>" + "The council voted on Tuesday to keep the old harbour bridge open for another year. " * 3
    site = site_of(f"<title>Bridge stays</title><h1>Bridge stays</h1>{text * 8}")
    found = page_features(site)
    of_site = [i for i, n in enumerate(found.names) if n.startswith("site_") or n.endswith(("_rank", "_ratio"))]
    assert np.isnan(found.values[:, of_site]).all()
    assert SiteRoles().apply(site).notes


def test_pages_named_like_the_file_they_show() -> None:
    menu = "<ul><li><a href=0.html>Home</a><li><a href=1.html>News</a></ul>"
    prose = "The council voted on Tuesday to keep the old harbour bridge open for another year. "
    site = site_of(
        f"<title>Harbour - Paper</title>{menu}<h1>Harbour</h1><p>{prose * 5}",
        f"<title>old_bridge - Paper</title>{menu}<h1>old_bridge</h1><img src=/img/Old_Bridge-300x200.jpg>",
        f"<title>Old bridge - Paper</title>{menu}<h1>Old bridge</h1><p>{prose.upper() * 9}<img src=old-bridge.png>",
    )
    assert file_titles(PageParts(site))[0].tolist() == [0, 1, 1]
    p = obey_page(np.full((3, 3), 1 / 3), page_features(site))
    # The third is named like its picture too, but it has a story to tell.
    assert p[:, ARTICLE].round(2).tolist() == p[:, TOC].round(2).tolist() == [0.33, 0.01, 0.33]
    assert p.sum(axis=1) == pytest.approx(1)


def test_pictures_that_are_called_like_the_address_of_their_page() -> None:
    bodies = {
        "players/bor-gab.htm": "<title>Gabriel Boross</title><img src=bor-gab.jpg>",
        "players/bor-gab.jpg.htm": "<title>A portrait</title><img src=bor-gab.jpg>",
        "ui.htm": "<title>UI</title><img src=ui.png>",
        "empty.htm": "<title></title><img src=a.png>",
    }
    site = build_site([Capture(f"http://t.example/{path}", body.encode()) for path, body in bodies.items()])
    of_file, like_file = file_titles(PageParts(site))
    assert of_file.tolist() == [0, 1, 0, 0], "only what is named like a file is a file's page; two letters name none"
    assert like_file.tolist() == [1, 0, 0, 0]


def test_a_list_may_be_called_like_its_picture() -> None:
    menu = "<ul><li><a href=0.html>Home</a><li><a href=1.html>News</a></ul>"
    goods = "".join(f"<p><a href={k}.html>Cake number {k}</a>" for k in range(2, 10))
    pages = [
        f"<title>{name} - Shop</title>{menu}<h1>{name}</h1><img src=/img/{name}.jpg>{goods}"
        for name in ("Cakes", "Bread")
    ]
    pages[1] = pages[1].replace(goods, "")
    site = site_of(
        *pages,
        *(f"<title>Cake {k} - Shop</title>{menu}<h1>Cake {k}</h1><p>Cake with {'tea ' * k}" for k in range(2, 10)),
    )
    features = page_features(site)
    assert features.values[:2, features.names.index("page_of_file")].tolist() == [1, 1]
    assert obey_page(np.full((10, 3), 1 / 3), features)[:2, TOC].round(2).tolist() == [0.33, 0.01]


def test_what_software_says_is_heeded() -> None:
    p = np.array([[0.2, 0.1, 0.7], [0.2, 0.1, 0.7], [0.0, 0.0001, 0.9999]])
    found = heed_conventions(p, np.array([UNSAID, TOC, TOC]))
    assert found[0].tolist() == p[0].tolist()
    assert found[1, TOC] == pytest.approx(0.1 * np.exp(5) / (0.1 * np.exp(5) + 0.9))
    assert found[2].argmax() == ARTICLE, "it does not outweigh everything"


def test_what_software_says_is_told_as_a_reason() -> None:
    story = "The council voted on Tuesday to keep the old harbour bridge number {0} open for another year."
    page = "<title>Thread {0}</title><h1>Thread {0}</h1><p>" + story
    bodies = {f"viewtopic.php?t={k}": page.format(k) for k in range(9)}
    bodies["viewforum.php?f=1"] = "".join(f"<p><a href=viewtopic.php?t={k}>Thread {k}</a>" for k in range(9))
    bodies["memberlist.php?mode=all"] = "<title>Members</title>" + "".join(f"<p>Member {k}" for k in range(9))
    site = build_site([Capture(f"http://t.example/{path}", body.encode()) for path, body in bodies.items()])
    verdict = SiteRoles().apply(site)
    told = dict(zip(site.pages.url, zip(verdict.page_role, verdict.evidence["role_reason"], strict=True), strict=True))
    for path, role, word in (("viewforum.php?f=1", TOC, "lists"), ("memberlist.php?mode=all", OTHER, "profiles")):
        found, reason = told[f"http://t.example/{path}"]
        assert found == role
        assert f"named as software names {word}" in reason


def test_pages_that_ask_robots_to_stay_away() -> None:
    robots = ("", "noindex, follow", "NoIndex,NoFollow", "none", "index, nofollow", "max-image-preview:none")
    site = site_of(*(f'<title>Page {i}</title><meta name=robots content="{r}"><p>{i}' for i, r in enumerate(robots)))
    p = obey_page(np.full((6, 3), 1 / 3), page_features(site))
    # A page that robots may follow may be a list; one whose links they shall not follow is a tool.
    assert (p[:, ARTICLE] < 0.1).tolist() == [False, False, True, True, False, False]
    assert (p[:, TOC] < 0.1).tolist() == [False, False, True, True, False, False]
    assert p.sum(axis=1) == pytest.approx(1)
    # A site that says it on every page says nothing of a page.
    site = site_of(*(f"<title>Page {i}</title><meta name=robots content=none><p>{i}" for i in range(3)))
    assert (obey_page(np.full((3, 3), 1 / 3), page_features(site)) == 1 / 3).all()


def test_pages_of_a_template_agree() -> None:
    p = np.array([[0.1, 0.1, 0.8], [0.1, 0.1, 0.8], [0.1, 0.46, 0.44], [0.1, 0.46, 0.44], [0.0, 1.0, 0.0]])
    found = agree(p, np.array([3, 3, 3, 0, 1], np.int32))
    assert found.sum(axis=1) == pytest.approx(1)
    # The doubtful page follows its template; alone in its own it stays what it was.
    assert found.argmax(axis=1).tolist() == [ARTICLE, ARTICLE, ARTICLE, TOC, TOC]
    assert found[3] == pytest.approx(p[3])
    assert found[0, ARTICLE] < 0.8
    slow = [np.prod([p[i, k] for i in range(3)]) ** (0.2 / 3) * p[2, k] ** 0.8 for k in range(3)]
    assert found[2] == pytest.approx(np.array(slow) / sum(slow))


def test_a_list_agrees_with_lists_and_not_with_the_articles_that_look_like_it() -> None:
    """A site made by hand: `players/players.htm` has the template and the kind of address of the players that it lists."""
    names = [f"player{i}" for i in range(12)]
    text = "played for the club at Hull in the spring of that year, and won every game but the last of them. "
    pages = [f"<title>{name}</title><p>{name} {text * 4}<p>{name} was born in Leeds." for name in names]
    links = " ".join(f"<p><a href={name}.htm>{name}</a>" for name in names)
    body = [*pages, f"<title>Players</title><p>All of them.{links}"]
    paths = [*names, "players"]
    site = build_site(
        [Capture(f"http://t.example/{p}.htm", b.encode(), path=f"{p}.htm") for p, b in zip(paths, body, strict=True)]
    )
    found = page_features(site)
    found = replace(found, template=np.zeros(13, np.int32), address=np.zeros(13, np.int32))
    assert lists(found).tolist() == [False] * 12 + [True]
    p = np.array([[0.01, 0.01, 0.98]] * 12 + [[0.05, 0.75, 0.2]])
    assert agree(p, found.template, 0.7)[12].argmax() == ARTICLE
    told = agree_alike(p, found)
    assert told[12] == pytest.approx(p[12])
    # The others hear of the list through their template, as before.
    assert told[:12].argmax(axis=1).tolist() == [ARTICLE] * 12
    assert (told[:12, TOC] > p[:12, TOC]).all()


def test_the_head_of_a_folder_is_a_list_whatever_it_says_beside_its_links() -> None:
    """`engine/engine.htm` explains every page that it leads to; the pages of another folder all lead to one another."""
    names = [f"e{i}" for i in range(8)]
    text = "is taken out with the tool of the set that came with the car, and put back with new washers. "
    said = "".join(f"<tr><td><a href={n}.htm>{n}</a><td>{n} {text * 2}" for n in names)
    pages = {f"engine/{n}.htm": f"<title>{n}</title><p>{n} {text * 5}" for n in names}
    pages["engine/engine.htm"] = f"<title>Engine</title><p>{text * 3}<table>{said}</table>"
    round_trip = [f"b{i}" for i in range(8)]
    for name in round_trip:
        others = " ".join(f"<p><a href={n}.htm>{n} as {name} sees it</a>" for n in round_trip if n != name)
        pages[f"body/{name}.htm"] = f"<title>{name}</title><p>{name} {text * 5}{others}"
    site = build_site([Capture(f"http://t.example/{p}", b.encode(), path=p) for p, b in pages.items()])
    found = page_features(site)
    is_head = [path == "engine/engine.htm" for path in site.pages.path]
    assert heads(found).tolist() == is_head
    assert lists(found)[is_head.index(True)]
    p = np.full((len(pages), 3), [0.1, 0.3, 0.6])
    told = heed_heads(p, found)
    assert told.argmax(axis=1).tolist() == [TOC if head else ARTICLE for head in is_head]
    assert told.sum(axis=1) == pytest.approx(1)


def test_the_index_of_a_folder_leads_on_though_every_page_has_all_of_it_in_its_menu() -> None:
    names = [f"{part}/{k}" for part in ("guide", "api") for k in ("ash", "elm", "oak", "yew", "fir", "box")]
    menu = "<nav>" + "".join(f"<p><a href=/{n}.html>About {n}</a>" for n in names) + "</nav>"
    text = "grows slowly in the shade of others, and its wood is heavy, hard and seldom used for anything but fuel. "
    pages = {f"{n}.html": f"<title>{n}</title>{menu}<main><h1>{n}</h1><p>{n} {text * 4}</main>" for n in names}
    for part in ("guide", "api"):
        own = "".join(f"<li><a href=/{n}.html>About {n}</a>" for n in names if n.startswith(part))
        pages[f"{part}/index.html"] = f"<title>{part}</title>{menu}<main><h1>{part}</h1><ul>{own}</ul></main>"
    site = build_site([Capture(f"http://t.example/{p}", b.encode(), path=p) for p, b in pages.items()])
    told = heed_heads(np.full((len(pages), 3), [0.6, 0.3, 0.1]), page_features(site))
    is_index = [path.endswith("index.html") for path in site.pages.path]
    assert told.argmax(axis=1).tolist() == [TOC if index else OTHER for index in is_index]


def test_probabilities_are_scaled() -> None:
    p = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    assert calibrated(p, None) is p
    assert calibrated(p, (1.0, 0.0, 0.0, 0.0)) == pytest.approx(p, abs=1e-5)
    surer = calibrated(p, (2.0, 0.0, 0.0, 0.0))
    assert surer[0] == pytest.approx(p[0] ** 2 / (p[0] ** 2).sum())
    assert calibrated(p, (1.0, 0.0, np.log(10), 0.0))[0].argmax() == TOC


def test_the_scale_is_found_again() -> None:
    rng = np.random.default_rng(3)
    p = rng.dirichlet((0.6, 0.6, 0.6), 4000)
    role = np.array([rng.choice(3, p=row) for row in p])
    far = p**3 / (p**3).sum(axis=1, keepdims=True)
    scale = fit_scale([far], [role])
    assert scale[0] == pytest.approx(1 / 3, abs=0.05)
    surer = calibrated(far, scale)
    assert calibration_error(surer.max(axis=1), surer.argmax(axis=1) == role) < 0.02
    assert calibration_error(far.max(axis=1), far.argmax(axis=1) == role) > 0.05


def test_reasons_are_told_in_words(features: PageFeatures) -> None:
    verdict = SiteRoles().rank_features(features)
    reasons = verdict.evidence["role_reason"]
    assert len(reasons) == len(features.values)
    assert all(reasons)
    typical = {"site_own_links": [(0.0, 1.0), (3.0, 1.0), (0.5, 1.0)]}
    role, unsaid = np.full(len(reasons), TOC), np.full(len(reasons), UNSAID)
    links = features.values[:, features.names.index("site_own_links")]
    for reason, n in zip(
        role_reasons(features, role, typical, SaidWords.of({}, features.url, features.bare_title), unsaid),
        np.expm1(links).round().tolist(),
        strict=True,
    ):
        # Many links speak for a TOC page; few do not, and are not named as its reason.
        assert (reason == f"{n:,.0f} links of its own") == (np.log1p(n) > 1.75 + 0.3 / 2.5)


def test_numbers_of_reasons_read_well() -> None:
    said = {name: [SHOWN[name](np.log1p(n), n) for n in (0, 1, 1200)] for name in ("site_own_links", "site_stretch")}
    assert said["site_own_links"] == ["no links of its own", "1 link of its own", "1,200 links of its own"]
    assert said["site_stretch"][0] == "no stretch of prose"


def test_parts_without_links_between_them(features: PageFeatures) -> None:
    def part(name: str) -> list[str]:
        return [
            f"<title>{name} {i}</title>"
            + "".join(f'<li><a href="{j}.html">Story {name} {j}</a>' for j in range(k, k + 5) if j != i)
            + f"<p>The council of {name} voted on Tuesday to keep bridge number {i} open for another year."
            for k in ("abc".index(name) * 5,)
            for i in range(k, k + 5)
        ]

    assert not SiteRoles().rank_features(features).notes
    three = SiteRoles().apply(site_of(*part("a"), *part("b"), *part("c")))
    assert "parts" in three.notes[0]
    assert np.isfinite(three.page_toc).all()


def test_titles_about_other_pages() -> None:
    site = site_of(
        "<title>Sphere", "<title>Talk: Sphere", '<title>Pages that link to "Sphere"', "<title>A sphere of glass"
    )
    columns = Columns(4)
    about_columns(PageParts(site).titles, columns)
    assert columns.columns[0].tolist() == [0, 1, 1, 0]


def test_folds_write_models_and_their_index(demo: Demo, features: PageFeatures, tmp_path: Path) -> None:
    examples = [Example(name, features, demo[1]) for name in "abc"]
    domain = tuple(f"{i % 5}.example" for i in range(30))
    said = tuple(features.url[:30]), tuple(features.bare_title)[:30]
    single = Singles(features.names, features.values[:30], demo[1][:30], domain, *said)
    found = train_folds(examples, single, dict(zip("abc", "xyz", strict=True)), 3, tmp_path, lambda _: None)
    folds = read_folds([tmp_path])[KIND]
    assert set("abc") < set(folds)
    assert {"0.example", "4.example"} < set(folds)
    for name, digest in zip("abc", "xyz", strict=True):
        learned = load_model(folds[name], KIND, RoleTrees).about["sites"]
        assert digest not in learned
        assert len(learned) == 2
    assert "| whole site | 3 |" in found.report
    assert "of 30 roles right" in found.report
    assert set(found.trees.scale) == {"site", "alone"}
    assert set(found.trees.about["sites"]) == set("xyz"), "what is shipped learned from all"


def test_pages_of_the_demo_alone(truth: Truth) -> None:
    right = 0
    pages = truth.pages[::5]
    for page in pages:
        body = (truth.html / page.path).read_bytes()
        verdict = SiteRoles().apply(build_site([Capture(f"http://t.example/{page.path}", body)]))
        right += ROLES[verdict.page_role[0]] == page.kind
    assert right >= 0.9 * len(pages)


def test_training_is_deterministic_and_the_file_is_plain(demo: Demo, features: PageFeatures, tmp_path: Path) -> None:
    half = Example("a", features, demo[1])
    first, second = train([half, Example("b", features, demo[1])]), train([half, Example("b", features, demo[1])])
    assert json.dumps(to_plain(first)) == json.dumps(to_plain(second))
    save_model(tmp_path / "m.json", KIND, first)
    again = SiteRoles(model=tmp_path / "m.json").rank_features(features)
    assert np.array_equal(again.page_toc, SiteRoles(trees=first).rank_features(features).page_toc)


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    empty: dict[str, object] = {
        "names": [], "first": [], "second": [], "alone": [], "scale": {}, "words": {}, "typical": {}, "about": {},
    }  # fmt: skip
    whole = to_plain(default_trees())
    for state, words in (
        (empty, "three roles"),
        ({}, "names"),
        ({**whole, "scale": {"site": [1.0]}}, "four numbers"),
        ({**whole, "typical": {"page_links": [[1.0, 1.0]]}}, "three roles"),
        ({**whole, "scale": []}, "scale"),
        ({**whole, "words": {"/tag": [1.0]}}, "three roles"),
    ):
        save_model(tmp_path / "m.json", KIND, state)
        with pytest.raises(ModelError, match=words):
            load_model(tmp_path / "m.json", KIND, RoleTrees)
    (tmp_path / "m.json").write_text("{}")
    with pytest.raises(ModelError):
        SiteRoles(model=tmp_path / "m.json").apply(site_of("<p>a"))


def test_distilled_graph(demo: Demo, tmp_path: Path) -> None:
    site, role = demo
    terms = site_terms(site)
    graph = site_graph(site, terms)
    keep = distilled_links(site, terms, graph, partitioner("list")(site), role.astype(np.int8))
    assert 0 < keep.sum() < len(graph)
    assert (role[graph.source[keep]] == TOC).all()
    write_graphml(tmp_path / "g.graphml", site, graph, role.astype(np.int8), keep)
    text = (tmp_path / "g.graphml").read_text()
    assert text.count("<edge ") == len({(a, b) for a, b in zip(graph.source[keep], graph.target[keep], strict=True)})


def test_the_cut_moves_to_where_opinions_part() -> None:
    def roles(opinions: npt.ArrayLike) -> npt.NDArray[np.intp]:
        toc = np.array(opinions)
        parted = cut_where_it_parts(np.column_stack((np.full_like(toc, 0.01), toc, 0.99 - toc)))
        return np.asarray(parted.argmax(axis=1))

    # Archives that look like articles, and articles that look much more so.
    assert roles([0.2, 0.25, 0.3, 0.2] + [0.002] * 12).tolist() == [TOC] * 4 + [ARTICLE] * 12
    # Articles alone, some surer than others, are one group or two that cannot be TOC pages.
    assert (roles(np.linspace(0.001, 0.2, 16)) == ARTICLE).all()
    assert (roles([0.02] * 4 + [0.0001] * 12) == ARTICLE).all()
    # Few pages tell no groups, and opinions that part at 1/2 stay as they are.
    assert roles([0.2, 0.002, 0.002]).tolist() == [ARTICLE] * 3
    assert roles([0.9] * 6 + [0.1] * 6).tolist() == [TOC] * 6 + [ARTICLE] * 6


def test_articles_alone_are_articles(truth: Truth) -> None:
    """Only articles at hand, no home page and no links between them: none becomes a TOC page."""
    pages = [p for p in truth.pages if p.kind == "article"][::4]
    site = build_site([Capture(f"http://t.example/{p.path}", (truth.html / p.path).read_bytes()) for p in pages])
    role = SiteRoles().apply(site).page_role
    assert (role == TOC).mean() <= 0.03
    assert (role == ARTICLE).mean() >= 0.9
