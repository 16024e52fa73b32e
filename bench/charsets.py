"""How many pages are read right that do not say their character set, by language and set.

    python bench/charsets.py DATA/wcxb-dev.tar.xz DATA/fundus.tar.xz ... [--pages N]

Pages of the sets are written in the old character sets of their languages, without any word of it (characters that a set lacks become
references), and read again. Right is a page that comes out the same to the last character.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from sitegrain.evaluation.data import open_pages
from sitegrain.tables.parsing.charset import decode
from sitegrain.text.language import text_language

SETS = {
    **dict.fromkeys("en de es it pt nl no sv da fi is".split(), ("cp1252",)),
    **dict.fromkeys("pl cs hu".split(), ("cp1250", "iso8859-2")),
    **dict.fromkeys("ar fa".split(), ("cp1256",)),
    "fr": ("cp1252", "iso8859-15"), "ru": ("cp1251", "koi8-r"), "uk": ("cp1251", "koi8-u"), "el": ("cp1253", "iso8859-7"),
    "tr": ("cp1254",), "et": ("cp1252", "cp1257"), "lt": ("cp1257",), "vi": ("cp1258",), "zh": ("gb18030",),
    "ja": ("cp932", "euc_jp", "iso2022_jp_ext"), "ko": ("cp949",),
}  # fmt: skip
"""Character sets that pages of a language were written in before UTF-8."""
MIN_TEXT = 300
"""Characters of text from which the language of a page is believed."""
_DECLARED = re.compile(r"<meta[^>]{0,300}?charset\s*=[^>]*>|<\?xml[^>]*\?>", re.IGNORECASE)
_MARKUP = re.compile(r"(?is)<(script|style)\b.*?</\1>|<[^>]*>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=150, help="pages of each language")
    options = parser.parse_args()
    n_pages: Counter[str] = Counter()
    n: Counter[tuple[str, str]] = Counter()
    n_right: Counter[tuple[str, str]] = Counter()
    read_as: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    seconds = 0.0
    for language, html, url in pages(options.data):
        n_pages[language] += 1
        if n_pages[language] > options.pages:
            continue
        for charset in SETS[language]:
            body = html.encode(charset, "xmlcharrefreplace")
            if body.isascii() and charset != "iso2022_jp_ext":
                continue  # nothing to guess
            started = time.process_time()
            text, found = decode(body, url=url)
            seconds += time.process_time() - started
            key = language, charset
            n[key] += 1
            n_right[key] += text == body.decode(charset)
            read_as[key][found] += text != body.decode(charset)
    for key in sorted(n):
        wrong = ", ".join(f"{name} {times}" for name, times in read_as[key].most_common(3) if times)
        print(f"{key[0]:3} {key[1]:15}{n[key]:5} pages  {n_right[key] / n[key]:.3f} right  {wrong}")
    total = max(n.total(), 1)
    print(f"{n.total()} pages, {n_right.total() / total:.3f} right, {seconds / total * 1e3:.2f} ms a page")


def pages(sources: list[Path]) -> Iterator[tuple[str, str, str]]:
    """Language, HTML and address of pages that are read without doubt."""
    for source in sources:
        for capture, _ in open_pages(source).captures():
            html, charset = decode(capture.body, capture.content_type)
            text = " ".join(_MARKUP.sub(" ", html).split())
            if charset == "utf-8" and "\ufffd" not in html and len(text) >= MIN_TEXT:
                language = text_language(text[:6000])
                if language in SETS:
                    yield language, _DECLARED.sub("", html), capture.url


if __name__ == "__main__":
    main()
