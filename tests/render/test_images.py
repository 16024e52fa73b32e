"""Which pictures of a site are those of its template."""

from __future__ import annotations

import pytest

from sitegrain.render import repeated_images, to_markdown
from tests.builders import site_of

PAGE = "<h1>Tea {0}</h1><p>Tea number {0} draws for three minutes.</p><p><img src={1} data-lazy-src=/tea-{0}.jpg></p><p>Then drink it.</p><p><img src=/button.png></p><p>End.</p>"


@pytest.mark.parametrize("stand_in", ["/wait.svg", "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP"])
def test_a_picture_that_is_loaded_late_is_not_its_stand_in(stand_in: str) -> None:
    site = site_of(*(PAGE.format(k, stand_in) for k in range(8)))
    repeated = repeated_images(site)
    assert repeated == {"/button.png"}
    assert to_markdown(site, 3, site.is_text, repeated).count("![") == 1
    assert "/tea-3.jpg" in to_markdown(site, 3, site.is_text, repeated)
