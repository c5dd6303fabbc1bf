"""However often people come and go, everybody gets one view a second of it."""

import pytest

from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.presence import SHOWN_EVERY_S, Presence
from tock_companion.views.state import FarHome, FarPeople


def test_the_newest_change_of_each_kind_is_shown_once_a_second() -> None:
    now_s, shown = [0.0], list[str]()
    presence = Presence(lambda: now_s[0])
    for tick in range(100):
        now_s[0] = tick * 0.05
        presence.put("watching", lambda tick=tick: shown.append(f"watching {tick}"))  # type: ignore[misc]
        if tick % 7 == 0:
            presence.put("far", lambda tick=tick: shown.append(f"far {tick}"))  # type: ignore[misc]
        for change in presence.take():
            change()
    assert [text for text in shown if text.startswith("watching")] == [
        f"watching {n}" for n in range(0, 100, 20)
    ]
    assert presence.due_s == pytest.approx(SHOWN_EVERY_S - 19 * 0.05)
    now_s[0] += SHOWN_EVERY_S
    assert len(presence.take()) == 2
    assert presence.due_s is None


@pytest.mark.parametrize("kind", ["watching", "far", "home"])
def test_a_hundred_comings_and_goings_give_two_views_at_most(table: Table, kind: str) -> None:
    table.show_watching(1)
    before = table.view(Role.WATCH)["revision"]
    for number in range(100):
        if kind == "watching":
            table.show_watching(2 + number % 3)
        elif kind == "far":
            table.show_far(FarPeople({}, None, watching=("Odette",) if number % 2 else ()))
        else:
            table.show_home(FarHome("here" if number % 2 else "away"))
    last = {
        "watching": lambda: "'others': 2" in str(table.view(Role.WATCH)["far"]),
        "far": lambda: "Odette" in str(table.view(Role.WATCH)["far"]),
        "home": lambda: "home" in str(table.view(Role.WATCH)["far"]),
    }
    until(last[kind], within_s=5.0)
    assert table.view(Role.WATCH)["revision"] <= before + 2


def test_comings_and_goings_that_end_as_they_began_show_nothing(table: Table) -> None:
    table.show_watching(1)
    until(lambda: table.view(Role.WATCH)["far"] is not None)
    before = table.view(Role.WATCH)["revision"]
    for _ in range(50):
        table.show_watching(2)
        table.show_watching(1)
    table.show_far(FarPeople({}, None, watching=("Odette",)))
    until(lambda: "Odette" in str(table.view(Role.WATCH)["far"]), within_s=5.0)
    assert table.view(Role.WATCH)["revision"] == before + 1
