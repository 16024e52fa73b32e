"""py3langid's model, unpacked once for all runs of a user.

The model is packed so well that unpacking it takes half a second, more than mining a small site, and 70 MB of memory in
every process. Unpacked in the user's cache it is mapped: nothing to unpack, and only what is looked up is in memory.
Where there is no cache to write to, the model is loaded as py3langid does it.
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.native import class_scores

_ARRAYS = ("ptc", "pc", "nextmove", "row", "output")
_CLASSES = "classes"


@cache
def language_classifier() -> Callable[[str], tuple[str, float]]:
    """A function that tells the language of a text, and how likely it is."""
    import py3langid

    folder = cache_folder() / f"py3langid-{py3langid.__version__}"
    try:
        if not folder.is_dir():
            _unpack(folder)
        found: Callable[[str], tuple[str, float]] = _mapped(folder).classify
    except Exception:  # whatever is wrong with a cache or with another version of the library, there is the usual way
        found = py3langid.classify
    return found


def cache_folder() -> Path:
    """Where files may be kept that can be made again."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".cache") / "sitegrain"


def _unpack(folder: Path) -> None:
    """Write the arrays of the model, whole or not at all: several processes may do it at once."""
    from py3langid.langid import MODEL_DIR, MODEL_FILE
    from py3langid.modelio import load_model

    ptc, pc, classes, nextmove, row, output = load_model(MODEL_DIR / MODEL_FILE)
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        arrays = (ptc, pc, np.asarray(nextmove), np.asarray(row), np.asarray(output, np.int32))
        for name, array in zip(_ARRAYS, arrays, strict=True):
            np.save(draft / f"{name}.npy", array, allow_pickle=False)
        np.save(draft / f"{_CLASSES}.npy", np.array(classes), allow_pickle=False)
        os.rename(draft, folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not folder.is_dir():  # else another process was faster
            raise


def _mapped(folder: Path) -> Any:
    """The classifier over the files of a folder."""
    from py3langid.langid import LanguageIdentifier

    ptc, pc, moves, row, output = (_array(folder / f"{name}.npy") for name in _ARRAYS)
    classes = np.load(folder / f"{_CLASSES}.npy", allow_pickle=False).tolist()
    if len(row) != len(output) or ptc.shape[1] != len(classes) or pc.shape != (len(classes),) or len(moves) % 256:
        raise ValueError(f"{folder} does not hold the model")
    if (ptc.dtype, moves.dtype, row.dtype, output.dtype) != (np.float16, np.uint32, np.uint16, np.int32):
        raise ValueError(f"{folder} holds numbers of other sizes")

    class Identifier(LanguageIdentifier):  # type: ignore[misc]
        """Adds up in C what a text says for each language; how it is read and what follows is py3langid's own."""

        __slots__ = ()

        def _raw_score(self, text: bytes) -> Any:
            scores = class_scores(moves, row, output, ptc, text)
            return scores + pc if len(scores) else super()._raw_score(b"")

    return Identifier(ptc, pc, classes, (), (), tk_row=())


def _array(path: Path) -> Any:
    """An array that is read from its file where it is looked at, and only there."""
    found: Any = np.load(path, mmap_mode="r", allow_pickle=False)
    if hasattr(mmap, "MADV_RANDOM"):  # else whole stretches are read around every number
        found._mmap.madvise(mmap.MADV_RANDOM)
    return np.asarray(found)
