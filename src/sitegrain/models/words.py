"""Words of class and id names, and cue words of short texts, as bits of families.

The families are evidence for a learned model, never a rule; training blanks class names at random, so the
model does not lean on them where a site's names are scrambled.
"""

from __future__ import annotations

import re
from functools import lru_cache

CLASS_FAMILIES: dict[str, str] = {
    "comment": r"comment|repl(?:y|ies)|respon[ds]|disqus|discussion|guestbook",
    "share": r"shar(?:e|ing)|social|tweet|twitter|facebook|follow|addthis|addtoany",
    "nav": r"nav|menu|breadcrumb|pagina|pager|paging|toolbar|tabs|skip|submenu",
    "foot": r"foot|copyright|legal|disclaimer|colophon",
    "side": r"side|widget|rail|aside|secondary",
    "related": r"relat|recommend|similar|popular|trending|also|suggest|next|latest|recent",
    "ad": r"\bads?\b|\bad-|-ad\b|advert|sponsor|promo|banner|cta|outbrain|taboola",
    "main": r"content|main|article|post|entry|story|body|text|primary",
    "meta": r"author|byline|meta|date|time|info|\btags?\b|categor|bio\b|posted",
    "popup": r"cookie|consent|modal|popup|overlay|newsletter|subscri|signup|login|gdpr|notice",
    "product": r"product|price|cart|sku|spec|descri|detail|feature|review|rating",
    "forum": r"forum|thread|topic|message|posting|signature|quote|user|profile|member|avatar",
    "head": r"head|title|hero|mast|logo|brand|\btop",
    "list": r"list|card|grid|item|teaser|feed|archive|result|gallery|excerpt|summary|loop|tile",
    "hidden": r"hidden|sr-only|screen-reader|visually|collaps|offscreen|accordion|noprint",
    "code": r"code|highlight|syntax|source|prism",
    "search": r"search|filter|sort|form|input|facet",
    "doc": r"doc|\bapi|toc|reference|section|markdown|wiki|chapter",
}
"""Regular expressions over lower-case class and id names."""

CLASS_NAMES: tuple[str, ...] = tuple(CLASS_FAMILIES)
_CLASS_PATTERN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in CLASS_FAMILIES.items()))
_CLASS_BIT = {name: 1 << bit for bit, name in enumerate(CLASS_FAMILIES)}


@lru_cache(maxsize=65_536)
def class_bits(name: str) -> int:
    """The families that a class or id value has words of, as bits in the order of `CLASS_NAMES`.

    >>> [CLASS_NAMES[k] for k in range(len(CLASS_NAMES)) if class_bits("Post-Comments nav_menu") >> k & 1]
    ['comment', 'nav', 'main']
    """
    bits = 0
    for match in _CLASS_PATTERN.finditer(name[:200].lower().replace("_", "-")):
        bits |= _CLASS_BIT[match.lastgroup or ""]
    return bits


_CUES: dict[str, str] = {
    "comment": "comment comments commented reply replies respond response responses kommentar kommentare antworten "
    "commentaire commentaires répondre comentario comentarios responder комментарий комментарии комментариев ответить "
    "commenti rispondi reacties kommentit تعليق تعليقات bình_luận kommentaarid lisa_kommentaar",
    "related": "related similar recommended popular trending latest recent also more next previous newer older prev "
    "verwandte ähnliche weitere lire aussi autres relacionados relacionadas últimas también похожие ещё читайте "
    "correlati leggi anterior siguiente suivant précédent mais vorheriger nächster loe veel",
    "share": "share tweet facebook twitter pinterest whatsapp linkedin email e-mail print reddit telegram instagram "
    "youtube teilen partager compartir поделиться condividi google+ follow like rss",
    "legal": "copyright © rights reserved privacy policy terms conditions impressum datenschutz cookies cookie "
    "disclaimer powered license licence imprint sitemap",
    "login": "login log sign signup register subscribe newsletter account password username anmelden registrieren "
    "connexion inscription войти регистрация iniciar accedi subscribe join",
    "meta": "by posted author published updated am pm ago date von par por автор опубликовано autor publicado "
    "geschrieben verfasst tags tag category categories filed categoría categorías minutes min read views",
    "shop": "cart add buy price shipping checkout stock qty quantity wishlist basket sale order warenkorb panier",
    "nav": "home menu skip search contact about top back login page pages navigation toggle close open view all "
    "suche inicio buscar recherche accueil главная поиск",
    "month": "january february march april may june july august september october november december jan feb mar apr "
    "jun jul aug sep sept oct nov dec",
}
CUE_NAMES: tuple[str, ...] = tuple(_CUES)
_CUE_BIT: dict[str, int] = {}
for _bit, _family in enumerate(_CUES.values()):
    for _word in _family.split():
        _CUE_BIT[_word] = _CUE_BIT.get(_word, 0) | 1 << _bit
_WIDE_CUES: tuple[tuple[str, int], ...] = tuple(
    (word, 1 << CUE_NAMES.index(family))
    for family, words in {
        "comment": "评论 評論 留言 コメント 回复 回復 返信 发表评论",
        "related": "相关 相關 関連 推荐 推薦 おすすめ 热门 最新 上一篇 下一篇 前へ 次へ 最近 人気",
        "share": "分享 共有 シェア 微博 微信",
        "legal": "版权 版權 著作権 隐私 プライバシー 利用規約 备案",
        "login": "登录 登錄 注册 註冊 ログイン 会員登録",
        "meta": "作者 发表于 發表於 投稿日 投稿者 カテゴリ 分类 分類 标签 標籤 タグ 阅读 更新日",
        "nav": "首页 首頁 ホーム トップ 搜索 検索 目录",
    }.items()
    for word in words.split()
)


@lru_cache(maxsize=65_536)
def cue_bits(text: str) -> int:
    """The families that a short text has cue words of, as bits in the order of `CUE_NAMES`.

    >>> [CUE_NAMES[k] for k in range(len(CUE_NAMES)) if cue_bits("3 Comments | Share") >> k & 1]
    ['comment', 'share']
    """
    get = _CUE_BIT.get
    bits = 0
    for word in text.lower().split():
        bits |= get(word.strip(".,:;!?()[]|»«…\"'"), 0)
    if not text.isascii():
        for word, bit in _WIDE_CUES:
            if word in text:
                bits |= bit
    return bits
