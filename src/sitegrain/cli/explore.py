"""`sitegrain explore`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo


def explore(
    source: Annotated[str, Argument(help="A result folder of `mine`, or what `mine` takes")],
    pages: Annotated[
        str | None, Option(help="For a result folder: where its pages are now, if they have moved")
    ] = None,
    against: Annotated[Path | None, Option(help="Compare with this other result folder of the site")] = None,
    labels: Annotated[
        Path | None, Option(help="File to write labels to; if not given, labels.jsonl in the result folder")
    ] = None,
    port: Annotated[int, Option(min=0, max=65535, help="Port on this machine; 0 takes any free one")] = 0,
) -> None:
    """Look at a site in a browser: run other methods, search, compare two results, label pages. On this machine only."""
    from sitegrain.web.app import listen, new_token, serve
    from sitegrain.web.session import open_session

    if Path(source).exists() and not (Path(source) / "site.json").is_file():
        echo(f"mining {source} first: `sitegrain mine {source} --out RESULT` would keep what is found", err=True)
    session = open_session(source, pages, against, labels)
    bound, token = listen(port), new_token()
    echo(f"open http://127.0.0.1:{bound.getsockname()[1]}/{token}/ (Ctrl-C ends it)")
    with suppress(KeyboardInterrupt):  # the way to end it, and no failure
        serve(session, bound, token)
