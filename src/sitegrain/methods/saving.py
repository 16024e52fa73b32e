"""Models whose fields are all they know: saved and loaded field by field.

Parameters and learned values are the fields of the model's dataclass: numbers, arrays, and small dataclasses of
arrays. A file must hold the same fields with the same types; `_check_learned` of a model looks at what fits what.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.files import load_state, save_state
from sitegrain.methods.base import NodeModel


class SavedFields(NodeModel):
    """A node model that is a dataclass, with `save` and `load`."""

    def save(self, path: Path | str) -> None:
        """Write what was learned to a file, to judge later pages of the site with."""
        save_state(path, self.name, self._state())

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a model that `save` wrote."""
        state = load_state(path, cls.name)
        try:
            model = cls._restore(state)
            model._check_learned()
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, UsageError) as error:
            raise ModelError(f"{path} is damaged: it is no {cls.name} model ({error})") from error
        return model

    def _state(self) -> dict[str, Any]:
        return _plain(self)

    @classmethod
    def _restore(cls, state: dict[str, Any]) -> Self:
        model: Self = _like(cls(), state)
        return model

    def _check_learned(self) -> None:
        """Raise ValueError when the learned values do not fit together."""


def _plain(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, those of dataclasses in it too."""
    own = {f.name: getattr(value, f.name) for f in fields(value)}
    return {name: _plain(v) if is_dataclass(v) else v for name, v in own.items()}


def _like(example: Any, state: dict[str, Any]) -> Any:
    """A dataclass of the type of `example`, whose fields say what types the new ones must have."""
    values: dict[str, Any] = {}
    for f in fields(example):
        wanted, found = getattr(example, f.name), state[f.name]
        if is_dataclass(wanted):
            values[f.name] = _like(wanted, found)
        elif isinstance(wanted, np.ndarray):
            if not isinstance(found, np.ndarray) or found.dtype != wanted.dtype or found.ndim != wanted.ndim:
                raise ValueError(f"{f.name} is no array of {wanted.dtype}")
            values[f.name] = found
        else:
            if isinstance(found, bool) or not isinstance(found, int | float):
                raise ValueError(f"{f.name} is no number")
            values[f.name] = type(wanted)(found)
    return type(example)(**values)


def need(is_so: bool, what: str) -> None:
    """ValueError unless it is so."""
    if not is_so:
        raise ValueError(what)
