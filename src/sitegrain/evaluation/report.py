"""Markdown pages and plots, for `evaluate` and for the papers' experiments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegrain.errors import MissingExtraError, OutputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    numeric = [
        bool(body) and all(not isinstance(r[c], str) for r in body) for c in range(len(columns))
    ]
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

    def figure(self, figure: Figure, name: str, caption: str = "") -> MarkdownPage:
        """A plot: written as `name.png` and `name.svg` beside the page."""
        name = re.sub(r"[^\w.-]+", "-", name)
        self._figures.append((name, figure))
        self._parts.append(f"![{caption or name}]({name}.png)" + (f"\n\n*{caption}*" if caption else ""))
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
    title: str = "",
    ylim: tuple[float, float] | None = None,
) -> Figure:
    """One line per series; a series is its x values and its y values."""
    figure, axes = new_figure()
    markers = "osv^D<>PX*"
    for i, (label, (xs, ys)) in enumerate(series.items()):
        axes.plot(xs, ys, marker=markers[i % len(markers)], markersize=4, linewidth=1.3, label=label)
    _finish(axes, x=x, y=y, title=title, legend=len(series) > 1)
    if ylim:
        axes.set_ylim(*ylim)
    return figure


def bar_plot(
    groups: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    y: str = "",
    title: str = "",
    errors: Mapping[str, Sequence[tuple[float, float]]] | None = None,
) -> Figure:
    """Bars side by side: one cluster per group, one colour per series; errors are (down, up) lengths."""
    figure, axes = new_figure(width=max(6.0, 0.35 * len(groups) * max(1, len(series)) + 2))
    width = 0.8 / max(1, len(series))
    for i, (label, values) in enumerate(series.items()):
        at = [g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))]
        bars: Any = None
        if errors and label in errors:
            bars = [list(side) for side in zip(*errors[label], strict=True)]
        axes.bar(at, values, width, label=label, yerr=bars, capsize=2)
    turn = sum(len(g) for g in groups) > 60
    axes.set_xticks(range(len(groups)), groups, rotation=45 if turn else 0, ha="right" if turn else "center")
    _finish(axes, x="", y=y, title=title, legend=len(series) > 1)
    return figure


def _finish(axes: Axes, *, x: str, y: str, title: str, legend: bool) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title)
    if legend:
        axes.legend(fontsize=8)
