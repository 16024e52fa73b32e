"""What is decided block by block is mended where blocks belong together.

Each step is a function from kept blocks to kept blocks, general enough to be said in a sentence, and gives back the very array it was given
when it changes nothing. What each did to a block is remembered, so that no text goes or comes without a reason in words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints8
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.lines import (
    addresses,
    asides,
    codelabels,
    copies,
    letters,
    notices,
    signatures,
    tools,
    turns,
)
from sitegrain.extractor.mending.lines.addresses import without_own_address
from sitegrain.extractor.mending.lines.asides import (
    without_bare_leads,
    without_bylines,
    without_code_to_copy,
    without_leads,
    without_tags,
)
from sitegrain.extractor.mending.lines.codelabels import without_code_labels
from sitegrain.extractor.mending.lines.contents import without_contents
from sitegrain.extractor.mending.lines.copies import kept_once, without_echoes, without_subjects
from sitegrain.extractor.mending.lines.letters import without_letter_heads
from sitegrain.extractor.mending.lines.notices import without_notices, without_shouted_leads
from sitegrain.extractor.mending.lines.signatures import without_attached, without_signatures
from sitegrain.extractor.mending.lines.tools import without_tools
from sitegrain.extractor.mending.lines.turns import (
    Labelled,
    labelled,
    without_turn_lines,
    without_turn_rows,
    without_turns,
)
from sitegrain.extractor.mending.others import articles, below, captions, consents
from sitegrain.extractor.mending.others.articles import without_other_articles
from sitegrain.extractor.mending.others.below import without_below
from sitegrain.extractor.mending.others.captions import without_captions
from sitegrain.extractor.mending.others.cards import without_cards
from sitegrain.extractor.mending.others.comments import (
    without_comment_places,
    without_comments,
    without_named_comments,
)
from sitegrain.extractor.mending.others.consents import without_consents
from sitegrain.extractor.mending.others.dialogs import without_dialogs
from sitegrain.extractor.mending.others.fallbacks import without_fallbacks
from sitegrain.extractor.mending.others.labels import without_labels
from sitegrain.extractor.mending.others.linkbacks import without_linkbacks
from sitegrain.extractor.mending.others.linkrows import SAME, without_link_rows
from sitegrain.extractor.mending.others.notes import without_notes
from sitegrain.extractor.mending.others.places import with_places, without_after_end, without_places
from sitegrain.extractor.mending.others.teasers import without_teasers
from sitegrain.extractor.mending.together import (
    enclosed,
    headings,
    heads,
    lists,
    openings,
    posts,
    terms,
    values,
    wholes,
)
from sitegrain.extractor.mending.together.codes import with_code
from sitegrain.extractor.mending.together.enclosed import with_enclosed
from sitegrain.extractor.mending.together.facts import with_facts
from sitegrain.extractor.mending.together.files import with_files
from sitegrain.extractor.mending.together.footnotes import with_footnotes
from sitegrain.extractor.mending.together.formulas import with_formulas
from sitegrain.extractor.mending.together.headings import with_headings, with_headings_of_site
from sitegrain.extractor.mending.together.heads import with_heads
from sitegrain.extractor.mending.together.lists import (
    lists_of,
    with_announced,
    with_sublists,
    without_choices,
    without_remnants,
)
from sitegrain.extractor.mending.together.openings import with_opening, with_standfirst
from sitegrain.extractor.mending.together.posts import with_posts
from sitegrain.extractor.mending.together.previews import with_previews
from sitegrain.extractor.mending.together.sections import with_sections
from sitegrain.extractor.mending.together.terms import with_terms
from sitegrain.extractor.mending.together.values import with_values
from sitegrain.extractor.mending.together.wholes import kept_whole
from sitegrain.extractor.mending.votes import are_articles
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import LineRules, MendRules

REASONS = (
    "",
    "left out: an option of a form",
    "left out: a copy of a text on this page",
    "left out: of a menu that many pages have",
    "left out: of another article on this page",
    "kept: under an item of a list that is kept",
    "left out: of a list of which little is kept",
    "kept: of a list that the text announces",
    "kept: a heading between kept text",
    "kept: like posts that are kept",
    "left out: gives the page's own address",
    "kept: of code or a table of which most is kept",
    "left out: of a list of this page's headings",
    "left out: only turns the page, or is a tag of it",
    "left out: of a dialog",
    "left out: of cards that lead to other pages",
    "left out: a line that most pages have at this place",
    "left out: of dated comments or teasers below the text",
    "left out: of dated notes that other pages have, too",
    "left out: says the page's title again",
    "left out: of the head of a letter, or leads to other letters",
    "left out: of comments below the text of an entry",
    "left out: doubtful, and below the text",
    "kept: a value with its label",
    "left out: of a teaser of another page, below the text",
    "kept: a footnote of kept text",
    "left out: leads to another article",
    "left out: only says who wrote the text",
    "left out: code to copy, or tags that a comment may have",
    "kept: of a post of the thread",
    "left out: beside the posts of the thread, or says who wrote one and when",
    "left out: tells where the page stands, or shares or prints it",
    "kept: of a page that the text links to",
    "left out: names the tags of the page",
    "left out: a signature under posts",
    "left out: of a table of attached files",
    "kept: the term of a kept definition",
    "left out: says the heading before it again",
    "kept: of a table of facts that all pages of a kind have",
    "kept with the heading above it, or left out with what is under it",
    "kept: names the file that it leads to",
    "left out: other pages have no text at this place",
    "left out: below the end of the article",
    "kept: other pages have text at this place",
    "left out: of a list of pages that link here",
    "kept: the opening of an article",
    "left out: the caption of a picture",
    "left out: says the day, who has the rights or how to reach the author",
    "left out: for programs that cannot show a film, a sound or a drawing",
    "left out: asks for consent to cookies",
    "kept: code right below kept text",
    "left out: names the language of the code below it",
    "kept: of a list, a table, a quote or code within kept text",
    "left out: of comments, which stand at this place on other pages",
    "kept: at the head of one of several things that are alike",
    "kept: a formula between kept lines",
)
"""What a step did to a block, in words."""
(
    _, _OPTION, IN_COPY, _MENU, _OTHER_ARTICLE, _UNDER_ITEM, _REMNANT, _ANNOUNCED, _HEADING, _POST, _ADDRESS, _WHOLE, _CONTENTS, _TURN,
    _DIALOG, _CARD, _LABEL, _COMMENT, _NOTE, _SUBJECT, _LETTER, _NAMED_COMMENT, _BELOW, _VALUE, _TEASER, _FOOTNOTE, _LEAD, _BYLINE, _CODE,
    IN_POST, BESIDE_POSTS, _TOOL, _PREVIEW, _TAGS, _SIGNATURE, _ATTACHED, _TERM, _ECHO, _FACT, _SECTION, _FILE,
    _NO_TEXT, _AFTER_END, _TEXT_PLACE, _LINKBACK,
    _OPENING, _CAPTION, _NOTICE, _FALLBACK, _CONSENT, _PROGRAM, _CODE_LABEL, _ENCLOSED,
    _PLACE_OF_COMMENTS, _HEAD, _FORMULA,
) = range(len(REASONS))  # fmt: skip


(
    _LOOK_OPTIONS, _LOOK_ARTICLES, _SUBLISTS, _REMNANTS, _ANNOUNCED_LISTS, _LOOK_HEADINGS, _LOOK_POSTS, _LOOK_ADDRESSES, _LOOK_WHOLES,
    _LOOK_CONTENTS, _LOOK_TURNS, _LOOK_DIALOGS, _LOOK_BELOW, _LOOK_VALUES, _LOOK_FOOTNOTES, _LOOK_TERMS, _LOOK_NAMED,
    _LOOK_CONSENTS, _LOOK_FALLBACKS, _LOOK_HEADS, _LOOK_FORMULAS,
) = bits_of("MENDS")  # fmt: skip
(
    _ECHOES, _SUBJECTS, _LABELS, _LETTERS, _TOOLS, _SIGNATURES, _FILES, _BYLINES, _CODES, _EDITS, _TURN_ROWS,
    _OPENINGS, _CAPTIONS, _NOTICES, _BARE_LEADS, _LOOK_ENCLOSED, _CODE_LABELS,
) = bits_of("LINES")  # fmt: skip
_SAME = SITE_NAMES.index("site_same")
_LOOK_LISTS = _SUBLISTS | _REMNANTS | _ANNOUNCED_LISTS
RULES = MendRules(
    lists.LITTLE, lists.LEAD_WORDS, headings.LEAST_SCORE, headings.MOST_LINKED, posts.MOST, posts.MEAN_WORDS, posts.LEAST_SCORE,
    posts.MIN_WORDS, posts.MOST_LINKED, addresses.LINE_WORDS, articles.MIN_WORDS, posts.OF_PAGE, posts.SPREAD, wholes.OF_FACTS, lists.MIN_BLOCKS,
    posts.MIN_BLOCKS, turns.TURNS, below.SURE, below.SURE_WORDS, below.OF_TEXT, below.DOUBT, values.LABEL_WORDS,
    values.ROW_WORDS, values.LEAST_SCORE, values.ROW_BLOCKS, values.MIN_ROWS, values.MIN_NUMBERS, consents.SENTENCE_WORDS, consents.DOUBT, terms.MIN_WORDS, heads.MAX_WORDS, consents.COOKIE,
)  # fmt: skip
LINE_RULES = LineRules(
    copies.LIKE_TITLE, copies.TIMES, turns.LABELLED, turns.MAX_WORDS, turns.MAX_LABEL, letters.HEAD_BLOCKS, letters.FIELDS, letters.MAX_FIELD,
    tools.LINKED, tools.MAX_WORDS, tools.DATE_WORDS, signatures.SURE, signatures.TIMES, asides.BY_WORDS, turns.ROW_WORDS, turns.ALL_LINKED,
    openings.LEAD, openings.MIN_WORDS, openings.MOST_LINKED, openings.PARAGRAPH, openings.ABOUT, openings.ABOVE,
    captions.CAPTION_SCORE, captions.MAX_WORDS, captions.MOST_BLOCKS, below.SURE, below.SURE_WORDS,
    notices.TOP_BLOCKS, notices.DAY_WORDS, notices.LAST_BLOCKS, notices.NOTICE_WORDS, notices.TEXT_WORDS,
    asides.BARE_WORDS, enclosed.MIN_WORDS, codelabels.MAX_WORDS, asides.BARE_BEGINS, turns.ASCII_STEMS,
)  # fmt: skip


class Mended(NamedTuple):
    """Which blocks are kept in the end, and why."""

    kept: Bools
    why: Ints8 | None = None
    """Per block: the place in `REASONS` of the last step that changed it, 0 for none; None where no step changed anything."""
    may_edit: bool = False
    """Whether links to edit the page may stand in kept headings."""

    def after(self, reason: int, kept: Bools) -> Mended:
        """With what a step made of it."""
        if kept is self.kept:
            return self
        why = np.zeros(len(kept), np.int8) if self.why is None else self.why.copy()
        why[kept != self.kept] = reason
        return self._replace(kept=kept, why=why)


class SiteSays(NamedTuple):
    """What the site says of blocks."""

    of_blocks: Floats32
    """The columns of each block."""
    at_path: Floats
    """The mean of the first scores at its place, NaN where none is known."""
    is_thin: bool = False
    """Whether few different pages are known."""
    in_comments: Bools | None = None
    """Whether comments stand at its place; None where they have none."""


def _look(evidence: Evidence, score: Floats, kept: Bools) -> int:
    """Which steps have something to look at."""
    return native.to_mend(evidence.pages, score, kept, RULES, evidence.blocks.rows.urls)


def mended(
    evidence: Evidence,
    judged: native.Judged,
    votes: Callable[[], Floats] | None,
    without_menus: Callable[[Bools], Bools] | None,
    site: SiteSays | None = None,
) -> Mended:
    """The decision, mended; `votes` are those for page types, where there are any, and `without_menus` is there when the site is known, with
    what it says."""
    blocks, words, score = evidence.blocks, evidence.words, judged.score
    of_site = site and site.of_blocks
    done = Mended(judged.kept)
    if b"\1" not in judged.kept.tobytes():  # a few times as fast as `any`, and all pages pay for it
        return done
    look, seen = _look(evidence, score, done.kept), done.kept
    if look & _LOOK_OPTIONS:
        done = done.after(_OPTION, without_choices(blocks, done.kept))
    if judged.n_copies:
        done = done.after(IN_COPY, kept_once(evidence, score, done.kept))
    if without_menus is not None:
        done = done.after(_MENU, without_menus(done.kept))
    if look & _LOOK_DIALOGS:
        done = done.after(_DIALOG, without_dialogs(evidence, score, done.kept))
    if look & _LOOK_CONSENTS:  # until here blocks only go
        done = done.after(_CONSENT, without_consents(evidence, score, done.kept))
    if look & _LOOK_FALLBACKS:
        done = done.after(_FALLBACK, without_fallbacks(evidence, done.kept))
    if of_site is not None:
        done = done.after(_CARD, without_cards(evidence, of_site, score, done.kept))
        if site is not None and not site.is_thin:  # of few different pages it is the content that comes again
            done = done.after(_LABEL, without_labels(evidence, of_site, score, done.kept))
            done = done.after(_MENU, without_link_rows(evidence, of_site, done.kept))
        done = done.after(_NOTE, without_notes(evidence, of_site, done.kept))
        if votes is not None:
            done = done.after(_TEASER, without_teasers(evidence, of_site, votes, done.kept))
    if site is not None:
        done = done.after(_LINKBACK, without_linkbacks(evidence, done.kept))
    if site is not None and not site.is_thin:
        at_path, first = site.at_path, judged.first
        done = done.after(_TEXT_PLACE, with_places(site.of_blocks, at_path, score, judged.kept, done.kept))
        done = done.after(_OPENING, with_standfirst(evidence, site.of_blocks, at_path, first, done.kept))
        done = done.after(_NO_TEXT, without_places(evidence, site.of_blocks, at_path, first, score, done.kept))
        if votes is not None:
            done = done.after(_AFTER_END, without_after_end(evidence, site.of_blocks, at_path, score, votes, done.kept))
        if site.in_comments is not None:
            done = done.after(_PLACE_OF_COMMENTS, without_comment_places(evidence, site.in_comments, done.kept))
    if look & _LOOK_NAMED:
        done = done.after(_NAMED_COMMENT, without_named_comments(evidence, score, done.kept))
    if votes is not None:
        done = done.after(_COMMENT, without_comments(evidence, score, votes, done.kept, of_site is None))
    if look & _LOOK_ARTICLES:
        done = done.after(_OTHER_ARTICLE, without_other_articles(blocks, words, done.kept))
    if done.kept is not seen:
        look, seen = _look(evidence, score, done.kept), done.kept
    if look & _LOOK_LISTS:
        found, is_heading = lists_of(blocks), evidence.column("in_heading") > 0
        done = done.after(_UNDER_ITEM, with_sublists(blocks, found, done.kept))
        done = done.after(_REMNANT, without_remnants(blocks, found, words, done.kept))
        done = done.after(_ANNOUNCED, with_announced(blocks, found, words, score, is_heading, done.kept))
    if done.kept is not seen:
        look, seen = _look(evidence, score, done.kept), done.kept
    if site is not None:  # before headings, which are kept above kept text
        done = done.after(_FACT, with_facts(evidence, site.of_blocks, judged.first, site.at_path, done.kept))
        if look & _LOOK_WHOLES:
            done = done.after(_WHOLE, kept_whole(blocks, done.kept))
        done = done.after(_HEADING, with_headings_of_site(blocks, score, done.kept))
        left_out = (judged.kept & ~done.kept) | (site.of_blocks[:, _SAME] >= SAME)
        done = done.after(_SECTION, with_sections(evidence, score, left_out, site.of_blocks[:, _SAME], done.kept))
    elif look & _LOOK_HEADINGS:
        is_heading, links = evidence.column("in_heading") > 0, evidence.column("link_density")
        done = done.after(_HEADING, with_headings(blocks, score, links, is_heading, done.kept))
    if look & _LOOK_POSTS and votes is not None:
        done = done.after(_POST, with_posts(evidence, score, votes, done.kept, of_site))
    if look & _LOOK_ADDRESSES or addresses.of_wiki(evidence):
        done = done.after(_ADDRESS, without_own_address(evidence, done.kept))
    if done.kept is not seen:
        look, seen = _look(evidence, score, done.kept), done.kept
    if look & _LOOK_BELOW and votes is not None:
        done = done.after(_BELOW, without_below(evidence, score, judged.votes, done.kept))
    if look & _LOOK_VALUES:
        done = done.after(_VALUE, with_values(evidence, score, done.kept))
    if look & _LOOK_WHOLES:
        done = done.after(_WHOLE, kept_whole(blocks, done.kept))
    if look & _LOOK_TERMS:
        done = done.after(_TERM, with_terms(evidence, done.kept))
    if of_site is not None:  # of a page alone, what it would keep in news are boxes of shops and of other papers
        done = done.after(_PREVIEW, with_previews(evidence, done.kept, of_site[:, _SAME] >= SAME))
        left_out = (judged.kept & ~done.kept) | (of_site[:, _SAME] >= SAME)
        done = done.after(_PROGRAM, with_code(blocks, score, left_out, done.kept))
        done = done.after(_FILE, with_files(evidence, left_out, done.kept))
    if look & _LOOK_FORMULAS:
        done = done.after(_FORMULA, with_formulas(blocks, done.kept))
    if done.kept is not seen:
        look, seen = _look(evidence, score, done.kept), done.kept
    if look & _LOOK_HEADS and site is None:
        done = done.after(_HEAD, with_heads(evidence, score, done.kept))
        if done.kept is not seen:
            look, seen = _look(evidence, score, done.kept), done.kept
    if look & _LOOK_FOOTNOTES:
        done = done.after(_FOOTNOTE, with_footnotes(blocks, score, done.kept))
        if done.kept is not seen:
            look = _look(evidence, score, done.kept)
    if look & _LOOK_CONTENTS:
        done = done.after(_CONTENTS, without_contents(blocks, done.kept))
    done = _without_lines(evidence, score, votes, done, judged.votes if site is None else None)
    return done.after(_TURN, without_turns(blocks, done.kept)) if look & _LOOK_TURNS else done


_LineStep = Callable[[Evidence, list[Labelled], Bools], Bools]


def _of_lines(step: Callable[[Evidence, Bools], Bools]) -> _LineStep:
    return lambda evidence, _, kept: step(evidence, kept)


def _of_labelled(step: Callable[[list[Labelled], Bools], Bools]) -> _LineStep:
    """A step on the lines that have a label: they are looked for once."""
    return lambda _, lines, kept: step(lines, kept)


_LINE_STEPS: tuple[tuple[int, int, _LineStep], ...] = (
    (_ECHOES, _ECHO, _of_lines(without_echoes)), (_SUBJECTS, _SUBJECT, _of_lines(without_subjects)),
    (_LABELS, _TURN, _of_labelled(without_turn_lines)), (_TURN_ROWS, _TURN, _of_lines(without_turn_rows)),
    (_LETTERS, _LETTER, _of_lines(without_letter_heads)), (_TOOLS, _TOOL, _of_lines(without_tools)),
    (_LABELS, _LEAD, _of_labelled(without_leads)), (_LABELS, _TAGS, _of_labelled(without_tags)),
    (_FILES, _ATTACHED, _of_lines(without_attached)), (_BYLINES, _BYLINE, _of_lines(without_bylines)),
    (_CODES, _CODE, _of_lines(without_code_to_copy)),
)  # fmt: skip
"""What there must be to look at, the reason, and the step; in this order."""
_ARTICLE_STEPS = (
    (_OPENINGS, _OPENING, with_opening), (_CAPTIONS, _CAPTION, without_captions), (_NOTICES, _NOTICE, without_notices),
)  # fmt: skip
"""The same on those pages that are articles."""


def _without_lines(
    evidence: Evidence, score: Floats, votes: Callable[[], Floats] | None, done: Mended, alone: Floats | None
) -> Mended:
    """Without single lines, on articles with their opening; what there is to look at stays so while lines go. `alone` are the votes of pages alone, for an
    article and for a forum, and None where the site is known."""
    look, seen = native.lines_to_mend(evidence.pages, score, done.kept, LINE_RULES), done.kept
    if look & _CODE_LABELS:
        done = done.after(_CODE_LABEL, without_code_labels(evidence.blocks, evidence.words, done.kept))
        if done.kept is not seen:
            look = native.lines_to_mend(evidence.pages, score, done.kept, LINE_RULES)
    if look & _LOOK_ENCLOSED and alone is not None:
        done = done.after(_ENCLOSED, with_enclosed(evidence, done.kept))
        if done.kept is not seen:
            look = native.lines_to_mend(evidence.pages, score, done.kept, LINE_RULES)
    is_article = are_articles(*alone) if alone is not None else None
    if is_article is not None and is_article.any():
        for bit, reason, of_article in _ARTICLE_STEPS:
            before = done.kept
            if look & bit:
                done = done.after(reason, of_article(evidence, score, is_article, before))
            if done.kept is not before:
                look = native.lines_to_mend(evidence.pages, score, done.kept, LINE_RULES)
        if look & _BARE_LEADS:
            done = done.after(_LEAD, without_bare_leads(evidence, is_article, done.kept))
    if is_article is None:  # the kernel counts kept signatures, and a site left out most of them itself
        look |= _SIGNATURES
    lines = labelled(evidence, done.kept) if look & _LABELS else []
    if not lines:
        look &= ~_LABELS
    for bit, reason, step in _LINE_STEPS:
        if look & bit:
            done = done.after(reason, step(evidence, lines, done.kept))
    if lines and is_article is not None:
        done = done.after(_LEAD, without_shouted_leads(evidence, lines, is_article, done.kept))
    if look & _SIGNATURES and votes is not None:
        done = done.after(_SIGNATURE, without_signatures(evidence, score, votes, done.kept, alone is not None))
    return done._replace(may_edit=True) if look & _EDITS else done
