"""The columns that the default extractor's later stages see beside the page's evidence: what the site says of a block, and first
scores around it.

Missing site evidence is missing values, so that one model serves a single page and a page of a known site.
"""

from __future__ import annotations

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.knowledge import SiteKnowledge
from sitegrain.native import Paths
from sitegrain.native.columns import SITE, STAGE
from sitegrain.native.inputs import Geometry, SiteBlocks

SITE_NAMES: tuple[str, ...] = SITE.names
STAGE_NAMES: tuple[str, ...] = STAGE.names


def site_block_columns(evidence: Evidence, knowledge: SiteKnowledge | None, paths: Paths | None = None) -> Floats32:
    """[n_blocks x len(SITE_NAMES)]: what the site says of blocks; all NaN without knowledge of the site. `paths` are what
    `row_paths` gave, where that is known."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    if knowledge is None or knowledge.n_pages < 2:
        return np.full((len(blocks), len(SITE_NAMES)), np.nan, np.float32)
    paths = knowledge.row_paths(rows) if paths is None else paths
    of = SiteBlocks(
        rows.text, blocks.columns, evidence.geometry, evidence.words, evidence.is_sentence, rows.page, *paths
    )
    return native.site_columns(knowledge.table, of)


def stage_columns(
    where: Geometry, words: Floats, p: Floats, path: Floats | None = None, tag_path: Floats | None = None
) -> Floats32:
    """[n_blocks x len(STAGE_NAMES)]: first-stage scores of the block, of what is around it, and of its path elsewhere."""
    return native.stage(where, words, p, path, tag_path)
