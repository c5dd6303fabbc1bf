"""Entries of a ruleset file that change nothing, because no card or rule of the file ever uses them."""

from collections.abc import Callable, Iterator

from tock_rules.card_actions import CARD_SWITCHES, OWN_ROWS, CardRows, Row, read_row, row_of, with_switch
from tock_rules.dealing import deal_plan
from tock_rules.errors import BadInputError
from tock_rules.ruleset import Ruleset
from tock_rules.seating import player_counts

JOKERS = ("joker", "JOK_B", "JOK_C")
OF_JOKERS = ("joker_starts", "joker_value", "joker_second_move", "colour_joker_sweeps", "jokers_per_pack")
OF_SECOND_MOVES = ("joker_store_limit", "joker_second_when", "joker_second_compulsory")
OF_SPLITS = (
    "seven_pawns",
    "seven_same_pawn_twice",
    "seven_takes",
    "seven_partner_rest",
    "seven_with_mates",
)
OF_JUMPS = (
    "jump_takes_first",
    "jump_optional",
    "jump_chain",
    "jump_after_four",
    "jump_after_five",
    "jump_in_seven",
    "jump_over_own_start",
)
OF_MATES = (
    "two_teams",
    "smaller_teams",
    "card_exchange",
    "partner_landing",
    "bumped_partner_to_door",
    "finished_plays_mates",
    "mates_in_turn",
    "seven_partner_rest",
    "seven_with_mates",
)
OF_PROTECTION = ("start_blocks", "king_at_protected", "onto_own_fresh", "owner_may_swap_protected")


class _Game:
    """The results that the house rules of a game may still give it."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.has_jokers = self.may_be("jokers", True) and not rules.suits_per_player
        offered = [switch for switch in CARD_SWITCHES if switch in rules.options]
        tables: list[CardRows] = [
            rules.cards,
            *(
                with_switch(rules.cards, switch, value)
                for switch in offered
                for value in rules.options[switch].allowed
            ),
        ]
        names = dict.fromkeys(card for table in tables for card in table)
        self.rows = [
            read_row(card, row_of(table, card))
            for table in tables
            for card in names
            if card not in JOKERS or self.has_jokers
        ]

    def may_be(self, name: str, *values: object) -> bool:
        """Whether a switch has one of these values, or a house rule can give it one."""
        offered = self.rules.options[name].allowed if name in self.rules.options else ()
        return any(value in values for value in (getattr(self.rules, name), *offered))

    def has(self, asks: Callable[[Row], object]) -> bool:
        """Whether some card acts so."""
        return any(map(asks, self.rows))


def unused_entries(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Name and reason of every switch and property that can have no effect in this game."""
    game = _Game(rules)
    for names, has_effect, why in _NEEDS:
        if not has_effect(game):
            yield from ((name, f"{name} has no effect: {why}") for name in names)


def unused_actions(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Card and reason of every action that another one of the row makes void, and of rows that the pack has not."""
    game = _Game(rules)
    for card, actions in rules.cards.items():
        if card in JOKERS and not game.has_jokers:
            yield card, f"card {card}: its row has no effect: the pack has no joker"
        elif card in OWN_ROWS and card not in JOKERS and not _in_pack(rules, card):
            yield card, f"card {card}: its row has no effect: the pack has no such card"
        for at, action in enumerate(actions):
            others = (*actions[:at], *actions[at + 1 :])
            if (others or action != "nothing") and _same(read_row(card, others), read_row(card, actions)):
                yield card, f"card {card}: {action} has no effect beside {', '.join(others) or 'nothing'}"
            for word, has_effect, why in _ACTION_NEEDS:
                if word in action and not has_effect(game):
                    yield card, f"card {card}: {word} has no effect: {why}"


def _same(one: Row, other: Row) -> bool:
    return (
        set(one.steps) == set(other.steps) and one.__class__(**{**vars(one), "steps": other.steps}) == other
    )


def _in_pack(rules: Ruleset, card: str) -> bool:
    try:
        decks = [deal_plan(rules, count).deck for count in player_counts(rules)]
    except BadInputError:
        return True
    named = {"2S": ("2S",), "J_one_eyed": ("JS", "JH")}[card]
    return any(str(one) in named for deck in decks for one in deck)


def _mates(game: _Game) -> bool:
    return game.may_be("teams", "teams", "choose")


def _protects(game: _Game) -> bool:
    return game.may_be("start_protection", "fresh", "any_own")


_NEEDS: tuple[tuple[tuple[str, ...], Callable[[_Game], bool], str], ...] = (
    (OF_JOKERS, lambda game: game.has_jokers, "the pack has no joker"),
    (OF_SECOND_MOVES, lambda game: game.has(lambda row: row.again), "no card gives a second move"),
    (OF_SPLITS, lambda game: game.has(lambda row: row.split), "no card is shared"),
    (OF_JUMPS, lambda game: game.may_be("summit_jump", True), "no pawn jumps from a 7 to the next"),
    (OF_MATES, _mates, "nobody has a partner"),
    (OF_PROTECTION, _protects, "no pawn is protected on its start"),
    (
        ("jack_swap", "start_not_swapped", "owner_may_swap_protected"),
        lambda game: game.has(lambda row: row.swap),
        "no card swaps pawns",
    ),
    (
        ("start_push_immune", "five_into_home", "jump_after_five"),
        lambda game: game.has(lambda row: row.push),
        "no card moves a pawn of others",
    ),
    (
        ("joker_brings_last",),
        lambda game: game.has(lambda row: row.wild),
        "no joker stands for other cards",
    ),
    (
        ("one_eyed_compulsory",),
        lambda game: game.has(lambda row: row.swap == "any_two"),
        "no card swaps any two pawns",
    ),
    (
        ("hands", "pack_goes_on"),
        lambda game: game.may_be("dealing", "table"),
        "hands are no table; set dealing = table",
    ),
    (
        ("hand_size",),
        lambda game: (
            game.may_be("dealing", "keep_hand", "descending") or game.may_be("draw_after_card", True)
        ),
        "the hands are a table",
    ),
    (
        ("stock_renewal",),
        lambda game: game.may_be("dealing", "keep_hand"),
        "nobody draws from a stock; set dealing = keep_hand",
    ),
    (
        ("packs", "second_pack_from", "packs_from", "extra_sevens"),
        lambda game: not game.rules.suits_per_player,
        "suits_per_player counts the cards",
    ),
    (
        ("dotted_line_cost", "dotted_double"),
        lambda game: game.may_be("dotted_lines", True),
        "there are no dotted lines",
    ),
    (("dotted_lines",), lambda game: max(game.rules.zones) > 4, "boards of 4 zones have no dotted lines"),
    (("dotted_double",), lambda game: 8 in game.rules.zones, "only boards of 8 zones have double lines"),
    (("centre_jack_swap",), lambda game: game.may_be("centre", True), "the board has no centre"),
    (
        ("fresh_enters",),
        lambda game: game.may_be("entrance_back", 0),
        "the start is not the door; set entrance_back = 0",
    ),
    (
        ("voluntary_bypass",),
        lambda game: game.rules.past_door == "lap",
        "past_door = stops lets no pawn past its door",
    ),
    (("smaller_teams",), lambda game: game.rules.two_teams, "it needs two_teams"),
    (("mates_in_turn",), lambda game: game.may_be("finished_plays_mates", True), "no mate is played for"),
    (("never_forced",), lambda game: game.may_be("forced_play", True), "no card is forced"),
    (("talk_penalty",), lambda game: game.may_be("talk_forbidden", True), "talking is allowed"),
)
"""Entries, whether they can have an effect, and why not."""
_ACTION_NEEDS: tuple[tuple[str, Callable[[_Game], bool], str], ...] = (
    ("start:mate", _mates, "nobody has a partner"),
    ("mate_rest", _mates, "nobody has a partner"),
    ("mates", _mates, "nobody has a partner"),
    ("centre", lambda game: game.may_be("centre", True), "the board has no centre; set centre = true"),
)
