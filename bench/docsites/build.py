"""Manuals written by real generators and themes, with their truth, for `bench/generated.py`.

    python bench/docsites/build.py OUT TOOLS [NAME]...

TOOLS is a folder with `venv/` (Sphinx, MkDocs, their themes, Jupyter) and `npm/` (Docusaurus, VitePress, ... each in a folder of its name); what is not installed is skipped. What the
generators write stays in OUT.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from files import write
from pages import Manual
from sites import SITES
from writers import Address, Truth

Builder = Callable[[Manual, Path, Path, str], tuple[Path, Address]]
"""Writes the sources of a manual into a folder, runs its generator, and gives the folder of HTML and how its pages are called."""


def build(name: str, out: Path, tools: Path) -> None:
    builder, language, can = SITES[name]
    work, site = out / name / "work", out / name
    shutil.rmtree(site, ignore_errors=True)
    manual = Manual(name, language, can if can & {"signed", "book"} else can | {"spans"})
    html, address = builder(manual, work, tools, name)
    shutil.rmtree(site / "html", ignore_errors=True)
    shutil.copytree(html, site / "html", ignore=lambda _, names: [n for n in names if n == "node_modules"])
    titles = {page.name: page.title for page in manual.pages.values()}
    truth = Truth(address, f"https://{name}.example/", int("book" in can))
    said = getattr(manual, "truths", None) or [truth.row(page, titles) for page in manual.pages.values()]
    rows = [json.dumps(row, ensure_ascii=False) for row in said]
    write(site / "truth.jsonl", "\n".join(rows) + "\n")


def main() -> None:
    out, tools, *names = sys.argv[1:]
    for name in names or SITES:
        try:
            build(name, Path(out).absolute(), Path(tools).absolute())
            print(f"{name}: built")
        except (RuntimeError, OSError, KeyError) as error:
            print(f"{name}: FAILED {str(error).strip()[-500:]}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
