"""The command line as a user meets it: output, errors, exit codes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitegrain.cli import main
from sitegrain.demo import Truth
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS
from sitegrain.result.stored import open_result
from tests.builders import warc_of


def run(*args: object, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command as its entry point does: exit code, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    old = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["sitegrain", *map(str, args)], io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue()
    finally:
        sys.argv, sys.stdin = old
    return 0, out.getvalue(), err.getvalue()


def test_mine_writes_and_prints(truth: Truth, tmp_path: Path) -> None:
    code, out, err = run("mine", truth.folder, "--out", tmp_path / "out")
    assert (code, err) == (0, "")  # no progress bar where no terminal is
    assert "150 pages" in out
    assert f"wrote {tmp_path / 'out'}" in out
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "pages.parquet", "blocks.parquet", "links.parquet", "articles.jsonl", "tocs.jsonl", "site.json", "distilled.graphml",
        "manifest.json", "report",
    }  # fmt: skip
    assert f"look at {tmp_path / 'out' / 'report' / 'index.html'}" in out
    assert run("mine", truth.folder, "--out", tmp_path / "out", "--no-report", "--quiet") == (0, "", "")
    assert not (tmp_path / "out" / "report").exists()
    assert run("mine", truth.folder, "--out", tmp_path / "out", "--single-file", "--quiet") == (0, "", "")
    assert (tmp_path / "out" / "report.html").stat().st_size > 100_000
    code, out, err = run("mine", truth.folder, "--json")
    assert code == 0
    assert json.loads(out)["pages"] == 150
    assert run("mine", truth.folder, "--quiet") == (0, "", "")


def test_extract_formats(truth: Truth) -> None:
    def extract(*args: object, stdin: bytes = b"") -> tuple[int, str, str]:
        return run("extract", *args, "--method", "everything", stdin=stdin)

    file = truth.html / "about.html"
    assert "does not exist" in extract(file)[1]
    assert "# About the Courier" in extract(file, "--format", "markdown")[1]
    assert "<h1>About the Courier</h1>" in extract(file, "-f", "html")[1]
    rows = extract(file, truth.html / "contact.html", "-f", "json")[1].splitlines()
    assert [Path(json.loads(row)["path"]).name for row in rows] == ["about.html", "contact.html"]
    assert "==> " in extract(file, truth.html / "contact.html")[1]
    code, out, _ = extract("-", "--url", "http://a.org/x/", "-f", "markdown", stdin=b"<p><a href=y>z</a>")
    assert (code, out) == (0, "[z](http://a.org/x/y)\n")


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "silent.html").write_text("<div></div>")
    (tmp_path / "page.html").write_text("<p>Tea")
    assert run("mine", tmp_path / "page.html", "--out", tmp_path / "result", "--quiet")[0] == 0
    for args, wanted, message in (
        (["--version"], 0, ""),
        (["extract", tmp_path / "no.html"], 1, "does not exist"),
        (["extract", tmp_path], 2, f"is a folder, and `extract` reads pages: `sitegrain mine {tmp_path}`"),
        (["extract", "http://127.0.0.1:9/"], 1, "--allow-private"),
        (["extract", tmp_path / "binary.html"], 1, "no HTML"),
        (["extract", tmp_path / "silent.html"], 1, "no text was found"),
        (["mine", tmp_path / "empty"], 1, "is empty"),
        (["mine", tmp_path / "no"], 1, "does not exist"),
        (["mine", tmp_path / "result"], 2, "is a result already"),
        (["mine", tmp_path, "--method", "sst", "--method", "origin"], 2, "'sst' and 'origin' both judge text"),
        (["mine"], 2, "Missing argument"),
        (["mine", tmp_path, "--method", "nothing"], 2, "there is no method 'nothing'"),
        (["extract", tmp_path / "silent.html", "--format", "pdf"], 2, "pdf"),
        (["reproduce", "lamis"], 2, "Missing argument"),
        (["train"], 2, "No such command"),
        (["serve"], 2, "No such command"),
    ):
        code, _, err = run(*args)
        assert code == wanted, (args, err)
        assert message in err
        assert "Traceback" not in err


def test_partial_is_said_and_kept(tmp_path: Path) -> None:
    pages = [(f"http://a.org/{i}", b"<p>" + os.urandom(900).hex().encode()) for i in range(4)]
    data = warc_of(pages, is_gzip=False)
    (tmp_path / "a.warc").write_bytes(data[: len(data) - 300])
    code, _, err = run("mine", tmp_path / "a.warc", "--out", tmp_path / "out")
    assert code == 1
    assert "only a part could be read" in err
    assert json.loads((tmp_path / "out" / "site.json").read_text())["pages"] == 4


def test_a_closed_pipe_makes_no_noise(truth: Truth) -> None:
    files = sorted(map(str, truth.html.rglob("*.html")))
    command = [sys.executable, "-m", "sitegrain", "extract", *files]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("method", ["infodiscoverer", "contentextractor", "sst", "wisdom", "rtdm", "gibson-dom"])
def test_what_a_method_learned_is_saved_and_used_again(truth: Truth, tmp_path: Path, method: str) -> None:
    model, out = tmp_path / "model.json", tmp_path / "out"
    assert run("mine", truth.folder, "--method", method, "--save-model", model, "--out", out, "--quiet")[0] == 0
    page = sorted(truth.html.glob("machines/0*.html"))[0]
    pages = open_result(out).table("pages", ["path", "text"]).to_pylist()
    known = next(row["text"] for row in pages if row["path"].endswith(page.name))
    code, text, _ = run("extract", page, "--method", method, "--model", model)
    assert code == 0
    assert text.strip() == known.strip()
    code, _, err = run("extract", page, "--method", "gibson-text", "--model", model)
    assert code == 1
    assert f"holds a '{method}' model, not 'gibson-text'" in err


def test_a_method_without_a_model_says_so(truth: Truth, tmp_path: Path) -> None:
    code, _, err = run("mine", truth.folder, "--method", "origin", "--save-model", tmp_path / "m.json", "--quiet")
    assert code == 2
    assert "the method 'origin' has no model to save" in err


def test_parameters_are_set_from_the_command_line(truth: Truth, tmp_path: Path) -> None:
    settings = ("--set", "n_toc=7", "--set", "eps=0.8", "--set", "contentextractor.partitioner=list")
    out = tmp_path / "out"
    assert run("mine", truth.folder, "--method", "contentextractor", *settings, "--out", out, "--quiet")[0] == 0
    summary = open_result(out).summary
    assert summary["roles"]["toc"] == 7
    assert summary["methods"]["pages"]["n_toc"] == 7
    assert (summary["methods"]["nodes"]["eps"], summary["methods"]["nodes"]["partitioner"]) == (0.8, "list")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("smell=1",), "there is no parameter 'smell'. You can set: default: use_site, trees; siteroles: n_toc, model"),
        (("sst.labels=x",), "'sst' is not one of the methods in use: default, siteroles"),
        (("n_toc",), "'n_toc' is not a setting: write NAME=VALUE"),
        (("n_toc=many",), "n_toc cannot be 'many': it is a whole number; or none"),
        (("n_toc=-1",), "cannot be negative"),
        (("use_site=maybe",), "use_site cannot be 'maybe': it is true or false"),
    ],
)
def test_settings_that_make_no_sense(truth: Truth, settings: tuple[str, ...], words: str) -> None:
    page = next(iter(truth.html.rglob("*.html")))
    for command in (("mine", truth.folder), ("extract", page)):
        code, _, err = run(*command, *(part for s in settings for part in ("--set", s)))
        assert code == 2
        assert words in err


def test_methods_are_listed() -> None:
    code, text, _ = run("methods")
    assert code == 0
    assert "  wisdom, wisdom-tuned, wisdom-m1, wisdom-m2\n      Find the blocks of a page" in text
    assert {*NODE_METHODS, *PAGE_METHODS} <= set(re.findall(r"[\w-]+", text))
    code, text, _ = run("methods", "wisdom", "contentextractor")
    assert code == 0
    assert "wisdom (judges text): Find the blocks of a page" in text
    assert "  eps=0.9  (a number)" in text
    assert "  cstm=1  (a whole number, or several with commas)" in text
    code, text, _ = run("methods", "siteroles", "--json")
    row = json.loads(text)
    assert (row["name"], row["judges"], row["learns"]) == ("siteroles", "pages", False)
    assert row["parameters"][0] == {"name": "n_toc", "default": None, "allowed": "a whole number; or none"}
    assert run("methods", "none")[0] == 2


def test_many_sites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")  # workers of pytest have 80
    for name in ("one", "two"):
        (tmp_path / "in" / name).mkdir(parents=True)
        for k in range(3):
            (tmp_path / "in" / name / f"{k}.html").write_text(f"<p>Page {k} of {name} says what it says. " * 5)
            (tmp_path / "in" / name / f"{k}-more.html").write_text("<p>More." + "<a href=/gone>a</a>" * 3)
    (tmp_path / "in" / "two" / "empty.html").touch()
    out = tmp_path / "out"
    code, said, err = run("mine", tmp_path / "in", "--out", tmp_path / "one")
    assert "are its folders sites of their own (--by-site)" in err
    code, said, err = run("mine", tmp_path / "in", "--by-site", "--out", out, "--markdown-files")
    assert (code, err) == (0, "")
    assert said.startswith("2 sites, 12 pages\n  one.example: 6 pages, ")
    assert f"skipped: empty file: 1\nwrote {out}\n" in said
    assert (out / "two.example" / "report" / "index.html").exists()
    assert (out / "two.example" / "markdown").exists()
    code, said, _ = run(
        "mine", tmp_path / "in", "--by-site", "--out", out, "--no-report", "--json"
    )  # again, over the first
    assert (code, [site["n_pages"] for site in json.loads(said)["sites"]]) == (0, [6, 6])
    assert not (out / "two.example" / "report").exists()
    assert run("mine", tmp_path / "in", "--by-site")[0] == 2
    code, _, err = run("mine", tmp_path / "in", "--by-site", "--out", out, "--save-model", tmp_path / "m.json")
    assert (code, err) == (2, "sitegrain: --save-model applies to one site: leave out either it or --by-site\n")
    warc = tmp_path / "two.warc.gz"
    warc.write_bytes(warc_of([(f"http://{host}/{k}", b"<p>text") for host in ("a.org", "b.org") for k in range(2)]))
    note = "note: pages of 2 sites (a.org, b.org) were mined as one: --by-site keeps them apart"
    assert note in run("mine", warc, "--out", tmp_path / "three")[1]
