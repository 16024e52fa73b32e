"""Train the default extractor's trees, and measure them out of fold.

    python -m sitegrain.training content --data ../shared/data --out out/content

Groups (domains of single pages, sites) are dealt into folds with a fixed seed. For each fold, both stages are
trained on the other folds only; within those, the first stage's scores that the second stage learns from are
out of fold again, so that nothing of a page reaches the trees that are measured on it. `--out` gets one model file
per fold with `index.json` (for `sitegrain evaluate --out-of-fold`), `content.json` trained on everything (what the
package ships) and `report.md`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees import TreeEnsemble
from sitegrain.evaluation.data import open_pages, open_sites
from sitegrain.models.extractor import CONTENT_KIND, ContentTrees, decide
from sitegrain.models.features import SITE_NAMES, STAGE_NAMES, stage_columns
from sitegrain.models.store import save_state
from sitegrain.training.examples import PageExample, page_examples, site_examples

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

SEED = 20261115
FOLDS, INNER_FOLDS = 5, 3
BLANK_NAMES, BLANK_HINTS = 0.35, 0.2
"""Share of training pages whose class and id names (type hints) are blanked: names may be scrambled."""
SITE_WEIGHT = {"none": 0.4, "part": 1.0, "all": 0.7}
"""A page of a site counts less than a page of its own domain: thirty pages of a site share one template."""

FIRST: dict[str, Any] = {
    "objective": "cross_entropy", "learning_rate": 0.09, "num_leaves": 40, "min_data_in_leaf": 60, "feature_fraction": 0.25,
    "bagging_fraction": 0.6, "bagging_freq": 1, "lambda_l2": 10.0, "max_bin": 63,
}  # fmt: skip
SECOND: dict[str, Any] = {
    "objective": "cross_entropy", "learning_rate": 0.08, "num_leaves": 15, "min_data_in_leaf": 100, "feature_fraction": 0.3,
    "bagging_fraction": 0.6, "bagging_freq": 1, "lambda_l2": 20.0, "max_bin": 63,
}  # fmt: skip
FIRST_ROUNDS, SECOND_ROUNDS = 150, 120
COMMON: dict[str, Any] = {"verbose": -1, "num_threads": 1, "seed": SEED, "deterministic": True, "force_row_wise": True}

_NAME_PREFIXES = ("class_", "near_", "comment_named", "page_named")
_HINT_PREFIXES = ("url_", "ld_")
_PAGE_KEPT = (
    "page_words", "page_links", "page_prose", "page_named", "page_block_words", "page_sentences", "page_p", "page_longest",
)  # fmt: skip
"""Of the page's counts only these: the others tell sites apart and taught the trees single templates by heart."""
_SECOND_BASE = frozenset(
    "words link_density stops tag first_parent_tag in_heading in_list in_table in_pre in_button in_anchor in_paragraph "
    "is_hidden order_share since_h1 since_heading heading_cues since_comment since_related class_comment class_related "
    "class_meta class_share class_main class_list class_forum near_comment near_related near_meta near_share "
    "comment_named_share comment_after_share in_prose_0.4 in_prose_0.7 digit_rate symbol_rate page_links page_prose "
    "page_words title_match text_nodes word_length up0_links up1_links".split()
)
_SECOND_UPS = ("_like", "_posts", "_posts_share", "_block_words", "_prose_share")


def first_names(names: Sequence[str]) -> tuple[str, ...]:
    """The features of the first stage: the page's own evidence."""
    return tuple(n for n in names if not n.startswith("page_") or n in _PAGE_KEPT)


def second_names(names: Sequence[str]) -> tuple[str, ...]:
    """The features of the second stage: first scores around, the site's evidence, and few of the block's own."""
    own = [
        n
        for n in names
        if n in _SECOND_BASE or n.startswith("cue_") or (n[:3] in ("up0", "up1", "up2", "up3") and n.endswith(_SECOND_UPS))
    ]
    return (*own, *SITE_NAMES, *STAGE_NAMES)


@dataclass(frozen=True)
class Corpus:
    """All examples, and the names of their page features."""

    names: tuple[str, ...]
    examples: list[PageExample]

    def of(self, groups: frozenset[str]) -> list[PageExample]:
        return [e for e in self.examples if e.group in groups]

    @property
    def groups(self) -> list[str]:
        return sorted({e.group for e in self.examples})


def deal(groups: Iterable[str], n: int, seed: int) -> list[frozenset[str]]:
    """Groups dealt into n hands of nearly the same size."""
    ordered = sorted(groups)
    place = np.random.default_rng(seed).permutation(len(ordered)) % n
    return [frozenset(g for g, p in zip(ordered, place, strict=True) if p == k) for k in range(n)]


def _columns(names: Sequence[str], prefixes: tuple[str, ...]) -> list[int]:
    return [k for k, n in enumerate(names) if n.startswith(prefixes)]


def _train(x: list[F32], y: list[F64], w: list[F64], names: Sequence[str], params: dict[str, Any], rounds: int) -> TreeEnsemble:
    data = lightgbm.Dataset(np.concatenate(x), np.concatenate(y), weight=np.concatenate(w), feature_name=list(names))
    booster = lightgbm.train({**COMMON, **params}, data, num_boost_round=rounds)
    return TreeEnsemble.from_lightgbm(booster.dump_model())


def train_first(corpus: Corpus, examples: Sequence[PageExample], seed: int) -> TreeEnsemble:
    """The first stage, from single pages and from pages of sites without their site."""
    rng = np.random.default_rng(seed)
    used = first_names(corpus.names)
    at = [corpus.names.index(n) for n in used]
    named, hinted = _columns(corpus.names, _NAME_PREFIXES), _columns(corpus.names, _HINT_PREFIXES)
    x, y, w = [], [], []
    for e in examples:
        if not e.has_gold or not len(e.label):
            continue
        own = blanked(e.x, rng, named, hinted)
        x.append(own[:, at])
        y.append(e.label)
        w.append(e.weight * (SITE_WEIGHT["none"] if e.site else 1.0))
    return _train(x, y, w, used, FIRST, FIRST_ROUNDS)


def blanked(x: F32, rng: np.random.Generator, named: list[int], hinted: list[int]) -> F32:
    """A copy with names or hints blanked at random, as where a site's names are scrambled."""
    without_names, without_hints = rng.random() < BLANK_NAMES, rng.random() < BLANK_HINTS
    if without_names or without_hints:
        x = x.copy()
        if without_names:
            x[:, named] = 0
        if without_hints:
            x[:, hinted] = np.nan
    return x


def predict_first(corpus: Corpus, trees: TreeEnsemble, x: F32) -> F64:
    """First-stage scores of blocks."""
    return trees.predict(x[:, [corpus.names.index(n) for n in trees.names]])


Scores = dict[str, F64]


def path_means(examples: Sequence[PageExample], score: Scores) -> list[dict[int, float]]:
    """Mean first score at each path of a site, by names and by tags."""
    pages = [e for e in examples if e.paths is not None and len(e.words)]
    out: list[dict[int, float]] = []
    for which in (0, 1):
        if not pages:
            out.append({})
            continue
        key = np.concatenate([e.paths[which] for e in pages if e.paths is not None])
        value = np.concatenate([score[e.name] for e in pages])
        weight = np.concatenate([e.words + 1 for e in pages])
        different, inverse = np.unique(key, return_inverse=True)
        mean = np.bincount(inverse, value * weight) / np.bincount(inverse, weight)
        out.append(dict(zip(different.tolist(), mean.tolist(), strict=True)))
    return out


def _look(means: dict[int, float], key: U64) -> F64:
    return np.array([means.get(k, np.nan) for k in key.tolist()])


def second_inputs(examples: Sequence[PageExample], score: Scores) -> list[tuple[PageExample, str, F32]]:
    """(example, how much of its site is known, all columns) for every page with gold."""
    by_site: dict[str, list[PageExample]] = defaultdict(list)
    for e in examples:
        if e.site:
            by_site[e.site].append(e)
    whole = {s: path_means(pages, score) for s, pages in by_site.items()}
    parts = {
        (s, k): path_means([e for e in pages if e.part == k and e.of_part is not None], score)
        for s, pages in by_site.items()
        for k in {e.part for e in pages}
    }
    out: list[tuple[PageExample, str, F32]] = []
    for e in examples:
        if not e.has_gold or not len(e.label):
            continue
        p = score[e.name]
        nothing = np.full((len(p), len(SITE_NAMES)), np.nan, np.float32)
        out.append((e, "none", np.concatenate([e.x, nothing, stage_columns(e.geometry, e.words, p)], axis=1)))
        for how, of_site, means in (("all", e.of_site, whole.get(e.site)), ("part", e.of_part, parts.get((e.site, e.part)))):
            if of_site is not None and means is not None and e.paths is not None:
                around = stage_columns(e.geometry, e.words, p, _look(means[0], e.paths[0]), _look(means[1], e.paths[1]))
                out.append((e, how, np.concatenate([e.x, of_site, around], axis=1)))
    return out


def train_second(corpus: Corpus, inputs: Sequence[tuple[PageExample, str, F32]], seed: int) -> TreeEnsemble:
    """The second stage."""
    rng = np.random.default_rng(seed)
    have = (*corpus.names, *SITE_NAMES, *STAGE_NAMES)
    used = second_names(corpus.names)
    at = [have.index(n) for n in used]
    named, hinted = _columns(have, _NAME_PREFIXES), _columns(have, _HINT_PREFIXES)
    x, y, w = [], [], []
    for e, how, columns in inputs:
        x.append(blanked(columns, rng, named, hinted)[:, at])
        y.append(e.label)
        w.append(e.weight * (SITE_WEIGHT[how] if e.site else 1.0))
    return _train(x, y, w, used, SECOND, SECOND_ROUNDS)


def train_trees(corpus: Corpus, groups: frozenset[str], seed: int) -> ContentTrees:
    """Both stages from the pages of some groups."""
    score: Scores = {}
    for k, hand in enumerate(deal(groups, INNER_FOLDS, seed)):
        inner = train_first(corpus, corpus.of(groups - hand), seed + k)
        for e in corpus.of(hand):
            score[e.name] = predict_first(corpus, inner, e.x)
    mine = corpus.of(groups)
    second = train_second(corpus, second_inputs(mine, score), seed)
    return ContentTrees(train_first(corpus, mine, seed), second, about={"seed": seed, "pages": len(mine)})


def measure(corpus: Corpus, trees: ContentTrees, groups: frozenset[str]) -> list[tuple[str, str, str, float]]:
    """(kind or site, name, how much of the site is known, F1) of every page with gold, by the text of its blocks."""
    examples = corpus.of(groups)
    score = {e.name: predict_first(corpus, trees.first, e.x) for e in examples}
    have = (*corpus.names, *SITE_NAMES, *STAGE_NAMES)
    at = [have.index(n) for n in trees.second.names]
    named = _columns(have, _NAME_PREFIXES)
    out = []
    for e, how, columns in second_inputs(examples, score):
        for scrambled in (False, True):
            x = columns
            if scrambled:
                x = columns.copy()
                x[:, named] = 0
            p = trees.second.predict(x[:, at])
            size = np.array([len(t) for t in e.block_tokens], np.float64)
            kept = decide(p, size, np.zeros(len(p), np.int64), 1)
            out.append((e.kind, e.name, how + ("+scrambled" if scrambled else ""), e.f1(kept)))
    return out


_CORPUS: Corpus | None = None


def _task(task: tuple[frozenset[str], frozenset[str], int, str]) -> list[tuple[str, str, str, float]]:
    train, test, seed, path = task
    assert _CORPUS is not None
    trees = train_trees(_CORPUS, train, seed)
    trees.about["data"] = "WCXB development pages (Murrough Foley 2026, CC BY 4.0) and labelled sites"
    save_state(path, CONTENT_KIND, trees.to_state())
    return measure(_CORPUS, trees, test) if test else []


def read_corpus(data: Path, say: Callable[[str], None]) -> Corpus:
    """All examples of a data folder."""
    pages = next(p for p in (data / "wcxb-dev", data / "wcxb-dev.tar.xz") if p.exists())
    names, examples = page_examples(open_pages(pages))
    say(f"{len(examples)} single pages")
    for labelled in open_sites(data / "sites"):
        examples.extend(site_examples(labelled))
        say(f"site {labelled.name}")
    return Corpus(names, examples)


def summary(rows: Sequence[tuple[str, str, str, float]], n_sites: frozenset[str]) -> str:
    """The out-of-fold figures as Markdown."""
    lines = ["# Out-of-fold figures of the default extractor", ""]
    for how in ("none", "none+scrambled"):
        single = [r for r in rows if r[0] not in n_sites and r[2] == how]
        kinds = sorted({r[0] for r in single})
        lines += [f"## Single pages, {how}: word F1", "", "| type | pages | F1 |", "|---|---|---|"]
        for kind in [*kinds, "all"]:
            values = [r[3] for r in single if kind in (r[0], "all")]
            lines.append(f"| {kind} | {len(values)} | {np.mean(values):.4f} |")
        lines.append("")
    hows = sorted({r[2] for r in rows})
    lines += ["## Sites: token F1 by what is known of the site", "", "| site | " + " | ".join(hows) + " |", "|---|" + "---|" * len(hows)]
    table = {(s, h): [r[3] for r in rows if r[0] == s and r[2] == h] for s in n_sites for h in hows}
    for site in sorted(n_sites):
        lines.append(f"| {site} | " + " | ".join(f"{np.mean(table[site, h]):.3f}" if table[site, h] else "" for h in hows) + " |")
    means = [np.mean([np.mean(table[s, h]) for s in n_sites if table[s, h]]) for h in hows]
    lines.append("| **mean** | " + " | ".join(f"{m:.4f}" for m in means) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sitegrain.training content", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with wcxb-dev(.tar.xz) and sites/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the models and the report")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    start = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {text}", flush=True)

    global _CORPUS
    _CORPUS = corpus = read_corpus(options.data, say)
    options.out.mkdir(parents=True, exist_ok=True)
    everything = frozenset(corpus.groups)
    sites = frozenset(e.site for e in corpus.examples if e.site)
    # Sites and domains are dealt apart, so that every fold has its share of both.
    hands = [a | b for a, b in zip(deal(sites, FOLDS, SEED), deal(everything - sites, FOLDS, SEED), strict=True)]
    tasks = [(everything - h, h, SEED + 10 * k, str(options.out / f"fold-{k}.json")) for k, h in enumerate(hands)]
    tasks.append((everything, frozenset(), SEED, str(options.out / "content.json")))
    rows: list[tuple[str, str, str, float]] = []
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("fork")) as pool:
        for task, found in zip(tasks, pool.map(_task, tasks), strict=True):
            rows.extend(found)
            say(f"{Path(task[3]).name} trained")
    index = {g: f"fold-{k}.json" for k, h in enumerate(hands) for g in sorted(h)}
    (options.out / "index.json").write_text(json.dumps({"models": index}, indent=1, sort_keys=True) + "\n", "utf-8")
    report = summary(rows, sites)
    (options.out / "report.md").write_text(report, "utf-8")
    print(report)
    return 0
