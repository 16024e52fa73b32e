"""`sitegrain methods`."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(methods)


def methods(
    name: Annotated[list[str] | None, typer.Argument(help="Only these methods")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line")] = False,
) -> None:
    """List the methods that --method takes, and the parameters that --set changes."""
    from sitegrain.methods.parameters import parameters
    from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method

    for n, chosen in enumerate(name or (*NODE_METHODS, *PAGE_METHODS)):
        method = make_method(chosen)
        judges = "text" if chosen in NODE_METHODS else "pages"
        about = " ".join((type(method).__doc__ or "").split("\n\n")[0].split())
        known = parameters(method)
        if as_json:
            listed = [{"name": p.name, "default": p.default, "allowed": p.allowed} for p in known]
            row = {"name": chosen, "judges": judges, "about": about, "learns": bool(method.learned_fields())}
            typer.echo(json.dumps({**row, "parameters": listed}, ensure_ascii=False))
            continue
        typer.echo(f"{'' if n == 0 else chr(10)}{chosen} (judges {judges}): {about}")
        for p in known:
            default = ",".join(map(str, p.default)) if isinstance(p.default, tuple) else p.default
            typer.echo(f"  {p.name}={'none' if default is None else default}  ({p.allowed})")
