"""Forgetting at a running table: a kept game, the pictures of a move, a name; on the writing thread alone."""

from tock_companion.core.requests import Reply, refused
from tock_companion.language import folded
from tock_companion.storage import Store
from tock_companion.storage.forgetting import GAME, NAME, PICTURES, key_of_pictures
from tock_companion.table.runtime.writer import Writer


class Forgetting:
    """Deletes for the host; the game on the table and its people stay."""

    def __init__(self, writer: Writer, store: Store) -> None:
        self._writer, self._store = writer, store

    def game(self, number: int) -> Reply:
        """Delete a game with its hands, pictures, result and people."""
        if number == self._writer.number:
            return refused("forget_running")
        return self._forget(number, GAME)

    def pictures(self, number: int, seq: int) -> Reply:
        """Delete the pictures of a move."""
        return self._forget(number, PICTURES, seq)

    def name(self, name: str) -> Reply:
        """Delete a name from kept games, results, and the people of last time."""
        participants = self._writer.participants
        present = [
            *participants.roster().players.values(),
            *participants.games.of(self._writer.number).values(),
        ]
        if folded(name) in map(folded, present):
            return refused("forget_present", name=name)
        self._writer.keep(lambda: self._store.forget(NAME, folded(name)))
        self._writer.seat(lambda: participants.forget(name))
        return Reply(True)

    def _forget(self, number: int, kind: str, seq: int = 0) -> Reply:
        key = self._store.key_of_game(number)
        if key is None:
            return refused("forget_gone")
        thing = key if kind == GAME else key_of_pictures(key, seq)
        self._writer.keep(lambda: self._store.forget(kind, thing))
        self._writer.seat(self._writer.participants.read_again)
        return Reply(True)
