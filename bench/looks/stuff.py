"""What a site has to say before it has a look: stories, threads of a forum, and things to buy."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pages import Block, Inline, Manual, Page
from prose import Prose
from tongues import NAMES, SAYS, SECTIONS, day


@dataclass
class Said:
    author: str
    date: str
    time: str
    blocks: list[Block]
    html: str = ""
    text: str = ""
    day: str = ""


@dataclass
class Item(Page):
    """A page with what templates want to know of it."""

    section: int = 0
    time: str = "10:30"
    tags: list[str] = field(default_factory=list)
    teaser: str = ""
    image: str = ""
    price: str = ""
    said: list[Said] = field(default_factory=list)
    html: str = ""
    day: str = ""


class Stuff(Manual):
    """Pages of one kind: `story` (news), `blog` (with code), `thread` or `thing`."""

    def __init__(self, seed: str, language: str, kind: str, n_pages: int = 36) -> None:
        self.rng = Random(seed)
        self.prose = Prose(language, self.rng)
        self.can = frozenset(("caption",)) if kind == "story" else frozenset[str]()
        self.language, self.kind = language, kind
        self.images: list[str] = []
        self.names = NAMES[language].split("|")
        self.sections = SECTIONS[language].split("|")
        self.says = SAYS.get(language, {})
        self.tags = [self.prose.word() for _ in range(14)]
        slugs = [f"{a}-{b}" for a, b in self._names(n_pages)]
        self.pages: dict[str, Any] = {}
        for i, slug in enumerate(slugs):
            item = Item(slug, self.prose.title(), section=i % len(self.sections))
            item.author = self.rng.choice(self.names)
            item.date = f"20{self.rng.randint(12, 24)}-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
            item.time = f"{self.rng.randint(7, 22):02}:{self.rng.randint(10, 59)}"
            item.day = day(item.date, language) if language in SAYS else ""
            item.tags = self.rng.sample(self.tags, 3)
            item.image = f"lead{self.rng.randint(100, 999)}{slug.replace('-', '')}"
            item.teaser = self.prose.text(1, 2)
            item.price = f"{self.rng.randint(9, 480)}.{self.rng.randint(10, 99)}"
            self.pages[slug] = item
        for i, item in enumerate(self.items_):
            item.heads = [self.prose.title() for _ in range(3)]
            getattr(self, f"make_{kind}")(item, i)
            if kind in ("story", "blog"):
                self.talk(item, self.rng.choice([0, 0, 1, 2, 4, 7]), 1, 3)

    @property
    def items_(self) -> list[Item]:
        return list(self.pages.values())

    def newest(self) -> list[Item]:
        return sorted(self.items_, key=lambda item: (item.date, item.time), reverse=True)

    def talk(self, item: Item, n: int, least: int, most: int, rich: bool = False) -> None:
        for k in range(n):
            blocks: list[Block] = [self.p(least, most, plain=not rich) for _ in range(self.rng.randint(1, 2))]
            if rich and self.rng.random() < 0.3:
                blocks.append(self.rng.choice([self.code, self.items])())
            date = f"{item.date[:7]}-{min(28, int(item.date[8:]) + k // 2):02}"
            author = item.author if rich and k == 0 else self.rng.choice(self.names)
            item.said.append(Said(author, date, f"{min(23, 8 + k):02}:{self.rng.randint(10, 59)}", blocks))

    def make_story(self, item: Item, i: int) -> None:
        n = self.rng.choice([3, 5, 7, 9])
        self.put(item, self.p(1, 2, plain=True))
        for k in range(n):
            if k and k % 3 == 0 and k // 3 <= 3:
                self.put(item, self.h(k // 3 - 1))
            self.put(item, self.p(2, 4))
            if k == n // 2:
                self.put(item, [self.quote, self.picture, self.items, self.table, self.quote][i % 5]())

    def make_blog(self, item: Item, i: int) -> None:
        self.put(item, self.p(2, 4))
        if i % 6 == 5:
            return
        for k in range(self.rng.randint(1, 3)):
            self.put(item, self.h(k), self.p(2, 4))
            blocks = [self.code, self.items, lambda: self.items("ol"), self.picture, self.quote, self.table]
            self.put(item, *(one() for one in self.rng.sample(blocks, 2)), self.p(1, 3))

    def make_thread(self, item: Item, i: int) -> None:
        self.talk(item, self.rng.choice([1, 2, 3, 4, 6, 9]), 1, 5, rich=True)

    def make_thing(self, item: Item, i: int) -> None:
        self.put(item, self.p(2, 4), self.p(1, 3), self.items(deep=False))
        if i % 2:
            self.put(item, self.table())
        self.talk(item, self.rng.choice([0, 1, 2, 3]), 1, 2)


class Html:
    """Blocks as HTML. `address` calls pages."""

    def __init__(self, stuff: Stuff, address: Any, lead: str = "figure") -> None:
        self.stuff, self.address, self.lead = stuff, address, lead

    def line(self, inl: Inline) -> str:
        out = []
        for kind, text, *more in inl:
            text = html.escape(text)
            link = {"page": lambda: self.address(more[0]), "ext": lambda: more[0]}.get(kind)  # noqa: B023
            tag = {"b": "strong", "i": "em", "c": "code"}.get(kind)
            out.append(f'<a href="{link()}">{text}</a>' if link else f"<{tag}>{text}</{tag}>" if tag else text)
        return "".join(out)

    def blocks(self, blocks: list[Block], page: Page | None = None) -> str:
        return "\n".join(self.block(block, page) for block in blocks)

    def block(self, block: Block, page: Page | None) -> str:
        kind = block[0]
        if kind == "p":
            return f"<p>{self.line(block[1])}</p>"
        if kind == "quote":
            return f"<blockquote><p>{self.line(block[1])}</p></blockquote>"
        if kind == "h" and page:
            return f"<h{block[1]}>{html.escape(page.heads[block[2]])}</h{block[1]}>"
        if kind in ("ul", "ol"):
            return f"<{kind}>{''.join(f'<li>{self.line(inl)}{self.block(below, page) if below else str()}</li>' for inl, below in block[1])}</{kind}>"
        if kind == "table":
            rows = "".join(
                "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in block[2]
            )
            head = "".join(f"<th>{html.escape(cell)}</th>" for cell in block[1])
            return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        if kind == "code":
            return f'<pre><code class="language-{block[1]}">{html.escape(block[2])}</code></pre>'
        if kind == "img":
            caption = f"<figcaption>{html.escape(block[3])}</figcaption>" if block[3] else ""
            return f'<figure><img src="/{block[1]}.png" alt="{html.escape(block[2])}" width="640" height="400">{caption}</figure>'
        raise ValueError(kind)
