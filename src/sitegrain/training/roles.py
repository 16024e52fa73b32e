"""Train the trees of `SiteRoles`, and measure them on sites and domains that they have not seen.

    python -m sitegrain.training roles --data DATA --out out/roles
    python -m sitegrain.training roles --data DATA --out out/roles --measure

Role hints (`<body class>`, `og:type`) are blanked before a page is read, because the labels were made from them, and no
set of pages is told its base address. Each site gives the sets of pages of `evaluation/roles/views.py`: the whole site,
samples, articles only, no TOC pages, a crawl that was stopped; and copies of pages without any site evidence (a page may
come alone). A site and all of its sets stay in one fold. `--out` gets one model file per fold with `index.json` (for
`sitegrain evaluate --out-of-fold`), `siteroles.json` trained on everything (what the package ships) and `report.md`, which
is measured on other sets of the sites that each fold has not seen. The same data give the same models.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.errors import SitegrainError
from sitegrain.evaluation.data import LabelledSite, open_pages, open_sites
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.evaluation.roles.report import RoleScore, report, score_roles
from sitegrain.evaluation.roles.views import KINDS, LEARNED, MEASURED, SCRAMBLED, WHOLE, View, ViewMaker
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import load_model, save_model
from sitegrain.learned.origin import write_origin
from sitegrain.methods.base import ARTICLE, OTHER, ROLES, TOC
from sitegrain.roles.model import KIND, RoleTrees, SiteRoles, around, obey_page, probabilities, seen, site_opinions
from sitegrain.roles.page import ALONE, PageFeatures, page_features
from sitegrain.roles.reasons import Typical, learn_typical
from sitegrain.roles.words import COLUMNS as WORD_COLUMNS
from sitegrain.roles.words import WordCounts, WordOdds, address_words, count_words, title_words, word_columns, word_odds
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.parsing.build import build_site

Roles = npt.NDArray[np.int64]

COMMAND = "python -m sitegrain.training roles --data DATA --out OUT"
SEED = 1
SEEDS = (1, 2, 3, 4)
"""The trees of all are averaged: on one left-out site the article F1 of single seeds was 0.50 and 0.92. Four against two, on two deals of the
sites into folds: see docs/roles.md."""
PAGES_PER_SET = 100
"""A large site counts no more than a middling one: its pages are of the same few templates."""
OF_SET = 0.5
"""What a page counts for in a set that is not the whole site: there are six such sets to one site."""
FOLDS = 2
"""Parts of the sites for the out-of-fold opinions that the second stage learns from."""
LEFT_OUT = ("page_declared", "page_nofollow", "page_of_file", "page_form", "site_home_frame")
"""Columns that the trees do not see: one that the labels may have been made from, and those that rules obey, which few labelled sites have
(`page_nofollow` two wikis, `site_home_frame` one garage): `obey_page` and `said_roles`."""
PARAMETERS: dict[str, Any] = {
    "objective": "multiclass", "num_class": 3, "learning_rate": 0.2, "num_leaves": 15, "min_data_in_leaf": 30,
    "feature_fraction": 0.25, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 3.0, "max_bin": 63,
    "verbose": -1, "seed": SEED, "num_threads": 1, "deterministic": True, "force_col_wise": True,
}  # fmt: skip
FIRST_ROUNDS, SECOND_ROUNDS, ALONE_ROUNDS = 35, 25, 25


@dataclass(frozen=True)
class Example:
    """The features and true roles of one set of pages of a site."""

    name: str
    features: PageFeatures
    role: Roles
    view: str = WHOLE
    is_learned: bool = True
    is_measured: bool = True


@dataclass(frozen=True)
class Singles:
    """Pages of many domains, each read alone."""

    names: tuple[str, ...]
    values: Floats32
    role: Roles
    domain: tuple[str, ...]
    url: tuple[str, ...]
    title: tuple[str, ...]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Singles:
        """Some of the pages."""
        at = np.flatnonzero(chosen).tolist()
        texts = (tuple(column[k] for k in at) for column in (self.domain, self.url, self.title))
        return Singles(self.names, self.values[chosen], self.role[chosen], *texts)

    def seen(self, names: Sequence[str], words: WordOdds) -> npt.NDArray[np.float32]:
        """What the trees see."""
        place = [self.names.index(n) for n in names]
        values = self.values[:, place].astype(np.float32)
        return np.hstack((values, word_columns(words, self.url, self.title)))


PAGE_TYPES = {
    "article": ARTICLE, "documentation": ARTICLE, "product": ARTICLE, "forum": ARTICLE,
    "collection": TOC, "listing": TOC, "service": OTHER,
}  # fmt: skip
"""What the page types of a page set mean as roles."""


def read_singles(data: Path) -> Singles:
    """Features of the pages of a page set (WCXB layout), each alone."""
    pages = open_pages(data)
    rows, role, domain = [], [], []
    url: list[str] = []
    title: list[str] = []
    names: tuple[str, ...] = ()
    for capture, truth in pages.captures():
        if truth.page_type in PAGE_TYPES:
            found = page_features(build_site([blank_role_hints(capture)]))
            names = found.names
            rows.append(found.values)
            url += found.url
            title += found.bare_title
            role.append(PAGE_TYPES[truth.page_type])
            domain.append(site_key(host_of(capture.url)) or truth.name)
    return Singles(names, np.vstack(rows), np.array(role, np.int64), tuple(domain), tuple(url), tuple(title))


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
    if n <= PAGES_PER_SET:
        return np.arange(n)
    return np.sort(np.random.default_rng(SEED + n).permutation(n)[:PAGES_PER_SET])


def _boost(
    x: Sequence[Any], y: Sequence[Roles], scale: Sequence[float], names: list[str], rounds: int
) -> tuple[TreeEnsemble, ...]:
    """One ensemble per role."""
    import lightgbm

    # The square root lies between counting every page and counting every site once.
    weight = np.concatenate([np.full(len(r), s / np.sqrt(max(len(r), 1))) for r, s in zip(y, scale, strict=True)])
    data = lightgbm.Dataset(np.vstack(x), np.concatenate(y), weight=weight / weight.mean(), feature_name=names)
    dumps = [lightgbm.train({**PARAMETERS, "seed": seed}, data, rounds).dump_model() for seed in SEEDS]
    out = []
    for k in range(len(ROLES)):
        trees = [tree for dump in dumps for tree in dump["tree_info"][k :: len(ROLES)]]
        summed = TreeEnsemble.from_lightgbm({**dumps[0], "tree_info": trees}, is_probability=False)
        out.append(replace(summed, value=summed.value / len(SEEDS)))
    return tuple(out)


def _weight(example: Example) -> float:
    return 1.0 if example.view == WHOLE else OF_SET


class SiteWords:
    """What words say, as the other sites have it: a page that is learned from has no vote on its own words."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.counts: WordCounts = {}
        whole = [e for e in examples if e.view == WHOLE]
        for e in whole:
            f = e.features
            found = [address_words(url) | title_words(title) for url, title in zip(f.url, f.bare_title, strict=True)]
            count_words(self.counts, e.name, found, e.role.tolist())
        mixes = [np.bincount(e.role, minlength=len(ROLES)) / len(e.role) for e in whole]
        self.usual = np.maximum(np.mean(mixes, axis=0), 0.01)
        self.odds = word_odds(self.counts, self.usual)
        self.without = {e.name: word_odds(self.counts, self.usual, e.name) for e in whole}

    def seen(self, example: Example, names: Sequence[str]) -> npt.NDArray[np.float32]:
        """What the trees see of the pages of a set that they learn from."""
        return seen(example.features, names, self.without[example.name])


def _first(examples: Sequence[Example], names: list[str], words: SiteWords) -> tuple[TreeEnsemble, ...]:
    x = [words.seen(e, names)[_pick(e)] for e in examples]
    y, scale = [e.role[_pick(e)] for e in examples], [_weight(e) for e in examples]
    return _boost(x, y, scale, [*names, *WORD_COLUMNS], FIRST_ROUNDS)


def _alone(
    examples: Sequence[Example], names: list[str], words: SiteWords, single: Singles | None
) -> tuple[TreeEnsemble, ...]:
    whole = [e for e in examples if e.view == WHOLE]
    x = [alone(words.seen(e, names)[_pick(e)], names) for e in whole]
    y = [e.role[_pick(e)] for e in whole]
    scale = [1.0] * len(whole)
    if single is not None and len(single.role):
        x.append(single.seen(names, words.odds))
        y.append(single.role)
        # Each of these pages is of another site: together they count as much as all sites do.
        scale.append(sum(np.sqrt(len(r)) for r in y[:-1]) / np.sqrt(len(single.role)))
    return _boost(x, y, scale, [*names, *WORD_COLUMNS], ALONE_ROUNDS)


def train(
    examples: Sequence[Example], single: Singles | None = None, about_sites: Sequence[str] | None = None
) -> RoleTrees:
    """Both stages, the second on out-of-fold opinions of the first, and the trees for a page alone.

    `about_sites` are the digests of the sites, kept with the model: who measures it there can then be told.
    """
    examples = [e for e in examples if e.is_learned]
    names = [n for n in examples[0].features.names if n not in LEFT_OUT]
    x, y, scale = [], [], []
    words = SiteWords(examples)
    second_names = [*names, *WORD_COLUMNS] + [f"around_{i}" for i in range(around_width(examples[0].features))]
    for held in site_folds([e.name for e in examples], FOLDS):
        trees = _first([e for e in examples if e.name not in held] or examples, names, words)
        for e in examples:
            if e.name in held and len(e.role) > 1:
                values = words.seen(e, names)
                opinion = obey_page(probabilities(trees, values), e.features)
                rows = _pick(e)
                x.append(np.hstack((values, around(opinion, e.features)))[rows])
                y.append(e.role[rows])
                scale.append(_weight(e))
    second = _boost(x, y, scale, second_names, SECOND_ROUNDS)
    about = {"sites": sorted(about_sites or ())}
    first, of_one = _first(examples, names, words), _alone(examples, names, words, single)
    typical = _typical(examples)
    return RoleTrees(tuple(names), first, second, of_one, words=words.odds, typical=typical, about=about)


def _typical(examples: Sequence[Example]) -> Typical:
    whole = [e for e in examples if e.view == WHOLE]
    values, role = np.vstack([e.features.values for e in whole]), np.concatenate([e.role for e in whole])
    weight = np.concatenate([np.full(len(e.role), 1 / np.sqrt(len(e.role))) for e in whole])
    return learn_typical(whole[0].features.names, values, role, weight)


def site_folds(sites: Sequence[str], n: int, deal: int = SEED) -> list[set[str]]:
    """Sites in parts that have all kinds of sites alike; another deal has other sites together."""
    names = sorted(set(sites))
    random.Random(deal).shuffle(names)
    names.sort(key=lambda name: KINDS.get(name, ""))
    return [set(names[k::n]) for k in range(min(n, len(names)))]


def around_width(features: PageFeatures) -> int:
    """How many columns the second stage adds."""
    return int(around(np.full((len(features.values), 3), 1 / 3), features).shape[1])


def fit_scale(opinions: Sequence[Floats], roles: Sequence[Roles]) -> tuple[float, ...]:
    """The factor and the addends that make probabilities of opinions on pages that were not learned from."""
    p, y = np.log(np.maximum(np.vstack(opinions), 1e-6)), np.concatenate(roles)
    weight = np.concatenate([np.full(len(r), 1 / np.sqrt(len(r))) for r in roles])
    weight /= weight.sum()

    def loss(v: Floats) -> float:
        raw = p * v[0] + v[1:]
        return float(weight @ (special.logsumexp(raw, axis=1) - raw[np.arange(len(y)), y]) + 1e-3 * (v[1:] @ v[1:]))

    return tuple(round(float(v), 5) for v in optimize.minimize(loss, np.array([1.0, 0.0, 0.0, 0.0])).x)


def measure(example: Example, trees: RoleTrees) -> RoleScore:
    """The roles of one set of pages."""
    verdict = SiteRoles(trees=trees).rank_features(example.features)
    return score_roles(example.name, example.view, verdict, example.role)


def read_examples(
    sites: Sequence[LabelledSite], say: Callable[[str], None], max_pages: int | None = None
) -> Iterator[Example]:
    """The sets of pages of labelled sites, to learn from and to measure on."""
    for site in sites:
        maker = ViewMaker(site, max_pages)
        for view in maker.views(MEASURED, "measure"):
            yield _example(view, is_learned=view.name == WHOLE, is_measured=True)
        for view in maker.views([name for name in LEARNED if name != WHOLE], "learn"):
            yield _example(view, is_learned=True, is_measured=False)
        if (scrambled := maker.view(SCRAMBLED, "measure")) is not None:
            yield _example(scrambled, is_learned=False, is_measured=True)
        say(f"{site.name}: {len(maker.captures)} pages")


def _example(view: View, is_learned: bool, is_measured: bool) -> Example:
    site = build_site(view.captures)
    kind = {c.path: k for c, k in zip(view.captures, view.kinds, strict=True)}
    role = np.array([ROLES.index(kind[path]) for path in site.pages.path], np.int64)
    return Example(view.site, page_features(site), role, view.name, is_learned, is_measured)


def measure_alone(trees: RoleTrees, single: Singles) -> Floats:
    """The opinions of the roles of the pages of a page set, each judged alone."""
    return probabilities(trees.alone, single.seen(trees.names, trees.words))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sitegrain.training roles", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with wcxb-dev(.tar.xz) and sites/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the models and the report")
    parser.add_argument("--folds", type=int, default=5, help="parts of the sites that are left out in turn")
    parser.add_argument("--deal", type=int, default=SEED, help="another number leaves out other sites together")
    parser.add_argument("--max-pages", type=int, help="pages of each site that are read; all by default")
    parser.add_argument("--measure", action="store_true", help="measure the models in --out again and train none")
    parser.add_argument("--jobs", type=int, default=2, help="folds at a time")
    options = parser.parse_args(list(argv))
    start = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {text}", file=sys.stderr, flush=True)

    try:
        sites = open_sites(options.data / "sites")
        pages = next((p for p in (options.data / "wcxb-dev", options.data / "wcxb-dev.tar.xz") if p.exists()), None)
        single = read_singles(pages) if pages is not None else None
        examples = list(read_examples(sites, say, options.max_pages))
    except SitegrainError as error:
        print(error, file=sys.stderr)
        return 2
    digest = {site.name: site.digest for site in sites}
    if options.measure:
        folds = train_folds(
            examples, single, digest, options.folds, options.out, say, is_trained=True, deal=options.deal
        )
        print(folds.report)
        return 0
    singles_digest = "" if pages is None else open_pages(pages).digest
    command = f"{COMMAND} --max-pages {options.max_pages}" if options.max_pages else COMMAND
    told = write_models(
        examples, single, digest, singles_digest, options.folds, options.out, say, options.jobs, command, options.deal
    )
    print(told)
    return 0


def write_models(
    examples: Sequence[Example], single: Singles | None, digest: Mapping[str, str], singles_digest: str, folds: int,
    out: Path, say: Callable[[str], None], jobs: int, command: str = COMMAND, deal: int = SEED,
) -> str:  # fmt: skip
    """Train on folds and on everything, and write the models; returns the report."""
    out.mkdir(parents=True, exist_ok=True)
    found = train_folds(examples, single, digest, folds, out, say, jobs, deal=deal)
    (out / "report.md").write_text(found.report, "utf-8")
    save_model(out / "siteroles.json", KIND, found.trees)
    learned_from = {"wcxb-dev": singles_digest, **digest} if singles_digest else dict(digest)
    write_origin(out / "siteroles.json", command, learned_from)
    return found.report


@dataclass(frozen=True)
class Folds:
    """What the folds found together."""

    trees: RoleTrees
    """Trained on everything, with the scale that the folds have fitted."""
    report: str


_LEARN_FROM: tuple[Sequence[Example], Singles | None, Mapping[str, str]] = ((), None, {})
"""What folds share with the process that started them: too large to send."""


def _fold(task: tuple[set[str], set[str]]) -> RoleTrees:
    held, away = task
    examples, single, digest = _LEARN_FROM
    rest = None if single is None else single.of(np.array([d not in away for d in single.domain], bool))
    learned = [e for e in examples if e.name not in held]
    return train(learned, rest, [d for s, d in digest.items() if s not in held])


def train_folds(
    examples: Sequence[Example], single: Singles | None, digest: Mapping[str, str], folds: int, out: Path,
    say: Callable[[str], None], jobs: int = 1, is_trained: bool = False, deal: int = SEED,
) -> Folds:  # fmt: skip
    """One model per fold, with the index, measured on the sites and domains that it has not seen.

    With `is_trained`, the models in `out` are measured again.

    Opinions become probabilities by a scale that the other folds have fitted.
    """
    global _LEARN_FROM
    _LEARN_FROM = (examples, single, digest)
    parts = site_folds([e.name for e in examples], folds, deal)
    domains = sorted(set(single.domain)) if single is not None else []
    random.Random(SEED).shuffle(domains)
    tasks = [(held, set(domains[k :: len(parts)])) for k, held in enumerate(parts)]
    fold_of = {name: k for k, held in enumerate(parts) for name in held}
    measured = [e for e in examples if e.is_measured]
    models: list[RoleTrees] = []
    if is_trained:
        files = [*(f"fold-{k}.json" for k in range(len(parts))), "siteroles.json"]
        models = [load_model(out / file, KIND, RoleTrees) for file in files]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        # The last one leaves nothing out.
        for trees in pool.map(_fold, [] if is_trained else [*tasks, (set[str](), set[str]())]):
            models.append(trees)
            say(f"model {len(models)} of {len(parts) + 1}")
    whole = models.pop()
    told = [(e, site_opinions(models[fold_of[e.name]], e.features)) for e in measured if e.view != SCRAMBLED]
    lone = _lone(models, single, [away for _, away in tasks])
    index: dict[str, str] = {}
    scores: list[RoleScore] = []
    for k, (held, away) in enumerate(tasks):
        others = [(p, e.role) for e, p in told if fold_of[e.name] != k] or [(p, e.role) for e, p in told]
        scale = {"site": fit_scale([p for p, _ in others], [y for _, y in others])}
        if apart := [pair for j, pair in enumerate(lone) if j != k]:
            scale["alone"] = fit_scale([p for p, _ in apart], [y for _, y in apart])
        trees = replace(models[k], scale=scale)
        save_model(out / f"fold-{k}.json", KIND, trees)
        index |= dict.fromkeys([*held, *away], f"fold-{k}.json")
        scores += [measure(e, trees) for e in measured if e.name in held]
    (out / "index.json").write_text(json.dumps({"models": index}, indent=1, sort_keys=True) + "\n", "utf-8")
    scale = {"site": fit_scale([p for _, p in told], [e.role for e, _ in told])}
    if lone:
        scale["alone"] = fit_scale([p for p, _ in lone], [y for _, y in lone])
    head = f"# Page roles, out of fold ({len(parts)} folds, base address not given)\n\n"
    return Folds(replace(whole, scale=scale), head + report(scores) + _report_alone(lone))


def _lone(models: Sequence[RoleTrees], single: Singles | None, away: Sequence[set[str]]) -> list[tuple[Floats, Roles]]:
    """Opinions on, and roles of, the single pages that each fold has not seen."""
    out = []
    for trees, domains in zip(models, away, strict=True):
        if single is not None and domains:
            mine = single.of(np.array([d in domains for d in single.domain], bool))
            out.append((measure_alone(trees, mine), mine.role))
    return out


def _report_alone(lone: Sequence[tuple[Floats, Roles]]) -> str:
    if not lone:
        return ""
    p, y = np.vstack([p for p, _ in lone]).argmax(axis=1), np.concatenate([y for _, y in lone])
    lines = ["", f"## Single pages, by domain: {(y == p).mean():.3f} of {len(y):,} roles right", ""]
    lines += ["| role | pages | judged other | judged toc | judged article |", "|---|---|---|---|---|"]
    for role, name in enumerate(ROLES):
        counts = [int(((y == role) & (p == k)).sum()) for k in range(3)]
        lines.append(f"| {name} | {int((y == role).sum())} | {counts[0]} | {counts[1]} | {counts[2]} |")
    return "\n".join(lines) + "\n"
