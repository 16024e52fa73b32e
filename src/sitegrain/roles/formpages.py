"""Pages that are there for a form: to log in, to register, to get a new password, to write to the site. They are neither articles nor lists.

They are told by two things that must come together: an address named after it, and fields for it. Of 329 such pages of 350 sites that nothing was
learned from, 172 had been taken for articles or lists. On the labelled sites five of the six that have both are neither (the last is called an article);
of the 27 with such an address and no form nine are articles or lists.
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.light import late_pattern
from sitegrain.roles.conventions import LONGEST
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

LAST_FOLDERS = 3
"""Parts of a path, from its end, that may say it: `customer/account/login/referer/...` is rare."""
MAX_FIELDS = 200
"""Fields of a page that are looked at."""
_INPUT, _TEXTAREA = TAG_CODE["input"], TAG_CODE["textarea"]
_FORGOT = r"(?:forgot(?:ten)?|lost|reset|recover|remind|find|retrieve)"
_PASSWORD = r"(?:password|passwort|passwd|pwd|pass)"
_ENDING = re.compile(r"\.\w{2,5}$")
_JOINTS = re.compile(r"[-_+ ]")
_ASKED = re.compile(r"mail|user|login", re.IGNORECASE)


@cache
def _members() -> re.Pattern[str]:
    return re.compile(
        r"(?:user|member|customer|client|my|secure)?"
        r"(?:log(?:in|on|ind)|sign(?:in|on|up)|regist(?:er|ration|rieren|razione|racija)?|rejestracja|inscription|connexion|anmelden|"
        r"auth(?:entification|entication)?|(?:create|new)account|account(?:create)?|(?:kunden)?konto|password|passwort|"
        rf"{_FORGOT}(?:your|my)?{_PASSWORD}|{_PASSWORD}(?:forgot(?:ten)?|reset|recover(?:y)?|remind(?:er)?|vergessen|lost))(?:form|user|account)?"
    )


_LETTERS = late_pattern(
    r"contact(?:s|us|form|o|enos|eznous)?|formcontact|kontakty?|kontaktformular|contatt[io]|contato|feedback|iletisim|kapcsolat"
)
_NAMED = late_pattern(
    r"log|sign|regist|rejestr|inscription|connexion|anmelden|auth|account|konto|pass|pwd|onta[ck]t|contat|feedback|iletisim|kapcsolat"
)
"""What every such name has in it, whatever joins its parts: most addresses have none of these and are not looked at any further."""
NOTHING, MEMBERS, LETTERS = range(3)
"""What an address is named after."""


def named_after(url: str) -> int:
    """Whether an address is named after logging in, registering or a lost password (`MEMBERS`), or after writing to the site (`LETTERS`).

    >>> named_after("http://a.org/customer/account/login/"), named_after("http://a.org/?action=lost-password")
    (1, 1)
    >>> named_after("http://a.org/contact-us.html"), named_after("http://a.org/2010/how-to-register.html")
    (2, 0)
    """
    plain = unquote(url[:LONGEST].partition("://")[2].partition("/")[2]).lower()
    if _NAMED.search(plain) is None:
        return NOTHING
    path, _, query = plain.partition("?")
    folders = [_plain(_ENDING.sub("", name)) for name in path.rstrip("/").split("/")[-LAST_FOLDERS:]]
    asked = (_plain(part) for pair in query.split("&") for part in pair.split("=", 1))
    if any(map(_members().fullmatch, (*folders, *asked))):
        return MEMBERS
    return LETTERS if _LETTERS.fullmatch(folders[-1]) else NOTHING


def _plain(name: str) -> str:
    return _JOINTS.sub("", name)


def form_pages(site: Site) -> Bools:
    """Per page: it is there for a form."""
    out = np.zeros(site.n_pages, bool)
    for page in range(site.n_pages):
        if named := named_after(site.pages.url[page]):
            rows = site.page_rows(page)
            tag = site.nodes.tag[rows]
            fields = rows.start + np.flatnonzero(tag == _INPUT)[:MAX_FIELDS]
            is_asked = any(map(_asks, (site.node_attrs(row) for row in fields.tolist())))
            out[page] = is_asked and (named == MEMBERS or bool((tag == _TEXTAREA).any()))
    return out


def _asks(attrs: dict[str, str]) -> bool:
    kind = attrs.get("type", "").lower()
    return kind in ("password", "email") or any(_ASKED.search(attrs.get(name, "")) for name in ("name", "id"))
