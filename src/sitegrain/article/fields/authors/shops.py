"""Pages of things to buy: names on them are those of buyers."""

from __future__ import annotations

import re

from sitegrain.article.fields.shared import named_rows
from sitegrain.article.fields.view import View
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site

NEAR = 120
"""Rows from the title within which the page's own thing is put into the basket; buttons further away are those of other things."""
_BUY = re.compile(r"(?:^|[-_ ])add[-_]?to[-_]?(?:basket|cart|bag)", re.IGNORECASE)


@per_site
def _buttons(site: Site) -> list[int]:
    """Rows that shops name after what they do."""
    rows: list[int] = named_rows(site, _BUY, ("class", "id", "name"), ("basket", "cart", "bag")).tolist()
    return rows


def sells(view: View, title_row: int) -> bool:
    """Whether a page sells what its title names."""
    return any(abs(row - title_row) <= NEAR for row in view.of_page(_buttons(view.site)))
