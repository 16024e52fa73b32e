"""Three more languages for `prose`, and what templates say in all of them."""

from __future__ import annotations

import prose

SPANISH = {
    "N": "la caldera, el registro, la válvula, el sensor, la plaza, el puente, el archivo, la cooperativa, el taller, la biblioteca, el tranvía, la cosecha, el mercado, la escuela, el ayuntamiento, la carretera, el hospital, la orquesta, el equipo, la fábrica",
    "A": "nueva, vieja, pequeña, cercana, común, abierta, tardía, cara, gris, central",
    "V": "reparar, cerrar, medir, abrir, mover, revisar, pintar, vender, ampliar, cuidar",
    "W": "antes del verano, durante la noche, cada domingo, después de la lluvia, sin previo aviso, al final del mes, una vez al año",
    "X": "dos semanas, cuarenta días, nueve intentos, media hora, tres meses, doce años",
}
SPANISH_SAYINGS = (
    "Nadie pensó en {V} {N} {W}, y por eso {N} quedó así durante {X}.", "Según los vecinos, {N} y {N} se podrán {V} {W}.", "Si quieren {V} {N}, tendrán que esperar {X}.",
    "Hace {X} que {N} no funciona, aunque {N} sigue en su sitio.", "Lo que más cuesta es {V} {N} {W}, dice la encargada.", "Por fin vamos a {V} {N}, porque {N} ya no puede más.",
    "El plan dice que {N} se va a {V} {W} y que costará menos que {N}.", "Muchos recuerdan cómo era {N} antes de que alguien decidiera {V} {N}.", "Ni {N} ni {N} se pueden {V} en {X}.",
)  # fmt: skip
RUSSIAN = {
    "N": "старый мост, новый рынок, городской парк, трамвай, школьный двор, речной порт, дом культуры, завод, музей, вокзал, архив, пожарный пост, цветник, рабочий совет, спортивный зал, магазин, склад, театр, причал",
    "A": "старый, новый, дальний, общий, закрытый, тихий",
    "V": "починить, закрыть, измерить, открыть, перенести, проверить, покрасить, продать, расширить",
    "W": "до начала лета, каждую ночь, после дождя, без объявления, в конце месяца, раз в год, по воскресеньям",
    "X": "две недели, сорок дней, девять попыток, полчаса, три месяца, двенадцать лет",
}
RUSSIAN_SAYINGS = (
    "Никто не думал {V} {N} {W}, и поэтому {N} стоит так уже {X}.", "Жители говорят, что {N} и {N} можно будет {V} {W}.", "Чтобы {V} {N}, придётся ждать {X}.",
    "Уже {X} {N} не работает, хотя {N} остаётся на месте.", "Труднее всего {V} {N} {W}, говорит заведующая.", "Наконец решено {V} {N}, потому что {N} больше не выдерживает.",
    "По плану {N} должны {V} {W}, и это дешевле, чем {N}.", "Многие помнят, каким был {N}, пока не решили {V} {N}.", "Ни {N}, ни {N} нельзя {V} за {X}.",
)  # fmt: skip
ARABIC = {
    "N": "الجسر القديم, السوق الجديد, محطة القطار, مكتبة المدينة, ميناء الصيد, المدرسة الثانوية, حديقة الحي, مصنع الزيت, المتحف الوطني, مركز البريد, ساحة البلدية, المستشفى العام, فريق الإطفاء, الطريق الساحلي, ورشة النجارة, قاعة الموسيقى",
    "A": "القديم, الجديد, البعيد, المشترك, المغلق",
    "V": "إصلاح, إغلاق, قياس, افتتاح, نقل, فحص, طلاء, بيع, توسيع",
    "W": "قبل بداية الصيف, في كل ليلة, بعد المطر, بلا إعلان, في نهاية الشهر, مرة في السنة, يوم الأحد",
    "X": "أسبوعين, أربعين يوما, تسع محاولات, نصف ساعة, ثلاثة أشهر, اثنتي عشرة سنة",
}
ARABIC_SAYINGS = (
    "لم يفكر أحد في {V} {N} {W}، ولذلك بقي {N} على حاله {X}.", "يقول السكان إن {V} {N} ممكن {W} إذا وافق الجميع.", "من يريد {V} {N} عليه أن ينتظر {X}.",
    "منذ {X} لا يعمل {N}، مع أن {N} ما زال في مكانه.", "أصعب ما في الأمر هو {V} {N} {W} كما تقول المسؤولة.", "وأخيرا تقرر {V} {N} لأن {N} لم يعد يحتمل.",
    "تنص الخطة على {V} {N} {W} بكلفة أقل من {N}.", "يتذكر كثيرون كيف كان {N} قبل أن يتقرر {V} {N}.",
)  # fmt: skip
for _code, _words, _sayings, _name, _title in (
    ("es", SPANISH, SPANISH_SAYINGS, "{V} {N}", "{N} y {N} {W}"), ("ru", RUSSIAN, RUSSIAN_SAYINGS, "{V} {N}", "{N} и {N} {W}"), ("ar", ARABIC, ARABIC_SAYINGS, "{V} {N}", "{V} {N} {W}"),
):  # fmt: skip
    _lists = {kind: [w.strip() for w in words.split(",")] for kind, words in _words.items()}
    prose.LANGUAGES[_code] = (_lists, _sayings, _name, _title)
prose.LEADS |= {"es": "Véase ", "ru": "Смотрите ", "ar": "انظر "}

_KEYS = (
    "home search menu login register contact about privacy imprint news comments reply share by published tags related popular newsletter subscribe email send previous next "
    "more advert readmore author posts joined quote topic replies views forum price cart stock reviews description details sections archive cookies accept edit latest top bio"
).split()
_SAID = {
    "en": "Home|Search|Menu|Log in|Register|Contact|About us|Privacy policy|Legal notice|News|Comments|Reply|Share|By|Published|Tags|Related articles|Most read|Newsletter|Subscribe|Your email address|Send|Previous post|Next post|More|Advertisement|Read more|About the author|Posts|Joined|Quote|Topic|Replies|Views|Forum|Price|Add to cart|In stock|Reviews|Description|Details|Sections|Archive|We use cookies to improve your experience on our site.|Accept all|Edit|Latest news|Back to top|writes about the city and lives beside the old harbour.",
    "de": "Startseite|Suche|Menü|Anmelden|Registrieren|Kontakt|Über uns|Datenschutz|Impressum|Nachrichten|Kommentare|Antworten|Teilen|Von|Veröffentlicht|Schlagwörter|Ähnliche Artikel|Meistgelesen|Newsletter|Abonnieren|Ihre E-Mail-Adresse|Absenden|Vorheriger Beitrag|Nächster Beitrag|Mehr|Anzeige|Weiterlesen|Über den Autor|Beiträge|Dabei seit|Zitieren|Thema|Antworten|Zugriffe|Forum|Preis|In den Warenkorb|Auf Lager|Bewertungen|Beschreibung|Einzelheiten|Rubriken|Archiv|Wir verwenden Cookies, um unsere Seite zu verbessern.|Alle akzeptieren|Bearbeiten|Aktuelles|Nach oben|schreibt über die Stadt und wohnt am alten Hafen.",
    "es": "Inicio|Buscar|Menú|Entrar|Registrarse|Contacto|Quiénes somos|Política de privacidad|Aviso legal|Noticias|Comentarios|Responder|Compartir|Por|Publicado|Etiquetas|Artículos relacionados|Lo más leído|Boletín|Suscribirse|Tu correo electrónico|Enviar|Entrada anterior|Entrada siguiente|Más|Publicidad|Leer más|Sobre el autor|Mensajes|Registrado|Citar|Tema|Respuestas|Vistas|Foro|Precio|Añadir al carrito|En existencias|Opiniones|Descripción|Detalles|Secciones|Archivo|Usamos cookies para mejorar su experiencia.|Aceptar todo|Editar|Últimas noticias|Volver arriba|escribe sobre la ciudad y vive junto al puerto viejo.",
    "ru": "Главная|Поиск|Меню|Войти|Регистрация|Контакты|О нас|Политика конфиденциальности|Правила|Новости|Комментарии|Ответить|Поделиться|Автор|Опубликовано|Метки|Похожие статьи|Популярное|Рассылка|Подписаться|Ваша почта|Отправить|Предыдущая запись|Следующая запись|Ещё|Реклама|Читать дальше|Об авторе|Сообщений|Зарегистрирован|Цитата|Тема|Ответы|Просмотры|Форум|Цена|В корзину|В наличии|Отзывы|Описание|Подробности|Разделы|Архив|Мы используем файлы cookie для улучшения сайта.|Принять все|Править|Последние новости|Наверх|пишет о городе и живёт у старой гавани.",
    "zh": "首页|搜索|菜单|登录|注册|联系我们|关于我们|隐私政策|法律声明|新闻|评论|回复|分享|作者|发布时间|标签|相关文章|热门排行|邮件订阅|订阅|您的邮箱|发送|上一篇|下一篇|更多|广告|阅读全文|作者简介|帖子|注册时间|引用|主题|回复|查看|论坛|价格|加入购物车|有货|评价|商品介绍|规格参数|栏目|归档|本站使用 Cookie 以改善您的体验。|全部接受|编辑|最新消息|返回顶部|常写城市的故事，住在旧港旁边。",
    "ja": "ホーム|検索|メニュー|ログイン|新規登録|お問い合わせ|会社概要|プライバシーポリシー|利用規約|ニュース|コメント|返信|共有|執筆者|公開日|タグ|関連記事|アクセスランキング|メールマガジン|登録する|メールアドレス|送信|前の記事|次の記事|もっと見る|広告|続きを読む|この記事を書いた人|投稿数|登録日|引用|トピック|返信数|閲覧数|フォーラム|価格|カートに入れる|在庫あり|レビュー|商品説明|詳細|カテゴリー|アーカイブ|当サイトでは利便性向上のためクッキーを使用しています。|すべて許可|編集|新着情報|ページの先頭へ|町の話を書いている。古い港のそばに住む。",
    "ar": "الرئيسية|بحث|القائمة|تسجيل الدخول|حساب جديد|اتصل بنا|من نحن|سياسة الخصوصية|شروط الاستخدام|أخبار|التعليقات|رد|مشاركة|بقلم|نشر في|الوسوم|مقالات ذات صلة|الأكثر قراءة|النشرة البريدية|اشترك|بريدك الإلكتروني|إرسال|المقال السابق|المقال التالي|المزيد|إعلان|اقرأ المزيد|عن الكاتب|المشاركات|انضم|اقتباس|الموضوع|الردود|المشاهدات|المنتدى|السعر|أضف إلى السلة|متوفر|المراجعات|الوصف|التفاصيل|الأقسام|الأرشيف|نستخدم ملفات تعريف الارتباط لتحسين تجربتك.|قبول الكل|تحرير|آخر الأخبار|إلى الأعلى|يكتب عن المدينة ويسكن قرب الميناء القديم.",
}
SAYS = {language: dict(zip(_KEYS, said.split("|"), strict=True)) for language, said in _SAID.items()}
SECTIONS = {
    "en": "Politics|Culture|Economy|Sport|Science", "de": "Politik|Kultur|Wirtschaft|Sport|Wissen", "es": "Política|Cultura|Economía|Deportes|Ciencia", "ru": "Политика|Культура|Экономика|Спорт|Наука",
    "zh": "时政|文化|财经|体育|科技", "ja": "政治|文化|経済|スポーツ|科学", "ar": "سياسة|ثقافة|اقتصاد|رياضة|علوم",
}  # fmt: skip
MONTHS = {
    "en": "January February March April May June July August September October November December", "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}  # fmt: skip
NAMES = {
    "en": "Ann Okafor|Tobias Whitmore|Clara Novak|Ruth Hartmann|Paul Sato|Simon Keller|Maria Oyelaran|Jonas Lind", "de": "Anna Berger|Jonas Hartmann|Klara Vogt|Ruth Seidel|Paul Krämer|Simon Brandt|Henrik Lohse|Olga Weiß",
    "es": "Ana Castellano|Pablo Ruiz|Clara Ortega|Simón Vega|Marta Soler|Jorge Campos|Lucía Ferrer", "ru": "Анна Петрова|Павел Соколов|Ольга Жукова|Семён Волков|Мария Лебедева|Игорь Зайцев", "zh": "张伟|李娜|王芳|刘洋|陈静|赵磊|周敏",
    "ja": "佐藤健|鈴木花子|高橋誠|田中美咲|伊藤翔|渡辺直美", "ar": "سامي حداد|ليلى منصور|كريم ناصر|هدى سالم|يوسف عمر|مريم خليل",
}  # fmt: skip


def day(date: str, language: str) -> str:
    """A day as readers of a language write it.

    >>> day("2021-05-03", "de")
    '3. Mai 2021'
    """
    year, month, number = date[:4], int(date[5:7]), int(date[8:10])
    if language in ("zh", "ja"):
        return f"{year}年{month}月{number}日"
    name = MONTHS[language].split()[month - 1]
    return {
        "en": f"{name} {number}, {year}",
        "de": f"{number}. {name} {year}",
        "es": f"{number} de {name} de {year}",
    }.get(language, f"{number} {name} {year}")
