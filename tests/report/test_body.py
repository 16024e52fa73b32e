"""What a page looks like in the report: all its text, its blocks where they were judged, and nothing of its markup."""

from __future__ import annotations

import re

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitegrain.report.body import Bodies
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.randomsites import random_pages
from tests.report.reading import body_html

TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z-]+(?:=(?:\"[^\"<>]*\"|[a-z0-9-]+))?)*)>")


def marked_texts(body: str) -> list[tuple[int, str]]:
    """(block, text) of every text node in document order, by the nearest element around it that is marked."""
    out: list[tuple[int, str]] = []

    def walk(top: LexborNode) -> None:
        for node in top.iter(include_text=True):
            if node.tag == "-text":
                text = "".join((node.text_content or "").split())
                if text:
                    out.append((block_of(node), text))
            else:
                walk(node)

    def block_of(node: LexborNode | None) -> int:
        while node is not None:
            number = (node.attributes or {}).get("data-b") if node.tag != "-text" else None
            if number is not None:
                return int(number)
            node = node.parent
        return -1

    tree = LexborHTMLParser(f"<!doctype html><body>{body}")
    assert tree.body is not None
    walk(tree.body)
    return out


def joined(pairs: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Neighbours of the same block as one."""
    out: list[tuple[int, str]] = []
    for block, text in pairs:
        if out and out[-1][0] == block:
            out[-1] = (block, out[-1][1] + text)
        else:
            out.append((block, text))
    return out


def judged_texts(site: Site, block: np.ndarray, page: int) -> list[tuple[int, str]]:
    rows = site.page_rows(page)
    heads = [(r, int(site.nodes.end[r])) for r in site.rows("head", "script", "style", "template").tolist()]
    return [
        (int(block[r]), "".join(site.node_text(r).split()))
        for r in range(rows.start, rows.stop)
        if site.is_text[r] and not any(a <= r < b for a, b in heads) and site.node_text(r).split()
    ]


@pytest.mark.parametrize("seed", range(40))
def test_every_text_is_there_and_in_its_block(seed: int) -> None:
    site = site_of(*random_pages(seed))
    block = np.full(site.n_nodes, -1)
    block[site.text_rows] = np.arange(len(site.text_rows)) // 3
    for page, body in enumerate(body_html(Bodies(site, block).of(0, site.n_pages))):
        assert joined(marked_texts(body)) == joined(judged_texts(site, block, page))


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>One <b>two</b> three</p><ul><li>a<li>b <a href=x>c</a></ul></div>",
        "<table><tr><td>a<td>b<tr><td colspan=2>c</table>after",
        "<pre>  two\n  lines </pre><p dir=rtl>\u0634\u0627\u064a<p>\u8336",
        "<select><option>a<option>b</select><button>Go</button><x-y>own</x-y><p>in<span> a </span>row",
        "<a href=/x><div><h2>Card</h2><p>text</div></a>",
        "<p>\U0001f375 tea <b>\U0001f375\U0001f375</b>, wide <i>signs</i>",
    ],
)
def test_pages(html: str) -> None:
    site = site_of(html)
    block = np.full(site.n_nodes, -1)
    block[site.text_rows] = np.arange(len(site.text_rows))
    assert joined(marked_texts(body_html(Bodies(site, block).of(0, 1))[0])) == joined(judged_texts(site, block, 0))


def test_only_what_is_written_here_comes_out() -> None:
    site = site_of(
        "<body onload=x()><p class=\"a\" style='color:red' dir='rtl\" onclick=x()'>&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;"
        "<img src=http://e.example/x.png alt='\"><script>x</script>'><a href=javascript:x()>link</a>"
        "<table><td colspan='3\" x=y' rowspan=99999>cell<td colspan=2>cell</table><script>x()</script><style>p{}</style>"
    )
    body = body_html(Bodies(site, np.full(site.n_nodes, -1)).of(0, 1))[0]
    left = TAG.sub("", body)
    assert "<" not in left
    assert ">" not in left.replace("&gt;", "")
    assert "example" not in body
    assert "javascript" not in body
    assert {name for _, _, attrs in TAG.findall(body) for name in re.findall(r" ([a-z-]+)=", attrs)} == {
        "class",
        "title",
        "colspan",
    }
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;" in body
    assert "colspan=2" in body


def test_a_deep_page_is_no_problem() -> None:
    site = site_of("<div>" * 5000 + "deep")
    assert "deep" in body_html(Bodies(site, np.full(site.n_nodes, -1)).of(0, 1))[0]


def test_a_part_is_as_the_whole() -> None:
    """Pages in any grouping are the same pages, wide characters and pages without text among them."""
    site = site_of(
        "<p>One<p>two \U0001f375 wide", "", "<h1>Three</h1><img alt=four><td>five", "<p>\U0001f375<b>six</b>"
    )
    block = np.full(site.n_nodes, -1)
    block[site.text_rows] = np.arange(len(site.text_rows)) % 2
    bodies = Bodies(site, block)
    whole = body_html(bodies.of(0, 4))
    assert [html for page in range(4) for html in body_html(bodies.of(page, page + 1))] == whole
    assert body_html(bodies.of(1, 3)) == whole[1:3]
    assert body_html(bodies.of(2, 2)) == []
