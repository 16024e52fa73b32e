"""Articles, sites and results travel between processes, and are copied."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import sitegrain
from sitegrain.article.sent import TOLD

ARTICLE = (
    "<title>Tea</title><h1>Tea</h1><p class=byline>By Ann Lee, 3 May 2024<p>" + "Boil <b>water</b>, then wait. " * 20
)
LIST = (
    "<title>Teas</title><ul>"
    + "".join(f"<li><a href=/{k}>Tea of the valley number {k}</a>" for k in range(30))
    + "</ul>"
)
THREAD = "<title>How hot?</title>" + "".join(
    f"<div class=post id=p{k}><b class=author>user{k}</b><time datetime=2024-05-0{k}>x</time><p>{'It is hot. ' * 9}</div>"
    for k in range(1, 6)
)


@pytest.mark.parametrize("html", [ARTICLE, LIST, THREAD, ""], ids=["article", "list", "thread", "nothing"])
def test_an_article_travels_as_what_it_says(html: str) -> None:
    article = sitegrain.extract(html, url="http://a.org/viewtopic.php?t=1" if html == THREAD else "http://a.org/tea")
    sent: Any = pickle.loads(pickle.dumps(article))
    for name in (
        *TOLD,
        "url",
        "role",
        "title",
        "author",
        "date",
        "images",
        "sources",
        "text",
        "markdown",
        "html",
        "front_matter",
    ):
        assert getattr(sent, name) == getattr(article, name), name
    assert sent.to_dict() == article.to_dict()
    assert sent.fields.title == article.fields.title
    assert pickle.loads(pickle.dumps(sent)).to_dict() == article.to_dict()
    assert "site" not in vars(sent)
    with pytest.raises(AttributeError, match="stays in the process"):
        _ = sent.kept_nodes
    with pytest.raises(AttributeError, match="no attribute 'txt'"):
        _ = sent.txt
    assert copy.deepcopy(article) is copy.copy(article) is article


def test_pages_are_judged_by_a_pool() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(sitegrain.extract, [ARTICLE, LIST]))
    assert [article.title for article in found] == ["Tea", "Teas"]
    assert found[0].text == sitegrain.extract(ARTICLE).text


def test_a_site_and_a_result_travel_without_what_was_worked_out() -> None:
    pages = [sitegrain.Capture(f"http://a.org/{k}", ARTICLE.replace("water", f"water {k}").encode()) for k in range(5)]
    result = sitegrain.mine(pages)
    first = pickle.dumps(result)
    assert all(article.text for article in result.articles)
    assert result.pages.num_rows == 5
    assert len(pickle.dumps(result)) < 1.01 * len(first)
    for other in (pickle.loads(first), copy.deepcopy(result)):
        assert other.pages == result.pages
        assert other.blocks == result.blocks
        assert [article.to_dict() for article in other] == [article.to_dict() for article in result]
        other.site.check()
        assert not other.site.nodes.tag.flags.writeable
