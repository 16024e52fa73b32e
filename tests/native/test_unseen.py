"""What stands in no line of a text: both bodies, and columns that do not fit."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.tables.tags import TAG_CODE, TEXT
from tests.native.bodies import both, in_python, needs_core

Ints = npt.NDArray[np.int32]
Columns = tuple[npt.NDArray[np.int16], Ints, Ints, Ints]
TAGS = [TAG_CODE[name] for name in ("svg", "title", "ruby", "rt", "rp", "g", "p")]
TEXTS = st.text("ab \xad\u200b\u200c\u200d\u2060\ufeffกข中\U00020000\ud800", max_size=5)


def ints(*numbers: int) -> Ints:
    return np.array(numbers, np.int32)


@st.composite
def rows(draw: st.DrawFn) -> tuple[str, Columns]:
    """A tree with its text: each element is below the one before it or beside it."""
    tag, depth, texts, opened = [TAG_CODE["p"]], [0], [""], 1
    for _ in range(draw(st.integers(0, 14))):
        opened = draw(st.integers(1, opened))  # some of the elements that are open are closed
        is_text = draw(st.booleans())
        tag.append(TEXT if is_text else draw(st.sampled_from(TAGS)))
        depth.append(opened)
        texts.append(draw(TEXTS) if is_text else "")
        opened += not is_text
    n = len(tag)
    end = [next((k for k in range(i + 1, n) if depth[k] <= depth[i]), n) for i in range(n)]
    offset = np.cumsum([0, *map(len, texts)])
    offset32 = offset.astype(np.int32)
    return "".join(texts), (np.array(tag, np.int16), np.array(end, np.int32), offset32[:-1], offset32[end])


@needs_core
@settings(max_examples=400, deadline=None)
@given(rows())
def test_both_bodies_leave_the_same(page: tuple[str, Columns]) -> None:
    text, columns = page
    compiled, plain = both(lambda: native.unseen(text, *columns))
    if compiled is None or plain is None:
        assert compiled is plain
        return
    assert compiled[0] == plain[0]
    assert compiled[0].isascii() == plain[0].isascii()
    for ours, theirs in zip(compiled[1:], plain[1:], strict=True):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs)
            assert ours.dtype == theirs.dtype  # type: ignore[union-attr]


@pytest.mark.parametrize("body", [nullcontext, in_python], ids=["chosen", "python"])
def test_a_word_is_written_whole_and_a_reading_is_not(body: type) -> None:
    tag = np.array([TAG_CODE["ruby"], TEXT, TAG_CODE["rt"], TEXT], np.int16)
    end, start, stop = ints(4, 2, 4, 4), ints(0, 0, 4, 4), ints(5, 4, 5, 5)
    with body():
        found = native.unseen("ab\xadcX", tag, end, start, stop)
        assert found is not None
        assert (found[0], found[1].tolist(), found[2].tolist(), found[3]) == ("abc", [0, 0, 3, 3], [3, 3, 3, 3], None)
        found = native.unseen("ab\xadcX", tag[:2], ints(2, 2), ints(0, 0), ints(5, 5))
        assert found is not None
        assert (found[0], found[3]) == ("abcX", None)
        assert native.unseen("abcX", tag[:2], ints(2, 2), ints(0, 0), ints(4, 4)) is None


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    tag = np.array([TEXT], np.int16)
    for end, start, stop in (
        (ints(1), ints(0), ints(9)),
        (ints(1), ints(-1), ints(1)),
        (ints(2), ints(0), ints(1)),
        (ints(1), ints(0, 0), ints(1)),
    ):
        with pytest.raises(ValueError, match="fit"):
            native.unseen("a\xadb", tag, end, start, stop)


@settings(max_examples=200, deadline=None)
@given(st.text("shadowrot", max_size=40), st.integers(0, 3))
def test_bytes_that_hold_a_word(text: str, n: int) -> None:
    word = ("shadow" if n % 2 else "row").encode()
    data = ("".join((text, "shadow" * (n > 1), text))).encode()
    compiled, plain = both(lambda: native.holds(data, word, len(word) - 1))
    assert compiled == plain == (word in data)
    with pytest.raises(ValueError, match="byte"):
        native.holds(data, word, len(word))


@pytest.mark.parametrize("body", [nullcontext, in_python], ids=["chosen", "python"])
@pytest.mark.parametrize("said", ["\u200b", "\xad", "\u200d", " \u200c\n", "\u200d\u200d", "\u2060 \ufeff"])
def test_a_paragraph_of_signs_says_nothing(body: type, said: str) -> None:
    with body():
        found = native.unseen(
            f"a{said}b",
            np.array([TEXT] * 3, np.int16),
            ints(1, 2, 3),
            ints(0, 1, 1 + len(said)),
            ints(1, 1 + len(said), 2 + len(said)),
        )
        assert found is not None
        assert (found[0], found[1].tolist(), found[2].tolist(), found[3]) == ("ab", [0, 1, 1], [1, 1, 2], None)


@pytest.mark.parametrize("body", [nullcontext, in_python], ids=["chosen", "python"])
@pytest.mark.parametrize("said", ["می\u200cخواهم", "\U0001f468\u200d\U0001f469", " \n"])
def test_joiners_that_join_stay(body: type, said: str) -> None:
    with body():
        found = native.unseen(said, np.array([TEXT], np.int16), ints(1), ints(0), ints(len(said)))
        assert found is None or (found[0] == said and found[3] is None)
