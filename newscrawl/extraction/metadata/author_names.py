"""Extracts names from bylines, and knows the words beside them: job titles, agencies, employers, places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from newscrawl.extraction.metadata.text import MAX_NAME, MAX_TITLE, caseless_nfkc_cached, clean
from newscrawl.model.written_dates.calendars import ENGLISH_SHORT, MONTHS, WEEKDAYS
from newscrawl.page.jsonld import decode_references

_ROLE: Final = re.compile(
    r"\b(?:editors?|reporters?|correspondents?|writers?|contributors?|columnists?|journalists?|producers?|staff|"
    r"directors?|chief|head|educators?|fellow|professor|lecturer|analyst|critic|photographers?|author|reviewer|managers?|founder|"
    r"president|publisher|ceo|cto|cfo|coo|vp|dietitian|consultant|representative|expert|\w{0,20}redakteur(?:in)?|"
    r"\w{0,20}korrespondent(?:in)?|volont[äa]r(?:in)?|redactora?|corresponsal|periodista|journaliste|correspondante?|"
    r"envoyée? spéciale?|enviad[oa] especial|reporter[oa]|columnista|correspondente|colunista|redator(?:a)?|"
    r"corrispondente|redattor[ei]|redattrice|verslaggever|verslaggeefster|redacteur|korespondent(?:ka)?|"
    r"dziennikar(?:z|ka)|redaktor(?:ka)?|zpravodaj(?:ka)?|novinář(?:ka)?|muhabiri?|editörü?|yazarı|"
    r"корреспондент(?:ка)?|обозреватель|журналист(?:ка)?|редактор(?:ка)?|спецкор|кореспондент(?:ка)?|журналіст(?:ка)?|"
    r"δημοσιογράφος|συντάκτ(?:ης|ρια)|ανταποκρίτ(?:ής|ρια)|مراسل(?:ة)?|محرر(?:ة)?|صحف(?:ي|ية)|journalistin|autor(?:in)?|referent(?:in)?|\w{2,30}(?:leiter|sprecher)(?:in)?|"
    r"geschäftsführer(?:in)?|vorsitzende[rn]?|giornalista|inviat[oa]|jornalista|rep[óo]rter|associated press|"
    r"ap|afp|reuters|dpa|cnn|bloomberg|news|digital|media|service|team|today|magazine|times|post|tribune|report|network|university|institute)\b",
    re.IGNORECASE,
)
"""Words of job titles and organisations. A piece with one of them, after a name and a comma, is no second name."""
PRESS: Final = re.compile(
    r"\b(?:daily|weekly|globe|herald|gazette|journal|chronicle|observer|mirror|telegraph|courier|express|press|radio|tv|"
    r"sports?|online|blog|store|shop|bank|group|inc|ltd|llc|gmbh|hotels?|zeitung|anzeiger|kurier|rundschau|diario|"
    r"gazeta|gazzetta|presse)\b",
    re.IGNORECASE,
)
"""Words of the names of newspapers, stations and firms, which look like a person's otherwise."""
_OFFICE: Final = re.compile(
    r"\b(?:\w{0,20}desks?|news ?rooms?|\w{0,20}redaktion(?:en)?|redakcj[ai]|redakce|"
    r"redakcia|redakcija|redaksi|redactie|"
    r"redacci[óo]n|r[ée]daction|redazione|reda[çc][ãa]o|redacție|redacția|toimitus|"
    r"szerkesztőség|redakciója|haber merkezi|"
    r"ban biên tập|administrat(?:or|eur|orin)|administrador|admin|webmaster|web ?team|webbredaktion|yönetici|editör|"
    r"agencies|agencias|agences|agenturen|agências|agenzie|agentury|haberler|staff|"
    r"ред(?:акция|акція|акцията|акција)|агентств[аоу]?|новостная служба|администратор|адміністратор|"
    r"(?:συντακτική ομάδα|σύνταξη))\b|"
    r"編集部|编辑部|編輯部|編集局|报道组|採訪組|小编|小編|综合报道|綜合報導|本报讯|편집부|편집국|뉴스팀|취재팀|뉴스룸|온라인팀|관리자|"
    r"تحریریه|(?<!\w)(?:هيئة |فريق )?التحرير(?!\w)|(?<!\w)المحرر(?!\w)|(?<!\w)(?:أخبار|اخبار)(?!\w)|ڈیسک|"
    r"ডেস্ক|নিজস্ব প্রতিবেদক|डेस्क|ब्यूरो|กองบรรณาธิการ|ทีมข่าว|מערכת|"
    r"^\S{2,63}\.(?-i:com|org|net|info|news|[a-z]{2})$",
    re.IGNORECASE,
)
"""Desks, editorial offices, accounts of a system, "agencies", in the languages of the corpora; domains."""
_NO_AUTHOR: Final = re.compile(
    r"(?:\W{0,3})(?:"
    r"log ?in|sign (?:in|up)|log ?out|register|subscribe|search|menu|unknown(?: author)?|"
    r"iniciar sesión|ingresar|acceder|registrarse|suscríbete|suscribirse|buscar|desconocido|"
    r"se connecter|connexion|s['’]identifier|s['’]abonner|s['’]inscrire|rechercher|"
    r"aucun|inconnu|(?:utilisateur )?anonyme|"
    r"anmelden|einloggen|registrieren|abonnieren|suche|unbekannt|zaloguj(?: się)?|zarejestruj się|szukaj|nieznany|"
    r"accedi|registrati|iscriviti|abbonati|cerca|sconosciuto|entrar|iniciar sessão|assine|desconhecido|"
    r"inloggen|aanmelden|zoeken|onbekend|logga in|prenumerera|logg inn|log ind|kirjaudu(?: sisään)?|tilaa|"
    r"přihlásit(?: se)?|prihlásiť sa|bejelentkezés|belépés|autentificare|prijava|prijavi se|giriş(?: yap)?|abone ol|"
    r"đăng nhập|masuk|daftar|войти|вход|авторизация|регистрация|подписаться|поиск|увійти|вхід|підписатися|"
    r"σύνδεση|είσοδος|εγγραφή|登录|登錄|登入|注册|註冊|ログイン|新規登録|会員登録|로그인|회원가입|구독|เข้าสู่ระบบ|"
    r"تسجيل الدخول|دخول|ورود|ثبت نام|התחבר(?:ות)?|כניסה|लॉग ?इन(?: करें)?|লগ ?ইন|"
    r"press (?:release|material)s?|(?:media|news) releases?|pressemitteilung(?:en)?|presseinformation|pressemeldung|"
    r"presseaussendung|materiały prasowe|materiał prasowy|informacja prasowa|"
    r"(?:comunicado|nota)(?: de (?:prensa|imprensa))|"
    r"communiqué(?: de presse)?|comunicat[oi] stampa|persbericht|pressmeddelande|pressemeddelelse|pressemelding|"
    r"lehdistötiedote|tiedote|tisková zpráva|tlačová správa|sajtóközlemény|"
    r"basın bülteni|comunicat de presă|siaran pers|"
    r"пресс-?релиз|прес-?реліз|прессъобщение|δελτίο τύπου|新闻稿|新聞稿|プレスリリース|보도자료|بيان صحفي|"
    r"(?:\w{1,30}\s){0,3}(?:rss|(?:rss|news)?feeds?|feedbot|newsbot|autoposter|(?:feed|rss) importer)"
    r")(?:\W{0,3})",
    re.IGNORECASE,
)
"""What stands in the place of an author and is nobody: words of the page's buttons, press material, feeds."""
JOB_BEFORE: Final = re.compile(
    r"^(?:dal(?:la)?\s+)?(?:unser(?:em|er)?|our|onze|notre|nuestr[oa]|nostr[oa])\s+(?:\w{1,20}\s+){0,2}?"
    r"(?:redakteur(?:in|s)?|korrespondent(?:in|en)?|reporter(?:in|s)?|mitarbeiter(?:in|s)?|correspondent|"
    r"verslaggever|redacteur|envoyée? spéciale?|correspondante?|"
    r"journaliste|corresponsal|redactora?|inviat[oa]|corrispondente)\s+",
    re.IGNORECASE,
)
"""A job title before the name: "unserer Redakteurin Anna Weber"."""
_AGENCY: Final = re.compile(
    r"(?:(?:with|mit|avec|con|com|et|und|and|y|e)\s)?(?:l['’])?"
    r"(?:AFP|APA|AP|ANP|ANSA|Belga|ČTK|DPA|dpa|EFE|Kyodo|Lusa|MTI|NTB|PAP|PTI|Ritzau|SDA|TASR|UPI|Xinhua|"
    r"ТАСС|РИА Новости|Интерфакс|Укрінформ|УНІАН)"
)
"""An agency, alone or after the word that joins it to a name."""
_PLACE_AFTER: Final = re.compile(r"(?<=[a-zß-ÿ])\s[A-Z]{4,20}$")
"""The place of a report in capitals after a name: "Jane Doe LONDON"."""
_PARTICLE_FIRST: Final = re.compile(r"(?:da|do|de|del|della|du|des|der|from|of)\s")
"""The beginning of an employer after a comma: "Ana Silva, da Agência Brasil"."""
_GLUED_ROLE: Final = re.compile(
    r"(?<=[a-zß-ÿ])(?:(?:Founder|Owner|Reporter|Editor|Writer|Author|Journalist|Redakteur(?:in)?|Showbiz)\b|"
    r"In(?: (?=[A-Z])|$)).*$"
)
"""A job title or a section that only the mark-up separates from the name before it."""
_ROLE_AFTER: Final = re.compile(r"(?<=\w)\s(?:Writer|Reporter|Editor|Author|Journalist|Contributor|Founder)$")
"""A job title in one word after a name."""
_RANK: Final = re.compile(
    r"\b(?:senior|executive|managing|associate|assistant|contributing|guest|staff|content|travel|sports?|the|web|copy)\b",
    re.IGNORECASE,
)
"""Words that are part of the job title after them."""
_EMPLOYER_AFTER: Final = re.compile(
    r"(?<=\w)(?:(?:\s+(?:avec|mit|con|com))?\s+(?:The\s+|l['’])?"
    r"(?:Associated Press|Canadian Press|Press Association|Reuters|AFP|dpa|EFE|AP)|"
    r"(?:\s+|(?<=[a-z])(?=[A-Z]))(?:(?:City|Senior|Chief|Sports?|Staff|Political|Special|Foreign)\s+){1,2}"
    r"(?:[Cc]olumnist|[Cc]orrespondent|[Rr]eporter|[Ww]riter|[Ee]ditor)|\s+(?:기자|특파원|記者|记者))$"
)
"""An agency or a job title that follows a name without a comma."""


def says_job(rest: str) -> bool:
    """Returns whether what follows a name begins with a job or an agency: ", Korrespondentin in Wien", " / EFE"."""
    first = re.split(r"[,/|]", rest, maxsplit=2)
    return (
        len(first) > 1 and not first[0].strip() and bool(_ROLE.search(first[1]) or _AGENCY.fullmatch(first[1].strip()))
    )


_MAX_BYLINE: Final = 4 * MAX_TITLE
"""Characters of a byline that are read, before mark-up and references are removed."""

MAX_WORDS: Final = 7
"""The most words of a name; an organisation's may be long."""

BY: Final = re.compile(
    r"^(?:(?:this (?:post|article|story) (?:was )?)?"
    r"(?:(?:(?:photos|pictures|words|text) and )?(?:(?:article |post |story |blog )?written|posted|reported|submitted|"
    r"authored|words|text|story|articles?|analysis|opinion|commentary|photos|pictures|view all posts|published)\s+)?by|"
    r"(?:escrito|publicado)\s+por|(?:publié|écrit)\s+par|scritto\s+da|a\s+cura\s+di|"
    r"(?:veröffentlicht|geschrieben|erstellt|(?:eine? )?(?:beitrag|artikel|kolumne|kommentar|analyse|interview))\s+von|"
    r"vom|por|von|par|di|door|av|af|texto|tekst|text|testo|autor(?:in|es|a|ka)?|auteurs?|authors?|redaktion|yazan)"
    r"(?:\s*[:|]\s*|\s+)|^(?:作者|記者|记者|撰文|文|haber|كتبت?|إعداد)\s*[:：|｜/]\s*|^بقلم[\s:：]+",
    re.IGNORECASE,
)
"""The words that introduce a name. None of them is a first name in its language."""

BY_GLUED: Final = re.compile(r"^(?:[Ww]ritten |[Pp]osted )?[Bb]y(?=[A-Z])")
LABEL: Final = re.compile(
    r"(?:(?:(?:article |post |story )?written|authored|submitted|posted|published|words|text|story|article|commentary)"
    r"\s+)?by:?|(?:von|por|par|door|autor(?:in|en|es|a|ka)?|auteurs?|"
    r"authors?|author\(s\)|autore|skribent|tekst|auteur|redaktör|автор|작성자|作者|記者|记者)\s*[:：]?",
    re.IGNORECASE,
)
"""The same on a line before the names."""
_GLUED_WORD: Final = re.compile(
    r"(?<=[a-zß-ÿ])(?:\s?(?:Follow|Hace|Publicado|Share|Veröffentlicht|Aktualisiert)|Published|Updated|Posted|Contributor)\b.*$"
)
"""A button or a label after the name, which at most a blank separates from it."""
_GLUED_DAY: Final = re.compile(rf"(?<=[a-z])\s*(?=(?:{ENGLISH_SHORT})[a-z]{{0,6}}\.? \d{{1,2}},? \d{{4}})")
"""The place between a name and a day that only the mark-up separates."""
_AND: Final = re.compile(r"(?:(?<!\s)\s+)?(?:[;|•·\n/→、，]|\s[&+]\s|\s(?:and|und|et|och|og|with)\s)\s*", re.IGNORECASE)
_AND_BETWEEN_FULL_NAMES: Final = re.compile(r"(?<=\w\s)(\S+)\s+(?:y|e|en|i)\s+(?=\S+\s\S)", re.IGNORECASE)
_UNSEEN: Final = re.compile("[\u200b\u2060\ufeff]")
_BEHIND_MARK: Final = re.compile(
    r"(?<!\S)([^\s\u200b\u2060\ufeff]+ [^\s\u200b\u2060\ufeff]+)\s?[\u200b\u2060\ufeff]+\s?(?=[^\W\d_])[^,;&|\n]*"
)
"""Two words of a name, and the place that a zero-width mark separates from them."""
_MAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,100}|@\w{1,50}")
_BRACKETS: Final = re.compile(r"\([^()]{0,100}\)|\[[^\[\]]{0,100}\]")
_ADDRESS: Final = re.compile(r"https?:|www\.|/|\\", re.IGNORECASE)

_OTHER_WORK: Final = re.compile(
    r"^(?:(?:medically |fact[- ])?(?:photograph(?:y|s|ed)|photos?|edited|reviewed|styled|illustrat(?:ed|ions?)|"
    r"produced|checked|video|image)\s+(?:by|:)|sponsored|last updated|updated|posted|published|in partnership|"
    r"comments?)",
    re.IGNORECASE,
)
_OTHER_LABEL: Final = re.compile(
    r"(?:foto(?:s|graf(?:ie|ía|ia|in)?)?|photos?|bild(?:er)?|beeld|kamera|camera|cámara|video|montage|grafik|"
    r"illustration(?:en)?|zdjęcia|fot\.|фото|видео|編輯|编辑|责编|責編|摄影|攝影|撮影|사진)\s*[:：=＝]",
    re.IGNORECASE,
)
"""A label before the names of those who took the pictures, or edited, in a list of names."""
_NEXT_LABEL: Final = re.compile(rf"(?<!\s)[.;]?\s+(?={_OTHER_LABEL.pattern})", re.IGNORECASE)
"""The place before such a label: "Texto: Ada Example. Fotos: Bob Example"."""
_JOB_OF: Final = re.compile(r",\s([^,;|]{2,60}?\s(?:of|for)\s[^,;|]{2,40}?)\s(?:and|&)\s[^,;|]{2,60}$")
"""A job about several subjects after a name: ", Head of Data and Graphics"."""
_WORD_WITH_DIGIT: Final = re.compile(r"\b[^\W\d_]+\d")
"""Part of the name of a station or portal after a person's name: "Ana Souza, g1 Minas"."""
HELPED: Final = re.compile(
    r"^(?:with\s+)?(?:(?:additional\s+)?(?:contributions?|reporting|contributing)\s+(?:from|by)|"
    r"(?:photograph(?:y|s|ed)|edited|(?:medically\s+|fact[- ])?(?:reviewed|checked)|tested|styled|"
    r"illustrat(?:ed|ions?)|produced)\s+by)(?:\s*:\s*|\s+|$)",
    re.IGNORECASE,
)
"""The words that introduce helpers, whose names are in the same or the next line."""
_GIVEN_NAMES: Final = re.compile(r"[^\W\d_a-z][^\W\d_.]*(?:-\w+)?\.?(?:\s[^\W\d_a-z]\.?){0,2}")
"""One first name with initials."""
_SUFFIX: Final = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.IGNORECASE)
_CREDENTIAL: Final = re.compile(r"^(?:[A-Z][A-Z-]{1,6}[®™]?(?:\s?\d{1,4})?|Ph\.?\s?D|M\.?D|Esq|Dr)\.?$")
_CREDENTIAL_AFTER: Final = re.compile(
    r"(?<!\s)\s++(?:MS|MA|MD|MPH|MSc|PhD|Ph\.D|RD|RDN|RN|LD|JD|DO|BA|BSc|CPT|CFP|DVM)\.?$"
)
_MAX_CREDENTIALS: Final = 10
"""Credentials that are removed behind a name."""
_TRAILER: Final = re.compile(
    r"(?<!\s)\s++In$|(?<!\s)\s++(?:for\s+\S{1,40}\.\w{2,4}\b|special to|from|in|at|on|für|para|pour)\b.*$|"
    r"(?:(?<!\s)\s++)?+(?:Updated|Published|Posted)\b.*$|"
    r"(?<!\s)\s++(?:Illustration(?:en)?|Illustrated|Fotos?|Photos?|Photograph(?:y|s)|Bilder|Interview)\s+(?:von|by|di|de|par)\b.*$|"
    r"\s[-–—]\s.*$|(?:(?<!\s)\s++)?+:.*$|(?:(?<!\s)\s++(?:am|um|le|il|el|om|den|vom)|"
    rf"(?<!\s)\s++(?:{ENGLISH_SHORT})"
    r"[a-z]{0,6}\.?)?(?:^|(?:(?<!\s)\s++)?+,\s*+|(?<!\s)\s++)\d.*$"
)
_LABELS: Final = re.compile(
    r"^(?:a|an|the|how|why|what|about|more|your|our|my|save|share|print|listen|read|watch|welcome|willkommen)\s|"
    r"\b(?:bio|profile|policy|terms|contact|newsletter|guide|tips|"
    r"us|me|redaktion|redacci[óo]n|rédaction)$",
    re.IGNORECASE,
)
"""Words at the beginning or the end of headings, links and offices that have capitals like a name."""
_ALL_OF: Final = re.compile(
    r"^(?:(?:view|see|read|show|browse) )?(?:all|more|latest)\b.*?\b(?:posts?|articles?|stories|entries)"
    r"(?:\s(?:by|from|of))?\s*|"
    r"^(?:view|see|read|show|learn) (?:all|more|profile|bio)\b\s*(?:about )?",
    re.IGNORECASE,
)
"""The text of a link to everything of an author, with or without the name."""
_FOR: Final = re.compile(r"(?<=\w)\s+for\s+(?:the\s+)?(?=[A-Z])", re.IGNORECASE)
_ORGANISATION: Final = re.compile(
    r"\b(?:agency|alliance|association|americans|board|bureau|campaign|cent(?:er|re)|citizens|coalition|college|"
    r"committee|council|department|doctors|foundation|fund|group|initiative|institute|ministry|movement|network|office|"
    r"partnership|project|school|service|society|students|union|university|women|workers)s?\b",
    re.IGNORECASE,
)
"""Words of an organisation's name, which may continue with "for", "of" and "and"."""
_BODY_AND: Final = re.compile(r"\s(?:for|of)\s(?:\S+\s){1,5}(?:and|&)\s", re.IGNORECASE)
_PARTICLES: Final = frozenset(
    "de la las los von van der den di da do dos del della bin al el y e le du des ten ter zu zur af av ibn abu".split()
)
_MAX_NAME_WORDS: Final = 5
_FULL_NAME: Final = 2
_NOBODY: Final = frozenset(
    caseless_nfkc_cached(words.replace("_", " "))
    for words in (
        "author authors unknown none null undefined n/a anonymous by follow guest more share subscribe posts bio www "
        "twitter facebook email autor auteur sponsored veröffentlicht last_modified learn_more publicado_el full_bio "
        "full_profile see_more read_more no_comment no_comments about_the_author all_posts no_author the_author "
        "all_articles alle_beiträge publiziert_am publicado_hace creative_commons"
    ).split()
)


def names_in(raw: object) -> list[str]:
    """Returns the names in one byline, without "By", e-mail and web addresses, job titles and dates; it is split at
    commas and "and"."""
    return list(_names_in(raw[:_MAX_BYLINE])) if isinstance(raw, str) else []


@lru_cache(maxsize=2048)
def _names_in(raw: str) -> tuple[str, ...]:
    """Cached, because a page states its few names in many places, and a site those of its staff."""
    raw = decode_references(raw) if "&#" in raw else raw
    if _UNSEEN.search(raw):
        raw = _BEHIND_MARK.sub(r"\1", BY.sub("", raw.strip()))
    text = _GLUED_DAY.sub(", ", _MAIL.sub(" ", clean(raw, MAX_TITLE) or ""))
    text = " ".join(_BRACKETS.sub(" ", text).split()).lstrip("©& ")
    text = _ALL_OF.sub("", _GLUED_ROLE.sub("", _GLUED_WORD.sub("", text)))
    text = JOB_BEFORE.sub("", BY.sub("", BY_GLUED.sub("", text)))
    if text.startswith(","):  # a template whose name is empty: ", The Daily Example"
        return ()
    if not text or _ADDRESS.match(text) or _OTHER_WORK.match(text) or _NO_AUTHOR.fullmatch(text):
        return ()
    if _is_body(text):
        return tuple(filter(None, [_name(text)]))
    if (job := _JOB_OF.search(text)) and _ROLE.search(job.group(1)):
        text = text[: job.start()]
    parted = _AND_BETWEEN_FULL_NAMES.sub(r"\1, ", _AND.sub(", ", _NEXT_LABEL.sub(", ", text)))
    return tuple(name for part in _at_commas(parted, turns=parted == text) if (name := _name(part)))


def _is_body(text: str) -> bool:
    """Returns whether an "and" is part of one name: "Center for Trade and Research", "Department of Health and ..."."""
    return "," not in text and bool(_BODY_AND.search(text) and _ORGANISATION.search(text))


def looks_like_name(name: str) -> bool:
    """Returns whether `name` looks like a person's: two to five words with capitals, or a script without case."""
    words = [word for word in name.split() if word.lower() not in _PARTICLES]
    if not any(c.islower() or c.isupper() for c in name):
        return name.replace(" ", "").isalpha()
    return 2 <= len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() and not word[-1].isdigit() for word in words)


@lru_cache(maxsize=2048)
def looks_like_person(name: str) -> bool:
    """Returns whether `name` looks like a person's, and not like that of an office, an agency, a heading or a button.
    Cached, because each name of a page is asked about several times."""
    return looks_like_name(name) and not any(words.search(name) for words in (_ROLE, _OFFICE, _ORGANISATION, _LABELS))


def is_account(name: str) -> bool:
    """Returns whether `name` looks like a login ("ada.example", "KatieS", "admin") or an office ("Editorial Team")."""
    one = " " not in name
    return (one and (name == name.lower() or not name[1:].islower())) or bool(
        _ROLE.search(name) or _OFFICE.search(name)
    )


def _at_commas(text: str, *, turns: bool) -> Iterator[str]:
    """Yields the pieces between commas. "Surname, Name" is turned round, "Jr." is joined to the piece before it, and
    job titles and degrees are left out."""
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    turned = len(pieces) == 2 and pieces[0] != pieces[0].lower() and len(pieces[0].split()) == 1
    if turns and turned and _GIVEN_NAMES.fullmatch(pieces[1]) and not _follows_name(pieces[1]):
        yield f"{pieces[1]} {pieces[0]}"
        return
    in_job = False
    for number, piece in enumerate(pieces):
        if number and (_follows_name(piece) or _is_place(piece, pieces)):
            in_job = in_job or bool(_ROLE.search(piece))
            continue
        if number and looks_like_name(pieces[0]) and (_WORD_WITH_DIGIT.search(piece) or (in_job and " " not in piece)):
            continue
        suffix = pieces[number + 1] if number + 1 < len(pieces) and _SUFFIX.match(pieces[number + 1]) else ""
        yield f"{piece} {suffix}".strip()


def _is_place(piece: str, pieces: list[str]) -> bool:
    """Returns whether a piece is a place, as in "Anna Weber, Frankfurt" and "Anna Weber · Frankfurt · 3 May": one word
    after a name with more words, and nothing else but a date."""
    others = [one for one in pieces if not all(word[0].isdigit() or _is_calendar(word) for word in one.split())]
    return len(others) == 2 and len(piece.split()) == 1 and looks_like_name(pieces[0]) and piece.isascii()


def _follows_name(piece: str) -> bool:
    about = _SUFFIX.match(piece) or _CREDENTIAL.match(piece) or _PARTICLE_FIRST.match(piece) or _AGENCY.fullmatch(piece)
    return bool(about or _ROLE.search(piece))


def _name(piece: str) -> str | None:
    """Returns the piece as one name; None if it is no name."""
    if _OTHER_LABEL.match(piece):
        return None
    text = JOB_BEFORE.sub("", BY.sub("", piece))
    text = _without_credentials(_TRAILER.sub("", text)).strip(" ,:;-–—*_\"'|")
    text = text if re.search(r"\b\w\.$", text) else text.rstrip(". ")
    text = _once(_without_employer(text))
    before = _ROLE_AFTER.sub("", text)
    if before != text and len(before.split()) == _FULL_NAME and looks_like_person(before) and not _RANK.search(before):
        text = before
    words = text.split()
    if not words or len(text) > MAX_NAME or len(words) > MAX_WORDS or _ADDRESS.search(text):
        return None
    if _OTHER_WORK.match(text) or caseless_nfkc_cached(text) in _NOBODY or not any(c.isalpha() for c in text):
        return None
    if LABEL.fullmatch(text) or _NO_AUTHOR.fullmatch(text):
        return None
    if all(_is_calendar(word) for word in words) or _begins_in_sentence(words):
        return None
    return text.title() if text.isupper() and len(words) > 1 and text.isascii() else text


def _begins_in_sentence(words: list[str]) -> bool:
    """Returns whether a small word that is no particle stands before a capitalised one: "und Interview"."""
    is_small = words[0][:1].islower() and words[0].isalpha() and words[0] not in _PARTICLES
    return is_small and any(word[:1].isupper() for word in words[1:])


def _without_employer(text: str) -> str:
    """Returns the name without an employer. An agency that is itself the author stays."""
    name = _PLACE_AFTER.sub("", _EMPLOYER_AFTER.sub("", text))
    if employer := _FOR.search(name):
        before = name[: employer.start()]
        if not _ORGANISATION.search(before):
            return before
    return name if looks_like_name(name) else text


def _without_credentials(text: str) -> str:
    for _ in range(_MAX_CREDENTIALS):
        shorter = _CREDENTIAL_AFTER.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text


def _once(text: str) -> str:
    """Returns a name once that is written twice, for the picture and for the link."""
    words = text.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half > 1 and words[:half] == words[half:] else text


def _is_calendar(word: str) -> bool:
    key = word.strip(".,").casefold()
    return key in MONTHS or key in WEEKDAYS
