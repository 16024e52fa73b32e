"""Pages where members log in, register or ask for a new password: neither articles nor lists.

They are told by two things that must come together: an address named after it, and a field for a password, a name or an address of mail. Of 277
such pages of 360 sites that nothing was learned from, all are what their address says, and 155 had been taken for articles or
lists; on the labelled sites and the WCXB pages two have both and are neither, and seven have such an address alone: articles about it, and
lists of them.
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

LONGEST = 1_000
"""Characters of an address that are looked at."""
LAST_FOLDERS = 3
"""Parts of a path, from its end, that may say it: `customer/account/login/referer/...` is rare."""
MAX_FIELDS = 200
"""Fields of a page that are looked at."""
_INPUT = TAG_CODE["input"]
_FORGOT = r"(?:forgot(?:ten)?|lost|reset|recover|remind|find|retrieve)"
_PASSWORD = r"(?:password|passwort|passwd|pwd|pass)"
_ENDING = re.compile(r"\.\w{2,5}$")
_JOINTS = re.compile(r"[-_+ ]")
_ASKED = re.compile(r"mail|user|login", re.IGNORECASE)


@cache
def _named() -> re.Pattern[str]:
    return re.compile(
        r"(?:user|member|customer|client|my|secure)?"
        r"(?:log(?:in|on|ind)|sign(?:in|on|up)|regist(?:er|ration|rieren|razione|racija)?|rejestracja|inscription|connexion|anmelden|"
        r"auth(?:entification|entication)?|(?:create|new)account|account(?:create)?|(?:kunden)?konto|password|passwort|"
        rf"{_FORGOT}(?:your|my)?{_PASSWORD}|{_PASSWORD}(?:forgot(?:ten)?|reset|recover(?:y)?|remind(?:er)?|vergessen|lost))(?:form|user|account)?"
    )


def is_for_members(url: str) -> bool:
    """Whether an address is named after logging in, registering or a lost password.

    >>> is_for_members("http://a.org/customer/account/login/"), is_for_members("http://a.org/?action=lost-password")
    (True, True)
    >>> is_for_members("http://a.org/2010/how-to-register.html"), is_for_members("http://login.example/")
    (False, False)
    """
    path, _, query = unquote(url[:LONGEST].partition("://")[2].partition("/")[2]).lower().partition("?")
    asked = [part for pair in query.split("&") for part in pair.split("=", 1)]
    named = _named().fullmatch
    return any(
        named(_JOINTS.sub("", part))
        for part in (*map(_without_ending, path.split("/")[-LAST_FOLDERS:]), *asked)
        if part
    )


def _without_ending(name: str) -> str:
    return _ENDING.sub("", name)


def for_members(site: Site) -> Bools:
    """Per page: it is where members log in, register or ask for a new password."""
    out = np.zeros(site.n_pages, bool)
    for page in range(site.n_pages):
        if is_for_members(site.pages.url[page]):
            rows = site.page_rows(page)
            fields = rows.start + np.flatnonzero(site.nodes.tag[rows] == _INPUT)[:MAX_FIELDS]
            out[page] = any(map(_asks, (site.node_attrs(row) for row in fields.tolist())))
    return out


def _asks(attrs: dict[str, str]) -> bool:
    kind = attrs.get("type", "").lower()
    return kind in ("password", "email") or any(_ASKED.search(attrs.get(name, "")) for name in ("name", "id"))
