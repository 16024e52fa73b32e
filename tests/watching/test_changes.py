"""What `diff` says besides the pages."""

from __future__ import annotations

from sitegrain.result.mining import mine
from sitegrain.tables.capture import Capture
from sitegrain.watching.changes import compare


def test_two_sites_are_no_change_of_one() -> None:
    one, other = (mine([Capture(f"http://{host}/{k}", b"<p>Some words.") for k in range(2)]) for host in "ab")
    assert compare(one, one).notes == ()
    assert compare(one, other).notes == ("no address is in both: are these two results of one site?",)
