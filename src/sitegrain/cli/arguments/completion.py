"""Completion for shells: what is known of the commands, written down once, so that a tab starts no program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from sitegrain.cli.arguments.parameters import Command, Misused, Parameter

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, commands: Mapping[str, Command], options: Mapping[str, str]) -> str:
    """The completion for a shell, as its own kind of script: of commands by their summaries, and of options without one."""
    if shell not in SHELLS:
        named = f"no completion for {shell}" if shell else "the shell is not known (SHELL is not set)"
        raise Misused(f"{named}: name one of {', '.join(SHELLS)}")
    return "\n".join(_fish(commands, options) if shell == "fish" else _bash(commands, options, shell))


def install(shell: str, commands: Mapping[str, Command], options: Mapping[str, str]) -> str:
    """Write it where the shell finds it, and tell where that is."""
    text = script(shell, commands, options)
    home = Path.home()
    file, start, line = {
        "bash": (home / ".bash_completions" / "sitegrain.sh", home / ".bashrc", "source '{}'"),
        "zsh": (home / ".zfunc" / "sitegrain.zsh", home / ".zshrc", "source '{}'"),
        "fish": (home / ".config" / "fish" / "completions" / "sitegrain.fish", None, ""),
    }[shell]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="utf-8")
    if start is not None:
        wanted = line.format(file)
        before = start.read_text(encoding="utf-8", errors="surrogateescape") if start.exists() else ""
        if wanted not in before.splitlines():
            with start.open("a", encoding="utf-8") as out:
                out.write(f"{'' if before.endswith(os.linesep) or not before else os.linesep}{wanted}{os.linesep}")
    return f"completion for {shell} is in {file}: open a new terminal to have it"


def _bash(commands: Mapping[str, Command], options: Mapping[str, str], shell: str) -> Iterator[str]:
    """One function for bash; zsh reads it, too."""
    if shell == "zsh":
        yield "autoload -Uz compinit bashcompinit && compinit && bashcompinit"
    yield "_sitegrain() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" values=""'
    names = " ".join([*(c.name for c in commands.values()), *options, "--help"])
    yield f'    if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{names}" -- "$word")); return; fi'
    yield '    case "${COMP_WORDS[1]}" in'
    for called in commands.values():
        words = " ".join([*(opt for p in called.options for opt in p.opts), "--help"])
        yield f"    {called.name})"
        yield f'        words="{words}"'
        chosen = [p for p in called.options if p.choices]
        if chosen:
            yield '        case "$before" in'
            for p in chosen:
                yield f'        {"|".join(p.opts)}) values="{" ".join(p.choices)}" ;;'
            yield "        esac"
        yield "        ;;"
    yield "    esac"
    yield '    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word"))'
    yield '    elif [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "    else local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")); fi"
    yield "}"
    yield "complete -o filenames -F _sitegrain sitegrain"


def _fish(commands: Mapping[str, Command], options: Mapping[str, str]) -> Iterator[str]:
    for name, text in options.items():
        yield f"complete -c sitegrain -n __fish_use_subcommand -l {name.lstrip('-')} -d {_quoted(text)}"
    for summary, called in commands.items():
        yield f"complete -c sitegrain -n __fish_use_subcommand -f -a {called.name} -d {_quoted(summary)}"
        for p in called.options:
            yield f"complete -c sitegrain -n '__fish_seen_subcommand_from {called.name}' {_fish_option(p)}"


def _fish_option(option: Parameter) -> str:
    names = " ".join(f"-l {opt[2:]}" if opt.startswith("--") else f"-s {opt[1:]}" for opt in option.opts)
    values = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else "" if option.is_flag else " -r"
    return f"{names}{values} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    r"""A text as fish reads it.

    >>> _quoted("the site's pages")
    "'the site\\'s pages'"
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
