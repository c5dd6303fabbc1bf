"""All sentences that a game shows, in both languages, for proof-reading.

For each ruleset: its rules, then what the page says while a game is played by people who err, who count aloud, and who
leave moves half done. Each sentence stands there once, French above English.
"""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.support.tables import NO_BOARD
from tock_bench.noisy.mistakes import VISIBLE, steps
from tock_bench.noisy.noise import FRAME_MS
from tock_bench.noisy.person import Shot, standing_on
from tock_bench.noisy.slow_moves import DELIBERATE, is_played, with_pause
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tabletop import Tabletop
from tock_bench.results import Figures, Say
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.rules import OPTIONS, Move, Ruleset, load_preset, preset_names
from tock_companion.table.core.snapshot import Surroundings, snapshot
from tock_companion.views.moves import Chronicle
from tock_companion.views.roles import host_view, seat_view
from tock_companion.views.table import public_view
from tock_companion.views.wording.rulesheet import rulesheet
from tock_companion.views.wording.words import value_label

TURNS, MISTAKES = 60, 60
LONG_MS = 3_000


def run(_say: Say) -> Figures:
    """Print everything, ruleset by ruleset."""
    printed: set[tuple[str, str]] = set()
    for name in preset_names():
        rules = load_preset(name)
        heading(f"{name}: the rules")
        for fr, en in zip(rulesheet(rules, "fr"), rulesheet(rules, "en"), strict=True):
            show(printed, (fr.heading, en.heading))
            for pair in zip(fr.lines, en.lines, strict=True):
                show(printed, pair)
        heading(f"{name}: a game")
        for pair in game(rules):
            show(printed, pair)
    heading("house rules")
    for option in OPTIONS.values():
        labels = [value_label(option.name, value) for value in option.allowed]
        values = [" | ".join(label[lang] for label in labels) for lang in ("fr", "en")]
        show(printed, (f"{option.fr}  [{values[0]}]", f"{option.en}  [{values[1]}]"))
    return {"sentences": len(printed)}


def heading(text: str) -> None:
    """Print a heading."""
    sys.stdout.write(f"\n## {text}\n\n")


def show(printed: set[tuple[str, str]], pair: tuple[str, str]) -> None:
    """Print a sentence that was not printed before."""
    if pair not in printed:
        printed.add(pair)
        sys.stdout.write(f"{pair[0]}\n    {pair[1]}\n")


def game(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield what views say while moves are made, left half done, and made wrongly."""
    rng = Random(1)
    table = NoisyTable(rules.name, DELIBERATE, 1)
    for _ in range(TURNS):
        yield from texts(table)
        move = choose(table, rng)
        if move is None:
            break
        film = with_pause(table.film(move), LONG_MS, rng)
        yield from filmed(table, move, film)
    for _ in range(MISTAKES):
        yield from mistake(rules, rng)


def choose(table: NoisyTable, rng: Random) -> Move | None:
    """A legal move that can be seen, of any card."""
    position = table.core.position
    moves = [
        move
        for card in table.cards
        for move in position.legal_moves(card)
        if not move.result.looks_like(position.board)
    ]
    return rng.choice(moves) if moves and table.core.game.ended is None else None


def filmed(table: NoisyTable, move: Move, film: list[Shot]) -> Iterator[tuple[str, str]]:
    """Yield what is said while a film of a move is shown."""
    table.lay(move.card)
    for shot in film:
        table.show(shot)
        yield from texts(table)
    table.show(Shot(film[-1].standing, frozenset(), LONG_MS))


def mistake(rules: Ruleset, rng: Random) -> Iterator[tuple[str, str]]:
    """Yield what is said of one mistake."""
    wrong = rng.choice(VISIBLE)(Tabletop(rng, rules))
    if wrong is None or wrong.seen.problems():
        return
    position = wrong.position
    if explain(position, wrong.card, wrong.seen).violation is None or not is_played(position):
        return
    table = NoisyTable.at(position, DELIBERATE, rng.randrange(1_000_000))
    table.lay(wrong.card)
    for standing in (standing_on(position.board), *steps(position.board, wrong.seen.board())):
        table.show(Shot(standing, frozenset(), FRAME_MS * 5))
    table.show(Shot(standing, frozenset(), LONG_MS))
    yield from texts(table)


def texts(table: NoisyTable) -> Iterator[tuple[str, str]]:
    """Yield every text of every view, as it stands now."""
    shown = snapshot(table.core.state, Surroundings(), NO_BOARD, 1)
    public = public_view(shown, Chronicle())
    views = [host_view(public, shown), *(seat_view(public, shown, seat) for seat in shown.position.seats[:2])]
    yield from {pair: None for view in views for pair in within(view)}


def within(value: Any) -> Iterator[tuple[str, str]]:
    """Yield all texts inside a view."""
    if isinstance(value, dict) and value.keys() == {"fr", "en"}:
        yield value["fr"], value["en"]
    elif isinstance(value, dict):
        for inner in value.values():
            yield from within(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from within(inner)
