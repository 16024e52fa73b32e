"""What an article says, apart from how a look shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from sitegrain.demo.writer import Writer, pick


@dataclass(frozen=True)
class Piece:
    """A run of text in a paragraph: plain, strong, emphasised, or a link."""

    text: str
    kind: str = ""
    """One of "", "strong", "em", "a"."""
    href: str = ""


@dataclass(frozen=True)
class Para:
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Head:
    text: str


@dataclass(frozen=True)
class Items:
    items: tuple[str | tuple[str, ...], ...]
    """A tuple is a nested list under the item before it."""
    is_ordered: bool = False


@dataclass(frozen=True)
class Grid:
    """A data table; the first row is its head."""

    caption: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    language: str
    text: str


@dataclass(frozen=True)
class Quote:
    text: str


@dataclass(frozen=True)
class Picture:
    src: str
    alt: str
    caption: str


Part = Para | Head | Items | Grid | Code | Quote | Picture


@dataclass(frozen=True)
class Story:
    """One article before it is put on a page."""

    path: str
    section: str
    look: str
    language: str
    date: str
    headline: str
    author: str
    tags: tuple[str, ...]
    parts: tuple[Part, ...]
    comments: tuple[tuple[str, str], ...] = field(default=())
    """(name, text); under the article, no part of it."""

    @property
    def teaser(self) -> str:
        """The first sentence or two, as a TOC page prints them."""
        text = next("".join(piece.text for piece in part.pieces) for part in self.parts if isinstance(part, Para))
        end = "。" if self.language == "zh" else ". "
        return text.split(end)[0].rstrip(".") + end.strip()


def content_strings(parts: tuple[Part, ...]) -> list[str]:
    """The text of an article, one string per paragraph, item, cell, caption or code block."""
    out: list[str] = []
    for part in parts:
        if isinstance(part, Para):
            out.append("".join(piece.text for piece in part.pieces))
        elif isinstance(part, Items):
            for item in part.items:
                out.extend([item] if isinstance(item, str) else item)
        elif isinstance(part, Grid):
            out.append(part.caption)
            out.extend(cell for row in part.rows for cell in row)
        elif isinstance(part, Picture):
            out.append(part.caption)
        else:
            out.append(part.text)
    return out


_CODE = {
    "python": (
        "def {a}({b}, limit={n}):\n    seen = set()\n    for item in {b}:\n        if item not in seen and "
        "len(seen) < limit:\n            seen.add(item)\n            yield item"
    ),
    "c": (
        "int {a}(const char *{b})\n{{\n    int n = {n};\n    while (*{b} && n-- > 0)\n        {b}++;\n"
        "    return n < 0;  /* a < b */\n}}"
    ),
    "shell": 'for {b} in *.log; do\n    grep -c "{a}" "${b}" | head -n {n} >> {a}.txt\ndone',
}


def _paragraph(writer: Writer, rng: Random, n: int, links: list[str]) -> Para:
    sentences = writer.sentences(n)
    gap = " " if writer.language == "en" else ""
    pieces: list[Piece] = []
    for i, sentence in enumerate(sentences):
        text = sentence + (gap if i + 1 < len(sentences) else "")
        chance = rng.random()
        # A name inside the sentence becomes bold, or leads to another article: text nodes get cut as in real life.
        word = next((w for w in (writer.name, *writer.people, *writer.orgs) if w in text), "")
        if word and chance < 0.22:
            before, after = text.split(word, 1)
            kind = "a" if links and chance < 0.1 else "strong" if chance < 0.16 else "em"
            href = pick(rng, links) if kind == "a" else ""
            pieces += [Piece(before)] if before else []
            pieces += [Piece(word, kind, href), Piece(after)]
        else:
            pieces.append(Piece(text))
    return Para(tuple(pieces))


def write_parts(writer: Writer, rng: Random, section: str, links: list[str]) -> tuple[Part, ...]:
    """An article of three to eleven paragraphs, some with a list, a table, code, a quotation or a picture."""
    n_paragraphs = 3 + int(rng.random() * 9)
    parts: list[Part] = []
    if rng.random() < 0.45:
        parts.append(Picture(f"/img/{section}-{int(rng.random() * 90)}.jpg", writer.item(), writer.sentence()))
    for i in range(n_paragraphs):
        if i >= 2 and rng.random() < 0.25:
            parts.append(Head(writer.subhead()))
        parts.append(_paragraph(writer, rng, 2 + int(rng.random() * 4), links))
        if i and rng.random() < (0.5 if section == "kitchen" else 0.14):
            items: list[str | tuple[str, ...]] = [writer.item() for _ in range(3 + int(rng.random() * 4))]
            if rng.random() < 0.3:
                items.insert(2, (writer.item(), writer.item()))
            parts.append(Items(tuple(items), rng.random() < 0.4))
        if i and rng.random() < 0.1:
            head = tuple(writer.item() for _ in range(3))
            body = [
                (writer.item(), str(int(rng.random() * 900)), str(int(rng.random() * 90)) + "%")
                for _ in range(2 + int(rng.random() * 4))
            ]
            parts.append(Grid(writer.subhead(), (head, *body)))
        if section == "machines" and rng.random() < 0.3:
            language = pick(rng, tuple(_CODE))
            a, b = (w.split()[0].replace("-", "_") for w in (pick(rng, writer.verbs), pick(rng, writer.nouns)))
            parts.append(Code(language, _CODE[language].format(a=a, b=b, n=int(rng.random() * 99))))
        if i and rng.random() < 0.12:
            parts.append(Quote(writer.sentence()))
    return tuple(parts)
