"""The explorer's server: on loopback only, behind a token, for one person.

Every address begins with a secret that is made at the start, so another page in the same browser cannot guess one; the
name of the host is checked, so a name that is pointed at this machine does not help it; what changes something must
come from the explorer itself. No name in a request ever becomes a path of the disk.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs, unquote

from sitegrain.errors import MissingExtraError, SitegrainError, UsageError
from sitegrain.report.files import ASSETS, asset
from sitegrain.web.labels import block_numbers
from sitegrain.web.session import Session

try:
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route
except ImportError as error:  # pragma: no cover
    raise MissingExtraError("The explorer", "web") from error

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MAX_BODY = 1 << 20
"""Bytes of a request: a label of a page with 100,000 blocks fits."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; "
    "frame-src data: blob: 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()), (b"referrer-policy", b"no-referrer"), (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"), (b"cross-origin-resource-policy", b"same-origin"), (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)  # fmt: skip
ANSWER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'"
"""Of the one answer that is shown in the frame of a page: that its label was written."""
_FRAMED = tuple(
    {**dict(HEADERS), b"content-security-policy": ANSWER_POLICY.encode(), b"x-frame-options": b"SAMEORIGIN"}.items()
)
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


class Guard:
    """Lets through what comes from this machine's explorer, and adds the headers that keep a browser strict."""

    def __init__(self, app: Any, token: str, port: int) -> None:
        self.app = app
        self.token = token
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # no web sockets, and nothing to do at start and end

        headers = _FRAMED if self.is_label(scope) else HEADERS

        async def strict(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *headers]
            await send(message)

        if (why := self.refusal(scope)) is not None:
            await PlainTextResponse(why, 403)(scope, receive, strict)
        else:
            await self.app(scope, receive, strict)

    def is_label(self, scope: Scope) -> bool:
        """Whether this is the form in a page's frame: the frame is sandboxed, so its origin is none. The secret in its
        address is what lets it in, and all that it can do is to label a page."""
        return scope["method"] == "POST" and str(scope["path"]).startswith(f"/{self.token}/label/")

    def refusal(self, scope: Scope) -> str | None:
        """Why a request is not answered; None when it is."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "wrong host"
        given = unquote(scope["path"]).split("/")[1]
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return "wrong token: use the address that `sitegrain explore` printed"
        origin = headers.get("origin", [])
        if self.is_label(scope):
            return None if origin == ["null"] and _is_small(headers) else "not from the frame of a page"
        if origin and (len(origin) != 1 or origin[0].lower().removeprefix("http://") not in self.hosts):
            return "wrong origin"
        if headers.get("sec-fetch-site", ["none"])[0] not in ("none", "same-origin"):
            return "not from another site"
        if scope["method"] not in ("GET", "HEAD"):
            if not origin:
                return "no origin"
            if not _is_small(headers):
                return "too much"
        return None


def _is_small(headers: Mapping[str, list[str]]) -> bool:
    size = headers.get("content-length", [""])[0]
    return size.isascii() and size.isdigit() and int(size[:12]) < MAX_BODY


def create_app(session: Session, token: str, port: int) -> Guard:
    """The application for one session."""

    async def file(request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        if name not in ASSETS:
            return PlainTextResponse("no such file", 404)
        text = asset(name)
        if name == "index.html":
            text = text.replace("<!-- explorer -->", '<script src="explore.js"></script>')
            # The frame of a page takes this policy over, and while the page is labelled it sends a form here.
            text = text.replace("frame-src data: blob:", "frame-src data: blob: 'self'")
            text = text.replace("form-action 'none'", "form-action 'self'")
        return Response(text, media_type=TYPES[name.rpartition(".")[2]])

    async def data(request: Request) -> Response:
        try:
            text = await run_in_threadpool(session.data, request.path_params["name"])
        except KeyError:
            return PlainTextResponse("no such data", 404)
        except SitegrainError as error:
            return PlainTextResponse(str(error), 409)
        return Response(text, media_type="text/javascript")

    async def svg(_: Request) -> Response:
        return Response(await run_in_threadpool(session.files.svg), media_type="image/svg+xml")

    def answers(work: Callable[[Any], Any]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                given = dict(request.query_params) if request.method == "GET" else await request.json()
                if not isinstance(given, dict):
                    return JSONResponse({"error": "an object is needed"}, 400)
                return JSONResponse(await run_in_threadpool(work, given))
            except SitegrainError as error:
                return JSONResponse({"error": str(error)}, 409)
            except (ValueError, KeyError, TypeError):
                return JSONResponse({"error": "the request makes no sense"}, 400)

        return endpoint

    def search(given: dict[str, Any]) -> Any:
        return session.search(str(given["q"])[:1000])

    def run(given: dict[str, Any]) -> Any:
        settings = given.get("settings") or {}
        if not isinstance(settings, dict) or not all(isinstance(v, str) and len(v) < 1000 for v in settings.values()):
            raise UsageError("settings must be names with text values")
        return session.run(str(given["method"]), settings)

    def compare(given: dict[str, Any]) -> Any:
        return session.compare(int(given["page"]) if "page" in given else None)

    async def label(request: Request) -> Response:
        """The form in a page's frame. What it says is shown there until the explorer goes on."""
        try:
            given = parse_qs((await request.body()).decode("ascii"), max_num_fields=100_000)
            blocks = block_numbers([int(number) for number in given.get("b", [])])
            page, kind = int(request.path_params["page"]), given["kind"][0]
            row = await run_in_threadpool(session.label, page, kind, blocks)
            said = {"page": page, **row}
        except SitegrainError as error:
            said = {"error": str(error)}
        except (ValueError, KeyError, IndexError):
            said = {"error": "the label makes no sense"}
        session.said = {**said, "n": session.said["n"] + 1}
        status = 200 if "error" not in said else 409
        style = "<style>body{font:15px system-ui;color-scheme:light dark;padding:2em}</style>"
        words = "Written." if status == 200 else "Not written."
        return HTMLResponse(f"<!doctype html><meta charset=utf-8><title>Label</title>{style}<p>{words}", status)

    root = f"/{token}"
    routes = [
        Route(f"{root}/", file),
        Route(f"{root}/distilled.svg", svg),
        Route(f"{root}/data/{{name}}.js", data),
        Route(f"{root}/api/search", answers(search)),
        Route(f"{root}/api/compare", answers(compare)),
        Route(f"{root}/api/said", answers(lambda _: session.said)),
        Route(f"{root}/label/{{page:int}}", label, methods=["POST"]),
        Route(f"{root}/api/run", answers(run), methods=["POST"]),
        Route(f"{root}/api/save-model", answers(lambda _: {"saved": session.save_model()}), methods=["POST"]),
        Route(f"{root}/{{name}}", file),
    ]
    return Guard(Starlette(routes=routes), token, port)


def listen(port: int = 0) -> socket.socket:
    """A socket on loopback; port 0 takes any free one."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    return made


def new_token() -> str:
    """A secret for the addresses of one run."""
    return secrets.token_urlsafe(24)


def serve(session: Session, bound: socket.socket, token: str) -> None:
    """Answer until interrupted."""
    try:
        import uvicorn
    except ImportError as error:  # pragma: no cover
        raise MissingExtraError("The explorer", "web") from error
    app = create_app(session, token, int(bound.getsockname()[1]))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, ws="none", lifespan="off")
    )
    try:
        server.run(sockets=[bound])
    finally:
        session.close()
