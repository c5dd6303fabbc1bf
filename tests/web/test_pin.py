"""The file of the host's PIN, with hashes as they are made for a table."""

import hashlib
import json
from pathlib import Path

import pytest

from tock_companion.errors import BadInputError, TockError
from tock_companion.file_versions import FORMS
from tock_web.rights.pin import PIN_NAME, PinKeeper


def test_a_pin_is_kept_hashed_and_for_its_user_alone(tmp_path: Path) -> None:
    PinKeeper(tmp_path).set("4711")
    path = tmp_path / PIN_NAME
    assert path.stat().st_mode & 0o777 == 0o600
    assert "4711" not in path.read_text()
    kept = json.loads(path.read_text())["hash"]
    assert kept.startswith("scrypt:32768:8:1$"), "trying every PIN takes hours, and each guess 32 MB"
    again = PinKeeper(tmp_path)
    assert again.is_right("4711")
    assert not again.is_right("4712")
    again.set(None)
    assert not PinKeeper(tmp_path).is_set


def test_a_pin_kept_by_the_first_version_still_opens(tmp_path: Path) -> None:
    salt = bytes(range(16))
    kept = {"salt": salt.hex(), "hash": hashlib.scrypt(b"4711", salt=salt, n=2**14, r=8, p=1).hex()}
    (tmp_path / PIN_NAME).write_text(json.dumps(kept))
    old = PinKeeper(tmp_path)
    assert old.is_right("4711")
    assert not old.is_right("4712")
    old.set("0815")
    assert PinKeeper(tmp_path).is_right("0815")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"hash": "x"}',
        '{"salt": "zz", "hash": "00"}',
        "\udcff",
        '{"hash": "a$b$c", "hash": "d$e$f"}',
    ],
)
def test_a_pin_file_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / PIN_NAME).write_text(text, errors="surrogateescape")
    with pytest.raises(TockError, match="the next host chooses a new PIN"):
        PinKeeper(tmp_path)


def test_a_pin_file_of_a_newer_version_is_refused_in_one_line_and_stays(tmp_path: Path) -> None:
    newer = FORMS["host PIN"].version + 1
    text = json.dumps({"v": newer, "hash": "argon2id$v$m$t$p"})
    (tmp_path / PIN_NAME).write_text(text)
    with pytest.raises(
        BadInputError, match=rf"newer version \(form {newer}\).*nothing was changed"
    ) as refusal:
        PinKeeper(tmp_path)
    assert "\n" not in str(refusal.value)
    assert (tmp_path / PIN_NAME).read_text() == text
