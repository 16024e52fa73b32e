"""A result as an MCP server over standard input and output: an assistant searches the site and reads its articles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sitegrain.connect.reading import Reader
from sitegrain.errors import MissingExtraError, SitegrainError

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise MissingExtraError("MCP", "mcp") from error

T = TypeVar("T")


def make_server(folder: str | Path) -> MCPServer:
    """The server of a result folder, which is opened now."""
    reader = Reader(folder)
    server = MCPServer("sitegrain", instructions=f"A web site, mined by sitegrain: {reader.result!r}")

    @server.tool()
    def search(query: str, n: int = 10) -> list[dict[str, str]]:
        """Find pages of the site by the words of their text; a page must have them all."""
        return _asked(lambda: reader.search(query, n))

    @server.tool()
    def list_toc(url: str = "") -> list[dict[str, Any]]:
        """List the TOC pages of the site (its front page, sections, archives); with the address of one, what it lists."""
        return _asked(lambda: reader.entries(url) if url else reader.tocs())

    @server.tool()
    def read_article(url: str) -> dict[str, str]:
        """Read one page of the site: title, author, date, and the clean text as Markdown."""
        return _asked(lambda: reader.article(url))

    return server


def _asked(answer: Callable[[], T]) -> T:
    """An answer; an error that was meant is told to the assistant."""
    try:
        return answer()
    except SitegrainError as error:
        raise ToolError(str(error)) from error
