"""Places of elements against paths spelled out row by row."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sitegrain.tables.elements import first_name_places, tag_places
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TEXT
from tests.builders import site_of
from tests.randomsites import random_pages

Path = tuple[tuple[str, str], ...]


def first_name(site: Site, row: int) -> str:
    names = site.node_attrs(row).get("class", "").split()
    return re.sub(r"\d+", "", names[0]) if names and site.tag_name(row) not in ("html", "body") else ""


def spelled(site: Site, row: int, with_names: bool) -> Path:
    steps: list[tuple[str, str]] = []
    while row >= 0:
        steps.append((str(site.nodes.tag[row]), first_name(site, row) if with_names else ""))
        row = int(site.nodes.parent[row])
    return tuple(reversed(steps))


def same_classes(keys: list[int], paths: list[Path]) -> bool:
    return len(set(keys)) == len(set(paths)) == len(set(zip(keys, paths, strict=True)))


@pytest.mark.parametrize("seed", range(6))
def test_rows_share_a_key_exactly_when_they_share_a_path(seed: int) -> None:
    named = [
        f"<html class=page-{k}><body class='home {k}'><div class='post post-{k}'><p class=''>a<p class='x9 y'>b</div>"
        for k in range(3)
    ]
    site = site_of(*random_pages(seed)[:4], *named)
    rows = range(site.n_nodes)
    assert same_classes(tag_places(site).tolist(), [spelled(site, row, with_names=False) for row in rows])
    where = np.where(site.nodes.tag == TEXT, np.maximum(site.nodes.parent, 0), np.arange(site.n_nodes))
    paths = [spelled(site, row, with_names=True) for row in where.tolist()]
    assert same_classes(first_name_places(site).tolist(), paths)


def test_places_of_a_page_are_those_of_its_site() -> None:
    site = site_of("<div class='a b'>x</div>", "<div class=a>y<p class='a 1'>z</div>", "<p>")
    pages = [first_name_places(site, page) for page in range(site.n_pages)]
    assert np.array_equal(np.concatenate(pages), first_name_places(site))
    assert len(first_name_places(site_of())) == 0
