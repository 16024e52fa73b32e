"""Programs that serve pages on loopback, told what they hold and then crawled."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import socket
import subprocess
import time
import urllib.parse
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from files import write

PORT = 8437
_HREF = re.compile(r"""<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


class Visitor:
    """Talks to a program as a browser does: keeps cookies and calls it by the name of the site."""

    def __init__(self, host: str, port: int = PORT) -> None:
        self.host, self.port = host, port
        self.agent = "Mozilla/5.0"
        self.before = ""
        """What the program wants before each path, and leaves out of its links."""
        self.cookies: dict[str, str] = {}

    def ask(
        self,
        path: str,
        fields: dict[str, Any] | list[tuple[str, str]] | str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str, str]:
        """Status, body and where it sends us. Fields are posted; a string is posted as JSON."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        said = {
            "Host": self.host,
            "User-Agent": self.agent,
            "Accept": "text/html,*/*",
            "Referer": f"http://{self.host}{path}",
        }
        if self.cookies:
            said["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if isinstance(fields, str):
            body = fields.encode()
            said["Content-Type"] = "application/json"
        elif fields is not None:
            body = urllib.parse.urlencode(fields).encode()
            said["Content-Type"] = "application/x-www-form-urlencoded"
        link.request("GET" if body is None else "POST", self.before + path, body, said | (headers or {}))
        answer = link.getresponse()
        for value in answer.headers.get_all("Set-Cookie") or []:
            name, _, rest = value.partition("=")
            self.cookies[name.strip()] = rest.partition(";")[0]
        text = answer.read()
        link.close()
        is_text = "html" in (answer.headers.get("Content-Type") or "") or "json" in (
            answer.headers.get("Content-Type") or ""
        )
        return answer.status, text.decode("utf-8", "replace") if is_text else "", answer.headers.get("Location") or ""


@contextmanager
def serving(
    command: list[Any], folder: Path, env: dict[str, str] | None = None, port: int = PORT, wait: float = 60
) -> Iterator[None]:
    """A program that serves until the end of the block."""
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            env=os.environ | (env or {}),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        end = time.monotonic() + wait
        while True:
            if process.poll() is not None:
                raise RuntimeError((folder / "serve.log").read_text()[-900:])
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if time.monotonic() > end:
                    raise RuntimeError(f"does not serve: {(folder / 'serve.log').read_text()[-900:]}") from None
                time.sleep(0.3)
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 15)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()


def crawled(site: Path, visitor: Visitor, start: Iterable[str], keep: Callable[[str], bool], most: int = 150) -> None:
    """The pages that can be reached from `start` by links to paths that are kept, each at `http://HOST/path`."""
    base = f"http://{visitor.host}"
    waiting = list(dict.fromkeys(start))
    known, rows = set(waiting), []
    while waiting and len(rows) < most:
        path = waiting.pop(0)
        status, body, moved = visitor.ask(path)
        found = [moved] if moved else []
        if status == 200 and "<" in body:
            rows.append({"url": base + path, "html": body})
            found = [html.unescape(a or b or c) for a, b, c in _HREF.findall(body)]
        for link in found:
            try:
                there = urllib.parse.urljoin(base + path, link.strip()).partition("#")[0]
            except ValueError:
                continue
            if not there.startswith(base + "/"):
                continue
            there = urllib.parse.quote(there[len(base) :], safe="/%?&=;:@,+~!$'()*")
            if there not in known and keep(there):
                known.add(there)
                waiting.append(there)
    write(site / "html/pages.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def tell(site: Path, said: list[dict[str, Any]]) -> None:
    write(site / "truth.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in said))
