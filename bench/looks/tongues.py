"""More languages for `prose`, and what templates say in all of them."""

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
    "N": "낡은 다리, 새 시장, 시립 도서관, 기차역, 어항, 고등학교, 동네 공원, 기름 공장, 국립 박물관, 우체국, 시청 광장, 종합 병원, 소방서, 해안 도로, 목공소, 음악당, 가마 제어기, 온도 기록계",
    "A": "낡은, 새로운, 먼, 작은, 닫힌",
    "V": "수리, 폐쇄, 측정, 개방, 이전, 점검, 확장, 매각",
    "W": "여름이 오기 전에, 매일 밤, 비가 온 뒤에, 예고 없이, 월말에, 일 년에 한 번, 일요일마다",
    "X": "이 주일, 사십 일, 아홉 번, 반 시간, 석 달, 십이 년",
}
KOREAN_SAYINGS = (
    "{W} {N}의 {V}를 생각한 사람은 아무도 없었고, 그래서 {N}은 {X} 동안 그대로 있었다.", "주민들은 {N}과 {N}을 {W} {V}할 수 있다고 말한다.", "{N}을 {V}하려면 {X}을 기다려야 한다.",
    "{X}째 {N}은 움직이지 않지만 {N}은 제자리에 있다.", "가장 어려운 일은 {W} {N}을 {V}하는 것이라고 담당자는 말했다.", "마침내 {N}의 {V}가 결정되었는데, {N}이 더는 견디지 못하기 때문이다.",
    "계획에 따르면 {N}은 {W} {V}되며 비용은 {N}보다 적다.", "많은 사람이 {V} 전의 {N}을 기억하고 있다.",
)  # fmt: skip
THAI = {
    "N": "สะพานเก่า, ตลาดใหม่, ห้องสมุดประชาชน, สถานีรถไฟ, ท่าเรือประมง, โรงเรียนมัธยม, สวนสาธารณะ, โรงงานน้ำมัน, พิพิธภัณฑ์, ที่ทำการไปรษณีย์, ลานหน้าศาลากลาง, โรงพยาบาล, สถานีดับเพลิง, ถนนเลียบชายฝั่ง, โรงไม้, หอแสดงดนตรี",
    "A": "เก่า, ใหม่, ไกล, เล็ก, ปิด",
    "V": "ซ่อมแซม, ปิด, ตรวจวัด, เปิด, ย้าย, ตรวจสอบ, ขยาย, ขาย",
    "W": "ก่อนฤดูร้อน, ทุกคืน, หลังฝนตก, โดยไม่แจ้งล่วงหน้า, ตอนสิ้นเดือน, ปีละครั้ง, ทุกวันอาทิตย์",
    "X": "สองสัปดาห์, สี่สิบวัน, เก้าครั้ง, ครึ่งชั่วโมง, สามเดือน, สิบสองปี",
}
THAI_SAYINGS = (
    "ไม่มีใครคิดจะ{V}{N}{W} {N}จึงอยู่อย่างนั้นมา{X}", "ชาวบ้านบอกว่า{N}และ{N}จะ{V}ได้{W}", "ใครอยาก{V}{N}ต้องรอ{X}", "{N}ใช้งานไม่ได้มา{X}แล้ว แม้{N}จะยังอยู่ที่เดิม",
    "เรื่องที่ยากที่สุดคือการ{V}{N}{W} เจ้าหน้าที่กล่าว", "ในที่สุดก็ตัดสินใจ{V}{N} เพราะ{N}รับไม่ไหวอีกต่อไป", "ตามแผนจะ{V}{N}{W} และใช้เงินน้อยกว่า{N}", "หลายคนยังจำได้ว่า{N}เคยเป็นอย่างไรก่อนที่จะ{V}{N}",
)  # fmt: skip
HEBREW = {
    "N": "הגשר הישן, השוק החדש, ספריית העיר, תחנת הרכבת, נמל הדייגים, בית הספר התיכון, הפארק השכונתי, מפעל השמן, המוזיאון, סניף הדואר, כיכר העירייה, בית החולים, תחנת הכיבוי, כביש החוף, הנגרייה, אולם המוזיקה",
    "A": "הישן, החדש, הרחוק, המשותף, הסגור",
    "V": "לתקן, לסגור, למדוד, לפתוח, להעביר, לבדוק, לצבוע, למכור, להרחיב",
    "W": "לפני תחילת הקיץ, בכל לילה, אחרי הגשם, בלי הודעה, בסוף החודש, פעם בשנה, ביום ראשון",
    "X": "שבועיים, ארבעים יום, תשעה ניסיונות, חצי שעה, שלושה חודשים, שתים עשרה שנה",
}
HEBREW_SAYINGS = (
    "איש לא חשב {V} את {N} {W}, ולכן {N} נשאר כך {X}.", "התושבים אומרים שאפשר {V} את {N} ואת {N} {W}.", "מי שרוצה {V} את {N} צריך לחכות {X}.", "כבר {X} שאי אפשר להשתמש בו, אף שרק {N} נשאר במקומו.",
    "הקשה מכול הוא {V} את {N} {W}, אומרת האחראית.", "סוף סוף הוחלט {V} את {N}, כי {N} כבר לא מחזיק מעמד.", "לפי התוכנית אפשר {V} את {N} {W} במחיר נמוך מזה של {N}.", "רבים זוכרים איך היה {N} לפני שהוחלט {V} את {N}.",
)  # fmt: skip
HINDI = {
    "N": "पुराना पुल, नया बाज़ार, नगर पुस्तकालय, रेलवे स्टेशन, मछली बंदरगाह, सरकारी स्कूल, मोहल्ले का पार्क, तेल कारख़ाना, राष्ट्रीय संग्रहालय, डाकघर, नगर चौक, ज़िला अस्पताल, दमकल केंद्र, तटीय सड़क, संगीत भवन",
    "A": "पुराना, नया, दूर का, साझा, बंद",
    "V": "ठीक करना, बंद करना, नापना, खोलना, हटाना, जाँचना, रंगना, बेचना, बढ़ाना",
    "W": "गर्मी से पहले, हर रात, बारिश के बाद, बिना सूचना के, महीने के अंत में, साल में एक बार, हर रविवार",
    "X": "दो हफ़्ते, चालीस दिन, नौ कोशिशें, आधा घंटा, तीन महीने, बारह साल",
}
HINDI_SAYINGS = (
    "किसी ने {W} {N} {V} नहीं सोचा था, इसलिए {N} {X} तक वैसा ही रहा।", "लोग कहते हैं कि {N} और {N} {W} {V} संभव है।", "जो {N} {V} चाहता है उसे {X} रुकना होगा।", "{X} से {N} काम नहीं कर रहा, हालाँकि {N} अपनी जगह पर है।",
    "अधिकारी ने कहा कि सबसे कठिन काम {W} {N} {V} है।", "आख़िरकार {N} {V} तय हुआ क्योंकि {N} अब नहीं टिक सकता।", "योजना के अनुसार {W} {N} {V} है और ख़र्च {N} से कम होगा।", "बहुत लोगों को याद है कि पहले {N} कैसा था और {N} {V} किसने चाहा।",
)  # fmt: skip
for _code, _words, _sayings, _name, _title in (
    ("ko", KOREAN, KOREAN_SAYINGS, "{N} {V}", "{N}과 {N} {W} {V}"), ("th", THAI, THAI_SAYINGS, "{V}{N}", "{V}{N}และ{N}{W}"), ("he", HEBREW, HEBREW_SAYINGS, "{V} את {N}", "{N} ו{N} {W}"), ("hi", HINDI, HINDI_SAYINGS, "{N} {V}", "{W} {N} और {N} {V}"),
    ("es", SPANISH, SPANISH_SAYINGS, "{V} {N}", "{N} y {N} {W}"), ("ru", RUSSIAN, RUSSIAN_SAYINGS, "{V} {N}", "{N} и {N} {W}"), ("ar", ARABIC, ARABIC_SAYINGS, "{V} {N}", "{V} {N} {W}"),
):  # fmt: skip
    _lists = {kind: [w.strip() for w in words.split(",")] for kind, words in _words.items()}
    prose.LANGUAGES[_code] = (_lists, _sayings, _name, _title)
prose.LEADS |= {"ko": "참고: ", "th": "ดู ", "he": "ראו ", "hi": "देखें ", "es": "Véase ", "ru": "Смотрите ", "ar": "انظر "}

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
    "ko": "홈|검색|메뉴|로그인|회원가입|문의하기|회사 소개|개인정보처리방침|이용약관|뉴스|댓글|답글|공유|글쓴이|입력|태그|관련 기사|많이 본 뉴스|뉴스레터|구독하기|이메일 주소|보내기|이전 글|다음 글|더보기|광고|계속 읽기|기자 소개|게시물|가입일|인용|제목|답변|조회|게시판|가격|장바구니 담기|재고 있음|상품평|상품 설명|상세 정보|분류|보관함|이 사이트는 더 나은 이용을 위해 쿠키를 사용합니다.|모두 허용|수정|최신 뉴스|맨 위로|도시 이야기를 쓰고 옛 항구 옆에 산다.",
    "th": "หน้าแรก|ค้นหา|เมนู|เข้าสู่ระบบ|สมัครสมาชิก|ติดต่อเรา|เกี่ยวกับเรา|นโยบายความเป็นส่วนตัว|ข้อกำหนด|ข่าว|ความคิดเห็น|ตอบกลับ|แชร์|โดย|เผยแพร่|แท็ก|ข่าวที่เกี่ยวข้อง|ข่าวยอดนิยม|จดหมายข่าว|สมัครรับ|อีเมลของคุณ|ส่ง|เรื่องก่อนหน้า|เรื่องถัดไป|เพิ่มเติม|โฆษณา|อ่านต่อ|เกี่ยวกับผู้เขียน|โพสต์|เข้าร่วมเมื่อ|อ้างอิง|หัวข้อ|คำตอบ|เข้าชม|กระดานสนทนา|ราคา|หยิบใส่ตะกร้า|มีสินค้า|รีวิว|รายละเอียดสินค้า|ข้อมูล|หมวด|คลังบทความ|เว็บไซต์นี้ใช้คุกกี้เพื่อให้คุณใช้งานได้ดียิ่งขึ้น|ยอมรับทั้งหมด|แก้ไข|ข่าวล่าสุด|กลับขึ้นด้านบน|เขียนเรื่องเมืองและอาศัยอยู่ข้างท่าเรือเก่า",
    "he": "ראשי|חיפוש|תפריט|כניסה|הרשמה|צרו קשר|אודות|מדיניות פרטיות|תנאי שימוש|חדשות|תגובות|הגב|שיתוף|מאת|פורסם|תגיות|כתבות נוספות|הנקראות ביותר|עלון|הירשמו|כתובת דואר|שלח|הפוסט הקודם|הפוסט הבא|עוד|פרסומת|קרא עוד|על הכותב|הודעות|הצטרף|ציטוט|נושא|תגובות|צפיות|פורום|מחיר|הוסף לסל|במלאי|ביקורות|תיאור|פרטים|מדורים|ארכיון|אתר זה משתמש בעוגיות כדי לשפר את השימוש.|אישור הכול|עריכה|עדכונים אחרונים|חזרה למעלה|כותב על העיר וגר ליד הנמל הישן.",
    "hi": "मुखपृष्ठ|खोजें|मेन्यू|लॉग इन|रजिस्टर|संपर्क|हमारे बारे में|गोपनीयता नीति|नियम|समाचार|टिप्पणियाँ|जवाब दें|शेयर करें|लेखक|प्रकाशित|टैग|संबंधित ख़बरें|सबसे ज़्यादा पढ़ी गईं|न्यूज़लेटर|सदस्य बनें|आपका ईमेल|भेजें|पिछला लेख|अगला लेख|और|विज्ञापन|आगे पढ़ें|लेखक के बारे में|पोस्ट|शामिल हुए|उद्धरण|विषय|जवाब|देखा गया|मंच|क़ीमत|कार्ट में डालें|उपलब्ध|समीक्षाएँ|विवरण|जानकारी|विभाग|पुरालेख|यह साइट बेहतर अनुभव के लिए कुकीज़ का उपयोग करती है।|सभी स्वीकारें|बदलें|ताज़ा ख़बरें|ऊपर जाएँ|शहर के बारे में लिखते हैं और पुराने बंदरगाह के पास रहते हैं।",
}
SAYS = {language: dict(zip(_KEYS, said.split("|"), strict=True)) for language, said in _SAID.items()}
SECTIONS = {
    "en": "Politics|Culture|Economy|Sport|Science", "de": "Politik|Kultur|Wirtschaft|Sport|Wissen", "es": "Política|Cultura|Economía|Deportes|Ciencia", "ru": "Политика|Культура|Экономика|Спорт|Наука",
    "zh": "时政|文化|财经|体育|科技", "ja": "政治|文化|経済|スポーツ|科学", "ar": "سياسة|ثقافة|اقتصاد|رياضة|علوم",
    "ko": "정치|문화|경제|스포츠|과학", "th": "การเมือง|วัฒนธรรม|เศรษฐกิจ|กีฬา|วิทยาศาสตร์", "he": "פוליטיקה|תרבות|כלכלה|ספורט|מדע", "hi": "राजनीति|संस्कृति|अर्थव्यवस्था|खेल|विज्ञान",
}  # fmt: skip
MONTHS = {
    "en": "January February March April May June July August September October November December", "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "th": "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม", "he": "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर", "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}  # fmt: skip
NAMES = {
    "en": "Ann Okafor|Tobias Whitmore|Clara Novak|Ruth Hartmann|Paul Sato|Simon Keller|Maria Oyelaran|Jonas Lind", "de": "Anna Berger|Jonas Hartmann|Klara Vogt|Ruth Seidel|Paul Krämer|Simon Brandt|Henrik Lohse|Olga Weiß",
    "es": "Ana Castellano|Pablo Ruiz|Clara Ortega|Simón Vega|Marta Soler|Jorge Campos|Lucía Ferrer", "ru": "Анна Петрова|Павел Соколов|Ольга Жукова|Семён Волков|Мария Лебедева|Игорь Зайцев", "zh": "张伟|李娜|王芳|刘洋|陈静|赵磊|周敏",
    "ja": "佐藤健|鈴木花子|高橋誠|田中美咲|伊藤翔|渡辺直美", "ko": "김민수|이서연|박지훈|최유진|정하늘|강도윤|윤소라", "th": "สมชาย ใจดี|มาลี ศรีสุข|ประยุทธ ทองคำ|วิภา แสงจันทร์|อนันต์ บุญมา|กมล รัตน์", "he": "דנה לוי|יוסי כהן|מיכל ברק|אורי שלום|נועה פרץ|גיל אדלר", "hi": "अनिल शर्मा|प्रिया वर्मा|राजेश सिंह|कविता जोशी|मोहन लाल|नेहा गुप्ता",
    "ar": "سامي حداد|ليلى منصور|كريم ناصر|هدى سالم|يوسف عمر|مريم خليل",
}  # fmt: skip


def day(date: str, language: str) -> str:
    """A day as readers of a language write it.

    >>> day("2021-05-03", "de")
    '3. Mai 2021'
    """
    year, month, number = date[:4], int(date[5:7]), int(date[8:10])
    if language in ("zh", "ja"):
        return f"{year}年{month}月{number}日"
    if language == "ko":
        return f"{year}년 {month}월 {number}일"
    name = MONTHS[language].split()[month - 1]
    if language == "th":
        year = str(int(year) + 543)  # as calendars of Thailand count
    return {
        "en": f"{name} {number}, {year}",
        "de": f"{number}. {name} {year}",
        "es": f"{number} de {name} de {year}",
    }.get(language, f"{number} {name} {year}")
