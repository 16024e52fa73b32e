"""The fixed codes of tags and of the attributes that are kept."""

from __future__ import annotations

TAGS: tuple[str, ...] = (
    "#text", "unknown",
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont",
    "bdi", "bdo", "big", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code",
    "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt",
    "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "g",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img",
    "input", "ins", "kbd", "label", "legend", "li", "link", "main", "map", "mark", "marquee", "math", "menu",
    "meta", "meter", "nav", "nobr", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p",
    "param", "path", "picture", "plaintext", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp", "script",
    "search", "section", "select", "slot", "small", "source", "span", "strike", "strong", "style", "sub",
    "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time",
    "title", "tr", "track", "tt", "u", "ul", "use", "var", "video", "wbr", "xmp",
)  # fmt: skip
"""Tag of each code. Anything else is `unknown`, with its name kept as the pseudo attribute `:tag`."""

TAG_CODE: dict[str, int] = {name: code for code, name in enumerate(TAGS)}
TEXT = 0
UNKNOWN = 1

ATTRIBUTES: tuple[str, ...] = (
    ":tag",
    "align", "alt", "aria-hidden", "aria-label", "bgcolor", "border", "cellpadding", "cellspacing", "class",
    "colspan", "color", "content", "data-lang", "data-language", "data-lazy-src", "data-original", "data-src",
    "data-srcset", "datetime", "dir", "encoding", "face", "height", "hidden", "href", "hreflang", "id", "itemprop",
    "itemtype", "lang", "name", "property", "rel", "role", "rowspan", "size", "src", "srcset", "start", "style",
    "title", "type", "valign", "value", "width",
)  # fmt: skip
"""Attributes that are kept; the others are dropped when the page is read."""

STYLE_ATTRIBUTES: tuple[str, ...] = (
    "align", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "face", "height", "role", "size",
    "style", "valign", "width",
)  # fmt: skip
"""Display attributes that tell one element of a style tree from another (Yi, Liu and Li 2003)."""

VOID_TAGS: frozenset[str] = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
RAW_TEXT_TAGS: frozenset[str] = frozenset("iframe noembed noframes script style xmp plaintext noscript".split())
"""Tags whose text a serializer writes without escapes."""
NO_TEXT_TAGS: frozenset[str] = frozenset("script style template iframe noembed noframes".split())
"""Tags whose content is no text of the page."""

BLOCK_TAGS: frozenset[str] = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html li legend main menu nav ol optgroup "
    "option p pre section summary table tbody td tfoot th thead title tr ul xmp plaintext noframes "
    "search marquee select textarea".split()
)
"""Tags that a browser shows as a block (or as a cell): text on their two sides is not one run."""

HEADINGS: tuple[str, ...] = ("h1", "h2", "h3", "h4", "h5", "h6")
