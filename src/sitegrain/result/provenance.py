"""What a result says of its own making: the methods, the model files that judged, the versions."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from sitegrain.methods.base import Method
from sitegrain.native import is_compiled
from sitegrain.result.recipe import Recipe

SHIPPED = {
    "default": ("extractor", "content.json"),
    "siteroles": ("roles", "roles.json"),
    "l-extractor": ("methods", "l-extractor.json"),
}
"""The methods that judge by a model file of the package, and where that file is."""
_PLAIN = (str, int, float, bool, type(None))


def provenance(recipe: Recipe, model: str | Path | None) -> dict[str, Any]:
    """How a site was judged: see docs/output.md, site.json. `model` is the file that the user gave."""
    files = [_shipped_model(method.name) for method in (recipe.nodes, recipe.pages) if _uses_shipped(method)]
    if model is not None:
        files.append(_model_file(recipe.nodes.name, Path(model).name, Path(model).read_bytes()))
    return {
        "methods": {"nodes": _about(recipe.nodes), "pages": _about(recipe.pages)},
        "models": files,
        "native": is_compiled,
        "versions": _versions(),
    }


def _uses_shipped(method: Method[Any]) -> bool:
    # Of the extractor, `trees` may name another file than the shipped one.
    return method.name in SHIPPED and not getattr(method, "trees", "")


@lru_cache(maxsize=8)
def _shipped_model(method: str) -> dict[str, Any]:
    package, name = SHIPPED[method]
    return _model_file(method, name, (Path(__file__).parents[1] / package / "data" / name).read_bytes())


def _model_file(method: str, name: str, content: bytes) -> dict[str, Any]:
    """Which file it is, by name and digest, and what it says of its making as far as that is short."""
    found: dict[str, Any] = {"method": method, "file": name, "sha256": hashlib.sha256(content).hexdigest()}
    about = _before_state(content).get("origin") or json.loads(content)["state"].get("about")
    short = {key: value for key, value in about.items() if isinstance(value, _PLAIN)} if isinstance(about, dict) else {}
    return {**found, "about": short} if short else found


def _before_state(content: bytes) -> dict[str, Any]:
    """What a model file says before its state, which is nearly all of it: to read that takes 7 ms."""
    try:
        found = json.loads(content.partition(b',"state":')[0] + b"}")
    except ValueError:  # written by another hand
        found = json.loads(content)
    return found if isinstance(found, dict) else {}


def _about(method: Method[Any]) -> dict[str, Any]:
    """The name of a method and its parameters, as far as JSON has them."""
    found = {f.name: getattr(method, f.name) for f in fields(method) if f.init}  # type: ignore[arg-type]
    return {"name": method.name, **{k: v for k, v in found.items() if isinstance(v, (*_PLAIN, tuple))}}


def _versions() -> dict[str, str]:
    names = ("sitegrain", "numpy", "scipy", "pyarrow", "selectolax")
    installed = _installed(names)
    return {"python": platform.python_version(), **{name: installed.get(name) or _asked(name) for name in names}}


def _installed(names: Collection[str]) -> dict[str, str]:
    """The versions of packages, by the names of the folders that tell of them: to load what reads these folders takes longer than a dozen
    pages. The first on the path counts."""
    out: dict[str, str] = {}
    for folder in sys.path:
        with suppress(OSError):
            for entry in os.listdir(folder or "."):
                name, dash, version = entry.removesuffix(".dist-info").partition("-")
                if dash and entry.endswith(".dist-info") and name in names:
                    out.setdefault(name, version)
    return out


def _asked(name: str) -> str:
    """The same for packages that were installed in another way."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
