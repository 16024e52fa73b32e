"""The one door to the kernels: what every page pays for, in C, with a body in Python of the same result.

A kernel is a function of arrays, strings and plain numbers. `_core` is compiled when the package is installed; where there is no C
compiler, or where it was compiled with other columns than `columns.h` declares now, the bodies of `reference` run in its place,
some fifty times slower: a warning says so once, and `is_compiled` is False. The choice is made in `choice` and nowhere else; kernels of
pages are called in `pages`, those of blocks in `judging`.
"""

# One statement for what is given on, and not one for each name.
# isort: off
from sitegrain.native.choice import SlowKernels as SlowKernels, is_compiled as is_compiled
from sitegrain.native.judging import (
    cut_blocks as cut_blocks,
    dated_units as dated_units,
    decide as decide,
    evidence as evidence,
    find_dates as find_dates,
    have_dates as have_dates,
    judge as judge,
    lines_to_mend as lines_to_mend,
    mean_score as mean_score,
    name_hashes as name_hashes,
    name_weights as name_weights,
    pack_trees as pack_trees,
    post_cut as post_cut,
    post_names as post_names,
    predict as predict,
    said_pages as said_pages,
    say_when as say_when,
    site_columns as site_columns,
    site_paths as site_paths,
    site_scores as site_scores,
    site_table as site_table,
    stage as stage,
    text_hashes as text_hashes,
    text_keys as text_keys,
    text_sizes as text_sizes,
    text_weights as text_weights,
    to_mend as to_mend,
    type_columns as type_columns,
)
from sitegrain.native.outputs import (
    Cut as Cut,
    DatedUnits as DatedUnits,
    Gathered as Gathered,
    Head as Head,
    Judged as Judged,
    NumberedWords as NumberedWords,
    PageKeys as PageKeys,
    Paths as Paths,
    Picked as Picked,
    SaidPages as SaidPages,
    SaidStrings as SaidStrings,
    Scanned as Scanned,
    StringFacts as StringFacts,
    TextKeys as TextKeys,
)
from sitegrain.native.pages import (
    attr_values as attr_values,
    class_scores as class_scores,
    guard as guard,
    head as head,
    intern_texts as intern_texts,
    intern_values as intern_values,
    is_utf8 as is_utf8,
    json_bytes as json_bytes,
    like_siblings as like_siblings,
    line_text as line_text,
    matcher as matcher,
    number_words as number_words,
    page_keys as page_keys,
    path_keys as path_keys,
    picked as picked,
    plain_address as plain_address,
    read_tree as read_tree,
    render as render,
    scan as scan,
    snippet as snippet,
    split as split,
    string_facts as string_facts,
    string_hashes as string_hashes,
    tag_rows as tag_rows,
    term_counts as term_counts,
    text_marks as text_marks,
    to_text as to_text,
    word_bits as word_bits,
    year_spots as year_spots,
)
# isort: on
