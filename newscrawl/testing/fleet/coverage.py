"""Counts which articles and edits of a fleet were fetched, from the log of its server. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from newscrawl.testing.fleet.manners import MannersReport
from newscrawl.testing.fleet.serving import Request
from newscrawl.testing.fleet.stories import FleetArticle


def coverage(
    log: Iterable[Request], stories: Mapping[str, Sequence[FleetArticle]], began: float, until: float, patience: float
) -> MannersReport:
    """Articles that were listed for at least `patience` seconds: how many were fetched, how soon, how often, and
    which edits."""
    found = MannersReport()
    fetched: defaultdict[tuple[str, str], list[Request]] = defaultdict(list)
    for request in log:
        if request["status"] == 200:
            fetched[request["host"], request["path"]].append(request)
    waits: list[float] = []
    numbers: Counter[str] = Counter({"missed": 0, "fetched again": 0, "edits": 0, "edits missed": 0})
    for host, of_site in stories.items():
        for story in of_site:
            answers = fetched.get((host, story.path), [])
            if answers:
                waits.append(answers[0]["begun"] - began - max(story.at, 0.0))
            if story.at < until - patience:
                numbers["articles"] += 1
                if not answers:
                    numbers["missed"] += 1
                    found.examples.setdefault("missed", f"{host}{story.path}")
            tags = [answer["tag"] for answer in answers]
            numbers["fetched again"] += len(tags) - len(set(tags))
            numbers["edits"], numbers["edits missed"] = _edits(numbers, story, answers, began, until, patience)
    waits.sort()
    found.numbers = dict(numbers)
    if waits:
        found.numbers |= {"delay p50": waits[len(waits) // 2], "delay p95": waits[int(len(waits) * 0.95)]}
    return found


def _edits(
    numbers: Counter[str], story: FleetArticle, answers: Sequence[Request], began: float, until: float, patience: float
) -> tuple[int, int]:
    edits, missed = numbers["edits"], numbers["edits missed"]
    if story.edited_at is None or not answers or answers[0]["begun"] - began >= story.edited_at:
        return edits, missed
    age = story.edited_at - max(story.at, 0.0)
    if story.edited_at + 2 * age + patience > until:
        return edits, missed  # its next visit lies beyond the end
    seen = any(answer["begun"] - began > story.edited_at for answer in answers[1:])
    return edits + 1, missed + (not seen)
