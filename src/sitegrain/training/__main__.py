"""`python -m sitegrain.training WHAT ...`: `content` (the default extractor) or `roles` (the page roles)."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from sitegrain.errors import MissingExtraError, SitegrainError

WHAT = ("content", "roles")


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in WHAT:
        print(f"usage: python -m sitegrain.training {{{'|'.join(WHAT)}}} --data DIR --out DIR", file=sys.stderr)
        return 2
    try:
        for module, name in (("lightgbm", "LightGBM"), ("rapidfuzz", "RapidFuzz")):
            if find_spec(module) is None:
                raise MissingExtraError(name, "train")
        code: int = import_module(f"sitegrain.training.{sys.argv[1]}").main(sys.argv[2:])
    except SitegrainError as error:
        print(f"sitegrain: {error}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
