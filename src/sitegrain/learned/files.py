"""Models on disk: one JSON file, arrays and all, read without running any code from it.

A file says what kind of model it holds and in which version of the format; what stands in it, `typed` knows from the
fields of the dataclass that it is. Another version, another kind or a damaged file is refused with a message that says
so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from sitegrain.errors import ModelError
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.wholefile import whole_file

T = TypeVar("T")

FORMAT = "sitegrain model"
VERSION = 2
"""Raised when a reader of the old version would misread a new file."""


def save_model(path: Path | str, kind: str, model: Any) -> None:
    """Write a dataclass: a model of this kind."""
    document = {"format": FORMAT, "version": VERSION, "kind": kind, "state": to_plain(model)}
    path = Path(path)
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    with whole_file(path) as part:
        part.write_bytes((text + "\n").encode("utf-8", "surrogatepass"))


def load_model(path: Path | str, kind: str, cls: type[T]) -> T:
    """Read a model of this kind."""
    return loads_model(_text(path), kind, cls, str(path))


def loads_model(text: str, kind: str, cls: type[T], name: str = "the model") -> T:
    """The model in the text of a file; `name` is how messages call it."""
    document = _document(text, name)
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelError(f"{name} has no valid version")
    if version != VERSION:
        other = "a newer" if version > VERSION else "an older"
        raise ModelError(
            f"{name} was written by {other} sitegrain (model format {version}, this one reads {VERSION}): "
            f"{'upgrade sitegrain' if version > VERSION else 'fit'} or train the model again"
        )
    if document.get("kind") != kind:
        raise ModelError(f"{name} holds a {document.get('kind')!r} model, not {kind!r}")
    return Reader(name).read(cls, document.get("state"))


def model_kind(path: Path | str) -> str:
    """The kind of model that a file says it holds."""
    kind = _document(_text(path), str(path)).get("kind")
    if not isinstance(kind, str):
        raise ModelError(f"{path} is not a sitegrain model")
    return kind


def _text(path: Path | str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8", "surrogatepass")
    except OSError as error:
        raise ModelError(f"cannot read the model {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ModelError(f"{path} is not a sitegrain model (it is not text)") from error


def _document(text: str, name: str) -> dict[str, Any]:
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name} is damaged or not a sitegrain model: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelError(f"{name} is not a sitegrain model")
    return document


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")
