"""A ruleset file on the page: opened by the host, listed in the lobby, found by the questions, played."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.page import Phone
from tests.support.rulesets import carbles
from tock_companion.table.runtime.live import Table
from tock_rules import load_preset, own_files
from tock_web import create_app
from tock_web.services import PageServices

TOCK_RING = (("zone_length = 16", "zone_length = 18"),)


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    own_files.offer(())


@pytest.fixture
def phones(table: Table, data: Path) -> tuple[Phone, Phone]:
    """A host and somebody else."""
    app = create_app(table, PageServices(data=data))
    host, guest = Phone(app.test_client()), Phone(app.test_client())
    host.sit("P0")
    return host, guest


def test_a_file_that_the_host_opens_is_listed_found_and_played(
    phones: tuple[Phone, Phone], data: Path
) -> None:
    host, _ = phones
    opened = host.post("own-games/read", text=carbles(*TOCK_RING)).get_json()
    assert (opened["title"]["en"], opened["options"], opened["fits"]) == ("Carbles", {}, True)
    assert (data / "rulesets" / "carbles.toml").is_file()
    name = opened["ruleset"]
    assert name in [row["name"] for row in host.get("rulesets").get_json()["rulesets"]]
    assert name in [row["name"] for row in host.get("own-games/find").get_json()["games"]]
    assert host.get(f"rules?ruleset={name}").get_json()["title"]["en"] == "Carbles"
    began = host.post("request", kind="new_game", role="host", data={"ruleset": name})
    assert began.get_json()["ok"]
    assert host.get("view?role=watch").get_json()["game"]["ruleset"] == name
    (data / "rulesets" / "carbles.toml").unlink()
    assert name not in [row["name"] for row in host.get("rulesets").get_json()["rulesets"]]
    assert load_preset(name).zone_length == 18


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('6 = ["+6"]', '6 = ["hop"]'), "no such action: 'hop'"),
        (('"carbles"', '"toc"'), "a game here is named toc already"),
        (('"carbles"', '"../x"'), "line 3: name is small letters"),
    ],
)
def test_a_bad_file_is_refused_with_its_line_and_not_kept(
    phones: tuple[Phone, Phone], data: Path, change: tuple[str, str], says: str
) -> None:
    answer = phones[0].post("own-games/read", text=carbles(change))
    assert answer.status_code == 409
    assert says in answer.get_json()["error"]
    assert not data.exists()


def test_only_the_host_opens_a_ruleset_file(phones: tuple[Phone, Phone], data: Path) -> None:
    answer = phones[1].post("own-games/read", text=carbles())
    assert (answer.status_code, "on the host" in answer.get_json()["error"]) == (409, True)
    assert not data.exists()
