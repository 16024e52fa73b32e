"""Exit codes of every command: 0 done, 1 nothing or a part, 2 bad usage; one line of reason, and never a traceback."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitegrain.cli import EXAMPLES, SUMMARIES, command
from sitegrain.demo import generate
from sitegrain.result.mining import mine
from sitegrain.tables.capture import Capture
from tests.cli.test_mine import run
from tests.evaluation.builders import small_site
from tests.sources.crawl.loopback import page, serve

COMMANDS = set(SUMMARIES)

DONE = {
    "mine": ("mine", "page.html"),
    "extract": ("extract", "page.html"),
    "diff": ("diff", "result", "other"),
    "export": ("export", "result", "--to", "csv"),
    "index": ("index", "result"),
    "search": ("search", "result", "leaves"),
    "methods": ("methods",),
    "evaluate": ("evaluate", "labelled", "--workers", "0"),
    "structure": ("structure", "site", "index.html"),
    "syndication": ("syndication", "result", "other", "--least-words", "8"),
}
"""Commands that do something. `crawl` and `watch` need a server and `explore` and `mcp` serve until they are stopped (all below);
`reproduce` and `spark` take minutes and are done in tests/evaluation/experiments and tests/spark."""
ELSEWHERE = {"crawl", "watch", "explore", "mcp", "reproduce", "spark"}
NOTHING = {
    "mine": ("mine", "none"),
    "extract": ("extract", "none.html"),
    "crawl": ("crawl", "http://127.0.0.1:9/", "--out", "x.warc.gz"),
    "watch": ("watch", "http://127.0.0.1:9/", "--out", "w"),
    "diff": ("diff", "result", "none"),
    "export": ("export", "none", "--to", "csv"),
    "mcp": ("mcp", "none"),
    "index": ("index", "none", "--out", "i"),
    "search": ("search", "result", "zebra"),
    "explore": ("explore", "none"),
    "evaluate": ("evaluate", "none"),
    "reproduce": ("reproduce", "lamis", "none"),
    "structure": ("structure", "none", "page"),
    "syndication": ("syndication", "none", "other"),
    "spark": ("spark", "mine", "none.parquet", "tables"),
}
BAD = {
    **{name: (name, "--no-such-option") for name in COMMANDS},
    "methods": ("methods", "nonsense"),
    "index": ("index", "page.html"),
    "search": ("search", "result", "..."),
    "diff": ("diff", "result"),
    "crawl": ("crawl", "ftp://a.org/", "--out", "x.warc.gz"),
    "watch": ("watch", "http://a.org/", "--out", "w", "--depth", "x"),
    "export": ("export", "result", "--to", "word"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("codes")
    text = "<h1>Tea</h1><p>Pour the water over the leaves and wait for three minutes."
    (folder / "page.html").write_text(text)
    mine([Capture("http://a.org/tea", text.encode())], folder / "result")
    mine([Capture("http://a.org/coffee", text.encode())], folder / "other")
    small_site(folder / "labelled")
    generate(folder / "site")
    return folder


@pytest.mark.parametrize(("table", "wanted"), [(DONE, 0), (NOTHING, 1), (BAD, 2)], ids=["0", "1", "2"])
def test_codes(table: dict[str, tuple[str, ...]], wanted: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for args in table.values():
        code, _, err = run(*args)
        assert code == wanted, (args, err)
        assert "Traceback" not in err
        assert err or not wanted, args


def test_every_command_is_tried() -> None:
    assert set(BAD) == COMMANDS
    assert set(NOTHING) == COMMANDS - {"methods"}
    assert set(DONE) == COMMANDS - ELSEWHERE
    assert set(EXAMPLES) == COMMANDS
    for name, lines in EXAMPLES.items():
        assert all(line.startswith(f"sitegrain {name} ") for line in lines)


def test_crawl_and_watch_are_done(tmp_path: Path) -> None:
    fast = ("--delay", "0", "--allow-private", "-q")
    with serve({"/": page("/a"), "/a": page(text="Tea")}) as server:
        assert run("crawl", server.base, "--out", tmp_path / "a.warc.gz", *fast) == (0, "", "")
        assert run("watch", server.base, "--out", tmp_path / "w", *fast)[0] == 0
        assert run("watch", server.base, "--out", tmp_path / "w", *fast) == (3, "", "")


@pytest.mark.parametrize("command", ["explore", "mcp"])
def test_what_serves_ends_when_it_is_told_to(command: str, folder: Path) -> None:
    """`explore` by Ctrl-C, `mcp` when its input ends: neither is an error."""
    pytest.importorskip("uvicorn" if command == "explore" else "mcp")
    argv = [sys.executable, "-m", "sitegrain", command, "result"]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as serving:
        assert serving.stdin is not None
        assert serving.stdout is not None
        if command == "mcp":
            serving.stdin.close()
            serving.stdin = None
        else:
            assert serving.stdout.readline().startswith("open http://127.0.0.1:")
            # It answers soon after it has said where; a signal before that would find no one to take it.
            time.sleep(1)
            serving.send_signal(signal.SIGINT)
        _, err = serving.communicate(timeout=60)
    assert "Traceback" not in err
    assert serving.returncode == 0


def test_help_pages_fit_and_speak_plainly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is cut, no type of Python is shown, and every command has examples."""
    for width in ("80", "40"):
        monkeypatch.setenv("COLUMNS", width)
        for name in sorted(COMMANDS):
            code, out, err = run(name, "--help")
            assert (code, err) == (0, "")
            assert "Examples:" in out
            assert f"Usage: sitegrain {name} [OPTIONS]" in " ".join(out.split())
            assert not re.search(r"<\w+(\[| range|>)|\{\w+\}", out), name
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("--help")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    for name, summary in SUMMARIES.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", out, re.MULTILINE), name


VALUES = (
    "", "-", "-1", "0", "nan", "1e999", "9" * 20, "\x00", "\ud800", "☃", "http://", "http://[", "http://a:b/", "file:///etc/passwd",
    "/dev/null", "page.html", "bad.warc.gz", "bad.parquet", "empty", "labels.jsonl", "k=3", "wisdom.k=", "=", "wisdom", "(", "a" * 3000,
)  # fmt: skip
"""What people type, and what scripts hand over by mistake."""


@pytest.mark.parametrize("name", sorted(COMMANDS - {"explore", "mcp", "spark"}))
def test_arguments_by_chance(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the arguments are: an exit code, and a reason when it is not 0."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "page.html").write_text("<p>Pour the water over the leaves and wait for three minutes.")
    (tmp_path / "labels.jsonl").write_text("{}\n")
    for broken in ("bad.warc.gz", "bad.parquet"):
        (tmp_path / broken).write_bytes(bytes(range(256)))
    monkeypatch.chdir(tmp_path)
    chance = random.Random(name)
    called = command(name)
    for _ in range(12):
        args = [name, *(chance.choice(VALUES) for _ in called.arguments)]
        for option in chance.sample(called.options, min(len(called.options), chance.randrange(3))):
            args += [option.opts[0], *([] if option.is_flag else [chance.choice(VALUES)])]
        code, _, err = run(*args)
        assert code in (0, 1, 2, 3), args
        assert "Traceback" not in err, args
        assert err.strip() or code in (0, 3), args


def test_a_full_disk_is_said(folder: Path) -> None:
    command = [sys.executable, "-m", "sitegrain", "methods"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "sitegrain: No space left on device\n")


def test_what_a_terminal_cannot_show_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>茶 は おいしい " + "飲み物です。" * 20, encoding="utf-8")
    command = [sys.executable, "-m", "sitegrain", "extract", str(tmp_path / "page.html")]
    done = subprocess.run(
        command, capture_output=True, env={"PYTHONIOENCODING": "latin-1", "PYTHONPATH": ":".join(sys.path)}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u8336" in done.stdout
    # A file of JSON lines or Markdown is UTF-8, whatever the locale is.
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(command, capture_output=True, env=locale)
    assert "茶 は" in done.stdout.decode()
