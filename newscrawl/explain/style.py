"""How the explained page is written: mark-up in which nothing of a source is executed, because every text is escaped by
`text`, and the style sheet. The policy allows only this style sheet, by its hash."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--soft:#60666d;--line:#dfe3e8;--panel:#f5f7f9;
--kept:#1a7f4b;--keptbg:#eef8f2;--narrowed:#b7791f;--narrowedbg:#fdf7e9;--dropped:#a3abb5;--ignored:#d5dae0;--warn:#b42318}
@media(prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e6e8ea;--soft:#9aa3ad;--line:#2c3238;--panel:#1d2125;
--kept:#3fbf7f;--keptbg:#16261e;--narrowed:#e0a84a;--narrowedbg:#2a2416;--dropped:#66707a;--ignored:#3a4148;--warn:#ff8a7a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans","DejaVu Sans",sans-serif;overflow-wrap:break-word}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:.1rem 0 .25rem}
h2{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:2rem 0 .5rem}
.address,.soft{color:var(--soft)}
.address{font-size:.88rem}
.chip{display:inline-block;border-radius:1rem;padding:.05rem .65rem;font-size:.82rem;font-weight:600;color:#fff;
background:var(--soft)}
.chip.article,.chip.live,.chip.paywalled{background:#1a7f4b}.chip.short{background:#a86b12}
table{border-collapse:collapse;width:100%;font-size:.88rem}
th,td{text-align:left;vertical-align:top;padding:.28rem .9rem .28rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft);white-space:nowrap}
td{width:auto;overflow-wrap:anywhere}.statements th{width:8rem}
td.number{text-align:right;font-variant-numeric:tabular-nums}
tr.used td{font-weight:600}
.strip{display:block;width:100%;height:1.6rem;border-radius:.3rem;background:var(--panel);margin:.4rem 0}
.strip rect{fill:var(--dropped)}.strip .kept{fill:var(--kept)}.strip .narrowed{fill:var(--narrowed)}
.strip .ignored{fill:var(--ignored)}
.legend{display:flex;flex-wrap:wrap;gap:.35rem 1.4rem;font-size:.85rem;color:var(--soft);margin:.6rem 0;padding:0;
list-style:none}
.legend label{cursor:pointer}
.swatch{display:inline-block;width:.8rem;height:.8rem;border-radius:.2rem;margin-right:.4rem;background:var(--dropped);
vertical-align:-.08rem}
.swatch.kept{background:var(--kept)}.swatch.narrowed{background:var(--narrowed)}.swatch.ignored{background:var(--ignored)}
.runs{margin-top:.6rem}
.run{border-left:.35rem solid var(--dropped);margin:.15rem 0;border-radius:.2rem}
.run>summary{display:flex;gap:1rem;justify-content:space-between;align-items:baseline;cursor:pointer;list-style:none;
padding:.18rem .7rem}
.run>summary::-webkit-details-marker{display:none}
.run>summary:hover,.run[open]>summary{background:var(--panel)}
.run .why{flex:none;max-width:14rem;font-size:.74rem;color:var(--soft);text-align:right}
.run bdi{min-width:0;white-space:pre-wrap}
.dropped bdi{color:var(--soft)}.ignored bdi{color:var(--soft);font-style:italic}
.kept{border-color:var(--kept)}.run.kept{background:var(--keptbg)}
.narrowed{border-color:var(--narrowed)}.run.narrowed{background:var(--narrowedbg)}
.ignored{border-color:var(--ignored)}
.run:target{outline:2px solid var(--kept)}
.run.head bdi{font-weight:700}
.facts{padding:.2rem .8rem .8rem;background:var(--panel);font-size:.84rem}
.facts h3{font-size:.84rem;margin:.7rem 0 .15rem}
.facts code,.steps code{font:.92em ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.facts td:first-child{white-space:normal;width:15rem;color:var(--soft)}
.yes::before{content:"● ";color:var(--kept)}.no::before{content:"● ";color:var(--dropped)}
.warn{color:var(--warn)}
.steps dt{font-weight:600;margin-top:.4rem}.steps dd{margin:0 0 0 1rem;color:var(--soft)}
body:has(#show-dropped:not(:checked)) .run.dropped,body:has(#show-ignored:not(:checked)) .run.ignored,
body:has(#show-narrowed:not(:checked)) .run.narrowed,body:has(#show-kept:not(:checked)) .run.kept{display:none}
@media(max-width:40rem){.run>summary{display:block}.run .why{display:block;text-align:left;max-width:none}
table{display:block;overflow-x:auto}td{overflow-wrap:break-word;min-width:6rem}.facts td:first-child{width:auto}}
"""

POLICY: Final = (
    "default-src 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy: no scripts, frames or requests; this one style sheet."""

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, marks that change the text direction, and code points that UTF-8 cannot encode."""


def text(value: object) -> str:
    """Returns `value` escaped for an element or a quoted attribute."""
    return html.escape(_CONTROLS.sub("\ufffd", str(value)))


def tag(name: str, *content: str, **attributes: str) -> str:
    """Returns an element. `content` must be HTML already; attribute values are escaped here. `class_` means class."""
    given = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{''.join(content)}</{name}>"
