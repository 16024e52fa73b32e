"""What looks like a thread, and is one only if it has posts."""

from __future__ import annotations

import pytest

from sitegrain.article.threads.posts import Post
from sitegrain.article.threads.signed import told_type
from sitegrain.extractor.pagetypes import PAGE_TYPES, PageTypes
from sitegrain.result.recipe import make_recipe, page_types
from tests.builders import site_of

OPTIONS = "".join(
    f"<dt><b>-{c} file</b><dd>Reads {c} from the file, if there is one, and else asks the user." for c in "abcdefgh"
)


class Second(tuple[str, ...]):
    """Types of pages, all of which are manuals if they are no threads."""

    def instead(self, page: int) -> str:
        return "documentation"


@pytest.mark.parametrize(
    ("posts", "said"),
    [
        ([], "documentation"),
        ([Post("Tea?")], "documentation"),
        ([Post("Tea?", "ann")], "forum"),
        ([Post("Tea 2", "", "2020-05-03")], "documentation"),
    ],
)
def test_a_thread_has_a_signed_post(posts: list[Post], said: str) -> None:
    assert told_type("forum", Second(("forum",)), 0, lambda: posts) == said
    assert told_type("article", Second(("article",)), 0, lambda: posts) == "article"
    assert told_type("forum", ("forum",), 0, lambda: posts) == "forum"  # where nothing else is told


def test_what_a_page_is_if_it_is_no_thread() -> None:
    html = (
        "<title>tea{0}</title><h1>tea{0}</h1><p>Makes tea of water and leaves, as user {0} wishes.</p><dl>"
        + OPTIONS
        + "</dl>"
    )
    alone = page_types(make_recipe().judge(site_of(*(html.format(k) for k in range(4)))))
    assert isinstance(alone, PageTypes)
    assert [alone.instead(k) for k in range(4)] == list(alone)  # no role is known: a page alone
    known = alone.within(["article", "article", "toc", "article"], [3])
    assert (known.instead(3), known[3]) == ("forum", "forum")  # its address says so
    votes = dict(zip(PAGE_TYPES, alone.votes(0), strict=True))
    assert known.instead(0) == max(("article", "documentation", "product"), key=votes.__getitem__)
    assert known.instead(2) == known[2] in ("collection", "listing")
