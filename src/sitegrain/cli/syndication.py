"""`sitegrain syndication`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo


def syndication(
    results: Annotated[list[Path], Argument(help="Result folders that `mine --out` wrote, one for each site")],
    resemblance: Annotated[float, Option(help="Share of shingles that two texts must have in common")] = 0.8,
    least_words: Annotated[int, Option(help="Leave out texts of fewer words", min=4)] = 20,
    as_json: Annotated[bool, Option("--json", help="Print a JSON object for each text")] = False,
) -> None:
    """Find texts that several sites print: agency reports, press releases, copies."""
    from sitegrain.result.stored import open_result
    from sitegrain.result.syndication import find_syndicated

    sites = []
    for folder in results:
        table = open_result(folder).table("pages", ["url", "text"])
        sites.append(dict(zip(table["url"].to_pylist(), table["text"].to_pylist(), strict=True)))
    found = find_syndicated(sites, resemblance, least_words)
    for shared in found:
        first = shared.passages[0]
        if as_json:
            where = [{"result": str(results[p.site]), "url": p.url, "text": p.text} for p in shared.passages]
            echo(json.dumps({"sites": shared.n_sites, "passages": where}, ensure_ascii=False))
            continue
        echo(f"{shared.n_sites} sites, {len(shared.passages)} pages: {first.text[:70]!r}")
        for url in dict.fromkeys(p.url for p in shared.passages):
            echo(f"  {url}")
    if not found:
        echo("sitegrain: no text is on several of these sites", err=True)
        raise SystemExit(1)
