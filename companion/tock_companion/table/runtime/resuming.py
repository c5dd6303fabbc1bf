"""Games taken up from their logs: folded whole, hands too, and every view made once, before they are used."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tock_companion.boardfile import BoardFile, zone_text
from tock_companion.core.following import KEPT_AS as FOLLOWING
from tock_companion.core.following import followed_by, following_seats
from tock_companion.core.game_setup import GameSetup, board_of, game_started, is_played_on
from tock_companion.core.lobby import KEPT_AS, kept_lobby, lobby_of
from tock_companion.core.roster import Roster
from tock_companion.core.state import CoreState, Lobby
from tock_companion.core.step import begin_game
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.codec import read_log
from tock_companion.events.facts import Event, GameEnded, GameStarted
from tock_companion.events.game import fold
from tock_companion.events.hands import Hands, Secrets, fold_hands
from tock_companion.language import Text
from tock_companion.referee.matching.settle import Timing
from tock_companion.storage import DamagedGameError, Store
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.table.runtime.publisher import check_views
from tock_companion.table.seats.chairs import Places
from tock_companion.table.seats.hand_owners import Custody, forgetting, last_withheld, visible
from tock_companion.views.sentences import sentence
from tock_companion.views.snapshot import Surroundings, board_info, snapshot
from tock_companion.views.wording import games
from tock_rules import Seat, preset_names

LOG = logging.getLogger(__name__)
PlacesOn = Callable[[Collection[Seat], Mapping[Seat, str] | None], Places]


@dataclass(frozen=True, slots=True)
class FirstGame:
    """The game to begin where none is running."""

    setup: GameSetup
    lobby: Lobby | None = None
    """The lobby in which it waits for its beginning."""
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class TakenUp:
    """The game that goes on: its number and its state."""

    number: int
    state: CoreState
    damaged: int | None = None
    """The game in place of which this one begins, because it cannot be read."""
    missing: str | None = None
    """The ruleset of that game, where it is not installed."""


def taken_up_or_begun(
    store: Store, ledger: Ledger, board_file: BoardFile, roster: Roster, custody: Custody, first: FirstGame
) -> TakenUp:
    """Take up the game that was running, or begin the first one."""
    found = resumed(store, board_file, roster, first.timing, custody)
    if found.state is not None:
        return TakenUp(found.number, found.state)
    begun = begin_game(roster, started_now(first.setup, board_file), 0, timing=first.timing)
    number = found.number + 1
    ledger.append((number, begun.events, begun.secrets))
    ledger.write_if_idle(lambda: store.choices.keep(KEPT_AS, kept_lobby(first.lobby, number)))
    damaged = found.number if found.damaged else None
    return TakenUp(number, replace(begun.state, lobby=first.lobby), damaged, found.missing)


def started_now(setup: GameSetup, board_file: BoardFile) -> GameStarted:
    """The event that begins a game at this moment; raises BadInputError when the choices do not fit together."""
    return game_started(setup, board_file, datetime.now(UTC).isoformat(timespec="seconds"))


@dataclass(frozen=True, slots=True)
class Resumed:
    """The newest game of a store: its number (0 when there is none), and its state where it goes on."""

    number: int
    state: CoreState | None = None
    damaged: bool = False
    missing: str | None = None
    """Its ruleset, where that is not installed."""


def resumed(
    store: Store, board_file: BoardFile, roster: Roster, timing: Timing | None, custody: Custody = ()
) -> Resumed:
    """Take up the game that was running, with its lobby; a damaged one stays unchanged and costs no other game.

    Cards that are withheld from those who hold the seats now stay so.
    """
    number = store.newest_number()
    if number is None:
        return Resumed(0)
    try:
        log = store.game(number)
        if not log.running:
            return Resumed(number)
        state = state_of_log(
            log.events, visible(store.hands(number), custody, number), board_file, roster, timing
        )
        lobby = lobby_of(store.choices.get(KEPT_AS), number)
        if lobby is not None and not is_played_on(state.game.started, board_file):
            return Resumed(number)
    except BoardMismatchError as error:
        LOG.warning("game %d: %s; it is kept, and a new one begins", number, error)
        return Resumed(number)
    except DamagedGameError as error:
        LOG.error("%s; a new game begins", error)
        return Resumed(number, damaged=True)
    except BadInputError as error:
        LOG.error("%s; a new game begins", DamagedGameError(number, store.path, str(error)))
        started = log.events[0].fact
        played = started.ruleset if isinstance(started, GameStarted) else None
        return Resumed(number, damaged=True, missing=None if played in preset_names() else played)
    seats = following_seats(store.choices.get(FOLLOWING), number)
    if seats is not None:
        # Before anything is seen: a table that follows records no play of its own.
        state = followed_by(state, log.events, seats)
    return Resumed(number, replace(state, lobby=lobby))


def board_to_resume(store: Store) -> BoardFile | None:
    """The board of the game that is being played; None where none is, and where the game does not remember it."""
    number = store.newest_number()
    if number is None or lobby_of(store.choices.get(KEPT_AS), number) is not None:
        return None
    try:
        log = store.game(number)
        started = log.events[0].fact
        return board_of(started) if log.running and isinstance(started, GameStarted) else None
    except TockError as error:
        LOG.error("game %d: its board cannot be read (%s)", number, error)
        return None


class BoardMismatchError(BadInputError):
    """A game was played on a board of other zones."""


def state_of_lines(
    lines: Sequence[str], board_file: BoardFile, roster: Roster
) -> tuple[CoreState, tuple[Event, ...]]:
    """Read a log brought along; raises BadInputError for any fault in it.

    A game that was only given up, for another one, goes on where it was.
    """
    events = read_log(lines)
    last = events[-1].fact if events else None
    if isinstance(last, GameEnded) and not last.winner:
        events = events[:-1]
    return state_of_log(events, {}, board_file, roster), events


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game brought along, before it goes on."""

    started_at: str | None
    title: Text
    """Of the ruleset."""
    moves: int
    over: bool
    """It is won: it cannot go on."""
    sentence: Text
    """The seat to move, or the winners."""
    chairs: tuple[tuple[Seat, str, Seat | None], ...]
    """Its seats, with the player then (empty for a computer), and the present seat of the one who plays on there."""


def kept_game(
    lines: Sequence[str], board_file: BoardFile, known: Mapping[Seat, str], places_on: PlacesOn
) -> KeptGame:
    """Describe a game for people who may go on with it, as `places_on` would seat them; raises BadInputError."""
    players = {seat: name for seat, name in known.items() if name}
    roster = Roster(board_file.shape, board_file.colors, players)
    state, _ = state_of_lines(lines, board_file, roster)
    seats = state.position.seats
    players_now = {chair: seat for seat, chair in places_on(seats, known).items() if chair is not None}
    game, shown = state.game, snapshot(state, Surroundings(), board_info(board_file), 1)
    started, over = game.started, game.ended is not None
    title, summary = games.title(started.ruleset), sentence(shown, "over" if over else "card")
    chairs = tuple((seat, players.get(seat, ""), players_now.get(seat)) for seat in seats)
    return KeptGame(started.started_at, title, len(game.moves), over, summary, chairs)


def state_of_log(
    events: Sequence[Event],
    secrets: Secrets,
    board_file: BoardFile,
    roster: Roster,
    timing: Timing | None = None,
) -> CoreState:
    """Derive the table from a game's log; raises BadInputError for any log that the program fails on."""
    try:
        game = fold(events)
        own, here = game.position.shape, board_file.shape
        if own.size != here.size:
            raise BoardMismatchError(f"it was played on a board of {zone_text(own)}, not {zone_text(here)}")
        state = CoreState.of(roster, game, _hands(events, secrets), timing)
        check_views(state, board_file)
    except BadInputError:
        raise
    except Exception as error:
        # A log comes from outside: what no check above has foreseen must not reach the running table either.
        LOG.exception("a log could not be taken up")
        raise BadInputError(f"the log contradicts itself ({type(error).__name__}: {error})") from None
    return state


def _hands(events: Sequence[Event], secrets: Secrets) -> Hands:
    try:
        return fold_hands(events, secrets)
    except BadInputError as error:
        # Players can name their cards again; the game goes on without them.
        LOG.error("the hands of the game cannot be read (%s); they are forgotten", error)
        return fold_hands(events, {})


def hands_after(ledger: Ledger, number: int, hands: Hands, before: Custody, now: Custody) -> Hands:
    """The hands of game `number` without cards withheld since `before`, and with those shown again since then.

    Where the disk does not give the cards that may be shown again, they stay unknown.
    """
    hands = forgetting(hands, [kept for kept in now if kept.game == number and kept not in before])
    if not last_withheld(before, number).items() - last_withheld(now, number).items():
        return hands
    try:
        return fold_hands(ledger.game(number).events, visible(ledger.hands(number), now, number))
    except TockError:
        LOG.exception("cards that may be shown cannot be read; players can name them again")
        return hands
