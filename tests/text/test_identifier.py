"""The language model from the user's cache says what py3langid says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import py3langid
import pytest

from sitegrain.text import identifier

TEXTS = ("The kettle is on the stove and the tea is in the pot.", "Der Kessel steht auf dem Herd.", "Чайник на плите")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    identifier.language_classifier.cache_clear()
    return tmp_path


def test_unpacked_once_and_the_same(cache: Path) -> None:
    for _ in range(2):  # unpacked, then found there
        identifier.language_classifier.cache_clear()
        classify = identifier.language_classifier()
        assert classify is not py3langid.classify
        for text in (*TEXTS, "", "12"):
            language, score = py3langid.classify(text)
            found, by = classify(text)
            assert found == language
            assert by == pytest.approx(score, rel=1e-5)  # added up in another order
    (folder,) = (cache / "sitegrain").iterdir()
    assert folder.name.startswith("py3langid-")
    identifier.language_classifier.cache_clear()


def test_without_a_cache_as_the_library_does_it(cache: Path) -> None:
    (cache / "sitegrain").write_text("a file where the folder would be")
    classify = identifier.language_classifier()
    assert classify is py3langid.classify
    identifier.language_classifier.cache_clear()


def test_commands_load_no_pandas() -> None:
    code = "from sitegrain.result.arrow import forgo_pandas; forgo_pandas(); import pyarrow as pa, sys; pa.array([1]); "
    code += "assert 'pandas' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
