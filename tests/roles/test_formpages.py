"""Pages that are there for a form."""

from __future__ import annotations

import pytest

import sitegrain
from sitegrain.roles.formpages import LETTERS, MEMBERS, NOTHING, form_pages, named_after
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PROSE = "<p>The kettle is filled, the water is boiled, and the leaves are left to draw for three minutes.</p>"
LOGIN = '<h1>Welcome</h1><form><input name="who"><input type="Password"></form>'
MAIL = '<h1>Forgot it?</h1><form><input type="text" id="your_email"></form>'


@pytest.mark.parametrize(
    "path",
    [
        "login", "login.php", "en/sign-in/", "sign_up.html", "user/register?next=/tea", "customer/account/create/", "forgot-password", "index.php?main_page=password_forgotten",
        "auth.html?cmd=register&skin=blue", "kundenkonto/passwort+vergessen", "wp-login.php?action=lostpassword", "Account/ForgotPassword", "inscription.cfm",
    ],
)  # fmt: skip
def test_addresses_named_after_members(path: str) -> None:
    assert named_after(f"http://tea.example/{path}") == MEMBERS


@pytest.mark.parametrize(
    "path",
    ["", "tags/login-forms/", "2010/05/how-to-register-a-tea.html", "blog/logins.html", "passwords-we-like", "tea?page=2", "registered-teas/"],
)  # fmt: skip
def test_other_addresses(path: str) -> None:
    assert named_after(f"http://tea.example/{path}") == NOTHING


@pytest.mark.parametrize(
    "path", ["contact", "contact-us.html", "de/kontakt/", "contactez_nous.cfm", "contatti/?from=home"]
)
def test_addresses_named_after_letters(path: str) -> None:
    assert named_after(f"http://tea.example/{path}") == LETTERS


def test_a_letter_takes_a_field_for_it_and_an_address() -> None:
    letter = f"{MAIL}<textarea name=text></textarea>"
    pages = [("contact", letter), ("contact", MAIL), ("contact", "<textarea></textarea>"), ("tea", letter)]
    site = build_site(
        [Capture(f"http://tea.example/{n}/{path}", body.encode()) for n, (path, body) in enumerate(pages)]
    )
    assert form_pages(site).tolist() == [True, False, False, False]


def test_it_takes_the_address_and_a_field() -> None:
    pages = [
        ("login", LOGIN),
        ("login", PROSE),
        ("tea.html", LOGIN),
        ("lost-password", MAIL),
        ("signup", '<input type="search" name="q">'),
    ]
    site = build_site(
        [Capture(f"http://tea.example/{n}/{path}", body.encode()) for n, (path, body) in enumerate(pages)]
    )
    assert form_pages(site).tolist() == [True, False, False, True, False]


def test_an_address_of_any_length_is_looked_at() -> None:
    assert named_after("http://tea.example/" + "a" * 1_000_000 + "/login") == NOTHING


def test_roles_of_such_pages_alone_and_with_the_site() -> None:
    alone = sitegrain.extract(LOGIN + PROSE * 9, "http://tea.example/login")
    assert (alone.role, alone.page_type) == ("other", "service")
    captures = [
        Capture(f"http://tea.example/tea/{n}.html", f"<title>Tea {n}</title><h1>Tea {n}</h1>{PROSE * (9 + n)}".encode())
        for n in range(9)
    ]
    captures.append(Capture("http://tea.example/tea/register/", f"<title>Tea</title>{MAIL}{PROSE * 9}".encode()))
    result = sitegrain.mine(captures)
    assert result[9].role == "other"
    assert "named as software names" in str(result.roles.evidence["role_reason"][9])
