"""`sitegrain methods`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo, indented

if TYPE_CHECKING:
    from sitegrain.result.recipe import AnyMethod


def methods(
    name: Annotated[list[str] | None, Argument(help="Show the parameters of these methods")] = None,
    as_json: Annotated[bool, Option("--json", help="Print everything, as one JSON object per line")] = False,
) -> None:
    """List the methods that --method takes. With a name, list the parameters of that method, which --set changes."""
    from sitegrain.methods.parameters import parameters
    from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method

    if not name and not as_json:
        _print_list("which text is content", NODE_METHODS)
        _print_list("which pages are TOC pages and which are articles", PAGE_METHODS)
        echo("sitegrain methods NAME shows the parameters of one.")
        return
    for n, chosen in enumerate(name or (*NODE_METHODS, *PAGE_METHODS)):
        method = make_method(chosen)
        judges = "text" if chosen in NODE_METHODS else "pages"
        if as_json:
            listed = [{"name": p.name, "default": p.default, "allowed": p.allowed} for p in parameters(method)]
            row = {"name": chosen, "judges": judges, "about": _about(method), "learns": bool(method.learned_fields())}
            echo(json.dumps({**row, "parameters": listed}, ensure_ascii=False))
            continue
        echo(f"{'' if n == 0 else chr(10)}{chosen} (judges {judges}): {_about(method)}")
        for p in parameters(method):
            default = ",".join(map(str, p.default)) if isinstance(p.default, tuple) else p.default
            echo(f"  {p.name}={'none' if default is None else default}  ({p.allowed})")


def _print_list(what: str, names: Iterable[str]) -> None:
    """What each method does; those that differ only in parameters stand together."""
    from sitegrain.methods.registry import make_method

    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(_about(make_method(name)), []).append(name)
    echo(f"Methods that tell {what}:\n")
    for about, alike in together.items():
        echo(f"{indented(', '.join(alike), 2)}\n{indented(about, 6)}")
    echo("")


def _about(method: AnyMethod) -> str:
    """The first paragraph of what its class says of it."""
    return " ".join((type(method).__doc__ or "").split("\n\n")[0].split())
