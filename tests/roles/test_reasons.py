"""What is said of a page's role."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import cast

import numpy as np

from sitegrain.roles.page import PageFeatures
from sitegrain.roles.reasons import SHOWN, learn_typical, role_reasons
from sitegrain.roles.words import SaidWords


class _Nothing:
    def telling(self, role: np.ndarray) -> list[str]:
        return [""] * len(role)


def test_large_values_are_told_without_a_warning() -> None:
    names = tuple(SHOWN)
    role = np.array([0, 1, 2, 0])
    values = np.zeros((4, len(names)), np.float32)
    values[3, names.index("site_in_words")] = 113.0  # cards that are links as a whole
    typical = learn_typical(names, values, role, np.ones(4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features = cast(PageFeatures, SimpleNamespace(values=values, names=names))
        found = role_reasons(features, role, typical, cast(SaidWords, _Nothing()), np.full(4, -1))
    assert "113.0 words" in found[3]
