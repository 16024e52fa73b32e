"""What a result says of its own making: the methods, the model files that judged, the versions."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import sitegrain.native
from sitegrain.methods.base import NodeModel, PageModel
from sitegrain.result.recipe import Recipe

SHIPPED = {
    "default": ("sitegrain.extractor", "content.json"),
    "siteroles": ("sitegrain.roles", "roles.json"),
    "l-extractor": ("sitegrain.methods", "l-extractor.json"),
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
        "native": is_native(),
        "versions": _versions(),
    }


def is_native() -> bool:
    """Whether the compiled core does the work, or its slower bodies in Python."""
    # At the merge with the native core's own word for it: `return sitegrain.native.is_compiled`.
    found = getattr(sitegrain.native, "is_compiled", None)
    return bool(found) if found is not None else sitegrain.native.extension is not None


def _uses_shipped(method: NodeModel | PageModel) -> bool:
    # Of the extractor, `trees` may name another file than the shipped one.
    return method.name in SHIPPED and not getattr(method, "trees", "")


@lru_cache(maxsize=8)
def _shipped_model(method: str) -> dict[str, Any]:
    package, name = SHIPPED[method]
    return _model_file(method, name, resources.files(package).joinpath("data", name).read_bytes())


def _model_file(method: str, name: str, content: bytes) -> dict[str, Any]:
    """Which file it is, by name and digest, and what it says of its making as far as that is short."""
    found: dict[str, Any] = {"method": method, "file": name, "sha256": hashlib.sha256(content).hexdigest()}
    document = json.loads(content)
    about = document.get("origin") or document["state"].get("about")
    short = {key: value for key, value in about.items() if isinstance(value, _PLAIN)} if isinstance(about, dict) else {}
    return {**found, "about": short} if short else found


def _about(method: NodeModel | PageModel) -> dict[str, Any]:
    values: dict[str, Any] = {f.name: getattr(method, f.name) for f in fields(method)} if is_dataclass(method) else {}
    return {"name": method.name, **{k: v for k, v in values.items() if isinstance(v, _PLAIN)}}


def _versions() -> dict[str, str]:
    out = {"python": platform.python_version()}
    for name in ("sitegrain", "numpy", "scipy", "pyarrow", "selectolax"):
        try:
            out[name] = version(name)
        except PackageNotFoundError:
            out[name] = "not installed"
    return out
