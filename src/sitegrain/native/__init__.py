"""The one door to the native extension.

`extension` is the compiled module, or None where it could not be built; each caller keeps a Python body
that gives the same result, only slower.
"""

from __future__ import annotations

import importlib
from types import ModuleType

extension: ModuleType | None
try:
    extension = importlib.import_module("sitegrain.native._core")
except ImportError:  # no C compiler when the package was installed
    extension = None
is_compiled = extension is not None
