from __future__ import annotations

import pytest

from sitegrain.text.language import page_script
from tests.builders import site_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Tea, at five", "latin"),
        ("Thé à cinq heures", "latin"),
        ("Чай в пять часов", "cyrillic"),
        ("Чай, that is tea in Russian", "latin"),  # three letters of twenty-three
        ("Чай tea", "cyrillic"),  # half of the letters
        ("茶は五時に", "cjk"),
        ("תה בחמש", "hebrew"),
        ("الشاي في الخامسة", "arabic"),
        ("τσάι στις πέντε", "greek"),
        ("ชาตอนห้าโมง", "thai"),
        ("— … “12” —", "latin"),  # no letters at all
        ("τσάι чай чай", "cyrillic"),  # most of the letters
    ],
)
def test_the_script_of_a_page(text: str, script: str) -> None:
    site = site_of(f'<html lang="uk"><body><p>{text}')
    assert page_script(site, 0) == f"uk/{script}"
