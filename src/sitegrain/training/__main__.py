"""`python -m sitegrain.training WHAT ...`: `content` (the default extractor) or `roles` (the page roles)."""

from __future__ import annotations

import sys
from importlib import import_module

WHAT = ("content", "roles")


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in WHAT:
        print(f"usage: python -m sitegrain.training {{{'|'.join(WHAT)}}} --data DIR --out DIR", file=sys.stderr)
        return 2
    code: int = import_module(f"sitegrain.training.{sys.argv[1]}").main(sys.argv[2:])
    return code


if __name__ == "__main__":
    sys.exit(main())
