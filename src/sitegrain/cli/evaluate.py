"""`sitegrain evaluate` and `sitegrain reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(reproduce)


def reproduce(
    paper: Annotated[str, typer.Argument(help="lamis, infodiscoverer, debnath, wisdom or sst")],
    data: Annotated[Path, typer.Argument(help="A labelled site, or a folder of them")] = Path(
        "../shared/data/sites"
    ),
    out: Annotated[Path, typer.Option(help="Folder for the page and its plots")] = Path("reproduced"),
    sites: Annotated[str, typer.Option(help="Only these sites, by name, with commas")] = "",
) -> None:
    """Run a paper's experiments on labelled sites and write its tables and plots."""
    from sitegrain.errors import UsageError
    from sitegrain.evaluation.data import open_sites
    from sitegrain.evaluation.experiments import experiment

    run = experiment(paper)
    found = open_sites(data)
    if sites:
        wanted = {s.strip() for s in sites.split(",") if s.strip()}
        unknown = wanted - {s.name for s in found}
        if unknown:
            known = ", ".join(s.name for s in found)
            raise UsageError(f"no site called {', '.join(sorted(unknown))}; known: {known}")
        found = [s for s in found if s.name in wanted]
    run(found, out)
    for page in sorted(out.glob("*.md")):
        typer.echo(f"wrote {page}")
