"""Markdown (CommonMark with the tables and strike-through of GitHub) of the kept text of a page."""

from __future__ import annotations

import re

from sitegrain.arrays.types import Bools
from sitegrain.light import late_pattern
from sitegrain.render.grid import Table, grid
from sitegrain.render.rawmath import may_hold_formulas, sets_formulas, with_formulas
from sitegrain.render.walk import Walk
from sitegrain.tables.site import Site


def to_markdown(site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset()) -> str:
    """The kept text of a page as Markdown; characters that Markdown would read as markup are escaped.

    `repeated` are the pictures of the site's template (`repeated_images`).

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<h2>Tea</h2><p>Boil <b>hot</b> <a href=/w>water</a>.<ol><li>cup<li>pot<ul><li>lid</ul></ol>"
    >>> site = build_site([Capture("http://a.org/", html)])
    >>> print(to_markdown(site, 0, site.is_text))
    ## Tea
    <BLANKLINE>
    Boil **hot** [water](http://a.org/w).
    <BLANKLINE>
    1. cup
    2. pot
       - lid
    """
    return markdown_of(markdown_walk(site, page, kept, repeated))


def markdown_walk(site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset()) -> Walk:
    """A walk over what is written of a page, at its start."""
    return Walk(site, page, kept, _Markdown(), repeated)


def markdown_of(walk: Walk, title: str = "") -> str:
    """What a walk comes by as Markdown, under a title that is none of its rows."""
    walk.begin(_Markdown())
    written = walk.rendered(title)
    # Where elements say what is a formula, it was written as one.
    if not may_hold_formulas(written) or not sets_formulas(walk.site, walk.page) or walk.formulas:
        return written
    return with_formulas(written)


_SPECIAL = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,32};)")
_MAYBE_SPECIAL = re.compile(r"[\\`*\[\]<~_&]")
_BLOCK_START = late_pattern(
    r"^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-+\s*$|[-:|](?=[-:| ]*$)|\|)|^(\d{1,9})([.)])(?=\s|$)"
)
_LIST = re.compile(r"(?:([-*])|\d{1,9}([.)])) ")
# While a line is collected, marks stand as characters that mean nothing in a page: which of them can be written is known
# only when the characters around them are.
_STRONG, _END_STRONG, _EM, _END_EM, _DEL, _END_DEL, _LINK, _IMAGE = _SIGNS = "\x0e\x0f\x10\x11\x12\x13\x14\x15"
_OPENS = {_STRONG: _END_STRONG, _EM: _END_EM, _DEL: _END_DEL}
_CLOSES = {end: start for start, end in _OPENS.items()}
_WRITTEN = {_STRONG: "**", _END_STRONG: "**", _EM: "*", _END_EM: "*", _DEL: "~~", _END_DEL: "~~"}
_MARK_SIGNS = _SIGNS[:-1]
_RAISED = late_pattern("(?=.*[0-9+\u2212\u2013-])[0-9A-Za-z+\u2212\u2013=()., -]{1,16}")
"""What is a number, a sign or a formula above or below the line. Without the element 10⁶ would be 106, and Markdown has none of its own."""
_VARIABLE = {"sub": re.compile("[A-Za-z]"), "sup": re.compile("[A-Za-z](?<![aeoAEO])")}
"""Letters that are written so: above the line a, e and o are the ends of ordinals (XIXe)."""
_ANY_SIGN = re.compile(f"[{_SIGNS}]")
_ANY_MARK = re.compile(f"[{_SIGNS[:-2]}]")
_IMAGE_IN_CODE = re.compile(rf"{_IMAGE}\[(?:[^\]\\]|\\.)*\]\((?:<[^>]*>|[^)]*)\)")
_TOUCHING = re.compile("|".join(f"{end}{start}" for start, end in _OPENS.items()))
_KINDS = {"strong": _STRONG, "em": _EM, "del": _DEL}


def _escape_start(line: str) -> str:
    if not (line[:1] in "#-+>=:|" or line[:1].isdecimal()):  # most lines, without a search
        return line
    return _BLOCK_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", line)


def plain_markdown(text: str) -> str:
    """A text that is none of a page's rows as Markdown: nothing in it is markup.

    >>> print(plain_markdown("<b>[a](javascript:x)"))
    \\<b>\\[a\\](javascript:x)
    """
    return "\n".join(_escape_start(_SPECIAL.sub(r"\\\g<0>", line)) for line in text.split("\n"))


def _indent(block: str, first: str, rest: str) -> str:
    lines = block.split("\n")
    return "\n".join([first + lines[0], *(rest + line if line else line for line in lines[1:])])


def _join(blocks: list[str]) -> str:
    """Blocks apart by a blank line; of two lists in a row the second gets other bullets, or they would be one."""
    out: list[str] = []
    before = ""
    for block in blocks:
        match = _LIST.match(block)
        sign = (match[1] or match[2]) if match else ""
        if sign and sign == before:
            if sign in "-*":
                sign = "*" if sign == "-" else "-"
                block = re.sub(r"^[-*] ", f"{sign} ", block, flags=re.MULTILINE)
            else:
                sign = ")" if sign == "." else "."
                block = re.sub(r"^(\d{1,9})[.)] ", rf"\g<1>{sign} ", block, flags=re.MULTILINE)
        out.append(block)
        before = sign
    return "\n\n".join(out)


class _Markdown:
    is_html = False

    def text(self, text: str) -> str:
        return _SPECIAL.sub(r"\\\g<0>", text) if _MAYBE_SPECIAL.search(text) else text

    def finish(self, line: str) -> str:
        if not _ANY_SIGN.search(line):
            return line
        line = line.replace("!" + _LINK, "\\!")  # a link is no picture
        if not _ANY_MARK.search(line):
            return line.replace(_LINK, "").replace(_IMAGE, "!")
        for _ in _OPENS:  # two marks of a kind side by side are one, then those within them
            line = _TOUCHING.sub("", line)
        return _with_marks(line).replace(_IMAGE, "!")

    def formula(self, latex: str, is_block: bool) -> str:
        return f"$${latex}$$" if is_block else f"${latex}$"

    def mark(self, kind: str, inner: str) -> str:
        if kind == "code":
            inner = _ANY_SIGN.sub("", _IMAGE_IN_CODE.sub("", inner))
            bare = re.sub(r"\\([\\`*\[\]<~_&])", r"\1", inner).replace("\\\n", " ")
            if not bare.strip():
                return ""
            ticks = "`" * (max((len(run) for run in re.findall("`+", bare)), default=0) + 1)
            pad = " " if bare.startswith("`") or bare.endswith("`") else ""
            return f"{ticks}{pad}{bare}{pad}{ticks}"
        if kind == "q":
            return f"“{inner}”"
        if kind in ("sub", "sup"):
            is_number = _RAISED.fullmatch(inner) or (inner.isascii() and _VARIABLE[kind].fullmatch(inner))
            return f"<{kind}>{inner}</{kind}>" if is_number else inner
        start = _KINDS.get(kind, "")
        return f"{start}{inner}{_OPENS[start]}" if start else inner

    def goes_on(self, line: list[str], end: int, code: str) -> str:
        # Two ticks side by side are other ticks: code right behind code is the same code. With ticks in one of them, a comment keeps the two apart.
        before = next((k for k in range(end - 1, -1, -1) if line[k]), -1)
        piece = line[before] if before >= 0 else ""
        if len(piece) < 2 or piece[-1] != "`" or code[:1] != "`":
            return code
        if piece[-2] not in "`\\" and code[1:2] != "`":
            line[before] = piece[:-1]
            return code[1:]
        is_escaped = piece[-2] == "\\" and piece[0] != "`"
        return code if is_escaped else f"<!-- -->{code}"

    def link(self, inner: str, url: str) -> str:
        return f"{_LINK}[{inner}]({_target(url)})"

    def anchor(self, name: str) -> str:
        return ""  # Markdown has no names for places

    def anchor_link(self, name: str) -> str:
        raise NotImplementedError("no place has a name")

    def image(self, alt: str, src: str) -> str:
        # A picture that is its own address is named only.
        name = self.text(_ANY_SIGN.sub(" ", alt))
        if src.startswith("data:"):
            return f"{_IMAGE}[{name}]()" if name.strip() else ""
        return f"{_IMAGE}[{name}]({_target(src)})"

    def line_break(self) -> str:
        return "\\\n"

    def paragraph(self, inner: str) -> str:
        return "\n".join(_escape_start(line) for line in inner.split("\n"))

    def heading(self, level: int, inner: str) -> str:
        # A closing run of # would be taken for decoration.
        text = inner.replace("\n", " ")
        bare = text.rstrip("#")
        return "#" * level + " " + (f"{bare}\\{text[len(bare) :]}" if len(bare) < len(text) else text)

    def definitions(self, parts: list[tuple[bool, list[str]]]) -> list[str]:
        """Terms in bold, each over its definition."""
        out: list[str] = []
        for is_term, blocks in parts:
            if is_term:
                out += [f"**{b}**" if not re.search(r"[*`]|^\W|\W$", b) else self.paragraph(b) for b in blocks]
            else:
                out += blocks
        return out

    def items(self, items: list[list[str]], is_ordered: bool, start: int) -> str:
        out = []
        for number, blocks in enumerate(items, start):
            bullet = f"{number}. " if is_ordered else "- "
            pad = " " * len(bullet)
            # A list right under the text of its item stays close; other blocks need a blank line to be blocks.
            if len(blocks) == 2 and blocks[1].startswith(("- ", "1. ")) and not _LIST.match(blocks[0]):
                body = "\n".join(blocks)
            else:
                body = _join(blocks)
            out.append(_indent(body, bullet, pad))
        return "\n".join(out)

    def quote(self, blocks: list[str]) -> str:
        return "\n".join(f"> {line}" if line else ">" for line in _join(blocks).split("\n"))

    def code(self, text: str, language: str) -> str:
        fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
        return f"{fence}{language}\n{text}\n{fence}"

    def table(self, table: Table) -> str:
        cells = grid(table, [[_cell(cell.blocks) for cell in row] for row in table.rows])
        if not cells:
            return self.paragraph(table.caption)
        has_head = any(cell.is_header for cell in table.rows[0]) if table.rows[0] else False
        head, body = (cells[0], cells[1:]) if has_head else ([""] * len(cells[0]), cells)
        lines = [head, ["---"] * len(head), *body]
        text = "\n".join("| " + " | ".join(row) + " |" for row in lines)
        return f"{self.paragraph(table.caption)}\n\n{text}" if table.caption else text

    def rule(self) -> str:
        return "---"

    def join(self, blocks: list[str]) -> str:
        return _join(blocks)


def _cell(blocks: list[str]) -> str:
    """The blocks of a cell in one line; items of lists and paragraphs are apart by `<br>`, as GitHub writes them."""
    lines = [line.strip().removesuffix("\\") for block in blocks for line in block.split("\n")]
    return "<br>".join(line for line in lines if line).replace("|", "\\|")


def _with_marks(line: str) -> str:
    """The line with those marks written that CommonMark reads as marks: a mark must not stand between a letter and a
    sign (as in `a**"b"**`), where it would be read as asterisks."""
    after: dict[int, str] = {}
    before: dict[int, str] = {}
    open_: list[int] = []
    signs: list[int] = []
    for match in _ANY_SIGN.finditer(line):
        at, sign = match.start(), match[0]
        signs.append(at)
        if sign in _OPENS:
            open_.append(at)
        elif sign in _CLOSES:
            while open_ and line[open_[-1]] != _CLOSES[sign]:
                open_.pop()
            if open_:
                start, end = _moved(line, open_.pop(), at)
                if _can_mark(line, start, end):
                    after[start] = _WRITTEN[sign] + after.get(start, "")
                    before[end] = before.get(end, "") + _WRITTEN[sign]
    # Only signs and where marks moved to differ from the line as it is.
    out: list[str] = []
    done = 0
    for at in sorted({*signs, *after, *before}):
        out += (line[done:at], before.get(at, ""), "" if line[at] in _MARK_SIGNS else line[at], after.get(at, ""))
        done = at + 1
    return "".join([*out, line[done:]])


def _moved(line: str, start: int, end: int) -> tuple[int, int]:
    """Marks that touch a letter outside and a sign inside, as in Japanese, move to the letters within."""
    if _beside(line, start, -1).isalnum():
        while start + 1 < end and _is_movable(line[start + 1]):
            start += 1
    if _beside(line, end, 1).isalnum():
        while start + 1 < end and _is_movable(line[end - 1]):
            end -= 1
    return start, end


def _is_movable(c: str) -> bool:
    # None that Markdown reads, and no escape of one.
    return not (c.isalnum() or c.isspace() or c in "\\`*_~[]()<>&!#" or c in _SIGNS)


def _can_mark(line: str, start: int, end: int) -> bool:
    before, first = _beside(line, start, -1), _beside(line, start, 1)
    last, after = _beside(line, end, -1), _beside(line, end, 1)
    if first.isspace() or last.isspace() or start + 1 == end:
        return False
    return (first.isalnum() or not before.isalnum()) and (last.isalnum() or not after.isalnum())


def _beside(line: str, at: int, step: int) -> str:
    """The next character that is no mark; a space at the ends."""
    at += step
    while 0 <= at < len(line) and line[at] in _MARK_SIGNS:
        at += step
    return line[at] if 0 <= at < len(line) else " "


def _target(url: str) -> str:
    return f"<{url}>" if re.search(r"[()]", url) else re.sub(r"[\s<>]", lambda m: f"%{ord(m[0]):02X}", url)
