"""Computer opponents: they play for free seats, and make requests to the table as a phone would.

They also help a player far away: they draw the cards, and say which move the board should show.
"""

import logging
import random
import time
from collections.abc import Mapping
from typing import Any

from tock_companion.background import Follower
from tock_companion.core.bodies import (
    Answer,
    Body,
    Deal,
    Discard,
    DrawHand,
    EndTurn,
    Give,
    MovePawns,
    PlayCard,
    ThrowHand,
    WithdrawCard,
)
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.hints.computer_players import STRENGTHS, given
from tock_companion.hints.determinizations import Determinizer
from tock_companion.hints.search import Search
from tock_companion.table.runtime.advising import Moment
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_rules.engine import CARDS, LAY_DOWN, PLAY, STOP, THROW_HAND, Action

LOG = logging.getLogger(__name__)
POLL_S = 0.5
PACE_S = 1.5
"""Pause of a computer before it lays a card, and before it plays a move that no source could see."""
AGAIN_S = 20.0
"""Time for which a card that was taken back for a computer stays back, so that people can go further back."""

View = Mapping[str, Any]


class Computers:
    """Plays for the seats that the host has given to the computer."""

    def __init__(
        self, table: Table, *, seed: int | None = None, pace_s: float = PACE_S, again_s: float = AGAIN_S
    ) -> None:
        """Prepare to play; the same seed and game give the same moves."""
        self._table = table
        self._rng = random.Random(seed)
        self._pace_s, self._again_s = pace_s, again_s
        self._done: tuple[Moment, float] | None = None
        self._loop = Follower(
            "computers",
            "plays for the seats that the host gave to the computer",
            lambda: table.subscribe(Role.TABLE),
            self._take,
            POLL_S,
        )

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        self._loop.stop()

    def _take(self, _view: View | None) -> float:
        self.act()
        return 0.0

    def act(self) -> None:
        """Make the move or answer that the table waits for, where it waits for a computer."""
        view = self._table.view(Role.TABLE)
        seat = Seat[str(view["to_move"])]
        if view["lobby"] is not None:
            return
        far = {} if view["far"] is None else view["far"]["seats"]
        if far:
            self._deal_far(view, far, seat)
        strength = strength_of(view, seat)
        if view["expects"] == "give":
            self._give(view)
        elif view["expects"] == "answer" and (strength is not None or seat.name in far):
            self._answer(view, seat)
        elif strength is None:
            return
        elif view["expects"] == "card" or (view["expects"] == "move" and view["planned"] is None):
            self._play(view, seat, strength)

    def _answer(self, view: View, seat: Seat) -> None:
        """Say which of several moves was meant: the one that was announced."""
        planned, question = view["planned"], view["question"]
        if planned is None or question["seat"] != seat.name:
            return
        if planned["text"] in [choice["id"] for choice in question["choices"]]:
            self._ask(Answer(planned["text"]), seat)

    def _deal_far(self, view: View, far_seats: Mapping[str, Any], mover: Seat) -> None:
        """Draw the cards of those far away who have none of the table's: after each deal, and when theirs are out."""
        if (
            view["expects"] not in ("give", "card", "move", "repair")
            or view["card"] is not None
            or view["practice"]
        ):
            return
        for name, far in far_seats.items():
            sits = any(entry["taken"] for entry in view["seats"] if entry["seat"] == name)
            if not sits or far["cards"] != "drawn" or far["state"] not in ("here", "away"):
                continue
            seat = Seat[name]
            missing = self._table.view(Role.SEAT, seat)["hand"]["missing"]
            if missing is None or missing:
                self._ask(DrawHand(), seat)
            elif seat is mover and view["expects"] == "card":
                self._take_cards(view, seat)

    def _give(self, view: View) -> None:
        """Give each computer's mate a card."""
        for seat in map(Seat.__getitem__, view["givers"]):
            strength = strength_of(view, seat)
            if strength is None:
                continue
            hand = self._table.view(Role.SEAT, seat)["hand"]
            if not hand["cards"] or hand["missing"]:
                self._ask(DrawHand(), seat)
            moment = self._table.moment_to_give(seat)
            action = None if moment is None else chosen(moment, strength, self._rng)
            if action is not None:
                self._ask(Give(CARDS[action[1]]), seat)

    def _play(self, view: View, seat: Seat, strength: str) -> None:
        """Lay a card and move, or do what else the turn asks for."""
        if view["expects"] == "card" and not self._take_cards(view, seat):
            return
        moment = self._table.moment(seat)
        if moment is None or self._rests(moment) or self._loop.pause(self._pace_s):
            return
        if self._table.moment(seat) != moment:
            return
        self._done = (moment, time.monotonic() + self._again_s)
        action = chosen(moment, strength, self._rng)
        if action is not None and action[0] == STOP:
            self._ask(EndTurn(), seat)
        elif action is not None and action[0] == PLAY:
            self._move(seat, moment, action)
        else:
            self._put_away(seat, moment, action)

    def _put_away(self, seat: Seat, moment: Moment, action: Action | None) -> None:
        hand = moment.knowledge.hand
        if action is not None and action[0] == LAY_DOWN:
            self._ask(Discard(cards=hand), seat)
            return
        thrown = action is not None and action[0] == THROW_HAND
        if thrown and self._ask(ThrowHand(hand), seat).ok:
            return
        # Where the board is seen the pawn of a thrown hand would have to stand there already: one card goes instead.
        card = CARDS[action[1]] if action is not None and action[1] >= 0 else moment.laid or hand[0]
        if not self._ask(Discard(card), seat).ok and moment.laid is not None:
            # Laid before the board was corrected, and the whole hand goes down now.
            self._ask(WithdrawCard(), seat)

    def _rests(self, moment: Moment) -> bool:
        """Whether this was played already and taken back a moment ago."""
        return self._done is not None and self._done[0] == moment and time.monotonic() < self._done[1]

    def _take_cards(self, view: View, seat: Seat) -> bool:
        """Have the seat dealt the cards it lacks; when all hands are played out, everybody.

        False where the seat passes: it has thrown its hand, and the others still play theirs.
        """
        hand = self._table.view(Role.SEAT, seat)["hand"]
        if hand["cards"] and not hand["missing"]:
            return True
        counts = {entry["seat"]: entry["cards"] for entry in view["seats"]}
        if counts[seat.name] == 0:
            if not any(counts.values()):
                self._ask(Deal(), seat)
            elif self._request(EndTurn(), seat).ok:
                return False
        self._ask(DrawHand(), seat)
        return True

    def _move(self, seat: Seat, moment: Moment, action: Action) -> None:
        position = moment.knowledge.position
        move = position.move_of((CARDS[action[1]],), action[2])
        card = move.card if moment.laid is None else moment.laid
        if self._ask(PlayCard(card, move.text), seat).ok:
            self._loop.pause(self._pace_s)
            # Where the board is seen the table refuses: a person moves the pawn, and the referee watches.
            self._ask(MovePawns(move.text), seat)

    def _ask(self, body: Body, seat: Seat) -> Reply:
        reply = self._request(body, seat)
        if not reply.ok and reply.code != "on_the_board":
            LOG.warning("the computer on %s may not %s: %s", seat.name, body.KIND, reply.code)
        return reply

    def _request(self, body: Body, seat: Seat) -> Reply:
        return self._table.request(Request(body, Role.SEAT, seat))


def strength_of(view: View, seat: Seat) -> str | None:
    """Find out how strong the computer on a seat is, None where no computer plays."""
    strength: str | None = next(entry["computer"] for entry in view["seats"] if entry["seat"] == seat.name)
    return strength


def chosen(moment: Moment, strength: str, rng: random.Random) -> Action | None:
    """Choose a computer's action from its seat's knowledge; None when a laid card cannot be moved with."""
    knowledge, seed = moment.knowledge, rng.getrandbits(32)
    if moment.laid is not None:
        choices = Search(knowledge, seed, moment.laid).first()
        return choices[0].action if choices else None
    determinizer = Determinizer(knowledge, seed)
    # The unknown cards of this game are drawn at random: a player that peeked would see nothing true.
    if moment.gives:
        return given(determinizer, strength, rng)
    return STRENGTHS[strength](determinizer.enter(determinizer.sample()), rng)
