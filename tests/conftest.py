"""What all tests share: the demo newspaper, which many read and none may change, how long examples may take, and Ctrl-C."""

import signal

import pytest
from hypothesis import HealthCheck, settings

from sitegrain import mine, open_result
from sitegrain.demo import Truth, generate
from sitegrain.result.stored import StoredResult

# A busy machine is no fault of a test: how long an example takes to make is nothing to fail for.
settings.register_profile("sitegrain", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sitegrain")

# A shell starts what runs in its background without Ctrl-C, and all that this starts, too: tests that press it would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Tests are not called after packed bytes: these hold the time, and workers that collect in two different seconds would not agree on the names."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


@pytest.fixture(scope="session")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return generate(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def courier(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> StoredResult:
    """Its result; each module has a folder of its own, since searching leaves an index there."""
    out = tmp_path_factory.mktemp("courier") / "result"
    mine(truth.folder, out)
    return open_result(out)
