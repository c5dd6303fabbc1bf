"""Taking moves back: one's own at once, another's when they agree, several turns by a vote; the host may decide."""

from dataclasses import replace

from tock_companion.core.answering import Answer, refuse
from tock_companion.core.bodies import ProposeBack, Undo, VoteBack
from tock_companion.core.correcting import undo
from tock_companion.core.playing import binds
from tock_companion.core.requests import Request, Role
from tock_companion.core.state import Ballot, CoreState, Proposal


def undo_or_ask(state: CoreState, request: Request, body: Undo) -> Answer:
    """Take back one's own last turn; another player asks the one who played it, if they sit there.

    Moves made before a player sat down are not theirs, whichever seat they have taken.
    """
    mover, seat = state.game.last_mover, request.seat
    is_about_a_turn = state.game.card is None and body.to is None and not binds(state, request)
    if request.role is not Role.SEAT or seat is None or mover is None or not is_about_a_turn:
        return undo(state, request, body)
    is_asked = mover is not seat and mover in state.roster.players
    if not is_asked:
        return refuse("not_your_move") if seat in state.newcomers else undo(state, request, body)
    if state.open_proposal is not None:
        return refuse("proposed_already")
    last = state.game.turns[-1].seq
    asked = Proposal(state.ballot.number + 1, seat, last, last, frozenset({mover}), asked=mover)
    return _counted(state, asked)


def propose_back(state: CoreState, request: Request, body: ProposeBack) -> Answer:
    """Propose to take back a turn and all later ones; everybody else who is seated must say yes."""
    turns, seat = state.game.turns, request.seat
    if state.open_proposal is not None:
        return refuse("proposed_already")
    if seat is None or all(turn.seq != body.to for turn in turns):
        return refuse("nothing_to_undo")
    number = state.ballot.number + 1
    voters = frozenset(state.roster.players) - {seat}
    return _counted(state, Proposal(number, seat, body.to, turns[-1].seq, voters))


def vote_back(state: CoreState, request: Request, body: VoteBack) -> Answer:
    """Answer a proposal; one no ends it, also the proposer's."""
    proposal = state.open_proposal
    if proposal is None or body.number != proposal.number:
        return refuse("no_question")
    if not body.yes:
        return Answer(ballot=Ballot(None, state.ballot.number))
    voter = request.seat if request.role is Role.SEAT else None
    voted = proposal.voters if voter is None else frozenset({voter})
    return _counted(state, replace(proposal, yes=proposal.yes | voted))


def _counted(state: CoreState, proposal: Proposal) -> Answer:
    """Keep the proposal open, or go back once everybody has agreed."""
    if proposal.waits_for:
        return Answer(ballot=Ballot(proposal, proposal.number))
    # What everybody agreed on counts like a decision of the host; a recording has no voters.
    agreed = Request(Undo(proposal.to), Role.HOST)
    answer = undo(state, agreed, Undo(proposal.to))
    return replace(answer, ballot=Ballot(None, proposal.number), recorded_as=agreed)
