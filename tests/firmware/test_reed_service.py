"""`tock run --reed sim`, `tock doctor` and the host's page: the reed board in a companion."""

import json
from pathlib import Path

import pytest

from tests.support.benches import figures_of
from tests.support.page_client import PageClient
from tests.support.rig import rig
from tests.support.service import Companion, drag
from tests.support.waiting import until
from tock_app.cli.main import main
from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_app.service.reed_checkup import DEFECT_PREFIX
from tock_companion.boardfile.wiring import SpareInput, spare_input
from tock_companion.language import catalog
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.ports import SerialLine
from tock_companion.sources.reed.trouble import Trouble

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


def test_a_very_bad_line_never_ends_in_a_wrong_board_and_a_good_one_is_quick() -> None:
    figures = figures_of("link", "--events", "40", "--seconds", "8", "--rates", "0.01")
    assert figures["event_ms_median"] <= 12
    assert figures["event_ms_p99"] <= 25
    assert figures["scans_per_s"] >= 100
    damaged = figures["damage_0.01"]
    assert damaged["silently_wrong"] == 0
    assert damaged["bad_frames"] != 0
    assert damaged["stale"] < 0.5


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rate", ["0.0001", "0.001", "0.01"])
def test_ten_minutes_on_a_bad_line(rate: str) -> None:
    figures = figures_of("link", "--events", "1", "--seconds", "600", "--rates", rate)
    assert figures[f"damage_{rate}"]["silently_wrong"] == 0


def reported(folder: Path, port: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The doctor's sentences about the reed board on a port."""
    path = folder / "tock.toml"
    path.write_text(f'[sources.reed]\nport = "{port}"\n')
    main(["doctor", "--config", str(path), "--json", "--lang", "en"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {
        row["code"]: row["found"] for row in rows if row["part"] == "reed" and row["code"] != "reed/ports"
    }


def test_the_doctor_asks_the_board_who_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Emulator(4) as board:
        found = reported(tmp_path, board.port, capsys)
        assert list(found) == ["reed/ok"]
        assert "firmware 1.0.0, 4 sector boards, started 1 times" in found["reed/ok"]
        holder = SerialLine(board.port)
        assert list(reported(tmp_path, board.port, capsys)) == ["reed/busy"]
        holder.close()
        board.tell("cut_return")
        board.tell("stick", spare_input(1, SpareInput.STRAP_1), 0)
        board.tell("reset", "brown_out")
        expected = {"reed/ok", "reed/return_wire", "reed/straps", "reed/brown_out"}
        assert set(reported(tmp_path, board.port, capsys)) == expected
        board.tell("mend")
        board.tell("boards", 3)
        board.tell("reset", "power")
        assert "3 sector boards answer" in reported(tmp_path, board.port, capsys)["reed/fewer_boards"]
    assert list(reported(tmp_path, "/dev/tock-nowhere", capsys)) == ["reed/unplugged"]


def test_the_page_of_the_host_shows_the_board_that_the_table_has_open(tmp_path: Path) -> None:
    with rig() as table:
        table.up()
        path = tmp_path / "tock.toml"
        path.write_text(f'[sources.reed]\nport = "{table.board.port}"\n')
        admin = MachineAdmin(path, load_config(path), [table.source])

        def shown() -> list[object]:
            return [
                row["code"]
                for row in admin.diagnosis()
                if row["part"] == "reed" and row["code"] != "reed/ports"
            ]

        assert shown() == ["reed/ok"]
        table.board.tell("break", 2)
        until(lambda: shown() == ["reed/chain_broken"], "the break")
        found = next(row["found"] for row in admin.diagnosis() if row["code"] == "reed/chain_broken")
        assert found == {
            "en": "The chain of sector boards is broken behind number 2.",
            "fr": "La chaîne des secteurs est coupée après le numéro 2.",
        }


def test_every_trouble_and_note_has_its_sentence_for_the_host() -> None:
    codes = {trouble.value for trouble in Trouble}
    spoken = catalog("phrases")
    begins = f"health/{DEFECT_PREFIX}"
    codes |= {f"reed/{code.removeprefix(begins)}" for code in spoken if code.startswith(begins)}
    assert codes <= set(catalog("health"))
