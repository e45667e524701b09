"""Phrases of pages that ask for consent."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.extraction.cleanup.cues import phrases_of

CONSENT_TITLES: Final = phrases_of("""
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

CONSENT_BUTTONS: Final = phrases_of("""
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
