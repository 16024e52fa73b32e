"""The stages of the default extractor, trained from the pages of some groups (domains, sites).

The first stage's scores that the later stages learn from are out of fold, so that nothing of a page reaches the trees that
judge it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import lightgbm
import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32, Hashes
from sitegrain.extractor.evidence import LIKENESS_NAMES
from sitegrain.extractor.lexicon import LEXICAL_NAMES, N_TEXT
from sitegrain.extractor.model import ContentTrees
from sitegrain.extractor.stages import SITE_NAMES, STAGE_NAMES, stage_columns
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.training.examples import PageExample
from sitegrain.training.lexicon import Learned, WordCorpus

SEED = 20261115
BLANK_NAMES, BLANK_HINTS = 0.55, 0.2
"""Share of training pages whose class and id names (type hints) are blanked: names may be scrambled."""
SITE_PAGE_WEIGHT = 0.15
"""A page of a site counts less than a page of its own domain: thirty pages of a site share one template."""
ECHO_WEIGHT = 0.5
"""What a page counts where its site has copies of pages: there are not many such sites."""
THIN_WORDS, THIN_TO = 2, 3
"""Of template blocks of so few words the first trees learn from every third, which counts for three: half of all blocks are
such, and they weigh next to nothing."""
DOMAIN_WEIGHT = 0.3
"""What a single page counts where the site's trees learn from the other pages of its domain. Trees that learned from
the labelled sites alone made such pages worse (shops, forums and lists are not among those sites)."""

FIRST: dict[str, Any] = {
    "objective": "cross_entropy", "learning_rate": 0.13, "num_leaves": 31, "min_data_in_leaf": 80, "feature_fraction": 0.25,
    "bagging_fraction": 0.6, "bagging_freq": 1, "lambda_l2": 10.0, "max_bin": 63,
}  # fmt: skip
SECOND: dict[str, Any] = {
    "objective": "cross_entropy", "learning_rate": 0.08, "num_leaves": 8, "min_data_in_leaf": 200, "feature_fraction": 0.3,
    "bagging_fraction": 0.6, "bagging_freq": 1, "lambda_l2": 20.0, "max_bin": 63,
}  # fmt: skip
SITE_ALONE: dict[str, Any] = {**SECOND, "num_leaves": 15, "min_data_in_leaf": 150}
FIRST_ROUNDS, SECOND_ROUNDS, SITE_ROUNDS = 90, 100, 150
FIRST_BAGS = 2
"""First ensembles that are averaged: one draw of trees is 0.002 better or worse than another."""
COMMON: dict[str, Any] = {"verbose": -1, "num_threads": 1, "seed": SEED, "deterministic": True, "force_col_wise": True}

NAME_PREFIXES = ("class_", "near_", "comment_named", "page_named")
HINT_PREFIXES = ("url_", "ld_")
_PAGE_KEPT = (
    "page_words", "page_links", "page_prose", "page_named", "page_block_words", "page_sentences", "page_p", "page_longest",
)  # fmt: skip
"""Of the page's counts only these: the others tell sites apart and taught the trees single templates by heart."""
_TOPIC = ("about", "about_up2", "heading_about", "heading_links", "copies_before", "in_run", "from_run", "up2_dates")
_SECOND_OWN = (
    "words", "link_density", "tag", "in_heading", "stops", "digit_rate", "in_list", "in_table", "since_h1", "order_share",
    "page_words", "page_prose", "page_links", "up0_like", "up1_like", "up2_like", "up1_posts", "up2_posts", *_TOPIC,
)  # fmt: skip
_SITE_OWN = (
    "words", "link_density", "tag", "in_heading", "stops", "digit_rate", "since_comment", "since_related",
    "comment_named_share", "comment_after_share", "class_comment", "near_comment", "class_related", *LIKENESS_NAMES, *_TOPIC,
)  # fmt: skip
_ALONE_OWN = (
    *_SITE_OWN, "commas", "upper_rate", "in_list", "in_table", "in_anchor", "in_pre", "in_paragraph", "class_meta", "cue_meta",
    "cue_comment", "cue_related", "cue_share", "up0_like", "up1_like", "up2_like", "up0_posts", "up1_posts", "up2_posts",
    "up3_posts", "up1_posts_share", "up2_posts_share", "up0_prose", "up1_prose", "up2_prose", "up1_prose_share",
    "up2_prose_share", "up1_share", "up2_share", "in_prose_0.4", "in_prose_0.7", "order_share", "since_h1", "word_length",
    "ends_with_stop",
)  # fmt: skip
_ALONE_LEXICAL = ("lex", "lex_min", "lex_max", "lex_heading", "name0", "name0_min", "name0_max", "name1")
_MONOTONE = {
    **dict.fromkeys(("site_same", "site_masked", "path_same", "tagpath_same", "path_first_word", "path_last_word"), -1),
    **dict.fromkeys(
        ("path_distinct", "tagpath_distinct", "new_up1", "new_up2", "new_up3", "new_within", "rare_words"), 1
    ),
}
"""More repetition never speaks for content, more new text never against it: thirty sites are too few to leave that open."""


def first_names(names: Sequence[str]) -> tuple[str, ...]:
    """The features of the first stage: the page's own evidence."""
    return tuple(n for n in names if not n.startswith("page_") or n in _PAGE_KEPT)


SECOND_NAMES = (*(n for n in STAGE_NAMES if "path" not in n), *_SECOND_OWN)
SITE_SECOND_NAMES = (*SITE_NAMES, *STAGE_NAMES, *_SITE_OWN)
SITE_ALONE_NAMES = (*SITE_NAMES, *_ALONE_OWN, *_ALONE_LEXICAL)
LATER_NAMES = tuple(dict.fromkeys((*SECOND_NAMES, *SITE_SECOND_NAMES, *SITE_ALONE_NAMES)))
"""All that the later stages read."""


@dataclass(frozen=True)
class Corpus:
    """All examples, the names of their page features, and their words."""

    names: tuple[str, ...]
    examples: list[PageExample]
    words: WordCorpus
    digests: Mapping[str, str]
    """Of every data set, by its name; of a site, by the site's."""

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


def columns_of(names: Sequence[str], prefixes: tuple[str, ...]) -> list[int]:
    """The places of the names that begin so."""
    return [k for k, n in enumerate(names) if n.startswith(prefixes)]


def train_ensemble(
    x: list[Floats32],
    y: list[Floats],
    w: list[Floats],
    names: Sequence[str],
    params: dict[str, Any],
    rounds: int,
    bags: int = 1,
) -> TreeEnsemble:
    """An ensemble; with bags, the mean of some that differ in what they draw."""
    cells, label, weight = np.concatenate(x), np.concatenate(y), np.concatenate(w)
    trees: list[Any] = []
    for bag in range(bags):
        data = lightgbm.Dataset(cells, label, weight=weight, feature_name=list(names))
        dump = lightgbm.train({**COMMON, **params, "seed": SEED + bag}, data, num_boost_round=rounds).dump_model()
        trees += dump["tree_info"]
    every = TreeEnsemble.from_lightgbm({**dump, "tree_info": trees})
    return replace(every, value=every.value / bags)


@dataclass(frozen=True)
class First:
    """A trained first stage."""

    learned: Learned
    trees: TreeEnsemble

    def predict(self, corpus: Corpus, e: PageExample, without_names: bool = False) -> Floats:
        """The scores of a page's blocks."""
        have, parts = (*corpus.names, *LEXICAL_NAMES), (e.x, self.lexical(e, without_names))
        return self.trees.predict_parts(parts, np.array([have.index(n) for n in self.trees.names]))

    def lexical(self, e: PageExample, without_names: bool = False) -> Floats32:
        """What its words say, as on a page that it was not trained on."""
        out = self.learned.columns(e)
        if without_names:
            out[:, N_TEXT:] = np.nan
        return out


def train_first(corpus: Corpus, groups: frozenset[str], seed: int, bags: int = 1) -> First:
    """The first stage, from single pages and from pages of sites without their site."""
    rng = np.random.default_rng(seed)
    used = first_names(corpus.names)
    n_own = len(corpus.names)
    names, at = (
        (*used, *LEXICAL_NAMES),
        [*(corpus.names.index(n) for n in used), *range(n_own, n_own + len(LEXICAL_NAMES))],
    )
    named, hinted = columns_of(corpus.names, NAME_PREFIXES), columns_of(corpus.names, HINT_PREFIXES)
    learned = corpus.words.learn(groups)
    x, y, w = [], [], []
    for e in corpus.of(groups):
        if not e.is_learned:
            continue
        whole = np.concatenate([e.x, learned.columns(e, without_own=True)], axis=1)
        own, without_names = blanked(whole, rng, named, hinted)
        if without_names:
            own[:, n_own + N_TEXT :] = np.nan
        some, weight = _thinned(e, rng)
        x.append(own[some][:, at])
        y.append(e.label[some])
        w.append(weight * (SITE_PAGE_WEIGHT if e.site else 1.0))
    return First(learned, train_ensemble(x, y, w, names, FIRST, FIRST_ROUNDS, bags))


def _thinned(page: PageExample, rng: np.random.Generator) -> tuple[npt.NDArray[np.intp], Floats]:
    """The blocks of a page that trees learn from, and what each counts."""
    is_many = (page.words <= THIN_WORDS) & (page.label < 0.05)
    is_in = (page.weight > 0) & (~is_many | (rng.random(len(page.words)) < 1 / THIN_TO))
    some = np.flatnonzero(is_in)
    return some, np.where(is_many, page.weight * THIN_TO, page.weight)[some]


def blanked(x: Floats32, rng: np.random.Generator, named: list[int], hinted: list[int]) -> tuple[Floats32, bool]:
    """A copy with names or hints blanked at random, as where a site's names are scrambled; and whether names are."""
    without_names, without_hints = rng.random() < BLANK_NAMES, rng.random() < BLANK_HINTS
    if without_names or without_hints:
        x = x.copy()
        if without_names:
            x[:, named] = 0
        if without_hints:
            x[:, hinted] = np.nan
    return x, without_names


def nameless(names: Sequence[str], e: PageExample) -> PageExample:
    """The page as it is where class and id names are scrambled; its words are those of the page (see `First.lexical`)."""
    x = e.x.copy()
    x[:, columns_of(names, NAME_PREFIXES)] = 0
    return replace(e, x=x)


Scores = dict[str, Floats]
"""First scores of the blocks of pages."""


class OutOfFold(NamedTuple):
    """First scores of pages by trees that have not seen them."""

    named: Scores
    unnamed: Scores
    """The same without class and id names."""

    @classmethod
    def of(cls, corpus: Corpus, first: First, examples: Sequence[PageExample]) -> OutOfFold:
        return cls(
            {e.name: first.predict(corpus, e) for e in examples},
            # Types are learned from single pages alone.
            {e.name: first.predict(corpus, nameless(corpus.names, e), True) for e in examples if not e.site},
        )

    def only(self, pages: Set[str]) -> OutOfFold:
        """Those of some pages."""
        return OutOfFold(*({n: s for n, s in part.items() if n in pages} for part in self))


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


def _look(means: dict[int, float], key: Hashes) -> Floats:
    return np.array([means.get(k, np.nan) for k in key.tolist()])


def second_inputs(
    names: Sequence[str],
    examples: Sequence[PageExample],
    score: Scores,
    lexical: Callable[[PageExample], Floats32],
) -> list[tuple[PageExample, str, Floats32]]:
    """(example, how much of its site is known, the columns `LATER_NAMES`) for every page with gold."""
    have = (*names, *SITE_NAMES, *STAGE_NAMES, *LEXICAL_NAMES)
    at = [have.index(n) for n in LATER_NAMES]
    by_group: dict[str, list[PageExample]] = defaultdict(list)
    for e in examples:
        if e.paths is not None:
            by_group[e.group].append(e)
    whole = {s: path_means(pages, score) for s, pages in by_group.items()}
    parts = {
        (s, k): path_means([e for e in pages if e.part == k and e.of_part is not None], score)
        for s, pages in by_group.items()
        for k in {e.part for e in pages}
    }
    out: list[tuple[PageExample, str, Floats32]] = []
    for e in examples:
        if not e.has_gold or not len(e.label):
            continue
        p, words = score[e.name], lexical(e)
        nothing = np.full((len(words), len(SITE_NAMES)), np.nan, np.float32)
        around = stage_columns(e.geometry, e.words, p)
        out.append((e, "none", np.concatenate([e.x, nothing, around, words], axis=1)[:, at]))
        for how, of_site, means in (
            ("all", e.of_site, whole.get(e.group)),
            ("part", e.of_part, parts.get((e.group, e.part))),
            ("echo", e.of_echo, whole.get(e.group)),
        ):
            if of_site is not None and means is not None and e.paths is not None:
                elsewhere = (_look(mean, path) for mean, path in zip(means, e.paths, strict=True))
                around = stage_columns(e.geometry, e.words, p, *elsewhere)
                out.append((e, how, np.concatenate([e.x, of_site, around, words], axis=1)[:, at]))
    return out


Inputs = Sequence[tuple[PageExample, str, Floats32]]


def train_second(
    inputs: Inputs, names: tuple[str, ...], params: dict[str, Any], rounds: int, seed: int
) -> TreeEnsemble:
    """A second stage with these features."""
    rng = np.random.default_rng(seed)
    at = [LATER_NAMES.index(n) for n in names]
    named, hinted = columns_of(LATER_NAMES, NAME_PREFIXES), columns_of(LATER_NAMES, HINT_PREFIXES)
    lexical = [k for k, n in enumerate(LATER_NAMES) if n in LEXICAL_NAMES[N_TEXT:]]
    x, y, w = [], [], []
    for e, how, columns in inputs:
        own, without_names = blanked(columns, rng, named, hinted)
        if without_names:
            own[:, lexical] = np.nan
        weight = e.weight * (ECHO_WEIGHT if how == "echo" else 1.0 if e.site or how == "none" else DOMAIN_WEIGHT)
        is_in = weight > 0
        x.append(own[is_in][:, at])
        y.append(e.label[is_in])
        w.append(weight[is_in])
    monotone = [_MONOTONE.get(n, 0) for n in names]
    return train_ensemble(x, y, w, names, {**params, "monotone_constraints": monotone}, rounds)


def train_trees(corpus: Corpus, first: First, groups: frozenset[str], score: OutOfFold, seed: int) -> ContentTrees:
    """All stages that score blocks from the pages of some groups: `first` learned from them, `score` has first scores of their pages that are
    out of fold."""
    mine = corpus.of(groups)
    inputs = second_inputs(corpus.names, mine, score.named, lambda e: first.learned.columns(e, without_own=True))
    single = [i for i in inputs if not i[0].site and i[1] == "none"]
    of_sites = [i for i in inputs if i[1] != "none"]
    return ContentTrees(
        lexicon=first.learned.lexicon(),
        first=first.trees,
        second=train_second(single, SECOND_NAMES, SECOND, SECOND_ROUNDS, seed),
        site=train_second(of_sites, SITE_SECOND_NAMES, SECOND, SITE_ROUNDS, seed),
        site_alone=train_second(of_sites, SITE_ALONE_NAMES, SITE_ALONE, SITE_ROUNDS, seed),
        about={"seed": seed, "pages": len(mine)},
    )
