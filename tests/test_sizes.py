"""What is too large to be seen at once is two things: a folder of more than 16 modules, a module of more than 500 lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = [
    path
    for top in ("src", "tests", "bench")
    for kind in ("*.py", "*.[ch]", "*.js")
    for path in (ROOT / top).rglob(kind)
]  # fmt: skip


def test_a_folder_has_at_most_sixteen_modules() -> None:
    """A header is no module: it says what the others of its folder share."""
    counts = Counter(path.parent for path in MODULES if path.suffix != ".h" and path.stem != "__init__")
    assert {path: n for path, n in counts.items() if n > 16} == {}


def test_a_module_has_at_most_five_hundred_lines() -> None:
    lines = {path: len(path.read_bytes().splitlines()) for path in MODULES}
    assert len(lines) > 700
    assert {path: n for path, n in lines.items() if n > 500} == {}
