"""A small web server on loopback for crawl tests: pages by path, and it notes every request."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: Callable[[socket.socket], None] | None = None
    """Takes over the connection instead."""


def page(*links: str, text: str = "", **more: str) -> Answer:
    """An HTML page with links."""
    anchors = "".join(f'<p><a href="{link}">next</a></p>' for link in links)
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    return Answer(f"<!doctype html><title>t</title><body>{text}{anchors}".encode(), headers=headers)


Site = Mapping[str, Answer] | Callable[[str, Mapping[str, str]], Answer | None]


@dataclass
class Server:
    port: int
    site: Site
    hits: list[tuple[str, str]] = field(default_factory=list)
    """(host, path) of each request."""
    heads: list[dict[str, str]] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def counts(self) -> Counter[str]:
        return Counter(path for _, path in self.hits)


@contextmanager
def serve(site: Site) -> Iterator[Server]:
    """Serve a site until the block ends. A dictionary may change meanwhile."""
    server: Server

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {k.lower(): v for k, v in self.headers.items()}
            server.hits.append((headers.get("host", ""), self.path))
            server.heads.append(headers)
            site = server.site
            answer = site(self.path, headers) if callable(site) else site.get(self.path)
            if answer is None:
                answer = Answer(b"<h1>not here</h1>", 404)
            if answer.raw is not None:
                try:
                    answer.raw(self.connection)
                except OSError:
                    pass
                self.close_connection = True
                return
            names = {k.lower() for k in answer.headers}
            etag = next((v for k, v in answer.headers.items() if k.lower() == "etag"), None)
            if etag is not None and headers.get("if-none-match") == etag:
                answer = Answer(b"", 304, answer.headers)
            self.send_response(answer.status)
            if "content-type" not in names:
                self.send_header("Content-Type", "text/html; charset=utf-8")
            if "content-length" not in names and answer.status != 304:
                self.send_header("Content-Length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(answer.body)
            except OSError:
                pass

        def log_message(self, *args: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, *args: object) -> None:
            pass

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server = Server(http.server_address[1], site)
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
