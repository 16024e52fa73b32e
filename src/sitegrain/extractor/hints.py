"""What a page says of its own type: words of its address, and types in `og:type` and JSON-LD."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitegrain.native.columns import URLS
from sitegrain.tables.site import Site
from sitegrain.text.jsonld import ANY_TYPE, FAMILIES, is_of_family

_PAGE_WORDS = re.compile(
    r"(?P<forum>forum|thread|topic|viewtopic|showthread|question|discuss)|(?P<product>product|shop|item|/p/|/dp/|store|buy)|"
    r"(?P<doc>doc|wiki|api|guide|manual|reference|tutorial|help|learn)|(?P<list>categor|tag|collection|archive|search|list|"
    r"browse|topics|page)|(?P<news>blog|news|article|story|post|\d{4}/\d{2})|(?P<service>service|about|pricing|solution|"
    r"feature|contact|company|platform)"
)


def hint_bits(site: Site, first_page: int, last_page: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Per page: the families of words of its address, and the types it claims, as bits."""
    span = range(first_page, last_page)
    pages = site.pages
    return (
        np.array([_url_bits(pages.url[p]) for p in span], np.int64),
        np.array([_ld_bits(pages.json_ld[p], pages.meta[p].get("og:type", "")) for p in span], np.int64),
    )


@lru_cache(maxsize=1024)  # those of a site are asked for twice
def _url_bits(url: str) -> int:
    bits = 0
    for match in _PAGE_WORDS.finditer(url.partition("://")[2].partition("/")[2].lower()):
        bits |= 1 << URLS.index(match.lastgroup or "")
    return bits


def _ld_bits(blobs: tuple[str, ...], og_type: str) -> int:
    bits = _type_bits(og_type.lower())
    for kind in {t.lower() for blob in blobs for t in ANY_TYPE.findall(blob)}:
        bits |= _type_bits(kind)
    return bits


@lru_cache(maxsize=1024)
def _type_bits(kind: str) -> int:
    return sum(1 << k for k, family in enumerate(FAMILIES) if is_of_family(kind, family))
