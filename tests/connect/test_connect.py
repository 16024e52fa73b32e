"""The MCP server as its own client sees it, and the loaders as their libraries do."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from sitegrain.result.stored import StoredResult
from tests.cli.test_mine import run


def test_an_assistant_searches_lists_and_reads(courier: StoredResult) -> None:
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "sitegrain", "mcp", str(courier.folder)], env=env
    )

    async def ask() -> list[Any]:
        # Its own default is what was standard error when it was imported: another test may have caught that.
        async with (
            stdio_client(command, sys.__stderr__ or sys.stderr) as streams,
            mcp.ClientSession(*streams) as session,
        ):
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            assert tools == {"search", "list_toc", "read_article"}
            hits = await session.call_tool("search", {"query": "legacy database", "n": 1})
            tocs = await session.call_tool("list_toc", {})
            url = json.loads(hits.content[0].text)["url"]
            return [hits, tocs, await session.call_tool("read_article", {"url": url}),
                    await session.call_tool("read_article", {"url": "http://nowhere.example/"})]  # fmt: skip

    hits, tocs, article, nothing = asyncio.run(asyncio.wait_for(ask(), 120))
    assert json.loads(hits.content[0].text)["title"] == "The database index that nobody expected"
    assert len(tocs.content) == len(courier.tocs)
    found = json.loads(article.content[0].text)
    assert found["markdown"] == next(a.markdown for a in courier.articles if a.url == found["url"])
    assert nothing.is_error
    assert "no page of this site has the address" in nothing.content[0].text


def test_langchain(courier: StoredResult) -> None:
    pytest.importorskip("langchain_core")
    from sitegrain.connect.langchain import SitegrainLoader

    documents = SitegrainLoader(courier.folder).load()
    assert [d.page_content for d in documents] == [a.markdown for a in courier.articles]
    assert documents[0].metadata["source"] == courier.articles[0].url


def test_llamaindex(courier: StoredResult) -> None:
    pytest.importorskip("llama_index.core")
    from sitegrain.connect.llamaindex import SitegrainReader

    documents = SitegrainReader().load_data(courier.folder)
    assert [d.text for d in documents] == [a.markdown for a in courier.articles]
    assert documents[0].metadata["source"] == courier.articles[0].url


def test_a_result_that_is_none(tmp_path: Path) -> None:
    code, _, err = run("mcp", tmp_path)
    assert code == 1
    assert "is not a sitegrain result" in err or "pip install 'sitegrain[mcp]'" in err
