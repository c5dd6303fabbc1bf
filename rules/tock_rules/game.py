"""The properties of a game that no house rule changes: its board, its cards, its deal, and how its pawns meet.

A ruleset file gives values to these and to the switches of `house_rules`, in sections of its own choice, as a plain
value or as `{ value = …, rests_on = […] }`. A switch written the second way is offered to the host as a house rule;
every other value is fixed. The fields of both classes have the same right: nothing else tells one game from another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tock_rules.card_actions import OWN_ROWS, ROWS, CardRows, check_rows
from tock_rules.errors import BadInputError, nearest, quoted
from tock_rules.seats import MAX_PAWNS, MAX_ZONE_LENGTH, MIN_ZONE_LENGTH, PAWNS_PER_SEAT, ZONE_LENGTH

Directions = Literal["clockwise", "anticlockwise"]
OwnPawns = Literal["free", "forbidden"]
OntoOwnFresh = Literal["barred", "takes"]
PastDoor = Literal["lap", "stops"]
DealerMoves = Literal["never", "hand", "pack"]
Lead = Literal["left_of_dealer", "moves_on", "moves_on_in_pack"]
NeverForced = Literal["always", "beside_others"]

BOARDS = (2, 3, 4, 6, 8)
"""The numbers of zones that boards have."""
PLAYERS = tuple(map(str, range(2, 9)))
RANGES = {
    "zone_length": (MIN_ZONE_LENGTH, MAX_ZONE_LENGTH),
    "pawns_per_seat": (1, MAX_PAWNS),
    "suits_per_player": (0, 8),
    "jokers_per_pack": (0, 8),
    "points_pawn": (0, 1000),
    "points_win": (0, 1000),
}
"""The least and the most of the numbers."""

USUAL_HANDS = {
    "2": (6, 6, 5, 5, 5),
    "3": (5, 5, 4, 4),
    "4": (5, 4, 4),
    "5": (5, 5),
    "6": (5, 4),
    "7": (5, 5, 5),
    "8": (5, 4, 4),
}
"""The hands of a table of deals, where a file has none of its own (R002-06)."""


@dataclass(frozen=True, kw_only=True)
class GameRules:
    """Board, cards, deal and pawns of a game."""

    # Board
    zone_length: int = ZONE_LENGTH
    """Track holes of one zone."""
    pawns_per_seat: int = PAWNS_PER_SEAT
    """Pawns of a seat, and holes of a camp and of a home."""
    zones: tuple[int, ...] = (4, 6, 8)
    """The boards that the game is played on."""
    zone_each: bool = False
    """Every player has a zone and no zone is left over."""
    direction: Directions = "clockwise"
    """The way round in pictures; holes and seats are numbered in this direction."""
    fresh_enters: bool = True
    """Where the start is the door, a pawn that has just come out may go straight in."""

    # Cards
    cards: CardRows = field(default_factory=dict)
    """The actions of each rank (`card_actions`)."""
    suits_per_player: int = 0
    """Suits in the pack for each player; 0: whole packs."""
    jokers_per_pack: int = 2
    """Where the pack has jokers."""
    packs_from: Mapping[str, int] = field(default_factory=dict)
    """More packs from a number of players on, as `8 = 4`."""

    # Deal
    hands: Mapping[str, tuple[int, ...]] = field(default_factory=USUAL_HANDS.copy)
    """Cards of each hand of one dealer, by number of players (`all` for the rest), where they are a table."""
    pack_goes_on: bool = False
    """After the last hand the first follows from the same pack, as long as it has cards for it."""
    dealer_moves: DealerMoves = "pack"
    """When the next player deals."""
    lead: Lead = "left_of_dealer"
    """The seat that plays first in a hand: the dealer's neighbour, or the one after the last that did, for all hands
    or only those of one pack.
    """

    two_teams: bool = False
    """The players form two teams, whose members sit in turn."""
    smaller_teams: bool = False
    """Where there are two teams, more and smaller ones are possible too."""

    # Pawns
    own_pawns: OwnPawns = "free"
    """Passing own pawns and landing on them; a card that takes in passing does both."""
    bumped_partner_to_door: bool = False
    """A partner's pawn landed on goes to its own door on the track."""
    onto_own_fresh: OntoOwnFresh = "barred"
    """Coming out onto an own protected pawn."""
    past_door: PastDoor = "lap"
    """A pawn before its door with a card too big for its home; one that another player moves always goes past it."""
    mates_in_turn: bool = False
    """A finished player plays for the next unfinished mate only, not for all."""

    # Turn and end
    never_forced: Mapping[str, NeverForced] = field(default_factory=dict)
    """Ranks that need not be played although they can be: `always`, or `beside_others` while another card is held."""
    points_pawn: int = 0
    """Points for each pawn at home."""
    points_win: int = 0
    """Points for winning, besides."""

    def check_game(self) -> None:
        """Raise `BadInputError` for numbers or cards that no game has."""
        check_rows(self.cards)
        for _, fault in self.game_faults():
            raise BadInputError(fault)

    def game_faults(self) -> Iterator[tuple[str, str]]:
        """The entry and the fault of every number that no game has."""
        if not self.zones or not set(self.zones) <= set(BOARDS):
            yield "zones", f"zones are some of {', '.join(map(str, BOARDS))}, not {quoted(list(self.zones))}"
        for name, (least, most) in RANGES.items():
            if not least <= getattr(self, name) <= most:
                yield name, f"{name} is {least} to {most}, not {quoted(getattr(self, name))}"
        for name, known in (("hands", ("all", *PLAYERS)), ("packs_from", PLAYERS)):
            for key in getattr(self, name):
                if key not in known:
                    yield name, f"{name}: {quoted(key)} is no number of players; write {', '.join(known)}"
        if any(not hand or min(hand) < 1 for hand in self.hands.values()):
            yield "hands", "hands: every hand has a card at least"
        if any(packs < 1 for packs in self.packs_from.values()):
            yield "packs_from", "packs_from: a game has a pack at least"
        for card in self.never_forced:
            if card not in ROWS and card not in OWN_ROWS:
                yield "never_forced", f"never_forced: no such card: {quoted(card)}; {nearest(card, ROWS)}"
