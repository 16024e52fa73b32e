"""What a person reads besides the text, measured on page sets: fields with and without metadata, and posts of threads.

A title is right when its words are those of the truth, with or without a kicker; an author when the names have the same words in any order; a date
when it is the same day (see `sameness`). The figures "shown" leave out pages that do not show the truth (see `shown`), and those beside them also
golds that are doubtful (see `doubtful`). A post is found when its words and those of one post of the truth agree (F1 of at least 0.5, each
used once); author and date are counted on found posts whose truth has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitegrain.article.threads.posts import Post
from sitegrain.evaluation import metrics
from sitegrain.evaluation.data import PageSet, Truth, TruthPost
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.reading.doubtful import doubtful_golds
from sitegrain.evaluation.reading.sameness import is_right
from sitegrain.evaluation.reading.shown import ShownPage
from sitegrain.evaluation.reading.wording import words
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.result.extracting import extract
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture

FIELDS = ("title", "author", "date")
UNSIGNED_TYPES = ("collection", "listing", "product", "service")
"""Types of pages that mostly have no author and no day of their own: there a truth without them is believed. On articles it may
only mean that nobody noted them."""
SAME_POST = 0.5
SURE = ", doubtful golds left out"


def without_metadata(capture: Capture) -> Capture:
    """The page without its JSON-LD and `<meta>` elements, but for those that name its character set.

    >>> without_metadata(Capture("", b"<meta charset=x><meta name=author content=A><script type=application/ld+json>{}</script>b")).body
    b'<meta charset=x>b'
    """
    body = re.sub(rb"(?is)<script\b[^>]{0,300}ld\+json[^>]{0,300}>.*?</script>", b"", capture.body)
    body = re.sub(rb"(?i)<meta\b(?![^>]{0,300}charset)[^>]{0,5000}>", b"", body)
    return replace(capture, body=body)


@dataclass
class Reading:
    """Figures of a page set."""

    fields: dict[str, list[bool]] = field(default_factory=dict)
    """Name of a field -> right or not, for pages whose truth has it; with " bare" for copies without metadata, with " none" for pages that have none, right where
    none was found; with " shown" for the
    pages that show the truth, and with ", doubtful golds left out" for those of them whose truth nobody doubts."""
    n_posts: int = 0
    n_found: int = 0
    n_right: int = 0
    authors: list[bool] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)

    @property
    def post_f1(self) -> float:
        return 2 * self.n_right / max(self.n_posts + self.n_found, 1)

    @property
    def values(self) -> dict[str, float]:
        """Figures by name, as the gate pins them."""
        out = {name: sum(found) / len(found) for name, found in self.fields.items()}
        if self.n_posts:
            out["posts f1"] = self.post_f1
        for name, found in (("posts author", self.authors), ("posts date", self.dates)):
            if found:
                out[name] = sum(found) / len(found)
        return out


def measure_pages(data: PageSet, options: Options, progress: Progress) -> Reading:
    """Fields and posts of a page set, one page at a time."""
    out = Reading()
    total = len(data.truths)
    for n, (plain, truth) in enumerate(data.captures(), 1):
        capture = options.shown(plain, truth.name)
        host = host_of(truth.url)
        model = options.model_for(CONTENT_KIND, site_key(host), host, truth.name)
        if truth.posts:
            read_posts(extract(capture.body, truth.url, model=model).posts, truth.posts, out)
        elif any(getattr(truth, name) for name in FIELDS):
            _read_fields(capture, truth, out, model, doubtful_golds(data.name))
        progress(n, total)
    return out


def _read_fields(
    capture: Capture, truth: Truth, out: Reading, model: Path | None, doubtful: frozenset[tuple[str, str]]
) -> None:
    shown = ShownPage(capture)
    for ending, page in (("", capture), (" bare", without_metadata(capture))):
        found = extract(page.body, truth.url, model=model)
        for name in FIELDS:
            if want := getattr(truth, name):
                right = is_right(name, getattr(found, name), want, shown)
                out.fields.setdefault(name + ending, []).append(right)
                if not ending and shown.shows(name, want):
                    out.fields.setdefault(f"{name} shown", []).append(right)
                    if (truth.name, name) not in doubtful:
                        out.fields.setdefault(f"{name} shown{SURE}", []).append(right)
            elif not ending and name != "title" and truth.page_type in UNSIGNED_TYPES:
                out.fields.setdefault(f"{name} none", []).append(not getattr(found, name))


def read_posts(found: Sequence[Post], truth: Sequence[TruthPost], out: Reading) -> None:
    """Count the posts of one page."""
    out.n_posts += len(truth)
    out.n_found += len(found)
    left = list(found)
    for want in truth:
        scores = [metrics.token_prf(post.text, want.text).f1 for post in left]
        best = max(range(len(left)), key=scores.__getitem__, default=-1)
        if best < 0 or scores[best] < SAME_POST:
            continue
        post = left.pop(best)
        out.n_right += 1
        if want.author:
            out.authors.append(words(post.author) == words(want.author))
        if want.date:
            out.dates.append(post.date == want.date)
