"""Going back further than one's own last move: one seat proposes it, the others vote, the host may decide."""

from dataclasses import dataclass, replace

from tock_companion.events.game import Game
from tock_companion.rules import Seat
from tock_companion.table.requests import Reply, Request, Role, refused
from tock_companion.views.state import Proposal

VOTE_REQUESTS = frozenset({"propose_back", "vote_back"})


@dataclass(slots=True)
class Votes:
    """At most one proposal at a time. Everybody who sits at the table must say yes; one no ends it."""

    proposal: Proposal | None = None
    _number: int = 0

    def current(self, game: Game) -> Proposal | None:
        """Return the open proposal, if it still fits the game."""
        proposal = self.proposal
        if proposal is not None and (not game.turns or game.turns[-1].seq != proposal.last):
            self.proposal = proposal = None
        return proposal

    def answer(self, request: Request, game: Game, seated: frozenset[Seat]) -> tuple[Reply, int | None]:
        """Judge one of `VOTE_REQUESTS`; return the reply, and the event to go back to once all agree."""
        if request.role is Role.SEAT and request.seat is not None:
            seat = request.seat
        elif request.role is not Role.HOST or request.kind == "propose_back":
            return refused("not_allowed"), None
        if request.kind == "vote_back":
            return self._vote(request, game)
        if self.current(game) is not None:
            return refused("proposed_already"), None
        to = request.data.get("to")
        if all(turn.seq != to for turn in game.turns):
            return refused("nothing_to_undo"), None
        assert isinstance(to, int)
        self._number += 1
        self.proposal = Proposal(self._number, seat, to, game.turns[-1].seq, seated - {seat})
        return self._decided()

    def _vote(self, request: Request, game: Game) -> tuple[Reply, int | None]:
        proposal, yes = self.current(game), request.data.get("yes")
        if proposal is None or request.data.get("number") != proposal.number or not isinstance(yes, bool):
            return refused("no_question"), None
        voter = request.seat
        if not yes:
            # Who proposed it may think better of it, too.
            self.proposal = None
            return Reply(True), None
        voted = proposal.voters if request.role is Role.HOST or voter is None else frozenset({voter})
        self.proposal = replace(proposal, yes=proposal.yes | voted)
        return self._decided()

    def _decided(self) -> tuple[Reply, int | None]:
        proposal = self.proposal
        if proposal is None or proposal.waits_for:
            return Reply(True), None
        self.proposal = None
        return Reply(True), proposal.to
