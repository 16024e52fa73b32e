"""The demo newspaper, which many tests read and none may change."""

import pytest

from sitegrain import mine, open_result
from sitegrain.demo import Truth, generate
from sitegrain.result.stored import StoredResult


@pytest.fixture(scope="session")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return generate(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def courier(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> StoredResult:
    """Its result; each module has a folder of its own, since searching leaves an index there."""
    out = tmp_path_factory.mktemp("courier") / "result"
    mine(truth.folder, out)
    return open_result(out)
