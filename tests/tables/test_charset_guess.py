"""Pages that do not say their character set, or another than theirs."""

from __future__ import annotations

import pytest

from sitegrain.tables.charset import decode

RUSSIAN = (
    "Река вышла из берегов в ночь на понедельник, и три деревни остались без света до самого утра. Никто не видел столько воды. "
    * 4
)
CHINESE = "河水在星期一夜里漫过了堤岸，三个村庄直到早晨都没有灯光。住在那里的人从来没有见过这么多的水。" * 4
SCRIPT = "<script>" + "var a = b < c; " * 9000 + "</script>"


@pytest.mark.parametrize("said", ["", "<meta charset=utf-8>"])
@pytest.mark.parametrize(("text", "charset"), [(RUSSIAN, "windows-1251"), (RUSSIAN, "koi8-r"), (CHINESE, "gb18030")])
def test_text_tells_the_set(text: str, charset: str, said: str) -> None:
    """Also behind more script than is looked at, and where the page says that it is in UTF-8."""
    body = f"{said}{SCRIPT}<p>{text}</p>".encode(charset)
    assert text in decode(body)[0]


def test_damaged_utf8_stays_utf8() -> None:
    body = f"<meta charset=utf-8><p>{RUSSIAN}</p>".encode()
    assert decode(body[:200] + b"\xd0" + body[200:-7])[1] == "utf-8"
    few = decode(b"<meta charset=utf-8><p>tea for 2\xa3 and more")
    assert few == ("<meta charset=utf-8><p>tea for 2\ufffd and more", "utf-8")


@pytest.mark.parametrize("text", ["Ann\u2019s Garage \u00a9 1998", "\u00a0" * 30 + "Tea", "Café Müller, Zürich"])
def test_a_few_bytes_beyond_ascii_tell_no_set(text: str) -> None:
    """A copyright sign is a letter in Japanese sets, and spaces are Cyrillic ones in those of DOS."""
    body = f"<p>Tea is poured at eighty degrees.</p><p>{text}</p>".encode("cp1252")
    found = decode(body)
    assert found[1] == "cp1252"
    assert text in found[0]


def test_a_short_text_in_another_script_is_still_looked_at() -> None:
    assert CHINESE[:24] in decode(f"<p>Tea</p><p>{CHINESE[:24]}</p>".encode("gb18030"))[0]
