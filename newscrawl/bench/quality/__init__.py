"""Every chain and other extractors against gold texts: the work of `newscrawl bench quality`.

In here: `study` compares all systems on the corpora, `measure` runs one system over one corpus, `floors` keeps what was
reached, `report` and `html_report` show it. Start with `study`.
"""
