"""Who wrote it: names made clean, and bylines in several languages."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from functools import lru_cache, partial

from sitegrain.article.fields.dates import find_dates
from sitegrain.article.fields.shared import in_names, named_rows
from sitegrain.article.fields.view import View
from sitegrain.native.scripts import EAST_ASIAN, char_class
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import HEADINGS, TAG_CODE, TEXT

MAX_NAME = 120
NEAR_TEXT = 300
"""Characters between the names of the authors of one article."""
BY = re.compile(
    r"^[\W_]*(?:(?:this (?:post|article|story|guide) (?:was|is) )?(?:written|posted|published|reviewed|story|words|article|reported|reporting|edited|created|submitted|"
    r"started|recipe|opinion|analysis|commentary|interview|column)\s+by|"
    r"(?:(?:text|story|words|photos?) (?:and|&) )?(?:text|story|words|photos?) by|by|author(?:ed by|\(s\)|s)?|"
    r"(?:text|erstellt|eingestellt|verfasst|geschrieben|veröffentlicht|gespeichert|pressemitteilung|(?:eine? )?(?:artikel|(?:gast)?beitrag|interview|kolumne|kommentar|reportage|analyse|essay|bericht)) von|via|"
    r"(?:interview|redaktion|words|(?:texte?|tekst|texto|testo|teksti) ?(?:(?:&|und|and|et|y|e|og|och) ?(?:fotos?|photos?|bilder?|foto) ?)?)(?=:)|von|autore?(?:r|in|es|a|n|innen)?|auteure?|par|"
    r"por|escrito por|publicado por|publié par|propos recueillis par|escribe|"
    r"scritto da|pubblicato da|postado por|gepost door|inlagd av|diposting oleh|ditulis oleh|a cura di|di|door|geschreven door|af|av|skrevet av|skriven av|kirjoittanut|napsal[ai]?|autorius|szerző|"
    r"yazan|yazar|"
    r"автор(?:ы)?|автора|текст|tác giả|đăng bởi|viết bởi|bởi|penulis|oleh|作者|(?:(?:取材|構成|写真)・){0,2}文|撰文|記者|记者|責任編輯|责任编辑|編集|著者|"
    r"執筆者?|投稿者|筆者|글|기자|"
    r"بقلم|كتبه?ا?(?=\s*:)|الكاتب|מאת|autor(?:ka)?|(?:نویسنده|نويسنده)|โดย|ผู้เขียน|írta|लेखक|লেখক|kirjoittaja|piše|пише|γράφει(?: [οη])?|συντάκτης|του|της|저자|글쓴이)"
    r"(?:\s*[:：|/=＝]\s*|\s+|(?<=[者文者글])\s*)",
    re.IGNORECASE,
)
# A byline goes on with a date, a place, a time to read; the name ends before. "Le" with a capital is of a name.
_AFTER = re.compile(
    r"\s*(?:\||／|\s기자\b.*|•|·|»|—|–|/{2}|\s-\s|\b(?:illustration(?:en|s)?|fotos?|photos?|bilder?|pictures?)(?: (?:by|von)\b|:).*|,\s*(?:\w+\s)?\d\d?[./-]\d\d?[./-]\d\d.*|\b(?:\d+|an?) (?:year|month|week|day|hour|minute)s? ago\b.*|(?<=\s)at(?:$|\s+\d{1,2}[:.h]\d\d.*)|\bon\b(?=\s+\w+\s*\d|\s+\w+day\b).*|\b(?:published|updated|posted|last|"
    r"modified|reviewed|fact|edited|medically|contributor|(?:special|staff|senior) (?:\w+ )?(?:correspondent|reporter|writer)|"
    r"minutes?|(?-i:min|am|um|le|el|il)|\d+[ -]?min|read|stand|datum|publié|veröffentlicht|aktualisiert|actualizado|more|see|view|all posts|"
    r"follow|bio)\b.*|\b(?:im gespräch )?mit\b.*|\b\d+ (?:comments?|kommentare?|commentaires?|comentarios?|commenti)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_NO_NAME = re.compile(
    r"https?:|www\.|^@?$|^\W+$|[{}<>=$→►▶\[\]【】《》。：；]|\?$|^[a-z_]+(?:\.[a-z_]+){3,}$|\.(?:com|org|net|html|php)\b(?!\s+\w)|^(?:by|the|text(?: (?:und|and))?|letzte aktualisierung|\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?|archives?:.*|screen ?shots?|(?:(?:co|primary|lead|main|principal|corresponding|guest)[ -])?authors?|anonymous|"
    r"unknown|null|none|"
    r"undefined|n/?a|no author|stand|datum|publiziert|artikel|(?:alle |mehr )?beiträge|user|guest|wp|(?:wp[-_ ]?)?admin\d*|administrator|webmaster|editor|root|super user|shared|default|staff|"
    r"author name|read more|share|"
    r"subscribe|follow|comments?|home|about|wordpress|posted|date|login|log in|sign in|profile|avatar|members?|"
    r"registered|topics?|(?:list of )?contributors?|posts?|articles?|news|blog|tags?|categor(?:y|ies)|archives?|"
    r"posted on|published on|for immediate release|autore?|auteur|verfasser|publicado|publié|veröffentlicht|written|"
    r"投稿|投稿日|作成|作成者|更新|カテゴリー|タグ|分类|标签|"
    r"(?:the|topic|thread) author|(?:(?:contributing|staff|senior|guest|freelance|associate|managing|news|web) )+(?:writer|editor|reporter|contributor|correspondent)s?|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?|(?:written|posted|published) by|(?:view|see|read|all).{0,12}(?:posts?|articles?|profile)|"
    r"about the author|author|by|von|par|por|di|door|av|af|veröffentlicht\b.*|\S+: ?\d+|\w+ #\d+|.*\b(?:written|posted) by|.*alle beiträge|wordpressadmin|"
    r"visit the .* store|from .*|(?:share|tweet|posted|published|filed|follow|contact|email|print|save) (?:on|in|under|us|to|this|with)\b.*)$",
    re.IGNORECASE,
)
_ALL_POSTS = re.compile(
    r"^(?:(?:(?:view|see|read|show) )?(?:all|more) (?:of (?=.*['’]s posts)|(?:posts|articles|stories|content) (?:by|from) |(?:by|from) )|alle (?:beiträge|artikel) von (?=.* an(?:zeigen|sehen))|zeige alle (?:beiträge|artikel) von |"
    r"(?:voir|afficher) tous les articles (?:de|par) |ver todas las entradas (?:de|por) |ver todos os posts (?:de|por) |(?:vedi|visualizza) tutti gli articoli di |"
    r"bekijk alle berichten van |(?:по)?смотреть все записи(?: автора)? )|(?:['’]s posts| an(?:zeigen|sehen))\W*$",
    re.IGNORECASE,
)
"""What themes write around a name in the link to all that the person wrote."""
ROLE = re.compile(
    r"\b(?:correspondent|editor|reporter|writer|staff|officer|director|contributor|columnist|critic|analyst|producer|"
    r"journalist|photographer|president|manager|professor|head of|getty|istock|shutterstock|images|news|network|media|desk|"
    r"(?:\w*-)?redaktion|\w*(?:redakteur|korrespondent|leiter|reporter|journalist|sprecher|expert)(?:in)?|"
    r"journaliste|rédact\w+|correspondante?|periodista|redactora?|corresponsal|giornalista|corrispondente|dziennikarz|журналист|корреспондент)\b",
    re.IGNORECASE,
)
"""What stands after a name and a comma and is no other name: what the person does, or an agency."""
_WORK = re.compile(
    r"^([A-Z][\w'’-]+ [A-Z][\w'’-]+) (?:(?:[A-Z&]\S*|and|of) ){1,4}(?:Coordinator|Manager|Editor|Writer|Director|Engineer|Specialist|Reporter|"
    r"Correspondent|Strategist|Developer|Analyst|Consultant)$"
)
"""Two words of a name and what the person does: at least one word and that of the work, so that no third name is taken for it."""
_AND = re.compile(r"^(?:and|und|et|y|og|&) ", re.IGNORECASE)
MAX_SIGN = 4
"""Letters of an agency or of a sign of somebody ("dpa")."""
MAX_NAME_WORDS = 5
"""Words of the name of one person."""
_HOST = re.compile(r"\w\.(?:com|org|net)$", re.IGNORECASE)
_ACCOUNT = re.compile(r"@\w+|[^\s@]+@[^\s@]+\.\w+")
"""An account ("@bay"), or an address of mail: how to reach somebody, and no name."""
_ACCOUNT_NAME = re.compile(r"[a-z0-9._-]+")
_HANDLE = re.compile(r"\s+@\w+$")
_SIGN = re.compile(r"(?<=[^\W\d_]) \([a-zäöü]{2,4}\.?\)(?=$|,)")
"""How papers sign for somebody, behind the name: "Ann Lee (ale)"."""
_SLASHED = re.compile(r"(?<=[^\W\d_]{2})\s?/\s?(?=[^\W\d_]\w+ [^\W\d_])")
"""Between two names: "Ann Lee/Bo Ek"."""
_AGENCY = re.compile(r"(?<= [^\W\d_]{2})(?P<rest>\w*)\s?/\s?[A-Z]{2,5}(?:-[A-Z]{1,3})?$")
"""A name's end and the sign of an agency: "Ann Lee/SP-X"."""
_BLOG_OF = re.compile(r"^blog (?:de|of|von|di|by) (?=\w)", re.IGNORECASE)
_NEXT_LABEL = re.compile(r"(?<=\w)\s+[^\W\d]+\s?(?::(?:\s|$)|：)")
"""The label of the next field: "Ann Lee Contact: ..."."""
_LAST_STOP = re.compile(r"(?<=[^\W\d_]{4})\.$")
"""The full stop of a sentence, and not that of "Jr."."""
_CREDIT = re.compile(
    r"^(?:photo(?:s|graphs?|graphy)?|styled|illustrat(?:ed|ions?)|pictures?|images?|foto|bild|courtesy|credits?|quelle|source)\b|"
    r"\b(?:getty|istock|shutterstock)\b",
    re.IGNORECASE,
)
"""Who made the pictures."""
_GLUED_DATE = re.compile(r"(?<=[a-z])(?=(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d)")
_GLUED_WORD = re.compile(r"(?<=[a-z])(?=(?:Reviewed|Updated|Published|Posted|Written|Follow|Subscribe|Edited)\b)")
_TWICE = re.compile(r"(\S+ .{2,60}?),? ?\1")
"""A name that is there twice, once for wide screens and once for narrow ones."""
_COMPANY = re.compile(r"\b(?:inc|ltd|llc|gmbh|corp)\.?$", re.IGNORECASE)
_SHORT_NAME = re.compile(f"[{char_class(EAST_ASIAN)}]{{2,8}}")
_SHORT_BY = re.compile(r"(?:Di|Von|Par|Por|Af|Av|Door|Text) ")
_ADDRESS = re.compile(r"https?:/|^www\.|^/\w", re.IGNORECASE)
_CLASS = re.compile(
    r"by-?line|author|(?:^|[-_ ])writer|contributor|(?:^|[-_ ])creator|posted-?by|user-?name|post-?user|topic-?starter|journalist|reporter|"
    r"(?:^|[-_ ])(?:autor(?:in|es|en)?|auteurs?|redacteur|verfasser)(?:$|[-_ ])",
    re.IGNORECASE,
)
_IN_CLASS = (
    "line", "author", "writer", "contributor", "creator", "posted", "user", "starter", "journalist", "reporter", "autor", "auteur", "redacteur", "verfasser",
)  # fmt: skip
"""One of these stands in every name that the pattern matches."""
_CLASS_NOT = re.compile(
    r"bio(?:$|[-_ ])|avatar|image|img|photo|thumb|desc|about|social|follow|more|count|icon|role|(?:^|[-_ ])job(?:s?$|s?[-_ ]|title)|"
    r"time|comment|author-a-|"  # of which the last marks words in pages of a shared editor
    r"(?:hide|no|disable|show)-?author|authority|authori[sz]|rewriter|underwriter|typewriter|title-wrapper",
    re.IGNORECASE,
)
_POST_AUTHOR = re.compile(r"(?:post|entry|article|story)[-_]*(?:meta)?[-_]*authors?(?:$|[-_ ])", re.IGNORECASE)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|writers?|staff|contributors?|autor(?:es|in|en)?|auteurs?)/[^/?#]", re.IGNORECASE
)
_IN_AUTHOR_PAGE = ("author", "writer", "staff", "contributor", "autor", "auteur")
"""One of these stands in every address that the pattern matches."""
NEAR_NAMES = 60
"""Characters between two names of one line. Set beforehand."""
_LISTED = re.compile(
    r"comment|related|recommend|popular|trending|recent|latest|teaser|card|promo|carousel|menu|(?:^|[-_ ])nav",
    re.IGNORECASE,
)
"""What boxes of other pages, and of what others wrote, are called."""
NEAR_ROWS = 60
"""Rows from the title within which a link to the page of an author is a byline; below the text the author is introduced."""
_SMALL = frozenset("de van von der den la le di da dos and und et y of the al bin e".split())
_OTHER_PART = re.compile(
    r"review|checked|edited|contribut|medical|photo|updated|translat|analysis|video|graphic|illustrat", re.IGNORECASE
)
"""What stands before the name of one who had another part in it: "Reviewed by", "Contributions from"."""
_MAIL = re.compile("^mailto:", re.IGNORECASE)
CARD = 40
"""Characters of a link beside a name in it that are a title, and not what the person does. Set beforehand."""
MAIL_ROWS = 12
"""Rows from the title within which an address of mail is that of who wrote."""
_ASKS = re.compile(r"(?:contact|e-?mail|mail|write|send|reply)\b", re.IGNORECASE)
_A, _NAV = TAG_CODE["a"], TAG_CODE["nav"]
_HEADINGS = frozenset(TAG_CODE[tag] for tag in HEADINGS)
_NAME_CLASS = re.compile(r"(?:^|[-_ ])(?:fn|name|author-?name|byline-?name|url)(?:$|[-_ ])", re.IGNORECASE)


@lru_cache(maxsize=1 << 13)
def clean_name(text: str) -> str:
    """A name without "By", date, role and the like; empty for what is no name.

    >>> clean_name("By Ann O'Neil | May 3, 2020"), clean_name("https://a.org/ann"), clean_name("作者：李明"), clean_name("取材・文＝佐藤 健")
    ("Ann O'Neil", '', '李明', '佐藤 健')
    >>> clean_name("View all posts by Ann Lee"), clean_name("Ann Lee, General Editor"), clean_name("Foto: Ann Lee")
    ('Ann Lee', 'Ann Lee', '')
    >>> clean_name("View all of Ann Lee's posts."), clean_name("Alle Beiträge von Ann Lee anzeigen"), clean_name("Посмотреть все записи автора Анна Ли")
    ('Ann Lee', 'Ann Lee', 'Анна Ли')
    >>> clean_name("More stories by Ann Lee"), clean_name("More from Ann Lee"), clean_name("Ann LeeAnn Lee"), clean_name("Ann Lee Ann Leek"), clean_name("wp"), clean_name("AuthorAnn Lee")
    ('Ann Lee', 'Ann Lee', 'Ann Lee', 'Ann Lee Ann Leek', '', 'Ann Lee')
    >>> clean_name("Ann Lee Contact: x"), clean_name(", Bay Courier"), clean_name("Ann Lee, NBA.com"), clean_name("Blog de Ann Lee")
    ('Ann Lee', '', 'Ann Lee', 'Ann Lee')
    >>> clean_name("ann@bay.org"), clean_name("@bay"), clean_name("Ann Lee @ann"), clean_name("Erstellt von Ann Lee, Stand: 2020")
    ('', '', 'Ann Lee', 'Ann Lee')
    >>> clean_name("Ann LeeDec. 11, 2023"), clean_name("Share on Facebook"), clean_name("Courtney Styles")
    ('Ann Lee', '', 'Courtney Styles')
    >>> clean_name("Photos and Story By Ann Lee Special Correspondent to the Bay"), clean_name("posted by ann at 10:33 PM")
    ('Ann Lee', 'ann')
    >>> clean_name("Текст"), clean_name("Текст: Анна Ли"), clean_name("Primary Author"), clean_name("Co-authors")
    ('', 'Анна Ли', '', '')
    >>> clean_name("This post was written by Ann Lee"), clean_name("Written byAAA Travel"), clean_name("Topic Author"), clean_name("ann 1 year ago")
    ('Ann Lee', 'AAA Travel', '', 'ann')
    >>> clean_name("Did you find an error?"), clean_name("page.head.extra.author"), clean_name("Text und"), clean_name("Archives: admin"), clean_name("01:08 PM")
    ('', '', '', '', '')
    >>> clean_name("Posts: 116"), clean_name("Beitrag #1"), clean_name("Jun 2 Written By"), clean_name("Zeige alle Beiträge von Ann Lee")
    ('', '', '', 'Ann Lee')
    >>> clean_name("Ann Lee (ale), Bo Ek (boe.)"), clean_name("Ann Lee (Kyiv)")
    ('Ann Lee, Bo Ek', 'Ann Lee (Kyiv)')
    >>> clean_name("ORF.at"), clean_name("Artikel von Ann Lee"), clean_name("Ann LeeReviewed"), clean_name("Ann Lee Content Marketing Coordinator")
    ('ORF.at', 'Ann Lee', 'Ann Lee', 'Ann Lee')
    """
    text = " ".join(text.split()).replace(" , ", ", ")[:400]
    if _ADDRESS.search(text) or text.startswith(", "):  # a template without its name: ", Bay Courier"
        return ""
    text = re.sub(
        r"^(?:(?:[Ww]ritten|[Pp]osted|WRITTEN|POSTED) [Bb]y(?=[A-Z])|(?:[Bb]y|BY|Author)(?=[A-Z][a-z.]))", "", text
    )
    text = _GLUED_WORD.sub(" ", _GLUED_DATE.sub(" ", _ALL_POSTS.sub("", text)))
    text = _BLOG_OF.sub("", text)
    for _ in range(2):
        match = BY.match(text)
        # "Di Luca" and "Von Miller" are names; "Di Luca Rossi" is a byline, and so is "Von dpa": an agency's letters are all of one case.
        if match and not (_SHORT_BY.match(text) and len(text.split()) < 3 and text[match.end() :].istitle()):
            text = text[match.end() :]
    text = text.strip(' ,;:|-–—•·/\\"“”¶')
    at = min((where for where, _ in find_dates(text)), default=-1)
    if at >= 0:
        text = text[:at].rstrip(" ,;:|-–—•·(")
        text = re.sub(
            r"\W+(?:on|am|le|el|il|den|em)(?: (?:mon|tue|wed|thu|fri|sat|sun)\w*)?$", "", text, flags=re.IGNORECASE
        )
    match = _AFTER.search(text)
    if match and match.start() > 1:
        text = text[: match.start()]
    text = re.sub(r"\s*[(<\[][^)>\]]*(?:@|\bat\b)[^)>\]]*[)>\]]|\s+\S+@\S+\.\S+", "", text)
    text = _SLASHED.sub(", ", _AGENCY.sub(r"\g<rest>", text))
    text = _SIGN.sub("", _HANDLE.sub("", _NEXT_LABEL.split(text)[0]))
    if text.endswith(")") and ROLE.search(text, at := text.rfind("(")) and at > 1:
        text = text[:at].rstrip()
    first, *others = text.split(", ")
    text = ", ".join([first, *itertools.takewhile(partial(_may_follow, first), others)])
    text = _WORK.sub(r"\1", text)
    text = twice[1] if (twice := _TWICE.fullmatch(text)) else text
    text = _LAST_STOP.sub("", text.strip(' ,;:|-–—•·/\\"“”'))
    if (
        not text
        or len(text) > MAX_NAME
        or (BY.fullmatch(text + " ") and not _SHORT_BY.match(text + " "))  # a label that nothing follows
        or _NO_NAME.search(text)
        or ("@" in text and _ACCOUNT.fullmatch(text))
        or _CREDIT.search(text)
        or not any(c.isalpha() for c in text)
    ):
        return ""
    return text if len(text.split()) <= 16 and (len(text) > 1 or not text.isascii()) else ""


def _may_follow(first: str, part: str) -> bool:
    """Whether what stands after a name and a comma may be another name, and not what the person does, or where.

    >>> [_may_follow("Ann Lee", part) for part in ("Bo Chi", "and Bo Chi", "van Dyke", "teacher of tea", "The Bay Network on the Web")]
    [True, True, True, False, False]
    """
    words = _AND.sub("", part).split()
    is_plain = len(part) > MAX_SIGN and words[0][0].islower() and words[0] not in _SMALL and first[:1].isupper()
    return not (is_plain or len(words) > MAX_NAME_WORDS or ROLE.search(part) or _HOST.search(part))


def join_names(names: list[str]) -> str:
    """Clean names in one line, each once; a company only where nobody else is named.

    >>> join_names(["Bay Press Inc.", "Ann Lee", "ann lee"]), join_names(["Bay Press Inc."])
    ('Ann Lee', 'Bay Press Inc.')
    """
    out: list[str] = []
    for name in names:
        clean = clean_name(name)
        if clean and clean.casefold() not in (o.casefold() for o in out):
            out.append(clean)
    return ", ".join(([name for name in out if not _COMPANY.search(name)] or out)[:12])


def marked_author(view: View, title_row: int = -1) -> tuple[str, str]:
    """(name, where) from what the markup calls the author: microdata, `rel=author`, where links near the title lead, class names."""
    of_item = [row for row, value in view.attrs("itemprop").items() if value.split()[:1] in (["author"], ["creator"])]
    # Pictures, comments and answers have authors of their own.
    of_item = [row for row in of_item if not (view.is_elsewhere(row, sides=False) or view.inside(row, "figure"))]
    of_item = [row for row in of_item if not view.is_of_others(row)]
    if of_item and (name := _name_in(view, of_item[0])):
        # Authors of one thing stand together; with much text between them they are of several posts.
        start = view.site.nodes.text_start
        near = [row for row in of_item[1:6] if start[row] - start[of_item[0]] <= NEAR_TEXT]
        return join_names([name, *(_name_in(view, row) for row in near)]), "microdata"
    if name := _related_name(view):
        return name, "rel=author"
    if title_row >= 0 and (name := _linked_name(view, title_row)):
        return name, "link"
    if title_row >= 0 and (name := _mailed_name(view, title_row)):
        return name, "mail"
    named = view.of_page(_author_rows(view.site))
    rows = [r for r in named if not view.is_elsewhere(r, sides=False)][:40]
    rows = [r for r in rows if not view.inside(r, "figure") and not view.has_code(r) and not is_in_card(view, r)]
    for row in sorted(
        rows[:12], key=lambda r: max(r - title_row, 2 * (title_row - r))
    ):  # further up stands whose site it is
        if name := _called_author(view, row):
            return _innermost(view, name, [r for r in rows if row < r < view.site.nodes.end[row]]), "class name"
    # Themes put who wrote the post into a menu or a side of it; cards of other posts there would name several.
    in_post = [
        r for r in named if _POST_AUTHOR.search(view.attrs("class").get(r, "")) or _is_at_side(view, r, title_row)
    ]
    names = [name for row in in_post[:12] if (name := _called_author(view, row))]
    # A box of several has their names, and so has each element in it.
    is_one = bool(names) and all(part in names[0] for name in names for part in name.split(", "))
    return (names[0], "class name") if is_one else ("", "")


def is_in_card(view: View, row: int) -> bool:
    """True within a link that says much more than this: it leads to another page, of which this is a part."""
    first, lists, up = view.rows.start, view.lists, row
    while up >= first and lists.tag[up - first] != _A:
        up = lists.parent[up - first]
    if up < first or up == row:
        return False
    size, own = (lists.text_end[i - first] - lists.text_start[i - first] for i in (up, row))
    return bool(size > own + CARD)


def _related_name(view: View) -> str:
    """The names that link to their authors (`rel=author`): the first, and those that stand by it."""
    names: list[str] = []
    first = -1
    start = view.site.nodes.text_start
    for row, value in view.attrs("rel").items():
        if "author" not in value.lower().split() or view.site.tag_name(row) != "a":
            continue
        if first >= 0 and (start[row] - start[first] > NEAR_NAMES or _OTHER_PART.search(_between(view, first, row))):
            break
        if not view.is_elsewhere(row, sides=False) and (name := clean_name(view.text(row))):
            first = row if first < 0 else first
            if not names or (may_be_whole(name) and may_be_name(name)):
                names.append(name)
    return join_names(names) if len(names) > 1 else "".join(names)


def _is_at_side(view: View, row: int, title_row: int) -> bool:
    """True right below the title in a box at the side of the text, or at its foot ("article-sidebar"): there who wrote may stand, and not in
    comments, menus and lists."""
    if not 0 <= title_row < row <= title_row + NEAR_ROWS or view.inside(row, "figure") or view.has_code(row):
        return False
    if is_in_card(view, row):
        return False
    first, lists, classes = view.rows.start, view.lists, view.attrs("class")
    while row >= first:
        if lists.flags[row - first] & HIDDEN or lists.tag[row - first] == _NAV or _LISTED.search(classes.get(row, "")):
            return False
        row = lists.parent[row - first]
    return True


def _called_author(view: View, row: int) -> str:
    """The name in an element of which the class or id speaks of authors."""
    value = f"{view.attrs('class').get(row, '')} {view.attrs('id').get(row, '')}"
    if _CLASS_NOT.search(value) or len(view.text(row)) > 200:
        return ""
    # The id of a heading is made of its words.
    if not is_named(_CLASS, view.attrs("class").get(row, "")) and view.inside(row, *HEADINGS):
        return ""
    # An account is one or two words; more of them are a name, or a line that speaks of something else.
    name = _name_in(view, row)
    is_short = len(name.split()) < 2 or (len(name.split()) == 2 and (may_be_name(name) or not name[:1].isupper()))
    name = name if is_short else _first_names(name)
    return name if "date" not in value.lower() or may_be_whole(name) else ""  # beside a date, a word may be any ("on")


@per_site
def _author_rows(site: Site) -> list[int]:
    """Rows with a class or id that speaks of authors."""
    rows: list[int] = named_rows(site, _CLASS, words=in_names(_IN_CLASS)).tolist()
    return rows


def has_author(view: View, row: int) -> bool:
    """True for an element of which the name, or that of one within it, speaks of authors."""
    rows = view.of_page(_author_rows(view.site))
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] < view.site.nodes.end[row]


@per_site
def _mail_links(site: Site) -> list[int]:
    """Rows of links to addresses of mail."""
    rows: list[int] = named_rows(site, _MAIL, ("href",), in_names(("mailto",))).tolist()
    return rows


@per_site
def _author_links(site: Site) -> list[int]:
    """Rows of links to the pages of authors."""
    rows: list[int] = named_rows(site, _AUTHOR_PAGE, ("href",), in_names(_IN_AUTHOR_PAGE)).tolist()
    return rows


def _innermost(view: View, name: str, rows: list[int]) -> str:
    """What the first of these rows says, if the name goes on with what the person did: `<div class=author><h3 class=author>`."""
    inner = next(filter(None, (_name_in(view, row) for row in rows[:4])), "")
    return inner if len(inner.split()) > 1 and name.startswith(inner + " ") and may_be_name(inner) else name


def _linked_name(view: View, title_row: int) -> str:
    """The names that link to pages of authors, in the first line with such a link below the title."""
    names: list[str] = []
    first = -1
    links = view.of_page(_author_links(view.site))
    for row in links[bisect_left(links, title_row) :]:
        if row > title_row + NEAR_ROWS or (first >= 0 and row > first + NEAR_ROWS // 4):
            break
        if first >= 0 and _OTHER_PART.search(_between(view, first, row)):
            break
        name = clean_name(view.text(row))
        if may_be_whole(name) and may_be_name(name) and not view.inside(row, "nav", "figure", "footer"):
            first = row if first < 0 else first
            names.append(name)
    return join_names(names)


def _mailed_name(view: View, title_row: int) -> str:
    """The name beside an address of mail right below the title, as archives of letters write it: `<b>Ann Lee</b> <a href=mailto:...>ann at bay.org</a>`."""
    links = view.of_page(_mail_links(view.site))
    row = next(iter(links[bisect_right(links, title_row) :]), -1)
    if not title_row < row <= title_row + MAIL_ROWS:
        return ""
    texts = [view.text(i) for i in range(title_row + 1, row) if view.lists.tag[i - view.rows.start] == TEXT]
    name = clean_name(texts[-1]) if texts and _ACCOUNT.search(view.text(row).replace(" at ", "@")) else ""
    is_such = may_be_whole(name) and may_be_name(name) and not _ASKS.match(name) and not view.is_elsewhere(row)
    return name if is_such else ""


def _between(view: View, row: int, other: int) -> str:
    """What stands between two elements."""
    nodes = view.site.nodes
    return view.site.texts[view.page][int(nodes.text_end[row]) : int(nodes.text_start[other])]


def _name_in(view: View, row: int) -> str:
    """The name within an element that is about an author: its part that is called a name, its link, or all of it."""
    content = view.attrs("content").get(row)
    if content:
        return clean_name(content)
    end = int(view.site.nodes.end[row])
    props, classes, start = view.attrs("itemprop"), view.attrs("class"), row
    for inner in range(row, min(end, row + 60)):
        if props.get(inner) != "name":
            continue
        if name := clean_name(view.attrs("content").get(inner) or view.text(inner)):
            return name
    names: list[str] = []
    for inner in range(row + 1, min(end, row + 60)):
        if inner in classes and is_named(_NAME_CLASS, classes[inner]) and (name := clean_name(view.text(inner))):
            if names and _OTHER_PART.search(_between(view, start, inner)):
                break
            start = start if names else inner
            names.append(name)
    if names:
        others = [name for name in names[1:] if may_be_whole(name) and may_be_name(name) and not ROLE.search(name)]
        return join_names([names[0], *others]) if may_be_whole(names[0]) else names[0]
    for inner in range(row + 1, min(end, row + 20)):  # a box has the name above what it says of the person
        if view.lists.tag[inner - view.rows.start] in _HEADINGS:
            name = clean_name(view.text(inner))
            if may_be_whole(name) and may_be_name(name):
                return name
            break
    text = view.text(row)
    hrefs = [i for i in range(row + 1, min(end, row + 40)) if i in view.attrs("href") and view.text(i)]
    if hrefs and len(text) > 30:
        names = [clean_name(view.text(i)) for i in hrefs[:4]]
        if len(hrefs) <= 4 and all(n and 1 < len(n.split()) <= 4 for n in names):
            return ", ".join(dict.fromkeys(names))
    name = clean_name(text)
    if hrefs and name not in (linked := [clean_name(view.text(i)) for i in hrefs[:4]]):
        # Signs for the eye ("archive page", "follow") follow the linked name.
        first = next((n for n in linked if 1 < len(n.split()) <= 4 and may_be_name(n)), "")
        if first and name.startswith(first) and "," not in name and " and " not in name:
            return first
    return name if len(name.split()) <= 8 else ""


def may_be_whole(name: str) -> bool:
    """True for two to five words, or a few characters of a script without spaces."""
    return 2 <= len(name.split()) <= MAX_NAME_WORDS or _SHORT_NAME.fullmatch(name) is not None


def may_be_name(name: str) -> bool:
    """True for a text whose words begin like those of a name."""
    words = name.split()
    if not any(c.isascii() and c.isalpha() for c in name):
        return len(name) <= 40
    capital = sum(w[:1].isupper() or w.casefold() in _SMALL for w in words)
    return len(words) <= 8 and capital >= 0.75 * len(words) and name[:1].isupper()


def _first_names(line: str) -> str:
    """The names with which a line begins, with commas between them.

    >>> _first_names("Ann Lee, and Bo Chi, teachers of tea"), _first_names("Did you find an error")
    ('Ann Lee, and Bo Chi', '')
    """
    parts = itertools.takewhile(lambda part: may_be_name(re.sub("^(?:the|and) ", "", part)), line.split(", "))
    return ", ".join(parts)


def is_account(name: str) -> bool:
    """True for what a person signs in with, and not the name of one.

    >>> [is_account(name) for name in ("ann.lee", "annlee12", "Ann Lee", "Ann", "李明", "the-bay")]
    [True, True, False, False, False, True]
    """
    return _ACCOUNT_NAME.fullmatch(name) is not None
