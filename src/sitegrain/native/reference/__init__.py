"""The kernels in Python: what the C bodies are compared with, and what runs where there is no C compiler.

Each has the signature that `_core.pyi` states. No body in C knows anything that its body here does not. A body is loaded when it is first
asked for: C asks for one on few pages, and all of them take a twentieth of a start.
"""

from importlib import import_module
from typing import Any

# Not late, as the folder beside it has its name.
from sitegrain.native.reference.render.render import render as render

_BODIES = {
    "blocks.blocks": "cut_blocks",
    "blocks.dates": "dated_units have_dates",
    "blocks.evidence": "evidence",
    "blocks.judge": "check_pages judge type_columns",
    "blocks.lexicon": "name_hashes name_weights text_hashes text_weights",
    "blocks.marks": "marked_rows",
    "blocks.scores": "decide mean_score pack_trees predict stage",
    "mending.mend": "to_mend",
    "mending.mend_lines": "lines_to_mend",
    "pages.head": "head",
    "pages.page": "attr_values guard is_utf8 picked read_tree scan split tag_rows",
    "plain.plain": "read_plain",
    "posts.posts": "part_keys post_cut",
    "posts.when": "find_dates say_when",
    "render.text": "line_text snippet text_marks to_text",
    "sites.said": "said_pages text_keys text_sizes",
    "sites.site": "site_columns site_paths site_scores site_table",
    "strings.addresses": "plain_address",
    "strings.counting": "like_siblings page_keys string_facts term_counts",
    "strings.interned": "intern_texts intern_values number_words",
    "strings.json": "json_bytes",
    "strings.language": "class_scores",
    "strings.words": "matcher path_keys string_hashes word_bits",
    "strings.years": "year_spots",
}
_HOME = {name: f"{__name__}.{home}" for home, names in _BODIES.items() for name in names.split()}
# What C asks for, and is no kernel: texts that it cannot tell.
_ASKED = {"text_facts": f"{__name__}.sites.site", "edge_words": "sitegrain.native.sitekeys"}
KERNELS = sorted((*_HOME, "render"))
"""The names of all kernels."""


def __getattr__(name: str) -> Any:
    home = _HOME.get(name) or _ASKED.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value
