"""The sites: which generator and theme makes each, in which language, and what that generator can write."""

from __future__ import annotations

from functools import partial
from typing import Any

import apis
import converted as c
import generators as g

NOTES, MATH = frozenset(("note", "sec")), frozenset(("m", "math"))
RST = NOTES | MATH | {"numbers", "caption", "adm", "dl"}
DESIGN = RST | {"tabs", "details"}
PYMD = NOTES | MATH | {"adm", "dl"}

SPHINX = {
    "alabaster": "en", "furo": "de", "sphinx_rtd_theme": "zh", "pydata_sphinx_theme": "en", "sphinx_book_theme": "ja", "sphinx_immaterial": "en", "press": "zh",
    "shibuya": "en", "guzzle_sphinx_theme": "de", "insegel": "en", "cloud": "ja", "bootstrap": "en", "sphinx_material": "de", "sphinxawesome_theme": "en", "sphinx_nefertiti": "en",
    "karma_sphinx_theme": "en", "groundwork": "en", "piccolo_theme": "de", "sphinx_celery": "en", "python_docs_theme": "ja", "sphinx_wagtail_theme": "en", "classic": "en", "haiku": "zh",
    "nature": "en", "agogo": "de", "scrolls": "en", "bizstyle": "ja", "sphinxdoc": "en", "traditional": "en", "pyramid": "zh", "sphinx_typlog_theme": "ja", "yummy_sphinx_theme": "en", "sphinx_ustack_theme": "de",
    "sphinx_py3doc_enhanced_theme": "en",
}  # fmt: skip
MKDOCS = {
    "mkdocs": "en", "readthedocs": "de", "material": "zh", "bootstrap4": "en", "windmill": "en", "ivory": "ja", "terminal": "en", "cinder": "de",
    "cosmo": "en", "rtd-dropdown": "zh", "gitbook": "en", "dracula": "de", "bootstrap386": "en",
}  # fmt: skip
SITES: dict[str, tuple[Any, str, frozenset[str]]] = {
    **{
        f"sphinx-{theme.replace('_', '-')}": (
            partial(g.sphinx, theme=theme),
            language,
            DESIGN if theme in g.DESIGNED else RST,
        )
        for theme, language in SPHINX.items()
    },
    **{
        f"mkdocs-{theme}": (
            partial(g.mkdocs, theme=theme),
            language,
            PYMD | ({"numbers", "tabs", "details"} if theme == "material" else set()),
        )
        for theme, language in MKDOCS.items()
    },
    "zensical": (partial(g.mkdocs, theme="material", tool="zensical"), "en", PYMD | {"numbers", "tabs", "details"}),
    "docusaurus": (g.docusaurus, "en", NOTES | MATH | {"numbers", "adm", "details"}),
    "docusaurus-zh": (g.docusaurus, "zh", NOTES | MATH | {"numbers", "adm", "details"}),
    "vitepress": (g.vitepress, "en", frozenset(("numbers", "adm", "details", "sec"))),
    "vitepress-zh": (g.vitepress, "zh", frozenset(("numbers", "adm", "details", "sec"))),
    "vuepress": (g.vuepress, "de", frozenset(("numbers", "adm", "details"))),
    "starlight": (g.starlight, "en", {"note"} | {"adm", "details"}),
    "starlight-ja": (g.starlight, "ja", {"note"} | {"adm", "details"}),
    "honkit": (g.honkit, "en", frozenset(("details",))),
    "honkit-zh": (g.honkit, "zh", frozenset(("details",))),
    "pandoc": (c.pandoc, "ja", NOTES | MATH | {"dl", "signed", "numbers"}),
    "asciidoctor": (c.asciidoctor, "en", NOTES | MATH | {"dl", "signed"}),
    "latexml": (c.latexml, "en", {"note", "dl", "signed"} | MATH),
    "docbook": (c.docbook, "de", {"note", "dl", "book"}),
    "texinfo": (c.texinfo, "en", {"note", "dl", "book"}),
    "nbconvert-lab": (partial(c.notebooks, template="lab"), "en", MATH),
    "nbconvert-classic": (partial(c.notebooks, template="classic"), "zh", MATH),
    "nbconvert-basic": (partial(c.notebooks, template="basic"), "de", MATH),
    **{f"api-{tool}": (partial(apis.api, tool=tool), "en", frozenset(("api",))) for tool in apis.TOOLS},
}
