"""How much of a page's structure its Markdown keeps: `sitegrain evaluate DATA --structure`.

Per kind of piece (images, links, headings, ...): recall is the share of the pieces in the gold that are written, precision
the share of the written ones that stand in the gold; "foreign" is the share of the written ones that stand on the page but
outside of the gold. `default` is what `extract` gives with the site around; `gold` is the renderer alone, on the text of
the gold: what is missing there the writer loses, and the rest the extractor. Peers see one page at a time. Figures are of all pieces of a
site, means are over the sites that have some.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from sitegrain.article.article import Article
from sitegrain.article.context import SiteContext
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.gold import Gold, decoded, gold_nodes
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.peers import MARKDOWN_PEERS
from sitegrain.evaluation.reading.fields import Reading
from sitegrain.evaluation.reading.listing import ListScores, measure_lists
from sitegrain.evaluation.reading.people import FoundPage, PeopleScores, score_people
from sitegrain.evaluation.reading.pieces import KINDS, PagePieces, Pieces, file_of, markdown_pieces, page_pieces
from sitegrain.evaluation.report import Table
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.methods.base import NodeVerdict
from sitegrain.plan.processes.pool import guarded, run_tasks
from sitegrain.render import to_markdown, to_text
from sitegrain.result.recipe import make_recipe
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

OTHERS = 100
"""Pages of a site beside the sampled ones: enough for what the site says of its blocks."""
OF_TEMPLATE, MIN_TEMPLATE = 0.5, 5
"""Share and number of a site's sampled articles whose gold has a picture or a link that is the template's: the share is that of menus in `listing`."""
ADDRESSES = ("images", "links", "fragments")


@dataclass
class Tally:
    """Pieces of one kind, counted."""

    gold: int = 0
    written: int = 0
    right: int = 0
    foreign: int = 0

    def add(self, other: Tally) -> None:
        self.gold += other.gold
        self.written += other.written
        self.right += other.right
        self.foreign += other.foreign

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.written if self.written else 1.0

    @property
    def said(self) -> str:
        return f"{self.recall:.3f}/{self.precision:.3f}"


Tallies = dict[str, Tally]


def tally(written: Pieces, page: PagePieces) -> Tallies:
    """Compare what was written with what stands on the page."""
    out: Tallies = {}
    for kind in KINDS:
        keys = written[kind]
        if kind == "images":
            keys = Counter[str]()
            for key, n in written[kind].items():
                keys[page.alias.get(key, key)] += n
        gold = page.inside[kind]
        right = gold & keys
        rest = keys - right
        rest -= rest & page.neutral[kind]
        if kind == "headings":  # the title of a page is written as its first heading, whatever the level it is shown at
            titles, first = {key[2:] for key in page.neutral[kind]} | page.shown_titles, next(iter(written[kind]), "")
            said = {
                key
                for key in rest
                if (key[0] == "1" and (key[2:] in titles or any(key[2:] in title for title in page.titles)))
                or (key == first and key[2:] in page.shown_titles)
            }
            rest = Counter({key: n for key, n in rest.items() if key not in said})
        if kind == "languages":
            # A language where the page names none is neither right nor wrong.
            unnamed = {key.partition(" ")[2] for key in page.neutral[kind]}
            rest = Counter({key: n for key, n in rest.items() if key.partition(" ")[2] not in unnamed})
        n_right = right.total()
        foreign = (rest & page.outside[kind]).total()
        out[kind] = Tally(gold.total(), n_right + rest.total(), n_right, foreign)
    return out


def count_template_neither_way(pages: Sequence[PagePieces]) -> None:
    """Take what the template puts into the gold of a site's articles (a badge, a bullet, "Donate") for pieces that may be written or not; the links of a
    line that says the same on as many of them, whatever their addresses are ("Click here for the source of this page"); and outside the gold the picture
    that a page names as its own, unless the template names the same one on as many."""
    least = max(MIN_TEMPLATE, OF_TEMPLATE * len(pages))
    said = Counter(line for page in pages for line in set(page.lines.values()) if line)
    named = Counter(page.own_image for page in pages)
    for kind in ADDRESSES:
        often = Counter(key for page in pages for key in page.inside[kind])
        for page in pages:
            for key in list(page.inside[kind]):
                if often[key] >= least or said[page.lines.get(key, "")] >= least:
                    page.neutral[kind][key] += page.inside[kind].pop(key)
    for page in pages:
        if page.own_image and named[page.own_image] < least:
            for kind in ("images", "links"):
                for key in [key for key in page.outside[kind] if file_of(key) == page.own_image]:
                    page.neutral[kind][key] += page.outside[kind].pop(key)


@dataclass(frozen=True)
class StructureTask:
    """One site."""

    site: LabelledSite
    peers: tuple[str, ...]
    options: Options


@dataclass
class StructureAnswer:
    """What was found on one site: pieces by method, the entries of its TOC pages, languages and authors."""

    site: str
    tallies: dict[str, Tallies] = field(default_factory=dict)
    n_pages: int = 0
    lists: ListScores | None = None
    people: PeopleScores | None = None

    def add(self, method: str, found: Tallies) -> None:
        mine = self.tallies.setdefault(method, {kind: Tally() for kind in KINDS})
        for kind, one in found.items():
            mine[kind].add(one)


def measure_structure(
    data: Sequence[LabelledSite], peers: Sequence[str], options: Options, progress: Progress
) -> list[StructureAnswer]:
    """The structure of a sample of the articles of each site."""
    tasks = [StructureTask(site, tuple(p for p in peers if p in MARKDOWN_PEERS), options) for site in data]
    progress(0, len(tasks))
    answers = []
    for answer in run_tasks(
        measure_site,
        tasks,
        workers=min(options.workers, len(tasks)),
        split=lambda task: [task],
        give_up=lambda task: StructureAnswer(task.site.name),
    ):
        answers.append(answer)
        progress(len(answers), len(tasks))
    return sorted(answers, key=lambda a: a.site)


def some_captures(labelled: LabelledSite, sample: Sequence[str]) -> list[Capture]:
    """The sampled pages and a seeded choice of others, in the order of the data."""
    rest = sorted(set(labelled.labels) - set(sample))
    chosen = random.Random(f"0/{labelled.name}").sample(rest, min(OTHERS, len(rest)))
    return list(labelled.captures({*sample, *chosen}))


def measure_site(task: StructureTask) -> StructureAnswer:
    """Run in a worker: one site."""
    labelled, options = task.site, task.options
    sample = labelled.sample(options.sample, options.seed)
    captures = some_captures(labelled, sample)
    # The gold is of the pages as they are: selectors ask for the names.
    site = build_site([options.shown(c, labelled.name) for c in captures])
    verdict = make_recipe(model=options.model_for(CONTENT_KIND, labelled.name)).judge(site)
    gold = gold_nodes(site, labelled, captures)
    context = SiteContext(site)
    answer = StructureAnswer(labelled.name)
    wanted = set(sample)
    row = {path: p for p, path in enumerate(site.pages.path)}
    found = [(c, page_pieces(c, labelled.labels[c.path])) for c in captures if c.path in wanted]
    pages = [(c, page) for c, page in found if page is not None and gold.page_has_gold[row[c.path]]]
    count_template_neither_way([page for _, page in pages])
    answer.n_pages = len(pages)
    for capture, page in pages:
        p = row[capture.path]
        answer.add("default", tally(markdown_pieces(Article(site, p, verdict, "article", context).markdown), page))
        answer.add("gold", tally(markdown_pieces(to_markdown(site, p, gold.node_gold, context.images)), page))
        for name in task.peers:
            text, _ = guarded(partial(MARKDOWN_PEERS[name], decoded(capture), capture.url))
            answer.add(name, tally(markdown_pieces(text or ""), page))
    answer.people = score_people(labelled, _people(labelled, site, verdict, gold, context))
    answer.lists = measure_lists(labelled, options)
    return answer


def _people(
    labelled: LabelledSite, site: Site, verdict: NodeVerdict, gold: Gold, context: SiteContext
) -> Iterator[FoundPage]:
    for p, path in enumerate(site.pages.path):
        if labelled.labels[path].kind == "article" and gold.page_has_gold[p]:
            found = Article(site, p, verdict, "article", context)
            yield FoundPage(found.title, found.language, found.fields.author, to_text(site, p, gold.node_gold))


@dataclass(frozen=True)
class Figure:
    """One kind of piece and one method, over sites."""

    method: str
    kind: str
    site: str
    recall: float
    precision: float
    foreign: float
    n_gold: int
    pooled: str
    """Recall and precision of all pieces of these sites, each counted once."""


def figures(answers: Sequence[StructureAnswer]) -> Iterator[Figure]:
    """Per method and kind: each site, and `all` (means over sites; foreign: share of all that is written)."""
    methods = list(dict.fromkeys(m for a in answers for m in a.tallies))
    for method in methods:
        for kind in KINDS:
            whole = Tally()
            recalls, precisions = [], []
            for answer in answers:
                one = answer.tallies.get(method, {}).get(kind)
                if one is None or not (one.gold or one.written):
                    continue
                whole.add(one)
                if one.gold:
                    recalls.append(one.recall)
                if one.written:
                    precisions.append(one.precision)
                share = one.foreign / max(one.written, 1)
                yield Figure(method, kind, answer.site, one.recall, one.precision, share, one.gold, one.said)
            mean = [float(np.mean(x)) if x else 1.0 for x in (recalls, precisions)]
            share = whole.foreign / max(whole.written, 1)
            yield Figure(method, kind, "all", mean[0], mean[1], share, whole.gold, whole.said)


def structure_values(answers: Sequence[StructureAnswer]) -> dict[str, float]:
    """Figures of the default by name, as the gate pins them: higher is better, so "own" is what is not foreign."""
    out: dict[str, float] = {}
    for f in figures(answers):
        if f.method == "default" and f.site == "all":
            out |= {f"{f.kind} recall": f.recall, f"{f.kind} precision": f.precision, f"{f.kind} own": 1.0 - f.foreign}
    lists = [a.lists for a in answers if a.lists is not None and a.lists.strict.f1]
    for measure, prefix in (("strict", "toc strict"), ("wide", "toc")):
        for name in ("f1", "titles", "dates"):
            scores = (getattr(x, measure) for x in lists)
            if found := [float(np.mean(values)) for x in scores if (values := getattr(x, name))]:
                out[f"{prefix} {name}"] = float(np.mean(found))
    people = [a.people for a in answers if a.people is not None]
    if n_pages := sum(x.n_pages for x in people):
        out["author names"] = 1.0 - sum(len(x.no_names) for x in people) / n_pages
    for key, name in (("language", "languages"), ("language of text", "languages_of_text")):
        if found := [float(np.mean(values)) for x in people if (values := getattr(x, name))]:
            out[key] = float(np.mean(found))
    return out


def structure_tables(answers: Sequence[StructureAnswer]) -> list[Table]:
    """Figures of all sites by method and kind (beside those of the means, recall/precision of all pieces together and of the gold itself, written by
    the renderer), those of each site for the default, and the TOC entries."""
    found = list(figures(answers))
    columns = (
        "method", "kind", "in the gold", "recall", "precision", "foreign", "of all pieces", "of the gold itself",
    )  # fmt: skip
    of_gold = {f.kind: f"{f.recall:.3f}/{f.precision:.3f}" for f in found if f.site == "all" and f.method == "gold"}
    whole = [
        (f.method, f.kind, f.n_gold, f.recall, f.precision, f.foreign, f.pooled, of_gold.get(f.kind))
        for f in found
        if f.site == "all" and f.method != "gold"
    ]
    out = [Table(f"Structure: means over {len(answers)} sites", columns, tuple(whole))]
    sites: dict[str, dict[str, Figure]] = {}
    for figure in found:
        if figure.method == "default" and figure.site != "all":
            sites.setdefault(figure.site, {})[figure.kind] = figure
    rows = [
        (site, *(f"{f.recall:.2f}/{f.precision:.2f}" if (f := kinds.get(kind)) else None for kind in KINDS))
        for site, kinds in sorted(sites.items())
    ]
    out.append(Table("Structure of each site: recall/precision", ("site", *KINDS), tuple(rows)))
    lists = [a.lists for a in answers if a.lists is not None and a.lists.strict.f1]
    names = ("f1", "precision", "recall", "titles", "dates")
    heads = ("site", "TOC pages", "F1 of addresses", *names[1:3], "titles right", "dates right")
    for measure, said in (
        ("strict", "every link of the list counts"),
        ("wide", "what a person sees as an item counts"),
    ):
        scores = [(x.site, getattr(x, measure)) for x in lists]
        body = [(site, len(x.f1), *(_mean(getattr(x, name)) for name in names)) for site, x in scores if x.f1]
        if body:
            means = [_mean([row[i] for row in body if row[i] is not None]) for i in range(2, 7)]
            first = ("all", sum(len(x.f1) for _, x in scores), *means)
            out.append(Table(f"TOC entries, {measure} measure: {said}", heads, (first, *body)))
    out += _people_tables([a.people for a in answers if a.people is not None])
    return out


def _people_tables(people: Sequence[PeopleScores]) -> list[Table]:
    body = [
        (
            x.site, x.n_pages, _mean(x.languages), _mean(x.languages_of_text), x.n_authors, len(x.no_names),
            ", ".join(dict.fromkeys(x.no_names))[:80],
        )
        for x in people
    ]  # fmt: skip
    if not body:
        return []
    means = [_mean([row[i] for row in body if row[i] is not None]) for i in (2, 3)]
    whole = (
        "all", sum(x.n_pages for x in people), *means, sum(x.n_authors for x in people), sum(len(x.no_names) for x in people), "",
    )  # fmt: skip
    heads = ("site", "articles", "language right", "or of the text", "authors", "no names", "which")
    return [Table("Language and authors of articles", heads, (whole, *body))]


def reading_tables(found: Reading) -> list[Table]:
    """Fields and posts of a page set."""
    out = []
    if found.fields:
        rows = [(name, len(values), _mean(values)) for name, values in sorted(found.fields.items())]
        out.append(
            Table(
                'Fields ("bare": without JSON-LD and meta; "shown": of the pages that show the truth)',
                ("field", "pages", "right"),
                tuple(rows),
            )
        )
    if found.n_posts:
        heads = ("posts", "found", "F1", "author right", "date right")
        row = (found.n_posts, found.n_found, found.post_f1, _mean(found.authors), _mean(found.dates))
        out.append(Table("Posts", heads, (row,)))
    return out


def _mean(values: Sequence[Any]) -> float | None:
    return float(np.mean(values)) if len(values) else None
