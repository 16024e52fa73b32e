"""The papers' system from end to end: `mine --pipeline papers`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from sitegrain.demo import generate
from sitegrain.methods.base import ARTICLE, OTHER, TOC
from sitegrain.report.outline import OutlineNode, outline_svg, site_outline
from sitegrain.result.papers import LEAST_PAGES, PaperBlocks, PaperPages, paper_system, structure_json
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.cli.runner import invoke
from tests.extractor.pages import WORDS

MENU = "<ul><li><a href=0.html>Home page</a><li><a href=1.html>Archive</a><li><a href=14.html>Terms</a></ul>"
N = 12


def newspaper() -> Site:
    """Two TOC pages, twelve articles that all have one TITLE, and terms of use that only menus lead to."""
    heads = [f"{WORDS[i]}{i} meets {WORDS[i + 1]}{i}" for i in range(N)]

    def teasers(numbers: range) -> str:
        return "<div class=list>" + "".join(f"<h3><a href={2 + i}.html>{heads[i]}</a></h3>" for i in numbers) + "</div>"

    pages = [f"<title>Paper</title>{MENU}{teasers(range(8))}", f"<title>Archive</title>{MENU}{teasers(range(6, N))}"]
    for i, head in enumerate(heads):
        body = " ".join(f"{WORDS[(i + j) % len(WORDS)]}{i}x{j}" for j in range(60))
        pages.append(
            f"<title>The Paper</title>{MENU}<div class=story><p>{head}. {body}</p></div><p>Terms of the paper</p>"
        )
    pages.append(f"<title>The Paper</title>{MENU}<p>Terms of the paper")
    return site_of(*pages)


def test_toc_blocks_point_to_article_blocks() -> None:
    site = newspaper()
    found = paper_system(site, n_toc=2)
    role = found.pages.page_role
    assert np.flatnonzero(role == TOC).tolist() == [0, 1]
    assert np.flatnonzero(role == ARTICLE).tolist() == list(range(2, 14))
    assert role[14] == OTHER
    assert set(found.cluster[2:14].tolist()) == {0}
    assert found.cluster[0] == -1
    kept = {
        p: {site.node_text(int(i)) for i in np.flatnonzero(found.nodes.node_kept) if site.nodes.page[i] == p}
        for p in range(15)
    }
    assert len(kept[3]) == 1
    assert "1x59" in next(iter(kept[3]))
    assert not kept[14]
    assert found.titles[3] == f"{WORDS[1]}1 meets {WORDS[2]}1."  # the TITLE is the same on all
    assert found.titles[0] == "Paper"
    structure = structure_json(site, found)
    first = next(t for t in structure["tocs"] if t["page"] == 0)
    (block,) = first["blocks"]
    assert block["css_path"].endswith("div.list")
    assert [e["page"] for e in block["entries"]] == list(range(2, 10))
    assert structure["articles"][0]["blocks"] == ["html > body > div.story > p"]


def test_the_halves_are_methods() -> None:
    site = newspaper()
    assert PaperPages(n_toc=2).apply(site) is paper_system(site, n_toc=2).pages
    verdict = PaperBlocks(n_toc=2).apply(site)
    rows = site.text_rows
    assert (verdict.node_block[rows] >= 0).all()
    assert (verdict.node_block < len(verdict.blocks)).all()
    assert (site.nodes.page[verdict.blocks.node[verdict.node_block[rows]]] == site.nodes.page[rows]).all()


@pytest.mark.parametrize(
    "pages",
    [
        ["<p>alone"],
        ["<p>one", "<p>two"],
        ["<a href=1.html>to one</a>", "<a href=0.html>to zero</a>"],
        ["<a href=1.html><img src=a></a>", ""],
        ["<title>Same</title><p>same words <a href=0.html>here</a>"] * (LEAST_PAGES + 1),
    ],
)
def test_sites_without_structure(pages: list[str]) -> None:
    site = site_of(*pages)
    found = paper_system(site)
    structure = structure_json(site, found)
    assert len(structure["tocs"]) + len(structure["articles"]) <= len(pages)
    assert len(found.titles) == len(pages)
    assert np.isfinite(found.nodes.node_score).all()
    ElementTree.fromstring(outline_svg(site_outline(structure), "x"))


def test_command(tmp_path: Path) -> None:
    generate(tmp_path / "courier")
    arguments = ["mine", str(tmp_path / "courier" / "html"), "--pipeline", "papers", "--set", "n_toc=32", "--no-report"]
    out = tmp_path / "out"
    got = invoke([*arguments, "--out", str(out)])
    assert got.exit_code == 0, got.output
    assert "32 TOC pages, 117 articles" in got.stdout
    structure = json.loads((out / "structure.json").read_text("utf-8"))
    assert len(structure["tocs"]) == 32
    assert {"structure.json", "structure.svg"} <= set(json.loads((out / "manifest.json").read_text())["files"])
    assert ElementTree.parse(out / "structure.svg").getroot().attrib["width"] == "1400"
    again = invoke([*arguments, "--out", str(out)])  # a result of its own is replaced
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--pipeline", "x"], "there is one, papers"),
        (["--pipeline", "papers", "--method", "sst"], "leave --method out"),
    ],
)
def test_command_says_what_is_wrong(more: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    got = invoke(["mine", str(tmp_path), *more])
    assert got.exit_code != 0
    assert message in str(got.exception)


def test_pictures_hold_no_markup_of_pages() -> None:
    picture = outline_svg([OutlineNode(-1, "page", "<script>x</script>", "\x00&\ud800")], "a<b")
    assert "<script>" not in picture
    ElementTree.fromstring(picture)


def test_a_line_of_the_picture_names_the_end_of_a_path_and_counts_rightly() -> None:
    path = " > ".join(["div#main", *["div.box-in-a-box"] * 6, "ul.headlines"])
    entries = [{"anchor": "x", "page": 1}]
    structure = {
        "tocs": [{"title": "Home", "url": "/", "blocks": [{"css_path": path, "entries": entries}]}],
        "articles": [{"page": 1, "title": "One", "url": "/1", "blocks": ["p"]}],
    }
    page, block, article = site_outline(structure)
    assert page.name == "Home"
    assert block.name == "… > div.box-in-a-box > div.box-in-a-box > ul.headlines"
    assert (block.text, article.text) == ("1 link", "1 block")
