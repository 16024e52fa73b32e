"""Blogs that generators of npm write: Docusaurus, Starlight, AstroPaper; and TiddlyWiki."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from files import run, write
from served import tell
from stuff import Item
from telling import Told

QUIET = ["env", "CI=1", "ASTRO_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1"]


def head(**fields: Any) -> str:
    return (
        "---\n"
        + "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())
        + "---\n\n"
    )


def blog(name: str, site: Path, tools: Path, language: str) -> Told:
    told = Told(name, site, tools, language, "blog", 36)
    for item in told.items:
        item.said = []
    return told


def done(told: Told, folder: Path, address: Any, lists: list[tuple[str, list[Item]]], **more: Any) -> None:
    shutil.copytree(
        folder,
        told.site / "html",
        ignore=lambda _, names: [
            name for name in names if name.endswith((".js", ".css", ".json", ".xml", ".woff2", ".svg", ".jpg", ".txt"))
        ],
    )
    told.base = f"https://{told.name}.example"
    for item in told.items:
        told.page(item, address(item), **more)
    for path, items in lists:
        told.toc(path, [(address(item), item.title) for item in items])
    tell(told.site, told.rows)


def docusaurus(name: str, site: Path, tools: Path, language: str) -> None:
    told = blog(name, site, tools, language)
    work = told.work
    write(
        work / "docusaurus.config.mjs",
        f"export default {{title: 'Kiln', url: 'https://{name}.example', baseUrl: '/', trailingSlash: true, onBrokenLinks: 'warn', i18n: {{defaultLocale: '{language}', locales: ['{language}']}},\n"
        "presets: [['classic', {docs: false, blog: {routeBasePath: '/', postsPerPage: 10, blogSidebarCount: 8, archiveBasePath: null, showReadingTime: true, onInlineAuthors: 'ignore', onInlineTags: 'ignore', onUntruncatedBlogPosts: 'ignore', feedOptions: {type: null}}}]],\n"
        "themeConfig: {navbar: {title: 'Kiln', items: [{to: '/tags', label: 'Tags'}]}, footer: {copyright: 'Copyright Kiln Works'}}};\n",
    )
    write(work / "package.json", "{}")
    (work / "node_modules").symlink_to(tools / "docusaurus/node_modules")
    for item in told.items:
        text = told.markdown(item.blocks, item)
        first, _, rest = text.partition("\n\n")
        fields = (
            head(slug=item.name, title=item.title, authors=[{"name": item.author}], tags=item.tags[:2])[:-5]
            + f"date: {item.date}T{item.time}\n---\n\n"
        )
        write(work / f"blog/{item.name}.md", f"{fields}{first}\n\n<!-- truncate -->\n\n{rest}")
    run([*QUIET, "node_modules/.bin/docusaurus", "build"], work)
    newest = told.stuff.newest()
    lists = [("/" if not at else f"/page/{at // 10 + 1}/", newest[at : at + 10]) for at in range(0, len(newest), 10)]
    done(told, work / "build", lambda item: f"/{item.name}/", lists)


def starlight(name: str, site: Path, tools: Path, language: str) -> None:
    told = blog(name, site, tools, language)
    work = told.work
    write(
        work / "astro.config.mjs",
        "import { defineConfig } from 'astro/config'; import starlight from '@astrojs/starlight'; import starlightBlog from 'starlight-blog';\n"
        f"export default defineConfig({{site: 'https://{name}.example', integrations: [starlight({{title: 'Kiln', pagefind: false, locales: {{root: {{label: 'x', lang: '{language}'}}}}, plugins: [starlightBlog({{title: 'Kiln Blog', postCount: 10}})]}})]}});\n",
    )
    write(
        work / "src/content.config.ts",
        "import { defineCollection } from 'astro:content'; import { docsLoader } from '@astrojs/starlight/loaders'; import { docsSchema } from '@astrojs/starlight/schema'; import { blogSchema } from 'starlight-blog/schema';\n"
        "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema({ extend: (context) => blogSchema(context) }) }) };\n",
    )
    write(work / "package.json", '{"type": "module"}')
    (work / "node_modules").symlink_to(tools / "starlight/node_modules")
    write(work / "src/content/docs/index.md", head(title="Kiln") + told.stuff.prose.text(3, 3) + "\n")
    for item in told.items:
        fields = (
            head(title=item.title, excerpt=item.teaser)[:-5]
            + f"date: {item.date}\nauthors: [{{name: {json.dumps(item.author, ensure_ascii=False)}}}]\ntags: {json.dumps(item.tags[:2], ensure_ascii=False)}\n---\n\n"
        )
        write(work / f"src/content/docs/blog/{item.name}.md", fields + told.markdown(item.blocks, item))
    run([*QUIET, "node_modules/.bin/astro", "build"], work)
    newest = sorted(told.items, key=lambda item: item.date, reverse=True)
    lists = [
        ("/blog/" if not at else f"/blog/{at // 10 + 1}/", newest[at : at + 10]) for at in range(0, len(newest), 10)
    ]
    done(told, work / "dist", lambda item: f"/blog/{item.name}/", lists)


def astropaper(name: str, site: Path, tools: Path, language: str) -> None:
    told = blog(name, site, tools, language)
    work = told.work
    shutil.copytree(tools / "astropaper", work / "p", ignore=shutil.ignore_patterns("node_modules", "blog"))
    (work / "p/node_modules").symlink_to(tools / "astropaper/node_modules")
    write(
        work / "p/src/utils/generateOgImage.tsx", "export default async () => '<svg></svg>';\n"
    )  # which fetches fonts
    config = (work / "p/src/config.ts").read_text()
    write(
        work / "p/src/config.ts",
        config.replace("postPerPage: 3", "postPerPage: 10").replace(
            "https://liputankarir.github.io", f"https://{name}.example"
        ),
    )
    integrations = (work / "p/astro.config.mjs").read_text()
    write(work / "p/astro.config.mjs", integrations.replace("    sitemap(),\n", ""))
    for item in told.items:
        fields = (
            head(
                author=item.author,
                title=item.title,
                postSlug=item.name,
                featured=False,
                draft=False,
                tags=item.tags[:2],
                ogImage="",
                description=item.teaser,
            )[:-5]
            + f"pubDatetime: {item.date}T{item.time}:00Z\n---\n\n"
        )
        write(work / f"p/src/content/blog/{item.name}.md", fields + told.markdown(item.blocks, item))
    run([*QUIET, "node_modules/.bin/astro", "build"], work / "p")
    newest = told.stuff.newest()
    lists = [(f"/posts/{at // 10 + 1}/" if at else "/posts/", newest[at : at + 10]) for at in range(0, len(newest), 10)]
    done(told, work / "p/dist", lambda item: f"/posts/{item.name}/", lists)
