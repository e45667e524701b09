"""Phrases of pages that say that there is nothing at their address."""

from __future__ import annotations

from typing import Final

from newscrawl.extraction.cleanup.cues import phrases_of

MISSING_TITLES: Final = phrases_of("""
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

MISSING_TEXTS: Final = phrases_of("""
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
