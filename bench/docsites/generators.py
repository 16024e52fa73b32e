"""One function for each generator: sources out of a manual, its command, and how it calls its pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from files import png, run, write
from pages import Manual
from writers import Address, Markdown, Rst

DESIGNED = frozenset(
    ("furo", "pydata_sphinx_theme", "sphinx_book_theme", "shibuya", "sphinxawesome_theme", "sphinx_immaterial")
)
OLD = {
    "press": "sphinx_press_theme", "insegel": "", "guzzle_sphinx_theme": "guzzle_sphinx_theme", "karma_sphinx_theme": "", "sphinx_typlog_theme": "", "yummy_sphinx_theme": "",
    "sphinx_ustack_theme": "", "sphinx_py3doc_enhanced_theme": "sphinx_py3doc_enhanced_theme",
}  # fmt: skip
"""Themes that need Sphinx 5, with the module that knows their path where they have no entry point."""


def pictures(manual: Manual, folder: Path) -> None:
    for name in manual.images:
        png(folder / f"{name}.png", name)


def ending(name: str) -> str:
    return f"{name}.html"


def folders(name: str) -> str:
    """`guide/index` is the folder `guide/`, `guide/tea` the folder `guide/tea/`."""
    return name.removesuffix("index") if name == "index" or name.endswith("/index") else f"{name}/"


def sources(manual: Manual, folder: Path, writer: Any, suffix: str) -> None:
    titles = {page.name: page.title for page in manual.pages.values()}
    for page in manual.pages.values():
        write(folder / (page.name + suffix), writer.page(page, titles))


def sphinx(manual: Manual, work: Path, tools: Path, name: str, theme: str) -> tuple[Path, Address]:
    sources(manual, work, Rst(), ".rst")
    pictures(manual, work / "img")
    extensions = ["sphinx.ext.mathjax", *(["sphinx_design"] if theme in DESIGNED else [])]
    module = {"bootstrap": "sphinx_bootstrap_theme", "cloud": "cloud_sptheme", **OLD}.get(theme, "")
    path = (
        f"import os, {module} as m\np = getattr(m, 'get_html_theme_path', None) or getattr(m, 'html_theme_path', lambda: os.path.dirname(m.__file__))\n"
        if module and theme not in ("press", "cloud")
        else ""
    )
    path += "p = p() if callable(p) else p\nhtml_theme_path = p if isinstance(p, list) else [p]\n" if path else ""
    if theme in ("sphinx_immaterial", "sphinxawesome_theme", "sphinx_material", "sphinx_wagtail_theme"):
        extensions.append(theme)
    options = "html_theme_options = {'font': False}\n" if theme == "sphinx_immaterial" else ""
    language = {"zh": "zh_CN"}.get(manual.language, manual.language)
    write(
        work / "conf.py",
        f"{path}project = 'Kiln {name.split('-')[-1]}'\nauthor = 'Kiln Works'\ncopyright = '2023, Kiln Works'\nrelease = '9.2'\nlanguage = {language!r}\n"
        f"extensions = {extensions!r}\nhtml_theme = {theme!r}\nexclude_patterns = ['out']\n{options}",
    )
    run(
        [
            tools / ("venvold" if theme in OLD else "venv") / "bin/python",
            "-m",
            "sphinx",
            "-q",
            "-b",
            "html",
            ".",
            "out",
        ],
        work,
    )
    return work / "out", ending


def mkdocs(
    manual: Manual, work: Path, tools: Path, name: str, theme: str, tool: str = "mkdocs"
) -> tuple[Path, Address]:
    style = {"boxes": "pymd", "ids": " {#sN}", "image": "@img/", "numbers": '{} linenums="1"'}
    sources(manual, work / "docs", Markdown(style), ".md")
    pictures(manual, work / "docs/img")
    rich = theme == "material"
    extensions: list[Any] = [
        "admonition",
        "attr_list",
        "def_list",
        "footnotes",
        "tables",
        "fenced_code",
        {"toc": {"permalink": True}},
        {"pymdownx.arithmatex": {"generic": True}},
    ]
    if rich:
        extensions += [
            "pymdownx.details",
            "pymdownx.superfences",
            {"pymdownx.tabbed": {"alternate_style": True}},
            {"pymdownx.highlight": {"anchor_linenums": True, "pygments_lang_class": True}},
        ]
        extensions.remove("fenced_code")
    about = {
        "site_name": f"Kiln {name.split('-')[-1]}",
        "site_url": f"https://{name}.example/",
        "theme": {"name": theme},
        "markdown_extensions": extensions,
        "plugins": ["search"],
    }
    if theme == "material":
        about["theme"] |= {
            "language": manual.language,
            "features": ["navigation.tabs", "navigation.indexes", "content.code.copy"],
        }
        about["repo_url"] = "https://github.com/kiln/kiln"
    write(work / "mkdocs.yml", json.dumps(about))  # JSON is YAML
    run([tools / "venv/bin/python", "-m", tool, "build", *(["-q"] if tool == "mkdocs" else [])], work)
    return work / "site", folders


def node(
    manual: Manual, work: Path, tools: Path, package: str, commands: list[list[str]], html: str, address: Address
) -> tuple[Path, Address]:
    """Run programs of a package of npm in the folder of the sources."""
    (work / "node_modules").symlink_to(tools / "npm" / package / "node_modules")
    for command in commands:
        run(["env", "CI=1", "ASTRO_TELEMETRY_DISABLED=1", f"node_modules/.bin/{command[0]}", *command[1:]], work)
    return work / html, address


def docusaurus(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(
        manual, work / "docs", Markdown({"boxes": "colon", "ids": " {#sN}", "numbers": "{} showLineNumbers"}), ".md"
    )
    pictures(manual, work / "static/img")
    write(
        work / "docusaurus.config.mjs",
        "import math from 'remark-math'; import katex from 'rehype-katex';\n"
        f"export default {{title: 'Kiln', url: 'https://{name}.example', baseUrl: '/', trailingSlash: true, onBrokenLinks: 'warn', i18n: {{defaultLocale: '{manual.language}', locales: ['{manual.language}']}},\n"
        "presets: [['classic', {docs: {routeBasePath: '/', remarkPlugins: [math], rehypePlugins: [katex], showLastUpdateTime: false}, blog: false}]],\n"
        "themeConfig: {navbar: {title: 'Kiln', items: [{type: 'doc', docId: 'index', label: 'Manual'}]}, footer: {copyright: 'Copyright Kiln Works'}}};\n",
    )
    write(work / "package.json", "{}")
    return node(manual, work, tools, "docusaurus_core", [["docusaurus", "build"]], "build", folders)


def vitepress(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work, Markdown({"boxes": "vite", "ids": " {#sN}", "numbers": "{}:line-numbers"}), ".md")
    pictures(manual, work / "public/img")
    groups = {
        page.name.partition("/")[0]: [{"text": manual.pages[n].title, "link": "/" + n} for n in page.children]
        for page in manual.pages.values()
        if page.role == "toc" and page.name != "index"
    }
    bar = json.dumps([{"text": folder.title(), "items": items} for folder, items in groups.items()], ensure_ascii=False)
    write(
        work / ".vitepress/config.mjs",
        f"export default {{title: 'Kiln', lang: '{manual.language}', ignoreDeadLinks: true, themeConfig: {{sidebar: {bar}, nav: [{{text: 'Guide', link: '/'}}]}}}};\n",
    )
    write(work / "package.json", '{"type": "module"}')
    return node(manual, work, tools, "vitepress", [["vitepress", "build", "."]], ".vitepress/dist", ending)


def vuepress(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work / "docs", Markdown({"boxes": "vite", "numbers": "{}:line-numbers"}), ".md")
    (work / "docs/index.md").rename(work / "docs/README.md")
    pictures(manual, work / "docs/.vuepress/public/img")
    write(
        work / "docs/.vuepress/config.js",
        "import { viteBundler } from '@vuepress/bundler-vite'; import { defaultTheme } from '@vuepress/theme-default'; import { defineUserConfig } from 'vuepress';\n"
        f"export default defineUserConfig({{lang: '{manual.language}', title: 'Kiln', bundler: viteBundler(), theme: defaultTheme({{sidebar: 'heading', navbar: ['/']}})}});\n",
    )
    write(work / "package.json", '{"type": "module"}')
    return node(manual, work, tools, "vuepressnext", [["vuepress", "build", "docs"]], "docs/.vuepress/dist", ending)


class Starlight(Markdown):
    """The title stands in front matter, and pages are named by their addresses."""

    def page(self, page: Any, titles: dict[str, str]) -> str:
        first, _, rest = super().page(page, titles).partition("\n")
        return f"---\ntitle: {json.dumps(first[2:], ensure_ascii=False)}\n---\n{rest}"

    def link(self, name: str) -> str:
        return "/" + folders(name)


def starlight(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work / "src/content/docs", Starlight({"boxes": "colon"}), ".md")
    pictures(manual, work / "public/img")
    write(
        work / "astro.config.mjs",
        "import { defineConfig } from 'astro/config'; import starlight from '@astrojs/starlight';\n"
        f"export default defineConfig({{site: 'https://{name}.example', integrations: [starlight({{title: 'Kiln', pagefind: false, locales: {{root: {{label: 'x', lang: '{manual.language}'}}}}, "
        "sidebar: "
        + json.dumps(
            [
                {"label": p.name.partition("/")[0].title(), "autogenerate": {"directory": p.name.partition("/")[0]}}
                for p in manual.pages.values()
                if p.children and p.name != "index"
            ]
        )
        + "})]});\n",
    )
    write(
        work / "src/content/config.ts",
        "import { defineCollection } from 'astro:content'; import { docsSchema } from '@astrojs/starlight/schema';\nexport const collections = { docs: defineCollection({ schema: docsSchema() }) };\n",
    )
    write(work / "package.json", '{"type": "module"}')
    return node(manual, work, tools, "astro", [["astro", "build"]], "dist", folders)


def honkit(manual: Manual, work: Path, tools: Path, name: str) -> tuple[Path, Address]:
    sources(manual, work, Markdown({"boxes": "plain"}), ".md")
    (work / "index.md").rename(work / "README.md")
    pictures(manual, work / "img")
    lines = ["# Summary", ""]
    for index in manual.pages["index"].children:
        lines += [
            f"* [{manual.pages[index].title}]({index}.md)",
            *(f"  * [{manual.pages[n].title}]({n}.md)" for n in manual.pages[index].children),
        ]
    write(work / "SUMMARY.md", "\n".join(lines))
    return node(manual, work, tools, "honkit", [["honkit", "build", ".", "_book"]], "_book", ending)
