"""The explorer's server: what it answers, and whom it does not."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette", reason="pip install 'sitegrain[web]'")
from sitegrain.demo import Truth
from sitegrain.errors import MissingExtraError, SourceError, UsageError
from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.methods.parameters import set_parameters
from sitegrain.report.write import write_report
from sitegrain.result.mining import mine
from sitegrain.result.stored import open_result
from sitegrain.web.app import create_app, listen, new_token
from sitegrain.web.labels import Labels
from sitegrain.web.session import MAX_RUNS, Session, open_session
from tests.report.reading import pages_of, unpacked
from tests.web.asgi import Client

TOKEN = "a-secret"
HOST = "127.0.0.1:8000"
ORIGIN = {"Origin": f"http://{HOST}"}


@pytest.fixture(scope="module")
def folder(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "result"
    result = mine(str(truth.html), out)
    write_report(result, out / "report")
    return out


@pytest.fixture(scope="module")
def session(folder: Path) -> Session:
    return open_session(str(folder), against=folder)


def client_of(session: Session, host: str = HOST) -> Client:
    return Client(create_app(session, TOKEN, 8000), host)


@pytest.fixture(scope="module")
def client(session: Session) -> Client:
    return client_of(session)


def test_views_and_data(client: Client) -> None:
    page = client.get(f"/{TOKEN}/")
    assert page.status_code == 200
    assert '<script src="explore.js">' in page.text
    for name in (
        "core.js",
        "style.css",
        "explore.js",
        "data/site.js",
        "data/pages.js",
        "data/graph.js",
        "data/body-0.js",
    ):
        assert client.get(f"/{TOKEN}/{name}").status_code == 200, name
    site = unpacked(client.get(f"/{TOKEN}/data/site.js").text)[1]
    assert site["server"]["compare"]
    assert "wisdom" in site["methods"]
    for name, value in {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
    }.items():
        assert page.headers[name] == value
    assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("host", "path", "headers"),
    [
        ("evil.example", f"/{TOKEN}/", {}),
        ("127.0.0.1:9999", f"/{TOKEN}/", {}),
        ("127.0.0.1.evil.example:8000", f"/{TOKEN}/", {}),
        (HOST, "/", {}),
        (HOST, "/wrong/", {}),
        (HOST, f"/{TOKEN}x/", {}),
        (HOST, f"/{TOKEN}/data/site.js", {"Origin": "http://evil.example"}),
        (HOST, f"/{TOKEN}/data/site.js", {"Origin": "null"}),
        (HOST, f"/{TOKEN}/data/site.js", {"Sec-Fetch-Site": "cross-site"}),
        (HOST, f"/{TOKEN}/", {"Sec-Fetch-Site": "same-site"}),
    ],
)
def test_strangers_are_refused(session: Session, host: str, path: str, headers: dict[str, str]) -> None:
    answer = client_of(session, host).get(path, headers=headers)
    assert answer.status_code == 403
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_changes_need_an_origin_and_a_size(client: Client) -> None:
    address = f"/{TOKEN}/api/run"
    row = {"method": "everything"}
    assert client.post(address, value=row).status_code == 403
    assert client.post(address, value=row, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post(address, value=row, headers={"Origin": "null"}).status_code == 403
    assert client.post(address, content=b"x" * (2 << 20), headers=ORIGIN).status_code == 403
    assert client.post(address, content=b"{}", headers=ORIGIN, sized=False).status_code == 403
    assert client.get(address).status_code == 405
    for bad in (
        b"",
        b"[1]",
        b"{",
        b'{"method": "nothing"}',
        b'{"settings": {}}',
        b'{"method": "wisdom", "settings": {"k": 1}}',
        b'{"method": "wisdom", "settings": {"k": "x"}}',
        b'{"method": "wisdom", "settings": ["k"]}',
        b'{"method": "default", "settings": {"trees": "/etc/passwd"}}',
    ):
        assert client.post(address, content=bad, headers=ORIGIN).status_code in (400, 409), bad


FRAME = {"Origin": "null", "Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}
"""What a browser says of a form in a sandboxed frame."""


def test_labels_come_from_the_frame_alone(client: Client, session: Session, tmp_path: Path) -> None:
    session.labels = Labels(tmp_path / "labels.jsonl")
    address = f"/{TOKEN}/label/3"
    assert client.post(address, content=b"kind=other", headers=ORIGIN).status_code == 403
    assert client.post(address, content=b"kind=other", headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post("/wrong/label/3", content=b"kind=other", headers=FRAME).status_code == 403
    assert client.post(address, content=b"kind=other", headers=FRAME, sized=False).status_code == 403
    assert client.post(address, content=b"b=" + b"1" * (2 << 20), headers=FRAME).status_code == 403
    assert client.get(address, headers=FRAME).status_code in (403, 405)
    for bad in (
        b"",
        b"kind=nothing",
        b"kind=article",
        b"kind=article&b=x",
        b"kind=article&b=-1",
        b"kind=toc&b=99999",
        b"\xff",
    ):
        assert client.post(address, content=bad, headers=FRAME).status_code == 409, bad
        assert "error" in client.get(f"/{TOKEN}/api/said").json()
    assert client.post(f"/{TOKEN}/label/150", content=b"kind=other", headers=FRAME).status_code == 409
    assert not session.labels.rows
    answer = client.post(address, content=b"kind=other", headers=FRAME)
    assert answer.status_code == 200
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert client.get(f"/{TOKEN}/api/said").json()["kind"] == "other"
    assert session.labelled() == {3: "other"}


@pytest.mark.parametrize(
    "name",
    ["../site.json", "..%2fsite.json", "data/..%2f..%2fsite.json.js", "data/%2e%2e/site.js", "data/body-..%2f0.js", "data/body-99.js",
     "data/body-٣.js", "site.json", "pages.parquet", "__init__.py", "data/nothing.js", "report/index.html"],
)  # fmt: skip
def test_nothing_else_is_served(client: Client, name: str) -> None:
    assert client.get(f"/{TOKEN}/{name}").status_code in (403, 404)


def test_another_method(client: Client, session: Session) -> None:
    given = {"method": "default", "settings": {"use_site": "False"}}
    answer = client.post(f"/{TOKEN}/api/run", value=given, headers=ORIGIN)
    assert answer.status_code == 200
    met = answer.json()
    kept = session.result.nodes.node_kept
    nodes = session.result.site.nodes
    assert met["both"] + met["only_result"] == int((nodes.text_end - nodes.text_start)[kept].sum())
    page = pages_of(unpacked(client.get(f"/{TOKEN}/data/body-0-{met['run']}.js").text)[1])[0]
    assert len(page["other"]) == len(page["kept"])
    assert client.get(f"/{TOKEN}/data/body-0-run-99.js").status_code == 404


def test_parameters_change_the_page(client: Client, session: Session) -> None:
    """Every method says what can be set, and what is set counts."""
    about = unpacked(client.get(f"/{TOKEN}/data/site.js").text)[1]["server"]["parameters"]
    assert [p["name"] for p in about["default"]] == ["use_site"]
    assert {p["name"]: p["choices"] for p in about["contentextractor"]}["partitioner"][0] == "table"
    kept = []
    for few in ("0.01", "0.9"):
        given = {"method": "contentextractor", "settings": {"few": few}}
        kept.append(client.post(f"/{TOKEN}/api/run", value=given, headers=ORIGIN).json()["both"])
    assert kept[0] != kept[1]
    for name, fields in about.items():
        for field in fields:  # what a form shows is what may be sent back
            set_parameters({name: session.methods[name]}, [f"{field['name']}={field['value']}"])


def test_few_runs_are_held(session: Session) -> None:
    first = session.run("everything")["run"]
    for _ in range(MAX_RUNS):
        session.run("everything")
    with pytest.raises(KeyError):
        session.data(f"body-0-{first}")


def test_search(client: Client, session: Session) -> None:
    hits = client.get(f"/{TOKEN}/api/search", params={"q": "lighthouse"}).json()
    assert hits
    urls = session.result.site.pages.url
    assert all(urls[hit["page"]] == hit["url"] for hit in hits)
    assert client.get(f"/{TOKEN}/api/search", params={"q": "?"}).status_code == 409
    assert client.get(f"/{TOKEN}/api/search").status_code == 400


def test_compare(truth: Truth, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(truth.folder, tmp_path / "site")
    copy = tmp_path / "site" / "html"
    files = sorted(copy.glob("machines/0*.html"))
    files[0].unlink()
    files[1].write_text(files[1].read_text("utf-8").replace("</p>", " Added afterwards.</p>"), "utf-8")
    (copy / "machines" / "new.html").write_text(
        "<title>New</title><p>" + "A page that was not there before. " * 20, "utf-8"
    )
    mine(str(copy), tmp_path / "later")
    later = open_session(str(tmp_path / "later"), against=folder)
    found = later.compare()
    before = open_session(str(folder)).addresses
    assert [url for url, _ in found["gone"]] == [url for url in before if url.endswith(f"/{files[0].name}")]
    assert len(found["new"]) == 1
    assert 1 <= len(found["changed"]) < 10
    assert found["same"] + len(found["changed"]) + 1 == 150
    edited = next(p for p, _, _ in found["changed"] if later.addresses[p].endswith(f"/{files[1].name}"))
    lines = later.compare(edited)["lines"]
    assert any(mark == "+" and "Added afterwards." in text for mark, text in lines)
    assert all("Added afterwards." not in text for mark, text in lines if mark != "+")
    assert all(mark == "+" for mark, _ in later.compare(found["new"][0])["lines"])
    with pytest.raises(UsageError, match="no page"):
        later.compare(10_000)


def test_labels_are_what_evaluate_reads(client: Client, session: Session, truth: Truth, tmp_path: Path) -> None:
    result = session.result
    (tmp_path / "site").mkdir()
    session.labels = Labels(tmp_path / "site" / "labels.jsonl")
    chosen = {}
    for page in [a.page for a in list(result.articles)[:5]]:
        chosen[page] = np.flatnonzero(kept_blocks(session, page)).tolist()
        form = "&".join(["kind=article", *(f"b={b}" for b in chosen[page])]).encode()
        answer = client.post(f"/{TOKEN}/label/{page}", content=form, headers=FRAME)
        assert answer.status_code == 200, session.said
    shutil.copytree(truth.html, tmp_path / "site" / "html")
    labelled = open_site(tmp_path / "site")
    gold = gold_nodes(result.site, labelled)
    for page in chosen:
        rows = result.site.page_rows(page)
        text = result.site.is_text[rows]
        assert (gold.node_gold[rows][text] == result.nodes.node_kept[rows][text]).mean() > 0.9
    again = Session(session.tables, None, None, session.labels.path)
    assert len(again.labels.rows) == 5
    assert again.labelled() == dict.fromkeys(chosen, "article")


def kept_blocks(session: Session, page: int) -> np.ndarray:
    own = session.own_pages
    return own.verdict.blocks.is_informative[own.order[own.start[page] : own.start[page + 1]]]


def test_save_model(client: Client, folder: Path) -> None:
    assert client.post(f"/{TOKEN}/api/save-model", value={}, headers=ORIGIN).json() == {"saved": "model.json"}
    assert (folder / "model.json").is_file()
    (folder / "model.json").unlink()


def test_a_result_without_its_pages(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "result"
    shutil.copytree(folder, copy)
    about = json.loads((copy / "site.json").read_text("utf-8"))
    (copy / "site.json").write_text(json.dumps({**about, "source": "/nowhere"}), "utf-8")
    session = open_session(str(copy))
    assert len(unpacked(session.data("body-0"))[1]["n_rows"]) == session.starts[1], "the report holds the bodies"
    shutil.rmtree(copy / "report")
    session = open_session(str(copy))
    with pytest.raises(SourceError, match="--pages"):
        session.data("body-0")
    assert unpacked(open_session(str(copy), str(tmp_path)).data("pages"))[1]["url"]
    # A relative name is also looked for beside the result: the explorer may be started anywhere.
    (copy / "site.json").write_text(json.dumps({**about, "source": "pages"}), "utf-8")
    (tmp_path / "pages").mkdir()
    assert open_result(copy).mined_from == tmp_path / "pages"


def test_a_report_of_another_version_is_not_read(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "result"
    shutil.copytree(folder, copy)
    (copy / "report" / "body.js").write_text("// older", "utf-8")
    assert open_session(str(copy)).starts == list(range(0, 150, 32))


def test_mined_now(truth: Truth) -> None:
    session = open_session(str(truth.html))
    assert len(unpacked(session.data("body-128"))[1]["n_rows"]) == 150 - 128
    assert session.search("lighthouse")
    session.close()


def test_a_file_of_other_things_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text("[1]\n", "utf-8")
    with pytest.raises(SourceError, match="holds no labels"):
        open_session(str(folder), labels=tmp_path / "labels.jsonl")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sitegrain.web.app")
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(MissingExtraError, match=r"sitegrain\[web\]"):
        importlib.import_module("sitegrain.web.app")


def test_loopback_only() -> None:
    with listen() as bound:
        assert bound.getsockname()[0] == "127.0.0.1"
    assert len(new_token()) >= 24
    assert new_token() != new_token()
