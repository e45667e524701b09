"""Phrases of pages that are not articles, in the largest languages of news, all in folded form.

`bare_words` gives that form: lower case, every sequence of other characters as one blank.
"""

from __future__ import annotations

import re
from typing import Final

_NO_WORD: Final = re.compile(r"[\W_]+")


def bare_words(text: str | None) -> str:
    """Returns the text in lower case, with words and digits only and one blank between them."""
    return _NO_WORD.sub(" ", text.casefold()).strip() if text else ""


def _phrases(lines: str) -> frozenset[str]:
    return frozenset(filter(None, map(bare_words, lines.splitlines())))


MISSING_TITLES: Final = _phrases("""
404
not found
page not found
file not found
article not found
story not found
content not found
document not found
the requested url was not found
page cannot be found
page can not be found
page could not be found
this page could not be found
the page could not be found
the page cannot be found
page does not exist
page doesn t exist
this page does not exist
this page doesn t exist
page unavailable
page not available
this page is not available
page no longer available
nothing found
seite nicht gefunden
die seite wurde nicht gefunden
diese seite wurde nicht gefunden
artikel nicht gefunden
page non trouvée
page introuvable
cette page est introuvable
cette page n existe pas
article introuvable
página no encontrada
pagina no encontrada
no encontrada
esta página no existe
la página no existe
artículo no encontrado
contenido no disponible
pagina non trovata
questa pagina non esiste
articolo non trovato
página não encontrada
conteúdo não encontrado
esta página não existe
pagina niet gevonden
deze pagina bestaat niet
artikel niet gevonden
strona nie znaleziona
strona nie została znaleziona
nie znaleziono strony
nie znaleziono
страница не найдена
материал не найден
сторінку не знайдено
sidan hittades inte
sidan kunde inte hittas
sidan finns inte
siden ble ikke funnet
siden finnes ikke
siden blev ikke fundet
siden findes ikke
sivua ei löytynyt
sivua ei löydy
stránka nenalezena
stránka nebyla nalezena
stránka sa nenašla
az oldal nem található
pagina nu a fost găsită
pagina nu există
η σελίδα δεν βρέθηκε
sayfa bulunamadı
الصفحة غير موجودة
لم يتم العثور على الصفحة
صفحه مورد نظر یافت نشد
הדף לא נמצא
पृष्ठ नहीं मिला
페이지를 찾을 수 없습니다
ページが見つかりません
ページが見つかりませんでした
お探しのページは見つかりませんでした
页面不存在
页面未找到
找不到页面
找不到頁面
không tìm thấy trang
halaman tidak ditemukan
""")
"""A whole title, headline or part of a title."""

MISSING_TEXTS: Final = _phrases("""
the page you requested could not be found
the page you are looking for
the page you were looking for
we can t find the page
we couldn t find the page
we can t seem to find the page
the article you are looking for
the story you are looking for
this article is no longer available
this story is no longer available
this content is no longer available
die von ihnen gesuchte seite
die gewünschte seite
die angeforderte seite
artikel ist nicht mehr verfügbar
diese seite existiert nicht
la page que vous recherchez
la page que vous cherchez
la page demandée
cet article n est plus disponible
la página que busca
la página que buscas
la página que estás buscando
la página solicitada
esta noticia ya no está disponible
la pagina che stai cercando
la pagina richiesta
l articolo non è più disponibile
a página que você procura
a página que você está procurando
a página que procura
a página solicitada
de pagina die je zoekt
de pagina die u zoekt
deze pagina bestaat niet meer
strona której szukasz
запрашиваемая страница
страница которую вы ищете
sidan du söker
siden du leter etter
siden du leder efter
aradığınız sayfa
お探しのページ
您访问的页面
您要查找的页面
""")
"""Within the sentences of such a page."""

WALL_TITLES: Final = _phrases("""
just a moment
one moment please
one more step
please wait
attention required
access denied
access to this page has been denied
access blocked
you have been blocked
sorry you have been blocked
blocked
403 forbidden
forbidden
are you a robot
are you human
robot or human
robot check
human verification
bot verification
security check
security checkpoint
security verification
verify you are human
verifying you are human
please verify you are a human
captcha
captcha challenge
pardon our interruption
request unsuccessful incapsula
checking your browser
ddos guard
ddos protection by cloudflare
vercel security checkpoint
nur einen moment
einen moment bitte
sicherheitsüberprüfung
sicherheitsabfrage
zugriff verweigert
sind sie ein mensch
un instant
un moment
vérification de sécurité
accès refusé
êtes vous un robot
un momento
un momento por favor
acceso denegado
verificación de seguridad
eres un robot
solo un momento
un attimo
accesso negato
verifica di sicurezza
só um momento
um momento
acesso negado
verificação de segurança
een ogenblik geduld
een moment geduld
toegang geweigerd
beveiligingscontrole
chwileczkę
cierpliwości
dostęp zablokowany
odmowa dostępu
один момент
одну секунду
доступ запрещен
доступ ограничен
проверка безопасности
вы не робот
vänta
åtkomst nekad
bir dakika lütfen
erişim engellendi
请稍候
安全验证
访问被拒绝
请完成安全验证
しばらくお待ちください
アクセスが拒否されました
잠시만 기다리십시오
لحظة
تم رفض الوصول
""")
"""A whole title, headline or part of a title."""

WALL_TEXTS: Final = _phrases("""
verify you are human
verify that you are human
verify you are not a robot
verify that you re not a robot
confirm you are human
you are not a robot
you re not a robot
i am not a robot
i m not a robot
checking your browser
checking if the site connection is secure
needs to review the security of your connection
enable javascript and cookies to continue
performance security by cloudflare
cloudflare ray id
unusual traffic
unusual activity from your
automated access
automated requests
automated traffic
suspected of being a bot
you don t have permission to access
you have been blocked
unable to access
complete the captcha
solve the captcha
incapsula incident id
kein roboter
ein mensch sind
ungewöhnlichen datenverkehr
aktivieren sie javascript und cookies um fortzufahren
überprüfung der sicherheit ihrer verbindung
vous n êtes pas un robot
vous êtes un humain
vérifier la sécurité de votre connexion
activez javascript et les cookies pour continuer
trafic inhabituel
no es un robot
no eres un robot
no soy un robot
que eres humano
que es humano
verificar la seguridad de tu conexión
tráfico inusual
habilite javascript y las cookies para continuar
non sei un robot
che sei umano
não é um robô
não sou um robô
que você é humano
geen robot
dat u een mens bent
nie jesteś robotem
вы не робот
что вы человек
необычный трафик
подозрительный трафик
robot olmadığınızı
确认您是真人
验证您是真人
不是机器人
ロボットではない
人間であることを確認
로봇이 아닙니다
""")
"""Within the sentences of such a page."""

CONSENT_TITLES: Final = _phrases("""
before you continue
before you continue to google
before you continue to youtube
we value your privacy
your privacy is important to us
we care about your privacy
your privacy
your privacy choices
privacy settings
privacy gate
dpg media privacy gate
cookie consent
cookie settings
cookie wall
cookiewall
cookies
consent
consent management
your consent
manage consent
yahoo is part of the yahoo family of brands
yahoo est une marque du groupe
ihre privatsphäre
wir schätzen ihre privatsphäre
datenschutzeinstellungen
privatsphäre einstellungen
cookie einstellungen
einwilligung
zustimmung
bevor sie fortfahren
bevor sie weiterlesen
avant de continuer
votre vie privée
nous respectons votre vie privée
paramètres de confidentialité
gestion des cookies
consentement
antes de continuar
su privacidad
valoramos su privacidad
respetamos su privacidad
configuración de privacidad
configuración de cookies
aviso de cookies
prima di continuare
la tua privacy
rispettiamo la tua privacy
impostazioni sulla privacy
impostazioni dei cookie
valorizamos a sua privacidade
a sua privacidade
configurações de privacidade
voordat je verdergaat
jouw privacy
uw privacy
privacyinstellingen
cookie instellingen
cookietoestemming
twoja prywatność
dbamy o twoją prywatność
ustawienia prywatności
din integritet
vi värnar om din integritet
ditt personvern
dit privatliv
""")
"""A whole title, headline or part of a title."""

CONSENT_BUTTONS: Final = _phrases("""
accept
accept all
accept all cookies
accept cookies
accept and continue
accept and close
agree
agree and continue
i agree
i accept
allow all
allow all cookies
reject all
alle akzeptieren
alles akzeptieren
akzeptieren
akzeptieren und weiter
zustimmen
zustimmen und weiter
einwilligen
einwilligen und weiter
alle ablehnen
accepter
tout accepter
accepter et continuer
accepter et fermer
j accepte
tout refuser
continuer sans accepter
aceptar
aceptar todo
aceptar todas
aceptar y continuar
aceptar y cerrar
acepto
rechazar todo
accetta
accetta tutto
accetta e continua
rifiuta tutto
aceitar
aceitar tudo
aceitar todos
aceitar e fechar
rejeitar tudo
accepteren
alles accepteren
akkoord
alles weigeren
akceptuję
zaakceptuj wszystko
przejdź do serwisu
принять
принять все
согласен
godkänn alla
acceptera alla
godta alle
accepter alle
kabul et
tümünü kabul et
同意
全部接受
同意する
""")
"""Texts of complete runs."""

CONSENT_STEMS: Final = re.compile(
    "(cookie)|(?:we|our)(?: and our)? (?:[0-9]+ )?(partners)|(consent|einwillig|zustimm|consentement|consentimiento|"
    "consenso|consentimento|toestemming|zgod|согласи|samtycke|samtykke)|(personal data|personenbezogen|"
    "données personnelles|datos personales|dati personali|dados pessoais|persoonsgegevens|danych osobowych|"
    "персональных данных|personuppgifter)|(legitimate interest|berechtigte[sn]? interesse|intérêt légitime|"
    "interés legítimo|interesse legittimo|interesse legítimo|gerechtvaardigd belang|uzasadnion)|"
    "(personali[sz]ed (?:ads|content|advertising)|personalisierte|personnalisée?s|personalizad|personalizzat|"
    "gepersonaliseerde|spersonalizowan)|(unsere partner|unseren partnern|nos partenaires|nuestros socios|"
    "i nostri partner|nossos parceiros|onze partners|nasi partnerzy|zaufani partnerzy)|"
    "(on a device|endgerät|appareil|dispositivo|apparaat|urządzeni)|"
    "(privacy policy|datenschutzerklärung|politique de confidentialité|política de privacidad|"
    "informativa sulla privacy|política de privacidade|privacybeleid|polityk[ai] prywatności)|(tracking|tracciamento|"
    "rastreo|traceurs)"
)
"""The vocabulary of consent. Every group is one stem."""

PAYWALL_TEXTS: Final = _phrases("""
subscribe to continue reading
subscribe to read the full
subscribe now to continue
subscribe to unlock
to continue reading
to read the full article
to read the full story
to read the rest of this
sign in to continue reading
log in to continue reading
this article is for subscribers
this article is only available to subscribers
this content is for subscribers
this story is for subscribers
exclusive to subscribers
for subscribers only
um weiterzulesen
jetzt weiterlesen
diesen artikel weiterlesen
den vollständigen artikel lesen
nur für abonnenten
exklusiv für abonnenten
la suite est réservée aux abonnés
cet article est réservé
contenu réservé aux abonnés
article réservé aux abonnés
de cet article à lire
pour lire la suite
contenido exclusivo para suscriptores
exclusivo para suscriptores
suscríbete para seguir leyendo
suscríbase para seguir leyendo
para seguir leyendo
para continuar leyendo
articolo riservato agli abbonati
contenuto riservato agli abbonati
per continuare a leggere
abbonati per continuare
conteúdo exclusivo para assinantes
para continuar lendo
assine para continuar
verder lezen met
lees verder met een abonnement
alleen voor abonnees
om verder te lezen
treść dostępna tylko dla
pozostało do przeczytania
tylko dla prenumeratorów
чтобы читать дальше
доступно только подписчикам
для продолжения чтения
för att läsa vidare
läs vidare med
for å lese videre
kun for abonnenter
for at læse videre
tilaajille
この記事は会員限定
この記事は有料会員限定
会員限定記事
订阅以继续阅读
""")
"""Phrases in short runs that replace the rest of an article."""

LIVE_WORDS: Final = re.compile(
    r"\b(?:live ?blog|live ?ticker|live updates?|newsticker|en direct|en vivo|en directo|minuto a minuto|"
    r"ao vivo|in diretta|liveverslag|na żywo|онлайн ?трансляция|текстовая трансляция|as it happened)\b"
)
"""Phrases in a title or, with blanks for other characters, in a URL."""
