"""CPU time that standing searches cost an article: made articles of 400 words, and searches of many kinds.

    python -m benchmarks.standing_searches [--searches 1000] [--articles 2000]

It measures the matching, the part that grows with the number of searches; reading the articles from the database is the
same for one search.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.search import LANGUAGES, made, vocabulary
from newscrawl.publishing.search import parse_query
from newscrawl.publishing.standing_searches.evaluating import Dispatcher, SearchedArticle


def queries(count: int, known: list[str], rng: random.Random) -> list[str]:
    """Queries as people save them: mostly rare words, with alternatives, phrases, titles, beginnings and filters."""
    common, rare = known[:500], known[500:20_000]
    kinds = (
        lambda: rng.choice(rare),
        lambda: f"{rng.choice(rare)} {rng.choice(common)}",
        lambda: f"{rng.choice(common)} {rng.choice(common)} -{rng.choice(rare)}",
        lambda: f"{rng.choice(rare)} OR {rng.choice(rare)} OR {rng.choice(rare)}",
        lambda: f'"{rng.choice(common)} {rng.choice(rare)}"',
        lambda: f"title:{rng.choice(rare)} lang:{rng.choice(LANGUAGES)}",
        lambda: f"{rng.choice(rare)[:5]}* site:site{rng.randrange(50)}",
        lambda: f"{rng.choice(common)} site:site{rng.randrange(50)}",
    )
    return [kinds[number % len(kinds)]() for number in range(count)]


def main() -> None:
    """Prints the CPU time of an article with all searches and with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=1_000)
    parser.add_argument("--articles", type=int, default=2_000)
    arguments = parser.parse_args()
    rng = random.Random(11)
    known = vocabulary(rng)
    articles = [
        SearchedArticle(
            (page.article.metadata.title or "",), page.article.text, page.article.metadata.language, {page.raw.site}
        )
        for page in made(arguments.articles, known, rng)
        if page.article is not None
    ]
    for count in (1, arguments.searches):
        dispatcher = Dispatcher(
            (str(number), parse_query(query)) for number, query in enumerate(queries(count, known, rng))
        )
        for article in articles[:200]:
            dispatcher.matching(article)  # fills the caches of stems, as a process that runs for an hour has
        began, hits, times = time.process_time(), 0, []
        for article in articles:
            start = time.process_time()
            hits += len(dispatcher.matching(article))
            times.append(time.process_time() - start)
        spent = time.process_time() - began
        ordered = sorted(times)
        print(
            f"{count} searches: {spent / len(articles) * 1e3:.2f} ms of CPU an article, "
            f"p95 {ordered[int(len(ordered) * 0.95)] * 1e3:.2f} ms, {hits / len(articles):.2f} hits an article"
        )


if __name__ == "__main__":
    main()
