"""Train the default extractor's trees, and measure them out of fold.

    python -m sitegrain.training content --data DATA --out out/content

Groups (domains of single pages over all page sets, sites) are dealt into folds with a fixed seed. First stages are trained
without each fold, without each pair of folds, and with everything. The later stages of the models that judge fold k learn
from first scores of fold j by the first stage that saw neither j nor k, so that nothing of a page reaches the trees that
are measured on it; those that are shipped, from the first stages without one fold. `--out` gets one model file per fold with
`index.json` (for `sitegrain evaluate --out-of-fold`), `content.json` trained on everything (what the package ships) and
`report.md`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.errors import SourceError
from sitegrain.evaluation.data import data_sets, open_pages, open_site
from sitegrain.extractor.model import CONTENT_KIND, ContentTrees, decide, page_opinion, shifted, site_opinion
from sitegrain.extractor.pagetypes import PAGE_TYPES, SURE_ALONE, SURE_WITH_SITE, article_shift, type_columns
from sitegrain.extractor.typewords import PageWords
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import save_model
from sitegrain.learned.origin import write_origin
from sitegrain.training.examples import PageExample, page_examples, site_examples
from sitegrain.training.lexicon import WordCorpus
from sitegrain.training.stages import (
    FIRST_BAGS,
    LATER_NAMES,
    SEED,
    Corpus,
    First,
    OutOfFold,
    deal,
    nameless,
    second_inputs,
    train_first,
    train_trees,
)
from sitegrain.training.types import train_types

COMMAND = "python -m sitegrain.training content --data DATA --out OUT"
FOLDS = 4
DATA = (
    "page sets WCXB development (Murrough Foley 2026, CC BY 4.0), Fundus (MIT), newspaper4k, magic-html, Harvest and "
    "trafilatura (Apache-2.0), and labelled sites"
)
Read = tuple[str, str, tuple[str, ...], list[PageExample]]
"""Name, digest, names of the page features, pages."""


_SITE_PAGES = LATER_NAMES.index("site_pages")

Row = tuple[str, str, str, float]
"""Page type or site, page, what is measured, value."""


def measure(corpus: Corpus, trees: ContentTrees, first: First, groups: frozenset[str]) -> list[Row]:
    """Figures of every page with gold, by the text of its blocks; by what is known of its site, and with names scrambled.

    For single pages also whether the page type was found, as "type" and "type+scrambled" (1 or 0).
    """
    examples = corpus.of(groups)
    out: list[Row] = []
    for tag in ("", "+scrambled"):
        seen = [nameless(corpus.names, e) for e in examples] if tag else examples
        score = {e.name: first.predict(corpus, e, without_names=bool(tag)) for e in seen}

        def words(e: PageExample, is_scrambled: bool = bool(tag)) -> Floats32:
            return first.lexical(e, is_scrambled)

        for e, how, x in second_inputs(corpus.names, seen, score, words):

            def predict(part: TreeEnsemble, x: Floats32 = x) -> Floats:
                return part.predict(x[:, [LATER_NAMES.index(n) for n in part.names]])

            first_score = score[e.name]
            row = type_columns(corpus.names, e.x, e.words, np.zeros(len(x), np.int64), first_score, 1)
            votes = np.array([t.predict(row)[0] for t in trees.types])
            if how == "none":
                p = page_opinion(first_score, predict(trees.second))
            else:
                n_pages = round(float(np.nan_to_num(np.expm1(x[0, _SITE_PAGES]))))
                p = site_opinion(first_score, predict(trees.site_alone), predict(trees.site), n_pages)
            p = shifted(p, article_shift(votes[:1], SURE_ALONE if how == "none" else SURE_WITH_SITE))
            size = np.array([len(t) for t in e.block_tokens], np.float64)
            found = e.prf(decide(p, size, np.zeros(len(p), np.int64), 1))
            out += [
                (e.data, e.name, how + tag + end, value) for end, value in zip((" P", " R", ""), found, strict=True)
            ]
            if not e.site and not e.is_partial and how == "none":
                guess = PAGE_TYPES[int(np.argmax(_told(trees, e, row)))]
                out.append((e.data, e.name, f"type{tag} {e.kind}", float(guess == e.kind)))
    return out


def _told(trees: ContentTrees, page: PageExample, row: Floats32) -> list[float]:
    """How likely each type of a page is."""
    assert trees.type_words is not None
    said = trees.type_words.odds(PageWords(page.type_words, np.zeros(len(page.type_words), np.int64)), 1)
    return [float(t.predict(np.concatenate([row, said], axis=1))[0]) for t in trees.told_types]


_CORPUS: Corpus | None = None
_HANDS: list[frozenset[str]] = []


class Trained(NamedTuple):
    """A first stage that has not seen some folds."""

    trees: TreeEnsemble
    score: OutOfFold
    """Of the pages of those folds."""


def _first_task(without: frozenset[int]) -> Trained:
    assert _CORPUS is not None
    groups = frozenset(_CORPUS.groups).difference(*(_HANDS[k] for k in without))
    # What judges pages has all bags; what only gives the later stages scores to learn from is cheaper.
    first = train_first(_CORPUS, groups, SEED + sum(10**k for k in without), FIRST_BAGS if len(without) < 2 else 1)
    unseen = _CORPUS.of(frozenset().union(*(_HANDS[k] for k in without)))
    return Trained(replace(first.trees), OutOfFold.of(_CORPUS, first, unseen))


def _later_task(task: tuple[int, TreeEnsemble, OutOfFold, str]) -> list[Row]:
    fold, first_trees, score, path = task
    assert _CORPUS is not None
    test = _HANDS[fold] if fold >= 0 else frozenset()
    groups = frozenset(_CORPUS.groups) - test
    first = First(_CORPUS.words.learn(groups), first_trees)
    trees = train_trees(_CORPUS, first, groups, score, SEED + fold)
    told = train_types(_CORPUS.names, _CORPUS.of(groups), score, SEED + fold)
    trees = replace(trees, **told._asdict())
    trees.about["data"] = DATA
    save_model(path, CONTENT_KIND, trees)
    sites = {e.site for e in _CORPUS.examples if e.site}
    write_origin(path, COMMAND, {k: v for k, v in _CORPUS.digests.items() if k in groups or k not in sites})
    return measure(_CORPUS, trees, first, test) if test else []


def _read_pages(path: Path) -> Read:
    pages = open_pages(path)
    return pages.name, pages.digest, *page_examples(pages)


def _read_site(path: Path) -> Read:
    site = open_site(path)
    return site.name, site.digest, (), list(site_examples(site))


def read_corpus(data: Path, jobs: int, say: Callable[[str], None]) -> Corpus:
    """All examples of a data folder."""
    sets, sites = data_sets(data)
    if not sets:
        raise SourceError(f"{data}: there is no page set, such as wcxb-dev or wcxb-dev.tar.xz (see docs/evaluation.md)")
    names: tuple[str, ...] = ()
    examples: list[PageExample] = []
    digests: dict[str, str] = {}
    # A process for each: what a page leaves behind in one does not stay.
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork"), max_tasks_per_child=None) as pool:
        parts = [*(pool.submit(_read_pages, p) for p in sets), *(pool.submit(_read_site, p) for p in sites)]
        for part in parts:
            name, digest, columns, found = part.result()
            names = names or columns
            examples += found
            digests[name] = digest
            say(f"{name}: {len(found)} pages")
    return Corpus(names, examples, WordCorpus.of(names, examples), digests)


def summary(rows: Sequence[Row], sites: frozenset[str]) -> str:
    """The out-of-fold figures as Markdown."""
    value: dict[tuple[str, str], list[float]] = defaultdict(list)
    for data, _, what, figure in rows:
        value[data, what].append(figure)
    sets = [d for d in dict.fromkeys(r[0] for r in rows) if d not in sites]

    def mean(data: str, what: str) -> str:
        found = value.get((data, what))
        return f"{np.mean(found):.4f}" if found else ""

    lines = ["# Out-of-fold figures of the default extractor", "", "## Single pages: by the tokens of blocks", ""]
    hows: tuple[str, ...] = ("none P", "none R", "none", "none+scrambled", "part")
    lines += [f"| set | pages | {' | '.join(hows)} |", "|---|---|" + "---|" * len(hows)]
    lines += [f"| {d} | {len(value[d, 'none'])} | " + " | ".join(mean(d, h) for h in hows) + " |" for d in sets]
    lines += ["", "## Page types: share that was found, with names and with names scrambled", ""]
    lines += ["| set | type | pages | right | scrambled |", "|---|---|---|---|---|"]
    for d, k in sorted({(r[0], r[2].removeprefix("type ")) for r in rows if r[2].startswith("type ")}):
        found = (mean(d, f"{how} {k}") for how in ("type", "type+scrambled"))
        lines.append(f"| {d} | {k} | {len(value[d, f'type {k}'])} | {' | '.join(found)} |")
    hows = ("none", "part", "echo", "all", "none+scrambled", "all+scrambled")
    lines += ["", "## Sites: token F1 by what is known of the site", "", f"| site | {' | '.join(hows)} |"]
    lines.append("|---|" + "---|" * len(hows))
    lines += [f"| {s} | " + " | ".join(mean(s, h) for h in hows) + " |" for s in sorted(sites)]
    for how in hows:  # every site counts alike
        value["", how] = [float(np.mean(value[s, how])) for s in sites if value.get((s, how))]
    lines.append("| **mean** | " + " | ".join(mean("", h) for h in hows) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sitegrain.training content", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with page sets, wcxb-dev(.tar.xz) ..., and sites/"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the models and the report")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    start = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {text}", flush=True)

    global _CORPUS, _HANDS
    _CORPUS = corpus = read_corpus(options.data, options.jobs, say)
    options.out.mkdir(parents=True, exist_ok=True)
    everything = frozenset(corpus.groups)
    sites = frozenset(e.site for e in corpus.examples if e.site)
    # Sites and domains are dealt apart, so that every fold has its share of both.
    _HANDS = [a | b for a, b in zip(deal(sites, FOLDS, SEED), deal(everything - sites, FOLDS, SEED), strict=True)]
    folds = range(FOLDS)
    # What is shipped comes last: what is measured does not wait for it.
    without = [*(frozenset({k}) for k in folds), *(frozenset(pair) for pair in combinations(folds, 2)), frozenset()]
    first: dict[frozenset[int], Trained] = {}
    rows: list[Row] = []
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("fork")) as pool:
        for key, trained in zip(without, pool.map(_first_task, without), strict=True):
            first[key] = trained
            say(f"first stage without folds {sorted(key)}")

        def later(fold: int) -> tuple[int, TreeEnsemble, OutOfFold, str]:
            own = frozenset({fold} - {-1})
            score = OutOfFold({}, {})
            for other in folds:
                if other != fold:
                    mine = first[own | {other}].score.only({e.name for e in corpus.of(_HANDS[other])})
                    score.named.update(mine.named)
                    score.unnamed.update(mine.unnamed)
            path = options.out / (f"fold-{fold}.json" if own else "content.json")
            return fold, first[own].trees, score, str(path)

        for fold, found in zip((*folds, -1), pool.map(_later_task, map(later, (*folds, -1))), strict=True):
            rows += found
            say(f"fold {fold} trained" if fold >= 0 else "content.json trained")
    index = {g: f"fold-{k}.json" for k, h in enumerate(_HANDS) for g in sorted(h)}
    (options.out / "index.json").write_text(json.dumps({"models": index}, indent=1, sort_keys=True) + "\n", "utf-8")
    report = summary(rows, sites)
    (options.out / "report.md").write_text(report, "utf-8")
    print(report)
    return 0
