"""Phrases of pages that want to know whether a person reads them."""

from __future__ import annotations

from typing import Final

from newscrawl.extraction.cleanup.cues import phrases_of

WALL_TITLES: Final = phrases_of("""
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

WALL_TEXTS: Final = phrases_of("""
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
