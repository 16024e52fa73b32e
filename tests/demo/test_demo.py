"""The demo site is what its truth says, and the same every time."""

from __future__ import annotations

import hashlib
import re
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from sitegrain.demo import Truth, generate, serve


def fold(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_counts(truth: Truth) -> None:
    assert Counter(p.kind for p in truth.pages) == {"article": 112, "toc": 32, "other": 6}
    assert len({p.path for p in truth.pages}) == len(truth.pages) == 150
    assert {(p.look, p.language) for p in truth.pages if p.kind == "article"} == {
        ("modern", "en"), ("modern", "zh"), ("tables", "en"), ("tables", "zh"),
    }  # fmt: skip


def test_generation_is_deterministic(truth: Truth, tmp_path: Path) -> None:
    def digest(folder: Path) -> str:
        files = sorted(p for p in folder.rglob("*") if p.is_file())
        return hashlib.sha256(b"".join(p.name.encode() + p.read_bytes() for p in files)).hexdigest()

    assert digest(generate(tmp_path).folder) == digest(truth.folder)


def test_content_is_what_the_selectors_say(truth: Truth) -> None:
    for page in truth.pages:
        if page.kind != "article":
            continue
        tree = LexborHTMLParser((truth.html / page.path).read_bytes())
        if page.drop_selector:
            dropped = tree.css(page.drop_selector)
            assert dropped
            for node in dropped:
                node.decompose()
        found = tree.css(page.content_selector)
        assert len(found) == 1
        assert fold(found[0].text(deep=True)) == fold("".join(page.content)), page.path


def test_toc_pages_have_their_list_and_every_link_leads_somewhere(truth: Truth) -> None:
    linked = set()
    for page in truth.pages:
        tree = LexborHTMLParser((truth.html / page.path).read_bytes())
        if page.kind == "toc":
            lists = tree.css(page.toc_selector)
            assert len(lists) == 1
            assert len(lists[0].css("a")) >= 3, page.path
        for a in tree.css("a[href]"):
            href = a.attributes["href"] or ""
            if href.startswith("/"):
                linked.add(href[1:])
    assert linked - {"robots.txt"} == {p.path for p in truth.pages}


def test_articles_differ_in_structure(truth: Truth) -> None:
    shapes = set()
    for page in truth.pages:
        if page.kind == "article":
            tree = LexborHTMLParser((truth.html / page.path).read_bytes())
            shapes.add(tuple(n.tag for n in tree.css(page.content_selector)[0].iter()))
    assert len(shapes) > 80


def test_serve(truth: Truth) -> None:
    with serve(truth.folder) as server:
        assert urllib.request.urlopen(server.url).status == 200
        assert b"Disallow: /private/" in urllib.request.urlopen(server.url + "robots.txt").read()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(server.url + "nothing.html")
