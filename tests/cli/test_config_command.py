"""`tock config`: its files can be used, and none is overwritten."""

import io
from pathlib import Path

import pytest

from tock_app.cli.commands.config import run
from tock_app.config.keys import KEYS, template
from tock_app.config.load import load_config
from tock_companion.errors import BadInputError


def test_a_written_configuration_can_be_used_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    out = io.StringIO()
    assert run(["init", str(path), "--lang", "fr", "--port", "80"], out) == 0
    assert load_config(path, {}).port == 80
    with pytest.raises(BadInputError, match="exists and is left as it is"):
        run(["init", str(path)], out)


def test_check_says_what_will_be_used(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text('ruleset = "gladius"\n[mqtt]\nhost = "pi"\n')
    out = io.StringIO()
    assert run(["check", str(path)], out) == 0
    assert out.getvalue().startswith("ok: gladius, 4 zones, simulated, port ")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_key_is_explained_and_its_default_is_a_value_that_fits(lang: str, tmp_path: Path) -> None:
    text = template(lang)
    for key in KEYS:
        assert f"# {key.about[lang]}" in text
    plain = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    path = tmp_path / "tock.toml"
    path.write_text("\n".join(plain))
    assert load_config(path, {"HOME": str(tmp_path)}) == load_config(None, {"HOME": str(tmp_path)})
