"""`tock game film`: draws the film of a game from its log, as an animated GIF."""

import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TextIO

from tock_companion.core.indices import Indices
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event
from tock_companion.files import write_file
from tock_companion.hints.film_script import film_script
from tock_companion.language import Language
from tock_rules import Seat


def people_named(given: Sequence[str]) -> dict[Seat, str]:
    """The players by seat, from `P0=Léa`; raises BadInputError."""
    people = {}
    for one in given:
        seat, sign, name = one.partition("=")
        if not sign or seat not in Seat.__members__:
            raise BadInputError(f"'{one}' names nobody; write a seat and a name, such as --name P0=Léa")
        people[Seat[seat]] = name.strip()
    return people


def make_film(
    events: Sequence[Event],
    people: Mapping[Seat, str],
    lang: Language,
    letters: Indices,
    target: Path,
    out: TextIO,
) -> None:
    """Draw and write the film, with the progress on standard error."""
    # Only this game command needs the memory of OpenCV.
    from tock_vision.film.film import Film

    script = film_script(events, people, lang, letters)
    if not script.scenes:
        raise BadInputError("nobody has moved in this game: there is nothing to show")
    film = BytesIO()
    made = Film(script).write(film, lambda done: print(f"{round(100 * done)} %", file=sys.stderr, flush=True))
    write_file(target, film.getvalue(), "film")
    size_kb = round(film.tell() / 1000)
    out.write(f"{target}: {made.pictures} pictures, {made.seconds:.0f} s, {size_kb} kB\n")
