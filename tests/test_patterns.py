"""Patterns that are kept compiled: the same as those that are compiled, and never worse when their file is not what it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sitegrain import patterns

PATTERNS = [
    ("", 0),
    (r"(?P<day>\d{1,2})[./](?P<month>\d+)", 0),
    (r"^(?:and|und|et|&) ", re.IGNORECASE),
    (r"(?<=[^\W\d_]{4})\.$|[가-힣]{2,4}", re.IGNORECASE | re.MULTILINE),
    (r"(\S+ .{2,60}?),? ?\1", re.ASCII),
    (r"(?x) a  b # two letters", 0),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs of this test only."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    path = tmp_path / "cache" / "some.patterns"
    _begin(path, monkeypatch)
    return path


def _begin(path: Path, monkeypatch: pytest.MonkeyPatch) -> patterns._Programs:
    programs = patterns._Programs(path)
    monkeypatch.setattr(patterns, "_programs", lambda: programs)
    return programs


def _compiled() -> list[re.Pattern[str]]:
    return [patterns.compiled(text, flags) for text, flags in PATTERNS]


def test_the_same_with_and_without_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [re.compile(text, flags) for text, flags in PATTERNS]
    assert _compiled() == expected
    patterns.keep_patterns()
    programs = _begin(file, monkeypatch)
    assert len(programs.told) == len(PATTERNS)
    found = _compiled()
    assert found == expected
    assert not programs.is_new
    assert [p.groupindex for p in found] == [p.groupindex for p in expected]
    match = found[1].search("on 24.12.")
    assert match
    assert match["day"] == "24"
    assert match.lastgroup == "month"


@pytest.mark.parametrize("change", [b"", b"x", b"\0" * 200])
def test_a_broken_file_is_compiled_anew(file: Path, monkeypatch: pytest.MonkeyPatch, change: bytes) -> None:
    _compiled()
    patterns.keep_patterns()
    content = file.read_bytes()
    file.write_bytes(content[:100] + change + content[100 + max(len(change), 1) :])
    programs = _begin(file, monkeypatch)
    assert not programs.told
    assert _compiled() == [re.compile(text, flags) for text, flags in PATTERNS]


def test_programs_of_another_python_are_not_used(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _compiled()
    patterns.keep_patterns()
    monkeypatch.setattr(patterns, "_python", lambda: "another")
    assert not _begin(file, monkeypatch).told


def test_a_program_that_cannot_run_is_not_used(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = _begin(file, monkeypatch)
    programs.told["0 a+"] = [32, 0, {}, b"\xff" * 8]
    assert patterns.compiled("a+") == re.compile("a+")


def test_a_mistake_is_told_as_ever(file: Path) -> None:
    with pytest.raises(re.error):
        patterns.compiled("(")


def test_what_nobody_asks_for_leaves_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST", 3)
    _compiled()
    patterns.keep_patterns()
    programs = _begin(file, monkeypatch)
    patterns.compiled("new")
    patterns.keep_patterns()
    assert list(_begin(file, monkeypatch).told) == ["0 new"]
    assert programs.asked == {"0 new"}


def test_nothing_is_written_where_python_writes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    _compiled()
    patterns.keep_patterns()
    assert not file.exists()
