"""Cookies of one crawl, where its user wants them: in memory, and only of the site that set them."""

from __future__ import annotations

from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from sitegrain.sources.crawl.middleware import job_of
from sitegrain.tables.address import is_registered, site_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MAX_COOKIE = 4096
"""Letters of a cookie's name and value, as in browsers (RFC 6265 asks for so many at least)."""
MAX_COOKIES, MAX_HELD = 50, 3000
"""Cookies for a site and for a crawl that are kept: what RFC 6265 asks for at least."""


class _Policy(DefaultCookiePolicy):
    """As a browser: no cookie for all of `co.uk`, and no more than a server can mean."""

    def __init__(self) -> None:
        super().__init__(strict_ns_domain=DefaultCookiePolicy.DomainLiberal)
        self.held: CookieJar = CookieJar(self)

    def set_ok(self, cookie: Cookie, request: Any) -> bool:
        if len(cookie.name) + len(cookie.value or "") > MAX_COOKIE or not super().set_ok(cookie, request):
            return False
        domain = cookie.domain.removeprefix(".")
        if cookie.domain_specified and not is_registered(domain):
            return False
        is_known = any(cookie.name in names for names in self.held._cookies.get(cookie.domain, {}).values())
        if is_known:
            return True
        of_site = sum(site_key(other.domain.removeprefix(".")) == site_key(domain) for other in self.held)
        return of_site < MAX_COOKIES and len(self.held) < MAX_HELD


class CookieMiddleware:
    """Keeps what answers set, and sends it along."""

    def __init__(self) -> None:
        self._held = _Policy().held

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CookieMiddleware:
        from scrapy.exceptions import NotConfigured

        if not job_of(crawler).options.cookies:
            raise NotConfigured
        return cls()

    def process_request(self, request: Request, spider: Any = None) -> None:
        request.headers.pop("Cookie", None)  # of an earlier try
        self._held.add_cookie_header(request)

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        if b"Set-Cookie" in response.headers:
            self._held.extract_cookies(response, request)
        return response
