"""Tables of facts stay, though their labels are on all pages and their values look alike."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.knowledge import learn
from sitegrain.extractor.mending.together.facts import with_facts
from sitegrain.extractor.model import Extractor
from sitegrain.extractor.stages import SITE_NAMES, site_block_columns
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages

N_PAGES = 24
WORDS = (
    "clay kiln glaze potter wheel river fire winter slow hand turned fired rim foot handle lid water frost garden kitchen table "
    "deep wide heavy light brown green blue grey rough smooth made of with and for the a in on from its that each two three"
).split()
TABLE = "<table>{}</table>", "<tr><th>{}<td>{}"
CELLS = "<table>{}</table>", "<tr><td>{}<td>{}"
TERMS = "<dl>{}</dl>", "<dt>{}<dd>{}"
DIVS = "<section>{}</section>", "<div><div>{}</div><div>{}</div></div>"
LINES = "<ul>{}</ul>", "<li><b>{}:</b> {}"
GRID = "<section>{}</section>", "<div>{}</div><div>{}</div>"
LABELS = ("Height", "Width", "Weight", "Finish")


def prose(rng: random.Random, n: int) -> str:
    return " ".join(rng.choices(WORDS, k=n)).capitalize() + ", and it stands the frost."


def shop(form: tuple[str, str], seed: int = 1, values: bool = True) -> Site:
    """A shop, each of whose pages has a text and a table of facts; with values or with the same ones everywhere."""
    rng = random.Random(seed)
    bodies = []
    for k in range(N_PAGES):
        facts = [
            f"{rng.randint(5, 90)} cm",
            f"{rng.randint(5, 90)} cm",
            f"{rng.randint(1, 20)} kg",
            rng.choice(["Matt", "Gloss"]),
        ]
        table = form[0].format(
            "".join(form[1].format(*row) for row in zip(LABELS, facts if values else ["same"] * 4, strict=True))
        )
        text = "".join(f"<p>{prose(rng, 40)}</p>" for _ in range(3))
        bodies.append(
            f"<title>Pot {k} {rng.choice(WORDS)}</title><script>x</script><nav><a href=/>Home</a> <a href=/pots>Pots</a> <a href=/about>About</a></nav>"
            f"<main><h1>Pot {k}</h1>{text}<h2>Details</h2>{table}</main><footer>All prices with tax. <a href=/terms>Terms</a></footer>"
        )
    return site_of(*bodies)


def texts_kept(site: Site, page: int) -> list[str]:
    verdict = Extractor().fit(site).apply(site)
    rows = np.flatnonzero(verdict.node_kept & site.is_text & (site.nodes.page == page))
    return [site.node_text(row).strip() for row in rows.tolist()]


@pytest.mark.parametrize("form", [TABLE, CELLS, TERMS, DIVS, LINES, GRID])
def test_a_table_that_all_pages_have_is_kept_with_its_heading(form: tuple[str, str]) -> None:
    site = shop(form)
    for page in (0, 7, N_PAGES - 1):
        kept = " ".join(texts_kept(site, page))
        assert all(label in kept for label in (*LABELS, "Details")), kept
        assert "Terms" not in kept
        assert "Home" not in kept


def facts_of(
    html: str, changes: bool = True, label_pages: int = 30, first: float = 0.6, at_path: float = np.nan
) -> list[str]:
    """What is kept of a page of a site of 40 pages, 30 of which have all its places; labels are those that begin with a capital."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    n = len(evidence.blocks)
    texts = [evidence.blocks.text(i) for i in range(n)]
    of_site = np.zeros((n, len(SITE_NAMES)), np.float32)

    def says(name: str, value: float, label: float) -> None:
        of_site[:, SITE_NAMES.index(name)] = [label if t[0].isupper() else value for t in texts]

    pages = 1 if changes else 30
    says("site_pages", np.log1p(40), np.log1p(40))
    says("site_masked", 30 / 40, label_pages / 40)
    says("site_same_count", np.log1p(pages), np.log1p(label_pages))
    says("path_pages", 30 / 40, 30 / 40)
    says("path_same", pages / 30, label_pages / 30)
    kept = np.array([t == TEXT for t in texts])
    after = with_facts(evidence, of_site, np.full(n, first), np.full(n, at_path), kept)
    assert (after is kept) == (after == kept).all()
    return [t for t, is_kept in zip(texts, after, strict=True) if is_kept and t != TEXT]


TEXT = "The pot holds three litres and stands the frost of a long winter outside, if the water can run off, as all of them do."
ROWS = "".join(f"<tr><td>{label}<td>{n} cm" for n, label in enumerate(("Height", "Width", "Depth"), 1))
FACTS = ["Height", "1 cm", "Width", "2 cm", "Depth", "3 cm"]
IN_TEXT = f"<main><p>{TEXT}</p><table>{ROWS}</table></main>"
BESIDE = f"<div><p>{TEXT}</p><p>{TEXT}</p></div><table>{ROWS}</table>"


def test_what_makes_a_table_of_facts() -> None:
    assert facts_of(IN_TEXT) == FACTS
    assert facts_of(IN_TEXT, changes=False) == []  # the template
    assert facts_of(IN_TEXT, label_pages=2) == []  # names of who wrote something
    assert facts_of(IN_TEXT, label_pages=6) == []  # on few of the pages that have the place
    assert facts_of(f"<main><p>{TEXT}</p><table>{ROWS.replace('<td>', '<td><input>')}</table></main>") == []
    assert facts_of(f"<main><p>{TEXT}</p><table>{ROWS.partition('<tr><td>Width')[0]}</table></main>") == []


def test_a_table_beside_the_text_must_be_sure() -> None:
    assert facts_of(IN_TEXT, first=0.4) == FACTS
    assert facts_of(BESIDE, first=0.4) == []
    assert facts_of(BESIDE, first=0.6) == FACTS
    assert facts_of(IN_TEXT, first=0.1) == []


def test_the_place_on_all_pages_counts_where_it_is_known() -> None:
    assert facts_of(IN_TEXT, first=0.1, at_path=0.4) == FACTS
    assert facts_of(IN_TEXT, first=0.9, at_path=0.1) == []


def test_links_are_no_facts() -> None:
    linked = ROWS.replace("<td>", "<td><a href=x>").replace(" cm", " cm</a>")
    assert facts_of(f"<main><p>{TEXT}</p><table>{linked}</table></main>") == []


def test_lines_are_facts_where_they_stand_alone() -> None:
    lines = "".join(f"<p>holds {n} litres</p>" for n in range(4))
    assert len(facts_of(f"<main><p>{TEXT}</p><section>{lines}</section></main>")) == 4
    assert facts_of(f"<main><p>{TEXT}</p><section>{lines}</section></main>", first=0.4) == []
    assert facts_of(f"<main>{lines}<p>{TEXT}</p></main>") == []


@settings(max_examples=100, deadline=None)
@given(pages())
def test_nothing_goes(page: Drawn) -> None:
    evidence, score, kept = page
    of_site = site_block_columns(evidence, learn(evidence.blocks.rows.site))
    after = with_facts(evidence, of_site, score, np.full(len(score), np.nan), kept)
    assert after is kept or (after[kept].all() and after.sum() > kept.sum())


def test_pages_of_one_title_are_one_thing() -> None:
    text = "<p>The river rose.</p>"
    different = site_of(*(f"<title>Flood {k}</title>{text}" for k in range(14)))
    assert learn(different).n_things == 14
    assert learn(site_of(*(f"<title>Flood {k % 3}</title>{text}" for k in range(12)))).n_things == 3
    assert learn(site_of(*(f"<title>Flood {k % 3}</title>{text}" for k in range(60)))).n_things == 15  # of one site
    assert learn(site_of(*(f"<title>Our site</title>{text}" for _ in range(14)))).n_things == 14
    assert learn(site_of(*(text for _ in range(14)))).n_things == 14
