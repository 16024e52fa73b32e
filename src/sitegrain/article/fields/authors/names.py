"""Who wrote it: names made clean, and bylines in several languages."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache, partial

from sitegrain.article.fields.authors.bywords import LABELS, PHRASES
from sitegrain.article.fields.days.dates import find_dates
from sitegrain.light import late_pattern
from sitegrain.native.scripts import EAST_ASIAN, char_class

MAX_NAME = 120
_LABELS, _PHRASES = ("|".join(sorted(words, key=len, reverse=True)) for words in (LABELS, PHRASES))
BY = re.compile(
    rf"^[\W_]*(?:(?:{_LABELS})(?=\s*(?:[:：՝]|$))|{_PHRASES}|"
    r"(?:this (?:post|article|story|guide) (?:was|is) )?(?:written|posted|published|reviewed|story|words|article|reported|reporting|edited|created|submitted|"
    r"started|recipe|opinion|analysis|commentary|interview|column)\s+by|"
    r"(?:(?:text|story|words|photos?) (?:and|&) )?(?:text|story|words|photos?) by|by|author(?:ed by|\(s\)|s)?|"
    r"(?:text|erstellt|eingestellt|verfasst|geschrieben|veröffentlicht|gespeichert|pressemitteilung|(?:eine? )?(?:artikel|(?:gast)?beitrag|interview|kolumne|kommentar|reportage|analyse|essay|bericht)) von|via|"
    r"(?:interview|redaktion|words|(?:texte?|tekst|texto|testo|teksti) ?(?:(?:&|und|and|et|y|e|og|och) ?(?:fotos?|photos?|bilder?|foto) ?)?)(?=:)|von|autore?(?:r|in|es|a|n|innen)?|auteure?|par|"
    r"por|escrito por|publicado por|publié par|propos recueillis par|escribe|"
    r"scritto da|pubblicato da|postado por|gepost door|inlagd av|diposting oleh|ditulis oleh|a cura di|di|door|geschreven door|af|av|skrevet av|skriven av|kirjoittanut|napsal[ai]?|autorius|szerző|"
    r"yazan|yazar|"
    r"автор(?:ы)?|автора|текст|tác giả|đăng bởi|viết bởi|bởi|penulis|oleh|作者|(?:(?:取材|構成|写真)・){0,2}文|撰文|(?:本报|本刊|本網|本网|新华社|中新社|人民网|通讯员|实习|特约)?[記记]者|責任編輯|责任编辑|編集|著者|"
    r"執筆者?|投稿者|筆者|글|기자|"
    r"بقلم|كتبه?ا?(?=\s*:)|الكاتب|מאת|autor(?:ka)?|(?:نویسنده|نويسنده)|โดย|ผู้เขียน|írta|लेखक|লেখক|kirjoittaja|piše|пише|γράφει(?: [οη])?|συντάκτης|του|της|저자|글쓴이)"
    r"(?:\s*[:：|｜/／=＝・՝]\s*|\s+|(?<=[者文者글])\s*)",
    re.IGNORECASE,
)
# A byline goes on with a date, a place, a time to read; the name ends before. "Le" with a capital is of a name.
_AFTER = re.compile(
    r"\s*(?:\||／|\s기자\b.*|•|·|»|—|–|/{2}|\s-\s|\b(?:illustration(?:en|s)?|fotos?|photos?|bilder?|pictures?)(?: (?:by|von)\b|:).*|,\s*(?:\w+\s)?\d\d?[./-]\d\d?[./-]\d\d.*|\b(?:\d+|an?) (?:year|month|week|day|hour|minute)s? ago\b.*|(?<=\s)at(?:$|\s+\d{1,2}[:.h]\d\d.*)|\bon\b(?=\s+\w+\s*\d|\s+\w+day\b).*|\b(?:published|updated|posted|last|"
    r"modified|reviewed|fact|edited|medically|contributor|(?:special|staff|senior) (?:\w+ )?(?:correspondent|reporter|writer)|"
    r"minutes?|(?-i:min|am|um|le|el|il)|\d+[ -]?min|read|stand|datum|publié|veröffentlicht|aktualisiert|actualizado|more|see|view|all posts|"
    r"follow|bio|on behalf of)\b.*|(?<!\bat)\s\S+\.com\b.*|\b(?:im gespräch )?mit\b.*|\b\d+ (?:comments?|kommentare?|commentaires?|comentarios?|commenti)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_NO_NAME = re.compile(
    r"https?:|^[a-z]{3,}: \w|www\.|^@?$|^\W+$|[{}<>=$→►▶\[\]【】《》。：；]|\?$|^[a-z_]+(?:\.[a-z_]+){3,}$|\.(?:com|org|net|html|php)\b(?!\s+\w)|^(?:by|the|text(?: (?:und|and))?|letzte aktualisierung|\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?(?: [A-Z]{2,5})?|archives?:.*|screen ?shots?|(?:(?:co|primary|lead|main|principal|corresponding|guest)[ -])?authors?|anonymous|"
    r"unknown|null|none|"
    r"undefined|n/?a|no author|stand|datum|publiziert|artikel|(?:alle |mehr )?beiträge|user|guest|wp|(?:wp[-_ ]?)?admin\d*|administrator|webmaster|editor|root|super user|shared|default|staff|"
    r"author name|read more|share|"
    r"subscribe|follow|comments?|home|about|wordpress|posted|date|login|log in|sign in|profile|avatar|members?|"
    r"registered|(?:more )?about me|revised edition|publish(?:ed|er)|benutzername|anónim[oa]|copyright .*|topics?|(?:list of )?contributors?|posts?|articles?|news|blog|tags?|categor(?:y|ies)|archives?|"
    r"posted on|published on|for immediate release|autore?|auteur|verfasser|publicado|publié|veröffentlicht|written|"
    r"投稿|投稿日|作成|作成者|更新|カテゴリー|タグ|分类|标签|发表于|发布于|版权声明|网络整理|佚名|匿名|(?:your )?name|"
    r"(?:the|topic|thread) author|(?:(?:contributing|staff|senior|guest|freelance|associate|managing|news|web) )+(?:writer|editor|reporter|contributor|correspondent)s?|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?|(?:written|posted|published) by|(?:view|see|read|all).{0,12}(?:posts?|articles?|profile|page|bio)|(?:user|site|super|web) ?admin|administrador|"
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
_ROLE_BEFORE = re.compile(
    r"^(?:unser(?:e[rmn]?)? |notre |our )?(?:[\w-]*(?:Expert(?:e|in)|[Rr]edakteur(?:in)?|[Kk]orrespondent(?:in)?|[Rr]eporter(?:in)?|[Aa]utor(?:in)?)|(?:correspondante?|envoyée? spéciale?)|Rechtsanwalt|Rechtsanwältin|"
    r"(?:(?:Senior|Staff|Chief|Political|Sports|Contributing|News) ){1,2}(?:Writer|Reporter|Correspondent|Editor)) (?=[A-ZÄÖÜ][\w'’.-]+ [A-ZÄÖÜ])"
)
"""What the person does, before the name: "Auto-Expertin Ann Lee", "Staff Writer Ann Lee"."""
_NEWS_AGENCY = re.compile(r"(?<=\w \w)(?P<rest>\w+)\s+(?:The )?(?:(?:Associated|Canadian) Press|Bloomberg News)$")
"""Without a comma, behind the last of the names."""
_KOREAN = late_pattern(r"([가-힣]{2,4})\s?(?:(?:인턴|선임|수습|전문)\s?)?(?:기자|특파원)")
_REPORTED = late_pattern(r"^([\u4e00-\u9fff]{2,4})[\s／/]+[\u4e00-\u9fff]{0,6}(?:報導|报道|報道|电)$")
"""Who reported, and whence: "李明／台北報導". Large classes of signs take a millisecond to compile, so it is asked of what ends like that."""
_REPORTS = ("導", "道", "电")
_AND = re.compile(r"^(?:and|und|et|y|og|&) ", re.IGNORECASE)
_AMONG = re.compile(r" (?:and|und|et|y|og|och|&) ")
_NAMES = re.compile(r", | (?:and|und|et|y|og|och|&) ")
MAX_SIGN = 4
"""Letters of an agency or of a sign of somebody ("dpa")."""
MAX_NAME_WORDS = 5
"""Words of the name of one person."""
_HOST = re.compile(r"\w\.(?:com|org|net)$", re.IGNORECASE)
ACCOUNT = re.compile(r"@\w+|[^\s@]+@[^\s@]+\.\w+")
"""An account ("@bay"), or an address of mail: how to reach somebody, and no name."""
_ACCOUNT_NAME = re.compile(r"[a-z0-9._-]+")
_HANDLE = re.compile(r"\s+@\w+$")
_SIGN = re.compile(r"(?<=[^\W\d_]) \([a-zäöü]{2,4}\.?\)(?=$|,)")
"""How papers sign for somebody, behind the name: "Ann Lee (ale)"."""
_SLASHED = re.compile(r"(?<=[^\W\d_]{2})\s?/\s?(?=[^\W\d_]\w+ [^\W\d_])")
"""Between two names: "Ann Lee/Bo Ek"."""
_AGENCIES = frozenset(
    "dpa dpa-afx dpa-infocom afp ap apa sid kna epd rtr reuters ddp dapd ots ansa efe pti sda".split()
)
"""Signs of agencies behind the name of who wrote for them: "Ann Lee, dpa"."""
_AGENCY = re.compile(r"(?<= [^\W\d_]{2})(?P<rest>\w*)\s?/\s?[A-Z]{2,5}(?:-[A-Z]{1,3})?$")
"""A name's end and the sign of an agency: "Ann Lee/SP-X"."""
_BLOG_OF = re.compile(r"^blog (?:de|of|von|di|by) (?=\w)", re.IGNORECASE)
_NEXT_LABEL = re.compile(r"(?<=\w)\s+[^\W\d]+\s?(?::(?:\s|$)|：)")
"""The label of the next field: "Ann Lee Contact: ..."."""
_LAST_STOP = re.compile(r"(?<=[^\W\d_]{4})\.$")
"""The full stop of a sentence, and not that of "Jr."."""
_CREDIT = re.compile(
    r"^(?:photo(?:s|graphs?|graphy)?|styled|illustrat(?:ed|ions?)|pictures?|images?|foto|фото|bild|courtesy|credits?|quelle|source)\b|"
    r"\b(?:getty|istock|shutterstock)\b",
    re.IGNORECASE,
)
"""Who made the pictures."""
_GLUED_DATE = re.compile(r"(?<=[a-z])(?=(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d)")
_GLUED_WORD = re.compile(r"(?<=[a-z])(?=(?:Reviewed|Updated|Published|Posted|Written|Follow|Subscribe|Edited)\b)")
_TWICE = re.compile(r"(\S+ .{2,60}?),? ?\1")
"""A name that is there twice, once for wide screens and once for narrow ones."""
_COMPANY = re.compile(r"\b(?:inc|ltd|llc|gmbh|corp)\.?$", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:inc|ltd|llc|gmbh|corp|e\. ?v|ag|se|s\.a|b\.v)\.?$|"
    r"\b(?:team|staff|editors?|editorial|redaktion|redacción|redacao|redação|rédaction|redactie|redazione|redakcja|редакция|newsroom|news desk|admin|"
    r"association|institute?|universit\w+|foundation|stiftung|verband|verein|bund|ministry|ministerium|landesanstalt|agency|agentur|nachrichten|press|media|group|company|society|"
    r"department|office|council|committee|network|magazine|magazin|verlag|zeitung)\b",
    re.IGNORECASE,
)
"""Words of the names of those who are no single person."""
MAX_SHORT = 8
_SHORT_NAME = late_pattern(f"[{char_class(EAST_ASIAN)}]{{2,{MAX_SHORT}}}")
_SHORT_BY = re.compile(r"(?:Di|Von|Par|Por|Af|Av|Door|Text) ")
_ADDRESS = re.compile(r"https?:/|^www\.|^/\w", re.IGNORECASE)
_SMALL_IN_NAMES = frozenset(("editors", "staff", "team"))
"""What those who work for somebody are called together: "The Bay editors"."""
_SMALL = frozenset("de van von der den la le di da dos and und et y of the al bin e".split())


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
    if ("기자" in text or "특파원" in text) and (reporters := _KOREAN.findall(text)):
        return ", ".join(dict.fromkeys(reporters))
    for _ in range(2):
        match = BY.match(text)
        # "Di Luca" and "Von Miller" are names; "Di Luca Rossi" is a byline, and so is "Von dpa": an agency's letters are all of one case.
        if match and not (_SHORT_BY.match(text) and len(text.split()) < 3 and text[match.end() :].istitle()):
            text = text[match.end() :]
    text = _ROLE_BEFORE.sub("", text.strip(' ,;:|-–—•·/／｜\\"“”¶'))
    if text.rstrip("\n").endswith(_REPORTS):
        text = _REPORTED.sub(r"\1", text)
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
    text = _NEWS_AGENCY.sub(r"\g<rest>", _SLASHED.sub(", ", _AGENCY.sub(r"\g<rest>", text)))
    text = _SIGN.sub("", _HANDLE.sub("", _NEXT_LABEL.split(text)[0]))
    if text.endswith(")") and ROLE.search(text, at := text.rfind("(")) and at > 1:
        text = text[:at].rstrip()
    first, *others = text.split(", ")
    others = [part for part in others if part.casefold() not in _AGENCIES or " " not in first]
    text = ", ".join([first, *itertools.takewhile(partial(_may_follow, first), others)])
    text = _WORK.sub(r"\1", text)
    text = twice[1] if (twice := _TWICE.fullmatch(text)) else text
    text = _LAST_STOP.sub("", text.strip(' ,;:|-–—•·/\\"“”'))
    if (
        not text
        or len(text) > MAX_NAME
        or (BY.fullmatch(text + " ") and not _SHORT_BY.match(text + " "))  # a label that nothing follows
        or _NO_NAME.search(text)
        or ("@" in text and ACCOUNT.fullmatch(text))
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
    longest = max(len(name.split()) for name in _AMONG.split(_AND.sub("", part)))
    is_plain = len(part) > MAX_SIGN and words[0][0].islower() and words[0] not in _SMALL and first[:1].isupper()
    return not (is_plain or longest > MAX_NAME_WORDS or ROLE.search(part) or _HOST.search(part))


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


def may_be_whole(name: str) -> bool:
    """True for two to five words, or a few characters of a script without spaces."""
    if 2 <= len(name.split()) <= MAX_NAME_WORDS:
        return True
    return len(name) <= MAX_SHORT and not name.isascii() and _SHORT_NAME.fullmatch(name) is not None


def may_be_name(name: str) -> bool:
    """True for a text whose words begin like those of a name."""
    words = name.split()
    longest = max((len(part.split()) for part in _NAMES.split(name)), default=0)
    if not any(c.isascii() and c.isalpha() for c in name):
        return len(name) <= 40
    capital = sum(w[:1].isupper() or w in _SMALL_IN_NAMES or w.casefold() in _SMALL for w in words)
    return longest <= 8 and capital >= 0.75 * len(words) and name[:1].isupper()


def is_group(name: str) -> bool:
    """True for the name of an organisation, or of those who work there.

    >>> is_group("Bay Press Inc."), is_group("The Bay Team"), is_group("Bund für Tee e.V."), is_group("Ann Lee"), is_group("Stafford Lee")
    (True, True, True, False, False)
    """
    return _GROUP.search(name) is not None


def first_names(line: str) -> str:
    """The names with which a line begins, with commas between them.

    >>> first_names("Ann Lee, and Bo Chi, teachers of tea"), first_names("Did you find an error")
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
