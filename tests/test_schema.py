"""Documents checked against a schema: the mistake, its place, and the expected value."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from tock_companion.errors import BadInputError, FaultyDocumentError
from tock_companion.schema import Schema, check, key_path, parse_json, toml_line


class Lamp(Schema):
    name: Annotated[str, Field(min_length=1, max_length=10)]
    watts: Annotated[float, Field(gt=0.0, le=60.0)] = 5.0
    pins: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=3)] = Field(default_factory=list)


class House(Schema):
    rooms: Annotated[int, Field(ge=1, le=9)] = 3
    color: Literal["red", "white"] = "red"
    lit: bool = False
    password: str = ""
    lamps: list[Lamp] = Field(default_factory=list)
    notes: dict[str, object] = Field(default_factory=dict)


def mistakes(data: object) -> list[str]:
    with pytest.raises(FaultyDocumentError) as caught:
        check(House, data, "house.toml")
    assert "\n" not in str(caught.value)
    return [line.removeprefix("house.toml: ") for line in caught.value.mistakes]


@pytest.mark.parametrize(
    ("data", "mistake"),
    [
        ({"rooms": 0}, "'rooms' must be a number from 1 to 9, not 0"),
        ({"rooms": 2.0}, "'rooms' must be a whole number, not 2.0"),
        ({"rooms": True}, "'rooms' must be a whole number, not True"),
        ({"rooms": "3"}, "'rooms' must be a whole number, not '3'"),
        ({"lit": 1}, "'lit' must be true or false, not 1"),
        ({"color": "green"}, "'color' must be 'red' or 'white', not 'green'"),
        ({"colour": "red"}, "key 'colour' is not known; did you mean 'color'?"),
        ({"x": 1}, "key 'x' is not known; known are rooms, color, lit, password, lamps, notes"),
        ({"lamps": {}}, "'lamps' must be a list in [ ], not {}"),
        ({"lamps": [3]}, "'lamps[0]' must be a table, not 3"),
        ({"lamps": [{"name": "a"}, {}]}, "'lamps[1].name' is missing; add it"),
        ({"lamps": [{"name": ""}]}, "'lamps[0].name' must be a text that is not empty, not ''"),
        ({"lamps": [{"name": "a" * 11}]}, f"'lamps[0].name' must be a text of at most 10 letters, not '{'a' * 11}'"),
        ({"lamps": [{"name": "a", "watts": 0}]}, "'lamps[0].watts' must be a number over 0 and up to 60, not 0"),
        ({"lamps": [{"name": "a", "wats": 1}]}, "key 'lamps[0].wats' is not known; did you mean 'watts'?"),
        ({"lamps": [{"name": "a", "pins": [1, -1]}]}, "'lamps[0].pins[1]' must be a number of at least 0, not -1"),
        ({"notes": {"a": float("inf")}}, "'notes.a' must be a finite number, not inf"),
        ({"notes": {"a": ["\ud800"]}}, "'notes.a[0]' holds characters that are no text: '\\ud800'"),
        ({"notes": {"\x1b": 1}}, "'notes.\\x1b' holds characters that are no text: '\\x1b'"),
        ([], "the document must be a table, not []"),
    ],
)  # fmt: skip
def test_a_mistake_says_where_what_is_wrong_and_what_is_expected(data: object, mistake: str) -> None:
    assert mistakes(data) == [mistake]


def test_all_mistakes_are_found_in_one_pass() -> None:
    assert mistakes({"rooms": 0, "color": "green", "lamps": [{}, {}]}) == [
        "'lamps[0].name' is missing; add it",
        "'lamps[1].name' is missing; add it",
        "'rooms' must be a number from 1 to 9, not 0",
        "'color' must be 'red' or 'white', not 'green'",
    ]


def test_a_password_is_never_repeated() -> None:
    for value in (["hunter2"], "hunter2\0"):
        assert all("hunter2" not in line for line in mistakes({"password": value}))


def test_depth_and_length_of_what_is_shown_are_bounded() -> None:
    deep: object = 1
    for _ in range(900):
        deep = [deep]
    assert mistakes({"notes": {"a": deep}}) == ["'notes.a[0]' is nested too deeply"]
    assert all(len(line) < 300 for line in mistakes({"color": "x" * 100_000, "y" * 100_000: 1}))


@pytest.mark.parametrize("text", ["", "{", "NaN", "[" * 100_000, '"\\ud800"', "1" * 5000, '{"a": 1} x'])
def test_lax_json_is_one_line(text: str) -> None:
    with pytest.raises(BadInputError, match=r"^house: not JSON .*; give a house$") as caught:
        parse_json(text, "house", "a house")
    assert str(caught.value).isprintable()


def test_the_line_of_a_key_is_found_however_it_is_written() -> None:
    text = 'a = 1\n\n[mqtt]\n# port = 1\nport = 2\n[sources.camera]\n"fps" = 3\n[[lamps]]\nname = "x"\n'
    lines = {
        key: toml_line(text, key)
        for key in ("a", "mqtt", "mqtt.port", "mqtt.host", "sources.camera.fps", "b")
    }
    assert lines == {"a": 1, "mqtt": 3, "mqtt.port": 5, "mqtt.host": 3, "sources.camera.fps": 7, "b": 1}
    assert toml_line("mqtt.port = 0\n", "mqtt.port") == 1
    assert toml_line("a = 1\nmqtt = {port = 0}\n", "mqtt.port") == 2


def test_a_place_is_written_as_a_person_would() -> None:
    assert key_path(("holes", 10, "x")) == "holes[10].x"
    assert key_path(()) == ""
