"""Train the trees of `SiteRoles` on labelled sites: `python -m sitegrain.training roles --data DIR`.

Role hints (`<body class>`, `og:type`) are blanked before a page is read, because the labels were made from
them. Each site gives its pages, the pages of two small samples of it (a crawl may be small), and copies of
pages without any site evidence (a page may come alone). The same data give the same model.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees import TreeEnsemble
from sitegrain.errors import SitegrainError
from sitegrain.evaluation.data import open_pages, open_sites
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.models.base import ARTICLE, OTHER, ROLES, TOC
from sitegrain.models.pagefeatures import ALONE, PageFeatures, page_features
from sitegrain.models.siteroles import KIND, RoleTrees, SiteRoles, around, obey_noindex, probabilities, select
from sitegrain.models.store import save_state
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture

Floats = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]

SEED = 1
PAGES_PER_SITE = 450
"""A large site counts no more than a middling one: its pages are of the same few templates."""
SMALL = (12, 40)
"""Sizes of the small samples of each site."""
MIXED = (30, 100, 300)
"""Sizes of the samples of each site with another mix of roles."""
FOLDS = 6
"""Parts of the sites for the out-of-fold opinions that the second stage learns from."""
LEFT_OUT = ("page_declared",)
"""Columns that the labels may have been made from."""
PARAMETERS: dict[str, Any] = {
    "objective": "multiclass", "num_class": 3, "learning_rate": 0.1, "num_leaves": 15, "min_data_in_leaf": 30,
    "feature_fraction": 0.25, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 3.0, "max_bin": 63,
    "verbose": -1, "seed": SEED, "num_threads": 1, "deterministic": True, "force_row_wise": True,
}  # fmt: skip
FIRST_ROUNDS, SECOND_ROUNDS, ALONE_ROUNDS = 120, 80, 60


@dataclass(frozen=True)
class Example:
    """The features and true roles of one site (or of a small sample of it)."""

    name: str
    features: PageFeatures
    role: Roles
    is_sample: bool = False


@dataclass(frozen=True)
class Singles:
    """Pages of many domains, each read alone."""

    names: tuple[str, ...]
    values: Floats
    role: Roles


PAGE_TYPES = {
    "article": ARTICLE, "documentation": ARTICLE, "product": ARTICLE, "forum": ARTICLE,
    "collection": TOC, "listing": TOC, "service": OTHER,
}  # fmt: skip
"""What the page types of a page set mean as roles."""


def read_singles(data: Path) -> Singles:
    """Features of the pages of a page set (WCXB layout), each alone."""
    pages = open_pages(data)
    rows, role = [], []
    names: tuple[str, ...] = ()
    for capture, truth in pages.captures():
        if truth.page_type in PAGE_TYPES:
            found = page_features(build_site([blank_role_hints(capture)]))
            names = found.names
            rows.append(found.values)
            role.append(PAGE_TYPES[truth.page_type])
    return Singles(names, np.vstack(rows), np.array(role, np.int64))


def alone(x: npt.NDArray[np.float32], names: Sequence[str]) -> npt.NDArray[np.float32]:
    """Copies of pages as they look when they come alone: no site evidence."""
    out = x.copy()
    gone = [i for i, n in enumerate(names) if n.startswith("site_") or n.endswith(("_rank", "_ratio"))]
    out[:, gone] = np.nan
    out[:, [i for i, n in enumerate(names) if n in ALONE]] = np.nan
    if "page_own_dates" in names:
        out[:, list(names).index("page_own_dates")] = x[:, list(names).index("page_dates")]
    return out


def _pick(example: Example) -> npt.NDArray[np.int64]:
    n = len(example.role)
    if n <= PAGES_PER_SITE:
        return np.arange(n)
    return np.sort(np.random.default_rng(SEED + n).permutation(n)[:PAGES_PER_SITE])


def _boost(x: Sequence[Any], y: Sequence[Roles], scale: Sequence[float], names: list[str], rounds: int) -> Any:
    import lightgbm

    # The square root lies between counting every page and counting every site once.
    weight = np.concatenate([np.full(len(r), s / np.sqrt(max(len(r), 1))) for r, s in zip(y, scale, strict=True)])
    data = lightgbm.Dataset(
        np.vstack(x), np.concatenate(y), weight=weight / weight.mean(), feature_name=names, free_raw_data=True
    )
    return lightgbm.train(PARAMETERS, data, rounds)


def _ensembles(booster: Any) -> tuple[TreeEnsemble, ...]:
    dump = booster.dump_model()
    trees = dump["tree_info"]
    return tuple(TreeEnsemble.from_lightgbm({**dump, "tree_info": trees[k::3]}, is_probability=False) for k in range(3))


def _first(examples: Sequence[Example], names: list[str]) -> tuple[TreeEnsemble, ...]:
    x, y, scale = [], [], []
    for e in examples:
        rows = _pick(e)
        values = select(e.features, names)[rows]
        x += [values]
        y += [e.role[rows]]
        scale += [0.5 if e.is_sample else 1.0]
    return _ensembles(_boost(x, y, scale, names, FIRST_ROUNDS))


def _alone(examples: Sequence[Example], names: list[str], single: Singles | None) -> tuple[TreeEnsemble, ...]:
    whole = [e for e in examples if not e.is_sample]
    x = [alone(select(e.features, names)[_pick(e)], names) for e in whole]
    y = [e.role[_pick(e)] for e in whole]
    scale = [1.0] * len(whole)
    if single is not None and len(single.role):
        place = [single.names.index(n) for n in names]
        x.append(single.values[:, place].astype(np.float32))
        y.append(single.role)
        # Each of these pages is of another site: together they count as much as all sites do.
        scale.append(sum(np.sqrt(len(r)) for r in y[:-1]) / np.sqrt(len(single.role)))
    return _ensembles(_boost(x, y, scale, names, ALONE_ROUNDS))


def train(examples: Sequence[Example], single: Singles | None = None) -> RoleTrees:
    """Both stages, the second on out-of-fold opinions of the first, and the trees for a page alone."""
    names = [n for n in examples[0].features.names if n not in LEFT_OUT]
    sites = sorted({e.name for e in examples})
    random.Random(SEED).shuffle(sites)
    x, y, scale = [], [], []
    second_names = names + [f"around_{i}" for i in range(around_width(examples[0].features))]
    for fold in range(min(FOLDS, len(sites))):
        held = set(sites[fold::FOLDS])
        trees = _first([e for e in examples if e.name not in held] or examples, names)
        for e in examples:
            if e.name in held and len(e.role) > 1:
                values = select(e.features, names)
                opinion = obey_noindex(probabilities(trees, values), e.features)
                rows = _pick(e)
                x.append(np.hstack((values, around(opinion, e.features)))[rows])
                y.append(e.role[rows])
                scale.append(0.5 if e.is_sample else 1.0)
    second = _ensembles(_boost(x, y, scale, second_names, SECOND_ROUNDS))
    return RoleTrees(tuple(names), _first(examples, names), second, _alone(examples, names, single))


def around_width(features: PageFeatures) -> int:
    """How many columns the second stage adds."""
    return int(around(np.full((len(features.values), 3), 1 / 3), features).shape[1])


def measure(example: Example, trees: RoleTrees) -> tuple[float, float, float]:
    """R-precision of TOC pages, F1 of article pages and of TOC pages."""
    verdict = SiteRoles(trees=trees).rank_features(example.features)
    is_toc = example.role == TOC
    n = int(is_toc.sum())
    best = np.argsort(-verdict.page_toc, kind="stable")[:n]
    r_precision = float(is_toc[best].mean()) if n else float("nan")
    scores = []
    for role in (ARTICLE, TOC):
        found, true = verdict.page_role == role, example.role == role
        scores.append(2 * float((found & true).sum()) / max(float(found.sum() + true.sum()), 1.0))
    return r_precision, scores[0], scores[1]


def read_examples(data: Path, samples: bool = True) -> list[Example]:
    """Features and roles of all labelled sites under a folder."""
    out: list[Example] = []
    for site in open_sites(data):
        captures = [blank_role_hints(c) for c in site.captures() if c.path in site.labels]
        out += examples_of(site.name, captures, [site.labels[c.path].kind for c in captures], samples)
        print(f"{site.name}: {len(captures)} pages", file=sys.stderr)
    return out


def examples_of(name: str, captures: Sequence[Capture], kinds: Sequence[str], samples: bool) -> list[Example]:
    """One site, and samples of it."""
    role_of = {c.path: ROLES.index(k) for c, k in zip(captures, kinds, strict=True)}
    chosen = [list(captures)]
    if samples:
        chosen += sample_pages(name, captures, kinds)
    out = []
    for i, part in enumerate(chosen):
        site = build_site(part)
        role = np.array([role_of[p] for p in site.pages.path], np.int64)
        out.append(Example(name, page_features(site), role, i > 0))
    return out


def sample_pages(name: str, captures: Sequence[Capture], kinds: Sequence[str]) -> list[list[Capture]]:
    """Small samples of a site, and samples whose mix of roles is drawn at random: a crawl may hold any."""
    whole = list(captures)
    out = [random.Random(f"{SEED}/{name}/{n}").sample(whole, min(n, len(whole))) for n in SMALL]
    for n in MIXED:
        rng = random.Random(f"{SEED}/{name}/mixed {n}")
        weight = {kind: rng.random() ** 2 for kind in sorted(set(kinds))}
        # Weighted drawing without putting back (Efraimidis and Spirakis 2006).
        share = {kind: weight[kind] / kinds.count(kind) for kind in weight}
        key = [rng.random() ** (1 / max(share[k], 1e-9)) for k in kinds]
        order = sorted(range(len(whole)), key=lambda i: -key[i])
        out.append([whole[i] for i in sorted(order[:n])])
    return out


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sitegrain.training roles", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sites")
    parser.add_argument("--pages", type=Path, default=None, help="a page set, for pages that come alone")
    parser.add_argument("--out", type=Path, default=None, help="folder for siteroles.json")
    parser.add_argument(
        "--folds", type=int, default=0, help="also measure sites by models of the others (30: leave one site out)"
    )
    args = parser.parse_args(list(argv))
    try:
        examples = read_examples(args.data)
        single = read_singles(args.pages) if args.pages is not None else None
    except SitegrainError as error:
        print(error, file=sys.stderr)
        return 2
    if args.folds:
        print_measures(examples, args.folds)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        save_state(args.out / "siteroles.json", KIND, train(examples, single).to_state())
        print(f"wrote {args.out / 'siteroles.json'}")
    return 0


def print_measures(examples: Sequence[Example], folds: int) -> Floats:
    """Print and return one row per site, each measured by a model that has not seen it.

    With as many folds as sites this is leave-one-site-out; with fewer, several sites are left out at a time.
    """
    sites = sorted({e.name for e in examples})
    random.Random(SEED).shuffle(sites)
    rows: dict[str, tuple[float, float, float]] = {}
    for fold in range(min(folds, len(sites))):
        held = set(sites[fold::folds])
        trees = train([e for e in examples if e.name not in held])
        for e in examples:
            if e.name in held and not e.is_sample:
                rows[e.name] = row = measure(e, trees)
                print(f"{e.name:16s} {_line(row)}", flush=True)
    table = np.array([rows[name] for name in sorted(rows)])
    print(f"{'mean':16s} {_line(np.nanmean(table, axis=0).tolist())}")
    return table


def _line(row: Sequence[float]) -> str:
    return f"TOC R-precision {row[0]:.4f}  article F1 {row[1]:.4f}  TOC F1 {row[2]:.4f}"
