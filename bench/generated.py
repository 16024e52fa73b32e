"""What sitegrain makes of sites that a generator made from sources with known contents, so that the truth is exact.

    python bench/generated.py SITES [--site NAME]... [--half read|kept] [--alone] [--scramble] [--misses KIND] [--json FILE]

SITES holds a folder for each site: `html/` with its pages, `truth.jsonl` with a line for each page that is measured, and optionally `site.json` with
its address (`{"base": "https://tea.example/"}`; else https://NAME.example/) and its half (`"half": "kept"` or `"read"`). A line of the truth has

- `url`: the address of the page, under the base; `role`: `article`, `toc` or `other`;
- of an article `text`, `markdown` (which begins with the title as `# ...`), `title`, `author`, `date`; what is missing or null is not measured, and an empty
  author or date says that the page has none;
- and where there are any, `notes` (the texts of its footnotes), `entries` (of a TOC page: `[address, title]`), `posts` (of a thread) and `comments` (below
  an article), each with `author`, `date` and `text`.

Names of pictures are compared up to their first `-`, `_` or `.` (generators add a size or a hash), addresses without their fragment, and fragments by the page that they
lead to. Formulas are what stands between dollar signs. The title may stand in the text or not.

Sites that do not say of which half they are, are dealt into two by the SHA-256 of their name: what is wrong is read on one, and of the other only figures are seen. So `--misses` shows nothing of that half.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from sitegrain import Article, extract
from sitegrain.article.threads.posts import Post
from sitegrain.evaluation.disguise import scramble_names
from sitegrain.evaluation.metrics import token_prf
from sitegrain.evaluation.reading.pieces import markdown_pieces
from sitegrain.evaluation.reading.sameness import is_right
from sitegrain.evaluation.reading.wording import squeezed
from sitegrain.result.mining import mine
from sitegrain.sources.open import open_source
from sitegrain.tables.address import page_key

TEXTS = ("F1", "precision", "recall", "alone F1", "alone precision", "alone recall")
PIECES = (
    "headings", "links", "fragments", "images", "items", "cells", "code", "languages", "quotes", "emphasis", "formulas", "notes",
)  # fmt: skip
FIELDS = ("title", "author", "date")
SAID = ("posts", "comments")
SAME_POST = 0.95
"""F1 of words from which two texts are the same post."""
OF_SAID = (*SAID, *(f"alone {kind}" for kind in SAID))
ONE_VALUE = ("role", *FIELDS, *(f"{kind} {name}" for kind in OF_SAID for name in ("author", "date")))
"""What is only wrong if something else is wanted."""
Truth = dict[str, Any]
Scores = dict[str, list[float]]
_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\0-9A-Za-z])\$(?!\s)([^$\n]+?)(?<!\s)\$(?![0-9A-Za-z])", re.DOTALL)
_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1[^\n]*$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"\[\d+\]")
"""The mark of a footnote, which counts neither way."""
_FILE = re.compile(r"[^/\-_.?#]*(?=[^/]*$)")


def is_read(folder: Path) -> bool:
    """Whether the pages of a site are looked at; of the others only figures are."""
    half = about(folder).get("half")
    return half == "read" if half else hashlib.sha256(folder.name.encode()).digest()[-1] % 2 == 1


def about(folder: Path) -> dict[str, str]:
    """What the folder of a site says of it beside its truth."""
    file = folder / "site.json"
    found: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    return found


def pieces(markdown: str, url: str) -> dict[str, Counter[str]]:
    """The pieces of a text, with addresses as they are compared.

    >>> pieces("![a](http://a.org/x/tea-600.png) $x^{2}$", "http://a.org/")["images"]
    Counter({'tea': 1})
    """
    found = markdown_pieces(markdown)
    out = {kind: Counter(found.get(kind, ())) for kind in PIECES}
    out["images"] = _renamed(found["images"], lambda key: (_FILE.search(key.partition("?")[0]) or [""])[0])
    out["links"] = _renamed(found["links"], page_key)
    out["fragments"] = _renamed(found["fragments"], lambda key: page_key(key.partition("#")[0]))
    out["formulas"] = Counter(
        re.sub(r"[\s{}]|\\displaystyle", "", a or b) for a, b in _FORMULA.findall(_CODE.sub("", markdown))
    )
    return out


def _renamed(keys: Counter[str], name: Any) -> Counter[str]:
    out: Counter[str] = Counter()
    for key, n in keys.items():
        out[name(key)] += n
    return out


def said(article: Article, kind: str) -> Sequence[Post]:
    return article.posts if kind == "posts" else article.comment_posts


def without_title(text: str, title: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return rest if title and squeezed(first) == squeezed(title) else text


class Bench:
    """The scores of one site."""

    def __init__(self, name: str, shown: str) -> None:
        self.name = name
        self.shown = shown
        self.scores: Scores = defaultdict(list)
        self.right: Counter[str] = Counter()
        self.wanted: Counter[str] = Counter()
        self.written: Counter[str] = Counter()

    def add(self, truth: Truth, found: Article, alone: Article | None) -> None:
        self.scores["role"].append(found.role == truth["role"])
        self.say("role", truth, [] if found.role == truth["role"] else [truth["role"]], [found.role])
        if truth.get("entries") is not None:
            self._entries(truth, found)
        for kind in SAID:
            if truth.get(kind) is not None:
                self._said(kind, truth[kind], truth, said(found, kind))
                if alone is not None:
                    self._said(f"alone {kind}", truth[kind], truth, said(alone, kind))
        if truth["role"] != "article":
            return
        if truth.get("text") is not None:
            self._text(truth, found, "")
            if alone is not None:
                self._text(truth, alone, "alone ")
        if truth.get("markdown") is not None:
            self._pieces(truth, found)
        for name in FIELDS:
            if (want := truth.get(name)) is not None:
                value = getattr(found, name)
                is_same = is_right(name, value, want) if want else not value
                self.scores[name].append(is_same)
                self.say(name, truth, [] if is_same else [want], [value])

    def _text(self, truth: Truth, found: Article, prefix: str) -> None:
        texts = [_MARK.sub("", without_title(text, truth.get("title") or "")) for text in (found.text, truth["text"])]
        score = token_prf(*texts)
        for name, value in (("F1", score.f1), ("precision", score.precision), ("recall", score.recall)):
            self.scores[prefix + name].append(value)
        lines = [Counter(line.strip() for line in text.splitlines() if line.strip()) for text in texts]
        self.say(f"{prefix}text", truth, lines[1] - lines[0], lines[0] - lines[1])

    def _pieces(self, truth: Truth, found: Article) -> None:
        wanted, written = pieces(truth["markdown"], truth["url"]), pieces(found.markdown, truth["url"])
        own = page_key(truth["url"])
        extra = written["fragments"][own] - wanted["fragments"][own]
        if extra > 0:  # a footnote's mark, a list of the page's own headings
            written["fragments"][own] -= extra
        for some in (wanted, written):
            for kind in ("items", "quotes", "cells"):  # the mark of a footnote, "tea 1"
                some[kind] = _renamed(some[kind], lambda key: key.rstrip("0123456789") or key)
        notes = {squeezed(note) for note in truth.get("notes", ())}
        for key in [
            key for key in written["items"] if key not in wanted["items"] and any(note in key for note in notes)
        ]:
            del written["items"][key]
        everything = squeezed(found.markdown)
        wanted["notes"] = Counter(map(squeezed, truth.get("notes", ())))
        written["notes"] = Counter({note: n for note, n in wanted["notes"].items() if note in everything})
        for kind in PIECES:
            self._count(kind, truth, wanted[kind], written[kind])

    def _entries(self, truth: Truth, found: Article) -> None:
        wanted = Counter({page_key(address) for address, _ in truth["entries"]})
        self._count("entries", truth, wanted, Counter({page_key(entry.url) for entry in found.entries}))

    def _said(self, kind: str, wanted: Sequence[dict[str, str]], truth: Truth, found: Sequence[Post]) -> None:
        """Each post that is wanted is looked for among those found; who and when count for those that are found."""
        left, missing = list(found), []
        for want in wanted:
            best = max(left, key=lambda post: token_prf(post.text, want["text"]).f1, default=None)
            if best is None or token_prf(best.text, want["text"]).f1 < SAME_POST:
                missing.append(want["text"])
                continue
            left.remove(best)
            self.right[kind] += 1
            for name in ("author", "date"):
                is_same = is_right(name, getattr(best, name), want[name][:10] if name == "date" else want[name])
                self.scores[f"{kind} {name}"].append(is_same)
                self.say(f"{kind} {name}", truth, [] if is_same else [want[name]], [getattr(best, name)])
        self.wanted[kind] += len(wanted)
        self.written[kind] += len(found)
        self.say(kind, truth, missing, [f"{post.author}, {post.date}: {post.text}" for post in left])

    def _count(self, kind: str, truth: Truth, wanted: Counter[str], written: Counter[str]) -> None:
        self.right[kind] += (wanted & written).total()
        self.wanted[kind] += wanted.total()
        self.written[kind] += written.total()
        self.say(kind, truth, wanted - written, written - wanted)

    def say(self, kind: str, truth: Truth, missing: Iterable[str], extra: Iterable[str]) -> None:
        missing, extra = list(missing), list(extra)
        if kind == self.shown and (missing or (extra and kind not in ONE_VALUE)):
            print(f"  {truth['url']}")
            for sign, keys in (("-", missing), ("+", extra)):
                for key in keys:
                    print(f"    {sign} {key[:300]!r}")

    def figures(self) -> dict[str, float | None]:
        """Shares of pages that are right, means of texts, and recall and precision of all pieces of the site."""
        out = {name: fmean(values) for name, values in self.scores.items()}
        for kind in (*PIECES, "entries", *OF_SAID):
            if self.wanted[kind]:
                out[f"{kind} recall"] = self.right[kind] / self.wanted[kind]
            if self.written[kind]:
                out[f"{kind} precision"] = self.right[kind] / self.written[kind]
        return out


def measured(folder: Path, with_alone: bool, scrambled: bool, shown: str) -> Bench:
    captures = list(open_source(folder / "html", about(folder).get("base", f"https://{folder.name}.example/")))
    if scrambled:
        captures = [scramble_names(capture, folder.name) for capture in captures]
    result = mine(captures)
    row = {page_key(capture.url): i for i, capture in enumerate(captures)}
    bench = Bench(folder.name, shown)
    for truth in truths(folder):
        key = page_key(truth["url"])
        if key not in row:
            print(f"{folder.name}: no page {truth['url']}", file=sys.stderr)
            continue
        capture = captures[row[key]]
        wants_alone = with_alone and truth["role"] == "article"
        bench.add(truth, result[row[key]], extract(capture.body, capture.url) if wants_alone else None)
    return bench


def truths(folder: Path) -> Iterator[Truth]:
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def table(rows: dict[str, dict[str, float | None]], columns: dict[str, tuple[str, ...]]) -> None:
    """Each column is one figure, or recall and precision of a kind."""
    width = max(map(len, rows), default=4)
    print(" ".join([f"{'':{width}}", *(f"{title:>11}" for title in columns)]))
    for name, row in rows.items():
        cells = [
            "/".join("-" if (v := row.get(key)) is None else f"{v:.3f}" for key in keys) for keys in columns.values()
        ]
        print(" ".join([f"{name:{width}}", *(f"{'' if set(cell) <= {'-', '/'} else cell:>11}" for cell in cells)]))
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path)
    parser.add_argument("--site", action="append", default=[], help="only this one")
    parser.add_argument("--half", choices=("read", "kept"))
    parser.add_argument("--alone", action="store_true", help="texts also of each page without its site")
    parser.add_argument("--scramble", action="store_true", help="every class and id has another name")
    parser.add_argument(
        "--misses",
        default="",
        metavar="KIND",
        help="print what is missing (-) and too much (+), of the half that is read",
    )
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    given = parser.parse_args()
    found: dict[str, dict[str, float | None]] = {}
    for folder in sorted(path.parent for path in given.sites.glob("*/truth.jsonl")):
        reading = is_read(folder)
        if (given.site and folder.name not in given.site) or (given.half and reading != (given.half == "read")):
            continue
        if given.misses and reading:
            print(folder.name)
        bench = measured(folder, given.alone, given.scramble, given.misses if reading else "")
        found[folder.name] = bench.figures()
    means: dict[str, dict[str, float | None]] = {}
    for name, half in (("all", None), ("read", True), ("kept", False)):
        rows = [row for site, row in found.items() if half is None or is_read(given.sites / site) == half]
        keys = dict.fromkeys(key for row in rows for key in row)
        means[f"mean of {len(rows)} {name}"] = {
            key: fmean(values) for key in keys if (values := [v for row in rows if (v := row.get(key)) is not None])
        }
    named = {f"{name}{'' if is_read(given.sites / name) else ' (kept)'}": row for name, row in found.items()}
    table({**means, **named}, {name: (name,) for name in (*TEXTS[: 6 if given.alone else 3], *FIELDS, "role")})
    kinds = (*PIECES, "entries", *(OF_SAID if given.alone else SAID))
    for some in (kinds[:7], kinds[7:]):
        table({**means, **named}, {kind: (f"{kind} recall", f"{kind} precision") for kind in some})
    table(
        {**means, **named},
        {f"{kind} by": (f"{kind} author", f"{kind} date") for kind in (OF_SAID if given.alone else SAID)},
    )
    if given.json:
        given.json.write_text(json.dumps({**means, **found}, indent=1))


if __name__ == "__main__":
    main()
