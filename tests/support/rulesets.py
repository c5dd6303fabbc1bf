"""A ruleset file as a family writes one."""

from importlib.resources import files

KEEZEN = files("tock_rules.presets").joinpath("keezen.toml").read_text(encoding="utf-8")


def carbles(*changes: tuple[str, str], name: str = "carbles") -> str:
    """A game that the library lacks; each change replaces a text by another."""
    text = KEEZEN.replace('name = "keezen"', f'name = "{name}"').replace('"Keezen"', '"Carbles"')
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text
