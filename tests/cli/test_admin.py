"""The host sees and changes the settings from the page; what cannot be used changes nothing."""

from pathlib import Path

import pytest

from tock_companion.config.keys import template
from tock_companion.config.load import load_config
from tock_companion.errors import BadInputError
from tock_companion.service.admin import MachineAdmin, starts_again


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MachineAdmin:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    return MachineAdmin(None, load_config(None))


def test_a_change_keeps_every_comment(desk: MachineAdmin, tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text(template("fr"))
    desk.change("ruleset", "gladius")
    desk.change("mqtt.table", "oak")
    assert load_config(path).setup.ruleset == "gladius"
    comments = [line for line in template("fr").splitlines() if line.startswith("# ")]
    assert [line for line in path.read_text().splitlines() if line.startswith("# ")] == comments
    desk.change("ruleset", None)
    assert load_config(path).setup.ruleset == "mjc"


def test_the_first_change_makes_the_file(desk: MachineAdmin, tmp_path: Path) -> None:
    desk.change("port", 8100)
    assert load_config(tmp_path / "tock.toml", {}).port == 8100


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("port", "many", "'port' must be a whole number"),
        ("port", 0, "from 1 to 65535"),
        ("colour", 1, "there is no setting 'colour'"),
        ("sources", {}, "there is no setting 'sources'"),
        ("board", "nowhere.json", "nowhere.json"),
    ],
)
def test_what_cannot_be_used_changes_nothing(
    desk: MachineAdmin, tmp_path: Path, name: str, value: object, complaint: str
) -> None:
    (tmp_path / "tock.toml").write_text("# ours\nport = 8101\n")
    with pytest.raises(BadInputError, match=complaint):
        desk.change(name, value)
    assert (tmp_path / "tock.toml").read_text() == "# ours\nport = 8101\n"


def test_the_whole_file_is_checked_line_by_line(desk: MachineAdmin, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="line 3"):
        desk.replace("# ours\n\nport = 0\n")
    assert not (tmp_path / "tock.toml").exists()


def test_a_password_is_not_shown_as_a_key(desk: MachineAdmin) -> None:
    keys = desk.settings()["keys"]
    assert isinstance(keys, list)
    assert "mqtt.password" not in {key["name"] for key in keys}


def test_the_diagnosis_leaves_the_camera_to_the_table(desk: MachineAdmin) -> None:
    found = desk.diagnosis()
    assert {"disk", "network", "games"} <= {finding["part"] for finding in found}
    assert "camera" not in {finding["part"] for finding in found}


def test_only_a_supervised_companion_comes_back() -> None:
    assert starts_again({"INVOCATION_ID": "1"})
    assert not starts_again({})
