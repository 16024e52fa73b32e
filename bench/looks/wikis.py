"""Wikis and blogs that real programs print of known contents: MediaWiki with five skins, DokuWiki, ABlog with themes of Sphinx, and the blog of Material for MkDocs.

    python bench/looks/wikis.py OUT TOOLS [NAME]...

Needs Debian's mediawiki, mediawiki-skin-greystuff, dokuwiki, php-cli and php-sqlite3, and TOOLS with `venv/` (ablog, mkdocs-material and themes). Pages are served by PHP on loopback.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "docsites"))

from files import png, run, write
from pages import Block, Inline
from served import tell
from stuff import Item, Stuff
from writers import Markdown, Rst, Truth

PORT = 8431
SKINS = {"vector": "en", "vector-2022": "ar", "monobook": "de", "timeless": "zh", "minerva": "es", "greystuff": "ru"}
THEMES = {
    "alabaster": "en",
    "sphinx_book_theme": "es",
    "pydata_sphinx_theme": "ru",
    "sphinx_rtd_theme": "en",
}


class Wiki:
    """Text of a wiki; `signs` are those of its markup."""

    def __init__(self, stuff: Stuff, signs: dict[str, Any]) -> None:
        self.stuff, self.signs = stuff, signs

    def page(self, item: Item) -> str:
        self.item = item
        return "\n\n".join([*self.signs["head"](item), *map(self.block, item.blocks), *self.signs["foot"](item)]) + "\n"

    def line(self, inl: Inline) -> str:
        out = []
        for kind, text, *more in inl:
            if kind == "page":
                out.append(
                    self.signs["page"].format(
                        self.stuff.pages[more[0]].title if self.signs["by_title"] else more[0], text
                    )
                )
            elif kind == "ext":
                out.append(self.signs["ext"].format(more[0], text))
            else:
                out.append(self.signs.get(kind, "{}").format(text))
        return "".join(out)

    def block(self, block: Block) -> str:
        kind = block[0]
        if kind == "p":
            return self.line(block[1])
        if kind == "quote":
            return self.signs["quote"].format(self.line(block[1]))
        if kind == "h":
            return self.signs["h"].format(self.item.heads[block[2]])
        if kind in ("ul", "ol"):
            return self.items(block, "")
        if kind == "code":
            return self.signs["code"].format(block[1], block[2])
        return self.signs["table"](block)

    def items(self, block: Block, before: str) -> str:
        sign = before + self.signs[block[0]]
        lines = []
        for inl, below in block[1]:
            lines.append(f"{sign} {self.line(inl)}")
            if below:
                lines.append(self.items(below, sign if self.signs["stacks"] else before + "  "))
        return "\n".join(lines)


MEDIAWIKI = {
    "head": lambda item: [], "foot": lambda item: [f"[[Category:{item.tags[0]}]]"], "by_title": True, "stacks": True, "page": "[[{}|{}]]", "ext": "[{} {}]", "b": "'''{}'''", "i": "''{}''", "c": "<code>{}</code>",
    "quote": "<blockquote>{}</blockquote>", "h": "== {} ==", "ul": "*", "ol": "#", "code": "<pre class=\"{}\">{}</pre>",
    "table": lambda b: "\n".join(['{| class="wikitable"', "! " + " !! ".join(b[1]), *("|-\n| " + " || ".join(row) for row in b[2]), "|}"]),
}  # fmt: skip
DOKUWIKI = {
    "head": lambda item: [f"====== {item.title} ======"], "foot": lambda item: [], "by_title": False, "stacks": False, "page": "[[{}|{}]]", "ext": "[[{}|{}]]", "b": "**{}**", "i": "//{}//", "c": "''%%{}%%''",
    "quote": "> {}", "h": "===== {} =====", "ul": "  *", "ol": "  -", "code": "<code {}>\n{}\n</code>", "table": lambda b: "\n".join(["^ " + " ^ ".join(b[1]) + " ^", *("| " + " | ".join(row) + " |" for row in b[2])]),
}  # fmt: skip


def without_pictures(stuff: Stuff) -> Stuff:
    for item in stuff.items_:
        item.blocks = [block for block in item.blocks if block[0] != "img"]
        item.said = []
    stuff.images = []
    return stuff


def fetched(url: str) -> Any:
    """What a server says, also of a category without a text of its own, which MediaWiki calls missing."""
    try:
        return urllib.request.urlopen(url, timeout=60)
    except urllib.error.HTTPError as error:
        return error


def served(root: Path, paths: dict[str, str], html: Path) -> None:
    """Each path of a PHP site to its file."""
    server = subprocess.Popen(
        ["php", "-S", f"127.0.0.1:{PORT}", "-t", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(1)
        for name, path in paths.items():
            with fetched(f"http://127.0.0.1:{PORT}{path}") as answer:
                write(html / name, answer.read().decode().replace(f"http://127.0.0.1:{PORT}", ""))
    finally:
        server.terminate()


def mediawiki(name: str, site: Path, tools: Path, skin: str, language: str) -> None:
    stuff = without_pictures(Stuff(name, language, "blog"))
    root, work = site / "work/w", site / "work"
    shutil.copytree(
        "/usr/share/mediawiki",
        root,
        ignore=lambda at, names: [
            n for n in names if at == "/usr/share/mediawiki" and n in ("LocalSettings.php", "images", "config")
        ],
        ignore_dangling_symlinks=True,
    )
    (root / "images").mkdir()
    (work / "data").mkdir()
    command = f"php maintenance/install.php --dbtype sqlite --dbpath {work}/data --dbname wiki --scriptpath= --server http://127.0.0.1:{PORT} --lang {language} --pass kilnkiln12345 --confpath {root} Kilnwiki Admin"
    run(list(command.split()), root)
    settings = (root / "LocalSettings.php").read_text()
    folder = {
        "vector-2022": "Vector",
        "vector": "Vector",
        "monobook": "MonoBook",
        "timeless": "Timeless",
        "minerva": "MinervaNeue",
        "greystuff": "GreyStuff",
    }[skin]
    settings += f"\nwfLoadSkin('{folder}');\n$wgDefaultSkin='{skin}';\n$wgArticlePath='/wiki/$1.html';\n$wgUseInstantCommons=false;\n$wgParserCacheType=CACHE_NONE;\n$wgMainCacheType=CACHE_NONE;\n"
    write(root / "LocalSettings.php", settings)
    wiki = Wiki(stuff, MEDIAWIKI)
    for item in stuff.items_:
        write(work / "texts" / item.title, wiki.page(item))
    run(["php", "maintenance/importTextFiles.php", "--overwrite", *sorted((work / "texts").iterdir())], root)
    truth = Truth(lambda page: address(stuff.pages[page].title), f"https://{name}.example/")
    said = [truth.row(item, {}) | {"author": None, "date": None} for item in stuff.items_]
    category = {"ar": "تصنيف", "de": "Kategorie", "zh": "Category", "es": "Categoría", "ru": "Категория"}.get(
        language, "Category"
    )
    paths = {
        f"wiki/{item.title.replace(' ', '_')}.html": "/index.php?title="
        + urllib.parse.quote(item.title.replace(" ", "_"))
        for item in stuff.items_
    }
    for tag in dict.fromkeys(item.tags[0] for item in stuff.items_):
        title = f"{category}:{tag[0].upper() + tag[1:]}"
        paths[f"wiki/{title.replace(' ', '_')}.html"] = "/index.php?title=" + urllib.parse.quote(title)
        entries = [[truth.base + address(item.title), item.title] for item in stuff.items_ if item.tags[0] == tag]
        if len(entries) > 2:
            said.append({"url": truth.base + address(title), "role": "toc", "entries": entries})
    served(root, paths, site / "html")
    tell(site, said)


def address(title: str) -> str:
    return "wiki/" + urllib.parse.quote(title.replace(" ", "_"), safe=":,") + ".html"


def dokuwiki(name: str, site: Path, tools: Path, _: str, language: str) -> None:
    stuff = without_pictures(Stuff(name, language, "blog"))
    root = site / "work/w"
    shutil.copytree(
        "/usr/share/dokuwiki",
        root,
        symlinks=False,
        ignore_dangling_symlinks=True,
        ignore=lambda at, names: [n for n in names if at == "/usr/share/dokuwiki" and n in ("data", "conf")],
    )
    shutil.copytree(
        "/etc/dokuwiki",
        root / "conf",
        ignore_dangling_symlinks=True,
        ignore=lambda _, names: [n for n in names if "local" in n or (n.endswith(".conf") and n.startswith("apache"))],
    )
    for folder in (
        "attic",
        "cache",
        "index",
        "locks",
        "media",
        "meta",
        "media_attic",
        "media_meta",
        "pages",
        "tmp",
        "log",
    ):
        (root / "data" / folder).mkdir(parents=True)
    write(root / "inc/preload.php", f"<?php define('DOKU_CONF','{root}/conf/'); define('DOKU_LOCAL','{root}/conf/');\n")
    write(
        root / "conf/local.php",
        f"<?php $conf['title']='Ofenwiki'; $conf['lang']='{language}'; $conf['useacl']=0; $conf['savedir']='{root}/data'; $conf['userewrite']=0; $conf['license']='cc-by-sa'; $conf['superuser']='';\n",
    )
    wiki = Wiki(stuff, DOKUWIKI)
    for item in stuff.items_:
        write(root / f"data/pages/{item.name}.txt", wiki.page(item))
    groups: dict[int, list[Item]] = {}
    for item in stuff.items_:
        groups.setdefault(item.section, []).append(item)
    said = [
        Truth(lambda page: f"wiki/{page}.html", f"https://{name}.example/").row(item, {})
        | {"author": None, "date": None}
        for item in stuff.items_
    ]
    paths = {f"wiki/{item.name}.html": f"/doku.php?id={item.name}" for item in stuff.items_}
    for section, items in groups.items():
        text = "\n".join(
            [
                f"====== {stuff.sections[section]} ======",
                "",
                stuff.prose.sentence(),
                "",
                *(f"  * [[{item.name}|{item.title}]]" for item in items),
            ]
        )
        write(root / f"data/pages/list{section}.txt", text)
        paths[f"wiki/list{section}.html"] = f"/doku.php?id=list{section}"
        said.append(
            {
                "url": f"https://{name}.example/wiki/list{section}.html",
                "role": "toc",
                "entries": [[f"https://{name}.example/wiki/{item.name}.html", item.title] for item in items],
            }
        )
    served(root, paths, site / "html")
    for page in (site / "html").rglob("*.html"):
        text = page.read_text()
        for at in ("/doku.php?id=", "/doku.php/"):
            text = text.replace(f'href="{at}', 'href="/wiki/')
        for other in [*stuff.pages, *(f"list{section}" for section in groups)]:
            text = text.replace(f'href="/wiki/{other}"', f'href="/wiki/{other}.html"')
        page.write_text(text)
    tell(site, said)


def ablog(name: str, site: Path, tools: Path, theme: str, language: str) -> None:
    stuff = without_pictures(Stuff(name, language, "blog"))
    work, writer = site / "work", Rst()
    for item in stuff.items_:
        item.name = f"posts/{item.name}"
    stuff.pages = {item.name: item for item in stuff.items_}
    for item in stuff.items_:
        item.blocks = [fixed(block) for block in item.blocks]
    titles = {item.name: item.title for item in stuff.items_}
    for item in stuff.items_:
        text = writer.page(item, titles)
        write(
            work / f"{item.name}.rst",
            f".. post:: {item.date}\n   :tags: {', '.join(item.tags[:2])}\n   :author: {item.author}\n\n{text}",
        )
    write(work / "index.rst", "Kiln\n====\n\n.. postlist:: 12\n   :excerpts:\n")
    side = (
        "html_sidebars = {'**': ['ablog/postcard.html', 'ablog/recentposts.html', 'ablog/tagcloud.html', 'ablog/archives.html']}\n"
        if theme != "sphinx_rtd_theme"
        else ""
    )
    write(
        work / "conf.py",
        f"project='Kiln'\nextensions=['ablog']\nhtml_theme={theme!r}\nlanguage={language!r}\nblog_baseurl='https://{name}.example/'\nblog_title='Kiln'\npost_auto_excerpt=1\nexclude_patterns=['out']\n{side}",
    )
    run([tools / "venv/bin/python", "-m", "sphinx", "-q", "-b", "html", ".", "out"], work)
    shutil.copytree(work / "out", site / "html")
    truth = Truth(lambda page: f"{page}.html", f"https://{name}.example/")
    said = [truth.row(item, titles) for item in stuff.items_]
    newest = stuff.newest()
    said.append(
        {
            "url": f"{truth.base}blog.html",
            "role": "toc",
            "entries": [[f"{truth.base}{item.name}.html", item.title] for item in newest],
        }
    )
    tell(site, said)


def fixed(block: Block) -> Block:
    """Links to pages by their new names."""

    def line(inl: Inline) -> Inline:
        return [
            ("page", text, f"posts/{more[0]}") if kind == "page" else (kind, text, *more) for kind, text, *more in inl
        ]

    if block[0] in ("p", "quote"):
        return (block[0], line(block[1]))
    if block[0] in ("ul", "ol"):
        return (block[0], [(line(inl), fixed(below) if below else None) for inl, below in block[1]])
    return block


def material(name: str, site: Path, tools: Path, _: str, language: str) -> None:
    stuff = Stuff(name, language, "blog")
    work = site / "work"
    writer = Markdown({"boxes": "pymd", "link": "{}.md", "image": "/img/"})
    titles = {item.name: item.title for item in stuff.items_}
    people = sorted({item.author for item in stuff.items_})
    for item in stuff.items_:
        head = f"---\ndate: {item.date}\nauthors: [p{people.index(item.author)}]\ncategories: [{stuff.sections[item.section]}]\nslug: {item.name}\n---\n\n"
        text = writer.page(item, titles)
        first, _, rest = text.partition("\n\n")
        second, _, rest = rest.partition("\n\n")
        write(work / f"docs/blog/posts/{item.name}.md", f"{head}{first}\n\n{second}\n\n<!-- more -->\n\n{rest}")
    for image in stuff.images:
        png(work / f"docs/img/{image}.png", image)
    write(
        work / "docs/blog/.authors.yml",
        json.dumps(
            {
                "authors": {
                    f"p{i}": {"name": who, "description": "Potter", "avatar": "https://example.org/a.png"}
                    for i, who in enumerate(people)
                }
            }
        ),
    )
    write(work / "docs/blog/index.md", "# Blog\n")
    write(work / "docs/index.md", "# Kiln\n\nHome\n")
    about = {
        "site_name": "Kiln", "site_url": f"https://{name}.example/", "theme": {"name": "material", "language": language}, "plugins": [{"blog": {"post_url_format": "{slug}"}}, "search"],
        "markdown_extensions": ["tables", "fenced_code", "attr_list", {"toc": {"permalink": True}}],
    }  # fmt: skip
    write(work / "mkdocs.yml", json.dumps(about))
    run([tools / "venv/bin/python", "-m", "mkdocs", "build", "-q"], work)
    shutil.copytree(work / "site", site / "html")
    truth = Truth(lambda page: f"blog/{page}/", f"https://{name}.example/")
    said = []
    for item in stuff.items_:
        row = truth.row(item, titles)
        row["markdown"] = row["markdown"].replace(f"]({truth.base}img", f"]({truth.base}img/img")
        said.append(row)
    newest = stuff.newest()
    said.append(
        {
            "url": f"{truth.base}blog/",
            "role": "toc",
            "entries": [[f"{truth.base}blog/{item.name}/", item.title] for item in newest[:10]],
        }
    )
    tell(site, said)


SITES: dict[str, tuple[Callable[..., None], str, str]] = {
    **{f"mediawiki-{skin}": (mediawiki, skin, language) for skin, language in SKINS.items()}, "dokuwiki": (dokuwiki, "", "de"), "dokuwiki-ja": (dokuwiki, "", "ja"),
    **{f"ablog-{theme.replace('_', '-')}": (ablog, theme, language) for theme, language in THEMES.items()}, "material-blog": (material, "", "en"), "material-blog-zh": (material, "", "zh"),
}  # fmt: skip


def main() -> None:
    out, tools, *names = sys.argv[1:]
    for name in names or SITES:
        builder, look, language = SITES[name]
        site = Path(out).absolute() / name
        shutil.rmtree(site, ignore_errors=True)
        (site / "work").mkdir(parents=True)
        try:
            builder(name, site, Path(tools).absolute(), look, language)
            print(f"{name}: built")
        except (RuntimeError, OSError) as error:
            print(f"{name}: FAILED {str(error).strip()[-700:]}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
