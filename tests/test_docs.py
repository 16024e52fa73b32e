"""Documents say what is true: their code runs, their commands exist, their tables are complete.

`SITEGRAIN_DOCS=write` writes docs/cli.md and the output in console blocks anew.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import sitegrain
from sitegrain.cli import app, main
from sitegrain.demo import generate
from tests.builders import captures_of

ROOT = Path(__file__).parent.parent
IS_WRITING = os.environ.get("SITEGRAIN_DOCS") == "write"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = typer.main.get_command(app)


@pytest.fixture
def courier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the demo site in `courier`, to be in."""
    generate(tmp_path / "courier")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.name)
def test_python_in_documents_runs(document: Path, courier: Path) -> None:
    text = document.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    if ">>>" not in code:
        pytest.skip("no Python in it")
    test = doctest.DocTestParser().get_doctest(code, {}, document.name, str(document), 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def run_line(line: str) -> str:
    """Run one `$` line and give what it prints; `>` and a pipe from `echo` are understood."""
    line, _, target = line.partition(" > ")
    stdin = ""
    if line.startswith("echo "):
        said, _, line = line.partition(" | ")
        stdin = shlex.split(said)[1] + "\n"
    program, *args = shlex.split(line)
    if program == "python":
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        return subprocess.run([sys.executable, *args], capture_output=True, text=True, check=True, env=env).stdout
    assert program == "sitegrain", line
    out = io.StringIO()
    old = sys.argv, sys.stdin
    sys.argv, sys.stdin = [program, *args], io.TextIOWrapper(io.BytesIO(stdin.encode()))
    try:
        with contextlib.redirect_stdout(out):
            main()
    except SystemExit as stop:
        if stop.code:
            raise
    finally:
        sys.argv, sys.stdin = old
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")
        return ""
    return out.getvalue()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.name)
def test_commands_in_documents_run(document: Path, courier: Path) -> None:
    def again(match: re.Match[str]) -> str:
        lines = [line for line in match[1].splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"{line}\n{run_line(line[2:])}" for line in lines) + "```"

    text = document.read_text(encoding="utf-8")
    found = re.sub(r"```console\n(.*?)```", again, text, flags=re.DOTALL)
    if IS_WRITING:
        document.write_text(found, encoding="utf-8")
    assert found == document.read_text(encoding="utf-8")


def cli_page() -> str:
    """docs/cli.md as it should be: from the parameters, since help pages change with every release of typer."""
    out = ["# Command line", "", "Made from the commands themselves: see CONTRIBUTING.md.", ""]
    out += ["`sitegrain --version` prints the version; every command has `--help`.", ""]
    for name, command in sorted(COMMAND.commands.items()):  # type: ignore[attr-defined]
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        usage = " ".join(["sitegrain", name, *(p.name.upper() + "..." * (p.nargs < 0) for p in arguments)])
        out += [f"## {usage}", "", " ".join(command.help.split()), "", "| | | default |", "|---|---|---|"]
        for p in command.params:
            if p.name != "help":
                names = ", ".join(f"`{n}`" for n in p.opts) if p not in arguments else f"`{p.name.upper()}`"
                default = "" if p.default in (None, "", ()) or p.default is False else f"`{p.default}`"
                out.append(f"| {names} | {p.help} | {default} |")
        out.append("")
    return "\n".join(out)


def test_cli_page_is_up_to_date() -> None:
    path = ROOT / "docs" / "cli.md"
    if IS_WRITING:
        path.write_text(cli_page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == cli_page()


def test_every_command_has_help() -> None:
    for name, command in COMMAND.commands.items():  # type: ignore[attr-defined]
        assert command.help, name
        for parameter in command.params:
            if parameter.name != "help":
                assert getattr(parameter, "help", ""), (name, parameter.name)


def test_every_column_is_documented() -> None:
    text = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    result = sitegrain.mine(captures_of("<a href=1.html>x</a>", "<p>y"))
    evidence = {*result.nodes.blocks.evidence, *result.roles.evidence}
    for name in ("pages", "blocks", "links"):
        section = text.partition(f"## `{name}.parquet`")[2].partition("\n## ")[0]
        for column in getattr(result, name).column_names:
            assert f"| `{column}` |" in section or column.removeprefix("evidence_") in evidence, (name, column)
    summary = text.partition("## `site.json`")[2]
    for key in result.summary:
        assert f"`{key}`" in summary, key


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*DOCUMENTS, *ROOT.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)
