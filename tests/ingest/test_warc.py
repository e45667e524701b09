"""Every record of a WARC file is read once, from any start, also after damaged records."""

from __future__ import annotations

import gzip
import io
import itertools
import random

import pytest

from newscrawl.archive.warc import BrokenRecord, Record, RecordPosition, UnreadableRecord, records

URLS = [f"https://www.harbour.example/2026/bridge-{number}" for number in range(12)]


def read(path, start=0, stop=None, *, known=None, max_block=1 << 20, **rest):
    with path.open("rb") as file:
        stop = file.seek(0, io.SEEK_END) if stop is None else stop
        place = start if isinstance(start, RecordPosition) else RecordPosition(start)
        known = place == RecordPosition(0) if known is None else known
        return list(records(file, place, stop, max_block=max_block, known=known, **rest))


def addresses(found):
    responses = [one for one in found if isinstance(one, Record) and one.headers["warc-type"] == "response"]
    return [one.headers["warc-target-uri"] for one in responses]


@pytest.mark.parametrize("packed", [True, False])
def test_all_records_come_in_their_order_with_their_blocks(warc, stories, packed):
    found = read(warc(stories(12), gzip=packed))
    assert addresses(found) == URLS
    assert [one.headers["warc-type"] for one in found[:3]] == ["warcinfo", "request", "response"]
    assert b"bridge 0." in found[2].block


@pytest.mark.parametrize("packed", [True, False])
def test_the_file_cut_anywhere_gives_every_record_to_exactly_one_part(warc, stories, packed):
    path = warc(stories(12), gzip=packed)
    size = path.stat().st_size
    chance = random.Random(7)
    for _ in range(30):
        cuts = [0, *sorted(chance.randrange(1, size) for _ in range(3)), size]
        parts = [read(path, start, stop) for start, stop in itertools.pairwise(cuts)]
        assert addresses(one for part in parts for one in part) == URLS


@pytest.mark.parametrize("packed", [True, False])
def test_reading_goes_on_from_any_record_that_was_reached(warc, stories, packed):
    path = warc(stories(4), gzip=packed)
    for record in read(path):
        rest = read(path, record.following, known=True)
        assert [record.place for record in rest] == [one.place for one in read(path) if one.place >= record.following]


def test_a_file_that_was_packed_as_a_whole_is_read_and_gone_on_with(warc, stories, tmp_path):
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(gzip.compress(warc(stories(5), gzip=False).read_bytes()))
    found = read(path)
    assert addresses(found) == URLS[:5]
    assert {one.place.offset for one in found} == {0}
    assert addresses(read(path, found[4].following, known=True)) == addresses(found[5:])


@pytest.mark.parametrize("packed", [True, False])
def test_a_broken_record_costs_itself(warc, stories, packed):
    path = warc(stories(12), gzip=packed)
    victim = [one for one in read(path) if one.headers["warc-type"] == "response"][5]
    data = bytearray(path.read_bytes())
    damage = victim.place.offset + (40 if packed else 0)
    data[damage : damage + 8] = b"\0" * 8
    path.write_bytes(bytes(data))
    found = read(path)
    assert addresses(found) == [*URLS[:5], *URLS[6:]]
    assert sum(isinstance(one, UnreadableRecord) for one in found) == 1


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_ends_early_gives_all_that_is_whole(warc, stories, packed):
    path = warc(stories(12), gzip=packed)
    path.write_bytes(path.read_bytes()[:-40])
    found = read(path)
    assert addresses(found) == URLS[:11]
    assert isinstance(found[-1], UnreadableRecord)
    assert "ends in the middle" in found[-1].reason


def test_what_looks_like_a_record_inside_a_plain_page_is_part_of_the_page(warc, stories):
    forged = b"<p>x</p>\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\nevil"
    path = warc([*stories(2), ("https://www.harbour.example/forged", forged), *stories(3)[2:]], gzip=False)
    found = read(path)
    assert len(addresses(found)) == 4
    assert any(forged in one.block for one in found)


def test_a_block_longer_than_wanted_is_passed_over(warc, stories):
    found = read(warc([("https://www.harbour.example/big", b"x" * 100_000), *stories(1)]), max_block=50_000)
    assert [one.block is None for one in found] == [False, False, True, False, False]


def test_who_reads_may_have_a_record_passed_over(warc, stories):
    path = warc(stories(3))
    victim = read(path)[4].place

    def entering(place):
        if place == victim:
            raise BrokenRecord("not this one")

    assert addresses(read(path, entering=entering)) == [URLS[0], URLS[2]]


@pytest.mark.parametrize("seed", range(40))
def test_any_damage_is_survived(warc, stories, seed):
    chance = random.Random(seed)
    path = warc(stories(4), gzip=bool(seed % 2))
    data = bytearray(path.read_bytes())
    for _ in range(chance.randrange(1, 30)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(bytes(data))
    found = read(path)
    places = [one.place for one in found]
    assert places == sorted(set(places))
