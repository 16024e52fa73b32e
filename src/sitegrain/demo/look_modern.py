"""The HTML5 look: header, nav, main, aside, footer, and the clutter of a newspaper of today."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random

from sitegrain.demo.body import Code, Grid, Head, Items, Para, Part, Picture, Quote, Story
from sitegrain.demo.writer import pick, some

CONTENT_SELECTOR = "div.story-body"
DROP_SELECTOR = "div.promo"
TOC_SELECTOR = "ol.teasers"

MENU = (
    ("/index.html", "Front page"), ("/harbour/index.html", "Harbour"), ("/science/index.html", "Science"),
    ("/kitchen/index.html", "Kitchen"), ("/machines/index.html", "Machines"), ("/zh/index.html", "中文版"),
    ("/archive/index.html", "Archive"), ("/2002/index.html", "Courier 2002"), ("/search.html", "Search"),
)  # fmt: skip
_FOOTER = (
    ("/about.html", "About the Courier"), ("/contact.html", "Contact"), ("/advertise.html", "Advertise with us"),
    ("/offers.html", "Partner offers"), ("/robots.txt", "For robots"),
)  # fmt: skip
ADS = (
    "Bellweather Umbrellas: rain or shine, 20% off this month.",
    "Sleep like a stone: Granite Mattress Company, free delivery.",
    "Fresh ink! Refill your fountain pen at Nib and Sons.",
    "Your tooth fairy accountant: Molar Tax Services.",
    "Learn the accordion in six evenings. Enrol today.",
    "Kettle & Moss tea subscription: the first box is free.",
)
_PROMOS = (
    "Enjoying this story? Get the Courier's morning letter in your inbox.",
    "Support local reporting: subscribe from four crowns a month.",
    "Download our app and never miss a tide.",
)


def _list(part: Items) -> str:
    tag = "ol" if part.is_ordered else "ul"
    out: list[str] = []
    for item in part.items:
        if isinstance(item, str):
            out.append(f"<li>{escape(item)}</li>")
        else:
            nested = "".join(f"<li>{escape(i)}</li>" for i in item)
            out[-1] = out[-1].removesuffix("</li>") + f"\n<ul>{nested}</ul></li>"
    return f"<{tag}>\n" + "\n".join(out) + f"\n</{tag}>"


def part_html(part: Part) -> str:
    """One part of an article in this look."""
    match part:
        case Para(pieces):
            runs = []
            for piece in pieces:
                text = escape(piece.text)
                href = f' href="{escape(piece.href)}"' if piece.kind == "a" else ""
                runs.append(f"<{piece.kind}{href}>{text}</{piece.kind}>" if piece.kind else text)
            return f"<p>{''.join(runs)}</p>"
        case Head(text):
            return f"<h2>{escape(text)}</h2>"
        case Items():
            return _list(part)
        case Grid(caption, rows):
            head = "".join(f"<th>{escape(c)}</th>" for c in rows[0])
            body = "\n".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows[1:])
            return (
                f"<table><caption>{escape(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
                f"<tbody>{body}</tbody></table>"
            )
        case Code(language, text):
            return f'<pre><code class="language-{language}">{escape(text)}</code></pre>'
        case Quote(text):
            return f"<blockquote><p>{escape(text)}</p></blockquote>"
        case Picture(src, alt, caption):
            return f'<figure><img src="{src}" alt="{escape(alt)}"><figcaption>{escape(caption)}</figcaption></figure>'


def _links(pairs: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f'<li><a href="{href}">{escape(text)}</a></li>' for href, text in pairs)


def frame(title: str, language: str, main: str, rng: Random, popular: Sequence[Story]) -> str:
    """A whole page around its main part: menu, side bar and footer as on every other page."""
    side = some(rng, popular, 5)
    cookie = '<div class="cookie" role="dialog">We use cookies to count our readers. <button>Accept</button></div>'
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{escape(title)} | The Lantern Bay Courier</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">
<script>window.courier = {{ page: "{len(title)}" }};</script></head>
<body>
<header class="site"><a class="logo" href="/index.html">The Lantern Bay Courier</a>
<p class="motto">All the news that the tide brings in</p>
<nav class="menu"><ul>
{_links(MENU)}
</ul></nav></header>
{cookie if rng.random() < 0.5 else ""}
<div class="ad top"><a href="/offers.html">{escape(pick(rng, ADS))}</a></div>
<div class="columns">
<main>
{main}
</main>
<aside class="side"><h3>Most read</h3>
<ul>
{_links([("/" + s.path, s.headline) for s in side])}
</ul>
<div class="ad"><a href="/offers.html">{escape(pick(rng, ADS))}</a></div>
<h3>Weather</h3><p>Lantern Bay: {int(rng.random() * 25)} degrees, light rain, wind from the west.</p>
</aside>
</div>
<footer><ul>
{_links(_FOOTER)}
</ul><p>© The Lantern Bay Courier. All rights reserved. Printed on Gull Street since 1871.</p></footer>
<script src="/site.js"></script>
</body>
</html>
"""


def article(story: Story, rng: Random, related: Sequence[Story], popular: Sequence[Story]) -> str:
    """An article page: the story with byline, share links, tags, related stories and comments around it."""
    body = [part_html(p) for p in story.parts]
    if rng.random() < 0.4 and len(body) > 3:
        body.insert(2 + int(rng.random() * (len(body) - 2)), f'<div class="promo"><p>{pick(rng, _PROMOS)}</p></div>')
    if rng.random() < 0.3:
        cut = len(body) // 2
        body = ["<section>", *body[:cut], "</section>", "<section>", *body[cut:], "</section>"]
    tags = ", ".join(f'<a href="/tag/{t}.html" rel="tag">{t}</a>' for t in story.tags)
    comments = ""
    if story.comments:
        rows = "\n".join(
            f'<li><p class="who">{escape(who)} wrote:</p><p>{escape(text)}</p><a href="#reply">Reply</a></li>'
            for who, text in story.comments
        )
        comments = f'<section class="comments"><h3>{len(story.comments)} comments</h3><ul>{rows}</ul></section>'
    newline = "\n"
    main = f"""<article>
<p class="crumbs"><a href="/index.html">Home</a> › <a href="/{story.section}/index.html">{story.section}</a></p>
<h1>{escape(story.headline)}</h1>
<p class="byline">By {escape(story.author)} on <time datetime="{story.date}">{story.date}</time></p>
<ul class="share"><li><a href="#mail">Mail</a></li><li><a href="#print">Print</a></li><li>Share</li></ul>
<div class="story-body">
{newline.join(body)}
</div>
<p class="tags">Filed under {tags}</p>
</article>
<section class="related"><h3>Read next</h3><ul>
{_links([("/" + s.path, s.headline) for s in related])}
</ul></section>
{comments}"""
    return frame(story.headline, story.language, main, rng, popular)


def toc(
    title: str,
    language: str,
    stories: Sequence[Story],
    more: Sequence[tuple[str, str]],
    rng: Random,
    popular: Sequence[Story],
) -> str:
    """A page of headlines; `more` are links to further TOC pages."""
    show_teaser = rng.random() < 0.7
    rows = []
    for s in stories:
        teaser = f"<p>{escape(s.teaser)}</p>" if show_teaser else ""
        rows.append(
            f'<li><h2><a href="/{s.path}">{escape(s.headline)}</a></h2>{teaser}<span class="date">{s.date}</span></li>'
        )
    newline = "\n"
    pager = f'<ul class="pager">{_links(more)}</ul>' if more else ""
    main = f'<h1>{escape(title)}</h1>\n<ol class="teasers">\n{newline.join(rows)}\n</ol>\n{pager}'
    return frame(title, language, main, rng, popular)


def plain(title: str, main: str, rng: Random, popular: Sequence[Story]) -> str:
    """A page that is neither: about, search, advertising."""
    return frame(title, "en", f"<h1>{escape(title)}</h1>\n{main}", rng, popular)
