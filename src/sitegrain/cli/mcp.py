"""`sitegrain mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sitegrain.cli.parameters import Argument


def mcp(folder: Annotated[Path, Argument(help="A result folder of `mine`")]) -> None:
    """Serve a result to an assistant by MCP, over standard input and output: search, list TOC pages, read an article."""
    from sitegrain.connect.mcp import make_server

    make_server(folder).run()
