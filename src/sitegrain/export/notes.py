"""Pages as Markdown files with front matter, in folders by section; and the same as a vault for Obsidian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sitegrain.article.found import FoundPage, front_matter
from sitegrain.export.names import Names, safe_name, section_of, stem_of
from sitegrain.result.base import AnyResult
from sitegrain.tables.address import page_key

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]\n]|\\[\[\]])*)\]\((https?://[^\s()]+)\)")


def markdown_files(result: AnyResult[Any]) -> Iterator[tuple[str, str]]:
    """One file per article: its name, and front matter with the Markdown."""
    names = Names()
    for article in result.articles:
        name = names.take(section_of(article.url), stem_of(article.url))
        yield f"{name}.md", front_matter(article, **_more(article)) + article.markdown + "\n"


def _more(page: FoundPage) -> dict[str, str]:
    return {"section": section_of(page.url), "language": page.language, "description": page.description}


def vault_files(result: AnyResult[Any]) -> Iterator[tuple[str, str]]:
    """Articles and TOC pages as notes that link to one another; a note is called as its page is titled."""
    names = Names()
    pages = [*result.tocs, *result.articles]
    name_of = {
        page_key(p.url): names.take("", _note_name(p))
        if p.role == "toc"
        else names.take(section_of(p.url), _note_name(p))
        for p in pages
    }
    for page in pages:
        name = name_of[page_key(page.url)]
        head = front_matter(page, **_more(page), tags=page.role)
        body = _inner_links(page.markdown, name_of)
        if page.role == "toc":
            body = "\n".join(_listed(page, name_of)) or body
        yield f"{name}.md", f"{head}{body}\n"


def _note_name(page: FoundPage) -> str:
    return safe_name(page.title).replace("-", " ") or stem_of(page.url)


def _listed(page: FoundPage, name_of: dict[str, str]) -> Iterator[str]:
    for entry in page.entries:
        target = name_of.get(page_key(entry.url))
        text = re.sub(r"[\[\]|\n]", " ", entry.title)
        yield f"- [[{target}|{text}]]" if target else f"- [{text}](<{entry.url}>)"


def _inner_links(markdown: str, name_of: dict[str, str]) -> str:
    """Links to pages of the site as links to their notes."""

    def link(match: re.Match[str]) -> str:
        target = name_of.get(page_key(match[2]))
        text = re.sub(r"[\[\]|\\]", "", match[1])
        return f"[[{target}|{text}]]" if target else match[0]

    return _LINK.sub(link, markdown)
