"""The look of 2002: nested tables, font tags, unclosed paragraphs, upper-case tags."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random

from sitegrain.demo.body import Code, Grid, Head, Items, Para, Part, Picture, Quote, Story
from sitegrain.demo.look_modern import ADS
from sitegrain.demo.writer import pick, some

CONTENT_SELECTOR = "td.text"
DROP_SELECTOR = "table.plug"
TOC_SELECTOR = "table.list"

_MENU = (
    ("/2002/index.html", "News Desk"), ("/2002/town.html", "Town"), ("/2002/sport.html", "Sport"),
    ("/2002/zh.html", "Chinese"), ("/advertise.html", "Advertising"), ("/search.html", "Find"),
    ("/index.html", "New site"),
)  # fmt: skip
_KIND = {"strong": "B", "em": "I"}


def _list(part: Items) -> str:
    tag = "OL" if part.is_ordered else "UL"
    out = [
        f"<LI>{escape(item)}" if isinstance(item, str) else "<UL>" + "".join(f"<LI>{escape(i)}" for i in item) + "</UL>"
        for item in part.items
    ]
    return f"<{tag}>\n" + "\n".join(out) + f"\n</{tag}>"


def part_html(part: Part, use_br: bool) -> str:
    """One part of an article in this look."""
    match part:
        case Para(pieces):
            runs = []
            for piece in pieces:
                text = escape(piece.text)
                if piece.kind == "a":
                    runs.append(f'<A HREF="{escape(piece.href)}">{text}</A>')
                else:
                    tag = _KIND.get(piece.kind, "")
                    runs.append(f"<{tag}>{text}</{tag}>" if tag else text)
            text = "".join(runs)
            return f"{text}<BR><BR>" if use_br else f'<P><FONT FACE="Times" SIZE="3">{text}</FONT>'
        case Head(text):
            return f'<P><FONT SIZE="4"><B>{escape(text)}</B></FONT><BR>'
        case Items():
            return _list(part)
        case Grid(caption, rows):
            body = "\n".join("<TR>" + "".join(f"<TD>{escape(c)}" for c in row) for row in rows)
            return f'<TABLE BORDER="1"><CAPTION>{escape(caption)}</CAPTION>\n{body}\n</TABLE>'
        case Code(_, text):
            return f"<PRE>{escape(text)}</PRE>"
        case Quote(text):
            return f"<BLOCKQUOTE><I>{escape(text)}</I></BLOCKQUOTE>"
        case Picture(src, alt, caption):
            return (
                f'<TABLE ALIGN="right" WIDTH="180"><TR><TD><IMG SRC="{src}" ALT="{escape(alt)}" BORDER="0"><BR>'
                f'<FONT SIZE="1">{escape(caption)}</FONT></TABLE>'
            )


def frame(title: str, language: str, main: str, rng: Random, popular: Sequence[Story]) -> str:
    """A whole page: banner, menu column, main column, side column, footer, all in tables."""
    menu = "\n".join(f'<TR><TD BGCOLOR="#003366"><A HREF="{h}">{t}</A></TD></TR>' for h, t in _MENU)
    side = "\n".join(
        f'<TR><TD><FONT SIZE="2"><A HREF="/{s.path}">{escape(s.headline)}</A></FONT>' for s in some(rng, popular, 5)
    )
    return f"""<HTML>
<HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8"><TITLE>Courier Online - {escape(title)}</TITLE>
<META NAME="language" CONTENT="{language}"></HEAD>
<BODY BGCOLOR="#FFFFFF" LINK="#0000CC">
<TABLE WIDTH="760" BORDER="0" CELLPADDING="0"><TR><TD><IMG SRC="/img/banner.gif" ALT="Courier Online">
<TD ALIGN="right"><A HREF="/offers.html">{escape(pick(rng, ADS))}</A></TABLE>
<TABLE WIDTH="760" BORDER="0" CELLSPACING="4"><TR VALIGN="top">
<TD WIDTH="120"><TABLE WIDTH="100%" CELLPADDING="3">
{menu}
</TABLE>
<FONT SIZE="1">Best viewed at 800 by 600 pixels.</FONT></TD>
<TD>
{main}
</TD>
<TD WIDTH="160"><TABLE BGCOLOR="#EEEEEE" WIDTH="100%"><TR><TD><B>In other news</B></TD></TR>
{side}
</TABLE></TD>
</TR></TABLE>
<HR NOSHADE><CENTER><FONT SIZE="1">Copyright 2002 The Lantern Bay Courier. <A HREF="/contact.html">Webmaster</A> |
<A HREF="/about.html">Who we are</A> | No part of these pages may be printed on umbrellas.</FONT></CENTER>
</BODY></HTML>
"""


def article(story: Story, rng: Random, related: Sequence[Story], popular: Sequence[Story]) -> str:
    """An article page of 2002."""
    use_br = rng.random() < 0.35
    body = [part_html(p, use_br) for p in story.parts]
    if rng.random() < 0.3 and len(body) > 3:
        plug = f'<TABLE CLASS="plug" BORDER="1"><TR><TD><A HREF="/offers.html">{escape(pick(rng, ADS))}</A></TABLE>'
        body.insert(2, plug)
    links = "\n".join(f'<LI><A HREF="/{s.path}">{escape(s.headline)}</A>' for s in related)
    newline = "\n"
    board = ""
    if story.comments:
        rows = "".join(f"<TR><TD><B>{escape(who)}:</B><TD>{escape(text)}" for who, text in story.comments)
        board = f'<TABLE BORDER="0" WIDTH="100%"><TR><TD COLSPAN="2">Guest book{rows}</TABLE>'
    main = f"""<TABLE WIDTH="100%"><TR><TD><FONT SIZE="5"><B>{escape(story.headline)}</B></FONT>
<BR><FONT SIZE="1">{story.date}, {escape(story.author)}</FONT></TD></TR>
<TR><TD CLASS="text">
{newline.join(body)}
</TD></TR>
<TR><TD><B>Related stories</B><UL>
{links}
</UL></TD></TR></TABLE>
{board}"""
    return frame(story.headline, story.language, main, rng, popular)


def toc(title: str, language: str, stories: Sequence[Story], rng: Random, popular: Sequence[Story]) -> str:
    """A page of headlines of 2002."""
    rows = "\n".join(
        f'<TR><TD><IMG SRC="/img/dot.gif" ALT=""><TD><A HREF="/{s.path}"><B>{escape(s.headline)}</B></A><BR>'
        f'<FONT SIZE="2">{escape(s.teaser)}</FONT><TD>{s.date}'
        for s in stories
    )
    main = f'<FONT SIZE="5">{escape(title)}</FONT>\n<TABLE CLASS="list" WIDTH="100%">\n{rows}\n</TABLE>'
    return frame(title, language, main, rng, popular)
