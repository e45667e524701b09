"""Phrases that newsrooms write around articles, by language: headings of what is below, and phrases that no story has.

Boilerpipe recognises the end of an article by a dozen English cues (`boilerpipe.filters.english`, which are unchanged).
These phrases are for the largest languages of the news and were written for this project. All languages are searched at
once: as whole blocks the phrases mean the same everywhere, pages mix languages, and the language of a short page is
uncertain.

Phrases are separated by bars and compared in the form of `fold`: lower case, with a blank for anything that is no
letter or digit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from newscrawl.extraction.kernels import choose

ENDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "comments|comment|leave a comment|leave a reply|post a comment|add a comment|join the conversation|"
        "view comments|show comments|read comments|have your say|join the discussion|related|related articles|"
        "related stories|related news|related content|related topics|related posts|related coverage|more from|"
        "more on this story|more on this topic|more stories|more news|read next|read more|up next|you may also like|"
        "you might also like|recommended|recommended for you|recommended stories|most read|most popular|"
        "trending now|trending|top stories|latest news|don t miss|share this|share this article|share this story|"
        "about the author|about the authors|sign up for our newsletter|"
        "subscribe to our newsletter|sponsored content|from our partners|around the web|promoted stories|"
        "what to read next|editors picks|editor s picks|more in|you might like|you may like|recommended by our editors|"
        "editors recommendations|recommended reading|recommended articles|recommended videos|related reading|"
        "related links|related videos|more to read|keep reading|more like this|more for you|popular now|"
        "in case you missed it|more top stories",
        "es": "comentarios|comentar|deja un comentario|dejar un comentario|deja una respuesta|escribe un comentario|"
        "ver comentarios|noticias relacionadas|artículos relacionados|contenido relacionado|relacionadas|"
        "relacionados|"
        "temas relacionados|te puede interesar|también te puede interesar|te recomendamos|más noticias|"
        "más información|"
        "lo más leído|lo más visto|lo último|últimas noticias|lee también|leer más|ver más|comparte|compartir|"
        "comparte esta noticia|compartir esta noticia|archivado en|etiquetas|sobre el autor|suscríbete|"
        "suscríbete a nuestro boletín|recomendados",
        "pt": "comentários|comentar|deixe um comentário|deixe seu comentário|deixe uma resposta|ver comentários|"
        "notícias relacionadas|artigos relacionados|matérias relacionadas|conteúdo relacionado|relacionadas|"
        "leia também|leia mais|veja também|saiba mais|mais notícias|mais lidas|mais lidos|últimas notícias|"
        "mais sobre este assunto|compartilhe|compartilhe esta notícia|partilhar|tags|sobre o autor|recomendados|"
        "recomendadas para você|você pode gostar",
        "fr": "commentaires|commentaire|laisser un commentaire|laissez un commentaire|ajouter un commentaire|"
        "voir les commentaires|réagir|vos réactions|à lire aussi|lire aussi|à voir aussi|à lire également|"
        "articles liés|articles similaires|sur le même sujet|sur le même thème|dans la même rubrique|lire la suite|"
        "pour aller plus loin|plus d articles|les plus lus|les articles les plus lus|partager|partager cet article|"
        "partagez cet article|à propos de l auteur|recommandé pour vous|nos derniers articles|"
        "inscrivez vous à notre newsletter",
        "de": "kommentare|kommentar schreiben|kommentar verfassen|kommentieren|schreibe einen kommentar|"
        "diskutieren sie mit|jetzt kommentieren|leserkommentare|mehr zum thema|zum thema|auch interessant|"
        "das könnte sie auch interessieren|das könnte sie interessieren|das könnte dich auch interessieren|"
        "lesen sie auch|"
        "lesen sie mehr|lesen sie dazu auch|weiterlesen|weitere artikel|weitere meldungen|weitere nachrichten|"
        "ähnliche artikel|ähnliche beiträge|verwandte artikel|verwandte themen|passend zum thema|meistgelesen|"
        "meistgelesene artikel|meist gelesen|artikel teilen|teilen|beitrag teilen|über den autor|über die autorin|"
        "zur startseite|newsletter abonnieren|mehr aus|empfehlungen für sie",
        "it": "commenti|lascia un commento|scrivi un commento|aggiungi un commento|commenta|leggi anche|leggi di più|"
        "leggi tutto|articoli correlati|notizie correlate|potrebbe interessarti|potrebbe interessarti anche|"
        "ti potrebbe interessare|ti potrebbe interessare anche|ti potrebbero interessare anche|i più letti|"
        "le più lette|altre notizie|condividi|condividi questo articolo|ultime notizie|sull autore|correlati",
        "nl": "reacties|reageer|reageren|laat een reactie achter|plaats een reactie|lees ook|lees meer|lees verder|"
        "gerelateerde artikelen|gerelateerd|gerelateerd nieuws|meer over|meer nieuws|meer over dit onderwerp|"
        "meest gelezen|best gelezen|deel dit artikel|delen|over de auteur|aanbevolen|bekijk ook|net binnen",
        "sv": "kommentarer|kommentera|lämna en kommentar|skriv en kommentar|läs också|läs även|läs mer|"
        "relaterade artiklar|relaterat|mer om ämnet|mer om|mer i ämnet|mest läst|mest lästa|dela|dela artikeln|"
        "om skribenten|senaste nytt|rekommenderat|till toppen|rätta artikeln",
        "no": "kommentarer|kommenter|legg igjen en kommentar|skriv en kommentar|les også|les mer|relaterte artikler|"
        "relaterte saker|relatert|mer om|flere saker|mest lest|del|del artikkelen|siste nytt|anbefalt",
        "da": "kommentarer|kommentér|skriv en kommentar|læs også|læs mere|relaterede artikler|relateret|mere om|"
        "flere nyheder|mest læste|mest læst|del artiklen|seneste nyt|anbefalet",
        "fi": "kommentit|kommentoi|lue myös|lue lisää|aiheeseen liittyvää|aiheesta lisää|lisää aiheesta|luetuimmat|"
        "jaa|jaa artikkeli|tuoreimmat|suosittelemme",
        "pl": "komentarze|komentarz|dodaj komentarz|zostaw komentarz|skomentuj|zobacz komentarze|czytaj także|"
        "czytaj też|czytaj również|przeczytaj także|przeczytaj też|przeczytaj również|zobacz także|zobacz też|"
        "zobacz również|czytaj więcej|czytaj dalej|czytaj więcej na ten temat|podobne artykuły|"
        "powiązane artykuły|powiązane|powiązane tematy|"
        "więcej na ten temat|więcej o|polecane|polecamy|najczęściej czytane|najpopularniejsze|udostępnij|"
        "podziel się|o autorze|tagi|dołącz do dyskusji|najnowsze",
        "ru": "комментарии|комментировать|добавить комментарий|оставить комментарий|оставьте комментарий|"
        "обсудить|обсуждение|читайте также|читать далее|читать также|читайте далее|смотрите также|смотри также|"
        "по теме|материалы по теме|новости по теме|статьи по теме|ещё по теме|еще по теме|похожие новости|"
        "похожие материалы|другие новости|другие материалы|самое читаемое|популярное|популярные новости|"
        "последние новости|главные новости|новости партнеров|новости партнёров|поделиться|поделитесь|"
        "поделиться новостью|об авторе|теги|лента новостей|рекомендуем|сюжеты",
        "uk": "коментарі|коментувати|додати коментар|залишити коментар|читайте також|читати далі|читати також|"
        "дивіться також|за темою|матеріали за темою|новини за темою|статті за темою|схожі новини|інші новини|"
        "популярне|популярні новини|останні новини|головні новини|найпопулярніше|поділитися|поділитись|"
        "про автора|теги|стрічка новин|рекомендуємо",
        "tr": "yorumlar|yorum yap|yorum yaz|yorum ekle|yorum gönder|bir yorum yazın|ilgili haberler|ilgili haber|"
        "ilgili içerikler|benzer haberler|diğer haberler|son dakika|son haberler|en çok okunanlar|çok okunanlar|"
        "bunlar da ilginizi çekebilir|ilginizi çekebilir|devamını oku|haberin devamı|paylaş|haberi paylaş|"
        "etiketler|yazar hakkında|önerilen haberler",
        "el": "σχόλια|σχολιάστε|αφήστε ένα σχόλιο|αφήστε σχόλιο|γράψτε το σχόλιό σας|προσθήκη σχολίου|"
        "διαβάστε επίσης|διαβάστε ακόμη|διαβάστε ακόμα|διαβάστε περισσότερα|δείτε επίσης|δείτε ακόμη|"
        "σχετικά άρθρα|σχετικά θέματα|σχετικά|περισσότερα|δημοφιλή|τα πιο δημοφιλή|τελευταία νέα|"
        "τελευταίες ειδήσεις|ροή ειδήσεων|κοινοποίηση|μοιραστείτε το|ετικέτες",
        "ar": "التعليقات|تعليقات|اترك تعليقا|أضف تعليقا|أضف تعليق|إضافة تعليق|شارك برأيك|اقرأ أيضا|اقرأ أيضاً|"
        "اقرأ المزيد|إقرأ أيضا|إقرأ أيضاً|شاهد أيضا|شاهد أيضاً|قد يعجبك أيضا|قد يهمك أيضا|مواضيع ذات صلة|"
        "أخبار ذات صلة|مقالات ذات صلة|موضوعات ذات صلة|ذات صلة|المزيد|الأكثر قراءة|الأكثر مشاهدة|آخر الأخبار|"
        "أخبار متعلقة|موضوعات متعلقة|شارك|شارك المقال|مشاركة|كلمات مفتاحية|الكلمات الدلالية",
        "fa": "نظرات|نظر شما|نظر دهید|ارسال نظر|دیدگاه ها|دیدگاهها|دیدگاه شما|ارسال دیدگاه|بیشتر بخوانید|"
        "بیشتر بخوانیم|همچنین بخوانید|مطالب مرتبط|اخبار مرتبط|خبرهای مرتبط|مطالب پیشنهادی|پربازدیدترین|"
        "پربیننده ترین|آخرین اخبار|پربازدید ها|اشتراک گذاری|برچسب ها|برچسبها",
        "he": "תגובות|הוסף תגובה|הוספת תגובה|כתבות קשורות|כתבות נוספות|עוד בנושא|קראו גם|אולי יעניין אותך|"
        "שתפו|הנקראות ביותר|תגיות",
        "hi": "टिप्पणियां|टिप्पणियाँ|टिप्पणी करें|अपनी टिप्पणी दें|कमेंट करें|यह भी पढ़ें|ये भी पढ़ें|इसे भी पढ़ें|"
        "और पढ़ें|संबंधित खबरें|संबंधित ख़बरें|संबंधित समाचार|संबंधित लेख|ताज़ा खबरें|ताजा खबरें|"
        "सबसे ज्यादा पढ़ी गई|शेयर करें|टैग्स",
        "id": "komentar|tulis komentar|tinggalkan komentar|beri komentar|kirim komentar|lihat komentar|baca juga|"
        "baca selengkapnya|baca lainnya|lihat juga|simak juga|berita terkait|artikel terkait|berita lainnya|"
        "terkait|terpopuler|berita terpopuler|berita terbaru|terkini|bagikan|bagikan artikel ini|"
        "artikel menarik lainnya|rekomendasi untuk anda|topik terkait",
        "vi": "bình luận|ý kiến|ý kiến bạn đọc|ý kiến của bạn|gửi bình luận|viết bình luận|tin liên quan|"
        "tin cùng chuyên mục|bài liên quan|bài viết liên quan|xem thêm|đọc thêm|đọc tiếp|có thể bạn quan tâm|"
        "tin khác|các tin khác|tin mới nhất|tin mới|tin nổi bật|đọc nhiều|đọc nhiều nhất|chia sẻ|từ khóa|chủ đề",
        "zh": "评论|发表评论|网友评论|我要评论|最新评论|热门评论|相关阅读|相关新闻|相关报道|相关文章|相关链接|"
        "延伸阅读|推荐阅读|更多新闻|更多阅读|热门推荐|猜你喜欢|为您推荐|热门文章|热点新闻|新闻排行|分享到|分享|"
        "阅读原文|精彩推荐|評論|發表評論|相關閱讀|相關新聞|相關報導|相關文章|延伸閱讀|推薦閱讀|更多新聞|熱門文章|"
        "熱門新聞|你可能也喜歡|您可能感興趣|分享文章",
        "ja": "コメント|コメントする|コメントを書く|コメントを残す|コメントを見る|関連記事|関連ニュース|"
        "関連キーワード|関連トピックス|関連リンク|関連コンテンツ|あわせて読みたい|合わせて読みたい|おすすめ記事|"
        "こちらもおすすめ|こんな記事も読まれています|続きを読む|もっと見る|人気記事|アクセスランキング|ランキング|"
        "最新記事|最新ニュース|新着記事|この記事をシェア|シェアする|この記事を書いた人|この記事の著者",
        "ko": "댓글|댓글 쓰기|댓글쓰기|의견 쓰기|관련기사|관련 기사|관련뉴스|관련 뉴스|주요뉴스|주요 뉴스|많이 본 뉴스|"
        "많이 본 기사|인기기사|인기 기사|인기뉴스|최신뉴스|최신 기사|추천기사|추천 기사|공유하기|기사 공유|"
        "더보기|기자의 다른 기사|다른 기사 보기",
        "th": "แสดงความคิดเห็น|ความคิดเห็น|ข่าวที่เกี่ยวข้อง|บทความที่เกี่ยวข้อง|เรื่องที่เกี่ยวข้อง|อ่านเพิ่มเติม|"
        "อ่านต่อ|ข่าวล่าสุด|ข่าวยอดนิยม|แชร์|แท็กที่เกี่ยวข้อง",
    }
)
"""A short block that is only one of these heads what is below an article, or a box between two of its paragraphs."""

NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "a version of this article|a version of this story|this article was originally published|"
        "this story was originally published|this article originally appeared|this story originally appeared|"
        "this article first appeared|this story first appeared|this article appeared in|read also|also read|"
        "read more|read next|see also|related story|related article|related stories|follow us on|follow him on|"
        "follow her on|"
        "sign up for|sign up to|subscribe to|subscribe now|click here to|get our free|"
        "all rights reserved|contact reporter|download our app|like us on|join our|support our journalism|"
        "story continues below|article continues below|continue reading|listen to this article|"
        "sign up here|watch live|photo by|image credit|the associated press contributed|"
        "sorry we are not currently accepting comments|comments are closed",
        "es": "lee también|lea también|leer también|le puede interesar|te puede interesar|puede interesarte|"
        "también te puede interesar|ver también|más información en|síguenos en|siga leyendo|sigue leyendo|"
        "suscríbete a|"
        "suscríbase|apúntate a|haz clic aquí|todos los derechos reservados|este artículo fue publicado|"
        "con información de|únete a nuestro canal",
        "pt": "leia também|leia mais|veja também|saiba mais|siga nos|siga o|inscreva se|clique aqui|"
        "todos os direitos reservados|continua após a publicidade|receba as notícias|participe do canal",
        "fr": "à lire aussi|lire aussi|à lire également|lire également|voir aussi|à voir aussi|suivez nous|"
        "abonnez vous|"
        "inscrivez vous|tous droits réservés|la suite après la publicité|cet article a été publié|"
        "cliquez ici",
        "de": "lesen sie auch|lesen sie mehr|lesen sie hier|lesen sie dazu|mehr zum thema|auch interessant|"
        "folgen sie uns|"
        "abonnieren sie|melden sie sich|alle rechte vorbehalten|klicken sie hier|dieser artikel erschien|"
        "dieser artikel ist erschienen",
        "it": "leggi anche|leggi tutto|guarda anche|clicca qui|riproduzione riservata|"
        "tutti i diritti riservati|continua a leggere",
        "nl": "lees ook|lees meer|bekijk ook|volg ons|abonneer je|meld je aan|schrijf je in|"
        "alle rechten voorbehouden|"
        "advertentie|klik hier|dit artikel verscheen|artikel gaat verder onder de advertentie",
        "sv": "läs också|läs även|läs mer|se också|följ oss|anmäl dig|klicka här|artikeln fortsätter under",
        "no": "les også|les mer|se også|følg oss|meld deg på|artikkelen fortsetter under",
        "da": "læs også|læs mere|se også|følg os|tilmeld dig|artiklen fortsætter under",
        "fi": "lue myös|lue lisää|katso myös|seuraa meitä|juttu jatkuu",
        "pl": "czytaj także|czytaj też|czytaj również|przeczytaj także|przeczytaj też|przeczytaj również|"
        "zobacz także|"
        "zobacz też|zobacz również|czytaj więcej|śledź nas|obserwuj nas|zapisz się|"
        "dalsza część artykułu|dalszy ciąg materiału|wszelkie prawa zastrzeżone|kliknij tutaj",
        "ru": "читайте также|читать также|читайте по теме|смотрите также|подписывайтесь на|подпишитесь на|"
        "подписаться на|следите за|все права защищены|присоединяйтесь|ранее сообщалось что мы|"
        "нашли опечатку|если вы нашли ошибку|если вы заметили ошибку|хотите узнать больше",
        "uk": "читайте також|читати також|дивіться також|підписуйтесь на|підписуйтеся на|підпишіться на|"
        "стежте за|усі права захищені|якщо ви помітили помилку|якщо ви знайшли помилку|приєднуйтесь",
        "tr": "bunu da oku|bunları da okuyun|ayrıca okuyun|ilginizi çekebilir|bizi takip edin|abone ol|"
        "tüm hakları saklıdır|haberin devamı",
        "el": "διαβάστε επίσης|διαβάστε ακόμη|διαβάστε ακόμα|διαβάστε εδώ|δείτε επίσης|δείτε ακόμη|"
        "εγγραφείτε|με πληροφορίες από|δείτε όλες τις τελευταίες ειδήσεις|διαβάστε τις ειδήσεις",
        "ar": "اقرأ أيضا|اقرأ أيضاً|إقرأ أيضا|إقرأ أيضاً|اقرأ المزيد|شاهد أيضا|شاهد أيضاً|"
        "إعلان|جميع الحقوق محفوظة|قد يهمك",
        "fa": "بیشتر بخوانید|همچنین بخوانید|ما را دنبال کنید|انتهای پیام|کلیه حقوق|تمامی حقوق",
        "he": "קראו גם|קראו עוד|עקבו אחרינו|כל הזכויות שמורות",
        "hi": "यह भी पढ़ें|ये भी पढ़ें|इसे भी पढ़ें|और पढ़ें|हमें फॉलो करें|हमारे व्हाट्सएप",
        "id": "baca juga|baca selengkapnya|lihat juga|simak juga|ikuti kami|ikuti berita|"
        "dapatkan berita|dapatkan update|gabung di",
        "vi": "xem thêm|đọc thêm|theo dõi chúng tôi|mời quý độc giả|mời bạn đọc",
        "zh": "相关阅读|相关新闻|延伸阅读|责任编辑|责编|编辑|版权声明|版权所有|免责声明|更多精彩|点击进入|原标题|"
        "扫一扫|扫码|打开微信|关注我们|本文来源|转载请注明|未经授权|特别声明|"
        "延伸閱讀|相關閱讀|更多新聞|責任編輯|版權所有|點我|追蹤我們|看更多",
        "ja": "関連記事|続きを読む|あわせて読みたい|無断転載|全文を読む|この記事は有料|会員登録|記事の続きは",
        "ko": "관련기사|무단전재|저작권자|네이버에서|기사제보",
        "th": "อ่านเพิ่มเติม|อ่านข่าวเพิ่มเติม|ข่าวที่เกี่ยวข้อง|สงวนลิขสิทธิ์",
    }
)
"""A short block that starts with one of these is about the page and not the news: pointers to other articles, print and
agency notes, newsletters, adverts."""

LABELS: Final = (
    "advertisement|advertising|ad|sponsored|publicidad|anuncio|publicidade|publicité|anzeige|werbung|pubblicità|"
    "advertentie|annons|annonse|annonce|mainos|reklama|реклама|reklam|διαφήμιση|إعلان|تبلیغات|פרסומת|विज्ञापन|iklan|"
    "quảng cáo|广告|廣告|広告|광고|โฆษณา|copyright|disclaimer"
)
"""A short block that is only one of these marks an advert or a notice, in any of the languages."""

CONTINUATIONS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "en": ("advert|ad|ads", "continu|keep reading", "after|below|scroll|following"),
        "es": ("publicidad|anuncio", "contin|sigue|siga", "después|despues|debajo|abajo|tras"),
        "pt": ("publicidade|anúncio", "contin", "após|depois|abaixo"),
        "fr": ("publicité|annonce|pub", "suite|contin|poursui", "après|sous|dessous"),
        "de": ("anzeige|werbung", "weiter|fortge|fortsetz", "nach|unter"),
        "it": ("pubblicit|annuncio", "contin|prosegu|segue", "dopo|sotto"),
        "nl": ("advertentie|reclame", "verder|vervolg", "onder|na"),
        "sv": ("annons|reklam", "fortsätt|vidare", "efter|under|nedan"),
        "no": ("annonse|reklame", "fortsett|videre", "etter|under|nedenfor"),
        "da": ("annonce|reklame", "fortsæt|videre", "efter|under|nedenfor"),
        "fi": ("mainos|mainokse", "jatku", "jälkeen|alla|jatku"),
        "pl": ("reklam|ogłoszeni", "dalsz|kontynu|reszt", "pod|po|poniżej|za"),
        "ru": ("реклам", "продолж", "после|под|ниже|за"),
        "uk": ("реклам", "продовж", "після|під|нижче|за"),
        "tr": ("reklam|ilan", "devam", "sonra|ardından|altında|aşağıda"),
        "el": ("διαφήμισ|διαφημίσ", "συνέχ|συνεχ", "μετά|κάτω|παρακάτω"),
        "ar": ("إعلان|اعلان", "يتبع|يستمر|تستمر|تابع|استمر|البقية|بقية|متابعة", "بعد|أسفل|تحت|أدناه"),
        "fa": ("تبلیغ|آگهی", "ادامه", "پس|بعد|زیر"),
        "he": ("פרסומת|פרסומות|מודעה", "המשך|ממשיכ|נמשכ", "אחרי|לאחר|מתחת|למטה"),
        "hi": ("विज्ञापन", "जारी|आगे|शेष|खबर|लेख", "बाद|नीचे"),
        "id": ("iklan", "lanjut|berlanjut|dilanjut", "setelah|bawah|scroll|gulir"),
        "vi": ("quảng cáo", "tiếp", "sau|dưới"),
        "zh": ("广告|廣告", "继续|繼續|未完", "后|後|下"),
        "ja": ("広告", "続", "後|あと|下"),
        "ko": ("광고", "계속|이어", "후|뒤|아래|이후|다음"),
        "th": ("โฆษณา", "ต่อ", "หลัง|จาก|ด้านล่าง"),
    }
)
"""A short block with the beginning of one word of each of the three lists of a language says that the article goes on
below an advert: the advert, to continue, after or below."""

START_CHARACTERS: Final = 64
"""Characters within which the first word of a note ends."""

_NO_WORD: Final = re.compile(r"[\W_]+")
_ASCII: Final = str.maketrans({i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)})
_COUNT: Final = re.compile(r"^\d+ | \d+$")


def _casefold(text: str) -> str:
    return text.casefold()


casefold: Final = choose("casefold", _casefold, ("AÉßЖσς ‘’İ",), ("\U0001f600 Ab漢",), ("Up",), ("",))


def _fold(text: str) -> str:
    """Returns `text` in lower case, with a single blank for everything that is no letter or digit, none at the ends."""
    if text.isascii():
        return " ".join(text.translate(_ASCII).split())
    return _NO_WORD.sub(" ", text.casefold()).strip()


fold: Final = choose("fold", _fold, (" Äb c-d_9!",), ("The A.B.'s 12 %",), ("",))


def _first_word(text: str, most: int) -> str:
    """Returns the first word of the folded text, within its first `most` characters."""
    return fold(text[:most]).partition(" ")[0]


first_word: Final = choose("first_word", _first_word, (" «Äb c", 64), ("A.B.'s 12", 1), ("- x_9 y", 5), ("", 64))


def is_end(folded: str) -> bool:
    """Returns whether a folded block is one of ENDS, without a number before or after it ("12 comments")."""
    if folded[:1].isdecimal() or folded[-1:].isdecimal():
        folded = _COUNT.sub("", folded)
    return folded in _ENDS


def is_label(folded: str) -> bool:
    """Returns whether a folded block is one of LABELS."""
    return folded in _LABELS


def is_continuation(folded: str) -> bool:
    """Returns whether a short folded block says that the article goes on below an advert, as newsrooms write between
    its paragraphs ("Article continues after advertisement")."""
    if not names_advert(folded):
        return False
    return any(all(pattern.search(folded) for pattern in patterns) for patterns in _CONTINUATIONS)


def names_advert(folded: str) -> bool:
    """Returns False if no line of a folded text can be a continuation, as in most texts: no word for an advert begins
    in it."""
    words = f" {folded} "
    return any(map(words.__contains__, _ADVERTS))


def phrases_of(lines: str) -> frozenset[str]:
    """Returns the phrases of a list with one in each line, folded."""
    return frozenset(filter(None, map(fold, lines.splitlines())))


def may_be_note(text: str) -> bool:
    """Returns False if the first word alone shows that `is_note` is False, as for most blocks."""
    return first_word(text, START_CHARACTERS) in _FIRST_WORDS


def is_note(folded: str) -> bool:
    """Returns whether a folded block is one of LABELS or starts with one of NOTES."""
    if folded in _LABELS:
        return True
    starts = _NOTES.get(folded.partition(" ")[0], ())
    return any(folded.startswith(start) and folded[len(start) : len(start) + 1] in {"", " "} for start in starts)


def _phrases(*lists: str) -> frozenset[str]:
    return frozenset(folded for phrases in lists for phrase in phrases.split("|") if (folded := fold(phrase)))


def _beginnings(language: str, words: str) -> re.Pattern[str]:
    """Returns a pattern for the words that begin with one of these; for their parts in scripts without blanks, and in
    those that join words such as "the" to the next one. Two letters are a whole word."""
    parts = [f"{word}\\b" if len(word) == 2 and word.isascii() else fold(word) for word in words.split("|")]
    return re.compile("|".join(parts) if language in _JOINED else rf"\b(?:{'|'.join(parts)})")


def _by_first_word(phrases: frozenset[str]) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for phrase in sorted(phrases):
        word = phrase.partition(" ")[0]
        words[word] = (*words.get(word, ()), phrase)
    return words


_ENDS: Final = _phrases(*ENDS.values())
_LABELS: Final = _phrases(LABELS)
_NOTES: Final = _by_first_word(_phrases(*NOTES.values()))
_JOINED: Final = frozenset("ar he hi zh ja ko th".split())
_CONTINUATIONS: Final = tuple(
    tuple(_beginnings(language, words) for words in lists) for language, lists in CONTINUATIONS.items()
)
_ADVERTS: Final = tuple(
    {
        fold(word) if language in _JOINED else f" {fold(word)}{' ' * (len(word) == 2 and word.isascii())}"
        for language, (adverts, _, _) in CONTINUATIONS.items()
        for word in adverts.split("|")
    }
)
"""The beginnings of the words for adverts in a text between two blanks, as `_beginnings` has them."""
_FIRST_WORDS: Final = frozenset(_NOTES) | {label.partition(" ")[0] for label in _LABELS}
