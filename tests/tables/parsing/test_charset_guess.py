"""Pages that do not say their character set, or another than theirs."""

from __future__ import annotations

import pytest

from sitegrain.tables.parsing.charset import decode

RUSSIAN = (
    "Река вышла из берегов в ночь на понедельник, и три деревни остались без света до самого утра. Никто не видел столько воды. "
    * 4
)
CHINESE = "河水在星期一夜里漫过了堤岸，三个村庄直到早晨都没有灯光。住在那里的人从来没有见过这么多的水。" * 4
SENTENCES = {
    "cp1252": (
        "Mañana volverá el señor Núñez, que perdió su pequeña barca en la última crecida del río.",
        "A estação não abriu ontem, e as crianças esperaram à porta até o avô chegar com pão e maçãs.",
        "Die Brücke über den Fluß blieb gesperrt, weil größere Äste gegen die Pfähle trieben.",
        "L'été dernier, la rivière était si basse qu'on traversait à pied jusqu'à l'île voisine.",
        "Elva gikk over sine bredder på søndag, og fløtbåten lå igjen på land blant bjørkene.",
        "The gauge stood at 90\u00b0, \u00bd inch of rain fell, and nobody paid \u00a320 \u2013 \u201cnot yet\u201d.",
    ),
    "iso8859-2": (
        "W nocy z soboty na niedzielę rzeka wylała i zalała łąki za młynem, a mieszkańcy czekali na łódź.",
        "Příliš vysoká voda strhla most, a tak děti chodily do školy kolem mlýna přes lesní cestu.",
    ),
    "koi8-r": ("Река вышла из берегов ночью, и старый мост у мельницы не выдержал.",),
    "cp1251": ("Річка вийшла з берегів уночі, і старий міст біля млина не витримав.",),
    "cp1253": ("Το ποτάμι πλημμύρισε τη νύχτα και η παλιά γέφυρα δίπλα στον μύλο έπεσε.",),
    "cp1254": ("Irmak gece taştı, değirmenin yanındaki eski köprü yıkıldı ve çocuklar okula gidemediler.",),
    "cp1255": ("הנהר עלה על גדותיו בלילה והגשר הישן ליד הטחנה קרס.",),
    "cp1256": ("فاض النهر في الليل وانهار الجسر القديم قرب الطاحونة.",),
    "cp874": ("แม่น้ำล้นตลิ่งเมื่อคืนนี้และสะพานเก่าใกล้โรงสีก็พังลง",),
    "gb18030": ("河水夜里漫过了堤岸，磨坊旁边的老桥塌了。",),
    "big5hkscs": ("河水夜裡漫過了堤岸，磨坊旁邊的老橋塌了。",),
    "cp932": ("川は夜のうちにあふれ、水車小屋のそばの古い橋が落ちた。",),
    "euc_jp": ("川は夜のうちにあふれ、水車小屋のそばの古い橋が落ちた。",),
    "iso2022_jp": ("川は夜のうちにあふれ、水車小屋のそばの古い橋が落ちた。",),
    "cp949": ("강물이 밤새 넘쳐 물레방아 옆의 낡은 다리가 무너졌다.",),
}
"""What villages say of a flood, in the sets that pages in their languages were written in."""
SCRIPT = "<script>" + "var a = b < c; " * 9000 + "</script>"


@pytest.mark.parametrize("said", ["", "<meta charset=utf-8>"])
@pytest.mark.parametrize(("text", "charset"), [(RUSSIAN, "windows-1251"), (RUSSIAN, "koi8-r"), (CHINESE, "gb18030")])
def test_text_tells_the_set(text: str, charset: str, said: str) -> None:
    """Also behind more script than is looked at, and where the page says that it is in UTF-8."""
    body = f"{said}{SCRIPT}<p>{text}</p>".encode(charset)
    assert text in decode(body)[0]


@pytest.mark.parametrize(
    ("charset", "sentence"), [(charset, s) for charset, several in SENTENCES.items() for s in several]
)
def test_one_sentence_tells_the_set(charset: str, sentence: str) -> None:
    """A mirror of an old site: its server said the set, the pages do not."""
    body = f"<html><body><h1>News</h1><p>{sentence}</p>{SCRIPT}</body></html>".encode(charset)
    assert sentence in decode(body)[0]


def test_the_country_of_the_address_decides_in_doubt() -> None:
    """Of Hungarian two letters alone are not French; and a pound is a letter in Poland."""
    page = "<p>A folyó éjszaka kiöntött, és a hűvös reggelen már csak a legmagasabb fűzfák látszottak.".encode(
        "iso8859-2"
    )
    assert "fűzfák" in decode(page, url="http://news.example.hu:80/flood")[0]
    assert "£20 café" in decode(b"<p>\xa320 caf\xe9", url="http://www.example.co.uk")[0]
    for url in (
        "",
        "http://a.HU?x",
        "http://[::1]/",
        "http://10.0.0.1",
        "no address",
        "http://a.xn--p1ai/",
        "file:///a.hu",
    ):
        assert "reggelen" in decode(page, url=url)[0]


def test_signs_alone_are_no_letters() -> None:
    """A guess by letters took an English page with a degree sign for Japanese."""
    for signs in ("\u00a9 1998", "Turn it by 90\u00b0.", "\u00a0" * 12 + "Old Mill \u00a9", "a \u00bc inch drive"):
        assert decode(f"<p>{signs}</p>".encode("cp1252")) == (f"<p>{signs}</p>", "cp1252")


def test_what_a_terminal_prints_is_no_japanese() -> None:
    for page in ("<pre>\x1b[31mred\x1b[0m café", "<pre>\x1b$B café", "<pre>\x1b$ plain"):
        assert page in decode(page.encode())[0]


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
