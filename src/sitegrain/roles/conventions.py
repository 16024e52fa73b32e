"""What addresses and titles say that software writes: `viewforum.php?f=3`, `Category:Games`, `archives/2004_12.html`, "404 Not Found".

Words are learned where three labelled sites have them (`words`), and most programs that sites are made with are on fewer. But
how a program names the pages that it makes is known: each line below is how one program does by default, where what a page of
that name is for is beyond doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from sitegrain.light import late_pattern
from sitegrain.methods.base import ARTICLE, OTHER, TOC

UNSAID = -1
"""No program that is known here writes such an address."""
LONGEST = 1_000
"""Characters of an address or title that are looked at: what is longer is no name, and patterns are slow on it."""

_SPACES = {  # names of the spaces of MediaWiki, in the languages with most wikis
    TOC: "category kategorie kategori kategoria catégorie categoría categoria categorie kategória категория категорія "
    "カテゴリ 分类 分類 분류 thể_loại تصنيف קטגוריה",
    OTHER: "special spezial spécial especial speciale speciaal specjalna speciální служебная спеціальна 特別 特殊 특수 "
    "talk diskussion discussion discusión discussão discussione overleg dyskusja diskuse обсуждение обговорення ノート 讨论 討論 토론 "
    "user benutzer utilisateur usuario usuário utente gebruiker użytkownik uživatel användare участник користувач 利用者 用户 사용자 "
    "template vorlage modèle plantilla predefinição sjabloon szablon šablona mall шаблон テンプレート 模板 틀 "
    "file image datei bild fichier archivo ficheiro immagine bestand plik soubor fil файл ファイル 文件 檔案 파일 "
    "mediawiki media module modul user_talk template_talk file_talk category_talk help_talk project_talk",
}
_THREADS = (
    r"viewtopic\.php", r"showthread\.php", r"[?&;]showtopic=", r"[?&;]topic=\d", r"/threads/[^/?]+\.\d+/", r"/forums/topic/",
    r"show_bug\.cgi", r"/ticket/\d+(?:$|[?#.])", r"/issues/\d+\?tab=", r"/boards/\d+/topics/\d",  # Bugzilla, Trac, Redmine
    r"/thread-\d+(?:-(?:page-)?\d+){0,2}\.html?$", r"[?&;]mod=viewthread\b", r"/topic,\d+\.\w",  # MyBB, Discuz!, SMF
    r"/questions?/\d+(?:$|[/?.])", r"/list/[^/?@]+@[^/?]+/(?:thread|message)/\w",  # Stack Overflow, Askbot; HyperKitty
    r"/t/[^/?]+/\d+(?:$|[/?.])", r"/topic/\d+[/-][^/?]+", r"/discussion/\d+/", r"/d/\d+-[^/?]+",  # Discourse, Invision, NodeBB, Vanilla, Flarum
)  # fmt: skip
"""Where people answer one another: a board, a tracker, questions, letters."""
_PROGRAMS: dict[int, tuple[str, ...]] = {
    TOC: (
        r"viewforum\.php", r"forumdisplay\.php", r"[?&;]board=\d", r"[?&;]showforum=",  # phpBB, vBulletin, MyBB, SMF, Invision
        r"/forums/[^/?]+\.\d+/", r"/forums/forum/",  # XenForo, bbPress
        r"/forum\.php(?:\?s=\w*)?$",  # vBulletin
        r"/c/[^/?]+(?:/[^/?]+)*/\d+(?:$|[/?.])", r"/forum/\d+-[^/?]+", r"/category/\d+/[^/?]+",  # Discourse, Invision, NodeBB
        r"/(?:tags?|categor(?:y|ies)|authors?)/[^/?.]+/?(?:index\.html?)?$",  # WordPress, Hexo, Hugo, Ghost (`tags/div.html` may be an article of a manual)
        r"/(?:19|20)\d\d/(?:0[1-9]|1[0-2])/(?:page/\d+/?)?(?:index\.html?)?$",  # months of WordPress, Hexo and others
        r"^/(?:[a-z]{2}/)?(?:(?:tags|categories|archives?)(?:/|/index\.html?|\.html?)|authors/(?:index\.html?)?)$",  # all tags of Hexo, Hugo, Pelican, Nikola; deeper down it may be a chapter, and `AUTHORS.html` may say who wrote a program
        r"/taxonomy/term/\d", r"/search/label/", r"/\d{4}_\d\d_\d\d_archive\.",  # Drupal, Blogger
        r"/archives?/(?:cat_[^/]+|\d{4}_\d\d|week_[\d_]+)(?:\.\w+)?(?:$|[?#])",  # Movable Type
        r"[?&]paged=\d", r"\?(?:cat=\d+|m=\d{6}|author=\d+)\b(?!.*&(?!paged))",  # WordPress
        r"/product-(?:category|tag)/", r"route=product/category", r"[?&;]cpath=[\d_]+(?!.*products_id)",  # shops
        r"showcategory\.aspx", r"/c-\d+-[^/]+\.aspx", r"-c-\d+(?:_\d+)*\.html?$", r"[?&;]screen=ctgy\b",
        r"[?&;]view=(?:category|categories|section|archive|featured|frontpage)\b",  # Joomla
        r"/(?:index-all|allclasses(?:-\w+)?|(?:overview|package)-(?:summary|tree|frame))\.html?(?:$|[?#])",  # Javadoc
        r"/\d{4}-(?:\w+|q\d)/(?:thread|subject|author|date)\.html?", r"/(?:maillist|mail\d+|thrd\d+)\.html?$",  # archives of mail
        r"/list/[^/?@]+@[^/?]+/(?:\d{4}/\d+/|latest)?(?:index\.html?)?(?:$|\?)",  # lists of mail and their months (HyperKitty)
        r"\?c=[nmsd][;&]o=[ad]",  # lists of folders that Apache makes
        r"/forum-\d+(?:-(?:page-)?\d+)?\.html?$", r"[?&;]mod=forumdisplay\b", r"/board,\d+\.\d",  # MyBB, Discuz!, SMF
        r"^/(?:[^/?]+/)?issues(?:\.html?)?\?", r"/projects/[^/?]+/(?:issues|boards|news)(?:\.html?)?(?:$|\?)",  # Redmine
        r"/boards/\d+(?:$|[?.])", r"/wiki/(?:date_)?index(?:\.html?)?$", r"/(?:buglist|describecomponents)\.cgi",  # Redmine, Bugzilla
        r"^/questions(?:/tagged/[^/?]+)?/?(?:index)?(?:\.html?)?(?:\?(?:[^#]*&)?(?:page|tab|sort)=[^#]*)?$",  # Stack Overflow, Askbot
        r"/(?:annotated|dir_[0-9a-f]{32}|(?:globals|functions|namespacemembers)_(?:\w|0x[0-9a-f]+|func|vars|defs|type|enum|eval|prop|rela)(?:_\w+)?)\.html?$",  # Doxygen
        r"/(?:titleindex|wordindex|recentchanges|wikistart)(?:\.html?)?$",  # MoinMoin, Trac
        r"[?&;]p=[^&;]+[&;]a=(?:summary|shortlog|log|tree|history|heads|tags|remotes|forks|search)(?:$|[&;.])", r"[?&;]a=project_(?:list|index)\b",  # gitweb
        r"/doku\.php(?:\?id=start)?$",  # the home pages of DokuWiki and of MediaWiki
        r"(?:/|[?&;]title=)(?:main_page|hauptseite|página_principal|pagina_principale|hoofdpagina|strona_główna|hlavní_strana|huvudsida|"
        r"заглавная_страница|メインページ|首页|首頁)(?:\.html?)?$",
    ),
    ARTICLE: (
        *_THREADS,
        r"product_info\.php", r"route=product/product", r"/msg\d{5}\.html?", r"/\d{4}-(?:\w+|q\d)/\d{6}\.html?$",  # products and letters
        r"/(?=[^/@]*\d)[^/?@]+@[^/?@]+\.[^/?@]+/(?:t/)?(?:index\.html?)?$",  # public-inbox (an id of a letter)
        r"[?&;]p=[^&;]+[&;]a=(?:commit|commitdiff|blob|blobdiff|blame|tag)(?:$|[&;.])",  # gitweb
        r"[?&;]main_page=product_info", r"showproduct\.aspx", r"/p-\d+-[^/]+\.aspx", r"-p-\d+\.html?$", r"[?&;]screen=prod\b",
    ),
    OTHER: (
        r"/(?:memberlist|member|profile|ucp|usercp|posting|privmsg|private|groupcp|userlist|newreply|newthread|sendmessage|"
        r"viewonline|login|register|search|shopping_cart|create_account|account|wp-login|wp-signup|wp-register)\.php",
        r"[?&;]action=(?:profile|login|register|help|search|stats|mlist|who|reminder|activate|edit|history|info|raw)\b",
        r"[?&;]main_page=(?:login|create_account|password_forgotten|contact_us|shopping_cart|account)\b", r"/profile/\d+(?:-[^/?]+|/?(?:index\.html?)?$)",
        r"[?&;]showuser=", r"/members/[^/?]+\.\d+/", r"/forums/users?/", r"/comment/reply/", r"/user/(?:\d+|login|register|password)(?:$|[/?.])",
        r"^/(?:[^/?]+/)?(?:cart|checkout|my-account)/?(?:index)?(?:\.\w+)?$",  # WooCommerce, Shopify
        r"/users/\d+(?:$|[/?.])", r"[?&;]mod=space\b", r"/space-uid-\d", r"/(?:enter_bug|query|createaccount)\.cgi",  # Redmine, Stack Overflow, Discuz!, Bugzilla
        r"^/u/[^/?]*[^\W\d][^/?]*/?(?:index)?(?:\.\w+)?$",  # Discourse
        r"[?&;]attachment_id=", r"[?&;]replytocom=", r"route=(?:account|checkout|affiliate)/",
        r"option=com_(?:users?|search|finder|mailto)\b", r"[?&;]do=(?:login|media|edit|register|profile|diff|revisions|backlink)\b",
    ),
}  # fmt: skip


@cache
def _patterns() -> tuple[re.Pattern[str], dict[str, int]]:
    spaces = {name: role for role, names in _SPACES.items() for name in names.split()}
    programs = "|".join(f"(?P<r{role}>{_either(found)})" for role, found in _PROGRAMS.items())
    return re.compile(programs), spaces


def _either(patterns: tuple[str, ...]) -> str:
    """One of them. Those that begin alike are told from one another behind that: a search tries each of the others at every sign."""
    begun = {begin: [p.removeprefix(begin) for p in patterns if p.startswith(begin)] for begin in _BEGINNINGS}
    others = [p for p in patterns if not p.startswith(_BEGINNINGS)]
    return "|".join([*(f"{begin}(?:{'|'.join(found)})" for begin, found in begun.items() if found), *others])


_BEGINNINGS = ("/", "[?&;]", "^/")


@cache
def _threads() -> re.Pattern[str]:
    return re.compile("|".join(_THREADS))


_SPACE = re.compile(r"(?:/|[?&;]title=)([^\W\d]+):(?=[^/])")


def address_role(url: str) -> int:
    """The role that the program which writes such addresses gives their pages, or `UNSAID`.

    >>> address_role("http://a.org/forum/viewforum.php?f=3"), address_role("http://a.org/wiki/User_talk:Ann")
    (1, 0)
    >>> address_role("http://a.org/blog/2019/07/"), address_role("http://a.org/2019/07/13/"), address_role("http://a.org/manual/tags/")
    (1, -1, -1)
    >>> address_role("http://a.org/?p=tea.git;a=tree;h=7"), address_role("http://a.org/?p=tea.git;a=commit;h=7"), address_role("http://a.org/authors/"), address_role("http://a.org/AUTHORS.html")
    (1, 2, 1, -1)
    >>> address_role("http://a.org/archives/2004_12.html"), address_role("http://a.org/archives/2004/tea.html")
    (1, -1)
    """
    plain = _plain(url)
    programs, spaces = _patterns()
    found = programs.search(plain)
    role = UNSAID if found is None or found.lastgroup is None else int(found.lastgroup[1:])
    space = _SPACE.search(plain)
    if (
        space is None or role == OTHER
    ):  # what is done with a page (`Category:Tea&action=history`) says more than its space
        return role
    return spaces.get(space[1], role)


def is_thread(url: str) -> bool:
    """Whether the program that writes such addresses lets people answer one another on the page.

    >>> is_thread("http://a.org/viewtopic.php?t=7"), is_thread("http://a.org/ticket/12"), is_thread("http://a.org/tickets/")
    (True, True, False)
    """
    return _threads().search(_plain(url)) is not None


def _plain(url: str) -> str:
    """Path and query in small letters. Copies of sites write `?` in other ways, and an ending behind it."""
    plain = unquote(url[:LONGEST].partition("://")[2]).lower().replace("%3f", "?")
    return plain[plain.find("/") :] if "/" in plain else ""


_ENTRANCE = late_pattern(
    r"[^/]+(?:(?:/(?:[^?]*/)?forums?)?/(?:(?:index|default|home)\.\w{2,5})?\??|/(?:[^?]*/)?forums?)?"
)


def is_entrance(url: str) -> bool:
    """Whether this is where a site or its forum is entered.

    >>> is_entrance("http://a.org"), is_entrance("http://a.org/forum/index.php"), is_entrance("http://a.org/tea/")
    (True, True, False)
    """
    return _ENTRANCE.fullmatch(url.partition("://")[2].partition("#")[0]) is not None


_ERROR = late_pattern(
    r"(?:error\W*)?(?:[45]\d\d\W*)?(?:(?:page|file|object) )?not found|404|error\W*(?:404|410|500)|(?:404|410|500)\W*error|403\W*forbidden"
    r"|400\W*bad request|50[0234]\W*(?:internal server error|bad gateway|service unavailable|gateway timeout)|page has moved|(?:object|document) moved|30[1278] (?:moved permanently|found|temporary redirect)"
)
_ERROR_404 = late_pattern(
    r"(?:error|fehler|erreur|errore|erro|fout|fel|feil|fejl|virhe|hiba|hata|chyba|greška|błąd|eroare|ошибка|помилка|грешка|σφάλμα|エラー|错误|錯誤|오류|lỗi|خطأ|خطا)\W*404\b.*|404\W*[-–—:|].*"
)
_FOLDER = re.compile(r"index of /.*")
_LOGIN_NAMES = (
    "login", "log in", "signin", "sign in", "anmelden", "connexion", "se connecter", "iniciar sesión", "accedi", "inloggen", "logga in", "вход",
    "登录", "登入", "ログイン", "로그인",
)  # fmt: skip
"""Shown to visitors instead of what members may read."""
_LOGIN = late_pattern(rf"(?:.* (?:::|[-–—|»]) )?(?:{'|'.join(_LOGIN_NAMES)})")
_CONTENTS_NAMES = (
    "table of contents", "sitemap", "site map", "inhaltsverzeichnis", "seitenübersicht", "table des matières", "plan du site",
    "índice de contenidos", "mapa del sitio", "mapa do site", "mappa del sito", "inhoudsopgave", "innehållsförteckning", "spis treści",
    "mapa strony", "содержание", "оглавление", "карта сайта", "目次", "サイトマップ", "目录", "网站地图", "目錄", "網站地圖", "목차", "사이트맵",
)  # fmt: skip
_CONTENTS = late_pattern(
    rf"(?:.*(?::|\s(?:::|[-–—|»]))\s)?(?:(?:short |detailed )?table of contents|{'|'.join(_CONTENTS_NAMES[1:])})(?: \(.*\))?"
)
"""A list of all that a book or a site has, as programs that make manuals call it. A section about such lists has a number or more words."""


def title_role(title: str) -> int:
    """The role of a page that a server or a program writes instead of one that is not there or not for all, or of a list of files or of all there is; or `UNSAID`.

    >>> title_role("404 Not Found"), title_role("Page has moved"), title_role("Index of /pub"), title_role("Lost and not found")
    (0, 0, 1, -1)
    >>> title_role("The Tea Manual: Table of Contents"), title_role("3.1 Table of Contents"), title_role("Site map")
    (1, -1, 1)
    >>> title_role("Błąd 404 - nie znaleziono strony"), title_role("The Peugeot 404 - a test")
    (0, -1)
    >>> title_role("Tea Forum :: Login"), title_role("How to log in"), title_role("About this document ...")  # latex2html
    (0, -1, 0)
    """
    plain = title[:LONGEST].strip().lower()
    if (
        _ERROR.fullmatch(plain.rstrip(".!"))
        or plain == "about this document ..."
        or _ERROR_404.fullmatch(plain)
        or (plain.endswith(_LOGIN_NAMES) and _LOGIN.fullmatch(plain))
    ):
        return OTHER
    # Most titles end otherwise, which is told in a tenth of the time.
    is_list = _FOLDER.fullmatch(plain) or (plain.endswith((*_CONTENTS_NAMES, ")")) and _CONTENTS.fullmatch(plain))
    return TOC if is_list else UNSAID


def said_roles(
    urls: Iterable[str], titles: Iterable[str], is_form: npt.ArrayLike, has_links: npt.ArrayLike
) -> npt.NDArray[np.int8]:
    """What titles say, or else addresses, of many pages: where a page should be and is not, its address says nothing. Pages that are
    there for a form (`formpages`) are neither articles nor lists, whatever a title says, and a page without links, such as one that
    only sends on to another, is no list, whatever its address."""
    said = [
        of if (of := title_role(title)) != UNSAID else address_role(url)
        for url, title in zip(urls, titles, strict=True)
    ]
    role = np.array(said, np.int8)
    role[(role == TOC) & ~np.asarray(has_links, bool)] = UNSAID
    role[np.asarray(is_form, bool)] = OTHER
    return role
