"""Other extractors to compare with: the plain call of each library, but for resiliparse and boilerpy3, whose
settings were picked on the WCXB development pages (see docs/evaluation.md). A library with several calls worth
comparing has several names.

They are the extra `peers`; one that is not installed is simply not available. What a peer raises is not
caught here: the run counts it and scores the page 0.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sitegrain.errors import MissingExtraError, UsageError

Extract = Callable[[str, str], str]
"""(page as text, its address) -> main text."""


@dataclass(frozen=True)
class Peer:
    """An extractor of another project."""

    name: str
    package: str
    """Name on the package index."""
    module: str
    extract: Extract

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported: a library that is there and lacks a part of its own cannot."""
        try:
            importlib.import_module(self.module)
        except Exception:  # whatever it is, it cannot run here
            return False
        return True


def _trafilatura(html: str, url: str) -> str:
    from trafilatura import extract

    return extract(html, url=url) or ""


def _trafilatura_plain(html: str, url: str) -> str:
    from trafilatura import extract

    return extract(html, url=url, include_comments=False) or ""


def _trafilatura_fast(html: str, url: str) -> str:
    from trafilatura import extract

    return extract(html, url=url, fast=True) or ""


def _resiliparse(html: str, url: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    # Alternative texts of images are no text of the page (they cost 0.014 of word F1 on WCXB).
    return str(extract_plain_text(html, main_content=True, alt_texts=False))


def _resiliparse_plain(html: str, url: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True))


def _readability(html: str, url: str) -> str:
    from html_text import extract_text
    from readability import Document

    # readability gives HTML; html-text turns it into text without joining the words of two blocks.
    return str(extract_text(Document(html, url=url).summary()))


def _newspaper(html: str, url: str) -> str:
    from newspaper import fulltext

    return str(fulltext(html))


def _newspaper_article(html: str, url: str) -> str:
    from newspaper import Article

    article = Article(url, language="en", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    return str(article.text)


@lru_cache(maxsize=1)
def _goose_instance() -> object:
    from goose3 import Goose

    return Goose({"enable_image_fetching": False})


def _goose(html: str, url: str) -> str:
    goose = _goose_instance()
    return str(goose.extract(raw_html=html).cleaned_text)  # type: ignore[attr-defined]


@lru_cache(maxsize=1)
def _stoplist() -> frozenset[str]:
    from justext import get_stoplist

    return frozenset(get_stoplist("English"))


def _justext(html: str, url: str) -> str:
    from justext import justext

    return "\n".join(p.text for p in justext(html, _stoplist()) if not p.is_boilerplate)


def _boilerpy(html: str, url: str) -> str:
    from boilerpy3.extractors import DefaultExtractor

    # The default is the better one on pages of all kinds (ArticleExtractor has 0.666 on WCXB). It raises on
    # about 1% of pages unless told to go on with what it has.
    return str(DefaultExtractor(raise_on_failure=False).get_content(html))


def _html_text(html: str, url: str) -> str:
    from html_text import extract_text

    return str(extract_text(html))


def _trafilatura_markdown(html: str, url: str) -> str:
    from trafilatura import extract

    options: dict[str, Any] = {
        "include_links": True,
        "include_images": True,
        "include_formatting": True,
        "include_tables": True,
    }
    return str(extract(html, url=url, output_format="markdown", include_comments=False, **options) or "")


def _readability_markdown(html: str, url: str) -> str:
    from html_to_markdown import convert
    from readability import Document

    return str(convert(Document(html, url=url).summary()).content)


MARKDOWN_PEERS: dict[str, Extract] = {"trafilatura": _trafilatura_markdown, "readability-lxml": _readability_markdown}
"""Peers that write Markdown; readability gives HTML, which html-to-markdown turns into it."""

PEERS: dict[str, Peer] = {
    p.name: p
    for p in (
        Peer("trafilatura", "trafilatura", "trafilatura", _trafilatura),
        Peer("trafilatura-nocomments", "trafilatura", "trafilatura", _trafilatura_plain),
        Peer("trafilatura-fast", "trafilatura", "trafilatura", _trafilatura_fast),
        Peer("resiliparse", "resiliparse", "resiliparse", _resiliparse),
        Peer("resiliparse-plain", "resiliparse", "resiliparse", _resiliparse_plain),
        Peer("readability-lxml", "readability-lxml", "readability", _readability),
        Peer("newspaper4k", "newspaper4k", "newspaper", _newspaper),
        Peer("newspaper4k-article", "newspaper4k", "newspaper", _newspaper_article),
        Peer("goose3", "goose3", "goose3", _goose),
        Peer("justext", "jusText", "justext", _justext),
        Peer("boilerpy3", "boilerpy3", "boilerpy3", _boilerpy),
        Peer("html-text", "html-text", "html_text", _html_text),
    )
}


def installed_peers() -> tuple[str, ...]:
    """Names of the peers that can run here."""
    return tuple(name for name, peer in PEERS.items() if peer.is_installed)


def peer(name: str) -> Peer:
    """The peer of this name; an error that names the known ones, or the extra to install."""
    if name not in PEERS:
        raise UsageError(f"no peer called {name!r}; known: {', '.join(PEERS)}")
    if not PEERS[name].is_installed:
        raise MissingExtraError(name, "peers")
    for noisy in ("trafilatura", "readability", "newspaper", "goose3", "boilerpy3", "htmldate", "justext"):
        # Thousands of warnings about broken pages would drown the progress bar.
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    return PEERS[name]
