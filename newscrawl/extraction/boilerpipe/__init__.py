"""Boilerpipe: main text by shallow features of text blocks, and recipes of small filters over them.

In here: `select` runs a recipe over a page, `recipes` names the filters of each, `filters` holds them; `blocks`,
`labels` and `tokens` are what filters read; `columns` is a faster way through the first filters. Start with `select`.

After Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features (WSDM 2010), and its reference
implementation (github.com/kohlschutter/boilerpipe). Departures from it:

- words in scripts without blanks are pieces of two characters (`newscrawl.page.words`): the original takes everything
  between two signs for one word, and its thresholds would call Chinese or Thai articles boilerplate;
- vowel signs do not end a word, as they do in the original, which counts most words of Hindi twice;
- white space is collapsed before texts are compared, measured and split into clauses, the no-break space like others;
- the HTML parser is libxml2, not NekoHTML: some pages give other trees, and with them other tag levels and links;
- of the original's labels only those are kept that a filter reads.
"""

from __future__ import annotations

from newscrawl.extraction.boilerpipe.recipes import RECIPES, Recipe
from newscrawl.extraction.boilerpipe.select import (
    BlockState,
    Observer,
    StepState,
    select,
    select_wide_and_article,
    trace,
)

__all__ = ["RECIPES", "BlockState", "Observer", "Recipe", "StepState", "select", "select_wide_and_article", "trace"]
