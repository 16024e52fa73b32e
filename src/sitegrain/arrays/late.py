"""`scipy.sparse`, loaded when it is first used: it takes longer to import than most pages take to be read."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scipy import sparse
else:
    _UNUSED = ("f2py", "testing", "ma", "polynomial", "ctypeslib", "core", "rec", "char", "strings")
    """Parts of numpy that load when they are asked for. scipy copies all names of numpy, and so asks for its Fortran compiler, its tools
    for tests, masked arrays and polynomials; nothing of scipy.sparse uses the copies, and they take more than half of its time."""

    class _Late:
        """A module that is not there yet."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(_imported(self._name), name)
            setattr(self, name, found)
            return found

    def _imported(name: str) -> Any:
        hidden = [part for part in _UNUSED if part not in vars(np)]
        for part in hidden:
            setattr(np, part, None)
        try:
            return importlib.import_module(name)
        finally:
            for part in hidden:
                if getattr(np, part, None) is None:  # else somebody has loaded it meanwhile
                    delattr(np, part)

    sparse = _Late("scipy.sparse")

__all__ = ["sparse"]
