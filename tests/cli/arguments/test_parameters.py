"""Words of a command line become arguments of a function, and completion knows the same words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest

from sitegrain.cli import OPTIONS, SUMMARIES, command
from sitegrain.cli.arguments.completion import SHELLS, install, script
from sitegrain.cli.arguments.parameters import Argument, Command, Misused, Option


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def paint(
    first: Annotated[Path, Argument(help="One")],
    others: Annotated[list[int] | None, Argument(help="More")] = None,
    colour: Annotated[Colour, Option("--colour", "-c", help="Which")] = Colour.RED,
    name: Annotated[list[str] | None, Option(help="May be repeated")] = None,
    n: Annotated[int, Option("--number", "-n", min=1, max=9, help="How many")] = 3,
    rate: Annotated[float, Option(help="A number", envvar="TEST_RATE")] = 0.5,
    as_json: Annotated[bool, Option("--json", help="JSON")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Quiet")] = False,
) -> None:
    """Paint."""


def parsed(*words: str) -> dict[str, Any]:
    """What differs from the defaults."""
    found = Command("paint", paint).parse(words)
    assert found is not None
    return {p.name: found[p.name] for p in Command("paint", paint).params if found[p.name] != p.default}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a", {"first": Path("a")}),
        ("a 1 2", {"first": Path("a"), "others": [1, 2]}),
        ("a --json 1", {"first": Path("a"), "others": [1], "as_json": True}),
        ("--name x a --name=y", {"first": Path("a"), "name": ["x", "y"]}),
        ("a -qn7", {"first": Path("a"), "n": 7, "quiet": True}),
        ("a -n 7 -n 8", {"first": Path("a"), "n": 8}),
        ("a -c blue", {"first": Path("a"), "colour": Colour.BLUE}),
        ("a --rate -1.5", {"first": Path("a"), "rate": -1.5}),
        ("a --name --json", {"first": Path("a"), "name": ["--json"]}),
        ("-- -q 1", {"first": Path("-q"), "others": [1]}),
        ("-", {"first": Path("-")}),
        ("a --name=", {"first": Path("a"), "name": [""]}),
    ],
)
def test_words_become_arguments(line: str, expected: dict[str, object]) -> None:
    assert parsed(*line.split()) == expected


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "Missing argument 'FIRST'."),
        ("a x", "Invalid value for 'OTHER...': 'x' is not a whole number"),
        ("a -n 0", "Invalid value for '--number' / '-n': 0 is less than 1"),
        ("a -n 10", "Invalid value for '--number' / '-n': 10 is more than 9"),
        ("a --rate x", "Invalid value for '--rate': 'x' is not a number"),
        ("a -c green", "Invalid value for '--colour' / '-c': 'green' is not one of 'red', 'blue'."),
        ("a --color red", "No such option: --color (Possible options: --colour)"),
        ("a -qz", "No such option: -z"),
        ("a --name", "Option '--name' requires an argument."),
        ("a -n", "Option '-n' requires an argument."),
        ("a --json=1", "Option '--json' does not take a value."),
    ],
)
def test_what_is_wrong_is_said(line: str, why: str) -> None:
    with pytest.raises(Misused) as error:
        Command("paint", paint).parse(line.split())
    assert str(error.value) == why


def test_help_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Command("paint", paint).parse(["--help"]) is None
    assert Command("paint", paint).parse(["a", "1", "--help"]) is None
    monkeypatch.setenv("TEST_RATE", "2")
    assert parsed("a") == {"first": Path("a"), "rate": 2.0}
    assert parsed("a", "--rate", "3") == {"first": Path("a"), "rate": 3.0}


def test_extra_arguments_are_refused() -> None:
    with pytest.raises(Misused, match=r"extra argument\(s\) \(c d\)"):
        command("diff").parse(["a", "b", "c", "d"])


def test_one_command_loads_no_other() -> None:
    """Nor the libraries that help pages and errors do not need."""
    code = "import sys; sys.argv[1:] = ['extract', '--help']; from sitegrain.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(sorted({m.partition('.')[0] for m in sys.modules} & {'numpy', 'rich', 'scrapy', 'pyarrow', 'selectolax'}),"
    code += " 'sitegrain.cli.mine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] False"


# Completion

COMMANDS = {summary: command(name) for name, summary in SUMMARIES.items()}


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_written_once(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".bashrc").write_text("alias a=b")
    first = install(shell, COMMANDS, OPTIONS)
    assert install(shell, COMMANDS, OPTIONS) == first
    start = {"bash": ".bashrc", "zsh": ".zshrc"}.get(shell)
    if start:
        lines = (tmp_path / start).read_text().splitlines()
        assert len([line for line in lines if "sitegrain" in line]) == 1
    text = script(shell, COMMANDS, OPTIONS)
    assert all(name in text for name in SUMMARIES)


def test_an_unknown_shell_is_refused() -> None:
    with pytest.raises(Misused, match="bash, zsh, fish"):
        script("tcsh", COMMANDS, OPTIONS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sitegrain ext", {"extract"}),
        ("sitegrain extract --form", {"--format"}),
        ("sitegrain extract --format ma", {"markdown"}),
        ("sitegrain export --to s", {"sqlite"}),
        ("sitegrain extract pa", {"page one.html", "page2.html"}),
    ],
)
def test_bash_completes(line: str, expected: set[str], tmp_path: Path) -> None:
    for name in ("page one.html", "page2.html", "other.html"):
        (tmp_path / name).touch()
    words = " ".join(f"'{word}'" for word in line.split(" "))
    lines = [
        script("bash", COMMANDS, OPTIONS),
        f"COMP_WORDS=({words})",
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))",
        "_sitegrain",
    ]
    lines.append("printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, cwd=tmp_path, env={"PATH": os.environ["PATH"]}
    )
    assert done.stderr == ""
    assert set(done.stdout.splitlines()) == expected
