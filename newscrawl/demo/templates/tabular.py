"""Template "tabular": nested tables, <br><br> between paragraphs, windows-1252, nothing but meta elements to go by."""

from __future__ import annotations

from html import escape
from typing import Final

from newscrawl.demo import noise
from newscrawl.demo.story import DemoStory
from newscrawl.demo.templates import parts
from newscrawl.demo.templates.parts import Around

ENCODING: Final = "windows-1252"


def render(story: DemoStory, around: Around) -> bytes:
    """The story's page in windows-1252, which a meta element declares; other characters become references."""
    language = story.language
    top, middle = parts.story_adverts(story, around, 2)
    site = escape(noise.SITE_NAMES[language])
    page = f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<HTML><HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={ENCODING}">
<META HTTP-EQUIV="Content-Language" CONTENT="{language}">
<TITLE>{site}: {escape(story.title)}</TITLE>
{_meta(story, around)}
</HEAD>
<BODY BGCOLOR="#FFFFFF"><CENTER>
<TABLE WIDTH=760 BORDER=0 CELLPADDING=4><TR><TD COLSPAN=3>
<FONT SIZE=5><A HREF="{around.url(parts.home(language))}">{site}</A></FONT><BR>
<FONT SIZE=1>{parts.words(language, "weather")}</FONT></TD></TR>
<TR><TD COLSPAN=3 ALIGN=center><TABLE BORDER=1><TR><TD><FONT SIZE=2>{top}</FONT></TD></TR></TABLE></TD></TR>
<TR VALIGN=top><TD WIDTH=130 BGCOLOR="#EEEEDD"><UL>{parts.navigation(language, around)}</UL>
<B>{parts.words(language, "popular")}</B><UL>{parts.story_links(around.popular, around)}</UL></TD>
<TD WIDTH=470>
<TABLE><TR><TD><FONT SIZE=6><B>{escape(story.title)}</B></FONT><BR>
<FONT SIZE=2 COLOR="#666666">{_byline(story)}</FONT></TD></TR></TABLE>
<TABLE ALIGN=right WIDTH=180><TR><TD><IMG SRC="{around.url(parts.IMAGE_PATH)}" ALT=""><BR>
<FONT SIZE=1>{parts.words(language, "photo")}</FONT></TD></TR></TABLE>
<TABLE><TR><TD>
{_body(story, middle)}
</TD></TR></TABLE>
</TD>
<TD WIDTH=160 BGCOLOR="#EEEEDD"><B>{parts.words(language, "related")}</B>
<UL>{parts.story_links(around.related, around)}</UL></TD></TR></TABLE>
<TABLE WIDTH=760><TR><TH COLSPAN=2>{parts.words(language, "comments")}</TH></TR>
{_comments(story)}
</TABLE>
<TABLE WIDTH=760><TR><TD ALIGN=center><FONT SIZE=1>{parts.words(language, "rights")}</FONT></TD></TR></TABLE>
</CENTER></BODY></HTML>
"""
    return page.encode(ENCODING, "xmlcharrefreplace")


def _meta(story: DemoStory, around: Around) -> str:
    pairs = [
        ("property", "og:type", "article"),
        ("property", "og:title", story.title),
        ("property", "og:url", around.base + story.path),
        ("property", "og:site_name", noise.SITE_NAMES[story.language]),
        ("property", "og:description", story.description),
        ("property", "og:image", around.base + parts.IMAGE_PATH),
        ("property", "article:section", noise.SECTIONS[story.language][story.section]),
    ]
    pairs += [("name", "author", author) for author in story.authors]
    pairs += [("property", "article:tag", tag) for tag in story.tags]
    if story.published:
        pairs.append(("property", "article:published_time", story.published.isoformat()))
    if story.modified:
        pairs.append(("property", "article:modified_time", story.modified.isoformat()))
    return "\n".join(f'<META {kind}="{key}" CONTENT="{escape(value)}">' for kind, key, value in pairs)


def _byline(story: DemoStory) -> str:
    by = f"{parts.words(story.language, 'by')} {parts.byline(story)}" if story.authors else ""
    return " - ".join(filter(None, (by, parts.readable_date(story))))


def _body(story: DemoStory, advert: str) -> str:
    lines = [f"<I>{escape(p.text)}</I>" if p.is_quote else escape(p.text) for p in story.paragraphs]
    label = parts.words(story.language, "advert")
    box = f"<TABLE ALIGN=left BORDER=1 WIDTH=200><TR><TD><FONT SIZE=1>{label}</FONT><BR>{advert}</TD></TR></TABLE>\n"
    return "<BR><BR>\n".join((*lines[:2], box + lines[2], *lines[3:]))


def _comments(story: DemoStory) -> str:
    return "\n".join(
        f"<TR><TD VALIGN=top><B>{escape(c.reader)}</B></TD><TD>{escape(c.text)}</TD></TR>"
        for c in parts.story_comments(story)
    )
