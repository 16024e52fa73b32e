"""Posts of threads: by template, by rows of a table, answers inside of posts; and pages that are no threads."""

from __future__ import annotations

import time

import numpy as np

from sitegrain.article.article import Article
from sitegrain.article.threads.posts import Post, find_posts, thread_rows
from sitegrain.methods.simple import Everything
from tests.builders import site_of

PEOPLE = [("ann", "3 May 2020", "How long must green tea draw?"), ("bob", "4 May 2020", "Three minutes, not more.")]


def posts_of(html: str) -> list[Post]:
    site = site_of(html)
    return find_posts(site, 0, site.is_text)


def test_a_row_with_the_name_above_a_row_with_the_text() -> None:
    rows = "".join(
        f"<tr class=head><td><a href=/user/{who}>{who}</a> <span>{when}</span></td></tr>"
        f"<tr class=text><td>{text} It is a longer text than the names and dates around it.</td></tr><tr><td>&nbsp;</td></tr>"
        for who, when, text in [*PEOPLE, ("cy", "5 May 2020", "I let it stand for ten.")]
    )
    found = posts_of(f"<h1>Tea</h1><table>{rows}</table>")
    assert [(p.author, p.date) for p in found] == [("ann", "2020-05-03"), ("bob", "2020-05-04"), ("cy", "2020-05-05")]
    assert [p.text.split(".")[0] for p in found][1:] == ["Three minutes, not more", "I let it stand for ten"]


def test_answers_inside_of_posts_are_posts() -> None:
    html = (
        "<ul><li class=comment><b class=author>ann</b> <time datetime=2020-05-03>long ago</time><p>First of all, hello.</p>"
        "<ul><li class=comment><b class=author>bob</b> <time datetime=2020-05-04>long ago</time><p>Hello to you, too.</p>"
        "</li></ul></li><li class=comment><b class=author>cy</b> <time datetime=2020-05-05>today</time><p>Good day.</p></li></ul>"
    )
    assert [(p.author, p.date, p.text) for p in posts_of(html)] == [
        ("ann", "2020-05-03", "First of all, hello."),
        ("bob", "2020-05-04", "Hello to you, too."),
        ("cy", "2020-05-05", "Good day."),
    ]


def test_who_began_a_thread_is_its_author() -> None:
    def thread(first: str, heading: str = "Tea", kind: str = "forum") -> Article:
        rows = "".join(
            f"<div class=post><div class=user>{who}</div><i>{when}</i><p>{text} It is a longer text than the names.</p></div>"
            for who, when, text in [(first, *PEOPLE[0][1:]), *PEOPLE[1:], ("cy", "5 May 2020", "I let it stand.")]
        )
        site = site_of(f"<h1>{heading}</h1>{rows}")
        return Article(site, 0, Everything().fit_apply(site), types=(kind,))

    assert (thread("ann").author, thread("ann").sources["author"]) == ("ann", "first post")
    assert thread("http://ann.org").author == ""
    assert "author" not in thread("http://ann.org").sources
    assert thread("ann", kind="article").author == ""


def test_what_is_quoted_is_marked() -> None:
    html = "".join(
        f"<div class=post><b class=user>{who}</b> <i>{when}</i><div>{'<blockquote>You said so.</blockquote>' * k}{text}</div></div>"
        for k, (who, when, text) in enumerate(PEOPLE)
    )
    assert [p.quotes for p in posts_of(html)] == [(), ("You said so.",)]


def test_the_day_a_member_joined_is_no_date_of_a_post() -> None:
    html = "".join(
        f"<div class=post><b class=user>{who}</b><dl><dt>Joined:</dt><dd>1 March 2001</dd></dl><i>{when}</i><p>{text}</p></div>"
        for who, when, text in PEOPLE
    )
    assert [p.date for p in posts_of(html)] == ["2020-05-03", "2020-05-04"]


def test_the_day_a_member_joined_does_not_part_the_rows_of_a_post() -> None:
    rows = "".join(
        f"<tr><td><b>{who}</b></td><td><span>Verfasst am: {when}</span></td></tr>"
        f"<tr><td><div>Dichter<br>Anmeldungsdatum: 1.3.2001</div></td><td><span>{text} Und noch mehr Worte.</span></td></tr>"
        for who, when, text in [
            ("ann", "3.5.2020", "Wie lange zieht Tee?"),
            ("bob", "4.5.2020", "Drei Minuten."),
            ("cy", "5.5.2020", "Zehn."),
        ]
    )
    found = posts_of(f"<h1>Tee</h1><table>{rows}</table>")
    assert [(p.author, p.date) for p in found] == [("ann", "2020-05-03"), ("bob", "2020-05-04"), ("cy", "2020-05-05")]


def test_paragraphs_are_no_posts() -> None:
    assert posts_of("<h1>Tea</h1>" + "<p>In this paragraph nobody speaks, and no day is named.</p>" * 8) == []


def test_many_posts_are_read_in_time() -> None:
    html = "".join(
        f"<div class=post><b class=user>u{k}</b> <i>3 May 2020</i><p>Text {k}.</p></div>" for k in range(900)
    )
    begin = time.process_time()
    assert len(posts_of(html)) == 900
    posts_of("<div class=a><i>3 May 2020</i>" * 3000)
    assert time.process_time() - begin < 20


def test_what_stands_in_brackets_is_said_besides_the_name() -> None:
    html = "".join(
        f"<div class=post><span class=creator><a href=/u/{who}>{who}</a> ({who.title()} Leaf)</span> <i>{when}</i><p>{text}</p></div>"
        for who, when, text in PEOPLE
    )
    assert [p.author for p in posts_of(html)] == ["ann", "bob"]


def test_names_with_digits_and_ranks() -> None:
    html = "".join(
        f"<div class=post><div class=who><a class=username href=/u/{k}>{who}</a><div class=usertitle>{rank}</div></div>"
        f"<i>{when}</i><p>{text}</p></div>"
        for k, (who, rank, when, text) in enumerate(
            (f"a{n}7206", f"Friend of Leaf {n * 'x'}", when, text) for n, (_, when, text) in enumerate(PEOPLE * 2)
        )
    )
    assert [p.author for p in posts_of(html)] == ["a07206", "a17206", "a27206", "a37206"]


def test_faces_name_who_wrote_and_the_first_post_stands_higher() -> None:
    """As Vanilla does: the head is beside the body, a link with a title around a picture, and answers are in a list."""
    posts = [
        f"<div class=item><div class=head><a title={who} href=/profile/{who}><img src={who}.png></a> <span>{when}</span></div>"
        f"<div class=wrap><div class=body><div class=message>{text} It is a longer text than what stands around it.</div>"
        f"<span class=when>{when}</span></div></div></div>"
        for who, when, text in [*PEOPLE, ("cy", "5 May 2020", "I let it stand for ten.")]
    ]
    found = posts_of(f"<h1>Tea</h1>{posts[0]}<ul>{''.join(f'<li>{post}</li>' for post in posts[1:])}</ul>")
    assert [(p.author, p.date) for p in found] == [("ann", "2020-05-03"), ("bob", "2020-05-04"), ("cy", "2020-05-05")]


def test_a_thread_that_nobody_answered_has_one_post() -> None:
    post = "<div class=post><a class=username href=/user/ann>ann</a> <i>3 May 2020</i><div><p>How long must it draw?</div></div>"
    site = site_of(f"<h1>Tea</h1><nav>Home</nav><div>{post}</div>")
    wanted = site.is_text & np.array([site.node_text(row).startswith("How") for row in range(site.n_nodes)])
    assert find_posts(site, 0, wanted) == []
    found = find_posts(site, 0, wanted, is_thread=True)
    assert [(p.author, p.date, p.text) for p in found] == [("ann", "2020-05-03", "How long must it draw?")]
    answered = site_of(
        "<div><p>How long must it draw?</div><div class=comment><a class=username href=/user/bo>bo</a> <i>3 May 2020</i></div>"
    )
    wanted = answered.is_text & np.array([answered.node_text(r).startswith("How") for r in range(answered.n_nodes)])
    assert find_posts(answered, 0, wanted, is_thread=True) == []  # who answered did not ask
    plain = site_of("<h1>Tea</h1><div><p>How long must it draw?</div>")
    assert find_posts(plain, 0, plain.is_text, is_thread=True) == []


def test_who_answered_did_not_write_the_thread() -> None:
    rows = "".join(
        f"<div class=post><h4>{'Re: ' * k}Green tea ¶</h4><p>By: <a href=/user/{k}>{who}</a> on {when}</p><div class=text><p>{text}</div></div>"
        for k, (who, when, text) in enumerate(
            [("ann", "3 May 2020", "How long must it draw?"), ("Bob", "4 May 2020", "Three minutes.")]
        )
    )
    site = site_of(f"<title>Green tea - Forum</title><h1>Green tea</h1>{rows}")
    article = Article(site, 0, Everything().fit(site).apply(site), "article", types=["forum"])
    assert (article.author, article.sources["author"], [p.author for p in article.posts]) == (
        "ann",
        "first post",
        ["ann", "Bob"],
    )
    assert [p.text for p in article.posts] == ["How long must it draw?", "Three minutes."]


def test_a_lone_post_does_not_know_better_than_the_page_who_wrote_it() -> None:
    html = (
        "<title>Green tea</title><table><tr><td><a href=history>History</a></td></tr></table><div><div><b>Green tea</b>"
        "<p><i>by Maria Keller, 14 April 2019</i></p><p>How long must it draw? Three minutes.</p></div><a href=up>Back</a></div>"
    )
    site = site_of(html)
    article = Article(site, 0, Everything().fit(site).apply(site), "article", types=["forum"])
    article.__dict__["posts"] = [Post("How long must it draw? Three minutes.", "History", "2019-04-14")]
    assert (article.author, article.date) == ("Maria Keller", "2019-04-14")


def test_the_heading_above_comments_is_none() -> None:
    comments = "".join(
        f"<li class=comment><b class=fn>{who}</b> <time datetime=2020-05-0{k}>day</time><p>{text}</p></li>"
        for k, (who, _, text) in enumerate(PEOPLE, 3)
    )
    assert [p.author for p in posts_of(f"<h3>2 responses to the question of tea</h3><ol>{comments}</ol>")] == [
        "ann",
        "bob",
    ]


def test_the_day_is_the_hint_of_how_long_ago_and_the_first_post_is_of_another_template() -> None:
    def head(who: str, day: int) -> str:
        return f"Added by <a class=user href=/users/{who}>{who}</a> <a title='11/{day}/2020 02:16 PM' href=/activity>almost 6 years</a> ago"

    html = f"<h2>Tea</h2><div class=message><p><span class=author>{head('ann', 20)}</span></p><div class=wiki><p>How long must green tea draw?</p></div></div>"
    html += "<div id=replies>" + "".join(
        f"<div class=reply><h4>{head(who, day)}</h4><div class=wiki><p>{text}</p></div></div>"
        for who, day, text in [("bob", 21, "Three minutes, not more."), ("cy", 23, "I let it stand for ten.")]
    )
    found = posts_of(html + "</div>")
    assert [(p.author, p.date) for p in found] == [("ann", "2020-11-20"), ("bob", "2020-11-21"), ("cy", "2020-11-23")]


def test_a_line_that_says_who_is_the_author_and_one_that_says_when_it_began_is_no_post() -> None:
    rows = "".join(
        f"<tr><th><a href=msg{i}>msg{i} (view)</a></th><th>Author: {who}</th><th>Date: 2020-05-0{i}</th></tr>"
        f"<tr><td class=content><pre>{text} It is a longer text than the names and dates around it.</pre></td></tr>"
        for i, (who, _, text) in enumerate([*PEOPLE, ("cy", "", "I let it stand for ten.")], 3)
    )
    html = f"<h1>Tea</h1><p>Created on <b>2020-05-03</b> by <b>ann</b>, last changed by <b>cy</b>.</p><table>{rows}</table>"
    assert [(p.author, p.date) for p in posts_of(html)] == [
        ("ann", "2020-05-03"),
        ("bob", "2020-05-04"),
        ("cy", "2020-05-05"),
    ]


def test_the_box_of_all_answers_is_not_one_post_beside_the_question() -> None:
    """A ticket: what it was opened with is long, with a head of its own, and the answers are short."""
    day = "<a class=timeline title='See timeline at May {0}, 2020, 4:00:00 PM'>3 years ago</a>".format
    asked = "How long must green tea draw, and with how much water? I have tried two minutes and it was too weak. " * 3
    html = f"<div id=ticket><p>Opened {day(2)}</p><h1>Tea</h1><table><tr><th>Reported by:<td><a class=author>ann</a></table><p>{asked}</div>"
    html += "<div><h3>Change History (3)</h3><div id=changelog>" + "".join(
        f"<div class=change><h3><a href='#c{k}'>comment:{k}</a> by <span class=author>{who}</span>, {day(k + 2)}</h3><div class=comment><p>{text}</div></div>"
        for k, (who, text) in enumerate([("bob", "Three minutes."), ("cy", "I let it stand for ten."), ("ann", "Thanks, both.")], 1)
    )  # fmt: skip
    found = posts_of(html + "</div></div>")
    assert [(p.author, p.date) for p in found] == [
        ("ann", "2020-05-02"), ("bob", "2020-05-03"), ("cy", "2020-05-04"), ("ann", "2020-05-05"),
    ]  # fmt: skip
    assert found[2].text.endswith("I let it stand for ten.")


def test_a_line_that_says_who_and_when_is_short_however_it_is_indented() -> None:
    space = "\n" + " " * 60
    html = "".join(
        f"<li><p>{text}<p><small>{space}Reviewed by <b class=user>{who}</b>{space}on {day} May 2020{space}| <a href=#{who}>Permalink</a>{space}</small></li>"
        for who, day, text in [("ann", 3, "A cup that keeps the tea hot for an hour."), ("bob", 4, "Mine leaks a little, but it is light.")]
    )  # fmt: skip
    assert [p.text for p in posts_of(f"<ol>{html}</ol>")] == [
        "A cup that keeps the tea hot for an hour.",
        "Mine leaks a little, but it is light.",
    ]


def test_who_looked_at_a_page_before_changes_nothing() -> None:
    post = "<div class=post><a class=user href=/u/{0}>{0}</a><i>{1} May 2020</i><blockquote>So it is</blockquote><p>{2}</p></div>"
    said = [("ann", 3, "How long must tea draw?"), ("bob", 4, "Three minutes are enough."), ("eve", 5, "Four, I say.")]
    html = "".join(post.format(*one) for one in said)
    alone, shared = site_of(html), site_of(html)
    wanted = [shared.is_text, shared.is_text.copy()]
    wanted[1][: len(wanted[1]) // 2] = False
    for some in (*wanted, wanted[0]):
        thread_rows(shared, 0, some, some.astype(np.float64), True)
        assert find_posts(shared, 0, some) == find_posts(site_of(html), 0, some)
    assert [post.author for post in find_posts(alone, 0, alone.is_text)] == ["ann", "bob", "eve"]


def test_what_a_thread_tells_of_itself_goes_before_its_first_post() -> None:
    rows = "".join(
        f"<div class=post><b class=user>{who}</b> <i>{when}</i><p>{text} It is a longer text than the names.</p></div>"
        for who, when, text in PEOPLE
    )
    meta = "<meta name=author content='Cy Lee'><meta property=article:published_time content=2019-01-02>"

    def signed(head: str) -> tuple[str, str]:
        site = site_of(f"{head}<h1>Tea</h1>{rows}")
        article = Article(site, 0, Everything().fit_apply(site), types=("forum",))
        return article.author, article.date

    assert signed("") == (PEOPLE[0][0], "2020-05-03")
    assert signed(meta) == ("Cy Lee", "2019-01-02")


def test_who_wrote_is_named_behind_by_and_not_by_the_heading_of_a_review() -> None:
    def review(name: str, day: int, heading: str, text: str) -> str:
        return f"<li><h3><a href=/r{day}>{heading}</a></h3><p>{text}</p><p><small>Von <strong>{name}</strong> am {day}. Mai 2020 bewertet</small></p></li>"

    said = [("Edith K", 3, "Sehr gut", "Der Kessel singt."), ("Klara", 5, "Geht so", "Der Deckel klemmt."), ("Yusuf", 9, "Gerne wieder", "Schnell geliefert.")]  # fmt: skip
    found = posts_of("<ol>" + "".join(review(*of) for of in said) + "</ol>")
    assert [(post.author, post.date) for post in found] == [(name, f"2020-05-0{day}") for name, day, _, _ in said]
    nobody = posts_of("<ol>" + "".join(review("Anonymous", *of[1:]) for of in said) + "</ol>")
    assert [post.author for post in nobody] == ["Anonymous"] * 3
