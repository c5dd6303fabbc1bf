"""Games that a family has made of a printed one: a name, the game, and the rules changed in it.

Shared as a file, or as a link whose fragment holds the same: `#game=toc[card_a=start;+1]&name=Chez%20Mamie`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from urllib.parse import parse_qs, quote

from tock_companion.core.fields import NAME_LENGTH
from tock_companion.errors import BadInputError, quoted
from tock_companion.names import tidy_name
from tock_rules import Ruleset, Value

MARK = "#game="
KEYS = {"name", "game", "rules"}


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A family's game."""

    name: str
    rules: Ruleset

    @property
    def options(self) -> Mapping[str, Value]:
        """Its differences from the printed game."""
        values, usual = self.rules.values(), self.rules.usual
        return {**{name: value for name, value in values.items() if usual[name] != value}, **self.rules.own}

    def file(self) -> str:
        """The text of its file."""
        lines = [f"{name} = {dumps(value)}" for name, value in self.options.items()]
        head = f"# tock-own-game\nname = {dumps(self.name, ensure_ascii=False)}\ngame = {dumps(self.rules.name)}\n"
        return "\n".join([head, "[rules]", *lines, ""])

    def fragment(self) -> str:
        """The end of its link."""
        return f"{MARK}{quote(str(self.rules), safe='')}&name={quote(self.name, safe='')}"


def own_game(name: object, game: object, options: object) -> OwnGame:
    """The game of these parts; raise `BadInputError` for one that is wrong."""
    tidied = tidy_name(name, NAME_LENGTH) if isinstance(name, str) else ""
    if not tidied:
        raise BadInputError(f"name: write the name of the game, not {quoted(name)}")
    if not isinstance(game, str) or "[" in game:
        raise BadInputError(f"game: write the name of a printed game, not {quoted(game)}")
    return OwnGame(tidied, Ruleset.parse(game).with_options(options))


def read_own_game(text: str) -> OwnGame:
    """The game of a file or of a link; raise `BadInputError` that says what is wrong with it."""
    if MARK in text:
        fields = parse_qs(text.strip().partition("#")[2])
        rules = Ruleset.parse(fields.get("game", [""])[0])
        return own_game(fields.get("name", [rules.name])[0], rules.name, OwnGame("", rules).options)
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise BadInputError(f"neither a link to a game nor the file of one: {error}") from None
    unknown = sorted(set(table) - KEYS)
    if unknown:
        raise BadInputError(f"no such key: {quoted(unknown[0])}; keys: {', '.join(sorted(KEYS))}")
    return own_game(table.get("name"), table.get("game"), table.get("rules", {}))


def kept_games(choice: object) -> tuple[OwnGame, ...]:
    """The games that the store has kept; one whose printed game is no longer installed is left out."""
    games: list[OwnGame] = []
    for entry in choice if isinstance(choice, list) else []:
        try:
            games.append(read_own_game(entry))
        except (BadInputError, TypeError):
            continue
    return tuple(games)
