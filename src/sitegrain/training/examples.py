"""Labelled pages as blocks with features and a soft label: the share of a block's text that is gold.

Single pages come from a page set in the WCXB layout (WCXB: Web Content eXtraction Benchmark, Murrough Foley
2026, CC BY 4.0), whole sites from labelled sites. A page of a site is an example without its site, with a small
part of its site, and with all of it, so that one model learns to do with what there is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from sitegrain.arrays.types import Floats, Floats32, Hashes, Hashes32, Ints64
from sitegrain.evaluation.data import LabelledSite, PageSet
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.metrics import PRF, bag_prf, prf, tokens
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, Geometry, gather
from sitegrain.extractor.knowledge import SiteKnowledge, learn
from sitegrain.extractor.lexicon import name_marks
from sitegrain.extractor.stages import site_block_columns
from sitegrain.extractor.typewords import page_words
from sitegrain.native import name_hashes, text_hashes
from sitegrain.native.chars import char_table
from sitegrain.native.reference.blocks.lexicon import chains, level_words
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.tags import TAG_CODE, TEXT
from sitegrain.training.borders import border_weights, snippet_labels

GOLD_PAGES, OTHER_PAGES = 18, 30
"""Labelled and other pages taken of each site: more of one template teach nothing new."""
SMALL_SITES = (3, 8, 25)
"""Sizes of the small parts of a site: it must work from a few pages up."""
PARTIAL_WEIGHT = 0.3
"""What a page with snippets only counts: they are few of its blocks."""
ECHOES = (0, 1, 2, 4)
"""Copies of a labelled page in a site whose content recurs (an event of every month, a product in several sizes)."""
_BR = TAG_CODE["br"]


@dataclass(frozen=True)
class BlockWords:
    """The words of the blocks of one page, as hashes."""

    text_hashes: npt.NDArray[np.uint32]
    text_offset: Ints64
    name_hashes: npt.NDArray[np.uint32]
    """The words of all names of the page."""
    levels: list[tuple[npt.NDArray[np.int32], Ints64]]
    """Per group of levels above a block: places in `name_hashes`, and where each block's begin."""

    @classmethod
    def of(cls, evidence: Evidence) -> BlockWords:
        blocks, rows = evidence.blocks, evidence.blocks.rows
        marks = name_marks(evidence)
        hashes, offset = name_hashes(marks.names)
        levels = level_words(marks.row, marks.value, chains(rows.parent, blocks.first), offset)
        return cls(
            *text_hashes(rows.text, blocks.text_start, blocks.text_end, char_table()),
            hashes,
            [(at.astype(np.int32), begins) for at, begins in levels],
        )


@dataclass
class PageExample:
    """The blocks of one page."""

    group: str
    """What must not be split over folds: a domain or a site."""
    kind: str
    """Page type (page sets) or site."""
    name: str
    x: Floats32
    geometry: Geometry
    words: Floats
    block_words: BlockWords
    label: Floats = field(default_factory=lambda: np.zeros(0))
    """Per block, 0...1: share of it that is gold; empty for a page without gold."""
    block_tokens: list[list[str]] = field(default_factory=list)
    gold_tokens: list[str] = field(default_factory=list)
    site: str = ""
    paths: tuple[Hashes, Hashes] | None = None
    of_site: Floats32 | None = None
    """The site's evidence, when all of it is known."""
    of_part: Floats32 | None = None
    """The same, when a small part of it is known."""
    part: int = -1
    of_echo: Floats32 | None = None
    """The same, when some of its pages have copies: text that several pages share and that is content."""
    trust: Floats | None = None
    """Per block, 0...1: how far its label is believed (see `borders`); None for all alike, 0 for a page that is not to be
    learned from."""

    type_words: Hashes32 = field(default_factory=lambda: np.zeros(0, np.uint32))
    """What the address, the title and the headings of a single page say of its type."""

    is_partial: bool = False
    """Labels of a few blocks only: it is learned from, and not measured."""

    @property
    def has_gold(self) -> bool:
        return len(self.label) > 0 or len(self.gold_tokens) > 0

    @property
    def is_learned(self) -> bool:
        """True if it has blocks to learn from."""
        return self.has_gold and len(self.label) > 0 and (self.trust is None or bool(self.trust.any()))

    @property
    def data(self) -> str:
        """The page set or the site it is of."""
        return self.site or self.name.partition("/")[0]

    def prf(self, kept: npt.NDArray[np.bool_]) -> PRF:
        """Token scores of the text of the kept blocks; of a page with snippets, of those that are known."""
        if not self.is_partial:
            return bag_prf([t for k in np.flatnonzero(kept) for t in self.block_tokens[k]], self.gold_tokens)
        assert self.trust is not None
        known, wanted = self.trust > 0, self.label > 0.5
        hits, wrong, missed = (
            float((known & a & b).sum()) for a, b in ((kept, wanted), (kept, ~wanted), (~kept, wanted))
        )
        return prf(hits, wrong, missed)

    @property
    def weight(self) -> Floats:
        """What each block counts in training: by its words, pages of all lengths nearly alike, as the measure does."""
        w = self.words + 1
        if self.is_partial and self.trust is not None:
            known = w * self.trust
            return np.asarray(known * (PARTIAL_WEIGHT * 50 / max(float(known.sum()), 1.0)))
        plain = w / w.sum() ** 0.5 / (1 + min(len(self.gold_tokens), 3000)) ** 0.5 * 50
        return np.asarray(plain if self.trust is None else plain * self.trust)


def aligned_labels(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> Floats:
    """Per block: the share of its words on a longest common subsequence with the gold text.

    >>> aligned_labels([["home"], ["the", "cat", "sat"], ["home"]], ["the", "cat", "sat", "home"]).tolist()
    [0.0, 1.0, 1.0]
    """
    ids: dict[str, int] = {}
    flat = [ids.setdefault(t, len(ids)) for block in blocks for t in block]
    target = [ids.setdefault(t, len(ids)) for t in gold]
    sizes = np.array([len(b) for b in blocks], np.int64)
    matched = np.zeros(len(flat), bool)
    for op in LCSseq.opcodes(flat, target):
        if op.tag == "equal":
            matched[op.src_start : op.src_end] = True
    block_of = np.repeat(np.arange(len(blocks)), sizes)
    hits = np.bincount(block_of, matched, len(blocks))
    return np.divide(hits, sizes, out=np.zeros(len(blocks)), where=sizes > 0)


def block_tokens(evidence: Evidence, cut: Callable[[str], list[str]]) -> list[list[str]]:
    """The tokens of every block."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    flags = rows.site.nodes.flags[rows.start : rows.start + len(rows)]
    out = []
    for first, last in zip(blocks.first.tolist(), blocks.last.tolist(), strict=True):
        pieces: list[str] = []
        for row in range(first, last + 1):
            if flags[row] & 1 or rows.tag[row] == _BR:
                pieces.append(" ")
            if rows.tag[row] == TEXT:
                pieces.append(rows.text[rows.text_start[row] : rows.text_end[row]])
        out.append(cut("".join(pieces)))
    return out


def page_examples(data: PageSet) -> tuple[tuple[str, ...], list[PageExample]]:
    """Every page of a page set, also the doubtful ones, which are only measured; and the names of the features."""
    out: list[PageExample] = []
    names: tuple[str, ...] = ()
    domains: dict[str, list[Capture]] = defaultdict(list)
    for capture, truth in data.captures():
        evidence = gather(rows_of(build_site([capture]), 0, 1))
        names = evidence.names
        cut = block_tokens(evidence, tokens)
        gold = tokens(truth.text)
        if truth.is_partial:
            label, trust = snippet_labels(cut, *([tokens(s) for s in some] for some in (truth.snippets, truth.noise)))
        else:
            label = aligned_labels(cut, gold)
            trust = border_weights(data.name, truth.page_type, names, evidence.x, label)
        if truth.is_doubtful:
            trust = trust * 0
        group = site_key(host_of(capture.url)) or truth.name
        domains[group].append(capture)
        out.append(
            PageExample(
                group=group,
                kind=truth.page_type,
                name=f"{data.name}/{truth.name}",
                x=evidence.x,
                geometry=evidence.geometry,
                words=evidence.words,
                block_words=BlockWords.of(evidence),
                label=label,
                block_tokens=cut,
                gold_tokens=gold,
                trust=trust,
                type_words=page_words(evidence).hashes,
                is_partial=truth.is_partial,
            )
        )
    for group, captures in domains.items():
        if len(captures) > 1:
            _add_domain([e for e in out if e.group == group], captures)
    return names, out


def _add_domain(examples: Sequence[PageExample], captures: Sequence[Capture]) -> None:
    """Pages of one domain are a small part of its site to each other."""
    knowledge = learn(build_site(captures))
    for example, capture in zip(examples, captures, strict=True):
        evidence = gather(rows_of(build_site([capture]), 0, 1))
        example.paths, example.part = knowledge.block_paths(evidence.blocks), 0
        example.of_part = site_block_columns(evidence, knowledge)


def _with_copies(captures: Sequence[Capture], n_gold: int) -> Iterator[Capture]:
    """Pages of a site, some of the first `n_gold` several times under other addresses."""
    for i, capture in enumerate(captures):
        yield capture
        for k in range(ECHOES[i % len(ECHOES)] if i < n_gold else 0):
            yield replace(capture, url=f"{capture.url}?again={k}", path=f"{capture.path}?again={k}")


def site_examples(labelled: LabelledSite) -> Iterator[PageExample]:
    """Some pages of a labelled site, those with gold first."""
    rng = np.random.default_rng(7)
    captures = {c.path: c for c in labelled.captures()}
    gold_paths = [p for p in labelled.sample(GOLD_PAGES) if p in captures]
    others = sorted(set(captures) - set(gold_paths))
    extra = [others[i] for i in rng.choice(len(others), min(OTHER_PAGES, len(others)), replace=False)] if others else []
    paths = [*gold_paths, *extra]
    knowledge = learn(build_site(captures.values()))
    site = build_site(captures[p] for p in paths)
    gold = gold_nodes(site, labelled, [captures[p] for p in paths])
    row = {p: i for i, p in enumerate(site.pages.path)}
    parts: list[SiteKnowledge] = []
    for k, size in enumerate(SMALL_SITES):
        own = [p for i, p in enumerate(gold_paths) if i % len(SMALL_SITES) == k][:size]
        fill = [p for p in rng.permutation(paths).tolist() if p not in own][: max(0, size - len(own))]
        parts.append(learn(build_site(captures[p] for p in [*own, *fill])))
    echo = learn(build_site(_with_copies([captures[p] for p in paths], len(gold_paths))))
    for i, path in enumerate(paths):
        if path not in row:
            continue
        page = row[path]
        evidence = gather(rows_of(site, page, page + 1))
        blocks = evidence.blocks
        example = PageExample(
            group=labelled.name,
            kind=labelled.name,
            name=f"{labelled.name}/{path}",
            x=evidence.x,
            geometry=evidence.geometry,
            words=evidence.words,
            block_words=BlockWords.of(evidence),
            site=labelled.name,
            paths=knowledge.block_paths(blocks),
            of_site=site_block_columns(evidence, knowledge),
        )
        if i < len(gold_paths) and path in gold.texts:
            is_gold = gold.node_gold[site.page_rows(page)]
            length = blocks.rows.text_end - blocks.rows.text_start
            own_text = blocks.node_block >= 0
            of = blocks.node_block[own_text]
            total = np.bincount(of, length[own_text], len(blocks))
            example.label = np.bincount(of, (length * is_gold)[own_text], len(blocks)) / np.maximum(total, 1)
            example.block_tokens = block_tokens(evidence, tokens)
            example.gold_tokens = tokens(gold.texts[path])
            place, example.part = i // len(SMALL_SITES), i % len(SMALL_SITES)
            if place < SMALL_SITES[example.part]:
                example.of_part = site_block_columns(evidence, parts[example.part])
            example.of_echo = site_block_columns(evidence, echo)
        yield example
