"""The data of the Site and Pages views: columns per page, counts, histograms, templates, and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.light import dataclass
from sitegrain.methods.base import ARTICLE, ROLES
from sitegrain.report.tables import Tables, integers, numbers, rounded, some, strings
from sitegrain.result.arrow import dictionary_encoded, taken

MAX_LISTED = 200
"""Pages, addresses or notes that a list of what to look at holds; its true length is told beside it."""
LOST_SHARE = 0.25
"""A page that keeps less than this share of what the median page of its template keeps is listed as a suspicious loss.
Ours: it only orders a list that a person looks at."""
LEAST_TEXT = 400
"""Characters from which a page without kept text is a suspicious loss: `article.SHELL_TEXT`, below which nothing was lost."""
MAX_TEMPLATES = 60
MAX_BARS = 160
"""Blocks that the picture of a template shows: more are thinner than a pixel."""


@dataclass(frozen=True, eq=False)
class TextSums:
    """How much text each page has, and how much of it was kept."""

    total: Floats
    """Characters of the page's blocks."""
    kept: Floats
    words: Floats
    """Kept words."""

    @property
    def share(self) -> Floats:
        return self.kept / np.maximum(self.total, 1)


def text_sums(tables: Tables) -> TextSums:
    """The sums over each page's blocks."""
    blocks = some(tables, "blocks", "page", "n_characters", "is_informative", "words")
    n = int(tables.summary["pages"])
    page, size, is_kept = (
        integers(blocks, "page"),
        numbers(blocks, "n_characters"),
        numbers(blocks, "is_informative") > 0,
    )
    words = np.nan_to_num(numbers(blocks, "words")) if "words" in blocks.column_names else size / 6

    def total(values: Floats, chosen: npt.NDArray[np.bool_]) -> Floats:
        return np.bincount(page[chosen], values[chosen], minlength=n).astype(np.float64)

    return TextSums(total(size, np.ones(len(page), bool)), total(size, is_kept), total(words, is_kept))


def page_columns(tables: Tables, sums: TextSums) -> dict[str, Any]:
    """One list per column of the Pages view, rows in the order of the page table."""
    pages = some(
        tables, "pages", "url", "title", "role", "page_type", "language", "author", "date", "template", "confidence",
        "role_confidence", "notes",
    )  # fmt: skip
    roles = {role: code for code, role in enumerate(ROLES)}
    return {
        "url": strings(pages, "url"),
        "title": strings(pages, "title"),
        "role": [roles.get(role, 0) for role in strings(pages, "role")],
        "type": strings(pages, "page_type"),
        "language": strings(pages, "language"),
        "author": strings(pages, "author"),
        "date": strings(pages, "date"),
        "template": integers(pages, "template").tolist(),
        "words": np.round(sums.words).astype(int).tolist(),
        "confidence": rounded(numbers(pages, "confidence")),
        "role_confidence": rounded(numbers(pages, "role_confidence")),
        "kept": rounded(sums.share),
        "notes": strings(pages, "notes"),
    }


def overview(tables: Tables, columns: Mapping[str, Any], sums: TextSums) -> dict[str, Any]:
    """What was found in one screen."""
    names = Counter(strings(some(tables, "pages", "url", "sitename"), "sitename"))
    sure = some(tables, "pages", "confidence", "role_confidence")
    return {
        "name": names.most_common(1)[0][0] if names else "",
        "summary": dict(tables.summary),
        "histograms": {
            "Entropy of links": _histogram(
                numbers(some(tables, "links", "page", "entropy"), "entropy"), np.linspace(0, 1, 21)
            ),
            "Words per page": _histogram(np.array(columns["words"], float), _word_edges(columns["words"])),
            "Confidence in the text": _histogram(numbers(sure, "confidence"), np.linspace(0, 1, 21)),
            "Confidence in the role": _histogram(numbers(sure, "role_confidence"), np.linspace(0, 1, 21)),
        },
        "templates": _templates(tables, columns),
        "attention": _attention(tables, columns, sums),
    }


def _histogram(values: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]) -> dict[str, Any]:
    counts, edges = np.histogram(values[~np.isnan(values)], edges)
    return {"edges": np.round(edges, 3).tolist(), "counts": counts.tolist(), "empty": int(np.isnan(values).sum())}


def _word_edges(words: list[int]) -> npt.NDArray[np.float64]:
    """Powers of two: lengths of texts spread over three orders of magnitude."""
    top = int(np.ceil(np.log2(max([*words, 1]) + 1)))
    return np.concatenate([[0], 2.0 ** np.arange(0, max(top, 1) + 1)])


def _templates(tables: Tables, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The most used templates, each with the blocks of the page whose kept share is the median of its pages."""
    blocks = some(tables, "blocks", "page", "n_characters", "is_informative", "kind")
    template, role = np.array(columns["template"], np.int64), np.array(columns["role"], np.int64)
    share = np.array(columns["kept"], float)
    order = np.argsort(integers(blocks, "page"), kind="stable")
    start = np.searchsorted(integers(blocks, "page")[order], np.arange(len(template) + 1))
    size, kept = integers(blocks, "n_characters"), numbers(blocks, "is_informative") > 0
    found, count = np.unique(template, return_counts=True)
    out = []
    for number in found[np.argsort(-count, kind="stable")][:MAX_TEMPLATES].tolist():
        own = np.flatnonzero(template == number)
        typical = int(own[np.argsort(share[own], kind="stable")[len(own) // 2]])
        rows = order[start[typical] : start[typical + 1]]
        step = max(1, -(-len(rows) // MAX_BARS))
        rows = rows[::step]
        kinds = strings(taken(blocks, rows), "kind")
        bars = [
            [int(size[row]), kind or ("content" if kept[row] else "template")]
            for row, kind in zip(rows.tolist(), kinds, strict=True)
        ]
        roles = np.bincount(role[own], minlength=len(ROLES)).tolist()
        out.append({"template": number, "pages": len(own), "roles": roles, "page": typical, "bars": bars})
    return out


def _attention(tables: Tables, columns: Mapping[str, Any], sums: TextSums) -> list[dict[str, Any]]:
    """Lists of pages that a person should look at, each with why."""
    role, share = np.array(columns["role"], np.int64), np.array(columns["kept"], float)
    sure, role_sure = (np.array([x or 0.0 for x in columns[name]], float) for name in ("confidence", "role_confidence"))
    is_article = role == ARTICLE
    articles = np.flatnonzero(is_article)

    def listed(title: str, why: str, pages: npt.NDArray[np.int64], said: list[str]) -> dict[str, Any]:
        rows = [[int(page), text] for page, text in zip(pages[:MAX_LISTED].tolist(), said, strict=False)]
        return {"title": title, "why": why, "n": len(pages), "rows": rows}

    least = articles[np.argsort(sure[articles], kind="stable")][:20]
    unsure = np.argsort(role_sure, kind="stable")[:20]
    lost = _lost(sums.total, columns, share)
    notes = np.flatnonzero([bool(note) for note in columns["notes"]])
    out = [
        listed("Least sure texts", "articles whose kept text has the lowest score", least,
               [f"{sure[p]:.2f}" for p in least]),
        listed("Least sure roles", "pages whose role could well be another one", unsure,
               [f"{role_sure[p]:.2f}" for p in unsure]),
        listed("Suspicious loss", "pages that keep far less than others of their template", lost,
               [f"{share[p]:.0%} kept" for p in lost]),
        listed("Notes", "what was noticed while reading", notes, [columns["notes"][p] for p in notes[:MAX_LISTED]]),
    ]  # fmt: skip
    for name in ("title", "date", "author"):
        missing = articles[[not columns[name][p] for p in articles.tolist()]] if len(articles) else articles
        if 0 < len(missing) < len(articles):
            out.append(listed(f"No {name}", f"articles without {name}, where others have one", missing,
                              [""] * len(missing)))  # fmt: skip
    return [entry for entry in [*out, _unresolved(tables)] if entry["n"]]


def _lost(total: Floats, columns: Mapping[str, Any], share: Floats) -> Ints64:
    template, role = np.array(columns["template"], np.int64), np.array(columns["role"], np.int64)
    order = np.lexsort((share, template))
    order = order[role[order] == ARTICLE]
    # Of each template the median is the middle of its run.
    first = np.flatnonzero(np.diff(template[order], prepend=-1))
    count = np.diff(np.append(first, len(order)))
    median = np.repeat(share[order[first + count // 2]], count) if len(order) else np.zeros(0)
    far = (share[order] < LOST_SHARE * median) & (total[order] > LEAST_TEXT) & (np.repeat(count, count) >= 3)
    nothing = np.flatnonzero((share == 0) & (total > LEAST_TEXT))
    lost = distinct(np.concatenate([order[far], nothing]).astype(np.int64))
    return np.asarray(lost[np.argsort(share[lost], kind="stable")], np.int64)


def _unresolved(tables: Tables) -> dict[str, Any]:
    """Addresses of the site that pages lead to and that are not in the set, the most linked first."""
    links = some(tables, "links", "page", "target", "target_url", "is_same_site", "is_self")
    missing = (integers(links, "target") < 0) & (numbers(links, "is_same_site") > 0) & ~(numbers(links, "is_self") > 0)
    # Rows of Python and not a group-by of pyarrow, which takes longer to load than a small site to mine.
    page = integers(links, "page")
    first: dict[str, int] = {}
    count: Counter[str] = Counter()
    at = 0
    for chunk in links.column("target_url").chunks:
        own = np.flatnonzero(missing[at : at + len(chunk)])
        coded = dictionary_encoded(taken(chunk, own))  # each different address is made once
        which = np.asarray(coded.indices)
        lowest = np.full(len(coded.dictionary), len(page), np.int64)
        np.minimum.at(lowest, which, page[at + own])
        times = np.bincount(which, minlength=len(lowest))
        for url, n, number in zip(coded.dictionary.to_pylist(), times.tolist(), lowest.tolist(), strict=True):
            if url:
                count[url] += n
                first[url] = min(number, first.get(url, number))
        at += len(chunk)
    most = sorted(count, key=lambda url: (-count[url], first[url], url.encode("utf-8")))[:50]
    rows = [[first[url], f"{url} ({count[url]:,} link{'s' if count[url] > 1 else ''})"] for url in most]
    return {"title": "Linked pages that are not here", "why": "addresses of this site that were not read",
            "n": len(count), "rows": rows}  # fmt: skip
