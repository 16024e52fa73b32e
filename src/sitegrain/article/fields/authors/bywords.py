"""The words with which pages of many languages say who wrote: "Author:", "written by", and prepositions that mean "by" in one language only."""

from __future__ import annotations

LABELS = (
    # German, French, Spanish, Portuguese, Italian, Catalan, Basque
    "gastautor", "gastautorin", "autorin/autor", "autor/in", "autorinnen", "verfasser", "verfasserin", "text und interview", "interview und text", "text und recherche", "autrice", "rédaction", "rédacteur",
    "rédactrice", "autora", "autores", "autoras", "redacción", "redactor", "redactora", "texto y fotos", "reportagem", "repórter", "autore", "autori", "egilea",
    # Dutch, Afrikaans, Welsh, the Nordic languages
    "auteurs", "outeur", "awdur", "skribent", "författare", "forfatter", "journalist", "toimittaja", "höfundur",
    # the Baltic languages
    "autors", "teksts", "autorius", "autorė", "tekstas",
    # Polish, Czech, Slovak, Hungarian, Romanian, South Slavic, Albanian, Greek
    "autorka", "autorzy", "opracowanie", "opracował", "opracowała", "autoři", "szerkesztette", "szöveg", "autoare", "аутор", "ауторка", "avtor", "avtorica", "пишува", "autorja",
    "επιμέλεια", "κείμενο", "συντάκτρια", "ρεπορτάζ",
    # Turkish, Azerbaijani, Uzbek
    "yazan", "muhabir", "müəllif", "muallif",
    # Russian, Ukrainian, Belarusian, Georgian, Armenian
    "авторы", "автор статьи", "автор текста", "автор материала", "корреспондент", "авторка", "автори", "аўтар", "аўтарка", "ავტორი", "հեղինակ",
    # Arabic, Persian, Urdu, Hebrew
    "الكاتبة", "تحرير", "إعداد", "نگارنده", "خبرنگار", "تحریر", "مصنف", "כתב", "כתבה", "כותב", "כותבת",
    # India
    "लेखिका", "प्रतिवेदक", "প্রতিবেদক", "எழுதியவர்", "రచయిత",
    # Vietnamese, Indonesian, Japanese, Korean, Chinese
    "người viết", "bài viết", "bài và ảnh", "jurnalis", "ライター", "寄稿", "작성자", "취재", "采写", "撰稿",
)  # fmt: skip
"""What a name follows behind a colon, in one text or in the next. Those of `names.BY` and `bylines` are not said again."""
_ENGLISH = (
    "article",
    "guest post",
    "blog post",
    "post",
    "essay",
    "review",
    "report",
    "feature",
    "tutorial",
    "article written",
    "article is written",
    "article was written",
)
PHRASES = (
    *(f"{what} by" for what in _ENGLISH), "contributed by", "co-authored by",
    "blog beitrag von", "blogbeitrag von", "blog-beitrag von", "ein blogbeitrag von", "gastartikel von", "blogpost von", "aufgezeichnet von", "recherchiert von",
    "rédigé par", "posté par", "un article de", "article de", "article par", "texte de", "redactado por", "elaborado por", "un artículo de", "texto de", "texto por", "redigido por",
    "reportagem de", "articolo di", "testo di", "inserito da", "postato da", "geschreven door", "geplaatst door", "gepubliceerd door", "skriven av", "skrivet av", "skrevet av",
    "skrevet af", "publicerad av", "publisert av", "text av", "tekst av", "tekst af", "udgivet af", "författad av", "julkaissut", "kirjoittanut", "napisał", "napisała", "opublikował",
    "opublikowała", "napsal", "napsala", "napísal", "napísala", "napisao", "napisala", "objavio", "objavila", "scris de", "publicat de", "postat de", "articol de", "shkruar nga",
    "ditulis oleh", "dilaporkan oleh", "написал", "написала", "написав", "опубликовал", "опубликовала",
)  # fmt: skip
"""What a name follows, with a colon or without."""
LOCAL = {
    "door": ("nl",), "av": ("sv", "no", "nb", "nn"), "af": ("da",), "di": ("it",), "του": ("el",), "της": ("el",), "de": ("ro",), "nga": ("sq",), "ni": ("tl", "fil"), "na": ("sw",),
    "per": ("ca",), "gan": ("cy",), "deur": ("af",), "द्वारा": ("hi", "mr", "ne"), "كتب": ("ar",), "كتبت": ("ar",),
}  # fmt: skip
"""Words that mean "by" in these languages, and something else in others: "Door Panels"."""
