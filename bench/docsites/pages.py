"""A manual as a model: pages of several kinds, made of blocks, before any generator sees them.

A piece of a line is a tuple: ("t", text), ("b", text), ("i", text), ("c", text), ("page", text, page), ("sec", text, page, heading number), ("ext", text, url),
("m", formula), ("note", text). A block is a tuple, too: its kind, then what it holds (see the writers).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from prose import LEADS, Prose

Inline = list[tuple[Any, ...]]
Block = tuple[Any, ...]
FORMULAS = (r"T_{n+1} = T_n + k \Delta t", r"\frac{a+b}{2} \le \sqrt{x^2 + y^2}", r"\sum_{i=1}^{n} w_i x_i", r"e^{-\lambda t} \cos(\omega t)", r"\int_0^1 f(x) dx", r"\alpha + \beta = \gamma", r"x \in A")  # fmt: skip
CODES = {
    "python": 'def {a}({b}, limit={n}):\n    """Read {b}."""\n    for row in {b}:\n        if row > limit:\n            yield row * {m}\n\n\nprint(list({a}([{n}, {m}])))',
    "bash": "cd /srv/{a}\n./configure --prefix=/opt/{b} --jobs={n}\nmake && make install  # about {m} minutes",
    "json": '{{\n  "{a}": {n},\n  "{b}": [{m}, {n}],\n  "name": "kiln-{m}"\n}}',
    "c": "#include <stdio.h>\n\nint {a}(int {b}) {{\n    return {b} < {n} ? {m} : 0;  /* never negative */\n}}",
    "yaml": "{a}:\n  - name: kiln{n}\n    {b}: {m}\n    enabled: true",
    "sql": "SELECT {a}, {b}\nFROM firing\nWHERE shelf < {n} AND batch >= {m}\nORDER BY {a};",
}
PEOPLE = (
    "Ann Maria Tobias Jonas Clara Henrik Olga Paul Ruth Simon".split(),
    "Okafor Lindqvist Berger Novak Castellano Whitmore Hartmann Oyelaran Petrov Sato".split(),
)
NAMES = "ramp shelf batch limit vent pulse relay meter queue spool token glaze curve probe alarm lid slot zone step drift".split()


@dataclass
class Page:
    """One page of a site; `name` is its path without an ending, `index` for the first page of a folder."""

    name: str
    title: str
    role: str = "article"
    blocks: list[Block] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    """Headings below the title, in the order of the page."""
    author: str = ""
    date: str = ""
    children: list[str] = field(default_factory=list)
    """Of a TOC page: the names of the pages that it leads to."""


class Manual:
    """All pages of one site. `can` names the blocks and pieces that its generator can write; others are not made."""

    def __init__(self, seed: str, language: str, can: frozenset[str], n_pages: int = 24) -> None:
        self.rng = Random(seed)
        self.prose = Prose(language, self.rng)
        self.can = can
        self.language = language
        self.images: list[str] = []
        self.pages: dict[str, Page] = {}
        folders = self.rng.sample(["guide", "reference", "howto", "topics", "internals", "admin"], 3)
        names = [f"{folder}/{a}-{b}" for folder in folders for a, b in self._names(n_pages // 3)]
        for name in names:
            self.pages[name] = Page(name, self.prose.title())
            if "signed" in can:
                self.pages[name].author = f"{self.rng.choice(PEOPLE[0])} {self.rng.choice(PEOPLE[1])}"
                self.pages[
                    name
                ].date = f"20{self.rng.randint(10, 24)}-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        kinds = [
            self.lesson,
            self.concept,
            self.options,
            self.questions,
            self.changes,
            self.short,
            self.codes,
            self.terms,
        ]
        for i, name in enumerate(names):
            self.pages[name].heads = [self.prose.title() for _ in range(self.rng.randint(2, 5))]
            kinds[i % len(kinds)](self.pages[name])
        for folder in folders:
            page = Page(f"{folder}/index", self.prose.title(), "toc", [self.p(1, 2, plain=True)])
            page.children = [name for name in names if name.startswith(folder + "/")]
            self.pages[page.name] = page
        home = Page("index", self.prose.title(), "toc", [self.p(2, 3, plain=True)])
        home.children = [f"{folder}/index" for folder in folders]
        self.pages["index"] = home

    def _names(self, n: int) -> list[tuple[str, str]]:
        pairs = [(a, b) for a in NAMES for b in NAMES if a != b]
        return self.rng.sample(pairs, n)

    # pieces of a line

    def line(self, least: int = 1, most: int = 1, plain: bool = False) -> Inline:
        """Sentences, the words of some of them marked."""
        out: Inline = []
        for _ in range(self.rng.randint(least, most)):
            if out and self.prose.gap:
                out.append(("t", " "))
            sentence = self.prose.sentence()
            mark = None if plain or self.rng.random() < 0.45 else self.mark()
            if mark is None:
                out.append(("t", sentence))
            elif mark[0] in ("b", "i"):
                word = next((w for w in self.prose.words["N"] if w in sentence), "")
                before, _, after = sentence.partition(word) if word else (sentence, "", "")
                out += (
                    [("t", before), (mark[0], word), ("t", after)] if word and before and after else [("t", sentence)]
                )
            elif mark[0] == "note":
                out += [("t", sentence), mark]
            else:
                lead = LEADS[self.language]
                end = "." if self.prose.gap else "。"
                out += [("t", sentence + self.prose.gap + lead), mark, ("t", end)]
        return out

    def mark(self) -> tuple[Any, ...] | None:
        kind = self.rng.choice(["b", "i", "c", "page", "page", "sec", "ext", "m", "note"])
        if kind not in self.can | {"b", "i", "c", "page", "ext"}:
            return None
        a, b, n = self.rng.choice(NAMES), self.rng.choice(NAMES), self.rng.randint(2, 99)
        others = [page for page in self.pages.values() if page.role == "article"]
        page = self.rng.choice(others)
        if kind == "page":
            return (kind, page.title, page.name)
        if kind == "sec":
            heading = self.rng.randrange(len(page.heads)) if page.heads else -1
            return (kind, page.heads[heading], page.name, heading) if heading >= 0 and page.blocks else None
        if kind == "ext":
            return (kind, f"{a.title()} {b} {n}", f"https://{a}.example.org/{b}/{n}")
        if kind == "c":
            return (kind, f"{a}.{b}({n})")
        if kind == "m":
            return (kind, self.rng.choice(FORMULAS))
        return (kind, self.prose.sentence()) if kind == "note" else (kind,)

    # blocks

    def p(self, least: int = 2, most: int = 4, plain: bool = False) -> Block:
        return ("p", self.line(least, most, plain))

    def items(self, kind: str = "ul", deep: bool = True) -> Block:
        def one(depth: int) -> tuple[Inline, Block | None]:
            text = [("t", self.prose.name())] if self.rng.random() < 0.4 else self.line()
            below = self.rng.random() < 0.3 and depth < 2 and deep
            return text, (self.rng.choice(["ul", "ol"]), [one(depth + 1) for _ in range(2)]) if below else None

        return (kind, [one(0) for _ in range(self.rng.randint(3, 6))])

    def code(self, language: str = "", numbered: bool = False) -> Block:
        language = language or self.rng.choice(list(CODES))
        a, b = self.rng.sample(NAMES, 2)
        text = CODES[language].format(a=a, b=b, n=self.rng.randint(3, 99), m=self.rng.randint(100, 999))
        return ("code", language, text, numbered and "numbers" in self.can)

    def table(self, n_rows: int = 0) -> Block:
        n = n_rows or self.rng.randint(3, 6)
        rows = [
            [f"{self.rng.choice(NAMES)}_{self.rng.randint(10, 99)}", self.prose.name(), str(self.rng.randint(1, 999))]
            for _ in range(n)
        ]
        return ("table", [self.prose.word() for _ in range(3)], rows)

    def spans(self) -> Block:
        """Head over two columns, and a first column over two rows."""
        return (
            "spans",
            [self.prose.word(), self.prose.name()],
            [[self.prose.word(), *(self.prose.name() for _ in range(4))] for _ in range(2)],
        )

    def picture(self) -> Block:
        self.images.append(f"img{self.rng.choice(NAMES)}{len(self.images)}")
        return ("img", self.images[-1], self.prose.name(), self.prose.sentence() if "caption" in self.can else "")

    def quote(self) -> Block:
        return ("quote", self.line(1, 3, plain=True))

    def boxed(self, kind: str) -> Block:
        return (kind, self.prose.title(), self.line(1, 2, plain=True))

    def defs(self, n: int) -> Block:
        return ("dl", [(self.prose.title(), self.line(1, 2)) for _ in range(n)])

    def tabs(self) -> Block:
        return ("tabs", [(name, self.code(language)) for name, language in (("Shell", "bash"), ("Python", "python"))])

    def put(self, page: Page, *blocks: Block) -> None:
        page.blocks += [
            block
            for block in blocks
            if block[0] in ("p", "h", "ul", "ol", "code", "table", "img", "quote") or block[0] in self.can
        ]

    def h(self, i: int, level: int = 2) -> Block:
        return ("h", level, i)

    # kinds of pages

    def lesson(self, page: Page) -> None:
        self.put(page, self.p(), self.p())
        for i in range(len(page.heads)):
            self.put(page, self.h(i, 3 if i % 3 == 2 else 2), self.p())
            self.put(
                page,
                *self.rng.sample(
                    [
                        self.code(),
                        self.items(),
                        self.items("ol"),
                        self.picture(),
                        self.quote(),
                        self.boxed("adm"),
                        self.table(),
                    ],
                    2,
                ),
                self.p(),
            )

    def concept(self, page: Page) -> None:
        self.put(page, self.p(3, 5), self.picture())
        for i in range(len(page.heads)):
            self.put(
                page,
                self.h(i),
                self.p(3, 6),
                self.p(2, 5),
                *self.rng.sample(
                    [("math", self.rng.choice(FORMULAS)), self.quote(), self.spans(), self.boxed("details")], 1
                ),
            )

    def options(self, page: Page) -> None:
        self.put(page, self.p(1, 2))
        for i in range(len(page.heads)):
            self.put(page, self.h(i), self.p(1, 1), self.table(self.rng.randint(5, 12)))
        self.put(page, self.spans(), self.boxed("adm"))

    def questions(self, page: Page) -> None:
        self.put(page, self.p(1, 1))
        for i in range(len(page.heads)):
            self.put(page, self.h(i), self.p(1, 2), *([self.code()] if i % 2 else []))

    def changes(self, page: Page) -> None:
        for i in range(len(page.heads)):
            page.heads[i] = (
                f"{9 - i}.{self.rng.randint(0, 9)}.{self.rng.randint(0, 20)} (20{23 - i}-0{self.rng.randint(1, 9)}-1{self.rng.randint(0, 9)})"
            )
            self.put(page, self.h(i), self.items(deep=False))

    def short(self, page: Page) -> None:
        page.heads = []
        self.put(page, self.p(2, 3), *([self.code()] if self.rng.random() < 0.5 else [self.boxed("adm")]))

    def codes(self, page: Page) -> None:
        self.put(page, self.p(1, 2))
        for i in range(len(page.heads)):
            self.put(
                page, self.h(i), self.p(1, 1), self.code(numbered=True), self.code(), *([self.tabs()] if i == 1 else [])
            )

    def terms(self, page: Page) -> None:
        page.heads = []
        self.put(page, self.p(1, 1), self.defs(self.rng.randint(6, 10)), self.items(), self.p(1, 2))
