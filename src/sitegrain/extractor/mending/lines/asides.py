"""Lines beside the text that stand within it: they lead to another article ("Read also: Tea"), say who wrote this one, or are code to copy."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.lines.turns import LABELLED, MAX_WORDS, Labelled, labelled_lines
from sitegrain.light import late_pattern

_ALSO = late_pattern(
    r"[\W_]*(?:related(?: (?:stor(?:y|ies)|articles?|reading|content|posts?|news|links?|coverage|videos?))?|(?:(?:can|may|you) )*also (?:read|see|like)|"
    r"(?:must|further|recommended) read(?:ing)?|read (?:also|more|next)|more(?: (?:stories|news))?|don['’]t miss|"
    r"(?:lesen|lies) (?:sie )?(?:auch|mehr|dazu)(?: dazu)?|mehr (?:zum thema|dazu|lesen)|auch interessant|passend dazu|"
    r"(?:à )?lire (?:aussi|également)|voir aussi|sur le même sujet|(?:lea|lee|leer|vea) (?:también|además|más)|te puede interesar|"
    r"(?:leia|veja) (?:também|mais|ainda)|leggi anche|lees (?:ook|meer)|(?:les|læs) (?:også|mere?)|läs (?:också|även|mer)|lue (?:myös|lisää)|"
    r"(?:czytaj|przeczytaj|zobacz) (?:także|też|również|więcej)|(?:čtěte|přečtěte si) (?:také|též)|читайте (?:также|ещё|еще|також)|"
    r"baca (?:juga|pula)|(?:xem|đọc) thêm|ilgili haber(?:ler)?|(?:相关|相關|延伸|推荐|推薦|扩展)(?:阅读|閱讀|文章|新闻|新聞|报道|報導)|"
    r"(?:関連(?:記事|リンク|ニュース)|[合あ]わせて読みたい)|관련 ?기사|함께 읽기|[اإ]قرأ (?:أيض[اًا]+|ايضا|المزيد)|(?:بیشتر|همچنین) بخوانید|(?:यह|ये|इसे) भी पढ़ें)"
    r"\s*[:：|»]",
    re.IGNORECASE,
)
"""What says that a link leads to another article, in the words of many newspapers; with a colon or a bar behind it. "See also" is not there: manuals
and encyclopedias have it above what belongs to them."""
BARE_WORDS = 5.0
"""Words of such a line: "Also read this" may point at the one below."""
BARE_BEGINS = frozenset(
    "also read lesen lies lire lea lee leer vea leia veja leggi lees les lue czytaj przeczytaj zobacz baca bunu".split()
)
"""The first words of such labels, those in ASCII."""
_TAGS = late_pattern(
    r"[\W_]*(?:(?:post(?:ed)? )?(?:tags?|tagged(?: (?:as|with))?|labels?|keywords?|categor(?:y|ies)|filed (?:under|in)|topics?)|schlagw[oö]rte?r?|schlagworte?|"
    r"kategorien?|stichw[oö]rter|mots[- ]cl[ée]s|[ée]tiquettes?|cat[ée]gories?|etiquetas?|categor[íi]as?|palabras clave|palavras-chave|"
    r"parole chiave|categorie|trefwoorden|categorie[ëe]n|kategori(?:er)?|nyckelord|tagi|kategori[ae]|štítky|метки|теги|рубрик[аи]|категори[яи]|"
    r"ключевые слова|etiketler|标签|標籤|分类|分類|关键词|タグ|カテゴリー?|태그|카테고리|الوسوم|برچسب[‌ ]?ها|دسته[‌ ]?ها)\s*[:：]",
    re.IGNORECASE,
)
"""What names the tags or categories of a page, with a colon behind it."""
TOP_BLOCKS, TEXT_WORDS, BY_WORDS = 4, 100.0, 7.0
"""Kept blocks of a page among which a line that says who wrote it may stand, kept words of a page that has a text, and words of such a line. Set
beforehand."""
_BY = late_pattern(
    r"\W*(?:(?:by|von|par|por|di|door|av|af|text|texte|texto|testo)(?:: ?| )|"
    r"(?:author|autor(?:in|a|es)?|auteure?|autore|auteur|redakcja|författare|forfatter|kirjoittaja|yazar|penulis|tác giả|автор|συντάκτης|szerző) ?: ?)(?=\w)",
    re.IGNORECASE,
)
DATED_WORDS = 40.0
"""Kept words of a page that has a text, where the line says the day, too."""
_DATED = late_pattern(
    r"\s*(?:[,|·•–—(]|\s-)\s*(?:\w{2,9},? )?(?:\d{1,2}(?:st|nd|rd|th|\.)?\s[^\W\d]{3,10}\.?,?\s|[^\W\d]{3,10}\.?\s(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?|\d{1,2}[./-]\d{1,2}[./-])(?:19|20)?\d\d\)?\s*$"
    r"|\s*[,|·•–—(]\s*(?:19|20)\d\d-\d\d-\d\d\)?\s*$"
)
"""The day behind the name of the author."""
_SMALL = frozenset("de del van von der den la le di da dos and und et e y og och en of the al bin".split())
_CODE = late_pattern(
    r"<(?:iframe|object|embed|script|img|a|div|blockquote) [^<>]*(?:src|href|class|data)=|\[(?:url|img)\b",
    re.IGNORECASE,
)
ALLOWED = '<a href="" title="">'
"""How the programs of blogs begin to say which tags a comment may have."""


def without_leads(lines: list[Labelled], kept: Bools) -> Bools:
    """The kept blocks without lines of which all but a label stands in a link, or all with the label, where the label says that it leads to another
    article: "Read also: Tea"."""
    return without(kept, labelled_lines(lines, kept, _ALSO, is_label_linked=True))


@cache
def _bare() -> re.Pattern[str]:
    """Those labels that need no colon ("Les også Tea with milk"), since nothing else begins so. Compiled when a line may have one: most pages have none."""
    return re.compile(
        r"[\W_]*(?:also read|read also|(?:lesen|lies) (?:sie )?auch|(?:à )?lire (?:aussi|également)|(?:lea|lee|leer|vea) también|(?:leia|veja) (?:também|ainda)|"
        r"leggi anche|lees ook|(?:les|læs) også|läs (?:också|även)|lue myös|(?:czytaj|przeczytaj|zobacz) (?:także|też|również)|(?:čtěte|přečtěte si) (?:také|též)|"
        r"читайте (?:также|ещё|еще|також)|baca (?:juga|pula)|bunu da oku(?:yun)?)(?![^\W_])",
        re.IGNORECASE,
    )


def without_bare_leads(evidence: Evidence, is_article: Bools, kept: Bools) -> Bools:
    """The same for labels without a colon, on those pages that are articles.

    A loop over short lines that are mostly link, because the label is text.
    """
    links, blocks = evidence.column("link_density"), evidence.blocks
    is_such = kept & (links >= LABELLED) & (evidence.words <= MAX_WORDS) & (evidence.words >= BARE_WORDS)
    some = np.flatnonzero(is_such & is_article[blocks.page])
    if not len(some):
        return kept
    lines = [Labelled(block, blocks.text(block), float(links[block])) for block in some.tolist()]
    return without(kept, labelled_lines(lines, kept, _bare(), is_label_linked=True))


def without_tags(lines: list[Labelled], kept: Bools) -> Bools:
    """The kept blocks without lines of which all but a label stands in links, or all with the label, where the label names tags: "Tags: tea, milk"."""
    return without(kept, labelled_lines(lines, kept, _TAGS, is_label_linked=True))


def without_bylines(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without a line at the top of the text that says who wrote it and nothing else: "By Ann Lee".

    A loop over short lines among the first kept ones of each page, because names are text.
    """
    blocks, words = evidence.blocks, evidence.words
    some = np.flatnonzero(kept)
    page = blocks.page[some]
    first = np.searchsorted(page, page)
    top = some[(np.arange(len(some)) - first < TOP_BLOCKS) & (words[some] <= BY_WORDS) & (words[some] > 1)]
    if not len(top):
        return kept
    of_page = np.bincount(page, words[some], minlength=evidence.geometry.n_pages)
    is_heading = evidence.column("in_heading") > 0
    found = []
    for block in top.tolist():
        line, n = blocks.text(block), of_page[blocks.page[block]]
        least = DATED_WORDS if _DATED.search(line) else TEXT_WORDS
        if n >= least and not is_heading[block] and is_byline(line):
            found.append(block)
    return without(kept, found)


def is_byline(line: str) -> bool:
    """True for a word that says "by" and names, with the day behind them or without.

    >>> [is_byline(line) for line in ("By Ann Lee", "Von Ann Lee, Frankfurt", "Text: Ann van der Lee", "By The Way, it rains", "By Ann", "Par Avion.")]
    [True, True, True, False, False, False]
    >>> is_byline("by Ann Lee, 23 April 2019"), is_byline("von Ann Lee (3.4.2001)"), is_byline("By the end of 2019"), is_byline("By May 2019")
    (True, True, False, False)
    """
    line = _DATED.sub("", line)
    by = _BY.match(line)
    names = line[by.end() :].split() if by is not None else []
    if not 2 <= len(names) <= BY_WORDS or line.rstrip().endswith((".", "!", "?", ":", "…")):
        return False
    capital = [name.strip("(\"'“‘")[:1].isupper() for name in names]
    return capital[0] and capital[-1] and all(c or name in _SMALL for c, name in zip(capital, names, strict=True))


def without_code_to_copy(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without markup in a field of a form, which is there to be copied, and without the tags that a comment may have.

    A loop over kept blocks in fields, and over those of pages that have the second.
    """
    blocks = evidence.blocks
    fields = np.flatnonzero(kept & (evidence.column("in_button") > 0))
    found = [block for block in fields.tolist() if _CODE.search(blocks.text(block))]
    if ALLOWED in blocks.rows.text:
        found += [block for block in np.flatnonzero(kept).tolist() if blocks.text(block).find(ALLOWED) >= 0]
    return without(kept, found)
