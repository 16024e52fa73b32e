"""Serve a folder on loopback, in a thread."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the demo prints its own result."""


class DemoServer:
    """A running server; use it in a `with` block, or call `close`."""

    def __init__(self, folder: Path, port: int) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The address of the home page."""
        return f"http://127.0.0.1:{self.port}/"

    def close(self) -> None:
        """Stop serving and free the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def serve(folder: str | Path, port: int = 0) -> DemoServer:
    """Serve the pages of a folder on loopback; port 0 takes any free one.

    A folder that `generate` wrote is served from its `html/`.

    >>> import tempfile, urllib.request
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "index.html").write_text("<p>Hello")
    ...     with serve(folder) as server:
    ...         print(urllib.request.urlopen(server.url).read().decode())
    <p>Hello
    """
    folder = Path(folder)
    return DemoServer(folder / "html" if (folder / "labels.jsonl").exists() else folder, port)
