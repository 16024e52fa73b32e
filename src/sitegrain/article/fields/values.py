"""What a field is: a value, where it was found, and how often that place is right."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

CONFIDENCE: dict[str, float] = {
    "json-ld": 0.91, "meta": 0.91, "link": 0.95, "og:title": 0.8, "og:site_name": 0.95, "microdata": 0.84, "rel=author": 0.84,
    "class name": 0.84, "time": 0.89, "h1": 0.87, "h2": 0.86, "h3": 0.86, "site vote": 0.9, "date line": 0.86,
    "byline": 0.75, "url": 0.88, "list": 0.86, "html lang": 0.95, "text": 0.95, "title": 0.51, "htmldate": 0.33, "site": 0.8, "host": 0.5,
}  # fmt: skip
"""Share of right values of a source of title, author and date: newspaper4k and every second page of WCXB's development set,
each page with its metadata and without (`sitegrain evaluate --structure` counts the same pages). Those of `link`,
`og:site_name`, `site vote`, `html lang`, `text`, `site` and `host`, of which these pages have no truth, are estimates."""
UNKNOWN = 0.5
"""Of a source that is not in the table."""


class Field(NamedTuple):
    """A value and where it was found; both empty when it was not."""

    value: str
    source: str

    def __bool__(self) -> bool:
        return bool(self.value)

    @property
    def confidence(self) -> float:
        """0 to 1: how often a value from this source is right; 0 without a value."""
        return CONFIDENCE.get(self.source, UNKNOWN) if self.value else 0.0


class Images(NamedTuple):
    """Addresses of images and where they were found."""

    value: tuple[str, ...]
    source: str

    def __bool__(self) -> bool:
        return bool(self.value)


NOTHING = Field("", "")


@lru_cache(maxsize=1 << 10)
def pixels(value: str) -> float:
    """The number of a width or a height; infinite for what is none ("50%")."""
    digits = value.strip().removesuffix("px")
    return float(digits[:6]) if digits.isascii() and digits[:6].isdigit() else float("inf")
