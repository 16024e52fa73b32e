"""Documents say what is true: their code runs, what they name exists, their tables are complete.

`SITEGRAIN_DOCS=write` writes docs/cli.md and the output in console blocks anew.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import sitegrain
from sitegrain import cli
from sitegrain.demo import generate, serve
from tests.builders import captures_of

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "sitegrain"
IS_WRITING = os.environ.get("SITEGRAIN_DOCS") == "write"
README = ROOT / "README.md"
DOCUMENTS = [
    README, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
]  # fmt: skip
COMMANDS = {name: cli.command(name) for name in cli.SUMMARIES}
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def read(document: Path) -> str:
    return document.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_blocks_of_documents_run_in_order(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder for README, as a newcomer is in one; the others may take the demo site for granted."""
    if document != README:
        generate(tmp_path / "courier")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # documents show what goes to a file; pytest's workers have a width
    names: dict[str, object] = {}
    with contextlib.ExitStack() as servers:
        check_blocks(document, names, Live(tmp_path, servers))


class Live:
    """The demo site on this machine, when a command asks for its address."""

    ADDRESS = "http://courier.example/"

    def __init__(self, folder: Path, servers: contextlib.ExitStack) -> None:
        self.folder, self.servers, self.url = folder, servers, ""

    def reached(self, args: list[str]) -> list[str]:
        """Arguments with the address of the server in place of that of the site, and without manners."""
        if args[0] not in ("mine", "crawl", "watch") or self.ADDRESS not in args or "--base" in args:
            return args
        if not self.url:
            if not (self.folder / "courier").exists():
                generate(self.folder / "courier")
            self.url = self.servers.enter_context(serve(self.folder / "courier")).url
        return [*(self.url if arg == self.ADDRESS else arg for arg in args), "--allow-private", "--delay", "0"]

    def printed(self, text: str) -> str:
        """What was printed, as of the site itself, and always as fast."""
        return re.sub(
            r"in [\d.,]+ s$", "in 2.0 s", text.replace(self.url or self.ADDRESS, self.ADDRESS), flags=re.MULTILINE
        )


def check_blocks(document: Path, names: dict[str, object], live: Live) -> None:

    def again(match: re.Match[str]) -> str:
        kind, code = match.groups()
        if kind == "python":
            assert ">>> " in code, "a python block is a session; mark what cannot run as sh"
            test = doctest.DocTestParser().get_doctest(code, names, name_of(document), str(document), 0)
            assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
            names.update(test.globs)
        if kind != "console":
            return match[0]
        lines = [line for line in code.splitlines() if line.startswith("$ ")]
        assert lines, "a console block has commands; mark what cannot run as sh"
        return "```console\n" + "".join(f"{line}\n{run_line(line[2:], live)}" for line in lines) + "```"

    found = BLOCK.sub(again, read(document))
    if IS_WRITING:
        document.write_text(found, encoding="utf-8")
    assert found == read(document)


def run_line(line: str, live: Live) -> str:
    """Run one `$` line and give what it prints; `>`, a pipe from `echo`, and a question for the exit code are understood."""
    line, asks, _ = line.partition("; echo $?")
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
    code: object = 0
    sys.argv, sys.stdin = [program, *live.reached(args)], io.TextIOWrapper(io.BytesIO(stdin.encode()))
    try:
        with contextlib.redirect_stdout(out):
            cli.main()
    except SystemExit as stop:
        code = stop.code or 0
        if code and not asks:
            raise
    finally:
        sys.argv, sys.stdin = old
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")
        return ""
    return live.printed(out.getvalue()) + (f"{code}\n" if asks else "")


NOT_RUN = {
    "sitegrain mine my-pages --out result": "README's third command, with a folder of the reader",
    "sitegrain mcp result": "serves until it is stopped; tests/connect talks to it",
    "--render": "needs Chromium; tests/sources/crawl/test_crawl_browser.py",
    "DATA": "needs labelled data, which is not in the repository",
    "path/to/sites": "the same",
}
"""What commands in documents have in common that no test of documents runs, and why."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_are_in_blocks_that_are_run(document: Path) -> None:
    for kind, block in BLOCK.findall(read(document)):
        for line in block.splitlines() if kind != "console" else ():
            if re.match(r"\s*(?:\$ )?sitegrain ", line):
                assert any(part in line for part in NOT_RUN), line


def cli_page() -> str:
    """docs/cli.md as it should be: from the parameters."""
    out = ["# Command line", "", "Made from the commands themselves: see CONTRIBUTING.md.", ""]
    out += ["`sitegrain --version` prints the version; every command has `--help`.", ""]
    for name, command in sorted(COMMANDS.items()):
        arguments = command.arguments
        usage = " ".join(["sitegrain", name, *(p.name.upper() + "..." * p.is_many for p in arguments)])
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
    for name, command in COMMANDS.items():
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


def anchors_of(document: Path) -> set[str]:
    """The names that the headings of a document have as targets of links."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", read(document)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*DOCUMENTS, ROOT / "CHANGELOG.md"]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", read(document)):
            goal = document.parent / target if target else document
            assert goal.exists(), (document.name, target)
            assert not anchor or anchor in anchors_of(goal), (document.name, target, anchor)


# What documents name


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_what_documents_name_is_there(document: Path) -> None:
    text = read(document)
    for name in re.findall(r"(?<![\w/.-])sitegrain(?:\.[A-Za-z_]\w*)+", text):
        assert is_there(name), name
    code = [
        *re.findall(r"`([^`\n]+)`", text),
        *(line for _, block in BLOCK.findall(text) for line in block.splitlines()),
    ]
    for file in (file for piece in code for file in re.findall(r"(?<![\w/.-])[\w/]+/\w+\.(?:py|c|h)\b", piece)):
        assert any((place / file).exists() for place in (ROOT, SOURCE)), file
    targets = set(re.findall(r"^([\w-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    for target in (target for piece in code for target in re.findall(r"^make ([\w-]+)", piece)):
        assert target in targets, target
    for name, rest in (found for piece in code for found in re.findall(r"^(?:\$ )?sitegrain ([a-z]\w+)(.*)", piece)):
        command = COMMANDS.get(name)
        assert command is not None, name
        options = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        assert set(re.findall(r"(?<=\s)--[\w-]+", rest.partition("#")[0])) <= options, (name, rest)


OTHER_OPTIONS = {"--help", "--pin", "--raise", "--lower", "--version", "--install-completion", "--deal"}
"""Of `python -m sitegrain.evaluation.gate` and `.training roles`, and of `sitegrain` itself."""


def test_options_in_documents_exist() -> None:
    commands = COMMANDS.values()
    known = {
        option for command in commands for parameter in command.params for option in parameter.opts
    } | OTHER_OPTIONS
    for document in DOCUMENTS:
        for piece in re.findall(r"`(--[^`\n]+)`", read(document)):
            assert piece.split()[0].partition("=")[0] in known, (document.name, piece)


def is_there(name: str) -> bool:
    """Whether `sitegrain.a.b` is a module, or something in one."""
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def test_documents_and_code_speak_only_of_what_a_reader_has() -> None:
    """Not of the folders around the repository of those who wrote it."""
    files = [*DOCUMENTS, ROOT / "CHANGELOG.md", *SOURCE.rglob("*.py")]
    for file in files:
        assert not re.search(r"\.\./shared|seed 00\d|algorithm notes|/tmp/|/work/", read(file)), file


# ARCHITECTURE


def table_of(heading: str) -> list[tuple[str, str]]:
    """The rows of the table under a heading of ARCHITECTURE.md."""
    section = read(ROOT / "ARCHITECTURE.md").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*?) \|$", section, re.MULTILINE)
    assert rows
    return rows


def test_the_map_names_every_package_and_module_in_the_order_of_the_layers() -> None:
    named = [name.strip("`") for name, _ in table_of("Code map")]
    own = [path for path in SOURCE.iterdir() if not path.name.startswith(("__pycache__", "__init__", "."))]
    there = {f"{p.name}/" if p.is_dir() else p.name for p in own if p.is_dir() or p.suffix == ".py"}
    assert sorted(named) == sorted(there)
    layers = tomllib.loads(read(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"][0]["layers"]
    place = {name.strip(): k for k, layer in enumerate(layers) for name in re.split(r"[|:]", layer)}
    order = [place[name.removesuffix("/").removesuffix(".py")] for name in named]
    assert order == sorted(order)


def imports_of(file: Path) -> set[str]:
    """The dotted names that a module imports, at its top or anywhere."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(read(file))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
    return found


def test_outside_libraries_are_used_where_the_table_says() -> None:
    allowed = {
        library: re.findall(r"`([^`]+)`", where)
        for libraries, where in table_of("Where outside libraries may be used")
        for library in re.findall(r"`([^`]+)`", libraries)
    }
    used: dict[str, set[str]] = {library: set() for library in allowed}
    for file in SOURCE.rglob("*.py"):
        where = file.relative_to(SOURCE).as_posix()
        for library in {name.partition(".")[0] for name in imports_of(file)} - set(sys.stdlib_module_names):
            if library in ("sitegrain", "numpy", "scipy", "__future__") or where == "evaluation/peers.py":
                continue
            place = next((place for place in allowed.get(library, ()) if where.startswith(place)), None)
            assert place is not None, f"{where} imports {library}: give it a place in ARCHITECTURE.md, or take it away"
            used[library].add(place)
    assert {library: sorted(places) for library, places in used.items()} == {k: sorted(v) for k, v in allowed.items()}


def test_what_judges_opens_no_source() -> None:
    for room in ("methods", "roles", "extractor", "article", "learned", "render"):
        for file in (SOURCE / room).rglob("*.py"):
            assert not any(name.startswith("sitegrain.sources") for name in imports_of(file)), file


def test_modules_are_short() -> None:
    long = [f.name for f in SOURCE.rglob("*.py") if len(read(f).splitlines()) > 500]
    assert not long
