"""Ruleset files of people: at any path, and in the folder `rulesets` of a data folder."""

from pathlib import Path

from tock_companion.errors import BadInputError, printable
from tock_companion.files import read_bounded, replace_file
from tock_rules import own_files

FOLDER = "rulesets"
SUFFIX = ".toml"


def named(text: str) -> str:
    """The name of a ruleset that is given by name, or by the path of its file."""
    return _of_file(Path(text).expanduser()) if text.endswith(SUFFIX) else text


def know_rulesets(data: Path) -> list[str]:
    """Offer the games of the folder beside those of the library; return a line for each file that is bad."""
    found: dict[str, str] = {}
    faults: list[str] = []
    for path in sorted((data / FOLDER).glob(f"*{SUFFIX}")):
        try:
            name = _of_file(path)
        except BadInputError as error:
            faults.append(str(error))
            continue
        plain = own_files.plain_name(name)
        if plain in found or plain in own_files.LIBRARY:
            faults.append(f"{printable(str(path))}: another game is named {plain} already")
        else:
            found[plain] = name
    own_files.offer(found.values())
    return faults


def is_ruleset(text: str) -> bool:
    """Whether a text is the file of a whole game, with its cards; a broken one counts."""
    return "\n[cards]" in text


def keep_ruleset(data: Path, text: str) -> str:
    """Save the file of a game, in place of an earlier one of its name, and return the name it has here."""
    name = own_files.add_ruleset(text.encode())
    plain = own_files.plain_name(name)
    if plain in own_files.LIBRARY:
        raise BadInputError(f"a game here is named {plain} already: give yours another name")
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / f"{plain}{SUFFIX}", text)
    know_rulesets(data)
    return name


def _of_file(path: Path) -> str:
    try:
        return own_files.add_ruleset(read_bounded(path, own_files.MAX_BYTES, "ruleset"))
    except BadInputError as error:
        where = printable(str(path))
        raise BadInputError(str(error) if where in str(error) else f"{where}: {error}") from None
