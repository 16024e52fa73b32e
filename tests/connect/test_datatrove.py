"""A pipeline of datatrove mines the documents of a site together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitegrain.demo import generate
from sitegrain.result.mining import mine
from sitegrain.tables.capture import Capture

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.data import Document
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from sitegrain.connect import datatrove as step

SIZES = {"one.example": 40, "two.blogspot.com": 20}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, str]]]:
    found = {}
    for seed, (host, size) in enumerate(SIZES.items()):
        truth = generate(tmp_path_factory.mktemp("demo"), seed)
        found[host] = [
            (f"http://{host}/{p.path}", (truth.html / p.path).read_text("utf-8")) for p in truth.pages[::3][:size]
        ]
    return found


def documents(pages: dict[str, list[tuple[str, str]]]) -> list[Any]:
    """Those of both sites by turns, and five pages twice."""
    one, two = pages.values()
    mixed = [page for pair in zip(one, two, strict=False) for page in pair] + one[len(two) :] + one[:5]
    return [Document(html, f"id-{n}", metadata={"url": url, "n": n}) for n, (url, html) in enumerate(mixed)]


def expected(pages: list[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Address, title and text of the articles of a site by itself."""
    text = {"content-type": "text/html; charset=utf-8"}
    result = mine([Capture(url, html.encode(), headers=text) for url, html in pages])
    return [(a.url, a.title, a.text) for a in result if a.role == "article"]


def told(found: list[Any], site: str) -> list[tuple[str, str, str]]:
    return [(d.metadata["url"], d.metadata["title"], d.text) for d in found if d.metadata["site"] == site]


@pytest.mark.parametrize("part_pages", [256, 16])
def test_documents_of_a_site_are_mined_together(
    part_pages: int, pages: dict[str, list[tuple[str, str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step, "PART_PAGES", part_pages)  # the second time through a result folder
    miner = step.MineSites(work=tmp_path)
    found = list(miner.run(iter(documents(pages)), rank=3, world_size=7))
    for site in SIZES:
        assert told(found, site) == expected(pages[site])
        assert len(told(found, site)) > 1
    assert {d.metadata["role"] for d in found} == {"article"}
    assert all(d.id == f"id-{d.metadata['n']}" for d in found)
    assert miner.stats["total"].total == sum(SIZES.values()) + 5
    assert miner.stats["forwarded"].total == len(found)
    assert miner.stats["dropped_same address"].total == 5
    assert not list(tmp_path.iterdir())


def test_a_site_that_fails_is_told_and_the_others_go_on(
    pages: dict[str, list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Any = getattr(step, "mine")  # noqa: B009

    def failing(source: Any, *more: Any, **options: Any) -> Any:
        given = list(source)
        if "blogspot" in given[0].url:
            raise ZeroDivisionError("poison")
        return real(given, *more, **options)

    monkeypatch.setattr(step, "mine", failing)
    miner = step.MineSites()
    found = list(miner.run(iter(documents(pages))))
    assert {d.metadata["site"] for d in found} == {"one.example"}
    assert miner.stats["dropped_failed site"].total == SIZES["two.blogspot.com"]


def test_a_pipeline_by_shards(pages: dict[str, list[tuple[str, str]]], tmp_path: Path) -> None:
    logs = {"logging_dir": str(tmp_path / "logs"), "skip_completed": False}
    writer = JsonlWriter(str(tmp_path / "shards"), output_filename="${shard}/${rank}.jsonl.gz")
    LocalPipelineExecutor([documents(pages), step.ShardSites(64), writer], **logs).run()
    found: list[Any] = []
    shards = sorted((tmp_path / "shards").iterdir())
    assert len(shards) == len(SIZES)  # these two hosts fall on two shards
    for shard in shards:
        rows = JsonlReader(str(shard)).run()
        mined = list(step.MineSites(form="markdown", roles=("article", "toc")).run(rows))
        assert len({d.metadata["site"] for d in mined}) == 1
        found += mined
    assert {d.metadata["role"] for d in found} == {"article", "toc"}
    assert any(d.text.lstrip().startswith(("#", "|", "![", "[")) for d in found)
