"""The options of a crawl, defined once for every command that fetches a site."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from sitegrain.cli.arguments.parameters import Option
from sitegrain.errors import UsageError
from sitegrain.sources.crawl.options import CrawlOptions


def crawl_options(
    scope: Annotated[
        str, Option(help="How far to go: domain (with its subdomains), host, or prefix (below the entrance's folder)")
    ] = "domain",
    depth: Annotated[
        list[str] | None,
        Option(help="Follow at most this many links from the entrance: N, or /path/=N below a path; may be repeated"),
    ] = None,
    max_pages: Annotated[int, Option(help="Stop after this many pages; 0 is no limit")] = 10_000,
    max_bytes: Annotated[int, Option(help="Stop after this many bytes of pages; 0 is no limit")] = 4 << 30,
    include: Annotated[
        list[str] | None, Option(help="Only fetch addresses that match this regular expression; may be repeated")
    ] = None,
    exclude: Annotated[
        list[str] | None, Option(help="Leave out addresses that match this regular expression; may be repeated")
    ] = None,
    sitemaps: Annotated[bool, Option("--sitemaps", help="Also start from the site's sitemaps")] = False,
    feeds: Annotated[bool, Option("--feeds", help="Also start from RSS and Atom feeds")] = False,
    no_traps: Annotated[bool, Option("--no-traps", help="Also follow links that look endless")] = False,
    delay: Annotated[float, Option(help="Seconds between requests to a host; 0 is no pause")] = 0.5,
    concurrency: Annotated[int, Option(help="At most this many requests at one time")] = 8,
    contact: Annotated[
        str,
        Option(
            help="How the site's owner can reach you, such as an e-mail address; sent with every request",
            envvar="SITEGRAIN_CONTACT",
        ),
    ] = "",
    user_agent: Annotated[str, Option(help="Send this as the whole User-Agent header")] = "",
    no_robots: Annotated[bool, Option("--no-robots", help="Ignore robots.txt (your own site only)")] = False,
    retries: Annotated[int, Option(help="How often to try a failed request again")] = 2,
    page_timeout: Annotated[float, Option(help="At most this many seconds for one page")] = 30.0,
    max_body: Annotated[int, Option(help="At most this many bytes of one page, as sent")] = 16 << 20,
    max_decoded: Annotated[int, Option(help="At most this many bytes of one page, unpacked")] = 64 << 20,
    max_redirects: Annotated[int, Option(help="At most this many redirects in a row")] = 10,
    allow_private: Annotated[
        bool, Option("--allow-private", help="Also connect to loopback and private addresses")
    ] = False,
    insecure: Annotated[bool, Option("--insecure", help="Do not check TLS certificates")] = False,
    earlier: Annotated[Path | None, Option(help="WARC of an earlier crawl: store only what changed since")] = None,
    render: Annotated[
        bool, Option("--render", help="Run scripts in Chromium, and also store the page that they make")
    ] = False,
    browser: Annotated[str, Option(help="The Chromium program for --render")] = "",
) -> CrawlOptions:
    """The options as a crawl takes them."""
    limit, limits = _depths(depth or [])
    return CrawlOptions(
        scope=scope,  # type: ignore[arg-type]  # checked there
        depth=limit,
        depths=limits,
        max_pages=max_pages or None,
        max_bytes=max_bytes or None,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        sitemaps=sitemaps,
        feeds=feeds,
        traps=not no_traps,
        delay=delay,
        concurrency=concurrency,
        obey_robots=not no_robots,
        user_agent=user_agent,
        contact=contact,
        retries=retries,
        allow_private=allow_private,
        verify_tls=not insecure,
        max_body=max_body,
        max_decoded=max_decoded,
        max_redirects=max_redirects,
        page_timeout=page_timeout,
        earlier=str(earlier) if earlier else "",
        render=render,
        browser=browser,
    )


def takes_crawl_options(
    without: tuple[str, ...] = (), *, always: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command all options of a crawl (but those named): it gets them as one argument, `options`. A command that does not
    `always` fetch has them apart from the others on its help page."""

    def changed(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        extra = [
            p for p in inspect.signature(crawl_options, eval_str=True).parameters.values() if p.name not in without
        ]

        def run(**values: Any) -> None:
            found = {p.name: values.pop(p.name) for p in extra}
            command(**values, options=crawl_options(**found))

        named = [p for p in own.parameters.values() if p.name != "options"]
        # Flags that say how to print stand last in every command.
        first = [p for p in named if p.name not in LAST]
        both = [*first, *extra, *(p for p in named if p.name in LAST)]
        run.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in both]
        )
        run.crawl_options = frozenset() if always else frozenset(p.name for p in extra)  # type: ignore[attr-defined]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        return run

    return changed


LAST = ("as_json", "quiet")


def changed_options(options: CrawlOptions) -> list[str]:
    """Which options differ from the defaults, by their names on the command line; `--contact` may be a setting of the
    whole machine and does not count."""
    default = crawl_options()
    names = {"traps": "no-traps", "obey_robots": "no-robots", "verify_tls": "insecure", "depths": "depth"}
    return [
        f"--{names.get(name, name).replace('_', '-')}"
        for name in CrawlOptions.__slots__
        if name not in ("contact", "earlier") and getattr(options, name) != getattr(default, name)
    ]


def _depths(values: list[str]) -> tuple[int | None, dict[str, int]]:
    """`["2", "/news/=4"]` → the general limit and that of each prefix."""
    limit: int | None = None
    limits: dict[str, int] = {}
    for value in values:
        prefix, _, number = value.rpartition("=")
        try:
            if prefix:
                limits[prefix] = int(number)
            else:
                limit = int(number)
        except ValueError:
            raise UsageError(f"--depth {value}: write a number, or /path/=NUMBER") from None
    return limit, limits
