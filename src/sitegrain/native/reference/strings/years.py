"""Where years may stand in a text."""

from __future__ import annotations

import re

_YEAR = re.compile(r"(?=(?:19|20)\d\d)")


def year_spots(text: str) -> list[int]:
    """`sitegrain.native.year_spots`."""
    return [found.start() for found in _YEAR.finditer(text)]
