"""The measure of structure: pieces of Markdown against those of the page's own tree."""

from __future__ import annotations

from pathlib import Path

from sitegrain.article.fields.values import Field
from sitegrain.article.threads.posts import Post
from sitegrain.evaluation.data import Label, LabelledSite, TruthPost
from sitegrain.evaluation.reading.fields import Reading, read_posts
from sitegrain.evaluation.reading.people import FoundPage, score_people
from sitegrain.evaluation.reading.pieces import PagePieces, markdown_pieces, page_pieces
from sitegrain.evaluation.reading.structure import (
    StructureAnswer,
    count_template_neither_way,
    figures,
    structure_tables,
    structure_values,
    tally,
)
from sitegrain.tables.capture import Capture

PAGE = b"""<title>Tea | Bay</title><h1>Tea</h1><img src=logo.png>
<div class=b><h2>Boil<a class=headerlink href=#b>#</a></h2><p><b>Hot</b> <a href=/w>water</a>, <a href=#n>note</a>
<img src=blank.gif data-src=cup.jpg><ul><li>cup</ul><table><tr><th>a<th>b<tr><td>c<td>d</table>
<pre class=language-c>int a;</pre><blockquote>said</blockquote></div>"""
MARKDOWN = """# Tea

![](http://a.org/logo.png)

## Boil

**Hot** [water](http://a.org/w), [note](http://a.org/#n) ![](http://a.org/cup.jpg)

- cup

| a | b |
| --- | --- |
| c | d |

```c
int a;
```

> said"""


def test_pieces_of_page_and_markdown_agree() -> None:
    page = page_pieces(Capture("http://a.org/", PAGE), Label("p", "article", content_selector=".b"))
    assert page is not None
    found = tally(markdown_pieces(MARKDOWN), page)
    assert {kind: (t.gold, t.right) for kind, t in found.items()} == {
        "images": (1, 1), "links": (1, 1), "fragments": (1, 1), "headings": (1, 1), "items": (1, 1), "cells": (4, 4),
        "code": (1, 1), "languages": (1, 1), "quotes": (1, 1), "emphasis": (1, 1),
    }  # fmt: skip
    assert (found["images"].written, found["images"].foreign) == (2, 1)
    assert found["headings"].written == 1  # the title counts neither way


def test_a_title_that_only_a_heading_shows_counts_neither_way_as_the_title() -> None:
    page = b"<title>Bay</title><h3>Menu</h3><h2>Tea</h2><div class=b><h3>Boil</h3></div><h2>Related</h2>"
    pieces = page_pieces(Capture("http://a.org/", page), Label("p", "article", content_selector=".b"))
    assert pieces is not None
    found = tally(markdown_pieces("# Tea\n\n### Boil\n\n## Related"), pieces)["headings"]
    assert (found.written, found.right, found.foreign) == (2, 1, 1)
    found = tally(markdown_pieces("# Menu\n\n## Tea\n\n### Boil"), pieces)["headings"]
    assert (found.written, found.right, found.foreign) == (3, 1, 1)


def test_a_title_that_the_label_drops_from_its_block_counts_neither_way() -> None:
    page = b"<title>Events</title><h3>Menu</h3><div class=b><h2>Tea day</h2><h6>3 May</h6><p>Come and drink.</div>"
    label = Label("p", "article", content_selector=".b", drop_selector="h2, h6")
    pieces = page_pieces(Capture("http://a.org/", page), label)
    assert pieces is not None
    assert tally(markdown_pieces("# Tea day\n\nCome and drink."), pieces)["headings"].written == 0
    assert tally(markdown_pieces("# Menu\n\nCome and drink."), pieces)["headings"].written == 1


def _page(n: int, more: str = "") -> PagePieces:
    body = f"<div class=b><p>Text {n} <a href=/{n}>more</a> <a href=/give>Donate</a><img src=badge.png>{more}</div>"
    found = page_pieces(Capture(f"http://a.org/p{n}", body.encode()), Label("p", "article", content_selector=".b"))
    assert found is not None
    return found


def test_what_the_template_puts_into_the_gold_counts_neither_way() -> None:
    pages = [_page(n) for n in range(6)]
    count_template_neither_way(pages)
    assert [list(page.inside["links"]) for page in pages[:2]] == [["http://a.org/0"], ["http://a.org/1"]]
    assert not any(page.inside["images"] for page in pages)
    found = tally(markdown_pieces("[more](http://a.org/0) [Donate](http://a.org/give)"), pages[0])["links"]
    assert (found.gold, found.written, found.right) == (1, 1, 1)
    few = [_page(n) for n in range(3)]
    count_template_neither_way(few)
    assert few[0].inside["images"]


def test_the_links_of_a_line_that_the_template_says_on_every_page_count_neither_way() -> None:
    said = "<p>Click <a href=/source/{0}>here</a> for the source</p><p>See <a href=/of/{0}>tea {0}</a></p>"
    pages = [_page(n, said.format(n)) for n in range(6)]
    count_template_neither_way(pages)
    assert list(pages[2].inside["links"]) == ["http://a.org/2", "http://a.org/of/2"]


def _of_labels(html: str) -> PagePieces:
    found = page_pieces(Capture("http://a.org/", html.encode()), Label("p", "article", content_selector=".b"))
    assert found is not None
    return found


def test_the_picture_that_a_page_names_as_its_own_counts_neither_way() -> None:
    html = (
        "<meta property=og:image content=/up/{0}.jpg><img src=/{0}-300x200.jpg><img src=ad.jpg><div class=b>Tea</div>"
    )
    pages = [_of_labels(html.format(f"tea{n}")) for n in range(6)]
    count_template_neither_way(pages)
    written = markdown_pieces("![](http://a.org/tea0-300x200.jpg) ![](http://a.org/ad.jpg)")
    assert tally(written, pages[0])["images"].foreign == 1
    logos = [_of_labels(html.format("logo")) for _ in range(6)]
    count_template_neither_way(logos)
    assert tally(markdown_pieces("![](http://a.org/logo-300x200.jpg)"), logos[0])["images"].foreign == 1


def test_a_title_in_the_gold_counts_neither_way() -> None:
    page = _of_labels("<title>Tea | Bay</title><div class=b><h1>Tea</h1><h1>Milk</h1><h2>Tea</h2></div>")
    assert list(page.inside["headings"]) == ["1 milk", "2 tea"]
    assert list(page.neutral["headings"]) == ["1 tea"]


def test_a_title_that_the_text_shows_on_a_lower_level_counts_neither_way() -> None:
    page = _of_labels("<h2>Tea day</h2><div class=b>Come.</div><h2>Others</h2>")
    assert tally(markdown_pieces("## Tea day\n\nCome."), page)["headings"].written == 0
    assert tally(markdown_pieces("# Day\n\n## Tea day\n\n## Others"), page)["headings"].foreign == 2


def test_the_heading_of_a_list_of_contents_counts_neither_way_with_the_list() -> None:
    contents = "<h2>Contents</h2><ol><li>1 <a href=#a>Tea</a></li></ol>"
    page = _of_labels(f"<div class=b>{contents}<h2 id=a>Tea</h2><p>See <a href=#c>Milk</a></p><h2 id=c>Milk</h2></div>")
    assert [key for key, n in page.inside["headings"].items() if n] == ["2 tea", "2 milk"]
    assert page.neutral["headings"]["2 contents"] == 1


def test_links_that_are_a_part_of_code_count_neither_way() -> None:
    page = _of_labels("<div class=b><code>get <a href=/x>x</a></code> <code><a href=/y>y</a></code></div>")
    assert list(page.inside["links"]) == ["http://a.org/y"]


def test_numbers_that_a_program_prints_are_code_and_those_of_lines_are_not() -> None:
    page = _of_labels("<div class=b><pre>7\n49\n343</pre><pre>1\n2\n3</pre></div>")
    assert list(page.inside["code"]) == ["7\n49\n343"]


def test_links_to_the_page_itself_and_to_its_top_count_neither_way() -> None:
    page = _page(1, "<a href=/p1>here</a><a href=#toc>Back to top</a><a href=#n1>1</a>")
    assert list(page.inside["fragments"]) == ["http://a.org/p1#n1"]
    assert list(page.neutral["fragments"]) == ["http://a.org/p1#toc"]
    assert list(page.neutral["links"]) == ["http://a.org/p1"]


def test_what_the_writer_loses_stands_beside_what_is_lost() -> None:
    answer = StructureAnswer("a")
    page = _page(1)
    answer.add("default", tally(markdown_pieces("[more](http://a.org/1) [x](http://a.org/x)"), page))
    answer.add("gold", tally(markdown_pieces("[more](http://a.org/1) [Donate](http://a.org/give)"), page))
    rows = {row[1]: row for row in structure_tables([answer])[0].rows}
    assert rows["links"][-2:] == ("0.500/0.500", "1.000/1.000")
    assert {row[0] for row in rows.values()} == {"default"}


def test_language_and_authors_of_a_site() -> None:
    site = LabelledSite("bay", "http://a.org/", "en", {}, Path(), {"lang": "en/de"})
    tea = "The handle of the pot is hot. Hold the handle with a cloth, and let the handle cool before you pour the tea."
    tee = (
        "Der Griff der Kanne ist heiß. Halten Sie ihn mit einem Tuch und warten Sie, bis er kühl ist, bevor Sie gießen."
    )
    the = "La poignée de la théière est chaude. Tenez-la avec un torchon et attendez avant de verser le thé dans la tasse."
    said = [("en", "Ann Lee", tea), ("de", "", tee), ("fr", "Handle", the), ("nl", "Tea", tea), ("en", "handle", tea)]
    found = score_people(site, [FoundPage("Tea", lang, Field(name, "x"), gold) for lang, name, gold in said])
    assert found.languages == [True, True, False, False, True]
    assert found.languages_of_text == [True, True, True, False, True]
    assert (found.n_pages, found.n_authors, found.no_names) == (5, 4, ["Handle", "Tea"])
    values = structure_values([StructureAnswer("bay", people=found)])
    assert (values["author names"], values["language"]) == (0.6, 0.6)


def test_what_is_lost_or_changed_counts() -> None:
    page = page_pieces(Capture("http://a.org/", PAGE), Label("p", "article", content_selector=".b"))
    assert page is not None
    found = tally(markdown_pieces("### Boil\n\n```\nint  a;\n```\n\n[water](http://a.org/other)"), page)
    assert (found["headings"].right, found["headings"].written) == (0, 1)
    assert (found["code"].right, found["links"].right, found["images"].recall) == (0, 0, 0.0)
    answer = StructureAnswer("a")
    answer.add("default", found)
    assert next(f.recall for f in figures([answer]) if f.kind == "headings") == 0.0
    assert structure_tables([answer])[0].rows[0][:2] == ("default", "images")


def test_posts_are_matched_once() -> None:
    out = Reading()
    truth = (TruthPost("green tea", "ann", "2020-05-03"), TruthPost("black tea", "bob"), TruthPost("no tea", "cy"))
    read_posts([Post("green tea", "Ann"), Post("black tea", "eve"), Post("something else")], truth, out)
    assert (out.n_posts, out.n_found, out.n_right) == (3, 3, 2)
    assert (out.authors, out.dates) == ([True, False], [False])


def test_a_title_that_a_line_shows_is_neither_right_nor_wrong_as_a_heading() -> None:
    page = b"<title>Bay :: Hot tea</title><span>Hot tea</span><div class=b><p>Boil water.</div>"
    pieces = page_pieces(Capture("http://a.org/", page), Label("a", "article", content_selector=".b"))
    assert pieces is not None
    assert tally(markdown_pieces("# Hot tea\n\nBoil water."), pieces)["headings"].written == 0
    assert tally(markdown_pieces("# Cold tea\n\nBoil water."), pieces)["headings"].written == 1
    assert tally(markdown_pieces("## Hot tea\n\nBoil water."), pieces)["headings"].written == 1
