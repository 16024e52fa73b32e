"""Pages as Markdown and HTML. The body is the walk of `sitegrain.render`, which stands above this folder and comes with the page."""

from __future__ import annotations

from sitegrain.native.inputs import RenderPage, RenderRules, RenderTables


def render(page: RenderPage, of: RenderTables, rules: RenderRules, is_html: bool, title: str) -> str:
    """`sitegrain.native.render`."""
    return page.in_python(title)
