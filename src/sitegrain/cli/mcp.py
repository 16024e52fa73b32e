"""`sitegrain mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument


def mcp(folder: Annotated[Path, Argument(help="A result folder of `mine`")]) -> None:
    """Let an assistant search a result, list its TOC pages and read its articles, by MCP over standard input and output."""
    from sitegrain.connect.mcp import make_server

    make_server(folder).run()
