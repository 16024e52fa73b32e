"""What the writers of both languages share: how words are drawn, and which kinds of text there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, TypeVar

T = TypeVar("T")


def pick(rng: Random, items: Sequence[T]) -> T:
    """One of the items. Only `random()` is used: Python promises that its sequence never changes."""
    return items[int(rng.random() * len(items))]


def some(rng: Random, items: Sequence[T], n: int) -> list[T]:
    """`n` different items, in random order."""
    return sorted(items, key=lambda _: rng.random())[:n]


@dataclass(frozen=True)
class Topic:
    """The words of one section of the newspaper."""

    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]
    """Past tense, taking an object."""
    orgs: tuple[str, ...]
    measures: tuple[str, ...] = ()


class Writer(ABC):
    """The writer of one article: a few people, places and things that its sentences return to."""

    language: ClassVar[str]
    forms: ClassVar[tuple[str, ...]]
    """Of sentences; the others are of what their names say."""
    headlines: ClassVar[tuple[str, ...]]
    comments: ClassVar[tuple[str, ...]]
    subheads: ClassVar[tuple[str, ...]]
    items: ClassVar[tuple[str, ...]]
    space: ClassVar[str]
    """What stands between two sentences."""

    rng: Random
    name: str
    author: str
    nouns: list[str]
    verbs: list[str]
    people: list[str]
    orgs: list[str]

    @abstractmethod
    def fill(self, template: str) -> str:
        """A form with words in its gaps."""

    def sentence(self) -> str:
        return self.fill(pick(self.rng, self.forms))

    def sentences(self, n: int) -> list[str]:
        """Different sentence forms in a row, so that no paragraph sounds like a list."""
        return [self.fill(t) for t in some(self.rng, self.forms, n)]

    def headline(self) -> str:
        return self.fill(pick(self.rng, self.headlines))

    def comment(self) -> str:
        return self.fill(pick(self.rng, self.comments))

    def subhead(self) -> str:
        return self.fill(pick(self.rng, self.subheads))

    def item(self) -> str:
        """A short thing for a list or a table cell."""
        return self.fill(pick(self.rng, self.items))

    def join(self, sentences: Sequence[str]) -> str:
        return self.space.join(sentences)
