"""What a recorded run leaves in a database, through every door by which users read it, on SQLite and on PostgreSQL.

Both give one output, but for search: their rankings differ (so each has a file of its own.
"""

from __future__ import annotations

import asyncio
import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from fixed_words import FixedWords, Numbers, digest_of, filled, short
from frozen_clock import FrozenClock, frozen
from golden import check, readable
from json_schema import problems, stored_schema
from mail_server import mailbox
from pyarrow import parquet
from recorded_pages import END, ROUNDS, SITES, site_named, stories
from recorded_run import Commands, Run, recorded
from sqlalchemy import NullPool, create_engine, text
from starlette.testclient import TestClient

import newscrawl
from newscrawl.errors import UsageError
from newscrawl.reports import ExportedArticle
from newscrawl.reports.history import StoredVersion
from newscrawl.reports.story import MemberPage
from newscrawl.testing.services.webhook import WebhookReceiver, serving
from newscrawl.web.application import make_application
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

PACKAGES: Final = tuple(
    f"newscrawl.{name}" for name in ("cli", "mcp", "web", "storage", "publishing", "crawling.monitoring")
)
"""Of which all modules get the clock of the run."""
TOKEN: Final = "a-token-that-is-long-enough"
VIEWS: Final = {
    "current_articles": "page_id",
    "article_versions": "version_id",
    "article_headlines": "version_id, first_seen, title",
    "stories": "story_id",
    "site_health": "site",
    "site_failures": "site, day, kind",
}
"""The views of docs/how-to/sql.md, and their order here."""
TIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?$")
"""How SQLite has a time."""
IN_FULL: Final = 12
"""Rows of a long list that are stored with all values; of the others each has a hash."""


@dataclass(frozen=True)
class Recorded:
    """A database with the run, and what reads it."""

    database: str
    folder: Path
    commands: Commands
    clock: FrozenClock
    words: FixedWords
    numbers: Numbers
    run: Run

    @property
    def kind(self) -> str:
        """sqlite or postgresql."""
        return self.database.partition(":")[0].partition("+")[0]

    def check(self, name: str, value: Any) -> None:
        """Compares a value of JSON, or a text, with its golden file."""
        value = self.numbers.of(value)
        output = value if isinstance(value, str) else readable(value)
        check(f"recorded/{name}", self.words.text(output))

    def lines(self, *words: str) -> list[Any]:
        """Returns the JSON lines that a command prints."""
        return self.read(self.commands.printed(*words))

    def read(self, text: str) -> list[Any]:
        """Returns JSON lines."""
        return [self.numbers.of(json.loads(line)) for line in text.splitlines()]


@pytest.fixture(scope="module")
def stored(shared_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """Records the run once for all tests of a database, which only read it. The clock stands at END from then on."""
    folder, clock = tmp_path_factory.mktemp("recorded"), FrozenClock(ROUNDS[0])
    with ExitStack() as stack:
        stack.enter_context(frozen(clock, PACKAGES))
        mails, hook = stack.enter_context(mailbox()), WebhookReceiver()
        address = stack.enter_context(serving(hook))
        commands = stack.enter_context(Commands.of(shared_database, folder, mails, hook))
        run = stack.enter_context(recorded(shared_database, commands, clock))
        clock.now = END
        words = {str(folder): "FOLDER", urlsplit(address).netloc: "HOST:PORT"}
        yield Recorded(shared_database, folder, commands, clock, FixedWords(words), numbers_of(shared_database), run)


def numbers_of(database: str) -> Numbers:
    """Returns all numbers of a database, also those of articles that were removed: the change feed has them."""
    queries = (
        "SELECT id FROM articles UNION SELECT article_id FROM changes WHERE article_id > 0",
        "SELECT id FROM pages",
        "SELECT version_id AS id FROM article_versions",
    )
    return Numbers(*(sorted(row["id"] for row in selected(database, query)) for query in queries))


def selected(database: str, query: str) -> list[dict[str, Any]]:
    """Returns the rows of a query, with the types of the database."""
    address = database.replace("postgresql://", "postgresql+psycopg://")
    with create_engine(address, poolclass=NullPool).connect() as connection:
        return [dict(row._mapping) for row in connection.execute(text(query))]


def as_json(name: str, value: Any) -> Any:
    """Returns a value of a column as both databases have it."""
    if name.startswith("is_") or name.endswith("_stated"):
        return None if value is None else bool(value)
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, str) and value[:1] in "[{":
        return json.loads(value)
    if isinstance(value, str) and TIME.match(value):
        return f"{value[:19]}+00:00"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(" ")
    return value.isoformat() if isinstance(value, date) else value


def definition(stored: Recorded, view: str) -> str:
    """Returns the query of a view that asks for the present time, with the time of the run in its place."""
    if stored.kind == "sqlite":
        (row,) = selected(stored.database, f"SELECT sql FROM sqlite_master WHERE name = '{view}'")
        return str(row["sql"]).partition("AS")[2].replace("'now'", f"'{END:%Y-%m-%d %H:%M}'")
    (row,) = selected(stored.database, f"SELECT pg_get_viewdef('{view}'::regclass) AS sql")
    return str(row["sql"]).rstrip(";").replace("now()", f"timestamptz '{END}'")


@pytest.mark.parametrize("view", VIEWS)
def test_the_rows_of_a_view(stored: Recorded, view: str) -> None:
    shown = f"({definition(stored, view)}) AS shown" if view == "site_health" else view
    rows = selected(stored.database, f"SELECT * FROM {shown} ORDER BY {VIEWS[view]}")
    values = ({name: as_json(name, value) for name, value in row.items()} for row in rows)
    stored.check(f"view_{view}.json", [short(filled(row)) for row in values])


def written(stored: Recorded, name: str, *words: str) -> Path:
    """Returns the file that a command wrote."""
    file = stored.folder / name
    stored.commands.run(*words)
    return file


def sampled(rows: Sequence[Any]) -> list[Any]:
    """Returns a list with its first and last rows in full, and a hash of each other row. Equal rows stand elsewhere."""
    most, few = len(rows) - IN_FULL, IN_FULL
    return [
        short(row) if number < few or number >= most else digest_of(json.dumps(row, ensure_ascii=False))
        for number, row in enumerate(rows)
    ]


SELECTIONS: Final = (
    *("--site plaza", "--lang de", "--since 3d --by local-day", "--min-confidence 0.95", "--until 2026-10-06"),
)
"""Options of `newscrawl export`."""


def outline(row: Mapping[str, Any]) -> str:
    """Returns the values of an exported article that no view has, and a hash of all."""
    names = ("id", "story_id", "url", "copies", "sites", "contained_in", "contained_in_more")
    shown = " ".join(f"{name}={row[name]}" for name in names if row.get(name))
    return f"{shown} {digest_of(json.dumps(row, ensure_ascii=False))}"


def test_the_export_as_json_lines(stored: Recorded) -> None:
    found = stored.lines("export")
    stored.check("export.json", [short(row) if place % 12 == 0 else outline(row) for place, row in enumerate(found)])
    some = {words: stored.lines("export", *words.split()) for words in SELECTIONS}
    stored.check("export_some.json", {words: [f"{row['id']} {row['url']}" for row in some[words]] for words in some})


def test_the_export_as_csv(stored: Recorded) -> None:
    file = written(stored, "export.csv", "export", "-o", str(stored.folder / "export.csv"))
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    stored.check("export_csv.json", {"columns": list(rows[0]), "rows": sampled(stored.numbers.of(rows))})


def test_the_export_as_parquet(stored: Recorded) -> None:
    file = written(stored, "export.parquet", "export", "-o", str(stored.folder / "export.parquet"))
    table = parquet.read_table(file)
    columns = [f"{field.name}: {field.type}{'' if field.nullable else ' not null'}" for field in table.schema]
    rows = json.loads(json.dumps(table.to_pylist(), default=str))
    stored.check("export_parquet.json", {"columns": columns, "rows": sampled(stored.numbers.of(rows))})


@pytest.mark.parametrize("consumer", ["whole", "german"])
def test_the_change_feed(stored: Recorded, consumer: str) -> None:
    changes = stored.read((stored.folder / f"{consumer}.jsonl").read_text("utf-8"))
    documents = [change.pop("article", None) for change in changes]
    told = [
        filled(change) | ({"article": digest_of(json.dumps(one))} if one else {})
        for change, one in zip(changes, documents, strict=True)
    ]
    stored.check(f"feed_{consumer}.json", told)
    stored.check(f"feed_{consumer}_articles.json", [short(one) for one in documents if one][: IN_FULL // 2])


QUERIES: Final = tuple(
    query.strip()
    for query in """
    ferry | ferries | the ferry | "the ferry" | "old pilots" | whale chapel | whale -chapel | bridge OR quay
    title:museum | title:whale bridge | lighth* | lighthouse* | site:tarn mayor | lang:de Rat | since:2026-11-20 bank
    Brücke | brucke | BRÜCKE | Straßenbahn | strassenbahn | vierzig Stühle | "am Montag" | Schwestern prüfte
    ballena | puente -banco | campana | campanas | después | baleine | mairesse chapelle | protestation | l'orage
    veerpont | brug | klokken | twee molens | паром | маяк | театр архив | "две сестры" | школу OR школа
    漁師 | 灯台 | 橋を直した | 鯨 | corrected | nothing of this kind | a | -whale | reservoir tunnel orchard | week
    """.replace("\n", "|").split("|")
    if query.strip()
)
"""Fifty and more queries of all kinds that the grammar has, in all languages of the run."""
HITS: Final = 4


def test_search(stored: Recorded) -> None:
    """One line a hit. Scores are compared to four digits."""
    found: dict[str, list[str]] = {}
    with newscrawl.open(stored.database) as news:
        for query in QUERIES:
            try:
                hits = stored.numbers.of([asdict(hit) for hit in news.search(query, limit=HITS)])
            except UsageError as error:
                found[query] = [str(error)]
            else:
                found[query] = [" | ".join(map(str, hit_values(hit))) for hit in hits]
    stored.check(f"search_{stored.kind}.json", found)
    (hit, *_) = stored.lines("search", "--json", "--limit", "2", "--site", "harbour", "whale")
    stored.check(f"search_hit_{stored.kind}.json", short(hit))
    stored.check(
        f"search_{stored.kind}.txt", stored.commands.run("search", "--limit", "6", "--since", "2026-10-06", "mayor")
    )


def hit_values(hit: Any) -> Iterator[Any]:
    yield f"{hit['score']:.4g}"
    yield hit["article_id"]
    yield hit["url"].removeprefix("https://")
    yield f"{hit['copies']} copies"
    snippet = hit["snippet"]
    yield f"{snippet['text'][:60]} {snippet['marks'][:1]}"


def addresses() -> dict[str, str]:
    """Returns addresses of pages and sources with a story of their own."""
    numbers = range(len(ROUNDS))
    urls = {site.name: [[story.url for story in stories(site, number)] for number in numbers] for site in SITES}
    harbour = urls["harbour"]
    return {
        "moved": harbour[0][0],
        "visited": harbour[1][1],
        "extracted_again": harbour[2][2],
        "withdrawn": harbour[2][1],
        "forgotten": harbour[2][0],
        "copied": urls["tarn"][4][0],
        "near_copy": urls["bergen"][4][1],
        "blocked": urls["rivage"][2][0],
        "older_capture": urls["rivage"][1][0],
        "expired": urls["sever"][0][0],
        "held": f"{site_named('valley').home}story/held-3",
        "released": f"{site_named('valley').home}story/held-0",
        "live": f"{site_named('plaza').home}story/live",
        "round_up": f"{site_named('harbour').home}story/week-2",
        "broken": f"{site_named('kanal').home}bad/broken",
        "refused": f"{site_named('kanal').home}bad/robots",
        "kept_apart": harbour[0][2],
        "log_in": f"{site_named('harbour').home}story/log-in",
        "front_page": site_named("valley").home,
        "site": "bergen",
        "feed": site_named("bergen").feed,
        "sitemap": site_named("minato").sitemap,
    }


ADDRESSES: Final = addresses()
WHY_AS_JSON: Final = frozenset(
    {"moved", "visited", "withdrawn", "near_copy", "blocked", "held", "live", "round_up", "feed"}
)


@pytest.mark.parametrize("name", ADDRESSES)
def test_why(stored: Recorded, name: str) -> None:
    shown = stored.commands.result("why", ADDRESSES[name])
    stored.check(f"why_{name}.txt", shown.output)
    if name in WHY_AS_JSON:
        told = stored.commands.printed("why", ADDRESSES[name], "--json")
        stored.check(f"why_{name}.json", short(json.loads(told)))


@pytest.mark.parametrize("name", ["visited", "extracted_again", "older_capture", "live", "moved"])
def test_history(stored: Recorded, name: str) -> None:
    stored.check(f"history_{name}.txt", stored.commands.run("history", ADDRESSES[name], "--diff"))
    stored.check(
        f"history_{name}.json", short(json.loads(stored.commands.printed("history", ADDRESSES[name], "--json")))
    )


COMMANDS: Final = (
    ("status",),
    ("status", "valley"),
    ("status", "--csv"),
    ("status", "--check"),
    ("review", "list"),
    ("machines",),
    ("db", "consumers"),
    ("db", "prune", "--dry-run"),
    ("feed-address", "list"),
    ("forget", "--blocked"),
    ("forget", "--register"),
    ("search", "--saved"),
)
DIFFERING: Final = frozenset({("status",), ("status", "valley")})
"""On a server other machines may hold files of the archive: it names those that have not removed what was forgotten."""
AS_JSON: Final = (
    ("status", "--json"),
    ("review", "list", "--json"),
    ("machines", "--json"),
    ("db", "consumers", "--json"),
    ("feed-address", "list", "--json"),
    ("forget", "--blocked", "--json"),
    ("forget", "--register", "--json"),
    ("search", "--saved", "--json"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command(stored: Recorded, words: tuple[str, ...]) -> None:
    kind = f"_{stored.kind}" if words in DIFFERING else ""
    stored.check(f"cli_{named(words)}{kind}.txt", stored.commands.result(*words).output)


@pytest.mark.parametrize("words", AS_JSON, ids=" ".join)
def test_a_command_with_json(stored: Recorded, words: tuple[str, ...]) -> None:
    printed = stored.commands.printed(*words)
    value = json.loads(printed) if printed.startswith(("[\n", "[]", "{\n")) else stored.read(printed)
    stored.check(f"cli_{named(words)}.json", short(value))


def named(words: Sequence[str]) -> str:
    """Returns a name for the file of a command."""
    return "_".join(word.strip("-").replace("-", "_") for word in words if word != "--json")


def test_what_commands_of_the_run_said(stored: Recorded) -> None:
    stored.check("cli_of_the_run.txt", "\n".join(stored.run.printed))


def test_what_became_of_the_pages(stored: Recorded) -> None:
    stored.check("outcomes.json", dict(sorted(stored.run.outcomes.items())))


@pytest.fixture(scope="module")
def client(stored: Recorded) -> Iterator[TestClient]:
    """The pages of the database, for a program with the token."""
    folder = stored.folder / "archive"
    settings = WebSettings(stored.database, token=TOKEN, archive_folder=folder)
    application = make_application(settings, Logins(TOKEN, stored.clock), stored.clock)
    with TestClient(
        application,
        base_url="http://127.0.0.1:8787",
        headers={"authorization": f"Bearer {TOKEN}"},
        raise_server_exceptions=False,
        follow_redirects=False,
    ) as entered:
        yield entered


PARAMETERS: Final[dict[str, list[dict[str, str]]]] = {
    "site": [{"name": "valley"}, {"name": "plaza"}, {"name": "bergen"}],
    "sites": [{}, {"state": "alarm"}, {"name": "HARB"}, {"language": "de", "country": "at"}],
    "articles": [
        *({}, {"site": "harbour", "day": "2026-11-20"}, {"language": "es", "verdict": "live"}),
        {"site": "harbour", "after": "20261010T112000.000000-1"},
    ],
    "search": [{}, {"q": "whale -chapel", "site": "tarn"}, {"q": "Brücke"}],
    "article": [{"url": ADDRESSES[name]} for name in ("visited", "copied", "live", "moved", "round_up", "forgotten")],
    "history": [{"url": ADDRESSES[name]} for name in ("visited", "live")],
    "why": [{"url": ADDRESSES[name]} for name in ("visited", "held", "blocked", "feed")],
    "review": [{}, {"site": "valley"}],
}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_the_json_of_a_screen(stored: Recorded, client: TestClient, screen: Any) -> None:
    shown = {}
    for parameters in PARAMETERS.get(screen.name, [{}]):
        answer = client.get(screen.json_path, params=parameters)
        if answer.status_code == 200:
            assert problems(answer.json(), stored_schema(screen.name)) == []
        key = " ".join(f"{name}={value}" for name, value in parameters.items())
        shown[key] = {"status": answer.status_code, "body": short(answer.json())}
    kind = f"_{stored.kind}" if screen.name in {"search", "forgotten"} else ""
    stored.check(f"web_{screen.name}{kind}.json", shown)


def test_the_feeds(stored: Recorded, client: TestClient) -> None:
    """Feeds under secret addresses, one of them revoked. Of a long feed the first entries are stored, and a hash."""
    for number, address in enumerate(stored.run.addresses):
        answer = client.get(address.removeprefix("http://127.0.0.1:8787"), headers={"authorization": ""})
        kind = address.rpartition(".")[2]
        fixed = stored.words.text(answer.text)
        end = {"atom": "</entry>", "json": "\n  }"}[kind]
        parts = fixed.split(end)
        shown = end.join(parts[:4]) + f"\n... {len(parts)} parts, {digest_of(fixed)}\n" if len(parts) > 5 else fixed
        stored.check(f"web_feed_{number // 2}.{kind}", f"{answer.status_code}\n{shown}")
    found = client.get("/feed.atom", params={"language": "es"})
    entries = found.text.count("<entry>")
    stored.check("web_feed_es.txt", f"{found.status_code} {found.headers['content-type']} {entries} entries\n")


TOOLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("search", {"query": "whale", "limit": 3}),
    ("search", {"query": "Brücke", "language": "de", "since": "2026-11-01"}),
    ("article", {"url": ADDRESSES["visited"]}),
    ("article", {"url": ADDRESSES["copied"]}),
    ("article", {"url": ADDRESSES["live"], "offset": 100}),
    ("article", {"url": ADDRESSES["forgotten"]}),
    ("history", {"url": ADDRESSES["visited"]}),
    ("history", {"url": ADDRESSES["live"], "older": 1, "newer": 2}),
    ("why", {"url": ADDRESSES["moved"]}),
    ("why", {"url": ADDRESSES["blocked"]}),
    ("sites", {}),
    ("sites", {"state": "alarm", "limit": 1}),
    ("sites", {"state": "odd"}),
)


def test_the_answers_of_mcp(stored: Recorded) -> None:
    from mcp import Client

    from newscrawl.mcp.server import make_server

    async def ask() -> list[Any]:
        async with Client(make_server(stored.database, stored.clock)) as client:
            return [await client.call_tool(name, values) for name, values in TOOLS]

    answers: dict[str, list[Any]] = {"search": [], "others": []}
    for (name, values), found in zip(TOOLS, asyncio.run(ask()), strict=True):
        (content,) = found.content
        told = content.text if found.is_error else json.loads(content.text)
        answers["search" if name == "search" else "others"].append(
            {"tool": name, "arguments": values, "answer": short(told)}
        )
    stored.check(f"mcp_search_{stored.kind}.json", answers["search"])
    stored.check("mcp.json", answers["others"])


def test_mails_and_webhooks(stored: Recorded) -> None:
    """What receivers of alarms and of standing searches got."""
    hook, used = stored.commands.webhook, ("Content-Type", "Idempotency-Key")
    headers = [{name: sent[name] for name in used if name in sent} for sent in hook.headers]
    posted = [{"headers": sent, "body": body} for sent, body in zip(headers, hook.posted, strict=True)]
    stored.check("webhooks.json", [short(one) for one in posted])
    stored.check("mails.txt", "\n---\n".join(map(mail_text, stored.commands.mails.mails)))


def mail_text(mail: EmailMessage) -> str:
    """Returns headers and text of a mail. The time of sending is the machine's."""
    headers = [f"{name}: {value}" for name, value in mail.items() if name not in {"Date", "X-Peer"}]
    return "\n".join([*headers, "", *mail.get_content().splitlines()])


def test_files_of_standing_searches(stored: Recorded) -> None:
    stored.check("whales.atom", (stored.folder / "whales.atom").read_text("utf-8"))
    stored.check("ferry.json", (stored.folder / "ferry.json").read_text("utf-8"))


ARTICLE: Final = (
    *("id", "url", "canonical", "site", "title", "authors", "published", "modified", "language", "text", "extractor"),
    *("content_hash", "first_seen", "pages", "verdict", "section", "tags", "image", "site_name", "description"),
    *("cluster", "copies", "truncated", "contained_in", "contained_in_more", "sites", "published_offset"),
    *("modified_offset", "images", "videos", "audio", "live_entries", "confidence"),
)
VERSION: Final = (
    *("article_id", "seen_at", "last_seen", "change_class", "verdict", "title", "authors", "published"),
    *("published_offset", "modified", "extractor", "text", "new_entries", "diff", "confidence"),
)
PAGE: Final = ("page_id", "url", "site", "first_seen", "title", "authors", "published", "published_offset")
ATTRIBUTES: Final[dict[type, tuple[str, ...]]] = {ExportedArticle: ARTICLE, StoredVersion: VERSION, MemberPage: PAGE}
"""The attributes of what `newscrawl.open` gives that are recorded; of other values all fields are."""


def attributes(value: Any) -> Any:
    """Returns the attributes of a value, and of all in it, by name."""
    if isinstance(value, list | tuple):
        return [attributes(one) for one in value]
    if not is_dataclass(value):
        return value
    names = ATTRIBUTES.get(type(value)) or tuple(field.name for field in fields(value))
    return {name: attributes(getattr(value, name)) for name in names}


def test_what_programs_read(stored: Recorded) -> None:
    """`newscrawl.open`: some articles, a page, a story, a history."""
    with newscrawl.open(stored.database) as news:
        articles = list(news.articles(site="plaza"))
        found: list[Any] = [*articles[:6], news.page(ADDRESSES["copied"]), news.history(ADDRESSES["older_capture"])]
        found.append(news.story(articles[0].id))
        stored.check("open.json", [short(json.loads(json.dumps(attributes(one), default=str))) for one in found])
