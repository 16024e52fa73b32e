"""Lists, tables and programs between the paragraphs of an article alone."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.enclosed import with_enclosed
from tests.builders import site_of

TEXT = "The kettle sings, and nobody in the house gets up to take it from the fire. " * 5
LIST = "<ul><li>a cup</li><li>a pot</li></ul>"
TABLE = "<table><tr><th>Tea<th>Minutes<tr><td>green<td>2<tr><td>black<td>4</table>"
CODE = "<pre>boil(water)</pre>"
ARTICLE, OTHER = np.array([True]), np.array([False])


def come(html: str, is_article: Bools = ARTICLE) -> bool:
    """Whether all comes that is no paragraph, if only paragraphs and headings are kept; or else nothing does."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text in (TEXT.strip(), "Tea") for text in texts])
    found = with_enclosed(evidence, is_article, kept)
    assert (found is kept) == np.array_equal(found, kept)
    assert found.all() or found is kept
    return bool(found.all())


@pytest.mark.parametrize("what", [LIST, TABLE, CODE, f"<figure><div>{TABLE}</div></figure>", LIST + TABLE + CODE])
def test_what_stands_between_two_paragraphs_comes(what: str) -> None:
    assert come(f"<p>{TEXT}</p>{what}<p>{TEXT}</p>") == (
        what != LIST + TABLE + CODE
    )  # one of them, right between the two
    assert not come(f"<p>{TEXT}</p>{what}<p>{TEXT}</p>", OTHER)


@pytest.mark.parametrize("what", [LIST, TABLE, CODE])
def test_what_stands_elsewhere_does_not(what: str) -> None:
    assert come(f"<p>{TEXT}</p>{what}<h2>Tea</h2>")
    assert not come(f"<h2>Tea</h2>{what}<h2>Tea</h2>")
    assert not come(f"<p>{TEXT}</p>{what}")
    assert not come(f"{what}<p>{TEXT}</p>")
    assert not come(f"<div><p>{TEXT}</p></div>{what}<p>{TEXT}</p>")  # a box of its own
    assert not come(f"<p>{TEXT}</p><div>{what}<div>Share</div></div><p>{TEXT}</p>")


def test_a_list_of_links_does_not() -> None:
    assert not come(f"<p>{TEXT}</p>{LIST.replace('<li>', '<li><a href=x>')}<p>{TEXT}</p>")
    assert come(f"<p>{TEXT}</p>{LIST.replace('a cup', 'a cup of <a href=x>clay</a>, not too large')}<p>{TEXT}</p>")


def test_what_is_most_of_a_page_does_not() -> None:
    assert not come(f"<p>{TEXT}</p>{LIST.replace('a cup', 'a cup and a pot ' * 50)}<p>{TEXT}</p>")
