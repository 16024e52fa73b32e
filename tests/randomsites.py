"""Small random sites with a template, for comparing a method with its oracle."""

from __future__ import annotations

from random import Random

WORDS = "alpha beta gamma delta news home sport contact weather river stone wolf lamp".split()
MARKS = [". ", "! ", " ", " ", ", "]


def text(rng: Random, least: int = 1, most: int = 7) -> str:
    return "".join(rng.choice(WORDS).capitalize() + rng.choice(MARKS) for _ in range(rng.randint(least, most)))


def phrase(rng: Random) -> str:
    kind = rng.randrange(7)
    if kind == 0:
        return f"<a href=x>{text(rng, 1, 3)}</a>"
    if kind == 1:
        return f"{text(rng)}<b>{text(rng, 1, 2)}</b>{text(rng)}"
    if kind == 2:
        return f"{text(rng)}<br>{text(rng)}"
    if kind == 3:
        return f"<span class=s>{text(rng, 1, 2)}</span> <i>{text(rng, 1, 2)}</i>"
    if kind == 4:
        return "<img src=a.png>"
    if kind == 5:
        return f"12{rng.randrange(3)} !"
    return text(rng)


def block(rng: Random, depth: int) -> str:
    kind = rng.randrange(6)
    cls = rng.choice(["", " class=a", " class='a b'", " class=post-12", " align=left", " class=c"])
    if depth <= 0 or kind == 0:
        return f"<p{cls}>{phrase(rng)}</p>"
    if kind == 1:
        return "<ul>" + "".join(f"<li>{phrase(rng)}</li>" for _ in range(rng.randint(1, 3))) + "</ul>"
    if kind == 2:
        return phrase(rng)
    if kind == 3:
        return f"<div{cls}>{phrase(rng)}{block(rng, depth - 1)}{phrase(rng)}</div>"
    inner = "".join(block(rng, depth - 1) for _ in range(rng.randint(1, 3)))
    return f"<div{cls}>{inner}</div>"


def random_pages(seed: int) -> list[str]:
    """One to six pages that share some blocks and differ in others."""
    rng = Random(seed)
    shared = [block(rng, 2) for _ in range(rng.randint(0, 3))]
    pages = []
    for _ in range(rng.randint(1, 6)):
        parts = [s for s in shared if rng.random() < 0.85]
        parts[rng.randint(0, len(parts)) : 0] = [block(rng, 2) for _ in range(rng.randint(0, 3))]
        pages.append(f"<html><head><title>{text(rng, 1, 3)}</title></head><body>{''.join(parts)}</body></html>")
    return pages
