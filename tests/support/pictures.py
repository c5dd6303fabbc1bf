"""Pictures that lie beside the checkout and may not be copied into it; a clone elsewhere runs all other tests."""

from pathlib import Path

import pytest

from tock_companion.errors import BadInputError

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
BOARDS, CARDS = FOLDER / "board", FOLDER / "cards"


def pictures_of(folder: Path) -> Path:
    """The folder, for a study; raises BadInputError where it is missing."""
    if not folder.is_dir():
        raise BadInputError(f"{folder} is missing; its pictures may not be handed on with the sources")
    return folder


needs_pictures = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"NOT TRIED ON PICTURES: {FOLDER} is missing (its pictures may not be handed on with the sources)",
)
