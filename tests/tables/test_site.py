"""A site stays as it was built."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site


def test_a_site_is_never_changed() -> None:
    site = build_site([Capture("http://a.org/", b"<p>Tea")])
    with pytest.raises(FrozenInstanceError, match="never changed"):
        site.texts = ()  # type: ignore[misc]
    assert replace(site, texts=("Mill",)).texts == ("Mill",)
    assert site.texts == ("Tea",)
