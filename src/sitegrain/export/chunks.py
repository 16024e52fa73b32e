"""Articles cut into chunks for retrieval: by heading, never within a paragraph if it can be helped, with the way to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sitegrain.errors import UsageError
from sitegrain.result.base import AnyResult

MAX_TOKENS = 400
"""Tokens of a chunk: what most embedding models are trained on is 512, and a question stands beside the chunk."""
_PIECE = re.compile(
    r"[a-zA-Z]{1,6}|[0-9]{1,3}|[\u3000-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|[^\W\x00-\x7f]{1,3}|[^\w\s]|_"
)
_HEADING = re.compile(r"(#{1,6}) +(.*?)(?: +#+)?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n")


def count_tokens(text: str) -> int:
    """About how many tokens a language model reads in a text.

    No vocabulary of a model is at hand, so this is an estimate: runs of up to six Latin letters, three other letters or
    three digits, signs, and the characters of Chinese, Japanese and Korean count one each.

    >>> count_tokens("Boil water for 10 minutes."), count_tokens("茶を飲む")
    (7, 4)
    """
    return len(_PIECE.findall(text))


@dataclass(frozen=True)
class Chunk:
    """A part of a page."""

    path: tuple[str, ...]
    """The headings above it, the outermost first."""
    text: str
    """Markdown."""
    n_tokens: int


def cut(markdown: str, max_tokens: int = MAX_TOKENS) -> Iterator[Chunk]:
    """The chunks of a text, in order.

    >>> [(c.path, c.text) for c in cut("# Tea\\n\\nBoil water.\\n\\n## Green\\n\\nNot too hot.")]
    [(('Tea',), 'Boil water.'), (('Tea', 'Green'), 'Not too hot.')]
    """
    if max_tokens < 1:
        raise UsageError(f"chunks of {max_tokens} tokens: it must be 1 or more")
    path: list[tuple[int, str]] = []
    held: list[str] = []
    n_held = 0

    def chunk() -> Chunk:
        text = "\n\n".join(held)
        return Chunk(tuple(title for _, title in path), text, count_tokens(text))

    for paragraph in _paragraphs(markdown):
        if heading := _HEADING.fullmatch(paragraph):
            if held:
                yield chunk()
                held, n_held = [], 0
            level = len(heading[1])
            path = [step for step in path if step[0] < level] + [(level, heading[2].strip())]
            continue
        for part in _parts(paragraph, max_tokens):
            n = count_tokens(part)
            if held and n_held + n > max_tokens:
                yield chunk()
                held, n_held = [], 0
            held.append(part)
            n_held += n
    if held:
        yield chunk()


def _paragraphs(markdown: str) -> Iterator[str]:
    """Parts between blank lines; a heading is one of its own, and code is not cut."""
    held: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            held.append(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        is_heading = _HEADING.fullmatch(line) is not None
        if (is_heading or not line.strip()) and held:
            yield "\n".join(held)
            held = []
        if is_heading:
            yield line
        elif line.strip():
            held.append(line)
            fence = mark[1] if mark else ""
    if held:
        yield "\n".join(held)


def _parts(paragraph: str, max_tokens: int) -> Iterator[str]:
    """A paragraph, or, when it is too long for a chunk, its sentences and lines, and at last its words."""
    if count_tokens(paragraph) <= max_tokens:
        return iter((paragraph,))
    sentences = filter(None, map(str.strip, _SENTENCE.split(paragraph)))
    return _packed((part for sentence in sentences for part in _fitting(sentence, max_tokens)), max_tokens)


def _fitting(sentence: str, max_tokens: int) -> Iterable[str]:
    """A sentence, or runs of words of one that is too long; a word that is too long by itself is cut by characters."""
    if count_tokens(sentence) <= max_tokens:
        return (sentence,)
    return _packed(re.findall(rf"\S{{1,{max(1, max_tokens)}}}", sentence), max_tokens)


def _packed(parts: Iterable[str], max_tokens: int) -> Iterator[str]:
    """As many parts together as fit."""
    held: list[str] = []
    n_held = 0
    for part in parts:
        n = count_tokens(part)
        if held and n_held + n > max_tokens:
            yield " ".join(held)
            held, n_held = [], 0
        held.append(part)
        n_held += n
    if held:
        yield " ".join(held)


def chunks(result: AnyResult[Any], max_tokens: int = MAX_TOKENS) -> Iterator[dict[str, Any]]:
    """The chunks of all articles, each with the facts of its page."""
    for article in result.articles:
        about = {"url": article.url, "title": article.title, "author": article.author, "date": article.date}
        for number, found in enumerate(cut(article.markdown, max_tokens)):
            facts = {**about, "language": article.language, "chunk": number, "path": list(found.path)}
            yield {**facts, "n_tokens": found.n_tokens, "text": found.text}
