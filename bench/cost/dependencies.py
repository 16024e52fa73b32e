"""What each direct dependency costs in an environment: its own size, and what only it brings.

python -m venv /tmp/plain && /tmp/plain/bin/pip install . && /tmp/plain/bin/python bench/cost/dependencies.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def size(found: Distribution) -> float:
    files = (found.locate_file(f) for f in found.files or ())
    return sum(f.stat().st_blocks * 512 for f in files if f.exists()) / 2**20  # type: ignore[attr-defined]


def needs(found: Distribution) -> list[str]:
    return [plain(m[0]) for r in found.requires or () if "extra ==" not in r and (m := re.match(r"[\w.-]+", r))]


def main() -> None:
    here = {plain(d.metadata["Name"]): d for d in distributions()}
    sizes = {name: size(d) for name, d in here.items()}

    def closure(names: Iterable[str]) -> set[str]:
        seen: set[str] = set()
        waiting = [n for n in names if n in here]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += [n for n in needs(here[name]) if n in here]
        return seen

    direct = [n for n in needs(here["sitegrain"]) if n in here]
    whole = closure(direct)
    print(f"{sum(sizes[n] for n in whole):.0f} MB in all, without sitegrain ({sizes['sitegrain']:.0f} MB)")
    for name in sorted(direct, key=lambda n: -sizes[n]):
        own = whole - closure(n for n in direct if n != name)
        brings = ", ".join(sorted(own - {name}))
        print(f"{name:20s} {sizes[name]:6.1f} MB; gone without it: {sum(sizes[n] for n in own):6.1f} MB {brings}")


if __name__ == "__main__":
    main()
