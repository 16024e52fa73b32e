"""`scipy.sparse`, loaded when it is first used: it takes longer to import than most pages take to be read."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy import sparse
else:

    class _Late:
        """A module that is not there yet."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(importlib.import_module(self._name), name)
            setattr(self, name, found)
            return found

    sparse = _Late("scipy.sparse")

__all__ = ["sparse"]
