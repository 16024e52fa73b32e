"""Three sites in one DataFrame, one of them over the limit, on a small cluster of real executors: as each by itself."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sitegrain import Capture, UsageError
from sitegrain.demo import generate
from sitegrain.result.folder import TABLES
from sitegrain.result.mining import mine as mine_in_memory
from sitegrain.spark.groups import captures_of, in_order, keyed

pytestmark = pytest.mark.spark
LIMIT = 80
SIZES = {"one.example": 40, "two.blogspot.com": 20, "three.example": 100}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java here")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("sitegrain tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        "spark.executor.memory": "1g",
        "spark.executor.pyspark.memory": "1g",  # of the Python beside it
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, bytes]]]:
    found = {}
    for seed, (host, size) in enumerate(SIZES.items()):
        truth = generate(tmp_path_factory.mktemp("demo"), seed)
        pages = [(f"http://{host}/{p.path}", (truth.html / p.path).read_bytes()) for p in truth.pages[:size]]
        found[host] = [*pages, *pages[:2]]  # two captures of a page
    return found


@pytest.fixture(scope="module")
def mined(spark: Any, sites: dict[str, list[tuple[str, bytes]]]) -> Iterator[Any]:
    from sitegrain.spark import Limits, mine

    rows = [row for pages in sites.values() for row in pages]
    order = np.random.default_rng(0).permutation(len(rows))
    df = spark.createDataFrame([rows[k] for k in order], "url string, html binary").repartition(2)
    with mine(df, Limits(pages=LIMIT, part_pages=32)) as found:
        yield found


def local(pages: list[tuple[str, bytes]]) -> Any:
    table = pa.table({"url": [url for url, _ in pages], "html": [html for _, html in pages]})
    own = [page for batch in keyed(iter(table.to_batches())) for page in captures_of(batch)]
    return mine_in_memory(in_order(own))


@pytest.mark.parametrize("host", SIZES)
def test_a_site_is_as_by_itself(host: str, mined: Any, sites: dict[str, list[tuple[str, bytes]]]) -> None:
    expected = local(sites[host])
    for name in TABLES:
        frame = getattr(mined, name)
        got = frame.filter(frame.site == host).toArrow()
        one = expected.table(name)
        assert set(got.column_names) == {"site", *one.column_names}
        # Rows have no order on Spark: those of a page come together, in theirs.
        got = got.take(pa.array(np.argsort(got["page"].to_numpy(), kind="stable")))
        assert len(got) == len(one), name
        for column in one.column_names:
            a, b = got[column].to_pylist(), one[column].to_pylist()
            if str(one[column].type) in ("double", "float"):
                np.testing.assert_allclose(np.array(a, float), np.array(b, float), rtol=0, atol=1e-6, err_msg=column)
            else:
                assert a == b, (name, column)


def test_the_table_of_sites(mined: Any) -> None:
    rows = {row.site: row for row in mined.sites.collect()}
    assert {site: row.n_pages for site, row in rows.items()} == SIZES
    assert {site: row.n_parts > 1 for site, row in rows.items()} == {site: n > LIMIT for site, n in SIZES.items()}
    assert mined.articles.count() == sum(row.n_articles for row in rows.values())
    assert not [problem for row in rows.values() for problem in row.problems]


def test_tables_are_written(mined: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    mined.save(str(tmp_path / "out"))
    assert len(pq.read_table(tmp_path / "out" / "pages", columns=["url"])) == sum(SIZES.values())


def test_columns_are_needed(spark: Any) -> None:
    from sitegrain.spark import mine

    with pytest.raises(UsageError, match="no column html"):
        mine(spark.createDataFrame([("http://a.example/",)], "url string"))


def test_a_row_without_html_is_no_page() -> None:
    table = pa.table({"url": ["http://a.example/", "http://b.example/", None], "html": ["<p>é", None, "<p>c"]})
    pages = [page for batch in keyed(iter(table.to_batches())) for page in captures_of(batch)]
    header = {"content-type": "text/html; charset=utf-8"}
    assert [page for _, page in pages] == [
        Capture("http://a.example/", "<p>é".encode(), headers=header),
        Capture("", b"<p>c", headers=header),
    ]
