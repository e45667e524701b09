"""Boilerpipe: finds the main text by shallow features of text blocks, with recipes of small filters.

In here: `recipes` names the filters of each recipe and runs one over a page, `filters` contains them. `blocks` is the
filters' input. `columns` is a faster implementation of the first filters. Start with `recipes`.

After Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features (WSDM 2010), and its reference
implementation (github.com/kohlschutter/boilerpipe). Differences from it:

- words in scripts without blanks are pieces of two characters (`newscrawl.page.words`): the original counts everything
  between two signs as one word, and its thresholds would classify Chinese or Thai articles as boilerplate;
- vowel signs do not end a word, as they do in the original, which counts most words of Hindi twice;
- white space is collapsed before texts are compared, measured and split into clauses, the no-break space like others;
- the HTML parser is libxml2, not NekoHTML: some pages get other trees, and with them other tag levels and links;
- of the original's labels only those that a filter reads are kept.
"""
