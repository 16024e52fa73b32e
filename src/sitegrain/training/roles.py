"""Train the trees of `SiteRoles`, and measure them on sites and domains that they have not seen.

    python -m sitegrain.training roles --data DATA --out out/roles

Role hints (`<body class>`, `og:type`) are blanked before a page is read, because the labels were made from
them. Each site gives its pages, the pages of samples of it (a crawl may be small, and hold any mix of roles), and
copies of pages without any site evidence (a page may come alone). `--out` gets one model file per fold with
`index.json` (for `sitegrain evaluate --out-of-fold`), `siteroles.json` trained on everything (what the package
ships) and `report.md`. The same data give the same models.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.errors import SitegrainError
from sitegrain.evaluation.data import LabelledSite, open_pages, open_sites
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import save_model
from sitegrain.learned.origin import write_origin
from sitegrain.methods.base import ARTICLE, OTHER, ROLES, TOC
from sitegrain.roles.model import KIND, RoleTrees, SiteRoles, around, obey_page, probabilities, select
from sitegrain.roles.page import ALONE, PageFeatures, page_features
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture

Floats = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]
Row = tuple[float, float, float]
"""R-precision of TOC pages, F1 of article pages, F1 of TOC pages."""

COMMAND = "python -m sitegrain.training roles --data DATA --out OUT"
SEED = 1
PAGES_PER_SITE = 450
"""A large site counts no more than a middling one: its pages are of the same few templates."""
SMALL = (12, 40)
"""Sizes of the small samples of each site."""
MIXED = (30, 100)
"""Sizes of the samples of each site with another mix of roles."""
FOLDS = 4
"""Parts of the sites for the out-of-fold opinions that the second stage learns from."""
LEFT_OUT = ("page_declared", "page_nofollow")
"""Columns that the trees do not see: one that the labels may have been made from, and one that `obey_page` obeys: among
the labelled sites two wikis have it, too few to learn from."""
PARAMETERS: dict[str, Any] = {
    "objective": "multiclass", "num_class": 3, "learning_rate": 0.1, "num_leaves": 15, "min_data_in_leaf": 30,
    "feature_fraction": 0.25, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 3.0, "max_bin": 63,
    "verbose": -1, "seed": SEED, "num_threads": 1, "deterministic": True, "force_col_wise": True,
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
    domain: tuple[str, ...]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Singles:
        """Some of the pages."""
        domain = tuple(d for d, c in zip(self.domain, chosen.tolist(), strict=True) if c)
        return Singles(self.names, self.values[chosen], self.role[chosen], domain)


PAGE_TYPES = {
    "article": ARTICLE, "documentation": ARTICLE, "product": ARTICLE, "forum": ARTICLE,
    "collection": TOC, "listing": TOC, "service": OTHER,
}  # fmt: skip
"""What the page types of a page set mean as roles."""


def read_singles(data: Path) -> Singles:
    """Features of the pages of a page set (WCXB layout), each alone."""
    pages = open_pages(data)
    rows, role, domain = [], [], []
    names: tuple[str, ...] = ()
    for capture, truth in pages.captures():
        if truth.page_type in PAGE_TYPES:
            found = page_features(build_site([blank_role_hints(capture)]))
            names = found.names
            rows.append(found.values)
            role.append(PAGE_TYPES[truth.page_type])
            domain.append(site_key(host_of(capture.url)) or truth.name)
    return Singles(names, np.vstack(rows), np.array(role, np.int64), tuple(domain))


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


def _boost(
    x: Sequence[Any], y: Sequence[Roles], scale: Sequence[float], names: list[str], rounds: int
) -> tuple[TreeEnsemble, ...]:
    """One ensemble per role."""
    import lightgbm

    # The square root lies between counting every page and counting every site once.
    weight = np.concatenate([np.full(len(r), s / np.sqrt(max(len(r), 1))) for r, s in zip(y, scale, strict=True)])
    data = lightgbm.Dataset(np.vstack(x), np.concatenate(y), weight=weight / weight.mean(), feature_name=names)
    dump = lightgbm.train(PARAMETERS, data, rounds).dump_model()
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
    return _boost(x, y, scale, names, FIRST_ROUNDS)


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
    return _boost(x, y, scale, names, ALONE_ROUNDS)


def train(
    examples: Sequence[Example], single: Singles | None = None, about_sites: Sequence[str] | None = None
) -> RoleTrees:
    """Both stages, the second on out-of-fold opinions of the first, and the trees for a page alone.

    `about_sites` are the digests of the sites, kept with the model: who measures it there can then be told.
    """
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
                opinion = obey_page(probabilities(trees, values), e.features)
                rows = _pick(e)
                x.append(np.hstack((values, around(opinion, e.features)))[rows])
                y.append(e.role[rows])
                scale.append(0.5 if e.is_sample else 1.0)
    second = _boost(x, y, scale, second_names, SECOND_ROUNDS)
    about = {"sites": sorted(about_sites or ())}
    return RoleTrees(tuple(names), _first(examples, names), second, _alone(examples, names, single), about)


def around_width(features: PageFeatures) -> int:
    """How many columns the second stage adds."""
    return int(around(np.full((len(features.values), 3), 1 / 3), features).shape[1])


def measure(example: Example, trees: RoleTrees) -> Row:
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


def read_examples(sites: Sequence[LabelledSite], say: Callable[[str], None], samples: bool = True) -> list[Example]:
    """Features and roles of labelled sites."""
    out: list[Example] = []
    for site in sites:
        captures = [blank_role_hints(c) for c in site.captures() if c.path in site.labels]
        out += examples_of(site.name, captures, [site.labels[c.path].kind for c in captures], samples)
        say(f"{site.name}: {len(captures)} pages")
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


def measure_alone(trees: RoleTrees, single: Singles) -> npt.NDArray[np.int8]:
    """The role of each page of a page set, judged alone."""
    place = [single.names.index(n) for n in trees.names]
    p = probabilities(trees.alone, single.values[:, place].astype(np.float32))
    return np.asarray(p.argmax(axis=1), np.int8)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sitegrain.training roles", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with wcxb-dev(.tar.xz) and sites/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the models and the report")
    parser.add_argument("--folds", type=int, default=30, help="parts of the sites; 30 is one site at a time")
    parser.add_argument("--jobs", type=int, default=2, help="folds at a time")
    options = parser.parse_args(list(argv))
    start = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {text}", file=sys.stderr, flush=True)

    try:
        sites = open_sites(options.data / "sites")
        pages = next((p for p in (options.data / "wcxb-dev", options.data / "wcxb-dev.tar.xz") if p.exists()), None)
        single = read_singles(pages) if pages is not None else None
        examples = read_examples(sites, say)
    except SitegrainError as error:
        print(error, file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    digest = {site.name: site.digest for site in sites}
    report = train_folds(examples, single, digest, options.folds, options.out, say, options.jobs)
    save_model(options.out / "siteroles.json", KIND, train(examples, single, list(digest.values())))
    learned_from = digest if pages is None else {"wcxb-dev": open_pages(pages).digest, **digest}
    write_origin(options.out / "siteroles.json", COMMAND, learned_from)
    (options.out / "report.md").write_text(report, "utf-8")
    print(report)
    return 0


@dataclass(frozen=True)
class _Fold:
    """What a fold found on the sites and domains that it had not seen."""

    rows: dict[str, Row]
    small: list[Row]
    true: Roles | None = None
    guessed: npt.NDArray[np.int8] | None = None


_LEARN_FROM: tuple[Sequence[Example], Singles | None, Mapping[str, str]] = ((), None, {})
"""What folds share with the process that started them: too large to send."""


def _fold(task: tuple[set[str], set[str], Path]) -> _Fold:
    held, away, path = task
    examples, single, digest = _LEARN_FROM
    outside = np.array([d in away for d in single.domain], bool) if single is not None else None
    rest = single.of(~outside) if single is not None and outside is not None else None
    learned = [e for e in examples if e.name not in held]
    trees = train(learned, rest, [d for s, d in digest.items() if s not in held])
    save_model(path, KIND, trees)
    mine = [e for e in examples if e.name in held]
    rows = {e.name: measure(e, trees) for e in mine if not e.is_sample}
    small = [measure(e, trees) for e in mine if e.is_sample]
    if single is None or outside is None:
        return _Fold(rows, small)
    return _Fold(rows, small, single.role[outside], measure_alone(trees, single.of(outside)))


def train_folds(
    examples: Sequence[Example], single: Singles | None, digest: Mapping[str, str], folds: int, out: Path,
    say: Callable[[str], None], jobs: int = 1,
) -> str:  # fmt: skip
    """One model per fold, with the index; returns what each found on the sites and domains it has not seen."""
    sites = sorted({e.name for e in examples})
    random.Random(SEED).shuffle(sites)
    domains = sorted(set(single.domain)) if single is not None else []
    random.Random(SEED).shuffle(domains)
    n = min(folds, len(sites))
    index: dict[str, str] = {}
    rows: dict[str, Row] = {}
    small: list[Row] = []
    true, guessed = [], []
    global _LEARN_FROM
    _LEARN_FROM = (examples, single, digest)
    tasks = [(set(sites[k::n]), set(domains[k::n]), out / f"fold-{k}.json") for k in range(n)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        for (held, away, path), found in zip(tasks, pool.map(_fold, tasks), strict=True):
            index |= dict.fromkeys([*held, *away], path.name)
            small += found.small
            rows |= found.rows
            for name, row in found.rows.items():
                say(f"{name:16s} {_line(row)}")
            if found.true is not None:
                true.append(found.true)
                guessed.append(found.guessed)
    (out / "index.json").write_text(json.dumps({"models": index}, indent=1, sort_keys=True) + "\n", "utf-8")
    return _report(rows, small, true, guessed, n)


def _report(
    rows: Mapping[str, Row], small: Sequence[Row], true: Sequence[Roles], guessed: Sequence[Any], n: int
) -> str:
    lines = [f"# Page roles, out of fold ({n} folds)", "", "| site | TOC R-precision | article F1 | TOC F1 |"]
    lines.append("|---|---|---|---|")
    found = [(name, rows[name]) for name in sorted(rows)]
    found += [("**mean**", tuple(np.nanmean([r for _, r in found], axis=0)))]
    if small:
        found += [
            (
                f"mean over samples of {min(SMALL + MIXED)} to {max(SMALL + MIXED)} pages",
                tuple(np.nanmean(small, axis=0)),
            )
        ]
    lines += [f"| {name} | {a:.3f} | {b:.3f} | {c:.3f} |" for name, (a, b, c) in found]
    if true:
        y, p = np.concatenate(true), np.concatenate(guessed)
        lines += ["", f"Single pages, by domain: {(y == p).mean():.3f} of {len(y):,} roles right.", ""]
        lines += ["| role | pages | judged other | judged toc | judged article |", "|---|---|---|---|---|"]
        for role, name in enumerate(ROLES):
            counts = [int(((y == role) & (p == k)).sum()) for k in range(3)]
            lines.append(f"| {name} | {int((y == role).sum())} | {counts[0]} | {counts[1]} | {counts[2]} |")
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    return f"TOC R-precision {row[0]:.4f}  article F1 {row[1]:.4f}  TOC F1 {row[2]:.4f}"
