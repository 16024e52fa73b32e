"""Sets of pages of a labelled site, and the report on roles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.roles.report import FIGURES, RoleScore, calibration_error, reliability, report, score_roles
from sitegrain.evaluation.roles.views import ARTICLES, KINDS, LEARNED, MEASURED, NO_TOC, SCRAMBLED, WHOLE, ViewMaker
from sitegrain.methods.base import ARTICLE, OTHER, TOC, PageVerdict
from tests.evaluation.builders import write_site


@pytest.fixture
def maker(tmp_path: Path) -> ViewMaker:
    pages = {"index.html": ("toc", "".join(f"<a href=a{k}.html>Story {k}</a>" for k in range(30)))}
    pages |= {
        f"a{k}.html": ("article", f"<body class=single><p>Story {k}<a href=index.html>Home</a>") for k in range(30)
    }
    pages |= {f"list{k}.html": ("toc", "<a href=a1.html>Story 1</a>") for k in range(5)}
    pages["about.html"] = ("other", "<p class=x>About")
    rows = [{"path": path, "kind": kind} for path, (kind, _) in pages.items()]
    return ViewMaker(open_site(write_site(tmp_path / "a", {path: html for path, (_, html) in pages.items()}, rows)))


def test_sets_hold_what_they_say(maker: ViewMaker) -> None:
    views = {view.name: view for view in maker.views((*MEASURED, *LEARNED, SCRAMBLED), "seed")}
    assert set(views[ARTICLES].kinds) == {"article"}
    assert set(views["only TOC pages"].kinds) == {"toc"}
    assert "toc" not in views[NO_TOC].kinds
    assert len(views[WHOLE].captures) == 37
    assert len(views["sample of 12 pages"].captures) == 12
    assert len(views["crawl of 60"].captures) <= 37
    assert all(b"single" not in c.body for view in views.values() for c in view.captures)
    assert b"class=x" not in b"".join(c.body for c in views[SCRAMBLED].captures)
    # Nobody told the base address, and no page of this site says it.
    assert all(c.url.startswith("http://folder.example/") for c in views[WHOLE].captures)
    for view in views.values():
        assert [maker.kind[c.path] for c in view.captures] == list(view.kinds)


def test_sets_are_drawn_again_alike_and_by_seed(maker: ViewMaker) -> None:
    first, again, other = (maker.view("sample of 12 pages", seed) for seed in ("a", "a", "b"))
    assert first is not None
    assert again is not None
    assert other is not None
    assert [c.path for c in first.captures] == [c.path for c in again.captures]
    assert [c.path for c in first.captures] != [c.path for c in other.captures]


def test_figures_of_a_verdict() -> None:
    true = np.array([TOC, TOC, ARTICLE, ARTICLE, OTHER])
    role = np.array([TOC, ARTICLE, ARTICLE, ARTICLE, OTHER], np.int8)
    toc = np.array([0.9, 0.3, 0.1, 0.4, 0.2])
    verdict = PageVerdict(toc, 1 - toc, role, np.array([0.9, 0.6, 0.9, 0.6, 0.9]))
    score = score_roles("jwhisky", WHOLE, verdict, true)
    found = dict(zip(FIGURES, score.figures, strict=True))
    assert found["R-precision"] == 0.5
    assert found["right roles"] == 0.8
    assert found["article F1"] == pytest.approx(0.8)
    assert found["TOC F1"] == pytest.approx(2 / 3)
    assert found["macro F1"] == pytest.approx((0.8 + 2 / 3 + 1) / 3)
    assert reliability(score.confidence, score.is_right) == [(0.6, 0.5, 2), (pytest.approx(0.9), 1.0, 3)]
    assert calibration_error(score.confidence, score.is_right) == pytest.approx((0.1 * 2 + 0.1 * 3) / 5)
    assert "| shop | 1 | 0.500 | 0.800 |" in report([score])
    assert KINDS["jwhisky"] == "shop"


def test_report_says_what_is_wanted_and_whether_it_holds() -> None:
    def score(view: str, role: list[int]) -> RoleScore:
        given, true = np.array(role, np.int8), np.array([TOC, ARTICLE, ARTICLE, OTHER])
        toc = (given == TOC).astype(float)
        return score_roles("jwhisky", view, PageVerdict(toc, 1 - toc, given, np.ones(4)), true)

    right = [TOC, ARTICLE, ARTICLE, OTHER]
    good = report([score(view, right) for view in (WHOLE, SCRAMBLED, "sample of 12 pages")])
    assert "| right roles, whole site | ≥ 0.94 | 1.000 | yes |" in good
    assert "| R-precision, shop | ≥ 0.88 | 1.000 | yes |" in good
    assert "**no**" not in good
    bad = report([score(WHOLE, right), score(SCRAMBLED, [ARTICLE, TOC, ARTICLE, OTHER]), score(ARTICLES, [TOC] * 4)])
    for line in (
        "| R-precision lost, scrambled names | ≤ 0.01 | 1.000 | **no** |",
        "| right roles lost, scrambled names | ≤ 0.01 | 0.500 | **no** |",
        "| called TOC, articles only | ≤ 0.03 | 1.000 | **no** |",
    ):
        assert line in bad
