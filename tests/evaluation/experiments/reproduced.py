"""What `sitegrain reproduce` wrote, read back."""

from __future__ import annotations

from pathlib import Path

from sitegrain.demo import generate
from tests.cli.runner import invoke


def reproduce(paper: str, out: Path) -> str:
    """The page of `sitegrain reproduce PAPER` on the demo newspaper."""
    generate(out / "courier")
    got = invoke(["reproduce", paper, str(out / "courier"), "--out", str(out / "reproduced")])
    assert got.exit_code == 0, got.output
    return (out / "reproduced" / f"{paper}.md").read_text("utf-8")


def table(page: str, heading: str, number: int = 0) -> list[list[str]]:
    """A table of a section of a page: its rows without the line below the head."""
    after = page.split(f"\n## {heading}", 1)
    assert len(after) == 2, f"no section {heading!r}"
    lines = after[1].split("\n## ", 1)[0].splitlines()
    tables: list[list[list[str]]] = []
    inside = False
    for line in lines:
        if line.startswith("|"):
            if not inside:
                tables.append([])
            if not line.startswith("|--"):
                tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        inside = line.startswith("|")
    return tables[number]


def row(rows: list[list[str]], name: str) -> list[str]:
    """The row that a name opens."""
    return next(r for r in rows if r[0] == name)
