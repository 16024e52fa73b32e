"""The public surface: growing it is a decision, not an accident."""

from __future__ import annotations

import ast
import html
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import sitegrain
from sitegrain import methods, render
from sitegrain.methods import registry
from tests.builders import captures_of


def test_names() -> None:
    assert sorted(sitegrain.__all__) == [
        "Article", "Capture", "CrawlError", "CrawlOptions", "MissingExtraError", "ModelError", "OutputError", "Page",
        "Result", "Site", "SitegrainError", "SourceError", "TableError", "UsageError", "__version__", "crawl", "extract",
        "methods", "mine", "open_result", "read_folder", "read_jsonl", "read_parquet", "read_warc",
    ]  # fmt: skip
    assert len(sitegrain.__all__) <= 24


@pytest.mark.parametrize("package", [sitegrain, methods])
def test_every_name_is_there_and_documented(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name).__doc__
        assert name in dir(package)
    with pytest.raises(AttributeError, match="nonsense"):
        package.nonsense  # noqa: B018


def test_the_version_is_the_projects() -> None:
    project = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    written = re.search(r'^version = "(.*)"$', project, re.MULTILINE)
    assert written is not None
    assert sitegrain.__version__ in (written[1], "unknown")  # unknown: a source tree that was not installed


def test_errors_are_one_tree() -> None:
    for name in sitegrain.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(sitegrain, name), sitegrain.SitegrainError)


@pytest.mark.parametrize("package", [sitegrain, methods, render])
def test_what_type_checkers_see_is_what_is_loaded(package: ModuleType) -> None:
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    seen.pop("methods", None)  # a package, and loaded as one
    assert seen == {name: f"{package.__name__}.{home}" for name, home in package._HOME.items()}
    for name, home in seen.items():
        assert getattr(package, name) is getattr(import_module(str(home)), name)


def test_importing_is_cheap() -> None:
    """No library is loaded before it is needed, and extracting a page needs neither tables on disk nor archives."""
    code = """if True:
        import sys, sitegrain
        from sitegrain import methods
        heavy = {"numpy", "scipy", "pyarrow", "fastwarc", "scrapy", "selectolax", "lightgbm"}
        assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
        sitegrain.extract("<p>Tea").text
        late = {"pyarrow", "fastwarc", "scrapy", "lightgbm", "multiprocessing", "sitegrain.native.reference",
                "sitegrain.article.fields", "sitegrain.article.threads.posts", "sitegrain.render.markdown", "sitegrain.sources.warc"}
        if not sitegrain.native.is_compiled:
            late.remove("sitegrain.native.reference")
        assert not late & sys.modules.keys(), late & sys.modules.keys()
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)


def test_the_methods_are_those_of_the_registry() -> None:
    """The defaults and what is put together from several methods live in rooms above, and are asked for by name."""
    named = {**registry.NODE_METHODS, **registry.PAGE_METHODS}
    kinds = {type(make()) for make in named.values()}
    published = {kind.__name__ for kind in kinds if kind.__module__.startswith("sitegrain.methods.")}
    assert published == set(methods.__all__)
    assert {kind.__name__ for kind in kinds} - published == {
        "Extractor", "SiteRoles", "PaperBlocks", "PaperPages", "SelfLabelledTree",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(methods.__all__) - {"Everything", "Origin", "OutlinkCount", "Outlinks"}))
def test_a_reader_of_the_paper_recognises_the_method(name: str) -> None:
    said = " ".join(str(getattr(methods, name).__doc__).split())
    assert re.search(r"Paper:.*(19|20)\d\d|Paper: as for `GibsonDom`", said), name


HOSTILE = "<script>alert(1)</script>\"'&\u202e " + "very " * 400 + "long"


def test_everything_is_shown_in_a_line_and_nothing_of_a_page_is_markup(tmp_path: Path) -> None:
    page = f"<title>{html.escape(HOSTILE)}</title><h1>{html.escape(HOSTILE)}</h1><p>{html.escape(HOSTILE)}"
    link = f"<a href='http://t.example/{'x' * 3000}<b>'>{html.escape(HOSTILE)}</a>" * 30
    captures = [
        *captures_of(page, link),
        sitegrain.Capture("http://t.example/<b>\ud83d" + "y" * 3000, page.encode()),
    ]
    result = sitegrain.mine(captures, tmp_path / "out", methods=["everything", "outlink-count"])
    assert isinstance(result, sitegrain.Result)
    stored = sitegrain.open_result(tmp_path / "out")
    shown = [result, result.site, *result.site, *result, result.articles, result.tocs, stored, *stored, stored.articles]
    for thing in (*shown, *captures, stored[0].fields):
        assert len(repr(thing)) < 250, repr(thing)
        assert "\n" not in repr(thing)
    for thing in shown:
        said = thing._repr_html_()
        tags = set(re.findall(r"<(/?\w+)", said))
        assert tags <= {t for tag in "div b table thead tbody tr th td".split() for t in (tag, "/" + tag)}, tags
        assert "&lt;" in said or "alert" not in said
        said.encode()
        assert len(said) < 20_000
