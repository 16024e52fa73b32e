"""The terms of one text, word by word, and those below one row."""

from sitegrain.arrays.types import Ints32
from sitegrain.tables.site import Site
from sitegrain.text.language import primary_language
from sitegrain.text.terms import Terms
from sitegrain.text.words import LONGEST_WORD, cut_words, stemmer, stop_words


def text_terms(text: str, language: str = "", numbers: bool = False) -> list[str]:
    code = primary_language(language)
    stops, stem = stop_words(code), stemmer(code)
    found = (w for w in cut_words(text) if w not in stops and (numbers or not w.isnumeric()))
    return [t for w in found if (t := stem(w) if len(w) <= LONGEST_WORD else w)]


def subtree_terms(terms: Terms, site: Site, row: int) -> Ints32:
    return terms.ids[terms.node_offset[row] : terms.node_offset[site.nodes.end[row]]]
