"""Signatures under posts and tables of attached files are no text of a thread."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.lines.signatures import SURE, without_attached, without_signatures
from sitegrain.extractor.pagetypes import PAGE_TYPES
from tests.builders import site_of

POST = "<p>Green tea is poured at eighty degrees and stands for two minutes, or it is as bitter as the tea of last week.</p>"


def evidence_of(html: str) -> tuple[Evidence, Bools]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    return evidence, np.ones(len(evidence.blocks), bool)


def left(html: str, score: float = SURE - 0.1, forum: float = 0.5) -> list[str]:
    evidence, kept = evidence_of(html)
    votes = np.zeros((len(PAGE_TYPES), 1))
    votes[PAGE_TYPES.index("forum")] = forum
    found = without_signatures(evidence, np.full(len(kept), score), lambda: votes, kept)
    return [evidence.blocks.text(i) for i in np.flatnonzero(found).tolist()]


def test_signatures_go() -> None:
    page = f"{POST}<div class=signature>Ann</div>{POST}<div id=sig12><p>Bob</p></div>"
    assert len(left(page)) == 2
    assert len(left(page, SURE)) == 4
    assert len(left(page, forum=0.05)) == 4
    assert len(left(page.replace("signature", "sig sig-object"))) == 4
    assert len(left(f"{POST}<div class=signature>Ann</div>{POST}")) == 3
    assert len(left(page.replace("signature", "design").replace("sig12", "signal"))) == 4


def test_one_that_is_kept_goes_where_another_was_left_out() -> None:
    evidence, kept = evidence_of(f"{POST}<div class=signature>Ann</div>{POST}<div class=signature>Bob</div>")
    kept[1] = False
    votes = np.zeros((len(PAGE_TYPES), 1))
    votes[PAGE_TYPES.index("forum")] = 0.5
    score = np.array([0.9, 0.2, 0.9, 0.6])
    assert without_signatures(evidence, score, lambda: votes, kept) is kept  # a page alone says it of what it keeps
    found = without_signatures(evidence, score, lambda: votes, kept, is_alone=False)
    assert found.tolist() == [True, False, True, False]


def test_a_table_of_attached_files_goes() -> None:
    def n_left(table: str) -> int:
        evidence, kept = evidence_of(POST * 3 + table)
        return int(without_attached(evidence, kept).sum()) - 3

    head = "<tr><th>Attachment<th>Size"
    row = "<tr><td><a href=/x/leaf-2.txt>leaf 2.txt</a><td>3.65 KB"
    assert n_left(f"<table>{head}{row}{row}</table>") == 0
    assert n_left(f"<table>{head}{row}<tr><td>Milk<td>white</table>") == 6
    assert n_left(f"<table>{head}<tr><td>leaf.txt<td>3 KB</table>") == 4
    assert n_left(f"<table>{head}{row * 30}</table>") == 62  # what the page is about
