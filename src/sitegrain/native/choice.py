"""Which body of the kernels runs: the compiled one, or the one in Python. The choice is made here and nowhere else."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import TYPE_CHECKING

from sitegrain.native.columns import declared

__all__ = ["SlowKernels", "chosen", "core", "is_compiled"]


class SlowKernels(RuntimeWarning):
    """The kernels run in Python."""


def chosen() -> ModuleType:
    """The compiled core if it is there and has today's columns, else the reference, with a warning."""
    why = "was not built: install a C compiler (gcc or clang)"
    try:
        import sitegrain.native._core as compiled
    except ImportError:
        pass
    else:
        if compiled.declared == declared():
            return compiled
        why = "was built for another version of its columns: take a C compiler"
    warnings.warn(
        f"the compiled core of sitegrain {why} and reinstall sitegrain. "
        "Until then the same is done in Python, about 50 times slower.",
        SlowKernels,
        stacklevel=2,
    )
    import sitegrain.native.reference as reference

    return reference


if TYPE_CHECKING:
    import sitegrain.native._core as core
else:
    core = chosen()

is_compiled: bool = core.__name__ == "sitegrain.native._core"
"""Whether the kernels run in C."""
