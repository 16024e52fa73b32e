"""Where a model comes from: the command that made it, the code that ran, and digests of the data it learned from.

It stands beside the model in its file (`origin`), and no reader of the model needs it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sitegrain.errors import OutputError


def write_origin(path: Path | str, command: str, data: Mapping[str, str]) -> None:
    """Add to a model file what made it; `data` gives the digest of every data set by its name."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        document = json.loads(path.read_bytes())
        document["origin"] = {"command": command, "code": code_version(), "data": dict(data)}
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write the model {path}: {error.strerror or error}") from error


def code_version() -> str:
    """The version of this package; in a clone of its repository also the commit, and whether files were changed since."""
    try:
        found = version("sitegrain")
    except PackageNotFoundError:
        found = "unknown"
    here = Path(__file__)
    try:
        # Only where this very file is tracked: an environment may lie in somebody else's repository.
        for command in (["ls-files", "--error-unmatch", here.name], ["describe", "--always", "--dirty", "--abbrev=12"]):
            asked = subprocess.run(
                ["git", *command], cwd=here.parent, capture_output=True, text=True, check=True, timeout=20
            )
    except (OSError, subprocess.SubprocessError):
        return found
    return f"{found}, commit {asked.stdout.strip()}"
