"""What judged a site: which model file, and whether the native core ran."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path
from typing import Any

from sitegrain.native import is_compiled

SHIPPED = {
    "default": ("extractor", "content.json"),
    "siteroles": ("roles", "roles.json"),
    "l-extractor": ("methods", "l-extractor.json"),
}
"""By the name of a method: where its model lies in the package."""


def model_of(method: Any) -> dict[str, str] | None:
    """The model file that a method judges by, with its SHA-256; None for a method that has none.

    >>> from sitegrain.roles.model import SiteRoles
    >>> model_of(SiteRoles())["file"]
    'roles.json'
    """
    given = getattr(method, "model", None) or getattr(method, "trees", None)
    if given and not isinstance(given, str | Path):
        return {"file": "in memory"}
    if not given and method.name not in SHIPPED:
        return None
    if given:
        name, content = Path(given).name, Path(given).read_bytes()
    else:
        room, name = SHIPPED[method.name]
        content = resources.files(f"sitegrain.{room}").joinpath("data", name).read_bytes()
    return {"file": name, "sha256": hashlib.sha256(content).hexdigest()}


def core() -> str:
    """`compiled`, or `python` where the native core could not be built: the result is the same, only slower."""
    return "compiled" if is_compiled else "python"
