"""The public surface: growing it is a decision, not an accident."""

from __future__ import annotations

import sitegrain


def test_names() -> None:
    assert sorted(sitegrain.__all__) == [
        "Article", "Capture", "CrawlError", "MissingExtraError", "ModelError", "OutputError", "Page", "Result", "Site",
        "SitegrainError", "SourceError", "TableError", "UsageError", "extract", "mine", "read_folder", "read_parquet",
        "read_warc",
    ]  # fmt: skip


def test_every_name_is_there_and_documented() -> None:
    for name in sitegrain.__all__:
        assert getattr(sitegrain, name).__doc__
    assert callable(sitegrain.mine)


def test_errors_are_one_tree() -> None:
    for name in sitegrain.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(sitegrain, name), sitegrain.SitegrainError)
