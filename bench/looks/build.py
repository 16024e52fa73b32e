"""Sites with known contents in looks that are written here, after the markup of programs that cannot be run here, for `bench/generated.py`.

    python bench/looks/build.py OUT [NAME]...

A look is one template of jinja2 in `templates/`; it prints a page of the site (`item`) or a list of pages (`list`) with all that stands around them. They are written from
memory and shorter than the real ones: what they say of a program is less sure than what its own output says.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "docsites"))

import jinja2
from files import write
from stuff import Html, Item, Stuff
from tongues import day
from writers import Truth, escaped

HERE = Path(__file__).parent
A_LIST = 12
LOOKS: dict[str, tuple[str, str, str]] = {
    "news-cards": ("story", "en", "lead teaser comments"), "news-bem": ("story", "de", "lead teaser"), "news-arabic": ("story", "ar", "lead comments"), "news-portal": ("story", "zh", ""), "news-ranking": ("story", "ja", "lead"),
    "tagdiv": ("story", "es", "lead comments"), "genericnews": ("story", "ru", "lead comments"), "news-next": ("story", "en", "lead teaser"),
    "govnotice": ("story", "en", "teaser"), "typo3": ("story", "de", "teaser"), "olivero": ("story", "en", "comments"), "bartik": ("story", "es", "comments"), "plone": ("story", "de", "teaser"), "joomla": ("story", "ru", ""),
    "casper": ("blog", "en", "lead teaser"), "papermod": ("blog", "en", ""), "ananke": ("blog", "de", ""), "mistakes": ("blog", "en", "comments"), "tailwind": ("blog", "en", ""), "gatsby": ("blog", "es", ""), "astro": ("blog", "en", ""), "medium": ("blog", "en", "teaser"), "stackhugo": ("blog", "zh", ""),
    "blogger": ("blog", "ru", "comments"), "livejournal": ("blog", "ru", "comments"),
    "prosilver": ("thread", "de", ""), "vbulletin4": ("thread", "es", ""), "vbulletin3": ("thread", "en", ""), "smf": ("thread", "en", ""), "mybb": ("thread", "ru", ""), "xenforo": ("thread", "en", ""), "discourse": ("thread", "en", ""), "flarum": ("thread", "de", ""), "fluxbb": ("thread", "es", ""),
    "nodebb": ("thread", "zh", ""), "vanilla": ("thread", "en", ""), "pipermail": ("thread", "en", "flat"), "qanda": ("thread", "en", ""), "question2answer": ("thread", "ar", ""), "githubissue": ("thread", "en", ""),
    "woocommerce": ("thing", "en", ""), "magento": ("thing", "de", ""), "prestashop": ("thing", "es", ""), "opencart": ("thing", "ru", ""), "shopify": ("thing", "en", ""),
    "events": ("story", "en", "lead"), "jobs": ("story", "de", ""), "podcast": ("story", "en", "teaser"), "gallery": ("story", "ja", "lead"),
    "isso": ("blog", "en", "comments"), "serendipity": ("blog", "de", "comments"), "movabletype": ("blog", "ja", "comments"), "gnuboard": ("blog", "ko", "comments"), "pantip": ("thread", "th", ""), "thainews": ("story", "th", "lead comments"),
    "talkback": ("story", "he", "teaser comments"), "hindinews": ("story", "hi", "lead comments"), "nopcommerce": ("thing", "en", ""), "bigcommerce": ("thing", "en", ""), "lobsters": ("blog", "en", "comments"), "phorum": ("thread", "en", ""), "handmade": ("blog", "en", "comments"), "tribe": ("story", "en", "comments"),
}  # fmt: skip

UNSIGNED = frozenset(("astro", "govnotice", "jobs", "podcast", "events", "stackhugo", "gatsby", "tribe"))
"""Looks that do not say who wrote a page (of Gatsby's, who writes the site)."""
UNDATED = frozenset(("hindinews", "tribe"))
"""Looks that do not say when a comment was written."""
KEPT = frozenset(
    "isso serendipity movabletype gnuboard pantip thainews talkback hindinews nopcommerce bigcommerce lobsters phorum handmade tribe".split()
)
"""Looks of which only figures are seen; the others were that half, too, or are read."""


class Look:
    """One site in one look."""

    def __init__(self, name: str, out: Path) -> None:
        kind, language, has = LOOKS[name]
        self.name, self.kind, self.has, self.out = name, kind, has.split(), out / name
        self.stuff = Stuff(name, language, kind)
        self.base = f"https://{name}.example/"
        self.writer = Html(self.stuff, lambda page: f"/{page}.html")
        self.truth = Truth(lambda page: f"{page}.html", self.base)
        self.rows: list[dict[str, Any]] = []
        loader = jinja2.FileSystemLoader(HERE / "templates")
        self.page = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True).get_template(f"{name}.html")

    def build(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        newest = self.stuff.newest()
        for item in newest:
            self.item(item, newest)
        self.lists("index", newest, "")
        for i, section in enumerate(self.stuff.sections):
            self.lists(f"section{i}", [item for item in newest if item.section == i], section)
        self.put("contact", {"kind": "other", "title": self.stuff.says["contact"]}, newest)
        self.rows.append({"url": f"{self.base}contact.html", "role": "other"})
        write(self.out / "site.json", json.dumps({"half": "kept" if self.name in KEPT else "read"}))
        write(self.out / "truth.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows))

    def put(self, name: str, more: dict[str, Any], newest: list[Item]) -> None:
        stuff = self.stuff
        about = {
            "s": stuff.says, "lang": stuff.language, "dir": "rtl" if stuff.language in ("ar", "he") else "ltr", "site": self.name.title(), "sections": list(enumerate(stuff.sections)), "tags": stuff.tags, "url": f"{self.base}{name}.html",
            "popular": newest[7:12], "recent": newest[:5], "author_line": stuff.says["bio"], "rng": stuff.rng, "name": name, "base": self.base,
        }  # fmt: skip
        write(self.out / "html" / f"{name}.html", self.page.render(about | more))

    def item(self, item: Item, newest: list[Item]) -> None:
        at = newest.index(item)
        related = [other for other in newest if other.section == item.section and other is not item][:4]
        for said in item.said:
            said.day = day(said.date, self.stuff.language)
            said.html = self.writer.blocks(said.blocks)
            self.truth.notes = []
            said.text = "\n".join(self.truth.block(block)[0] for block in said.blocks)
        more = {
            "kind": "item",
            "item": item,
            "title": item.title,
            "body": self.writer.blocks(item.blocks, item),
            "related": related,
            "number": at,
        }
        more |= {
            "before": newest[at + 1] if at + 1 < len(newest) else None,
            "after": newest[at - 1] if at else None,
            "section": self.stuff.sections[item.section],
        }
        self.put(item.name, more, newest)
        row = self.truth.row(item, {})
        lines = [item.teaser] if "teaser" in self.has else []
        row["text"] = "\n".join([*lines, row["text"]])
        said = [{"author": s.author, "date": "" if self.name in UNDATED else s.date, "text": s.text} for s in item.said]
        if "flat" in self.has:  # one letter a page
            said = said[:1]
            row |= {
                "text": said[0]["text"],
                "markdown": None,
                "author": said[0]["author"],
                "date": said[0]["date"],
                "posts": None,
            }
        elif self.kind == "thread":
            row["text"] = "\n".join(s.text for s in item.said)
            row["markdown"] = "\n\n".join(
                [f"# {escaped(item.title)}", *(self.truth.block(block)[1] for s in item.said for block in s.blocks)]
            )
            row["posts"] = said
            row["author"], row["date"] = item.said[0].author, "" if self.name == "flarum" else item.said[0].date
        elif "comments" in self.has or self.kind == "thing":
            row["comments"] = said
        if self.name == "tribe":
            row["date"] = None
        if self.kind == "thing":
            row["author"] = row["date"] = None
            row["title"] = item.title
        if self.name in UNSIGNED:
            row["author"] = ""
        if row["markdown"] is None:
            self.rows.append(row)
            return
        head, _, rest = row["markdown"].partition("\n")
        picture = (
            [f"![{escaped(item.title)}]({self.base}{item.image}.png)"]
            if "lead" in self.has or self.kind == "thing"
            else []
        )
        row["markdown"] = "\n\n".join([head, *map(escaped, lines), *picture, rest])
        self.rows.append(row)

    def lists(self, name: str, items: list[Item], section: str) -> None:
        parts = [items[i : i + A_LIST] for i in range(0, len(items), A_LIST)]
        names = [name if not i else f"{name}-{i + 1}" for i in range(len(parts))]
        for at, part in enumerate(parts):
            pages = [(i + 1, f"/{other}.html", i == at) for i, other in enumerate(names)]
            self.put(
                names[at],
                {
                    "kind": "list",
                    "items": part,
                    "title": section or self.name.title(),
                    "section": section,
                    "pages": pages,
                },
                self.stuff.newest(),
            )
            entries = [[f"{self.base}{item.name}.html", item.title] for item in part]
            self.rows.append({"url": f"{self.base}{names[at]}.html", "role": "toc", "entries": entries})


def main() -> None:
    out, *names = sys.argv[1:]
    for name in names or LOOKS:
        if (HERE / "templates" / f"{name}.html").exists():
            Look(name, Path(out)).build()
            print(f"{name}: built")


if __name__ == "__main__":
    main()
