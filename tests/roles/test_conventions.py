"""Addresses that software writes."""

from __future__ import annotations

import pytest

from sitegrain.methods.base import ARTICLE, OTHER, TOC
from sitegrain.roles.conventions import UNSAID, address_role, said_roles, title_role

SAID = {
    TOC: (
        "forum/viewforum.php?f=3&start=50", "viewforum.php%3Ff=3.html", "forumdisplay.php?fid=2", "index.php?board=4.0",
        "index.php?showforum=7", "forums/tea-and-coffee.12/", "forums/forum/tea/", "taxonomy/term/101", "search/label/Tea",
        "2004_12_01_archive.html", "archives/2004_12.html", "~ann/archives/cat_grad_school.html", "?cat=3", "?m=200412&paged=2",
        "index.html?author=1", "?paged=4", "product-category/pots/", "index.php?option=com_content&view=category&id=3",
        "api/package-summary.html", "pipermail/dev/2009-December/author.html", "files/?C=M;O=A", "wiki/Category:Games",
        "tag/users/", "tags/tea", "category/news/index.html", "author/ann/", "c/support/tea-pots/12.html", "forum/7-kettles/", "category/5/kettles", "forum.php?s=8a3f",
        "c-17-patio.aspx", "showcategory.aspx?CategoryID=17", "tea-pots-c-12_4.html", "mm5/merchant.mvc?Screen=CTGY&Category_Code=pots",
        "wiki/Main_Page", "w/index.php?title=Hauptseite", "w/index.php?title=Kategorie:Spiele", "wiki/%D0%9A%D0%B0%D1%82%D0%B5%D0%B3%D0%BE%D1%80%D0%B8%D1%8F:Tea",
        "doku.php", "wiki/doku.php?id=start",
        "issues?query_id=3.html", "projects/kettle/issues?page=2", "projects/kettle/boards", "projects/kettle/boards/2.html", "buglist.cgi?product=tea", "questions/", "questions/tagged/tea",
        "questions?tab=newest&page=2", "forum-3.html", "forum-3-2.html", "forum.php?mod=forumdisplay&fid=3", "smf/index.php/board,3.0.html", "api/annotated.html", "api/globals_func_a.html",
        "api/dir_18d8996842d9dfe5b3d94b114df19d72.html", "archives/list/tea@bay.org/", "archives/list/tea@bay.org/2019/5/",
    ),
    ARTICLE: (
        "viewtopic.php?t=1002", "showthread.php?t=7", "index.php?topic=589061.0", "threads/best-tea.49320/",
        "forums/topic/188682-new/", "product_info.php?products_id=4", "show_bug.cgi?id=3", "msg00012.html",
        "pipermail/dev/2009-December/000124.html", "ticket/12", "t/which-kettle/865", "topic/12-which-kettle/", "discussion/12/which-kettle", "d/12-which-kettle",
        "boards/1/topics/34?r=35.html", "issues/3?tab=notes", "questions/7809/how-long-must-tea-draw", "question/12/kettles", "thread-77.html", "thread-77-1-1.html", "smf/index.php/topic,12.0.html",
        "forum.php?mod=viewthread&tid=7", "archives/list/tea@bay.org/thread/ABC7/", "tea/20170823.ab12@bay.org/", "tea/20170823.ab12%40bay.org/T/",
        "index.php?main_page=product_info&products_id=4", "p-28050-tea-pot.aspx", "tea-pot-p-2635.html", "merchant.mvc?Screen=PROD&Product_Code=7",
    ),
    OTHER: (
        "memberlist.php?mode=joined", "memberlist.php-mode=viewprofile&u=12.html", "profile.php%3Fmode=viewprofile&u=3.html", "wp-login.php",
        "index.php?action=profile;u=3", "members/ann.12/", "comment/reply/1219/399", "user/12", "user/login", "u/Ann.html", "cart/", "shop/checkout/",
        "wiki/User:Ann", "wiki/User_talk:Ann", "wiki/Special:WhatLinksHere/Main_Page", "wiki/Template:Menu/doc", "wiki/Spezial:Suche", "wiki/Datei:Tee.jpg", "?attachment_id=4",
        "users/12.html", "users/12/ann", "home.php?mod=space&uid=3", "space-uid-3.html", "enter_bug.cgi",
        "index.php?main_page=create_account", "profile/12-ann/", "member/profile/12/", "wiki/index.php?title=Category:Games&action=history",
    ),
    UNSAID: (
        "", "index.html", "2004/12/tea.html", "archives/000051.html", "archives/2004/", "wiki/Tea", "wiki/Dev:Source", "docs/user/install.html", "tags/div.html", "category/", "t/865", "c/tea/",
        "issues/12", "docs/issues.html", "docs/questions.html", "users/ann.html", "tea@bay.org/", "posts/author/ann.lee@bay.org/", "functions.html", "forum-rules.html", "thread-safety.html",
        "news/threads.html", "news/a-report.php", "item.php?cat=3&product=7", "forums/", "blog/memberlist-of-the-club.html", "user/", "doku.php?id=tea:start", "profile/12/tea.html",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("role", "path"), [(role, path) for role, paths in SAID.items() for path in paths])
def test_what_addresses_say(role: int, path: str) -> None:
    assert address_role(f"http://a.org/{path}") == role


@pytest.mark.parametrize("url", ["", "about:blank", "http://viewforum.php", "http://a.org"])
def test_addresses_without_a_path_say_nothing(url: str) -> None:
    assert address_role(url) == UNSAID


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found",
        "Page not found",
        "Error 404",
        "404: Page Not Found.",
        "Page has moved",
        "Object moved",
        "Tea - Sign in",
    ],
)
def test_pages_that_are_not_there(title: str) -> None:
    assert title_role(title) == OTHER


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Why the treasure was not found",
        "404 ways to make tea",
        "Index of names",
        "500 miles",
        "2004",
        "How we log in",
    ],
)
def test_titles_that_say_nothing(title: str) -> None:
    assert title_role(title) == UNSAID


def test_titles_go_before_addresses() -> None:
    board = "http://a.org/viewforum.php?f=1"
    urls, titles = (
        [board, board, "http://a.org/pub/", board, board],
        ["Tea", "Page not found", "Index of /pub", "Tea", ""],
    )
    said = said_roles(urls, titles, [False, False, False, True, False], [True, True, True, True, False])
    assert said.tolist() == [TOC, OTHER, TOC, OTHER, UNSAID]
    assert said_roles([], [], [], []).shape == (0,)
