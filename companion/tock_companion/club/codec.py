"""Facts of a tournament as JSON, and back."""

import re
from typing import cast

from pydantic import ValidationError

from tock_companion.errors import BadInputError
from tock_companion.schema import first_mistake, shape_of
from tock_companion.tournament.facts import Fact

KINDS = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in Fact.__args__}
"""The name of each kind in the database, such as `round_paired`."""
NAMES = {kind: name for name, kind in KINDS.items()}


def to_row(fact: Fact) -> tuple[str, str]:
    """The kind of a fact and its JSON."""
    kind = type(fact)
    return NAMES[kind], shape_of(kind).dump_json(fact).decode()


def from_row(kind: str, body: str) -> Fact:
    """Read a stored fact; raises BadInputError for any other."""
    if kind not in KINDS:
        raise BadInputError(
            f"the database has a fact of kind '{kind}': it is of a later version; update Tock"
        )
    try:
        return cast(Fact, shape_of(KINDS[kind]).validate_json(body))
    except ValidationError as error:
        raise BadInputError(
            f"the database has a damaged fact ({first_mistake(error, kind)}); restore a copy of it"
        ) from None
