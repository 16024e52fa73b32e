"""Gradient-boosted trees as flat arrays, read from JSON: what LightGBM trained, without LightGBM.

A tree's node i sends a row left when `x[feature[i]] <= threshold[i]`; a missing value goes where the trainer
said. Thresholds are rounded down to float32, so a float32 row takes the same way as in LightGBM.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.errors import ModelError
from sitegrain.learned.typed import need
from sitegrain.light import dataclass
from sitegrain.native import pack_trees, predict
from sitegrain.native.inputs import TreeColumns


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """A sum of trees, perhaps through a sigmoid."""

    names: tuple[str, ...]
    """Names of the features, in the order of the columns."""
    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    """Row of the left child; -1 for a leaf."""
    right: npt.NDArray[np.int32]
    default_left: npt.NDArray[np.uint8]
    value: npt.NDArray[np.float64]
    roots: npt.NDArray[np.int32]
    is_probability: bool = True

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """One value per row of x."""
        if x.ndim != 2 or x.shape[1] != len(self.names):
            raise ModelError(f"{len(self.names)} features are needed, not an array of shape {x.shape}")
        return self.predict_parts((x,), np.arange(len(self.names)))

    def predict_parts(
        self, parts: Sequence[npt.NDArray[np.float32]], at: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """One value per row of matrices that stand side by side; feature f is column `at[f]` among all of theirs."""
        return predict(self.packed, parts, at, self.is_probability)

    @cached_property
    def packed(self) -> object:
        """The trees as the kernel walks them."""
        return pack_trees(
            len(self.names), TreeColumns(*(getattr(self, name) for name in TreeColumns._fields)), self.roots
        )

    def check(self) -> None:
        """Every tree must be one: children stand behind their parents, and leaves are the nodes without any."""
        n, row = len(self.feature), np.arange(len(self.feature))
        columns = (self.threshold, self.left, self.right, self.default_left, self.value)
        need(all(len(column) == n for column in columns), "columns of trees have different lengths")
        leaf = self.left < 0
        both = (self.left > row) & (self.left < n) & (self.right > row) & (self.right < n)
        need(bool(np.where(leaf, self.right < 0, both).all()), "a tree is no tree")
        need(
            bool((leaf | ((self.feature >= 0) & (self.feature < len(self.names)))).all()), "a tree asks for the unknown"
        )
        need(not len(self.roots) or bool(self.roots.min() >= 0 and self.roots.max() < n), "a tree has no root")

    @classmethod
    def from_lightgbm(cls, dump: Mapping[str, Any], is_probability: bool = True) -> TreeEnsemble:
        """Flatten `Booster.dump_model()`."""
        rows: list[tuple[int, float, int, int, int, float]] = []
        roots: list[int] = []
        for tree in dump["tree_info"]:
            roots.append(len(rows))
            stack: list[tuple[Mapping[str, Any], int, bool]] = [(tree["tree_structure"], -1, False)]
            while stack:
                node, above, is_left = stack.pop()
                row = len(rows)
                if above >= 0:
                    f, t, lo, hi, d, v = rows[above]
                    rows[above] = (f, t, row, hi, d, v) if is_left else (f, t, lo, row, d, v)
                if "leaf_value" in node:
                    rows.append((-1, 0.0, -1, -1, 0, float(node["leaf_value"])))
                    continue
                if node["decision_type"] != "<=":
                    raise ModelError("only numeric splits are supported")
                threshold = float(node["threshold"])
                # A feature that had no missing value in training takes NaN for 0.
                default = node["default_left"] if node["missing_type"] == "NaN" else threshold >= 0
                rows.append((int(node["split_feature"]), threshold, 0, 0, int(default), 0.0))
                stack.append((node["right_child"], row, False))
                stack.append((node["left_child"], row, True))
        exact = np.array([r[1] for r in rows], np.float64)
        with np.errstate(over="ignore"):  # a split of missing values from all others is at 1e308
            threshold32 = exact.astype(np.float32)
        too_high = threshold32.astype(np.float64) > exact
        threshold32[too_high] = np.nextafter(threshold32[too_high], np.float32(-np.inf))
        return cls(
            names=tuple(dump["feature_names"]),
            feature=np.array([r[0] for r in rows], np.int32),
            threshold=threshold32,
            left=np.array([r[2] for r in rows], np.int32),
            right=np.array([r[3] for r in rows], np.int32),
            default_left=np.array([r[4] for r in rows], np.uint8),
            value=np.array([r[5] for r in rows], np.float64),
            roots=np.array(roots, np.int32),
            is_probability=is_probability,
        )
