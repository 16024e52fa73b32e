"""Lists, tables, quotes and programs within the text of a page alone."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.enclosed import with_enclosed
from tests.builders import site_of

TEXT = "The kettle sings, and nobody in the house gets up to take it from the fire. " * 5
LIST = "<ul><li>a cup</li><li>a pot</li></ul>"
TABLE = "<table><tr><th>kind<th>minutes<tr><td>green<td>2<tr><td>black<td>4</table>"
CODE = "<pre>boil(water)</pre>"
FOLD = "<details><summary>how to boil</summary>water and fire</details>"
QUOTE = "<blockquote>as they say<footer>Lu Yu</footer></blockquote>"


def come(html: str, also: str = "") -> bool:
    """Whether all comes that is no paragraph, if only paragraphs, headings and another text are kept; or else nothing does."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i).strip() for i in range(len(evidence.blocks))]
    kept = np.array([text in (TEXT.strip(), "Tea", also) for text in texts])
    found = with_enclosed(evidence, kept)
    assert (found is kept) == np.array_equal(found, kept)
    assert found.all() or found is kept
    return bool(found.all())


@pytest.mark.parametrize("what", [LIST, TABLE, CODE, FOLD, f"<figure><div>{TABLE}</div></figure>"])
def test_what_stands_between_two_paragraphs_comes(what: str) -> None:
    assert come(f"<p>{TEXT}</p>{what}<p>{TEXT}</p>")


@pytest.mark.parametrize("what", [LIST, FOLD])
def test_what_stands_elsewhere_does_not(what: str) -> None:
    assert come(f"<p>{TEXT}</p>{what}<h2>Tea</h2>")
    assert not come(f"<h2>Tea</h2>{what}<h2>Tea</h2>")
    assert not come(f"<p>{TEXT}</p>{what}")
    assert not come(f"{what}<p>{TEXT}</p>")
    assert not come(f"<div><p>{TEXT}</p></div>{what}<p>{TEXT}</p>")  # a box of its own
    assert not come(f"<p>{TEXT}</p><div>{what}<div>Share</div></div><p>{TEXT}</p>")


def test_a_list_of_which_some_is_kept_comes_within_the_text() -> None:
    within = f"<div><p>{TEXT}</p></div><section>{LIST}</section><p>{TEXT}</p>"
    assert come(within, also="a cup")
    assert not come(within)
    assert not come(within.replace(f"<p>{TEXT}</p>", ""), also="a cup")
    assert not come(f"<p>{TEXT}</p>{LIST}", also="a cup")  # the items below may be of something else


def test_a_table_comes_within_the_text_or_if_some_is_kept() -> None:
    assert come(f"<div><p>{TEXT}</p></div>{TABLE}<h2>Tea</h2>")
    assert come(f"<div><p>{TEXT}</p></div>{TABLE}", also="green")
    assert not come(f"<p>{TEXT}</p>{TABLE}")
    assert not come(f"{TABLE}<p>{TEXT}</p>")


def test_a_layout_table_does_not() -> None:
    one_row = "<table><tr><td>menu<td>shop</table>"
    assert not come(f"<div><p>{TEXT}</p></div>{one_row}<h2>Tea</h2>")
    assert not come(f"<div><p>{TEXT}</p></div><table><tr><td>a<td>{one_row}<tr><td>b<td>c</table><h2>Tea</h2>")


def test_a_program_comes_right_below_its_paragraph() -> None:
    assert come(f"<p>{TEXT}</p>{CODE}")
    assert not come(f"<div><p>{TEXT}</p></div>{CODE}")
    assert not come(f"<h2>Tea</h2>{CODE}")
    assert not come(f"<p>{TEXT}</p><pre>1\n2\n3</pre>")  # numbers of lines


def test_a_quote_comes_if_some_of_it_is_kept() -> None:
    assert come(f"<p>{TEXT}</p>{QUOTE}<p>{TEXT}</p>", also="as they say")
    assert not come(f"<p>{TEXT}</p>{QUOTE}<p>{TEXT}</p>")


def test_a_list_of_links_does_not() -> None:
    assert not come(f"<p>{TEXT}</p>{LIST.replace('<li>', '<li><a href=x>')}<p>{TEXT}</p>")
    assert come(f"<p>{TEXT}</p>{LIST.replace('a cup', 'a cup of <a href=x>clay</a>, not too large')}<p>{TEXT}</p>")


def test_what_is_most_of_a_page_does_not() -> None:
    assert not come(f"<p>{TEXT}</p>{LIST.replace('a cup', 'a cup and a pot ' * 50)}<p>{TEXT}</p>")
