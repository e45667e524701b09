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
