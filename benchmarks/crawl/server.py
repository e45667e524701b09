"""Many news sites on loopback, in a process of their own, for `python -m benchmarks.crawl`.

    python -m benchmarks.crawl.server --different 1000 --rate 150

It prints its port, serves http://site-N.localhost:PORT/2026/story-M.html until its standard input is closed, and then
prints the CPU seconds it took and how many requests were doubled. The pages are made by a seed: an article among as
much navigation, scripts and teasers as news pages have (about 100 kB), every text another one, packed by gzip as nearly
all news sites send it.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
import zlib
from dataclasses import dataclass, field
from typing import Final

import click

from newscrawl.demo.keep_alive import IDLE_SECONDS, SEGMENT_BYTES
from newscrawl.testing.politeness import doubled

_WORDS: Final = (
    "the council of harbour town met on and spoke about new bridge that people had asked for while river rose "
    "after rain a minister said in an interview with this paper which was read by many who live near old "
    "market where prices fell last year but not this one since farmers sold their wheat early and ships came "
    "late from other side of sea "
).split()
DIFFERENT: Final = 1000
"""Different pages, unless another number is asked for."""
_OWN: Final = b"OWN-TEXT"
"""What the server replaces by the address, so that no two pages have one text."""
_SHELLS: Final = 8
"""Different page frames; real sites have one or few."""


def make_page(site: int, number: int) -> bytes:
    """Returns one page, always the same."""
    chance = random.Random(site * 1_000_003 + number)
    title = _sentence(chance, 8)
    paragraphs = "".join(f"<p>{' '.join(_sentence(chance, 18) for _ in range(5))}</p>" for _ in range(12))
    own = f"<p>{_OWN.decode()} {_sentence(chance, 20)}</p>"
    head, foot = _SHELL[(site + number) % _SHELLS]
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title>"
        f'<meta property="article:published_time" content="2026-11-01T10:{number % 60:02d}:00Z">{head}'
        f"<main><article><h1>{title}</h1>{own}{paragraphs}</article></main>{foot}"
    ).encode()


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize() + "."


def _shell(seed: int) -> tuple[str, str]:
    chance = random.Random(seed)
    script = "".join(f"window.v{n}=function(a,b){{return a*{n}+b.length}};" for n in range(900))
    style = "".join(f".c{n} a:hover{{margin:{n}px;color:#{n:06x}}}" for n in range(500))
    links = "".join(f"<li class=c{n}><a href=/s/{n}>{_sentence(chance, 3)}</a></li>" for n in range(180))
    teasers = "".join(
        f"<div class=teaser><a href=/2026/story-{n}.html><img src=/i/{n}.jpg alt=''><h3>{_sentence(chance, 7)}</h3></a>"
        f"<p>{_sentence(chance, 10)}</p></div>"
        for n in range(90)
    )
    head = f"<style>{style}</style><script>{script}</script></head><body><nav><ul>{links}</ul></nav>"
    return head, f"<aside>{teasers}</aside><footer><ul>{links[:8000]}</ul></footer></body></html>"


_SHELL: Final = [_shell(seed) for seed in range(_SHELLS)]


class Packed:
    """A page compressed by gzip in advance except for its own text, which is compressed when it is requested."""

    def __init__(self, page: bytes) -> None:
        before, _, after = page.partition(_OWN)
        self._begin = _deflated(before, 16 + zlib.MAX_WBITS, zlib.Z_FULL_FLUSH)
        self._end = _deflated(after, -zlib.MAX_WBITS, zlib.Z_FINISH)
        self._check = zlib.crc32(before)
        self._after = after
        self._size = len(before) + len(after)

    def with_text(self, own: bytes) -> bytes:
        """Returns the whole page as one gzip member."""
        check = zlib.crc32(self._after, zlib.crc32(own, self._check))
        trailer = check.to_bytes(4, "little") + (self._size + len(own)).to_bytes(4, "little")
        return self._begin + _deflated(own, -zlib.MAX_WBITS, zlib.Z_FULL_FLUSH) + self._end + trailer


def _deflated(data: bytes, window: int, end: int) -> bytes:
    packer = zlib.compressobj(wbits=window)
    return packer.compress(data) + packer.flush(end)


@dataclass
class Pace:
    """Limits the answers to `rate` a second; 0 for no limit."""

    rate: float
    next_at: float = 0.0

    async def wait(self) -> None:
        """Waits until the limit allows this answer."""
        if not self.rate:
            return
        now = asyncio.get_running_loop().time()
        self.next_at = max(self.next_at, now) + 1 / self.rate
        await asyncio.sleep(self.next_at - now)


@dataclass(slots=True)
class _World:
    """The served pages, and the log of requests: addresses and moments."""

    pages: list[Packed]
    pace: Pace
    log: list[tuple[str, float]] = field(default_factory=list)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, which is kept until it has been idle for a while."""
        try:
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    asked = await reader.readuntil(b"\r\n\r\n")
                answer = await self._answer(asked)
                for at in range(0, len(answer), SEGMENT_BYTES):
                    writer.write(answer[at : at + SEGMENT_BYTES])
                    await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            pass  # the crawl closed the connection, or left it idle
        finally:
            writer.close()

    async def _answer(self, asked: bytes) -> bytes:
        path = asked.split(b" ", 2)[1]
        host = asked.lower().partition(b"host: site-")[2].partition(b".")[0]
        self.log.append((f"{host.decode('latin-1')}{path.decode('latin-1')}", time.monotonic()))
        status, packing, body = b"200 OK", b"", b"User-agent: *\nDisallow:\n"
        if path.startswith(b"/2026/story-"):
            number = int(path.removeprefix(b"/2026/story-").partition(b".")[0])
            body = self.pages[(int(host) * 7919 + number) % len(self.pages)].with_text(b"%s of %s" % (path, host))
            packing = b"Content-Encoding: gzip\r\n"
            await self.pace.wait()
        elif path != b"/robots.txt":
            status, body = b"404 Not Found", b"no such page"
        head = b"HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n%sContent-Length: %d\r\n\r\n"
        return head % (status, packing, len(body)) + body


async def _main(pages: list[Packed], rate: float) -> None:
    world = _World(pages, Pace(rate))
    server = await asyncio.start_server(world.converse, "127.0.0.1", 0, backlog=512)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    used = resource.getrusage(resource.RUSAGE_SELF)
    told = {"cpu": used.ru_utime + used.ru_stime, "doubled": len(doubled(world.log))}
    print(json.dumps(told), flush=True)
    server.close()


@click.command()
@click.option(
    "--different",
    default=DIFFERENT,
    show_default=True,
    help="Number of different pages. Further pages repeat them at other addresses.",
)
@click.option("--rate", default=0.0, show_default=True, help="Largest number of pages a second; 0: no limit.")
@click.option("--seed", default=0, show_default=True, help="Other pages for each seed.")
def main(different: int, rate: float, seed: int) -> None:
    """Serves sites until standard input is closed."""
    asyncio.run(_main([Packed(make_page(seed, number)) for number in range(different)], rate))


if __name__ == "__main__":
    main()
