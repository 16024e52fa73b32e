import os
from concurrent.futures import ThreadPoolExecutor
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


def test_a_link_stays_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("there.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "there.txt").read_text() == "new"

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(pipe.read_text)
        write_whole(pipe, "through")
        assert got.result(10) == "through"
    assert pipe.is_fifo()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link.txt", "pipe", "there.txt"]
