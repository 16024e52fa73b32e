"""Pages of a spool come back as they went in, from memory or from disk."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from sitegrain.plan.spool import Place, Spool
from sitegrain.tables.capture import Capture

PAGES = [
    Capture(f"http://a.org/{k}", b"<p>%d" % k * 50, 200, {"a": "b"}, datetime(2020, 1, k, tzinfo=UTC), f"{k}.html")
    for k in range(1, 7)
]


def spooled(folder: Path, room: int) -> Place:
    folder.mkdir()
    spool = Spool(folder, 4, room)
    for page in (*PAGES, again(PAGES[0])):
        spool.add(page)
    return spool.close()


def again(page: Capture) -> Capture:
    """A later capture of a page."""
    return Capture(page.url, b"<p>later", 200, path="later.html")


def test_pages_come_from_memory_once_and_then_from_disk(tmp_path: Path) -> None:
    on_disk, held = spooled(tmp_path / "disk", 0), spooled(tmp_path / "held", 1 << 20)
    assert (len(on_disk.held), len(held.held)) == (0, 6)
    expected = [again(PAGES[0]), *PAGES[1:]]
    assert list(on_disk.pages(range(6))) == list(held.pages(range(6))) == expected
    assert next(held.pages([1])) is PAGES[1]
    parts = range(held.n_parts)
    assert [page for part in parts for page in held.captures(part)] == expected
    assert held.held == {}
    assert [page for part in parts for page in held.captures(part)] == expected


def test_no_more_is_held_than_there_is_room_for(tmp_path: Path) -> None:
    held = spooled(tmp_path / "held", 2 * len(PAGES[0].body))
    assert list(held.held) == [1]  # the first one came again when the room was taken
    assert list(held.pages(range(6))) == [again(PAGES[0]), *PAGES[1:]]
    assert held.without([0]).held == {}
    assert list(held.without([0]).pages(range(5))) == PAGES[1:]
