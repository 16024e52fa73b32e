"""What is written as a quote, and lines of code."""

from __future__ import annotations

import pytest

from sitegrain.render import to_html, to_markdown
from tests.builders import site_of

POST = "<li><div class=head></div><blockquote><p>{}</p>{}</blockquote></li>"


def markdown(html: str) -> str:
    site = site_of(html)
    return to_markdown(site, 0, site.is_text)


def test_a_list_of_quotes_and_nothing_else_is_a_list_of_posts() -> None:
    posts = POST.format("Tea is hot.", "<blockquote>How hot?</blockquote>") + POST.format("Very.", "<ul><li>One</ul>")
    assert markdown(f"<ol>{posts}</ol>") == "Tea is hot.\n\n> How hot?\n\nVery.\n\n- One"
    site = site_of(f"<ol>{posts}</ol>")
    assert "<ol>" not in to_html(site, 0, site.is_text)


def test_a_page_that_is_a_quote_stays_one() -> None:
    assert markdown("<blockquote><p>Tea is hot.</p></blockquote>").startswith("> Tea")
    assert "> Tea" in markdown(f"<p>She said this of it:</p><ol>{POST.format('Tea is hot.', '')}</ol>")


@pytest.mark.parametrize(
    ("between", "n_breaks"),
    [
        ("<div><div>\n</div></div>", 2), ("<div>\n</div><div>\n</div>", 3), ("\n", 1), ("\n<div></div>\n", 2), ("<div></div>", 1), ("<div><br></div>", 2),
        ("<div><br></div><div><br></div>", 3), ("\n<b></b><table><tr><td></td></tr></table>", 1),
    ],
)  # fmt: skip
def test_empty_lines_of_code_stay(between: str, n_breaks: int) -> None:
    page = f"<pre><code><div><div>a = 1</div></div>{between}<div><div>b = 2</div></div></code></pre>"
    assert markdown(page).strip() == "```\na = 1" + "\n" * n_breaks + "b = 2\n```"


def test_an_empty_box_between_lines_that_have_none_is_no_line() -> None:
    assert markdown("<pre><b>a = 1</b>\n<div></div><b>b = 2</b></pre>").strip() == "```\na = 1\nb = 2\n```"
