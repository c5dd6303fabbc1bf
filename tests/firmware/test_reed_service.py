"""`tock run --reed sim`: the simulated table through the compiled firmware."""

from pathlib import Path

import pytest

from tests.support.page_client import PageClient
from tests.support.service import Companion, drag

pytestmark = pytest.mark.whole


def test_a_pawn_dragged_on_the_simulated_table_goes_through_the_firmware(tmp_path: Path) -> None:
    with Companion(tmp_path, "--reed", "sim") as companion:
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        anna.wait_for("by_touch", False, "seat")
        assert [source["name"] for source in anna.view("seat")["sources"]] == ["reed"]
        assert anna.ask("play_card", card="KH")["ok"]
        drag(anna, "P0", "T1")
        view = anna.wait_for("expects", "repair", "seat")
        assert view["warning"]["wrong"] == ["T1"], view["warning"]
        drag(anna, "P0", "T0", source="T1")
        assert anna.wait_for("to_move", "P1", "seat")["holes"]["T0"] == "P0"


def test_without_its_port_the_companion_starts_and_says_so(tmp_path: Path) -> None:
    with Companion(tmp_path, "--reed", "/dev/tock-nowhere") as companion:
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        view = anna.wait_for("by_touch", True, "seat")
        assert "câble USB" in view["sources"][0]["sentence"]["fr"]
