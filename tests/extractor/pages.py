"""Random small pages for the block methods."""

from __future__ import annotations

import random

from sitegrain.tables.site import Site
from tests.builders import site_of

WORDS = [f"{a}{b}" for a in ("ka", "to", "mi", "ren", "sul", "vob", "pex") for b in ("lor", "nix", "dam", "ket", "zu")]
TAGS = "div p table tr td ul li span section nav article h2 b a hr form custom-box title".split()


def random_page(rng: random.Random, depth: int = 4) -> str:
    def words(n: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(n))

    def part(level: int) -> str:
        kind = rng.random()
        if level == 0 or kind < 0.3:
            return words(rng.choice((1, 2, 3, 12, 40))) + " "
        if kind < 0.36:
            return "<img src=a>" if rng.random() < 0.5 else "<hr>"
        name = rng.choice(TAGS)
        name = name if name != "title" or rng.random() < 0.2 else "div"
        label = rng.choice(("", "", " class=x", ' class="x y"', " class=z"))
        inner = "".join(part(level - 1) for _ in range(rng.choice((1, 2, 3, 4))))
        return f"<{name}{label}>{inner}</{name}>"

    return f"<title>{words(2)}</title>" + "".join(part(depth) for _ in range(3))


def template_page(rng: random.Random, menu: str, footer: str) -> str:
    """A page of a template: shared parts, some of them slightly changed, and text of its own."""
    own = " ".join(rng.choice(WORDS) + str(rng.randrange(30)) for _ in range(rng.choice((3, 20, 60))))
    near = menu.replace(WORDS[0], rng.choice(WORDS[:4])) if rng.random() < 0.5 else menu
    return (
        f"<title>Site</title><div class=menu><ul><li>{near}</li></ul></div>"
        f"<div class=main><p>{own}</p></div><div class=foot>{footer}<img src=x></div>"
    )


def random_site(seed: int, n_pages: int = 4) -> Site:
    rng = random.Random(seed)
    return site_of(*(random_page(rng) for _ in range(n_pages)))


def template_site(seed: int, n_pages: int) -> Site:
    rng = random.Random(seed)
    menu = " ".join(rng.sample(WORDS, 14))
    footer = " ".join(rng.sample(WORDS, 6))
    pages = [template_page(rng, menu, footer) for _ in range(n_pages)]
    return site_of(*(p if rng.random() < 0.8 else random_page(rng) for p in pages))
