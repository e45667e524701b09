"""Compares chains and other extractors with gold texts: the work of `newscrawl bench quality`.

In here: `study` compares all systems on the corpora, `measure` scores systems on one corpus, `floors` stores the least
figures, `report` and `html_report` write the results. Start with `study`.
"""
