from pathlib import Path

import pytest

from sitegrain.errors import OutputError
from sitegrain.wholefile import whole_file, write_whole


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "old \ud83d")
    assert path.read_text() == "old \\ud83d"

    def stop_midway() -> None:
        with whole_file(path) as part:
            part.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_midway()
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "old \\ud83d"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written: No such file or directory"):
        write_whole(tmp_path / "nowhere" / "a.txt", "x")
