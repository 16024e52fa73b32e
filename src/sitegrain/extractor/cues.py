"""Words of class and id names, and cue words of short texts, as bits of families.

The families are evidence for a learned model, never a rule; training blanks class names at random, so the
model does not lean on them where a site's names are scrambled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from sitegrain import native
from sitegrain.native.columns import CLASSES, CUES

CLASS_FAMILIES: dict[str, str] = {
    "comment": "comment reply replies respon disqus discussion guestbook",
    "share": "share sharing social tweet twitter facebook follow addthis addtoany",
    "nav": "nav menu breadcrumb pagina pager paging toolbar -tabs skip",
    "foot": "foot copyright legal disclaimer colophon",
    "side": "side widget -rail secondary",
    "related": "relat recommend similar popular trending also suggest -next latest recent",
    "ad": "-ad- -ads- advert sponsor promo banner -cta outbrain taboola",
    "main": "content main article post entry story body text primary",
    "meta": "author byline meta date -time info -tag- -tags- categor -bio- posted",
    "popup": "cookie consent modal popup overlay newsletter subscri signup login gdpr notice",
    "product": "product price cart -sku spec descri detail feature review rating",
    "forum": "forum thread topic message posting signature quote user profile member avatar",
    "head": "head title hero mast logo brand -top",
    "list": "list card grid item teaser feed archive result gallery excerpt summary loop tile",
    "hidden": "hidden -sr- sr-only screen-reader visually collaps offscreen accordion noprint",
    "code": "code highlight syntax source prism",
    "search": "search filter sort form input facet",
    "doc": "doc- docs -api toc- -toc reference section markdown wiki chapter",
}
"""Parts of class and id names by family; '-' is an end of a name or anything but a letter or a digit."""

CLASS_NAMES: tuple[str, ...] = CLASSES
CUE_NAMES: tuple[str, ...] = CUES


@lru_cache(maxsize=1)
def class_words() -> object:
    """The parts of class names made ready to be found: bits in the order of `CLASS_NAMES`.

    >>> bits = native.word_bits(["Post-Comments nav_menu"], class_words())[0]
    >>> [name for k, name in enumerate(CLASS_NAMES) if bits >> k & 1]
    ['comment', 'nav', 'main']
    """
    return _matcher({name: CLASS_FAMILIES[name].split() for name in CLASS_NAMES})


def _matcher(families: Mapping[str, Sequence[str]]) -> object:
    words = [(word, 1 << k) for k, family in enumerate(families.values()) for word in family]
    return native.matcher(tuple(word for word, _ in words), np.array([bit for _, bit in words], np.uint64))


_CUES: dict[str, str] = {
    "comment": "comment comments commented reply replies respond response responses kommentar kommentare antworten "
    "commentaire commentaires répondre comentario comentarios responder комментарий комментарии комментариев ответить "
    "commenti rispondi reacties kommentit تعليق تعليقات bình_luận kommentaarid lisa_kommentaar",
    "related": "related similar recommended popular trending latest recent also more next previous newer older prev "
    "verwandte ähnliche weitere lire aussi autres relacionados relacionadas últimas también похожие ещё читайте "
    "correlati leggi anterior siguiente suivant précédent mais vorheriger nächster loe veel",
    "share": "share tweet facebook twitter pinterest whatsapp linkedin email e-mail print reddit telegram instagram "
    "youtube teilen partager compartir поделиться condividi follow like rss",
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
_WIDE_CUES: dict[str, str] = {
    "comment": "评论 評論 留言 コメント 回复 回復 返信 发表评论",
    "related": "相关 相關 関連 推荐 推薦 おすすめ 热门 最新 上一篇 下一篇 前へ 次へ 最近 人気",
    "share": "分享 共有 シェア 微博 微信",
    "legal": "版权 版權 著作権 隐私 プライバシー 利用規約 备案",
    "login": "登录 登錄 注册 註冊 ログイン 会員登録",
    "meta": "作者 发表于 發表於 投稿日 投稿者 カテゴリ 分类 分類 标签 標籤 タグ 阅读 更新日",
    "nav": "首页 首頁 ホーム トップ 搜索 検索 目录",
}


@lru_cache(maxsize=1)
def cue_words() -> object:
    """The cue words made ready to be found: bits in the order of `CUE_NAMES`. A word stands alone; where a script has no spaces it
    may stand anywhere.

    >>> bits = native.word_bits(["3 Comments | Share"], cue_words())[0]
    >>> [name for k, name in enumerate(CUE_NAMES) if bits >> k & 1]
    ['comment', 'share']
    """
    return _matcher(
        {
            name: [*(f"-{word.replace('_', '-')}-" for word in _CUES[name].split()), *_WIDE_CUES.get(name, "").split()]
            for name in CUE_NAMES
        }
    )
