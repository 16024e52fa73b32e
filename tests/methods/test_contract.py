"""What every method of the registry promises, whoever wrote it."""

from __future__ import annotations

import ast
import copy
import dataclasses
import gc
import inspect
import json
import random
import sys
import weakref
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.typed import is_learned
from sitegrain.methods.base import ROLES, Method, NodeMethod, NodeVerdict, PageMethod, PageVerdict
from sitegrain.methods.parameters import parameters
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.randomsites import random_pages

ALL = (*NODE_METHODS, *PAGE_METHODS)
# One method of each class: the others are the same class with other parameters.
CLASSES = tuple({type(make_method(name)): name for name in reversed(ALL)}.values())[::-1]
LEARNERS = tuple(name for name in CLASSES if make_method(name).learned_fields())

STORIES = (
    "River stones lie still under the old bridge, and nobody has counted them since the flood.",
    "A wolf ran by the lamp at midnight. The baker saw it; she closed her shop and went home.",
    "Weather will be fine today in the hills: wind from the south, hardly any cloud, no rain.",
    "One more story of the harbour, where ferries wait for fog to lift and gulls complain.",
    "Bread costs more again. The mill says that wheat is dear, the farmers say that it is not.",
)


def page(number: int, story: str) -> str:
    links = "".join(f"<li><a href=/{i}>{' '.join(s.split()[:4])}</a>" for i, s in enumerate(STORIES))
    return (
        f"<html><head><title>Story {number}</title></head><body><div class=nav><ul><li><a href=/>Home</a>{links}</ul></div>"
        f"<div class=main><h1>{' '.join(story.split()[:3])}</h1><p>{story}</p><p>{story[::-1]}</p></div>"
        "<div class=foot>All rights reserved by the company: terms of use</div></body></html>"
    )


def newspaper() -> Site:
    return build_site(
        Capture(f"http://a.org/{n}", page(n, s).encode(), path=f"{n}.html") for n, s in enumerate(STORIES)
    )


def later_page() -> Site:
    text = page(9, "Something that nobody had read before: the moon is made of stone, says a stonemason.")
    return build_site([Capture("http://a.org/9", text.encode())])


def assert_same(a: Any, b: Any) -> None:
    """Two verdicts, array by array."""
    for f in dataclasses.fields(a):
        x, y = getattr(a, f.name), getattr(b, f.name)
        if isinstance(x, np.ndarray):
            np.testing.assert_array_equal(x, y)
        elif dataclasses.is_dataclass(x):
            assert_same(x, y)
        elif isinstance(x, dict):
            assert x.keys() == y.keys()
            for key in x:
                np.testing.assert_array_equal(x[key], y[key])
        else:
            assert list(x) == list(y)


def assert_verdict(site: Site, verdict: Any) -> None:
    if isinstance(verdict, PageVerdict):
        for column in (verdict.page_toc, verdict.page_article, verdict.page_confidence):
            assert column.shape == (site.n_pages,)
            assert column.dtype == np.float64
            assert np.isfinite(column).all()
        assert verdict.page_role.dtype == np.int8
        assert np.isin(verdict.page_role, range(len(ROLES))).all()
        assert ((verdict.page_confidence >= 0) & (verdict.page_confidence <= 1)).all()
        assert all(len(column) == site.n_pages for column in verdict.evidence.values())
        return
    assert isinstance(verdict, NodeVerdict)
    blocks, n = verdict.blocks, site.n_nodes
    assert verdict.node_score.shape == verdict.node_kept.shape == verdict.node_block.shape == (n,)
    columns = (verdict.node_score, verdict.node_kept, verdict.node_block)
    assert [column.dtype.name for column in columns] == ["float64", "bool", "int32"]
    assert ((verdict.node_score >= 0) & (verdict.node_score <= 1)).all()
    assert not verdict.node_score[~site.is_text].any()
    assert not verdict.node_kept[~site.is_text].any()
    assert (verdict.node_block[~site.is_text] == -1).all()
    assert (verdict.node_block[site.is_text] >= 0).all()
    assert verdict.node_block.max(initial=-1) < len(blocks)
    assert blocks.node.dtype == np.int32
    assert ((blocks.node >= 0) & (blocks.node < n)).all()
    assert blocks.score.shape == blocks.is_informative.shape == (len(blocks),)
    assert ((blocks.score >= 0) & (blocks.score <= 1)).all()
    assert len(blocks.reason) == len(blocks)
    assert all(isinstance(reason, str) and reason for reason in blocks.reason)
    assert all(len(column) == len(blocks) for column in blocks.evidence.values())
    # Text is kept only in a block that is informative, and every text is on the page of its block.
    assert blocks.is_informative[verdict.node_block[verdict.node_kept]].all()
    rows = site.text_rows
    assert (site.nodes.page[blocks.node[verdict.node_block[rows]]] == site.nodes.page[rows]).all()


def facts(site: Site) -> list[bytes]:
    """Every array of a site."""
    tables = (site.pages, site.nodes, site.attrs, site.links)
    return [v.tobytes() for table in tables for v in vars(table).values() if isinstance(v, np.ndarray)]


@pytest.mark.parametrize("name", ALL)
def test_a_method_is_made_compared_shown_and_copied(name: str) -> None:
    method = make_method(name)
    assert isinstance(method, NodeMethod if name in NODE_METHODS else PageMethod)
    assert dataclasses.is_dataclass(method)
    assert method == make_method(name)
    assert repr(method) == repr(make_method(name))
    assert len(repr(method)) < 800
    assert dataclasses.replace(method) == method
    for f in dataclasses.fields(cast(Any, method)):
        assert f.init != f.name.endswith("_"), f"{f.name} is a parameter or learned, and the name says which"
        assert f.init or not (f.compare or f.repr), f.name
    assert {f.name for f in dataclasses.fields(cast(Any, method))} >= set(vars(method)), "state that is no field"


@pytest.mark.parametrize("name", CLASSES)
def test_the_docstring_tells_the_method(name: str) -> None:
    method = make_method(name)
    said = inspect.getdoc(type(method)) or ""
    inherited = "".join(inspect.getdoc(base) or "" for base in type(method).__mro__[1:] if issubclass(base, Method))
    for p in parameters(method):
        assert p.name in said + inherited, f"the docstring does not tell {p.name}"
    for f in dataclasses.fields(cast(Any, method)):
        if is_learned(f) and type(method).__module__.startswith("sitegrain.methods"):
            assert "earned" in said + inherited
    ours = ("default", "siteroles", "everything", "outlink-count")
    assert "Paper" in said or name in ours


@pytest.mark.parametrize("name", LEARNERS)
def test_a_method_that_has_learned_nothing_says_so(name: str, tmp_path: Path) -> None:
    method = make_method(name)
    assert not method.is_fitted
    with pytest.raises(ModelError, match=rf"{type(method).name} has learned nothing yet: call fit"):
        method.apply(newspaper())
    with pytest.raises(ModelError, match="has learned nothing yet"):
        method.save(tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in LEARNERS])
def test_a_method_that_learns_nothing_is_ready(name: str, tmp_path: Path) -> None:
    method, site = make_method(name), newspaper()
    assert method.is_fitted
    assert_same(method.apply(site), method.fit_apply(site))
    with pytest.raises(UsageError, match="has no model to save"):
        method.save(tmp_path / "m.json")
    with pytest.raises(UsageError, match="has no model to save"):
        type(method).load(tmp_path / "m.json")


@pytest.mark.parametrize("name", ALL)
def test_fit_and_apply(name: str) -> None:
    site = newspaper()
    before = facts(site)
    method = make_method(name)
    assert method.fit(site) is method
    assert method.is_fitted
    verdict = method.apply(site)
    assert_verdict(site, verdict)
    assert facts(site) == before, "the site was changed"
    assert_same(verdict, method.apply(site))
    assert_same(verdict, make_method(name).fit_apply(newspaper()))
    assert method == make_method(name), "what is learned is not compared"
    assert repr(method) == repr(make_method(name))
    assert copy.copy(method).is_fitted
    if method.learned_fields():
        assert not dataclasses.replace(cast(Any, method)).is_fitted
    new = later_page()
    assert_verdict(new, method.apply(new))
    assert_same(verdict, method.apply(site))


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize(
    "pages",
    [(), ("",), ("<p>",), ("<p>One page only.",), ("<img src=a>", "<br>"), ("<p>Same.", "<p>Same."), ("x", "<title>t</title>")],
    ids=["no-page", "empty", "no-text", "one", "textless", "copies", "bare"],
)  # fmt: skip
def test_sites_with_next_to_nothing(name: str, pages: tuple[str, ...]) -> None:
    site = site_of(*pages)
    method = make_method(name)
    assert_verdict(site, method.fit_apply(site))
    assert method.is_fitted
    whole = newspaper()
    assert_verdict(whole, method.apply(whole))
    assert_verdict(site, make_method(name).fit(whole).apply(site))


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_sites(name: str, seed: int) -> None:
    site = site_of(*random_pages(seed))
    assert_verdict(site, make_method(name).fit_apply(site))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("learned_from", ["newspaper", "one page", "random"])
def test_a_saved_method_judges_as_before(name: str, learned_from: str, tmp_path: Path) -> None:
    sites = {"newspaper": newspaper(), "one page": later_page(), "random": site_of(*random_pages(4))}
    method = make_method(name).fit(sites[learned_from])
    method.save(tmp_path / "m.json")
    loaded = type(method).load(tmp_path / "m.json")
    assert loaded == method
    assert loaded.is_fitted
    for site in (*sites.values(), site_of()):
        assert_same(method.apply(site), loaded.apply(site))
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def damaged(value: Any, chance: random.Random) -> Any:
    """A JSON value with one part deleted, renamed, or of another type, shape or size."""
    value = copy.deepcopy(value)
    inner = [value]
    for part in inner:
        children = part.values() if isinstance(part, dict) else part
        inner += [child for child in children if isinstance(child, dict | list) and child]
    part = chance.choice(inner)
    key = chance.choice(list(part) if isinstance(part, dict) else range(len(part)))
    kind = chance.randrange(4)
    if kind == 0:
        del part[key]
    elif kind == 1 and isinstance(part, dict):
        part[f"{key}x"] = part.pop(key)
    elif kind == 2 and isinstance(part[key], str | list):
        part[key] = part[key][: len(part[key]) // 2]
    else:
        part[key] = chance.choice([None, -1, 10**30, 0.5, "x", [], {}, [[0]], True, float(10**300)])
    return value


@pytest.mark.parametrize("name", LEARNERS)
def test_a_damaged_file_gives_a_model_error_or_a_method_that_works(name: str, tmp_path: Path) -> None:
    """Whatever part of a file is lost or changed: the file is refused, or it holds what a method could have learned."""
    path, site = tmp_path / "m.json", newspaper()
    method = make_method(name).fit(site)
    method.save(path)
    good = json.loads(path.read_text("utf-8"))
    chance = random.Random(name)
    refused = 0
    for _ in range(150):
        path.write_text(json.dumps(damaged(good, chance)), encoding="utf-8")
        try:
            loaded = type(method).load(path)
        except ModelError:
            refused += 1
            continue
        with np.errstate(all="ignore"):
            loaded.apply(site)
    assert refused > 60


@pytest.mark.parametrize("name", CLASSES)
def test_a_fitted_method_keeps_no_site(name: str) -> None:
    site = newspaper()
    seen = weakref.ref(site)
    method = make_method(name).fit(site)
    verdict = method.apply(site)
    assert verdict is not None
    del verdict, site
    gc.collect()
    assert seen() is None
    assert method.is_fitted


def test_no_method_imports_another() -> None:
    """Beside the linter's contract, which does not see imports inside functions of a string's name."""
    homes = {type(make_method(name)).__module__ for name in ALL}
    roots = {".".join(home.split(".")[:3]) for home in homes if home.startswith("sitegrain.methods.")}
    for module in [m for m in sys.modules if any(m == root or m.startswith(f"{root}.") for root in roots)]:
        own = ".".join(module.split(".")[:3])
        tree = ast.parse(inspect.getsource(sys.modules[module]))
        named = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        named |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        others = [n for n in named for root in roots - {own} if n == root or n.startswith(f"{root}.")]
        assert not others, f"{module} imports {others}"
