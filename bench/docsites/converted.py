"""Manuals in formats that pandoc writes from Markdown, and the programs that turn these into pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.sax.saxutils import escape

from files import run, write
from generators import ending, pictures, sources
from pages import Manual, Page
from writers import Address, Markdown

STYLE = {"boxes": "plain", "ids": " {#sN}", "image": "@img/", "numbers": "{}", "link": "{}.html"}
FROM = "markdown-implicit_figures-smart-auto_identifiers"


class Signed(Markdown):
    """With the title, author and day as pandoc's front matter."""

    def page(self, page: Page, titles: dict[str, str]) -> str:
        _, _, rest = super().page(page, titles).partition("\n")
        about = {"title": page.title} | ({"author": page.author, "date": page.date} if page.author else {})
        return f"---\n{json.dumps(about, ensure_ascii=False)}\n---\n{rest}"


def write_one(work: Path, page: Page) -> None:
    """The page as `one.md`, whose links name pages by their place in the manual."""
    text = Markdown({**STYLE, "link": "x:{}", "ids": ""}).page(page, {})
    folder = page.name.partition("/")[0]
    write(work / "one.md", text.replace("](x:../", "](x:").replace("](x:./", f"](x:{folder}/"))


def pandoc(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work, Signed({**STYLE, "numbers": "{{.{} .numberLines}}"}), ".md")
    pictures(manual, work / "img")
    for page in manual.pages:
        command = [
            "pandoc",
            "-f",
            FROM,
            f"{page}.md",
            "-s",
            "--toc",
            "--mathml",
            "-M",
            f"lang={manual.language}",
            "--shift-heading-level-by=0",
            "-o",
            f"{page}.html",
        ]
        run(command, work)
    return work, ending


def asciidoctor(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work, Markdown(STYLE), ".md")
    pictures(manual, work / "img")
    for page in manual.pages.values():
        run(["pandoc", "-f", FROM, f"{page.name}.md", "-t", "asciidoc", "-o", f"{page.name}.adoc"], work)
        text = (work / f"{page.name}.adoc").read_text()
        body = re.sub(r"^==", "=", re.sub(r"^(?:\[\[.*\]\]\n)?=+ .*\n", "", text, count=1), flags=re.MULTILINE)
        signed = f"{page.author}\n{page.date}\n" if page.author else ""
        write(
            work / f"{page.name}.adoc",
            f"= {page.title}\n{signed}:toc: left\n:stem: latexmath\n:lang: {manual.language}\n\n{body}",
        )
        run(["asciidoctor", "-a", "source-highlighter=rouge", f"{page.name}.adoc"], work)
    return work, ending


def latexml(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work, Signed(STYLE), ".md")
    pictures(manual, work / "img")
    packages = "".join(
        f"\\usepackage{{{name}}}\n"
        for name in ("amsmath", "graphicx", "hyperref", "longtable", "booktabs", "array", "calc")
    )
    for page in manual.pages.values():
        run(["pandoc", "-f", FROM, f"{page.name}.md", "-t", "latex", "--no-highlight", "-o", f"{page.name}.tex"], work)
        signed = f"\\author{{{page.author}}}\n\\date{{{page.date}}}\n" if page.author else "\\date{}\n"
        text = re.sub(
            r"\\tightlist|\\label\{[^}]*\}|\\hypertarget\{[^}]*\}\{%\n(\\\w+\{.*\})\}",
            r"\1",
            (work / f"{page.name}.tex").read_text(),
        )
        text = text.replace("\\subsubsection{", "\\subsection*{").replace("\\subsection{", "\\section*{")
        write(
            work / f"{page.name}.tex",
            f"\\documentclass{{article}}\n{packages}\\title{{{page.title}}}\n{signed}\\begin{{document}}\n\\maketitle\n{text}\n\\end{{document}}\n",
        )
        run(["latexmlc", "--format=html5", f"--destination={page.name}.html", f"{page.name}.tex"], work)
    return work, ending


def docbook(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    def identity(page: str) -> str:
        return page.replace("/", "-")

    sources(manual, work, Markdown({**STYLE, "link": "x:{}"}), ".md")
    pictures(manual, work / "img")

    def body(page: Page) -> str:
        write_one(work, page)
        run(["pandoc", "-f", FROM, "one.md", "-t", "docbook4", "--top-level-division=section", "-o", "one.xml"], work)
        text = re.sub(r' id="[^"]*"', "", (work / "one.xml").read_text())
        text = re.sub(
            r'<ulink url="x:([^"#]*)(?:#[^"]*)?">(.*?)</ulink>',
            lambda m: f'<link linkend="{identity(m[1])}">{m[2]}</link>',
            text,
            flags=re.DOTALL,
        )
        return text.replace("../img/", "img/")

    chapters = []
    for index in manual.pages["index"].children:
        chapter = manual.pages[index]
        lead = " ".join(piece[1] for piece in chapter.blocks[0][1])
        parts = [
            re.sub("<sect1>", f'<sect1 id="{identity(n)}">', body(manual.pages[n]), count=1) for n in chapter.children
        ]
        chapters.append(
            f'<chapter id="{identity(index)}"><title>{escape(chapter.title)}</title><para>{escape(lead)}</para>{"".join(parts)}</chapter>'
        )
    home = manual.pages["index"].title
    write(
        work / "book.xml",
        f'<?xml version="1.0"?><book lang="{manual.language}" id="index"><title>{escape(home)}</title>{"".join(chapters)}</book>',
    )
    sheet = "/usr/share/xml/docbook/stylesheet/docbook-xsl/xhtml/chunk.xsl"
    options = [
        ("use.id.as.filename", "1"),
        ("chunk.first.sections", "1"),
        ("section.autolabel", "0"),
        ("base.dir", "out/"),
        ("chunk.section.depth", "1"),
    ]
    run(
        ["xsltproc", "--nonet", *(word for pair in options for word in ("--stringparam", *pair)), sheet, "book.xml"],
        work,
    )
    pictures(manual, work / "out/img")
    return work / "out", lambda page: identity(page) + ".html"


def texinfo(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    def identity(page: str) -> str:
        return manual.pages[page].title

    pictures(manual, work / "img")
    parts = []
    for page in manual.pages.values():
        if page.role != "article":
            continue
        write_one(work, page)
        run(["pandoc", "-f", FROM, "one.md", "-t", "texinfo", "--top-level-division=chapter", "-o", "one.texi"], work)
        text = (work / "one.texi").read_text()
        text = re.sub(r"@menu\n.*?@end menu\n", "", text, flags=re.DOTALL)
        text = re.sub(r"@node .*\n|@top .*\n|@anchor\{#?[^}]*\}\n?", "", text)
        text = re.sub(r"@uref\{x:([^,}#]*)(?:#[^,}]*)?,([^}]*)\}", lambda m: f"@ref{{{identity(m[1])}}}", text)
        parts.append(f"@node {identity(page.name)}\n{text.replace('../img/', 'img/')}")
    menu = "\n".join(f"* {identity(p.name)}::" for p in manual.pages.values() if p.role == "article")
    home = manual.pages["index"].title
    write(
        work / "book.texi",
        f"\\input texinfo\n@documentencoding UTF-8\n@settitle {home}\n@node Top\n@top {home}\n\n@menu\n{menu}\n@end menu\n\n"
        + "\n".join(parts)
        + "\n@bye\n",
    )
    run(["makeinfo", "--html", "--split=chapter", "--no-number-sections", "--force", "-o", "out", "book.texi"], work)
    pictures(manual, work / "out/img")
    return (
        work / "out",
        lambda page: (
            identity(page).replace("-", "_002d").replace(" ", "-") + ".html" if page != "index" else "index.html"
        ),
    )


def notebooks(manual: Manual, work: Path, tools: Path, name: str, template: str) -> tuple[Path, Address]:
    pictures(manual, work / "img")
    titles = {page.name: page.title for page in manual.pages.values()}
    writer = Markdown({**STYLE, "ids": ""})
    for page in manual.pages.values():
        text = writer.page(page, titles)
        page.blocks = [
            ("code", "ipython3", *block[2:]) if block[:2] == ("code", "python") else block for block in page.blocks
        ]  # as cells are called
        cells = []
        for i, part in enumerate(re.split(r"```python\n(.*?)\n```", text, flags=re.DOTALL)):
            about = {"metadata": {}, "id": f"c{i}", "source": part.strip()}
            if part.strip():
                cells.append(
                    {"cell_type": "markdown", **about}
                    if i % 2 == 0
                    else {"cell_type": "code", "execution_count": i, "outputs": [], **about}
                )
        kernel = {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        }
        write(
            work / f"{page.name}.ipynb",
            json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}),
        )
        run([tools / "venv/bin/jupyter-nbconvert", "--to", "html", "--template", template, f"{page.name}.ipynb"], work)
    return work, ending
