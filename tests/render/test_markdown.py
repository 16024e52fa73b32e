"""What is written as a quote."""

from __future__ import annotations

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
