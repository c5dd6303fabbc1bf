"""Why an action with cards is refused: a code, and the statements behind it."""

from tock_rules.cards import Card
from tock_rules.choices import NOTHING, Choices
from tock_rules.ruleset import Ruleset
from tock_rules.seats import Seat
from tock_rules.violations import Violation

RESTS_ON: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "over": (("end",), ()),
    "not_your_turn": (("turn",), ()),
    "not_held": (("must_move",), ()),
    "hand_playable": (("forced",), ()),
    "whole_hand": ((), ("no_play",)),
    "one_card": ((), ("no_play",)),
    "mid_turn": (("second_move", "forced"), ()),
    "must_play_more": (("second_move",), ("joker_store_limit",)),
    "turn_open": (("must_move",), ()),
    "no_exit": (("throw",), ("throw_exit",)),
    "give_first": ((), ("card_exchange",)),
    "no_gift": ((), ("card_exchange",)),
    "no_draw": ((), ("draw_after_card",)),
    "deal_due": ((), ("dealing",)),
    "deal_early": ((), ("dealing",)),
    "deal_count": ((), ("dealing",)),
    "pack_short": ((), ("packs",)),
}
"""The subjects of the statements behind each code: mistakes, then switches."""


def refusal(rules: Ruleset, code: str, seat: Seat | None, card: Card | None = None) -> Violation:
    """The refusal of that code to a seat; without a statement of its own, the duty to play is its ground."""
    things, switches = RESTS_ON[code]
    behind = [rules.rests_on.get(switch) or rules.refs(switch) for switch in switches]
    refs = [*rules.refs(*things), *(ref for found in behind for ref in found)]
    return Violation(f"hand/{code}", tuple(dict.fromkeys(refs)) or rules.refs("must_move"), seat, card)


def why_not_put_away(choices: Choices, cards: int, held: int, played: int) -> str | None:
    """The code of the reason why a seat that holds `held` cards may not put `cards` of them away; None if it may."""
    if cards and (cards == choices.discard or (choices.hand and cards == held)):
        return None
    if choices.hand or choices.discard:
        return "whole_hand" if choices.hand else "one_card"
    if choices.give or choices == NOTHING:
        return why_not_ended(choices, played)
    if played:
        return "mid_turn" if choices.end else "must_play_more"
    return "not_held" if choices.end else "hand_playable"


def why_not_ended(choices: Choices, played: int) -> str | None:
    """The code of the reason why the turn may not end without a card; None if it may."""
    if choices.end:
        return None
    if choices.give:
        return "give_first"
    if choices == NOTHING:
        return "over"
    return "must_play_more" if played else "turn_open"
