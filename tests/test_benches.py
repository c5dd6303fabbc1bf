"""Every bench runs, prints the figures that others rely on, and finds no fault in small."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.benches import figures_of
from tests.support.checkout import ROOT
from tock_app.cli.main import main

SMALL_REFEREE = ("--samples", "5", "--game-turns", "2", "--others", "1", "--slow", "1")
ATTACKERS = 22


def is_right(figures: dict[str, Any]) -> bool:
    slow = figures["slow"].values()
    return figures["right"] == figures["rule_named_right"] == 1 and all(
        one["right"] == one["n"] for one in slow
    )


def test_all_benches_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "list"]) == 0
    named = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {*named} >= {"rules", "vision", "cards", "referee", "durability", "link", "hints", "web"}
    assert {*named} >= {"camera", "far", "hostile", "fuzz", "journeys", "old-folders", "arm64"}


@pytest.mark.parametrize(
    "arguments", [["no-such-bench"], ["rules", "--kills", "3"], ["rules", "--rounds", "many"]]
)
def test_a_wrong_call_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.whole
def test_a_result_has_its_origin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cards", "--samples", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"name", "machine", "seconds", "commit", "date", "figures"}
    assert 0 < answer["figures"]["ms_median"] <= answer["figures"]["ms_p95"]


@pytest.mark.slow
def test_the_slowest_game_is_named() -> None:
    figures = figures_of("rules", "--rounds", "1")
    assert figures["slowest_lists_per_s"] == min(one["lists_per_s"] for one in figures["rulesets"].values())


@pytest.mark.whole
def test_pictures_are_timed() -> None:
    vision = figures_of("vision", "--samples", "4")
    assert all(vision[f"zones_{zones}"]["register_ms"] > 0 for zones in (4, 6, 8))


@pytest.mark.whole
@pytest.mark.parametrize("slow", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_a_referee_before_faultless_sources_is_always_right_and_repairs_are_as_short_as_can_be(
    tmp_path: Path, slow: str
) -> None:
    boards = ("--factors", "0", "--scrambles", "200", "--keep", str(tmp_path / "games"))
    call = ("referee", *SMALL_REFEREE, "--slow", slow, *boards)
    figures = figures_of(*call)
    assert figures["repair_optimal"] == 1
    for kind in ("camera_x0", "reed_x0", "both_x0"):
        assert is_right(figures[kind]), figures[kind]
        assert (
            figures[kind]["false_alarms"]
            == sum(one["red"] for one in figures[kind]["slow"].values())
            == figures[kind]["wrong_boards_silent"]
            == 0
        )
        assert max(figures[kind]["explanation_ms_p95"], figures[kind]["mistake_ms_p95"]) <= 1500
    games = len((tmp_path / "games").read_text().splitlines())
    assert figures_of(*call) == figures
    assert len((tmp_path / "games").read_text().splitlines()) == games


@pytest.mark.whole
def test_the_bench_notices_sources_that_see_next_to_nothing() -> None:
    figures = figures_of(
        "referee", *SMALL_REFEREE, "--factors", "500", "--scrambles", "1", "--others", "0", "--slow", "0"
    )
    assert figures["camera_x500"]["right"] < 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_plans_of_10_000_scrambles_are_as_short_as_can_be() -> None:
    assert figures_of("referee", *SMALL_REFEREE, "--factors", "0")["repair_optimal"] == 1


@pytest.mark.whole
def test_no_event_that_a_phone_has_seen_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    keep = str(tmp_path / "cuts.json")
    figures_of("durability", "--samples", "1", "--keep", keep)
    figures = figures_of("durability", "--samples", "2", "--keep", keep)
    assert (figures["kills"], figures["events_lost"], figures["broken_logs"]) == (2, 0, 0)


@pytest.mark.slow
def test_two_people_play_on_while_twenty_clients_and_two_players_attack() -> None:
    figures = figures_of("hostile", "--seconds", "5", "--calm-seconds", "1")
    assert not figures["ended_early"]
    requests = figures["requests"]
    assert 0 < requests["ok"] == requests["asked"] - requests["throttled"]
    assert figures["request_to_event_ms"]["attack"]["n"] > 0
    assert figures["streams_lost"] == 0
    assert figures["longest_silence_s"] < 15
    begun = [count for name, count in figures["attackers"].items() if name.endswith("begun")]
    assert sum(begun) >= ATTACKERS


def test_tests_import_no_bench() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "web" / "tests").rglob("*.py")]
    importing = re.compile(r"^\s*(?:from|import) tock_bench", re.MULTILINE)
    assert not [path for path in files if importing.search(path.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_requests_of_a_far_seat_survive_cut_lines_and_every_frame_of_the_tables_arrives() -> None:
    small = ("--samples", "4", "--requests", "4", "--cuts", "4", "--seconds", "6")
    figures = figures_of("far", *small)
    assert (figures["cuts"], figures["lost"], figures["doubled"], figures["frames_lost"]) == (4, 0, 0, 0)
    assert figures["request_to_event_ms_median"]["150"] >= 150
    assert figures["relay_mb"] > 0


@pytest.mark.slow
def test_a_phone_that_films_sends_less_when_the_board_stands_still() -> None:
    figures = figures_of("camera")
    assert 0 < figures["kb_per_s_still"] < figures["kb_per_s_moving"]
    assert figures["frame_to_queue_ms_median"] > 0
    assert figures["frame_to_queue_n"] > 0


@pytest.mark.slow
def test_homes_open_tables_and_lose_no_call_beside_strangers_at_a_relay() -> None:
    relay = figures_of("relay", "--seconds", "10", "--calm-seconds", "2")
    assert relay["tables_made"] == relay["tables_asked"] == 10
    assert relay["calls_lost"] == relay["lines_lost"] == 0
    assert relay["attacks"]["tables 201"] > 0


@pytest.mark.slow
def test_a_change_reaches_two_hundred_spectators_after_it_was_asked_for() -> None:
    figures = figures_of("web", "--samples", "3")
    assert figures["fanout_n"] == 3 * figures["streams"]
    assert 0 < figures["fanout_ms_median"] <= figures["fanout_ms_p95"]
