import numpy as np

from sitegrain.roles.templates import page_templates
from tests.builders import site_of


def article(n: int, language: str = "en") -> str:
    body = f"<article class='post post-{n}'><h1>t{n}</h1><p>{n}</p></article>"
    return f"<html lang={language}><body><div class=top>x</div>{body}"


def listing(n: int) -> str:
    return f"<html lang=en><body><div class=top>x</div><ul class=list><li><a href={n}>a</a><li><a href=b>b</a></ul><hr>"


def test_two_templates_and_two_languages() -> None:
    pages = [article(i) for i in range(6)] + [listing(i) for i in range(4)]
    pages += [article(i, "fr") for i in range(3)]
    found = page_templates(site_of(*pages))
    assert found.tolist() == [0] * 6 + [1] * 4 + [2] * 3
    one_language = page_templates(site_of(*pages), by_language=False)
    assert one_language.tolist() == [0] * 6 + [1] * 4 + [0] * 3


def test_scrambled_names_change_nothing() -> None:
    pages = [article(i) for i in range(5)] + [listing(i) for i in range(5)]
    renamed = [p.replace("post", "qq").replace("top", "zz").replace("list", "kk") for p in pages]
    assert np.array_equal(page_templates(site_of(*pages)), page_templates(site_of(*renamed)))


def test_nothing_to_part() -> None:
    assert page_templates(site_of()).tolist() == []
    assert page_templates(site_of("<p>a")).tolist() == [0]
    assert page_templates(site_of(*["<p>a"] * 3)).tolist() == [0, 0, 0]
