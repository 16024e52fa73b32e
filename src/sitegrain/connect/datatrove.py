"""A step for pipelines of datatrove that mines the documents of a site together.

datatrove's own extractors are handed one page at a time, which leaves a site nothing to say. This step takes all documents that
come to its task, keeps them on disk by site, and gives them on with their text when each site was mined.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from sitegrain.arrays.hashing import string_hashes
from sitegrain.errors import PAGE_FAULTS, MissingExtraError, SitegrainError
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.spool import PART_PAGES, Place, Spool
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture

try:
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise MissingExtraError("datatrove", "datatrove") from error

_TEXT = {"content-type": "text/html; charset=utf-8"}
"""datatrove's readers have decoded the page, whatever its <meta> says."""
FACTS = ("role", "title", "author", "date", "language", "confidence")


def site_of(document: Document) -> str:
    """The site of a document: its registrable domain, those that anybody may register below counted as such."""
    return site_key(host_of(str(document.metadata.get("url") or "")))


class ShardSites(PipelineStep):  # type: ignore[misc]
    """Names the site of each document and one of `n_shards` for it (`metadata["site"]`, `metadata["shard"]`), so that a writer can
    put the documents of a site into one folder: `output_filename="${shard}/${rank}.jsonl.gz"`."""

    type = "🔧 - SITES"
    name = "sitegrain: shards of sites"

    def __init__(self, n_shards: int) -> None:
        super().__init__()
        self.n_shards = n_shards

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """The same documents."""
        for document in data:
            site = site_of(document)
            shard = int(string_hashes([site])[0]) % self.n_shards
            document.metadata |= {"site": site, "shard": f"{shard:05}"}
            self.stat_update(StatHints.total)
            yield document


class MineSites(PipelineStep):  # type: ignore[misc]
    """Mines the documents of a task site by site: HTML in, text or Markdown of the pages with one of `roles` out.

    `metadata["url"]` is the address, as datatrove's reader of WARC files gives it. Documents come back site after site, in the
    order in which sites and pages came; each has `site`, `role`, `title`, `author`, `date`, `language` and `confidence` beside
    what it had. Of documents with one address the last counts. `work` is where the pages wait; the system's place if None.
    """

    type = "🛢 - EXTRAC"
    name = "sitegrain: sites"

    def __init__(
        self,
        form: Literal["text", "markdown"] = "text",
        roles: Sequence[str] = ("article",),
        work: str | Path | None = None,
    ) -> None:
        super().__init__()
        self.form, self.roles, self.work = form, frozenset(roles), work

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Take all documents of this task, then give on what was found of them."""
        with tempfile.TemporaryDirectory(prefix="sitegrain-", dir=self.work) as folder:
            spool = Spool(Path(folder))
            documents: list[Document] = []
            sites: dict[str, list[int]] = {}
            for document in data:
                self.stat_update(StatHints.total)
                url, row = str(document.metadata.get("url") or ""), len(spool)
                at = spool.add(Capture(url, document.text.encode("utf-8", "replace"), headers=_TEXT))
                document.text = ""  # it is on disk now
                if at == row:
                    documents.append(document)
                    sites.setdefault(site_of(document), []).append(row)
                else:
                    documents[at] = document
                    self._drop("same address")
            place = spool.close()
            for site, rows in sites.items():
                yield from self._mined(site, place, rows, documents, Path(folder) / "out")

    def _mined(
        self, site: str, place: Place, rows: list[int], documents: list[Document], out: Path
    ) -> Iterator[Document]:
        try:
            is_large = len(rows) > PART_PAGES
            with self.track_time("site"):
                found = mine(_numbered(place, rows), out if is_large else None, means=Means(workers=1))
        except (SitegrainError, *PAGE_FAULTS) as error:  # whatever it is, it is one site: the others go on
            logger.warning(f"{site or 'pages without an address'} cannot be mined ({type(error).__name__}: {error})")
            self._drop("failed site", len(rows))
            return
        self._drop("no page", len(rows) - len(found))
        for page in range(len(found)):
            article = found[page]
            try:
                text = str(getattr(article, self.form)) if article.role in self.roles else None
                facts = {name: getattr(article, name) for name in FACTS}
            except PAGE_FAULTS as error:
                logger.warning(f"{article.url} cannot be told ({type(error).__name__}: {error})")
                self._drop("failed page")
                continue
            if not text:
                self._drop("empty" if text == "" else f"role {article.role}")
                continue
            document = documents[int(article.path)]
            document.text = text
            document.metadata |= {"site": site, **facts}
            self.stat_update(StatHints.forwarded)
            self.update_doc_stats(document)
            yield document

    def _drop(self, reason: str, n: int = 1) -> None:
        if n:
            self.stat_update(StatHints.dropped, f"dropped_{reason}", value=n)


def _numbered(place: Place, rows: list[int]) -> Iterator[Capture]:
    """Pages with their rows as names, by which their documents are found again: what is no page is not in a result."""
    for row, page in zip(rows, place.pages(rows), strict=True):
        yield Capture(page.url, page.body, headers=page.headers, path=str(row))
