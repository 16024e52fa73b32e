"""Train the default extractor's trees, and measure them out of fold.

    python -m sitegrain.training content --data DATA --out out/content

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
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.errors import SourceError
from sitegrain.evaluation.data import open_pages, open_sites
from sitegrain.extractor.lexicon import LEXICAL_NAMES
from sitegrain.extractor.model import CONTENT_KIND, ContentTrees, decide, page_opinion, site_opinion
from sitegrain.extractor.pagetypes import PAGE_TYPES, type_columns
from sitegrain.extractor.stages import SITE_NAMES, STAGE_NAMES
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import save_model
from sitegrain.learned.origin import write_origin
from sitegrain.training.examples import PageExample, page_examples, site_examples
from sitegrain.training.lexicon import WordCorpus
from sitegrain.training.stages import (
    NAME_PREFIXES,
    SEED,
    Corpus,
    First,
    columns_of,
    deal,
    second_inputs,
    train_trees,
)

COMMAND = "python -m sitegrain.training content --data DATA --out OUT"
FOLDS = 5


def measure(
    corpus: Corpus, trees: ContentTrees, first: First, groups: frozenset[str]
) -> list[tuple[str, str, str, float]]:
    """(kind or site, name, what is known, F1) of every page with gold, by the text of its blocks.

    For single pages also whether the page type was found, as "type" (1 or 0).
    """
    examples = corpus.of(groups)
    have = (*corpus.names, *SITE_NAMES, *STAGE_NAMES, *LEXICAL_NAMES)
    named = columns_of(corpus.names, NAME_PREFIXES)
    out = []
    for tag in ("", "+scrambled"):
        seen = examples
        if tag:
            seen = [replace(e, x=e.x.copy()) for e in examples]
            for e in seen:
                e.x[:, named] = 0
        score = {e.name: first.predict(corpus, e, without_names=bool(tag)) for e in seen}

        def words(e: PageExample, without_names: bool = bool(tag)) -> Floats32:
            return first.lexical(e, without_names)

        for e, how, x in second_inputs(seen, score, words):

            def predict(part: TreeEnsemble, x: Floats32 = x) -> Floats:
                return part.predict(x[:, [have.index(n) for n in part.names]])

            by_trees, by_both = score[e.name]
            if how == "none":
                p = page_opinion(by_both, predict(trees.second))
            else:
                p = site_opinion(by_trees, predict(trees.site_alone), predict(trees.site))
            size = np.array([len(t) for t in e.block_tokens], np.float64)
            kept = decide(p, size, np.zeros(len(p), np.int64), 1)
            out.append((e.kind, e.name, how + tag, e.f1(kept)))
            if not e.site and not tag and how == "none":
                row = type_columns(corpus.names, e.x, e.words, np.zeros(len(p), np.int64), by_both, 1)
                guess = int(np.argmax([t.predict(row)[0] for t in trees.types]))
                out.append((e.kind, e.name, "type", float(PAGE_TYPES[guess] == e.kind)))
    return out


_CORPUS: Corpus | None = None


def _task(task: tuple[frozenset[str], frozenset[str], int, str]) -> list[tuple[str, str, str, float]]:
    train, test, seed, path = task
    assert _CORPUS is not None
    trees, first = train_trees(_CORPUS, train, seed)
    trees.about["data"] = "WCXB development pages (Murrough Foley 2026, CC BY 4.0) and labelled sites"
    save_model(path, CONTENT_KIND, trees)
    sites = {e.site for e in _CORPUS.examples if e.site}
    write_origin(path, COMMAND, {k: v for k, v in _CORPUS.digests.items() if k in train or k not in sites})
    return measure(_CORPUS, trees, first, test) if test else []


def read_corpus(data: Path, say: Callable[[str], None]) -> Corpus:
    """All examples of a data folder."""
    path = next((p for p in (data / "wcxb-dev", data / "wcxb-dev.tar.xz") if p.exists()), None)
    if path is None:
        raise SourceError(f"{data}: there is no page set wcxb-dev or wcxb-dev.tar.xz (see docs/evaluation.md)")
    pages = open_pages(path)
    names, examples = page_examples(pages)
    digests = {pages.name: pages.digest}
    say(f"{len(examples)} single pages")
    for labelled in open_sites(data / "sites"):
        examples.extend(site_examples(labelled))
        digests[labelled.name] = labelled.digest
        say(f"site {labelled.name}")
    return Corpus(names, examples, WordCorpus.of(names, examples), digests)


def summary(rows: Sequence[tuple[str, str, str, float]], n_sites: frozenset[str]) -> str:
    """The out-of-fold figures as Markdown."""
    lines = ["# Out-of-fold figures of the default extractor", ""]
    for how in ("none", "none+scrambled", "part", "type"):
        single = [r for r in rows if r[0] not in n_sites and r[2] == how]
        if not single:
            continue
        kinds = sorted({r[0] for r in single})
        lines += [f"## Single pages, {how}: word F1", "", "| type | pages | F1 |", "|---|---|---|"]
        for kind in [*kinds, "all"]:
            values = [r[3] for r in single if kind in (r[0], "all")]
            lines.append(f"| {kind} | {len(values)} | {np.mean(values):.4f} |")
        lines.append("")
    hows = sorted({r[2] for r in rows if r[0] in n_sites})
    lines += [
        "## Sites: token F1 by what is known of the site",
        "",
        "| site | " + " | ".join(hows) + " |",
        "|---|" + "---|" * len(hows),
    ]
    table = {(s, h): [r[3] for r in rows if r[0] == s and r[2] == h] for s in n_sites for h in hows}
    for site in sorted(n_sites):
        lines.append(
            f"| {site} | " + " | ".join(f"{np.mean(table[site, h]):.3f}" if table[site, h] else "" for h in hows) + " |"
        )
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
