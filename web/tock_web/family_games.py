"""The games that the family at this table has made, as the store keeps them."""

from tock_companion.core.fields import NAME_LENGTH
from tock_companion.errors import BadInputError
from tock_companion.language import DEFAULT
from tock_companion.own_games import OwnGame, kept_games
from tock_companion.ruleset_folder import keep_ruleset, know_rulesets
from tock_companion.views.wording.games import title
from tock_rules import Ruleset, load_preset
from tock_web.context import caller, context

KEPT_AS = "own_games"
NEXT_KEPT_AS = "next_game"


def family_games() -> tuple[OwnGame, ...]:
    """Those games, the newest first."""
    return kept_games(context().table.choices.get(KEPT_AS))


def keep_family_games(games: list[OwnGame]) -> None:
    """Replace them; raise TockError when they cannot be saved."""
    context().table.choices.keep(KEPT_AS, [game.file() for game in games])


def know_files() -> None:
    """Offer the ruleset files that lie in the data folder now."""
    if data := context().services.data:
        know_rulesets(data)


def take_ruleset(text: str) -> OwnGame:
    """Keep the ruleset file that the host has opened; raise BadInputError with the line of its first fault."""
    data = context().services.data
    if data is None or not caller().is_host:
        raise BadInputError("the file of a whole game is opened on the host's page")
    name = keep_ruleset(data, text)
    return OwnGame(title(name)[DEFAULT][:NAME_LENGTH], load_preset(name))


def keep_next(game: OwnGame) -> None:
    """Play a game of the family after the present one; raise TockError when it cannot be saved."""
    table = context().table
    table.choices.keep(NEXT_KEPT_AS, [table.number, game.name])


def next_game() -> OwnGame | None:
    """The family's game to play after the present one."""
    table = context().table
    kept = table.choices.get(NEXT_KEPT_AS)
    return next((game for game in family_games() if kept == [table.number, game.name]), None)


def fits_here(rules: Ruleset) -> bool:
    """Whether the game can be played on the table's board."""
    return rules.fits(*context().table.board_file.shape.size)
