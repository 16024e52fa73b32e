"""The kernels in Python: what the C bodies are compared with, and what runs where there is no C compiler.

Each has the signature that `_core.pyi` states. No body in C knows anything that its body here does not.
"""

from sitegrain.native.reference.blocks.blocks import cut_blocks
from sitegrain.native.reference.blocks.dates import dated_units, have_dates
from sitegrain.native.reference.blocks.evidence import evidence
from sitegrain.native.reference.blocks.judge import judge, type_columns
from sitegrain.native.reference.blocks.lexicon import name_hashes, name_weights, text_hashes, text_weights
from sitegrain.native.reference.blocks.mend import to_mend
from sitegrain.native.reference.blocks.mend_lines import lines_to_mend
from sitegrain.native.reference.blocks.scores import decide, mean_score, pack_trees, predict, stage
from sitegrain.native.reference.pages.head import head
from sitegrain.native.reference.pages.page import (
    attr_values,
    guard,
    is_utf8,
    picked,
    read_tree,
    scan,
    split,
    tag_rows,
)
from sitegrain.native.reference.plain.plain import read_plain
from sitegrain.native.reference.posts.posts import post_cut, post_names
from sitegrain.native.reference.posts.when import find_dates, say_when
from sitegrain.native.reference.render.render import render
from sitegrain.native.reference.render.text import has_marks, line_text, snippet, to_text
from sitegrain.native.reference.sites.said import said_pages, text_keys, text_sizes
from sitegrain.native.reference.sites.site import site_columns, site_paths, site_scores, site_table
from sitegrain.native.reference.sites.site import text_facts as text_facts  # C asks it for texts that it cannot tell
from sitegrain.native.reference.strings.addresses import plain_address
from sitegrain.native.reference.strings.counting import like_siblings, page_keys, string_facts, term_counts
from sitegrain.native.reference.strings.interned import intern_texts, intern_values, number_words
from sitegrain.native.reference.strings.json import json_bytes
from sitegrain.native.reference.strings.language import class_scores
from sitegrain.native.reference.strings.words import matcher, path_keys, string_hashes, word_bits
from sitegrain.native.reference.strings.years import year_spots
from sitegrain.native.sitekeys import edge_words as edge_words  # and it

__all__ = [
    "attr_values", "class_scores", "cut_blocks", "dated_units", "decide", "evidence", "find_dates", "guard", "has_marks", "have_dates", "head", "intern_texts", "intern_values", "is_utf8", "json_bytes", "judge", "like_siblings", "line_text", "lines_to_mend", "matcher", "mean_score", "name_hashes", "name_weights", "number_words",
    "pack_trees", "page_keys", "path_keys", "picked", "plain_address", "post_cut", "post_names", "predict", "read_plain", "read_tree", "render", "said_pages", "say_when", "scan", "site_columns", "site_paths", "site_scores", "site_table", "snippet", "split", "stage",
    "string_facts", "string_hashes", "tag_rows", "term_counts", "text_hashes", "text_keys", "text_sizes", "text_weights", "to_mend", "to_text", "type_columns", "word_bits", "year_spots",
]  # fmt: skip
