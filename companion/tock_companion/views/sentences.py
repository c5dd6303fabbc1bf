"""The sentence by the board, on every page: the turn and the next action, to that player and to the others."""

from tock_companion.events.facts import ViolationFound
from tock_companion.language import Text
from tock_companion.views.far import is_waited_for
from tock_companion.views.lessons import Saying, lesson_sentence
from tock_companion.views.moves import instruction
from tock_companion.views.parts import Expectation, GuidanceInfo, ProposalInfo
from tock_companion.views.phrases import joined, listed, phrase
from tock_companion.views.state import TableState
from tock_rules import Seat


def expectation(state: TableState) -> Expectation:
    """The event that the table waits for."""
    game = state.game
    if game.ended is not None:
        return "over"
    if game.paused:
        return "paused"
    if game.warning is not None:
        return "repair"
    if game.question is not None:
        return "answer"
    if state.givers:
        return "give"
    return "card" if game.card is None else "move"


def sentence(state: TableState, expects: Expectation) -> Text:
    """The sentence for everybody."""
    taught = _taught(state, expects)
    if taught is not None:
        return taught
    game, names, position = state.game, state.names, state.position
    seat = names.seat(position.to_move)
    if state.lobby is not None and expects == "card":
        return phrase("lobby")
    if expects == "over":
        winners = game.ended.winner if game.ended is not None else None
        if not winners:
            return phrase("over-given-up")
        code = "over-won" if len(winners) == 1 else "over-won-many"
        return phrase(code, winner=listed([names.seat(Seat[name]) for name in winners]))
    if expects in ("card", "move") and is_waited_for(state):
        return phrase("far-turn-waits", seat=seat)
    if expects == "move" and game.card is not None:
        if state.announced is not None:
            return instruction(position.to_move, state.announced, names)
        code = "expect-move" if position.legal_moves(game.card) else "expect-no-move"
        return phrase(code, seat=seat, card=state.names.card(game.card))
    if expects == "give":
        return phrase("expect-give", who=listed([names.seat(giver) for giver in sorted(state.givers)]))
    if expects == "card" and game.moved:
        return phrase("expect-card-again", seat=seat)
    if expects == "repair":
        # It names nobody: another may have moved the pawn, and nobody errs who takes a turn back.
        calm = "expect-restore" if game.restores else "expect-repair"
        return phrase("expect-turn" if _is_about_a_card(state) else calm, seat=seat)
    asked = phrase(f"expect-{expects}", seat=seat)
    return joined([*_put_away(state), asked], " ") if expects == "card" else asked


def own_sentence(state: TableState, expects: Expectation, *, may_discard: bool) -> Text | None:
    """The sentence for the player whose turn it is; None where it is the same as everybody's."""
    game, seat = state.game, state.names.seat(state.position.to_move)
    if state.lobby is not None or state.practice is not None:
        return None
    if expects == "card":
        return phrase("own-card-again" if game.moved else "own-card", seat=seat)
    if expects == "move" and state.announced is not None:
        return phrase("far-own-planned") if state.position.to_move in state.names.far else None
    if expects == "move" and game.card is not None:
        code = "far-own-move" if state.position.to_move in state.names.far else "own-move"
        if not state.position.legal_moves(game.card):
            code = "own-throw" if may_discard else "own-no-move"
        return phrase(code, card=state.names.card(game.card))
    return None


def own_gift(state: TableState, seat: Seat, expects: Expectation) -> Text | None:
    """The sentence for a player who has to give a card, or has given it; None where nobody gives one."""
    exchange = state.hands.exchange
    if expects != "give" or (seat not in state.givers and exchange.gift_of(seat) is None):
        return None
    code = "own-give" if seat in state.givers else "own-given"
    return phrase(code, mate=state.names.seat(exchange.mates[seat]))


def _taught(state: TableState, expects: Expectation) -> Text | None:
    """The sentence of a lesson; None where the table waits for something else."""
    practice, game = state.practice, state.game
    if practice is None or expects in ("paused", "answer"):
        return None
    saying: Saying = "card_asked" if expects == "card" else "move_asked"
    if expects == "over":
        saying = "done"
    elif expects == "repair":
        if game.taken_back is not None:
            return phrase("practice-other")
        saying = "place" if game.restores else "slip"
    pawn, other = state.names.pawn(practice.learner), state.names.pawn(practice.other)
    return lesson_sentence(practice.number - 1, saying, pawn=pawn, other=other)


def own_guidance(state: TableState, seat: Seat, shown: GuidanceInfo | None) -> GuidanceInfo | None:
    """The instruction, to the player whose turn was taken back."""
    taken = state.game.taken_back
    if shown is None or shown["code"] != "taken_back" or taken is None or taken.seat is not seat:
        return shown
    code = "taken-back-mine" if taken.card is not None else "taken-back-mine-thrown"
    card = state.names.card(taken.card) if taken.card is not None else ""
    return {**shown, "sentence": phrase(code, card=card)}


def own_proposal(state: TableState, seat: Seat, shown: ProposalInfo | None) -> ProposalInfo | None:
    """A proposal, to the player whose own last move it is."""
    if shown is None or shown["asked"] != seat.name:
        return shown
    return {**shown, "sentence": phrase("proposal-asks-you", seat=state.names.seat(Seat[shown["by"]]))}


def _is_about_a_card(state: TableState) -> bool:
    warning = state.game.warning
    return isinstance(warning, ViolationFound) and warning.code.startswith("card/")


def _put_away(state: TableState) -> list[Text]:
    """Cards that computers have thrown away since anybody moved: nobody sees them on the table."""
    moved = state.game.moves[-1].seq if state.game.moves else 0
    cards: dict[Seat, list[Text]] = {}
    latest = None
    for left in reversed(state.hands.played):
        another_round = left.seat in cards and left.seat is not latest
        if left.seq <= moved or left.seat not in state.names.computers or another_round:
            break
        latest = left.seat
        cards[latest] = [state.names.card(left.card), *cards.get(latest, ())]
    return [
        phrase("computer-puts-away", seat=state.names.seat(seat), cards=joined(names, ", "))
        for seat, names in reversed(cards.items())
    ]
