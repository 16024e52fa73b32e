"""WISDOM: the informative structure inside a page, found on its DOM tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.entropy import EntropyStats
from sitegrain.arrays.trees.preorder import child_count, nearest, subtree_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import Blocks, NodeMethod, NodeVerdict
from sitegrain.methods.wisdom.evidence import (
    DUMMY_TAGS,
    ENTROPY_FLOOR,
    TreeKind,
    WisdomEvidence,
    is_block_level,
    wisdom_evidence,
)
from sitegrain.methods.wisdom.search import (
    Expansion,
    condense,
    expand,
    informative_blocks,
    stopping,
)
from sitegrain.methods.wisdom.structure import BlockType, InformativeStructure, TypedBlocks
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.terms import Terms, site_terms

Condense = Literal["all", "blocks", "dummy", "none"]
TYPES: tuple[BlockType, ...] = ("article", "toc")


@dataclass(frozen=True)
class _Search:
    """The settings of the search for one type."""

    k: int
    st: float
    cstm: tuple[int, ...]
    condense: Condense


@dataclass
class WISDOM(NodeMethod):
    """Find the blocks of a page that carry an article or lead to articles (*TOC* blocks).

    A top-down search for the subtree with the most text (article) or the most telling anchors (TOC) whose
    children share it evenly; then siblings that qualify are merged in and parts that do not are cut out.
    What a text tells comes from term entropies over the whole site, so a menu counts for little.

    The text of a page is that of its article blocks, or of its TOC blocks when it has none; `keep` changes
    that. `structure` gives everything else.

    Parameters (defaults as printed in the paper)
    ---------------------------------------------
    k: blocks that the search may find on a page, of each type.
    st: SII above which a node is not split.
    tc_article: an article block has CII >= 1 - tc_article.
    tc_toc: a TOC block has a mean API of this or more per anchor.
    dstm, cstm: which sibling merges to do; `cstm` names the collateral ancestors, (1,) is 1-CSTM.
    min_siblings: siblings that make an ancestor "non-singleton" (the paper: more than one).
    condense: what is cut out of blocks. The paper has two readings: nodes that miss the constraint (section 3.3;
        "all" of them, or only "blocks", never inside a line of text), or "dummy" nodes, which hold no text of
        the block's kind (section 3: context for articles, anchor text for TOC blocks); or "none".
    k_toc, st_toc, cstm_toc, condense_toc: the same for TOC blocks alone; None for no difference.
    article_feature: "tlen" or "clen", what the search for articles goes by.
    toc_feature: "api", "alen", or "auto": ALEN on pages where more than `zero_api` of the anchors with
        `min_anchor` characters have API 0 (section 4.4). With ALEN the constraint is a mean anchor length of
        `min_anchor` and a CII of 1 - tc_alen.
    count_image_anchors: whether anchors without text count in the mean of `tc_toc`.
    count_empty: whether SII counts children that hold nothing (the paper calls them dummy nodes).
    descend: whether the search goes on below a node that is even but misses the constraint.
    max_anchor_share: an article block has at most this share of its text in anchors.
    tree: "blocks", "tags" (as the paper) or "texts": see `wisdom_evidence`.
    dummy_tags: tags that are no nodes.
    distinct: CII over different terms instead of over occurrences.
    skeleton: "mib", or "leaves" for the straw men: every leaf that fits.
    min_length: a leaf that is longer fits, whatever its terms (M2); None for the type constraint (M1).
    numbers: whether numbers are terms. floor: least EN in API. surround: terms around an anchor that API
        looks at, on each side ("the bounded text surrounding the anchor": the paper gives no number).
    keep: "article", "toc", "both", or "page" (article blocks, else TOC blocks).

    Where we differ from the paper: `tree`, `descend`, `condense` and `count_empty` are our readings, chosen on
    labelled sites (docs/methods/wisdom.md has the figures of the paper's letter too). A row that holds nothing
    is never a block; a subtree without terms (or without anchors) has no CII (no mean API), cannot join, and is
    not cut out of a block either; ties go by document order; links to the page itself have API 0; EN has a
    floor in API.

    Paper: Kao, Ho and Chen, "WISDOM: Web intrapage informative structure mining based on document object
    model", IEEE TKDE 17(5), 2005.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> page = "<ul><li><a href=0>Home</a><li><a href=1>News</a></ul><div><p>{0}, {0}<p>{0}</div>"
    >>> words = ["Rain fell on the hills", "Bread costs more again", "Trains run late today"]
    >>> captures = [Capture(f"http://a.org/{i}", page.format(w).encode()) for i, w in enumerate(words)]
    >>> site = build_site(captures)
    >>> verdict = WISDOM().fit_apply(site)
    >>> [site.node_text(i) for i in verdict.node_kept.nonzero()[0]][:2]
    ['Rain fell on the hills, Rain fell on the hills', 'Rain fell on the hills']
    """

    name: ClassVar[str] = "wisdom"

    k: int = 1
    st: float = 0.8
    tc_article: float = 0.8
    tc_toc: float = 1.25
    dstm: bool = True
    cstm: tuple[int, ...] = (1,)
    min_siblings: int = 2
    condense: Condense = "blocks"
    k_toc: int | None = None
    st_toc: float | None = None
    cstm_toc: tuple[int, ...] | None = None
    condense_toc: Condense | None = "dummy"
    article_feature: Literal["tlen", "clen"] = "clen"
    toc_feature: Literal["api", "alen", "auto"] = "auto"
    zero_api: float = 0.5
    min_anchor: int = 8
    tc_alen: float = 0.8
    count_image_anchors: bool = True
    count_empty: bool = False
    descend: bool = True
    max_anchor_share: float = 1.0
    tree: TreeKind = "blocks"
    dummy_tags: tuple[str, ...] = DUMMY_TAGS
    distinct: bool = False
    skeleton: Literal["mib", "leaves"] = "mib"
    min_length: int | None = None
    numbers: bool = False
    floor: float = ENTROPY_FLOOR
    surround: int = 5
    keep: Literal["page", "article", "toc", "both"] = "page"

    stats_: EntropyStats = field(init=False, compare=False, repr=False)
    vocabulary_: dict[str, int] = field(init=False, compare=False, repr=False)
    language_: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        counts = [self.k, self.min_siblings, *self.cstm, *(self.cstm_toc or ())]
        if any(c < 1 for c in counts) or (self.k_toc is not None and self.k_toc < 1):
            raise UsageError("WISDOM: k, min_siblings and the ancestors of cstm count from 1")
        if not self.floor > 0:
            raise UsageError("WISDOM: floor must be above 0, or API is infinite")
        unknown = [t for t in self.dummy_tags if t not in TAG_CODE]
        if unknown:
            raise UsageError(f"WISDOM: no tag called {', '.join(unknown)} in the tables")

    def check(self) -> None:
        """Every term has its statistics."""
        stats, numbers = self.stats_, self.vocabulary_.values()
        need(len(stats.total) == len(stats.t_log_t) and stats.n_docs >= 0, "statistics of terms do not fit")
        need(all(0 <= n < len(stats.total) for n in numbers), "a term has no statistics")

    @classmethod
    def m1(cls, **parameters: Any) -> Self:
        """Straw man M1: every leaf that meets the constraint is in the skeleton."""
        return cls(**{"skeleton": "leaves", **parameters})

    @classmethod
    def m2(cls, **parameters: Any) -> Self:
        """Straw man M2: like M1, but a leaf fits when its text has more than 5 characters."""
        return cls(**{"skeleton": "leaves", "min_length": 5, **parameters})

    @classmethod
    def letter(cls, **parameters: Any) -> Self:
        """The paper's letter: nodes are tags, empty ones count in SII, an even node that misses the constraint is given
        up, TOC blocks go by API alone, and all that misses the constraint is cut out (`condense` for the other reading).
        """
        words: dict[str, Any] = {
            "tree": "tags", "descend": False, "count_empty": True, "toc_feature": "api", "condense": "all",
            "condense_toc": None,
        }  # fmt: skip
        return cls(**{**words, **parameters})

    @classmethod
    def tuned(cls, **parameters: Any) -> Self:
        """Our own defaults: the best setting over thirty labelled sites (`sitegrain reproduce wisdom`).

        On a site left out of the choice, TOC blocks gain much and articles next to nothing: figures in
        docs/methods/wisdom.md. Less even nodes are blocks (st), a little less information is enough
        (tc_article), collateral siblings stay out, TOC blocks are judged by the anchor's line (surround) and
        stay whole.
        """
        ours: dict[str, Any] = {
            "st": 0.6,
            "tc_article": 0.85,
            "cstm": (),
            "st_toc": 0.75,
            "tc_toc": 2.0,
            "condense_toc": "none",
            "zero_api": 0.3,
            "count_image_anchors": False,
        }
        return cls(**{**ours, **parameters})

    # Learning: term entropies

    def fit(self, site: Site) -> Self:
        """Learn the term entropies of a site."""
        terms = site_terms(site, self.numbers)
        self.stats_, self.language_ = EntropyStats.of(terms.page_term), terms.language
        self.vocabulary_ = {t: i for i, t in enumerate(terms.vocabulary)}
        return self

    def update(self, site: Site) -> Self:
        """Learn from more pages of the site: entropies come out as if all had been there at once."""
        if not self.is_fitted:
            return self.fit(site)
        terms = site_terms(site, self.numbers, self.language_)
        known = self.vocabulary_
        more = [known.setdefault(t, len(known)) for t in terms.vocabulary]
        self.stats_ = self.stats_.merge(EntropyStats.of(terms.page_term), more)
        return self

    def entropy(self, terms: Terms) -> Floats:
        """EN of each term of a vocabulary; 0 for a term that was never seen, as for one on a single page."""
        self.need_fitted()
        known = np.append(self.stats_.entropy(), 0.0)
        unseen = len(known) - 1
        places = (self.vocabulary_.get(t, unseen) for t in terms.vocabulary)
        place = np.fromiter(places, np.int64, terms.n_terms)
        return np.asarray(known[place], np.float64)

    def evidence(self, site: Site) -> WisdomEvidence:
        """Phase 1: the features of every row."""
        self.need_fitted()
        terms = site_terms(site, self.numbers, self.language_)
        return wisdom_evidence(
            site,
            terms,
            self.entropy(terms),
            tree=self.tree,
            dummy_tags=self.dummy_tags,
            distinct=self.distinct,
            floor=self.floor,
            surround=self.surround,
        )

    # Phases 2 and 3

    def structure(self, site: Site, evidence: WisdomEvidence | None = None) -> InformativeStructure:
        """The informative structure of every page."""
        if evidence is None:
            evidence = self.evidence(site)
        by_alen = self.pages_by_alen(site, evidence)
        article, toc = (self.typed_blocks(site, evidence, kind, by_alen) for kind in TYPES)
        return InformativeStructure(site, evidence, article, toc, by_alen)

    def pages_by_alen(self, site: Site, evidence: WisdomEvidence) -> Bools:
        """Pages where ALEN stands in for API."""
        if self.toc_feature != "auto":
            return np.full(site.n_pages, self.toc_feature == "alen")
        return evidence.zero_api_share(site.n_pages, site.links.page, self.min_anchor) > self.zero_api

    def typed_blocks(self, site: Site, evidence: WisdomEvidence, kind: BlockType, by_alen: Bools) -> TypedBlocks:
        """Phases 2 and 3 for one type of block."""
        tree = evidence.tree
        total, sii = self._feature(site, evidence, kind, by_alen)
        fits, measured = self._constraint(site, evidence, kind, by_alen)
        how = self._search(kind)
        if self.skeleton == "leaves":
            leaf = tree.is_node & (child_count(tree.parent, tree.is_node) == 0)
            skeleton = np.flatnonzero(leaf & fits & (total > 0))
        else:
            skeleton = informative_blocks(tree, total, self._stops(evidence, sii, fits, how), fits, how.k)
        block = expand(tree, total, fits, skeleton, Expansion(self.dstm, how.cstm, self.min_siblings))
        if how.condense in ("all", "blocks"):
            drops = tree.is_node & measured & ~fits
            if how.condense == "blocks":
                drops &= is_block_level(site)
        elif how.condense == "dummy":
            drops = tree.is_node & ((evidence.clen_a if kind == "article" else evidence.alen_a) == 0)
        else:
            drops = np.zeros(site.n_nodes, bool)
        return TypedBlocks(kind, total, sii, fits, skeleton, block, condense(tree, block, drops))

    def _feature(
        self, site: Site, evidence: WisdomEvidence, kind: BlockType, by_alen: Bools
    ) -> tuple[npt.NDArray[Any], Floats]:
        """(the aggregate that the search goes by, its SII)."""
        if kind == "article":
            return evidence.total(self.article_feature), evidence.sii(self.article_feature, self.count_empty)
        if not by_alen.any():
            return evidence.api_a, evidence.sii("api", self.count_empty)
        rows = by_alen[site.nodes.page]
        sii = np.where(rows, evidence.sii("alen", self.count_empty), evidence.sii("api", self.count_empty))
        return np.where(rows, evidence.alen_a, evidence.api_a), sii

    def _search(self, kind: BlockType) -> _Search:
        if kind == "article":
            return _Search(self.k, self.st, self.cstm, self.condense)
        return _Search(
            self.k if self.k_toc is None else self.k_toc,
            self.st if self.st_toc is None else self.st_toc,
            self.cstm if self.cstm_toc is None else self.cstm_toc,
            self.condense if self.condense_toc is None else self.condense_toc,
        )

    def _stops(self, evidence: WisdomEvidence, sii: Floats, fits: Bools, how: _Search) -> Bools:
        tree = evidence.tree
        # To go on below an even node that misses the constraint is to treat it as uneven.
        return stopping(tree, np.where(fits, sii, -1.0) if self.descend else sii, how.st)

    def _constraint(self, site: Site, evidence: WisdomEvidence, kind: BlockType, by_alen: Bools) -> tuple[Bools, Bools]:
        """(rows that meet the type constraint, rows where it can be measured)."""
        if self.min_length is not None:
            return evidence.tlen_a > self.min_length, np.ones(site.n_nodes, bool)
        told = evidence.terms_a > 0
        article = told & (evidence.cii >= 1.0 - self.tc_article)
        if self.max_anchor_share < 1.0 and kind == "article":
            article &= evidence.alen_a <= self.max_anchor_share * evidence.tlen_a
        if kind == "article":
            return article, told
        anchors = evidence.anchors_a if self.count_image_anchors else evidence.text_anchors_a
        per_anchor = np.maximum(anchors, 1)
        fits = evidence.api_a / per_anchor >= self.tc_toc
        if by_alen.any():
            told &= evidence.cii >= 1.0 - self.tc_alen
            long = (evidence.alen_a / per_anchor >= self.min_anchor) & told
            fits = np.where(by_alen[site.nodes.page], long, fits)
        return (anchors > 0) & fits, anchors > 0

    # The verdict

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every text node."""
        return self.verdict(self.structure(site))

    def verdict(self, found: InformativeStructure) -> NodeVerdict:
        """A structure as the verdict that all node methods give."""
        site, evidence = found.site, found.evidence
        is_text = site.is_text
        article, toc = found.article.kept & is_text, found.toc.kept & is_text
        if self.keep == "page":
            has = np.zeros(site.n_pages, bool)
            has[site.nodes.page[article]] = True
            kept = np.where(has[site.nodes.page], article, toc)
        else:
            kept = {"article": article, "toc": toc, "both": article | toc}[self.keep]
        blocks, node_block = self._blocks(found, article, toc)
        # The weight of the text around decides among rows of the same verdict.
        cii = evidence.cii[np.maximum(site.nodes.parent, 0)]
        score = np.where(is_text, np.where(kept, 0.5 + cii / 2, cii / 2.0), 0.0)
        return NodeVerdict(score, kept, node_block, blocks, self._notes(found))

    def _blocks(self, found: InformativeStructure, article: Bools, toc: Bools) -> tuple[Blocks, npt.NDArray[np.int32]]:
        """One row per kept block of either type, then one per page for the text that is in none."""
        site, evidence = found.site, found.evidence
        parent = site.nodes.parent
        node_block = np.full(site.n_nodes, -1, np.int32)
        tops: list[Ints64] = []
        n = 0
        # Article blocks last: where the two types share text, the row belongs to the article.
        for typed, inside in ((found.toc, toc), (found.article, article)):
            rows = np.flatnonzero(typed.block)
            number = np.full(site.n_nodes + 1, -1, np.int64)
            number[rows] = n + np.arange(len(rows))
            node_block[inside] = number[nearest(parent, typed.block)[inside]]
            tops.append(rows)
            n += len(rows)
        left = site.is_text & (node_block < 0)
        pages = np.unique(site.nodes.page[left])
        number = np.zeros(site.n_pages, np.int64)
        number[pages] = n + np.arange(len(pages))
        node_block[left] = number[site.nodes.page[left]]
        roots = site.pages.node_offset[pages].astype(np.int64)
        node = np.concatenate((*tops, roots))
        kind = np.repeat(np.array(["toc", "article", ""]), [len(tops[0]), len(tops[1]), len(roots)])
        anchors = evidence.anchors_a if self.count_image_anchors else evidence.text_anchors_a
        api = evidence.api_a[node] / np.maximum(anchors[node], 1)
        cii = evidence.cii[node]
        sii = np.concatenate((found.toc.sii[tops[0]], found.article.sii[tops[1]], np.zeros(len(roots))))
        values = zip(kind[:n].tolist(), api[:n].tolist(), cii[:n].tolist(), sii[:n].tolist(), strict=True)
        reason = [
            f"TOC block: mean API {a:.2f}, SII {s:.2f}" if t == "toc" else f"article block: CII {c:.2f}, SII {s:.2f}"
            for t, a, c, s in values
        ]
        reason += ["outside the informative structure"] * len(roots)
        length = site.nodes.text_end - site.nodes.text_start
        own = [subtree_sum(np.where(kept, length, 0), site.nodes.end) for kept in (toc, article, left)]
        evidence_columns = {
            "n_characters": np.concatenate((own[0][tops[0]], own[1][tops[1]], own[2][roots])).astype(np.int64),
            "type": kind,
            "cii": cii,
            "api": api,
            "sii": sii,
            "tlen": evidence.tlen_a[node],
            "anchors": evidence.anchors_a[node],
        }
        informative = kind != ""
        score = np.where(informative, cii, 0.0)
        return Blocks(node.astype(np.int32), score, informative, tuple(reason), evidence_columns), node_block

    def _notes(self, found: InformativeStructure) -> tuple[str, ...]:
        links, n = found.evidence.links, found.site.n_pages
        notes = []
        if links.n_unknown:
            share = f"{links.n_unknown:,} of {len(links.api):,}"
            notes.append(f"{share} anchors lead to no other page of the set: their API is 0")
        if by_alen := int(found.page_uses_alen.sum()):
            notes.append(f"{by_alen:,} of {n:,} pages: most anchors have API 0, so their length stands in")
        if n == 1:
            notes.append("one page only: every term counts as informative")
        return tuple(notes)
