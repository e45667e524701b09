"""Measures how well a site's rule, learned from half of its known articles, finds the other half and refuses everything
else.

    python -m benchmarks.url_rules sites.jsonl

A line of the file is a site: {"home": "https://...", "sample_articles": ["https://...", ...]}. Addresses that are no
articles are made up from what all sites have, and from the first parts of the site's own addresses, its sections.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from newscrawl.discovery.links.article_urls import looks_like_article
from newscrawl.discovery.links.learned_rules import learn_rules

SPLITS: Final = 5

OTHERS: Final = (
    "/ /tag/bridge-over-the-river/ /tags/elections-of-the-year-2026 /author/jane-doe/ /autor/maria-lopez-garcia-perez "
    "/search?q=bridge /?s=bridge+falls /login /account/login?next=/a/b /reports/annual-report-of-the-year-2026.pdf "
    "/category/politics/ /feed/ /newsletter/ /politics/ /sport/football/ /page/2/ /contact-us /privacy-policy "
    "/news/page/3 /wp-login.php /economia/ /deportes/liga-de-campeones/ /videos/"
).split()


@click.command(help=__doc__)
@click.argument("sites", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(sites: Path) -> None:
    """Print the shares."""
    samples = [json.loads(line)["sample_articles"] for line in sites.read_text(encoding="utf-8").splitlines()]
    every = [url for urls in samples for url in urls]
    judged = sum(map(looks_like_article, every))
    click.echo(f"general rules: {judged} of {len(every)} articles accepted ({judged / len(every):.1%})")
    accepted = held_out = refused = asked = 0
    for split in range(SPLITS):
        chance = random.Random(split)
        for urls in (urls for urls in samples if len(urls) > 1):
            shuffled = chance.sample(urls, len(urls))
            half = -(-len(urls) // 2)
            rule = learn_rules(shuffled[:half]).rule
            others = not_articles(urls)
            held_out += len(urls) - half
            accepted += sum(map(rule.accepts, shuffled[half:]))
            asked += len(others)
            refused += len(others) - sum(map(rule.accepts, others))
    click.echo(f"learned from half: {accepted} of {held_out} other articles accepted ({accepted / held_out:.1%})")
    click.echo(f"                   {refused} of {asked} other addresses refused ({refused / asked:.2%})")


def not_articles(urls: list[str]) -> list[str]:
    """Addresses of a site that are no articles."""
    parts = urlsplit(urls[0])
    root = f"{parts.scheme}://{parts.netloc}"
    sections = set()
    for url in urls:
        folders = [part for part in urlsplit(url).path.split("/") if part][:-1][:2]
        for depth in (1, 2):
            if len(folders) >= depth and all(part.replace("-", "").isalpha() for part in folders[:depth]):
                sections.add(f"{root}/{'/'.join(folders[:depth])}/")
    return [*(root + path for path in OTHERS), *sorted(sections)]


if __name__ == "__main__":
    main()
