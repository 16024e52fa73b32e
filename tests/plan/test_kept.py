"""Tables are kept from pass to pass: of the first parts, within the room of one part, and of one site."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sitegrain import Capture
from sitegrain.plan.kept import KEPT, KeptTables
from sitegrain.plan.mining import Means
from sitegrain.plan.processes.runners import make_runner
from sitegrain.plan.spool import PART_BYTES, Spool
from tests.builders import site_of


def test_the_first_parts_that_fit(tmp_path: Path) -> None:
    site = site_of("<p>one", "<p>two")
    spool = Spool(tmp_path)
    spool.add(Capture("http://a.org/", b"<p>one"))
    place = spool.close()
    tables = KeptTables()
    tables.add(place, 0, site)
    assert tables.site(place, 0) is None  # nobody opened it
    tables.open(2 * int(site.pages.n_bytes.sum()))
    for part in range(3):
        tables.add(place, part, site)
    assert [tables.site(place, part) is site for part in range(3)] == [True, True, False]
    tables.drop(0)
    tables.add(place, 2, site)
    assert tables.site(place, 0) is None
    assert tables.site(place, 2) is None
    assert tables.parts == {1}
    assert (
        tables.site(replace(place, start=place.start.copy()), 1) is site
    )  # as it comes to a worker with the next pass
    other = place.without([0])
    assert tables.site(other, 1) is None
    tables.add(other, 1, site)
    assert tables.site(other, 1) is site
    assert tables.site(place, 1) is None
    tables.close()
    assert tables.site(other, 1) is None


def test_tables_of_more_than_one_part_are_kept_where_memory_is_not_limited() -> None:
    assert Means().kept_bytes > PART_BYTES == Means(memory=1 << 30).kept_bytes
    with make_runner(1, 3):
        assert KEPT.room == 3
