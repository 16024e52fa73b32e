"""What the tags and limits of this folder mean to the kernel `native.render`, made of what the walk in Python goes by."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.native.columns import bits_of, names_of
from sitegrain.native.inputs import RenderLimits, RenderRules
from sitegrain.render.code import IS_PRE
from sitegrain.render.grid import LONG_CELL, MAX_SPAN, PROSE_CELL
from sitegrain.render.images import (
    HOLDS_TEXT,
    IS_SEEN,
    LONG_CAPTION,
    MAX_BOX,
    MAX_CARD,
    NEARLY_ALL,
    SHORT_LABEL,
    THUMBNAIL,
)
from sitegrain.render.rows import (
    IS_BLOCK,
    IS_CELL,
    IS_LAYOUT,
    IS_WRITTEN,
    LEAVES,
    LISTS,
    MARKS,
    OF_TABLES,
    OFTEN,
    OWN_SINK,
)
from sitegrain.tables.budgets import MAX_GRID_CELLS, MAX_GRID_WIDTH, MAX_REACH, MAX_RENDERED_NESTING
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, TAGS, tag_mask

_MEANING: dict[str, Bools] = {
    "BLOCK": IS_BLOCK,
    "WRITTEN": IS_WRITTEN,
    "PRE": IS_PRE,
    "LIST": tag_mask(LISTS),
    "CELL": IS_CELL,
    "OF_TABLE": tag_mask(OF_TABLES),
    "OWN_SINK": tag_mask(OWN_SINK),
    "HEADING": tag_mask(HEADINGS),
    "LEAF": tag_mask(LEAVES),
    "LAYOUT": IS_LAYOUT,
    "PICTURES": IS_SEEN,
    "HOLDS_TEXT": HOLDS_TEXT,
}
_KINDS = np.zeros(len(TAGS), np.uint16)
for _name, _bit in zip(names_of("RENDER_BITS"), bits_of("RENDER_BITS"), strict=True):
    _KINDS[_MEANING[_name]] |= _bit
_MARKS = np.array(
    [names_of("RENDER_MARKS").index(MARKS.get(tag, "a" if tag == "a" else "none")) for tag in TAGS], np.uint8
)

RULES = RenderRules(
    _KINDS,
    _MARKS,
    ATTRIBUTES,
    RenderLimits(
        MAX_REACH, MAX_RENDERED_NESTING, MAX_GRID_WIDTH, MAX_GRID_CELLS, LONG_CELL, PROSE_CELL, SHORT_LABEL, LONG_CAPTION, MAX_BOX, MAX_CARD, OFTEN, MAX_SPAN,
        THUMBNAIL, NEARLY_ALL,
    ),
)  # fmt: skip
