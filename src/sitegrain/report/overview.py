"""The data of the Site and Pages views: columns per page, counts, histograms, templates, and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.methods.base import ARTICLE, ROLES
from sitegrain.report.tables import Tables, integers, numbers, rounded, strings

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


def page_columns(tables: Tables) -> dict[str, Any]:
    """One list per column of the Pages view, rows in the order of the page table."""
    pages, blocks = tables.pages, tables.blocks
    kept = _kept(tables)
    words = numbers(blocks, "words") if "words" in blocks.column_names else numbers(blocks, "n_characters") / 6
    is_kept = numbers(blocks, "is_informative") > 0
    of = integers(blocks, "page")
    n_words = np.bincount(of[is_kept], np.nan_to_num(words[is_kept]), minlength=len(pages))
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
        "words": np.round(n_words).astype(int).tolist(),
        "confidence": rounded(numbers(pages, "confidence")),
        "role_confidence": rounded(numbers(pages, "role_confidence")),
        "kept": rounded(kept.share),
        "notes": strings(pages, "notes"),
    }


def overview(tables: Tables, columns: Mapping[str, Any]) -> dict[str, Any]:
    """What was found in one screen."""
    links = tables.links
    names = Counter(strings(tables.pages, "sitename"))
    return {
        "name": names.most_common(1)[0][0] if names else "",
        "summary": dict(tables.summary),
        "histograms": {
            "Entropy of links": _histogram(numbers(links, "entropy"), np.linspace(0, 1, 21)),
            "Words per page": _histogram(np.array(columns["words"], float), _word_edges(columns["words"])),
            "Confidence in the text": _histogram(numbers(tables.pages, "confidence"), np.linspace(0, 1, 21)),
            "Confidence in the role": _histogram(numbers(tables.pages, "role_confidence"), np.linspace(0, 1, 21)),
        },
        "templates": _templates(tables, columns),
        "attention": _attention(tables, columns),
    }


class _Kept:
    def __init__(self, total: npt.NDArray[np.float64], own: npt.NDArray[np.float64]) -> None:
        self.total = total
        self.share = own / np.maximum(total, 1)


def _kept(tables: Tables) -> _Kept:
    """Characters of each page's blocks, and the share that was kept."""
    blocks, n = tables.blocks, len(tables.pages)
    size, page = numbers(blocks, "n_characters"), integers(blocks, "page")
    is_kept = numbers(blocks, "is_informative") > 0
    total, own = np.bincount(page, size, minlength=n), np.bincount(page[is_kept], size[is_kept], minlength=n)
    return _Kept(np.asarray(total, np.float64), np.asarray(own, np.float64))


def _histogram(values: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]) -> dict[str, Any]:
    counts, edges = np.histogram(values[~np.isnan(values)], edges)
    return {"edges": np.round(edges, 3).tolist(), "counts": counts.tolist(), "empty": int(np.isnan(values).sum())}


def _word_edges(words: list[int]) -> npt.NDArray[np.float64]:
    """Powers of two: lengths of texts spread over three orders of magnitude."""
    top = int(np.ceil(np.log2(max([*words, 1]) + 1)))
    return np.concatenate([[0], 2.0 ** np.arange(0, max(top, 1) + 1)])


def _templates(tables: Tables, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The most used templates, each with the blocks of the page whose kept share is the median of its pages."""
    blocks = tables.blocks
    template, role = np.array(columns["template"], np.int64), np.array(columns["role"], np.int64)
    share = np.array(columns["kept"], float)
    order = np.argsort(integers(blocks, "page"), kind="stable")
    start = np.searchsorted(integers(blocks, "page")[order], np.arange(len(template) + 1))
    size, kept = integers(blocks, "n_characters"), numbers(blocks, "is_informative") > 0
    kind = strings(blocks, "kind")
    found, count = np.unique(template, return_counts=True)
    out = []
    for number in found[np.argsort(-count, kind="stable")][:MAX_TEMPLATES].tolist():
        own = np.flatnonzero(template == number)
        typical = int(own[np.argsort(share[own], kind="stable")[len(own) // 2]])
        rows = order[start[typical] : start[typical + 1]]
        step = max(1, -(-len(rows) // MAX_BARS))
        bars = [[int(size[r]), kind[r] or ("content" if kept[r] else "template")] for r in rows[::step].tolist()]
        roles = np.bincount(role[own], minlength=len(ROLES)).tolist()
        out.append({"template": number, "pages": len(own), "roles": roles, "page": typical, "bars": bars})
    return out


def _attention(tables: Tables, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Lists of pages that a person should look at, each with why."""
    role, share = np.array(columns["role"], np.int64), np.array(columns["kept"], float)
    sure = np.nan_to_num(numbers(tables.pages, "confidence"))
    role_sure = np.nan_to_num(numbers(tables.pages, "role_confidence"))
    is_article = role == ARTICLE
    articles = np.flatnonzero(is_article)

    def listed(title: str, why: str, pages: npt.NDArray[np.int64], said: list[str]) -> dict[str, Any]:
        rows = [[int(page), text] for page, text in zip(pages[:MAX_LISTED].tolist(), said, strict=False)]
        return {"title": title, "why": why, "n": len(pages), "rows": rows}

    least = articles[np.argsort(sure[articles], kind="stable")][:20]
    unsure = np.argsort(role_sure, kind="stable")[:20]
    lost = _lost(tables, columns, share)
    notes = np.flatnonzero([bool(note) for note in columns["notes"]])
    out = [
        listed("Least sure texts", "articles whose kept text has the lowest score", least,
               [f"{sure[p]:.2f}" for p in least]),
        listed("Least sure roles", "pages whose role could as well be another", unsure,
               [f"{role_sure[p]:.2f}" for p in unsure]),
        listed("Suspicious loss", "pages that keep far less than others of their template", lost,
               [f"{share[p]:.0%} kept" for p in lost]),
        listed("Notes", "what was seen while reading", notes, [columns["notes"][p] for p in notes[:MAX_LISTED]]),
    ]  # fmt: skip
    for name in ("title", "date", "author"):
        missing = articles[[not columns[name][p] for p in articles.tolist()]] if len(articles) else articles
        if 0 < len(missing) < len(articles):
            out.append(listed(f"No {name}", f"articles without {name}, where others have one", missing,
                              [""] * len(missing)))  # fmt: skip
    return [entry for entry in [*out, _unresolved(tables)] if entry["n"]]


def _lost(tables: Tables, columns: Mapping[str, Any], share: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    total = _kept(tables).total
    template, role = np.array(columns["template"], np.int64), np.array(columns["role"], np.int64)
    order = np.lexsort((share, template))
    order = order[role[order] == ARTICLE]
    # Of each template the median is the middle of its run.
    first = np.flatnonzero(np.diff(template[order], prepend=-1))
    count = np.diff(np.append(first, len(order)))
    median = np.repeat(share[order[first + count // 2]], count) if len(order) else np.zeros(0)
    far = (share[order] < LOST_SHARE * median) & (total[order] > LEAST_TEXT) & (np.repeat(count, count) >= 3)
    nothing = np.flatnonzero((share == 0) & (total > LEAST_TEXT))
    lost = np.unique(np.concatenate([order[far], nothing]).astype(np.int64))
    return np.asarray(lost[np.argsort(share[lost], kind="stable")], np.int64)


def _unresolved(tables: Tables) -> dict[str, Any]:
    """Addresses of the site that pages lead to and that are not in the set, the most linked first."""
    links = tables.links
    missing = np.flatnonzero(
        (integers(links, "target") < 0) & (numbers(links, "is_same_site") > 0) & ~(numbers(links, "is_self") > 0)
    )
    urls = links.column("target_url").take(missing).to_pylist()
    page = integers(links, "page")
    first: dict[str, int] = {}
    count: Counter[str] = Counter()
    for row, url in zip(missing.tolist(), urls, strict=True):
        if url:
            first.setdefault(url, int(page[row]))
            count[url] += 1
    rows = [[first[url], f"{url} ({n:,} links)"] for url, n in count.most_common(50)]
    return {"title": "Links that lead out of the set", "why": "addresses of this site that were not read",
            "n": len(count), "rows": rows}  # fmt: skip
