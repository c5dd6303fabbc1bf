"""The rules of Tock as a library: cards, boards, rulesets, positions, moves, game records.

    from tock_rules import Position

    position = Position.start("mjc", players=4)
    position = position.play("KH P0:camp>T0*").end_turn()
    print(position)

Everything is a value that never changes, with a text form that reads back. Pure: no clock, no threads, no logging.
Programs that play thousands of games use `tock_rules.engine` as well.
"""

from tock_rules import own_files, own_rules, which_game
from tock_rules.action_texts import Action
from tock_rules.arguments import guard
from tock_rules.board import Board, Setup, SetupFault, SetupProblem
from tock_rules.card_actions import Row, Split
from tock_rules.card_table import CardTable
from tock_rules.cards import JOKERS, RANKS, STANDARD_PACK, SUITS, Card, Rank, Suit, pack, parse_hand
from tock_rules.choices import Choices
from tock_rules.dealing import Deal, DealPlan, deal_plan, gift_receiver
from tock_rules.errors import BadInputError
from tock_rules.geometry import CAMP, SUMMIT, BoardShape, camp_holes_of
from tock_rules.holes import CAMP_PLACE, HOLE_PATTERN, Hole, HoleKind, place_of
from tock_rules.judge import judge_move, judge_throw
from tock_rules.parts import Kind, Part, parse_parts
from tock_rules.paths import distance, path
from tock_rules.position import IllegalMoveError, Move, Outcome, Position
from tock_rules.record import Entry, GameRecord
from tock_rules.refusals import why_not_put_away
from tock_rules.ruleset import OPTIONS, Ruleset, load_preset, parse_value, ruleset_of, shape_for
from tock_rules.ruleset_check import Fault, faults_of
from tock_rules.ruleset_files import TEXTS, preset_names, preset_table, ruleset_text
from tock_rules.seating import (
    check_players,
    check_setup,
    left_of,
    player_counts,
    seats_for,
    seats_keeping,
    team_sizes,
    teams_of,
    usual_teams,
)
from tock_rules.seats import MAX_PAWNS, MAX_ZONE_LENGTH, MIN_ZONE_LENGTH, PAWNS_PER_SEAT, ZONE_LENGTH, Seat
from tock_rules.svg import board_svg
from tock_rules.switches import Option, Value
from tock_rules.turn import (
    AfterPlay,
    ThrowExit,
    TurnOptions,
    after_play,
    is_binding,
    is_starter,
    turn_options,
)
from tock_rules.violations import Param, Violation
from tock_rules.whole_game import Game

__version__ = "0.4.0.dev0"
"""The version of the library and of the companion; `make release` says when it changes."""

__all__ = [
    "CAMP",
    "CAMP_PLACE",
    "HOLE_PATTERN",
    "JOKERS",
    "MAX_PAWNS",
    "MAX_ZONE_LENGTH",
    "MIN_ZONE_LENGTH",
    "OPTIONS",
    "PAWNS_PER_SEAT",
    "RANKS",
    "STANDARD_PACK",
    "SUITS",
    "SUMMIT",
    "TEXTS",
    "ZONE_LENGTH",
    "Action",
    "AfterPlay",
    "BadInputError",
    "Board",
    "BoardShape",
    "Card",
    "CardTable",
    "Choices",
    "Deal",
    "DealPlan",
    "Entry",
    "Fault",
    "Game",
    "GameRecord",
    "Hole",
    "HoleKind",
    "IllegalMoveError",
    "Kind",
    "Move",
    "Option",
    "Outcome",
    "Param",
    "Part",
    "Position",
    "Rank",
    "Row",
    "Ruleset",
    "Seat",
    "Setup",
    "SetupFault",
    "SetupProblem",
    "Split",
    "Suit",
    "ThrowExit",
    "TurnOptions",
    "Value",
    "Violation",
    "after_play",
    "board_svg",
    "camp_holes_of",
    "check_players",
    "check_setup",
    "deal_plan",
    "distance",
    "faults_of",
    "gift_receiver",
    "is_binding",
    "is_starter",
    "judge_move",
    "judge_throw",
    "left_of",
    "load_preset",
    "own_files",
    "own_rules",
    "pack",
    "parse_hand",
    "parse_parts",
    "parse_value",
    "path",
    "place_of",
    "player_counts",
    "preset_names",
    "preset_table",
    "ruleset_of",
    "ruleset_text",
    "seats_for",
    "seats_keeping",
    "shape_for",
    "team_sizes",
    "teams_of",
    "turn_options",
    "usual_teams",
    "which_game",
    "why_not_put_away",
]

globals().update(guard({name: globals()[name] for name in __all__}))
