"""Markdown pages and plots, for `evaluate` and for the papers' experiments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sitegrain.errors import MissingExtraError, OutputError
from sitegrain.evaluation.metrics import bootstrap_difference
from sitegrain.evaluation.results import CERTAIN
from sitegrain.evaluation.scrambled import CHANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sitegrain.evaluation.results import Results, Score

Cell = str | int | float | None


def format_cell(value: Cell, digits: int = 3) -> str:
    """A table cell as text: floats with `digits` decimals, None as a dash.

    >>> [format_cell(v) for v in (0.81799, 1497, None, "a|b")]
    ['0.818', '1,497', '–', 'a\\\\|b']
    """
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    if isinstance(value, int):
        return f"{value:,}"
    return " ".join(value.split()).replace("|", "\\|")


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], digits: int = 3) -> str:
    """A Markdown table; columns whose cells are numbers are right aligned.

    >>> print(markdown_table(["site", "F"], [["a", 0.5], ["b", None]]))
    | site | F |
    |---|---:|
    | a | 0.500 |
    | b | – |
    """
    body = [list(row) for row in rows]
    wrong = [row for row in body if len(row) != len(columns)]
    if wrong:
        raise ValueError(f"a row of {len(wrong[0])} cells in a table of {len(columns)} columns")
    numeric = [bool(body) and all(not isinstance(r[c], str) for r in body) for c in range(len(columns))]
    lines = ["| " + " | ".join(format_cell(c) for c in columns) + " |"]
    lines.append("|" + "|".join("---:" if n else "---" for n in numeric) + "|")
    lines += ["| " + " | ".join(format_cell(c, digits) for c in row) + " |" for row in body]
    return "\n".join(lines)


class MarkdownPage:
    """A page that grows part by part and is written once, with its figures beside it.

    >>> page = MarkdownPage("WISDOM")
    >>> page.text("Two sites.").table(["site", "F"], [["a", 0.5]])
    MarkdownPage('WISDOM', 2 parts)
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._figures: list[tuple[str, Figure]] = []

    def __repr__(self) -> str:
        return f"MarkdownPage({self.title!r}, {len(self._parts)} parts)"

    def heading(self, text: str) -> MarkdownPage:
        """A second-level heading."""
        self._parts.append(f"## {text}")
        return self

    def text(self, text: str) -> MarkdownPage:
        """A paragraph, as it stands."""
        self._parts.append(text.strip())
        return self

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Cell]], digits: int = 3) -> MarkdownPage:
        """A table (see `markdown_table`)."""
        self._parts.append(markdown_table(columns, rows, digits))
        return self

    def figure(self, figure: Figure | None, name: str, caption: str = "") -> MarkdownPage:
        """A plot: written as `name.png` and `name.svg` beside the page; None, where plots cannot be made, is a line."""
        if figure is None:
            return self.text(f"*{caption or name}: no plot, since matplotlib is not installed.*")
        name = re.sub(r"[^\w.-]+", "-", name)
        self._figures.append((name, figure))
        self._parts.append(f"![{caption or name}]({name}.png)" + (f"\n\n*{caption}*" if caption else ""))
        return self

    def extend(self, other: MarkdownPage) -> MarkdownPage:
        """The parts of another page, with its figures."""
        self._parts += other._parts
        self._figures += other._figures
        return self

    def markdown(self) -> str:
        """The whole page as Markdown."""
        return "\n\n".join([f"# {self.title}", *self._parts]) + "\n"

    def write(self, folder: Path, name: str) -> Path:
        """Write `name.md` and its figures into a folder (made if absent); returns the page's path."""
        path = folder / f"{name}.md"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(self.markdown(), encoding="utf-8")
            for stem, figure in self._figures:
                for ending in ("png", "svg"):
                    figure.savefig(folder / f"{stem}.{ending}", dpi=120)
        except OSError as error:
            raise OutputError(f"cannot write {path}: {error}") from error
        return path


# Plots. matplotlib is an extra, so it is imported only where a plot is drawn; figures are made without
# pyplot, which keeps a global state and wants a display.


MAX_WIDTH = 16.0
"""Inches of the widest plot: at 120 dots it has fewer than 2,000 pixels, which a screen can show."""


def can_plot() -> bool:
    """Whether the extra `plots` is installed."""
    return find_spec("matplotlib") is not None


def new_figure(width: float = 7.0, height: float = 4.0) -> tuple[Figure, Axes]:
    """An empty figure with one pair of axes."""
    try:
        from matplotlib import rcParams
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as _Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots") from error
    # Without these, every run writes another SVG for the same numbers.
    rcParams["svg.hashsalt"] = "sitegrain"
    rcParams["svg.fonttype"] = "none"
    figure = _Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    return figure, axes


def line_plot(
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    x: str = "",
    y: str = "",
    ylim: tuple[float, float] | None = None,
) -> Figure | None:
    """One line per series; a series is its x values and its y values. None without the extra `plots`."""
    if not can_plot():
        return None
    figure, axes = new_figure()
    markers = "osv^D<>PX*"
    for i, (label, (xs, ys)) in enumerate(series.items()):
        axes.plot(xs, ys, marker=markers[i % len(markers)], markersize=4, linewidth=1.3, label=label)
    _finish(axes, x=x, y=y, title="", legend=len(series) > 1)
    if ylim:
        axes.set_ylim(*ylim)
    return figure


def bar_plot(
    groups: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    y: str = "",
    title: str = "",
) -> Figure | None:
    """Bars side by side: one cluster per group, one colour per series. None without the extra `plots`."""
    if not can_plot():
        return None
    figure, axes = new_figure(width=min(max(6.0, 0.35 * len(groups) * max(1, len(series)) + 2), MAX_WIDTH))
    width = 0.8 / max(1, len(series))
    for i, (label, values) in enumerate(series.items()):
        at = [g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))]
        axes.bar(at, values, width, label=label)
    turn = sum(len(g) for g in groups) > 60
    crowded = len(groups) > 40
    axes.set_xticks(range(len(groups)), groups, rotation=90 if crowded else 45 if turn else 0)
    for tick in axes.get_xticklabels():
        tick.set_horizontalalignment("right" if turn and not crowded else "center")
        tick.set_fontsize(7 if crowded else 10)
    _finish(axes, x="", y=y, title=title, legend=len(series) > 1)
    return figure


def _finish(axes: Axes, *, x: str, y: str, title: str, legend: bool) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title)
    if legend:
        axes.legend(fontsize=8)


# The results of `evaluate`

_AMISS = {
    "page_without_truth": "pages without truth, left out",
    "truth_without_page": "truths without page, left out",
    "empty_truth": "empty truths, scored (right when nothing is found)",
    "label_of_absent_page": "labels of pages that are not there",
    "unlabelled_page": "pages without label, not scored",
    "no_selector": "article or TOC labels without selector",
    "bad_selector": "selectors that are not CSS",
    "no_match": "selectors that match nothing",
    "other_tree": "pages that are not the page in the tables",
    "sampled_article_without_gold": "sampled articles not scored, since no gold was found",
}


def amiss(counts: Mapping[str, int]) -> str:
    """What is amiss with data, in words.

    >>> amiss({"no_match": 2, "empty_truth": 1})
    '2 selectors that match nothing (no_match); 1 empty truths, scored (right when nothing is found) (empty_truth)'
    """
    return "; ".join(
        f"{n:,} {_AMISS[what]} ({what})" if what in _AMISS else f"{n:,} {what}" for what, n in counts.items()
    )


MAIN_METRICS = ("word_f1", "snippet_f1", "token_f1", "toc_r_precision")
"""The figure that stands for a method: page sets, page sets with snippets only, articles of sites, roles of pages."""
_COST = ("ms_per_page", "crashes")
_OVERALL = {
    "Main text, pages": (
        "word_f1", "word_precision", "word_recall", "shingle_f1", "with_rate", "without_rate", *_COST,
    ),
    "Snippets": ("snippet_f1", "snippet_precision", "snippet_recall", "with_rate", "without_rate", *_COST),
    "Main text, sites": (
        "token_f1", "token_precision", "token_recall", "ic_f1", "b_f1", "snc_f1", *_COST,
    ),
    "Roles of pages": ("toc_r_precision", "toc_precision_at_20", "toc_f1", "article_f1", "crashes"),
}  # fmt: skip
"""What each table shows; its first measure decides which methods are in it, and their order."""


@dataclass(frozen=True)
class Table:
    """A table of figures, for a page or for the terminal."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def overall_tables(results: Results) -> list[Table]:
    """One row per method, one column per measure; the main figure with its 95% interval."""
    value = {(r.method, r.metric): r.value for r in results.rows if r.group == "all"}
    out = []
    shown = False
    for title, wanted in _OVERALL.items():
        # Page sets have token figures besides, and one table.
        methods = [] if wanted[0] == "token_f1" and shown else _methods(results, wanted[0])
        shown = shown or bool(methods)
        there = [m for m in wanted if any((method, m) in value for method in methods)]
        rows = tuple((method, *(_figure(value, method, m) for m in there)) for method in methods)
        if rows:
            out.append(Table(title, ("method", *there), rows))
    return out


def certain_tables(results: Results) -> list[Table]:
    """The same of the pages whose truth is not doubtful, if some of a page set are marked: a truth that stops midway lowers every precision."""
    value = {(r.method, r.metric): r.value for r in results.rows if r.group == CERTAIN}
    wanted = ("word_f1", "word_precision", "word_recall")
    methods = [m for m in _methods(results, wanted[0]) if (m, wanted[0]) in value]
    rows = tuple((method, *(_figure(value, method, m) for m in wanted)) for method in methods)
    return [Table("Main text, pages whose truth is not marked as doubtful", ("method", *wanted), rows)] if rows else []


def _figure(value: Mapping[tuple[str, str], float], method: str, metric: str) -> Cell:
    figure = value.get((method, metric))
    low, high = (value.get((method, f"{metric}_{end}")) for end in ("low", "high"))
    if figure is None:
        return None
    if metric == "crashes":
        return int(figure)
    return figure if low is None or high is None else f"{figure:.3f} ({low:.3f} to {high:.3f})"


def group_tables(results: Results) -> list[Table]:
    """For each main measure, one row per group and one column per method."""
    tables: list[Table] = []
    for metric in MAIN_METRICS:
        rows = [r for r in results.rows if r.metric == metric]
        if not rows or (metric == "token_f1" and tables):  # page sets have one table
            continue
        value = {(r.method, r.group): r.value for r in rows}
        count = {r.group: r.n for r in rows}
        methods = _methods(results, metric)
        groups = sorted(count, key=lambda g: (not g.startswith("all"), g))
        body = tuple((g, count[g], *(value.get((m, g)) for m in methods)) for g in groups)
        tables.append(Table(f"{metric} by group", ("group", "n", *methods), body))
    return tables


def change_table(results: Results) -> Table | None:
    """What names are worth: plain and scrambled figures of `all`, and their difference with its 95% interval."""
    value = {(r.method, r.metric, r.data): r for r in results.rows if r.group == "all"}
    shown = {m for wanted in _OVERALL.values() for m in wanted if m not in _COST}
    rows = []
    for (method, metric, data), row in value.items():
        if data.endswith(CHANGE) and metric in shown:
            name = data.removesuffix(CHANGE)
            plain, scrambled = (value[method, metric, name + more].value for more in ("", " scrambled"))
            low, high = (value.get((method, f"{metric}_{end}", data)) for end in ("low", "high"))
            ends = (low.value, high.value) if low and high else (None, None)
            rows.append((method, metric, plain, scrambled, row.value, *ends, row.n))
    columns = ("method", "metric", "plain", "scrambled", "difference", "low", "high", "n")
    return Table("Scrambled minus plain", columns, tuple(rows)) if rows else None


def difference_table(results: Results) -> Table | None:
    """Each method against the first, over the same pages: the difference with its 95% interval."""
    if not results.scores:
        return None
    metric = next(m for m in MAIN_METRICS if m in results.scores[0].values)
    methods = _methods(results, metric)
    if len(methods) < 2:
        return None
    pages: dict[str, dict[tuple[str, str], float]] = {}
    for score in results.scores:
        pages.setdefault(score.method, {})[score.group, score.page] = score.values[metric]
    first = methods[0]
    rows = []
    for other in methods[1:]:
        both = sorted(pages[first].keys() & pages[other].keys())
        gap = bootstrap_difference([pages[first][k] for k in both], [pages[other][k] for k in both])
        rows.append((other, gap.mean, gap.low, gap.high, len(both)))
    title = f"{first} minus ... ({metric} over pages)"
    return Table(title, ("method", "difference", "low", "high", "n"), tuple(rows))


def by_data(results: Results) -> list[tuple[str, Results]]:
    """(data, its part of the results): one, or the plain and the scrambled data."""
    names = list(dict.fromkeys(r.data for r in results.rows if not r.data.endswith(CHANGE)))
    return [
        (
            name,
            replace(
                results,
                rows=tuple(r for r in results.rows if r.data == name),
                scores=tuple(s for s in results.scores if s.data == name),
            ),
        )
        for name in names
    ]


def sets_table(results: Results) -> Table | None:
    """One row for each data set and one column for each method: F1 with precision and recall. By tokens, which are fair to
    all languages, or by snippets."""
    value = {(r.data, r.method, r.metric): r for r in results.rows if r.group == "all"}
    names = [name for name, _ in by_data(results)]
    methods = list(dict.fromkeys(r.method for r in results.rows))
    if len(names) < 2:
        return None
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        kind = "snippet" if any((name, m, "snippet_f1") in value for m in methods) else "token"
        cells: list[Cell] = []
        for method in methods:
            found = [value.get((name, method, f"{kind}_{what}")) for what in ("f1", "precision", "recall")]
            f1, precision, recall = (row.value if row else None for row in found)
            cells.append(None if f1 is None else f"{f1:.3f} ({precision:.3f}, {recall:.3f})")
        count = next((row.n for m in methods if (row := value.get((name, m, f"{kind}_f1")))), 0)
        rows.append((name, kind, count, *cells))
    return Table("All data: F1 (precision, recall)", ("data", "by", "n", *methods), tuple(rows))


LEAST_PAGES = 3
"""A language with fewer pages has no figure."""


def language_table(results: Results) -> Table | None:
    """F1 of each method by the language of the page, over all data: by tokens or by snippets."""
    found: dict[str, dict[str, list[float]]] = {}
    for s in results.scores:
        if s.language:
            found.setdefault(s.language, {}).setdefault(s.method, []).append(page_f1(s))
    methods = list(dict.fromkeys(s.method for s in results.scores))
    count = {language: max(map(len, by.values())) for language, by in found.items()}
    rows = tuple(
        (language, n, *(sum(v) / len(v) if (v := found[language].get(m)) else None for m in methods))
        for language, n in sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))
        if n >= LEAST_PAGES
    )
    return Table("By language: F1", ("language", "n", *methods), rows) if len(rows) > 1 else None


def confidence_table(results: Results) -> Table | None:
    """Whether a confidence means what it says: pages by tenths of it with their mean F1, then pages with a note that they are
    suspicious, and the others."""
    told = [s for s in results.scores if "confidence" in s.values]
    groups: dict[str, list[Score]] = {}
    for s in told:
        low = min(int(s.values["confidence"] * 10), 9) / 10
        groups.setdefault(f"{low:.1f} to {low + 0.1:.1f}", []).append(s)
    rows: list[tuple[Cell, ...]] = []
    parts = [(name, groups[name]) for name in sorted(groups)]
    parts += [
        (name, [s for s in told if s.values["doubted"] == is_on])
        for name, is_on in (("suspicious", 1.0), ("other", 0.0))
    ]
    for name, some in parts:
        if some:
            f1 = [page_f1(s) for s in some]
            sure = [s.values["confidence"] for s in some]
            bad = sum(x < 0.5 for x in f1) / len(f1)
            rows.append((name, len(some), sum(sure) / len(sure), sum(f1) / len(f1), bad))
    columns = ("confidence", "pages", "mean confidence", "mean F1", "F1 below 0.5")
    return Table("Confidence of the default method", columns, tuple(rows)) if rows else None


def page_f1(score: Score) -> float:
    """The F1 of a page: by snippets, or by tokens."""
    return score.values["snippet_f1"] if "snippet_f1" in score.values else score.values["token_f1"]


def tables(results: Results) -> list[Table]:
    """All tables of a run, the shortest answer first."""
    parts = by_data(results)
    out = [t for t in (sets_table(results), language_table(results), confidence_table(results)) if t is not None]
    for name, part in parts:
        difference = difference_table(part)
        found = [
            *overall_tables(part),
            *certain_tables(part),
            *group_tables(part),
            *([difference] if difference else []),
        ]
        out += [replace(t, title=f"{t.title}: {name}") for t in found] if len(parts) > 1 else found
    change = change_table(results)
    return [*out, change] if change else out


def results_page(results: Results) -> MarkdownPage:
    """The results as a page with plots."""
    page = MarkdownPage("Evaluation")
    for name, digest in results.digests.items():
        page.text(f"- {name}: digest `{digest[:16]}`")
    page.text("Versions: " + ", ".join(f"{k} {v}" for k, v in results.versions.items()) + ".")
    for note in results.notes:
        page.text(f"Note: {note}.")
    for table in tables(results):
        page.heading(table.title).table(table.columns, table.rows)
    if results.problems:
        page.heading("What was amiss with the data")
        page.table(
            ["data", "what", "count"],
            [[data, what, n] for data, counts in results.problems.items() for what, n in counts.items()],
        )
    crashed = [s for s in results.scores if s.error]
    if crashed:
        page.heading("Pages where a method failed (each scores 0)")
        page.table(["method", "page", "error"], [[s.method, s.page, s.error] for s in crashed[:200]])
    if not can_plot():
        return page.text("No plots: matplotlib is not installed (`pip install 'sitegrain[plots]'`).")
    for name, part in by_data(results):
        for metric in MAIN_METRICS:
            rows = [r for r in part.rows if r.metric == metric]
            if rows:
                methods = _methods(part, metric)
                groups = sorted({r.group for r in rows}, key=lambda g: (not g.startswith("all"), g))
                value = {(r.method, r.group): r.value for r in rows}
                series = {m: [value.get((m, g), 0.0) for g in groups] for m in methods}
                plot = bar_plot(groups, series, y=metric, title=f"{metric}, {name}")
                page.figure(plot, f"{metric}-scrambled" if name.endswith(" scrambled") else metric)
    return page


def _methods(results: Results, metric: str) -> list[str]:
    """Methods that have this figure, the best first."""
    value = {r.method: r.value for r in results.rows if r.group == "all" and r.metric == metric}
    return sorted(value, key=lambda m: -value[m])
