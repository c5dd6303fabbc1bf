"""Pictures that lie beside the checkout and may not be copied into it; a clone elsewhere runs all other tests."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
BOARDS, CARDS = FOLDER / "board", FOLDER / "cards"

needs_pictures = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"NOT TRIED ON PICTURES: {FOLDER} is missing (its pictures may not be handed on with the sources)",
)
