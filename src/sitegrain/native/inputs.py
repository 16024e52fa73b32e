"""What kernels take: tables as tuples of columns, in the order in which `columns.h` declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Hashes
from sitegrain.light import late_pattern
from sitegrain.native.columns import names_of

Array = npt.NDArray[Any]


class RowColumns(NamedTuple):
    """The rows of some pages, numbered from 0."""

    tag: Array
    parent: Array
    end: Array
    depth: Array
    page: Array
    text_start: Array
    text_end: Array
    flags: Array


class AttrColumns(NamedTuple):
    """The attributes of rows, in their order."""

    node: Array
    name: Array
    value: Array


class BlockColumns(NamedTuple):
    """Runs of text rows, in document order."""

    box: Array
    page: Array
    first: Array
    last: Array
    text_start: Array
    text_end: Array


class TreeColumns(NamedTuple):
    """The nodes of trees: row x goes left where x[feature] <= threshold, a leaf has left < 0."""

    feature: Array
    threshold: Array
    left: Array
    right: Array
    default_left: Array
    value: Array


class PathColumns(NamedTuple):
    """What stands at each path of a site, by ascending key."""

    key: Hashes
    pages: Floats
    blocks: Floats
    distinct: Floats
    words: Floats
    links: Floats
    score: Floats


class CountColumns(NamedTuple):
    """How often each key comes, by ascending key."""

    key: Hashes
    times: Floats


class Vocabulary(NamedTuple):
    """What characters, tags and words are, for all pages."""

    char_kinds: npt.NDArray[np.uint8]
    tag_kinds: npt.NDArray[np.void]
    class_words: object | None
    """A `matcher` of parts of class names; None where names do not count."""
    cue_words: object


class PageHints(NamedTuple):
    """What pages say of themselves outside of their text."""

    urls: npt.NDArray[np.int64] | None
    """Per page: families of words of its address, as bits; None where hints do not count."""
    types: npt.NDArray[np.int64] | None
    """Per page: the types that it claims, as bits."""
    titles: tuple[frozenset[str], ...]
    """Per page: the words of its title."""
    about: tuple[str, ...]
    """Title and description of each page in turn."""
    mark_row: npt.NDArray[np.int32]
    """Rows that are marked by their role or itemprop, ascending."""
    mark_column: npt.NDArray[np.int32]
    """What each is marked as: a place among the columns from `in_group` to `in_body_prop`."""


class PageTables(NamedTuple):
    """Some pages as their evidence is read."""

    rows: RowColumns
    attrs: AttrColumns
    blocks: BlockColumns
    text: str
    strings: tuple[str, ...]
    n_pages: int


class Geometry(NamedTuple):
    """Where blocks stand in the tree: what sums over neighbours and ancestors need."""

    page: npt.NDArray[np.int32]
    """Per block, counted from 0."""
    first: npt.NDArray[np.int32]
    """Per block: its first text row."""
    row_end: npt.NDArray[np.int32]
    """Per row: end of its subtree."""
    chain: npt.NDArray[np.int32]
    """[levels x blocks]: the row of each block's ancestor, each holding more text than the one before."""
    alike: npt.NDArray[np.int32]
    """[2 x blocks]: the blocks of its page that each is like, by the whole path and by its last elements: a number of the group, below
    the number of blocks."""
    n_pages: int


class SiteFacts(NamedTuple):
    """What was learned of a site; see `SiteKnowledge`, which says what each field is."""

    n_pages: int
    names: dict[str, int]
    text_pages: Mapping[str, int]
    masked_pages: Mapping[str, int]
    word_pages: Mapping[str, int]
    paths: PathColumns
    tag_paths: PathColumns
    row_pages: CountColumns
    first_words: CountColumns
    last_words: CountColumns


class SiteBlocks(NamedTuple):
    """The blocks of some pages as the site is asked about them."""

    text: str
    blocks: BlockColumns
    where: Geometry
    words: npt.NDArray[np.float64]
    is_sentence: npt.NDArray[np.bool_]
    row_page: npt.NDArray[np.int32]
    key: npt.NDArray[np.uint64]
    """Per row: the key of its path with class names."""
    tag_key: npt.NDArray[np.uint64]
    """The same without."""


class TextRows(NamedTuple):
    """The rows of one page as its text is written; ends are counted from its first row."""

    tag: npt.NDArray[np.int16]
    end: npt.NDArray[np.int32]
    flags: npt.NDArray[np.uint8]
    text_start: npt.NDArray[np.int32]
    text_end: npt.NDArray[np.int32]
    kept: npt.NDArray[np.bool_]


class LineRows(NamedTuple):
    """The rows of one page; their numbers are those of the site, and so are ends. Views of memory: single numbers come out of them faster
    than out of arrays (35 ns against 50). Lists are faster still (16), but to make them costs more than most pages ask for."""

    tag: Sequence[int]
    parent: Sequence[int]
    end: Sequence[int]
    text_start: Sequence[int]
    text_end: Sequence[int]
    flags: Sequence[int]


class RenderRows(NamedTuple):
    """The rows of a site as its pages are written."""

    tag: npt.NDArray[np.int16]
    parent: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    flags: npt.NDArray[np.uint8]
    text_start: npt.NDArray[np.int32]
    text_end: npt.NDArray[np.int32]


class RenderTables(NamedTuple):
    """A page of a site as it is written."""

    rows: RenderRows
    attrs: AttrColumns
    strings: tuple[str, ...]
    text: str
    """Of the page."""
    url: str
    first: int
    """Its rows are those from here to `stop`."""
    stop: int
    kept: npt.NDArray[np.bool_]
    """Per row of the page."""
    repeated: frozenset[str]
    """Pictures of the site's template."""


class RenderLimits(NamedTuple):
    """Numbers of writing; `render` and `tables.budgets` say where each comes from."""

    reach: int
    nesting: int
    grid_width: int
    grid_cells: int
    long_cell: int
    prose_cell: int
    short_label: int
    long_caption: int
    max_box: int
    card: int
    often: int
    span: int
    thumbnail: int
    nearly_all: float


class RenderRules(NamedTuple):
    """What tags mean to writers."""

    kinds: npt.NDArray[np.uint16]
    """Per tag: `RENDER_BITS`."""
    marks: npt.NDArray[np.uint8]
    """Per tag: which of `RENDER_MARKS` it is written as."""
    names: tuple[str, ...]
    """Of attributes, by their codes."""
    limits: RenderLimits


class RenderPage(Protocol):
    """What the kernel asks of a page: what it takes regular expressions, addresses and the names of classes to tell. Rows are those of the page.
    `sitegrain.render.walk` says what each is."""

    @property
    def gutters(self) -> list[tuple[int, bool, int]]: ...
    @property
    def formulas(self) -> dict[int, tuple[str, bool]]: ...
    @property
    def places(self) -> dict[int, list[str]]: ...
    @property
    def plain_base(self) -> tuple[str, str, str]: ...
    @property
    def addresses(self) -> dict[str, str]:
        """What `href` found of links so far, by what they say without white space around it; not asked for places of the page."""

    @property
    def sizes(self) -> dict[str, str]: ...
    def href(self, row: int, said: str) -> str: ...
    def picture(self, row: int, attrs: Mapping[str, str]) -> tuple[str, str, bool] | None: ...
    def media(self, row: int, attrs: Mapping[str, str]) -> tuple[str, str] | None: ...
    def language(self, row: int) -> str: ...
    def is_permalink(self, row: int) -> bool: ...
    def is_shared(self, row: int, href: str) -> bool: ...
    def is_card(self, row: int, href: str) -> bool: ...
    def in_python(self, title: str) -> str:
        """The page as the reference writes it."""


class Ensemble(NamedTuple):
    """A tree ensemble with the columns that it asks for, counted over EVIDENCE, SITE, STAGE, TEXT_WEIGHTS and NAME_WEIGHTS side by
    side (for page types: over the columns of types)."""

    trees: object
    """What `pack_trees` gave."""
    at: npt.NDArray[np.int64]
    is_probability: bool


class JudgeRules(NamedTuple):
    """Numbers of the decision; `extractor` says where each comes from."""

    nothing_below: float
    article_prior: float
    sure_from: float
    sure_to: float
    site_sure_from: float
    """It and the next where the site is known."""
    site_sure_to: float


class ScoreModel(NamedTuple):
    """What blocks are scored with."""

    char_kinds: npt.NDArray[np.uint8]
    text_words: npt.NDArray[np.void]
    """Hash table of the words of texts, and of names."""
    name_words: npt.NDArray[np.void]
    first: Ensemble
    second: Ensemble | None
    """It judges where the site is not known."""
    article: Ensemble | None
    """The votes for an article and for a forum, if the model tells page types."""
    forum: Ensemble | None
    type_own: npt.NDArray[np.int64]
    """The columns of EVIDENCE that all blocks of a page share, and those whose means page types ask for."""
    type_means: npt.NDArray[np.int64]
    rules: JudgeRules


class JudgedPages(NamedTuple):
    """Some pages with their evidence."""

    rows: RowColumns
    attrs: AttrColumns
    blocks: BlockColumns
    node_block: npt.NDArray[np.int32]
    text: str
    strings: tuple[str, ...]
    n_pages: int
    x: npt.NDArray[np.float32]
    chain: npt.NDArray[np.int32]
    alike: npt.NDArray[np.int32]
    words: npt.NDArray[np.float64]
    hashes: npt.NDArray[np.uint32] | None
    """The words of the blocks as numbers, if they are known, and how many each block has."""
    n_hashes: npt.NDArray[np.uint8] | None
    checked: object | None = None
    """What `judged_pages` gave: with it, kernels that take these very columns do not check them again."""


class MendRules(NamedTuple):
    """From where on the steps of `extractor.mending` have something to look at; what each means is said there."""

    little: float
    lead_words: float
    heading_score: float
    heading_links: float
    most: float
    mean_words: float
    post_score: float
    post_words: float
    post_links: float
    line_words: float
    article_words: float
    of_page: float
    spread: float
    most_whole: float
    min_blocks: int
    min_posts: int
    turns: frozenset[str]
    sure: float
    sure_words: float
    of_text: float
    doubt: float
    label_words: float
    row_words: float
    value_score: float
    row_blocks: int
    min_rows: int
    min_numbers: int
    sentence_words: float
    consent_doubt: float
    term_words: float
    head_words: float
    cookie: tuple[str, ...]


class LineRules(NamedTuple):
    """From where on the steps of `extractor.mending` that leave out single lines have something to look at; what each means is said there."""

    like_title: float
    n_titles: int
    labelled: float
    label_words: float
    label_chars: int
    head_blocks: int
    n_fields: int
    field_chars: int
    tool_links: float
    tool_words: float
    print_words: float
    sure: float
    n_signatures: int
    by_words: float
    row_words: float
    all_linked: float
    lead_score: float
    lead_words: float
    lead_links: float
    paragraph_score: float
    lead_about: float
    lead_above: int
    caption_score: float
    caption_words: float
    caption_blocks: int
    text_score: float
    text_words: float
    top_blocks: int
    day_words: float
    last_blocks: int
    notice_words: float
    noticed_words: float
    bare_words: float
    enclosed_words: float
    code_words: float
    bare_begins: frozenset[str]
    turns: tuple[str, ...]


DATE = late_pattern(
    r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|(?<![\d.,])\d{1,2}:\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}(?!\d).*(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d).*(?<!\d)\d{1,2}(?!\d)",
    re.DOTALL,
)
"""A day in numbers, a time of the day, or a year with another number: what a date has in any language."""


_MONTH = r"(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d]{0,7}"
WHEN = (
    # One look for the beginning of a word, and not one for each way to say when: most characters begin none.
    rf"\b(?:{_MONTH}\.?\s+\d{{1,2}}\b|\d{{1,2}}\.?\s+{_MONTH}\b|{_MONTH}\.?\s+(?:19|20)\d\d\b|"
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\d{1,2}[:h]\d\d\b|"
    r"\d+\s+(?:second|minute|hour|day|week|month|year)s?\s+ago\b|ago\b|(?:yesterday|today|gestern|heute|hier|ayer|hoy)\b|"
    r"vor\s+\d+\s|il y a\b|hace\s+\d|\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d]{3,10}\.?,?\s+(?:19|20)?\d\d\b|"
    r"[^\W\d]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d\b)|[前日]\b"
)
"""What says a day or a time, in a line in small letters."""


class DateRules(NamedTuple):
    """Where lines with a date stand below the text of a page, how many there must be, and which elements with dates are alike; what each means
    is said in `extractor.mending.comments`."""

    before_words: float
    prose_words: float
    line_words: float
    blocks_after: int
    least: int
    like_words: float
    most_dates: int
    of_like: float
    of_text: float
    with_heading: float
    below: float
    no_unit: bytes
    """One for each tag: not 0 for those of which none is a unit."""


class PostRows(NamedTuple):
    """The rows of a page that is cut into posts."""

    tag: npt.NDArray[np.int16]
    parent: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    total: npt.NDArray[np.int64]
    """One more: wanted characters of all rows before each."""


class PostRules(NamedTuple):
    """What each means is said in `article.posts`."""

    covered: float
    marked: float
    max_posts: int
    max_places: int


class SiteScores(NamedTuple):
    """What the site says of blocks, and the trees that weigh it: without the first scores, and with them."""

    of_site: npt.NDArray[np.float32]
    path: npt.NDArray[np.float64]
    tag_path: npt.NDArray[np.float64]
    alone: Ensemble
    with_first: Ensemble
    asks_first: bool
    """Few pages are known: the first scores count, too."""


for _table, _name in (
    (RowColumns, "ROWS"), (AttrColumns, "ATTRS"), (BlockColumns, "BLOCKS"), (TreeColumns, "TREES"), (PathColumns, "PATHS"),
    (CountColumns, "COUNTS"), (TextRows, "TEXT_ROWS"), (RenderRows, "RENDER_ROWS"),
):  # fmt: skip
    if _table._fields != names_of(_name):
        raise ValueError(f"columns.h and {_table.__name__} differ: {names_of(_name)}")
