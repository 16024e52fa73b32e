"""The opening of an article alone."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.openings import with_opening, with_standfirst
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

TEXT = "The kettle sings, and nobody in the house gets up to take it from the fire. " * 5
LEAD = "Green tea in kitchens is bitter: in green kitchens tea, green tea, is tea in kitchens, and it is bitter."
TITLE = "Green tea in kitchens"


ARTICLE, OTHER = np.array([True]), np.array([False])


def come(html: str, score: float, is_article: Bools = ARTICLE) -> bool:
    """Whether the lead comes, if only the text is kept."""
    evidence = gather(rows_of(site_of(f"<title>{TITLE}</title>{html}"), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text == TEXT.strip() for text in texts])
    scores = np.where(kept, 0.9, score)
    found = with_opening(evidence, scores, is_article, kept)
    assert (found is kept) == np.array_equal(found, kept)
    assert not (kept & ~found).any()
    added = {texts[i] for i in np.flatnonzero(found & ~kept)}
    assert added <= {LEAD}
    return bool(added)


def test_a_lead_comes() -> None:
    lead = f"<h1>{TITLE}</h1><div>{LEAD}</div><div>Share</div><p>{TEXT}</p>"
    assert come(lead, 0.26)
    assert not come(lead, 0.2)
    assert not come(lead, 0.26, OTHER)
    assert not come(lead.replace(f"<h1>{TITLE}</h1>", ""), 0.26)  # not under the title
    assert not come(lead.replace(f"<div>{LEAD}", f"<div><img src=a.jpg>{LEAD}"), 0.26)  # a caption
    assert not come(lead.replace(LEAD, f"<a href=x>{LEAD}</a>"), 0.26)  # a teaser


def test_a_first_paragraph_comes_wherever_it_stands() -> None:
    page = f"<p>{LEAD}</p><aside>Follow us</aside><p>{TEXT}</p>"
    assert come(page, 0.31)
    assert not come(page, 0.29)
    assert not come(f"<p>{LEAD}</p><p>{LEAD}</p><p>{LEAD}</p><p>{TEXT}</p>", 0.31)  # many are something else
    assert not come(f"<p>{LEAD}</p>{'<aside>Follow us</aside>' * 20}<p>{TEXT}</p>", 0.31)  # far above


@pytest.mark.parametrize(
    "note",
    [
        "We independently select everything that we recommend to you here, and if you buy it through us, we may earn a commission on it.",
        "We may earn commission from links on this page, but we only recommend products that we love ourselves, we promise that.",
        "Diese Seite enthält Links: Kaufen Sie etwas darüber, so erhalten wir vom Händler eine Provision, ohne dass es Sie mehr kostet.",
    ],
)
def test_a_note_on_who_pays_for_links_is_no_opening(note: str) -> None:
    def is_kept(line: str) -> bool:
        evidence = gather(rows_of(site_of(f"<p>{line}</p><aside>Follow us</aside><p>{TEXT}</p>"), 0, 1))
        kept = np.array([evidence.blocks.text(i) == TEXT.strip() for i in range(len(evidence.blocks))])
        return bool(with_opening(evidence, np.where(kept, 0.9, 0.4), ARTICLE, kept)[0])

    assert not is_kept(note)
    assert is_kept(
        "The European Commission said on Monday that it would look at the prices of tea, and that farmers, it hoped, would get more."
    )


SITE = {"path_pages": 0.8, "path_distinct": 1.0, "path_per_page": 1.0}


def stands_first(html: str, first: float = 0.9, path: float = 0.9, **says: float) -> bool:
    """Whether the lead comes that the site takes for a teaser, if only the text is kept."""
    evidence = gather(rows_of(site_of(f"<title>{TITLE}</title>{html}"), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text == TEXT.strip() for text in texts])
    of_site = np.zeros((len(texts), len(SITE_NAMES)), np.float32)
    for name, value in (SITE | says).items():
        of_site[:, SITE_NAMES.index(name)] = value
    found = with_standfirst(evidence, of_site, np.full(len(texts), path), np.full(len(texts), first), kept)
    assert (found is kept) == np.array_equal(found, kept)
    assert {texts[i] for i in np.flatnonzero(found & ~kept)} <= {LEAD}
    return bool((found & ~kept).any())


def test_a_standfirst_that_lists_say_too_stays() -> None:
    html = f"<h1>{TITLE}</h1><p>{LEAD}</p><p>{TEXT}</p>"
    assert stands_first(html)
    assert not stands_first(html, first=0.4)  # the page itself is not sure
    assert not stands_first(html, path=0.4)  # no text stands there
    assert not stands_first(html, path_distinct=0.5)  # a teaser that others have at this place
    assert not stands_first(html, path_per_page=4.0)  # cards
    assert not stands_first(f"<p>{LEAD}</p><h1>{TITLE}</h1><p>{TEXT}</p>")
    assert not stands_first(f"<h1>{TITLE}</h1><p>{TEXT}</p><p>{LEAD}</p>")


def test_who_began_a_thread_and_when_is_no_standfirst() -> None:
    assert stands_first(f"<h1>{TITLE}</h1><p>{LEAD}</p><p>{TEXT}</p>")
    assert not stands_first(
        f"<h1>{TITLE}</h1><p>Started by Ann on 2010-03-29 16:31 UTC, with ten replies.</p><p>{TEXT}</p>"
    )
