"""Spliced pages: what is foreign is labelled so, and what the host had is as it was."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.training.splice import HOST_WORDS, Labelled, Piece, draw, pieces, splice, written
from tests.builders import site_of

PROSE = "The river rose by two metres in the night, and the old bridge was closed before anybody had crossed it. "
COMMENTS = (
    "<div class=comments>"
    + "".join(f"<p>Reader {k}: I saw it, too, and it was not that high.</p>" for k in "abc")
    + "</div>"
)
DONOR = f"<title>B</title><nav><a href=/>Home</a></nav><main><article><p>{PROSE * 4}</p></article>{COMMENTS}</main>"


def labelled(html: str, content: str) -> Labelled:
    """A page whose content are the blocks with this word."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    label = np.array([float(content in evidence.blocks.text(k)) for k in range(len(evidence.blocks))])
    return Labelled(evidence, label, np.where(label > 0, 0.5, 1.0))


def texts(page: Labelled) -> list[str]:
    return [page.evidence.blocks.text(k) for k in range(len(page.evidence.blocks))]


def test_pieces_are_what_stands_beside_the_text() -> None:
    (piece,) = pieces("b.org", labelled(DONOR, "river"))
    assert piece.html.count("<p>") == 3
    assert 'class="comments"' in piece.html
    assert (piece.group, piece.n_words) == ("b.org", 36)
    # A paragraph that a gold leaves out is a hole in it.
    hole = f"<main><p>{PROSE * 4}</p><p>A paragraph of fifteen words or more, which nobody can tell from those before and after it.</p></main>"
    assert not pieces("b.org", labelled(hole, "river"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 6))
def test_labels_go_with_their_blocks(seed: int, is_flat: bool, paragraphs: int) -> None:
    body = "".join(f"<p>Line {k}. {PROSE * 4}</p>" for k in range(paragraphs))
    html = f"<title>A &amp; B</title><nav>Home</nav>{body if is_flat else f'<div><article>{body}</article></div>'}<footer>1 &lt; 2</footer>"
    host, rng = labelled(html, "river"), np.random.default_rng(seed)
    drawn = draw("a.org", host, pieces("b.org", labelled(DONOR, "river")), rng)
    spliced = splice(host, drawn, rng)
    assert spliced is not None
    is_foreign = np.array(["Reader" in text for text in texts(spliced)])
    assert is_foreign.sum() == 3 * len(drawn)
    assert not spliced.label[is_foreign].any()
    assert (spliced.trust[is_foreign] == 1).all()
    assert [t for t, f in zip(texts(spliced), is_foreign, strict=True) if not f] == texts(host)
    assert spliced.label[~is_foreign].tolist() == host.label.tolist()
    assert spliced.trust[~is_foreign].tolist() == host.trust.tolist()


def test_what_cannot_be_spliced_is_left_alone() -> None:
    rng, donor = np.random.default_rng(1), pieces("b.org", labelled(DONOR, "river"))
    short = labelled("<main><p>The river is low.</p></main>", "river")
    assert short.evidence.words.sum() < HOST_WORDS
    assert splice(short, donor, rng) is None
    assert splice(labelled(DONOR, "river"), [], rng) is None
    # What takes in the text after it is no piece.
    unclosed = Piece("b.org", '<div hreflang="x-foreign"><textarea>Never closed', 2, frozenset())
    assert splice(labelled(f"<div><p>{PROSE * 4}</p><p>{PROSE}</p></div><p>End.</p>", "river"), [unclosed], rng) is None


def test_pieces_come_from_other_groups_and_are_about_the_page() -> None:
    host, rng = labelled(DONOR, "river"), np.random.default_rng(3)
    near, far = (Piece("c.org", "", 20, frozenset(words)) for words in ({"river", "bridge"}, {"tulip", "bulb"}))
    assert not draw("b.org", host, pieces("b.org", host), rng)
    assert near in draw("a.org", host, [near, far], rng)


@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<b class='x y'>", "a &amp; b", "<br>", "<li>", "<custom-tag id=q>", "</custom-tag>"]
        )
    )
)
def test_a_page_that_is_written_is_read_as_it_was(parts: list[str]) -> None:
    site = site_of("".join(parts))
    rows = rows_of(site, 0, 1)
    again = rows_of(site_of(written(rows, 0, len(rows))), 0, 1)
    assert again.tag.tolist() == rows.tag.tolist()
    assert again.text == rows.text
    assert again.parent.tolist() == rows.parent.tolist()
