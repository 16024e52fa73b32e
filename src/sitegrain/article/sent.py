"""An article as it travels to another process: all that it says, without the parsed page that it was made from."""

from __future__ import annotations

from typing import Any

from sitegrain.article.fields import NAMES, Field, Images
from sitegrain.article.found import FoundPage, article_card, article_line, front_matter
from sitegrain.article.lists.entries import TocEntry
from sitegrain.article.threads.posts import Post

TOLD = (
    "page",
    "page_type",
    "entries",
    "posts",
    "comments",
    "comment_posts",
    "related",
    "author_box",
    "confidence",
    "notes",
    "faults",
)
"""What an article says besides its line of JSON, or more exactly."""


class SaidFields:
    """The fields of a page that is known by what was said of it, each with where it was found."""

    title: Field
    author: Field
    date: Field
    language: Field
    sitename: Field
    canonical: Field
    description: Field
    images: Images

    def __init__(self, page: FoundPage) -> None:
        for name in NAMES:
            kind = Images if name == "images" else Field
            setattr(self, name, kind(getattr(page, name), page.sources.get(name, "")))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(name for name in NAMES if getattr(self, name))})"


class SentArticle:
    """What an `Article` said, after it was pickled: what `multiprocessing.Pool.map(sitegrain.extract, pages)` gives.

    It answers as the article did, but for what needs its parsed page (`site`, `verdict`, `kept_nodes`, `reasons`).

    >>> import pickle
    >>> from sitegrain.result.extracting import extract
    >>> sent = pickle.loads(pickle.dumps(extract("<title>Tea</title><h1>Tea</h1><p>Boil <b>water</b>.", url="http://a.org/tea")))
    >>> sent, sent.fields.title, sent.markdown
    (SentArticle(http://a.org/tea 'Tea', 16 characters), Field(value='Tea', source='h1'), '# Tea\\n\\nBoil **water**.')
    """

    page: int
    url: str
    path: str
    role: str
    page_type: str
    title: str
    author: str
    date: str
    language: str
    sitename: str
    canonical: str
    description: str
    images: tuple[str, ...]
    sources: dict[str, str]
    text: str
    markdown: str
    html: str
    entries: list[TocEntry]
    posts: list[Post]
    comments: str
    comment_posts: list[Post]
    related: str
    author_box: str
    confidence: float
    notes: tuple[str, ...]
    faults: list[str]

    def __init__(self, line: dict[str, Any], told: dict[str, Any]) -> None:
        vars(self).update({**line, "images": tuple(line["images"]), **told, "_line": line})

    def __repr__(self) -> str:
        return article_line(self, "SentArticle")

    def _repr_html_(self) -> str:
        return article_card(self)

    def __getattr__(self, name: str) -> Any:
        if name in ("site", "verdict", "kept_nodes", "reasons"):
            raise AttributeError(
                f"{name} needs the parsed page, which stays in the process that read it: ask for it there"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def fields(self) -> SaidFields:
        """The fields with where each was found."""
        return SaidFields(self)

    @property
    def front_matter(self) -> str:
        """Title, author, date and address as YAML, to stand above the Markdown; what is unknown is left out."""
        return front_matter(self)

    def to_dict(self) -> dict[str, Any]:
        """As JSON: what `Article.to_dict` gave."""
        return dict(self.__dict__["_line"])
