"""What stands in the corners of the table's cards: what the host chose, else what photos of hands have shown."""

from collections.abc import Callable, Mapping

from tock_companion.rules import Card
from tock_companion.storage.choices import Choices
from tock_companion.views.indices import Indices, learned

CHOSEN, SEEN = "indices", "indices_seen"


class DeckLetters:
    """Kept in the store; changed by the table's thread alone."""

    def __init__(
        self,
        choices: Choices,
        keep: Callable[[Callable[[], None]], None],
        write_if_idle: Callable[[Callable[[], None]], None],
    ) -> None:
        """Take up what was chosen or seen; `write_if_idle` writes what the disk may lose, `keep` what it may not."""
        self._choices, self._keep, self._write_if_idle = choices, keep, write_if_idle
        self._is_chosen = choices.get(CHOSEN) is not None
        kept = choices.get(CHOSEN if self._is_chosen else SEEN)
        self.indices = next((one for one in Indices if one.value == kept), Indices.ENGLISH)
        self._told: dict[Card, str] = {}

    def choose(self, indices: Indices) -> None:
        """Take the host's word; photos change nothing from then on."""
        self._keep(lambda: self._choices.keep(CHOSEN, indices.value))
        self.indices, self._is_chosen = indices, True

    def see(self, letters: Mapping[Card, str]) -> bool:
        """Learn from the letters of some cards; return whether the deck turns out to be another one."""
        self._told |= letters
        found = learned(self.indices, self._told.values())
        if self._is_chosen or found is self.indices:
            return False
        self._write_if_idle(lambda: self._choices.keep(SEEN, found.value))
        self.indices = found
        return True
