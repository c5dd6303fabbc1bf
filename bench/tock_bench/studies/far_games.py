"""Whole games with far seats, lines cut and programs killed, every byte in between crawled. Goes on where it was ended.

Real homes, a real relay, Mosquitto and TLS, all as processes; phones far away are programs with a phone's sessions.
Several homes play at a time at one meeting place: seats and lines differ, one to three seats of each are far away.
"""

import asyncio
import json
import logging
import random
import shutil
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from math import ceil
from pathlib import Path
from typing import Any

from tock_bench.far.crawler import Crawler, planted
from tock_bench.far.evening import NAMES, Evening, Rates
from tock_bench.far.ledger import Differences, newest_game
from tock_bench.far.meeting import Meeting
from tock_bench.far.recording import Recording, crawled_files
from tock_bench.places import BUILD
from tock_bench.results import Measured, Say, add_counts, table
from tock_companion.errors import TockError
from tock_companion.events.codec import event_to_line

FOLDER = BUILD / "far-games"
GAMES, CRAWLED = 200, 100
GAMES_OF_HOME, HOMES_AT_ONCE = 4, 12
OPENED_AT_ONCE = 2
SEED = 40
MAX_NOTES = 40
PLANT = f'{{"view":{{"to_move":"P0","card":"AH","holes":{{"T20":"P1"}},"name":"{NAMES[0]}"}}'.encode()


@dataclass
class Counts:
    """All findings so far."""

    homes: list[int] = field(default_factory=list)
    """Numbers of the homes whose evening is over."""
    relay_kills: int = 0
    broker_kills: int = 0
    crawled_games: int = 0
    crawled_bytes: dict[str, int] = field(default_factory=dict)
    leaks: dict[str, int] = field(default_factory=dict)
    planted: int = 0
    planted_found: int = 0
    found: dict[str, float] = field(default_factory=dict)
    by_far_seats: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, evening: Evening) -> None:
        """Add what an evening has found."""
        sums, found = Counter(self.found), evening.found
        for part in (found, found.differences):
            sums.update({each.name: _number(getattr(part, each.name)) for each in fields(part)})
        self.found = {name: round(value, 1) for name, value in sums.items()}
        far = str(len(evening.far))
        self.by_far_seats[far] = self.by_far_seats.get(far, 0) + found.games
        self.notes = (self.notes + [f"home {evening.number}: {note}" for note in found.differences.notes])[
            :MAX_NOTES
        ]
        self.homes.append(evening.number)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0


def run(
    say: Say, games: int = GAMES, crawled: int = CRAWLED, at_once: int = HOMES_AT_ONCE, seed: int = SEED
) -> Measured:
    """Play until there are `games` of that seed; every byte of the first `crawled` ones is recorded and crawled."""
    # Lines that are cut while something is written are what is measured.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"seed-{seed}.json"
    counts = Counts(**json.loads(kept.read_text())) if kept.exists() else Counts()
    while (left := games - counts.found.get("games", 0)) > 0:
        first = max(counts.homes, default=-1) + 1
        missing = list(range(first, first + min(at_once, ceil(left / GAMES_OF_HOME))))
        is_crawled = counts.crawled_games < crawled
        asyncio.run(_together(missing, seed, counts, say, is_crawled=is_crawled))
        kept.write_text(json.dumps(asdict(counts), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return measured(counts)


async def _together(numbers: list[int], seed: int, counts: Counts, say: Say, *, is_crawled: bool) -> None:
    """Some homes' evenings at one meeting place."""
    folder = FOLDER / f"at-{numbers[0]}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    recording = Recording() if is_crawled else None
    meeting = Meeting(folder / "relay", recording, random.Random(seed))
    crawler = Crawler(NAMES)
    await meeting.open()
    evenings = [Evening(number, seed, folder / f"home-{number}", meeting, Rates()) for number in numbers]
    opening = asyncio.Semaphore(OPENED_AT_ONCE)
    playing = asyncio.gather(*(_played(one, opening, say) for one in evenings), return_exceptions=True)
    try:
        while not playing.done():
            await asyncio.wait({playing}, timeout=20)
            if recording is not None:
                _note(counts, await asyncio.to_thread(recording.crawl, crawler))
        for problem in await playing:
            if problem is not None:
                counts.notes.append(repr(problem)[:400])
                say(repr(problem)[:400])
    finally:
        for evening in evenings:
            await evening.close()
        await meeting.close()
    counts.relay_kills += meeting.relay_kills
    counts.broker_kills += meeting.broker_kills
    for evening in evenings:
        counts.add(evening)
    if recording is not None:
        _crawl_rest(counts, recording, crawler, folder, evenings)
    if not counts.notes:
        shutil.rmtree(folder, ignore_errors=True)


async def _played(evening: Evening, opening: asyncio.Semaphore, say: Say) -> None:
    async with opening:
        await evening.open()
    for _ in range(GAMES_OF_HOME):
        differences = await evening.game()
        add_counts(evening.found.differences, differences)
        if differences.notes:
            _keep_log(evening, differences)
        found = evening.found
        say(
            f"home {evening.number}, {len(evening.far)} far: {found.games} games, {found.turns} turns, "
            f"{found.cuts} cuts, "
            f"{found.home_kills} kills, lost {found.differences.lost}, doubled {found.differences.doubled}, "
            f"unnoticed {found.differences.unnoticed}, stuck {found.stuck}, {found.seconds:.0f} s"
        )


def _keep_log(evening: Evening, differences: Differences) -> None:
    """Keep the log of a game in which something differs."""
    lines = [event_to_line(event) for event in newest_game(evening.folder)]
    text = "\n".join([*differences.notes, *lines, ""])
    (FOLDER / f"home-{evening.number}-game-{evening.found.games}.txt").write_text(text, encoding="utf-8")


def _note(counts: Counts, finds: Counter[tuple[str, str, str]]) -> None:
    for find, count in finds.items():
        name = ", ".join(find)
        counts.leaks[name] = counts.leaks.get(name, 0) + count


def _crawl_rest(
    counts: Counts, recording: Recording, crawler: Crawler, folder: Path, evenings: list[Evening]
) -> None:
    """Crawl what is left: the end of the recording, disks, logs; and plant what has to be found."""
    _note(counts, recording.crawl(crawler))
    read = Counter(recording.bytes_at)
    for place, below in (("disk and logs of relay and broker", folder / "relay"), *_logs(folder)):
        size, finds = crawled_files(crawler, place, below)
        read[place] += size
        _note(counts, finds)
    counts.crawled_games += sum(evening.found.games for evening in evenings)
    counts.crawled_bytes = dict(Counter(counts.crawled_bytes) + read)
    rng = random.Random(counts.crawled_games)
    for place in ("relay", "broker", "network", "spy"):
        for hide in planted().values():
            take = recording.of(place)()
            whole = rng.randbytes(5_000) + hide(PLANT) + rng.randbytes(5_000)
            # In two reads, as a line brings it.
            middle = rng.randrange(4_990, 5_040)
            take(whole[:middle])
            take(whole[middle:])
            counts.planted += 1
            counts.planted_found += bool(recording.crawl(crawler))


def _logs(folder: Path) -> list[tuple[str, Path]]:
    """The logs of homes, each alone in a folder."""
    found = []
    for log in folder.glob("home-*/home.log"):
        alone = log.parent / "log"
        alone.mkdir(exist_ok=True)
        log.rename(alone / log.name)
        found.append(("logs of homes", alone))
    return found


def measured(counts: Counts) -> Measured:
    """The tables."""
    found = counts.found
    if not found:
        raise TockError("nothing was played")
    kills = int(counts.relay_kills + counts.broker_kills + found["home_kills"])
    games = [
        ("games; with one, two, three far seats", f"{found['games']:,.0f}; " + ", ".join(
            str(counts.by_far_seats.get(far, 0)) for far in "123")),
        ("steps of players; requests granted", f"{found['turns']:,.0f}; {found['requests']:,.0f}"),
        ("events in the logs; views compared with them", f"{found['events']:,.0f}; {found['views']:,.0f}"),
        ("lines cut; new sessions", f"{found['cuts']:,.0f}; {found['sessions']:,.0f}"),
        ("killed: homes, relays, brokers", f"{found['home_kills']:,.0f}, {counts.relay_kills}, {counts.broker_kills}"),
        ("shown or granted, and lost", f"**{found['lost']:.0f}**"),
        ("doubled", f"**{found['doubled'] + found['differing_answers']:.0f}**"),
        ("views that differ from the log", f"**{found['unnoticed']:.0f}**"),
        ("games that stood still", f"**{found['stuck']:.0f}**"),
    ]  # fmt: skip
    crawl = [
        ("games", counts.crawled_games),
        *((f"MB: {place}", round(size / 1e6, 1)) for place, size in counts.crawled_bytes.items()),
        ("finds of cards, positions, names or messages", f"**{sum(counts.leaks.values())}**"),
        ("planted leaks found", f"{counts.planted_found} of {counts.planted}"),
    ]
    figures: dict[str, Any] = {**asdict(counts), "kills": kills}
    wrong = (found["lost"], found["doubled"], found["unnoticed"], found["stuck"], sum(counts.leaks.values()))
    text = table(("whole games", ""), games) + "\n\n" + table(("crawled", ""), crawl)
    return Measured(figures, text, not any(wrong) and counts.planted_found == counts.planted)
