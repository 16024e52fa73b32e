"""Seven more languages for `prose`, and what templates say in most of them."""

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
KOREAN = {
    "N": "낡은 시장, 새 공원, 시립 도서관, 기차역, 학교 운동장, 박물관, 통조림 공장, 작은 극장, 시민 병원, 강변길, 우체국, 시청, 목공 작업장, 옥상 정원, 합창단, 협동조합, 골목 빵집, 버스 정류장, 기록 보관실",
    "A": "낡은, 새로운, 조용한, 닫힌, 머나먼",
    "V": "수리, 폐쇄, 측정, 개방, 이전, 점검, 도색, 매각, 확장",
    "W": "여름이 오기 전에, 밤마다, 비가 그친 뒤에, 예고 없이, 월말에, 일 년에 한 번, 일요일에",
    "X": "두 주, 사십 일, 아홉 번, 삼십 분, 석 달, 십이 년",
}
KOREAN_SAYINGS = (
    "{N}을 {W} {V}하기로 했다는 말에 {N} 앞은 {X} 동안 조용했다.", "주민들은 {N}과 {N}을 {W} {V}할 수 있다고 말한다.", "{N}을 {V}하려면 {X}쯤 기다려야 한다.",
    "{X} 전부터 {N}은 쉬고 있지만 {N}은 그대로 있다.", "가장 어려운 일은 {N}을 {W} {V}하는 것이라고 담당자는 말했다.", "마침내 {N}을 {V}하기로 했는데, {N}이 더는 버티지 못하기 때문이다.",
    "계획에 따르면 {N}은 {W} {V}되고 비용은 {N}보다 적게 든다.", "많은 사람이 {N}을 {V}하기 전의 모습을 기억한다.", "{N}도 {N}도 {X} 안에는 {V}할 수 없다.",
)  # fmt: skip
HEBREW = {
    "N": "הגשר הישן, השוק החדש, תחנת הרכבת, ספריית העיר, נמל הדייגים, בית הספר התיכון, גן השכונה, בית הבד, המוזיאון הקטן, סניף הדואר, כיכר העירייה, בית החולים, צוות הכבאים, דרך החוף, הנגרייה, אולם הקונצרטים, מגדל המים, המאפייה",
    "A": "הישן, החדש, הרחוק, המשותף, הסגור",
    "V": "לתקן, לסגור, למדוד, לפתוח, להעביר, לבדוק, לצבוע, למכור, להרחיב",
    "W": "לפני הקיץ, בכל לילה, אחרי הגשם, בלי הודעה מראש, בסוף החודש, פעם בשנה, בימי ראשון",
    "X": "שבועיים, ארבעים יום, תשעה ניסיונות, חצי שעה, שלושה חודשים, שתים עשרה שנים",
}
HEBREW_SAYINGS = (
    "איש לא חשב {V} את {N} {W}, ולכן {N} נשאר כך {X}.", "התושבים אומרים שאפשר {V} את {N} {W} אם כולם יסכימו.", "מי שרוצה {V} את {N} צריך לחכות {X}.",
    "כבר {X} {N} לא פועל, אף ש{N} עדיין במקומו.", "הכי קשה {V} את {N} {W}, אומרת המנהלת.", "לבסוף הוחלט {V} את {N} כי {N} כבר לא מחזיק מעמד.",
    "התוכנית קובעת שצריך {V} את {N} {W} במחיר נמוך מזה של {N}.", "רבים זוכרים איך נראה {N} לפני שהוחלט {V} את {N}.",
)  # fmt: skip
HINDI = {
    "N": "पुराने पुल, नए बाज़ार, रेलवे स्टेशन, नगर पुस्तकालय, मछली घाट, सरकारी स्कूल, मोहल्ले के बाग, तेल मिल, छोटे संग्रहालय, डाकघर, नगरपालिका भवन, अस्पताल, दमकल केंद्र, समुद्री सड़क, बढ़ई की दुकान, संगीत भवन, पानी की टंकी",
    "A": "पुराने, नए, दूर के, साझा, बंद",
    "V": "मरम्मत, जाँच, सफ़ाई, नीलामी, रंगाई, देखभाल, नपाई, बिक्री",
    "W": "गर्मियों से पहले, हर रात, बारिश के बाद, बिना सूचना के, महीने के अंत में, साल में एक बार, रविवार को",
    "X": "दो हफ़्ते, चालीस दिन, नौ बार, आधे घंटे, तीन महीने, बारह साल",
}
HINDI_SAYINGS = (
    "किसी ने {W} {N} की {V} के बारे में नहीं सोचा, इसलिए {N} का हाल {X} तक वैसा ही रहा।", "निवासियों का कहना है कि {N} और {N} की {V} {W} हो सकती है।", "जो {N} की {V} चाहता है उसे {X} तक रुकना होगा।",
    "पिछले {X} से {N} में कोई काम नहीं हुआ, हालाँकि {N} में भीड़ रहती है।", "सबसे कठिन है {W} {N} की {V}, ऐसा प्रबंधक ने कहा।", "आख़िर {N} की {V} तय हुई, क्योंकि {N} का भरोसा अब नहीं रहा।",
    "योजना के अनुसार {N} की {V} {W} होगी और ख़र्च {N} से कम रहेगा।", "कई लोगों को याद है कि {V} से पहले {N} में क्या होता था।",
)  # fmt: skip
THAI = {
    "N": "สะพานเก่า, ตลาดใหม่, สถานีรถไฟ, ห้องสมุดเมือง, ท่าเรือประมง, โรงเรียนมัธยม, สวนชุมชน, โรงสีข้าว, พิพิธภัณฑ์, ที่ทำการไปรษณีย์, ลานหน้าเทศบาล, โรงพยาบาล, ทีมดับเพลิง, ถนนเลียบชายฝั่ง, โรงไม้, หอแสดงดนตรี, หอน้ำ, ร้านขนมปัง",
    "A": "เก่า, ใหม่, ไกล, ร่วม, ปิด",
    "V": "ซ่อม, ปิด, วัด, เปิด, ย้าย, ตรวจ, ทาสี, ขาย, ขยาย",
    "W": "ก่อนฤดูร้อน, ทุกคืน, หลังฝนตก, โดยไม่แจ้งล่วงหน้า, ตอนสิ้นเดือน, ปีละครั้ง, ทุกวันอาทิตย์",
    "X": "สองสัปดาห์, สี่สิบวัน, เก้าครั้ง, ครึ่งชั่วโมง, สามเดือน, สิบสองปี",
}
THAI_SAYINGS = (
    "ไม่มีใครคิดจะ{V}{N}{W} {N}จึงเป็นแบบนี้มา{X}", "ชาวบ้านบอกว่า{N}และ{N}สามารถ{V}ได้{W}", "ถ้าอยาก{V}{N}ก็ต้องรอ{X}", "{N}หยุดมา{X}แล้ว แต่{N}ยังอยู่ที่เดิม",
    "ผู้ดูแลบอกว่าที่ยากที่สุดคือการ{V}{N}{W}", "ในที่สุดก็ตัดสินใจ{V}{N} เพราะ{N}ทนต่อไปไม่ไหว", "ตามแผนจะ{V}{N}{W}และใช้เงินน้อยกว่า{N}", "หลายคนจำได้ว่า{N}เป็นอย่างไรก่อนจะ{V}{N}",
)  # fmt: skip
for _code, _words, _sayings, _name, _title in (
    ("es", SPANISH, SPANISH_SAYINGS, "{V} {N}", "{N} y {N} {W}"), ("ru", RUSSIAN, RUSSIAN_SAYINGS, "{V} {N}", "{N} и {N} {W}"), ("ar", ARABIC, ARABIC_SAYINGS, "{V} {N}", "{V} {N} {W}"),
    ("ko", KOREAN, KOREAN_SAYINGS, "{N} {V}", "{N}과 {N} {V}"), ("he", HEBREW, HEBREW_SAYINGS, "{V} את {N}", "{V} את {N} {W}"), ("hi", HINDI, HINDI_SAYINGS, "{N} की {V}", "{W} {N} की {V}"), ("th", THAI, THAI_SAYINGS, "{V}{N}", "{V}{N}และ{N}"),
):  # fmt: skip
    _lists = {kind: [w.strip() for w in words.split(",")] for kind, words in _words.items()}
    prose.LANGUAGES[_code] = (_lists, _sayings, _name, _title)
prose.LEADS |= {"es": "Véase ", "ru": "Смотрите ", "ar": "انظر ", "ko": "참고: ", "he": "ראו ", "hi": "देखें ", "th": "ดู "}

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
    "ko": "정치|문화|경제|스포츠|과학", "he": "פוליטיקה|תרבות|כלכלה|ספורט|מדע", "hi": "राजनीति|संस्कृति|अर्थव्यवस्था|खेल|विज्ञान", "th": "การเมือง|วัฒนธรรม|เศรษฐกิจ|กีฬา|วิทยาศาสตร์",
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
    "ko": "김민준|이서연|박지훈|최유진|정하은|강도윤", "he": "דנה לוי|יואב כהן|מיכל אברהם|אורי שחר|נועה ברק|עמית גולן", "hi": "अनिल शर्मा|सुनीता वर्मा|राजेश गुप्ता|मीना देवी|विकास सिंह|कविता जोशी", "th": "สมชาย ใจดี|มาลี ศรีสุข|วิชัย ทองดี|อรุณี แก้วใส|ประเสริฐ บุญมา",
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
