"""Words beside names in bylines: job titles, agencies, employers, places."""

from __future__ import annotations

import re
from typing import Final

ROLE: Final = re.compile(
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
OFFICE: Final = re.compile(
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
NO_AUTHOR: Final = re.compile(
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
AGENCY: Final = re.compile(
    r"(?:(?:with|mit|avec|con|com|et|und|and|y|e)\s)?(?:l['’])?"
    r"(?:AFP|APA|AP|ANP|ANSA|Belga|ČTK|DPA|dpa|EFE|Kyodo|Lusa|MTI|NTB|PAP|PTI|Ritzau|SDA|TASR|UPI|Xinhua|"
    r"ТАСС|РИА Новости|Интерфакс|Укрінформ|УНІАН)"
)
"""An agency, alone or after the word that joins it to a name."""
PLACE_AFTER: Final = re.compile(r"(?<=[a-zß-ÿ])\s[A-Z]{4,20}$")
"""The place of a report in capitals after a name: "Jane Doe LONDON"."""
PARTICLE_FIRST: Final = re.compile(r"(?:da|do|de|del|della|du|des|der|from|of)\s")
"""The beginning of an employer after a comma: "Ana Silva, da Agência Brasil"."""
GLUED_ROLE: Final = re.compile(
    r"(?<=[a-zß-ÿ])(?:(?:Founder|Owner|Reporter|Editor|Writer|Author|Journalist|Redakteur(?:in)?|Showbiz)\b|"
    r"In(?: (?=[A-Z])|$)).*$"
)
"""A job title or a section that only the mark-up separates from the name before it."""
ROLE_AFTER: Final = re.compile(r"(?<=\w)\s(?:Writer|Reporter|Editor|Author|Journalist|Contributor|Founder)$")
"""A job title in one word after a name."""
RANK: Final = re.compile(
    r"\b(?:senior|executive|managing|associate|assistant|contributing|guest|staff|content|travel|sports?|the|web|copy)\b",
    re.IGNORECASE,
)
"""Words that are part of the job title after them."""
EMPLOYER_AFTER: Final = re.compile(
    r"(?<=\w)(?:(?:\s+(?:avec|mit|con|com))?\s+(?:The\s+|l['’])?"
    r"(?:Associated Press|Canadian Press|Press Association|Reuters|AFP|dpa|EFE|AP)|"
    r"(?:\s+|(?<=[a-z])(?=[A-Z]))(?:(?:City|Senior|Chief|Sports?|Staff|Political|Special|Foreign)\s+){1,2}"
    r"(?:[Cc]olumnist|[Cc]orrespondent|[Rr]eporter|[Ww]riter|[Ee]ditor)|\s+(?:기자|특파원|記者|记者))$"
)
"""An agency or a job title that follows a name without a comma."""


def says_job(rest: str) -> bool:
    """Returns whether what follows a name begins with a job or an agency: ", Korrespondentin in Wien", " / EFE"."""
    first = re.split(r"[,/|]", rest, maxsplit=2)
    return len(first) > 1 and not first[0].strip() and bool(ROLE.search(first[1]) or AGENCY.fullmatch(first[1].strip()))
