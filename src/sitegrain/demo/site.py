"""The demo site: which pages there are, what they link to, and the truth about each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

import sitegrain.demo.look_modern as look_modern
import sitegrain.demo.look_tables as look_tables
from sitegrain.demo.body import Story, content_strings, write_parts
from sitegrain.demo.chinese import Chinese
from sitegrain.demo.english import PEOPLE, English
from sitegrain.demo.writer import Writer, pick, some

BASE = "http://courier.example/"
"""Where the pages live when they are read from the folder; a reserved name, so it leads nowhere."""

# Section -> (look, writer, topics, number of articles). 112 articles, 150 pages in all.
_SECTIONS: dict[str, tuple[str, type[English] | type[Chinese], tuple[str, ...], int]] = {
    "harbour": ("modern", English, ("harbour",), 16),
    "science": ("modern", English, ("science",), 16),
    "kitchen": ("modern", English, ("kitchen",), 15),
    "machines": ("modern", English, ("machines",), 16),
    "zh": ("modern", Chinese, ("culture", "city"), 16),
    "2002/town": ("tables", English, ("town",), 14),
    "2002/sport": ("tables", English, ("sport",), 11),
    "2002/zh": ("tables", Chinese, ("city", "culture"), 8),
}
_TAGS = ("winter", "money", "repairs", "history", "people", "weather", "children", "night", "numbers", "festival")
_TOC_SIZE = 10


@dataclass(frozen=True)
class DemoPage:
    """The truth about one page."""

    path: str
    kind: str
    """`article`, `toc` or `other`."""
    look: str
    """`modern` or `tables`."""
    language: str
    title: str
    """The headline, without the name of the newspaper."""
    content_selector: str = ""
    """CSS: the informative part of an article; all its text except what `drop_selector` matches in it."""
    drop_selector: str = ""
    toc_selector: str = ""
    """CSS: the main list of a TOC page."""
    content: tuple[str, ...] = ()
    """The informative text, one string per paragraph, item, cell, caption or code block."""
    author: str = ""
    date: str = ""
    is_allowed: bool = True
    """False where robots.txt asks robots to stay away."""

    @property
    def url(self) -> str:
        return BASE + self.path.removesuffix("index.html")


@dataclass(frozen=True)
class Truth:
    """The demo site on disk, and what is true of it."""

    folder: Path
    pages: tuple[DemoPage, ...]

    @property
    def html(self) -> Path:
        """The folder of pages: what is served, or read as a source."""
        return self.folder / "html"

    def __getitem__(self, path: str) -> DemoPage:
        return next(page for page in self.pages if page.path == path)

    def roles(self) -> dict[str, str]:
        """Path -> `article`, `toc` or `other`."""
        return {page.path: page.kind for page in self.pages}


def _write_stories(seed: int) -> list[Story]:
    stories: list[Story] = []
    for section, (look, make, topics, n) in _SECTIONS.items():
        for i in range(n):
            rng = Random(f"{seed}/{section}/{i}")
            writer: Writer = make(rng, topics[i % len(topics)])
            start = date(2002, 2, 1) if look == "tables" else date(2024, 1, 8)
            day = start + timedelta(days=int(i * 11 + rng.random() * 9))
            # Links inside the text lead back in time, as they do in a newspaper.
            links = ["/" + s.path for s in stories[-40:] if s.look == look]
            comments: tuple[tuple[str, str], ...] = ()
            if rng.random() < 0.3:
                comments = tuple(
                    (pick(rng, PEOPLE).split()[0], writer.comment()) for _ in range(1 + int(rng.random() * 6))
                )
            slug = f"{day:%m%d}-{writer.name.lower().replace(' ', '-')}" if make is English else f"{day:%m%d}-{i}"
            stories.append(
                Story(
                    path=f"{section}/{slug}.html",
                    section=section,
                    look=look,
                    language=writer.language,
                    date=day.isoformat(),
                    headline=writer.headline(),
                    author=writer.author,
                    tags=tuple(some(rng, _TAGS, 1 + int(rng.random() * 3))) if look == "modern" else (),
                    parts=write_parts(writer, rng, section.split("/")[-1], links),
                    comments=comments,
                )
            )
    return stories


class _Press:
    """Collects pages and their truth."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.pages: list[tuple[DemoPage, str]] = []

    def rng(self, path: str) -> Random:
        return Random(f"{self.seed}/page/{path}")

    def add(self, page: DemoPage, html: str) -> None:
        self.pages.append((page, html))


def _articles(press: _Press, stories: list[Story]) -> None:
    for story in stories:
        look = look_modern if story.look == "modern" else look_tables
        same_look = [s for s in stories if s.look == story.look and s is not story]
        related = [s for s in same_look if s.section == story.section]
        rng = press.rng(story.path)
        html = look.article(story, rng, some(rng, related, 3 + int(rng.random() * 3)), same_look[:15])
        has_drop = f'class="{look.DROP_SELECTOR.split(".")[1]}"' in html.lower()
        press.add(
            DemoPage(
                path=story.path,
                kind="article",
                look=story.look,
                language=story.language,
                title=story.headline,
                content_selector=look.CONTENT_SELECTOR,
                drop_selector=look.DROP_SELECTOR if has_drop else "",
                content=tuple(content_strings(story.parts)),
                author=story.author,
                date=story.date,
            ),
            html,
        )


def _tocs(press: _Press, stories: list[Story]) -> None:
    modern = sorted((s for s in stories if s.look == "modern"), key=lambda s: (s.date, s.path), reverse=True)
    old = sorted((s for s in stories if s.look == "tables"), key=lambda s: (s.date, s.path), reverse=True)

    def add(path: str, title: str, chosen: list[Story], more: tuple[tuple[str, str], ...] = ()) -> None:
        language = "zh" if path.startswith("zh/") else "en"
        html = look_modern.toc(title, language, chosen, more, press.rng(path), modern[:15])
        toc = DemoPage(path, "toc", "modern", language, title, toc_selector=look_modern.TOC_SELECTOR)
        press.add(toc, html)

    add("index.html", "Today in Lantern Bay", modern[:14])
    for section in ("harbour", "science", "kitchen", "machines", "zh"):
        mine = [s for s in modern if s.section == section]
        name = "中文版" if section == "zh" else section.capitalize()
        add(f"{section}/index.html", name, mine[:_TOC_SIZE], ((f"/{section}/page2.html", "Older stories"),))
        older = ((f"/{section}/index.html", "Newer stories"),)
        add(f"{section}/page2.html", f"{name}, page 2", mine[_TOC_SIZE:], older)
    for tag in _TAGS:
        add(f"tag/{tag}.html", f"Tag: {tag}", [s for s in modern if tag in s.tags])
    months = sorted({s.date[:7] for s in modern})
    index = tuple((f"/archive/{m}.html", m) for m in months)
    add("archive/index.html", "Archive", modern[:5], index)
    for month in months:
        add(f"archive/{month}.html", f"Archive {month}", [s for s in modern if s.date.startswith(month)], index)

    for path, title, section in (
        ("2002/index.html", "News Desk", ""),
        ("2002/town.html", "Town", "2002/town"),
        ("2002/sport.html", "Sport", "2002/sport"),
        ("2002/zh.html", "中文新闻", "2002/zh"),
    ):
        chosen = [s for s in old if s.section == section] if section else old[:12]
        language = "zh" if section == "2002/zh" else "en"
        html = look_tables.toc(title, language, chosen, press.rng(path), old[:15])
        press.add(DemoPage(path, "toc", "tables", language, title, toc_selector=look_tables.TOC_SELECTOR), html)


_OTHER: tuple[tuple[str, str, str], ...] = (
    (
        "about.html",
        "About the Courier",
        "<p>The Lantern Bay Courier is a newspaper that does not exist, in a town that does not exist.</p>"
        "<p>It was written by a program, so that another program has something to read.</p>",
    ),
    (
        "contact.html",
        "Contact",
        "<address>The Lantern Bay Courier, 7 Gull Street</address><p>Write to the desk by pigeon or by post.</p>",
    ),
    (
        "advertise.html",
        "Advertise with us",
        "<p>Reach eleven thousand imaginary readers every morning.</p><table><tr><th>Size</th><th>Price</th></tr>"
        "<tr><td>Half page</td><td>400 crowns</td></tr><tr><td>Whole page</td><td>700 crowns</td></tr></table>",
    ),
    (
        "offers.html",
        "Partner offers",
        "<div class='banner'>" + "</div><div class='banner'>".join(look_modern.ADS) + "</div><p>BUY NOW</p>",
    ),
    (
        "search.html",
        "Search",
        '<form action="/search.html"><label>Search the Courier <input name="q"></label>'
        "<button>Go</button></form><p>Type a word to begin.</p>",
    ),
    (
        "private/drafts.html",
        "Drafts of the newsroom",
        "<p>Nothing to read here yet: robots are asked to stay away from this folder.</p>",
    ),
)
_ROBOTS = "User-agent: *\nDisallow: /private/\nCrawl-delay: 0\n"


def generate(folder: str | Path, seed: int = 2002) -> Truth:
    """Write the demo site into a folder, the same bytes every time, and return the truth about it.

    `folder/html/` holds the pages and robots.txt; `folder/labels.jsonl` and `folder/site.json` hold the truth, in
    the form in which the evaluation reads labelled sites.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     truth = generate(folder)
    ...     print(len(truth.pages), truth["index.html"].kind, truth["offers.html"].kind)
    150 toc other
    """
    folder = Path(folder)
    press = _Press(seed)
    stories = _write_stories(seed)
    _tocs(press, stories)
    _articles(press, stories)
    modern = [s for s in stories if s.look == "modern"]
    for path, title, main in _OTHER:
        # The drafts are linked from one page only, so that a polite crawler has a reason to ask robots.txt.
        if path == "about.html":
            main += '<p>See also <a href="/private/drafts.html">the drafts of the newsroom</a>.</p>'
        html = look_modern.plain(title, main, press.rng(path), modern[:15])
        allowed = not path.startswith("private/")
        press.add(DemoPage(path, "other", "modern", "en", title, is_allowed=allowed), html)
    for page, html in press.pages:
        target = folder / "html" / page.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(html.encode())
    (folder / "html" / "robots.txt").write_text(_ROBOTS)
    truth = Truth(folder, tuple(page for page, _ in press.pages))
    _write_truth(truth)
    return truth


def _write_truth(truth: Truth) -> None:
    count: Callable[[str], int] = [page.kind for page in truth.pages].count
    rows = [json.dumps(asdict(page), ensure_ascii=False) for page in truth.pages]
    (truth.folder / "labels.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    site = {
        "site": "courier",
        "base_url": BASE,
        "lang": "en",
        "generator": "sitegrain.demo",
        "pages": len(rows),
        "article": count("article"),
        "toc": count("toc"),
        "other": count("other"),
    }
    (truth.folder / "site.json").write_text(json.dumps(site, indent=2) + "\n")
