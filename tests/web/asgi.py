"""Ask an application without a network: one request, one answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlencode


@dataclass(frozen=True)
class Answer:
    status_code: int
    headers: dict[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


class Client:
    """Requests to one host of an application."""

    def __init__(self, app: Any, host: str) -> None:
        self.app = app
        self.host = host

    def get(
        self, path: str, headers: Mapping[str, str] | None = None, params: Mapping[str, str] | None = None
    ) -> Answer:
        return self._ask("GET", path, b"", dict(headers or {}), urlencode(params or {}))

    def post(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        value: Any = None,
        content: bytes | None = None,
        sized: bool = True,
    ) -> Answer:
        body = json.dumps(value).encode() if content is None else content
        size = {"Content-Length": str(len(body))} if sized else {}
        return self._ask("POST", path, body, {**size, **(headers or {})}, "")

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str], query: str) -> Answer:
        sent: list[Any] = []
        raw = [(b"host", self.host.encode()), *((k.lower().encode(), v.encode()) for k, v in headers.items())]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "headers": raw,
            "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 9),
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.app(scope, receive, send))
        answered = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
        return Answer(sent[0]["status"], answered, b"".join(m.get("body", b"") for m in sent[1:]).decode())
