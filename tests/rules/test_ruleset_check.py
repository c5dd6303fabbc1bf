"""`tock rules check` names every fault of a ruleset file by its line, and never breaks on one."""

import io
import re
from importlib.resources import files
from pathlib import Path

import pytest

from tock_app.cli.commands import rules
from tock_rules import BadInputError, Fault, faults_of, own_files, preset_names


def _text(name: str) -> str:
    return files("tock_rules.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")


def _checked(text: str | bytes) -> list[Fault]:
    return faults_of(text if isinstance(text, bytes) else text.encode())


def _line_of(text: str, start: str) -> int:
    return 1 + next(number for number, line in enumerate(text.splitlines()) if line.startswith(start))


@pytest.mark.parametrize("name", preset_names())
def test_the_games_of_the_library_have_no_faults(name: str) -> None:
    assert _checked(_text(name)) == []
    assert _checked(_text(name).replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ('6 = ["+6"]', '6 = ["forward6"]', "no such action: 'forward6'"),
        ('6 = ["+6"]', '6 = ["+72"]', "walks 72 holes on a ring of 64"),
        ('6 = ["+6"]', '6 = "+6"', "write a list of texts"),
        ('Q = ["+12"]', 'Q = ["split7"]', "every split7 must be the same"),
        ('6 = ["+6"]', 'knight = ["+6"]', "no such card: 'knight'"),
        ("zone_length = 16", "zone_lenght = 16", "did you mean zone_length?"),
        ("zone_length = 16", "zone_length = 21", "zone_length is 14 to 20, not 21"),
        ("zone_length = 16", 'zone_length = "16"', "write a number"),
        ("zones = [4, 6, 8]", "zones = [4, 9]", "zones are some of 2, 3, 4, 6, 8, not [4, 9]"),
        ("zones = [4, 6, 8]", "zones = [5]", "zones are some of 2, 3, 4, 6, 8, not [5]"),
        ("zones = [4, 6, 8]", "zones = [4]", "zones are [4], and 8 players need"),
        (
            "forced_play = true",
            "forced_play = true\nnever_forced = { joker = true }",
            "write { … = always or beside_others }",
        ),
        ("hands = { all = [5, 4, 4] }", "hands = [5, 4, 4]", "write { … = [a number, …] }"),
        (
            'title = { fr = "Keezen", en = "Keezen" }',
            "title = { dk = 'Keezen' }",
            "title needs words in fr or en",
        ),
        ("most_players = 8", "most_players = 1", "1 is not allowed"),
        ("fewest_players = 2", "fewest_players = 8\nfewest_players = 2", "is no TOML"),
        ("forced_play = true", "forced_play = yes", "is no TOML"),
        ("ace = [", "acee = [", "did you mean ace?"),
        ('king = ["KEZ-10"]', 'king = ["KEZ-77"]', "KEZ-77 has no sentence"),
        ("[sentences.your-turn]", "[sentences.your-turns]", "did you mean your-turn?"),
        ("[board]", "[bord]\nzone = 4\n[board]", "no such rule: 'zone'"),
        ("name = ", "bord = 4\nname = ", "bord: write"),
        ('name = "keezen"', 'name = "Keezen!"', "name is small letters"),
        ("hands = { all = [5, 4, 4] }", "hands = { all = [14] }", "too few for hands of 14"),
        ("hands = { all = [5, 4, 4] }", "hands = { many = [5] }", "'many' is no number of players"),
        ("hands = { all = [5, 4, 4] }", "hands = { all = [0] }", "every hand has a card"),
        ('5 = ["+5"]', '5 = ["any±5"]', "pawns of others go one way"),
        ('6 = ["+6"]', '6 = ["+6", "+6"]', "card 6: +6 has no effect beside +6"),
        ('J = ["swap:others"]', 'J = ["swap:any", "swap:others"]', "card J: swap:any has no effect beside"),
        ('6 = ["+6"]', '6 = ["nothing", "+6"]', "card 6: nothing has no effect beside +6"),
        ('6 = ["+6"]', '6 = ["+6", "centre"]', "card 6: centre has no effect: the board has no centre"),
        ('6 = ["+6"]', '6 = ["+6"]\njoker = ["+18"]', "the pack has no joker"),
        (
            'teams = "teams"',
            'teams = "individual"',
            "finished_plays_mates has no effect: nobody has a partner",
        ),
        (
            'past_door = "stops"',
            'past_door = "stops"\nvoluntary_bypass = true',
            "voluntary_bypass has no effect",
        ),
        (
            "jokers = false",
            "jokers = false\njoker_value = 18",
            "joker_value has no effect: the pack has no joker",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(was: str, now: str, says: str) -> None:
    text = _text("keezen")
    assert was in text
    changed = text.replace(was, now, 1)
    found = _checked(changed)
    assert any(says in fault.what for fault in found), found
    # The place is that of the new text, or of the entry that no longer fits it.
    at = {fault.line for fault in found if says in fault.what}
    around = {_line_of(changed, line) + step for line in now.splitlines() for step in (-1, 0, 1)}
    assert at & around or "KEZ" in says, found


def test_all_faults_come_at_once_by_line_and_the_command_fails(tmp_path: Path) -> None:
    text = re.sub(r'"start",? ?', "", _text("keezen")).replace("zone_length = 16", "zone_length = 13")
    path = tmp_path / "mine.toml"
    path.write_text(re.sub("KEZ-27 = {.*", 'KEZ-27 = { dk = "Nej." }', text), encoding="utf-8")
    found = faults_of(path.read_bytes())
    named = [fault.what.split(":")[0] for fault in found]
    assert named[0] == "zone_length is 14 to 20, not 13"
    assert {"no card brings a pawn out", "KEZ-27 needs words in fr or en"} <= set(named)
    target = io.StringIO()
    assert rules.run(["check", str(path)], target) == 1
    assert target.getvalue().splitlines()[0].startswith(f"{path}:{found[0].line}: ")
    path.write_text(_text("keezen"), encoding="utf-8")
    assert rules.run(["check", str(path)], target) == 0


def test_a_file_with_an_entry_without_effect_is_named_and_may_be_played(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        _text("keezen").replace("jokers = false", "jokers = false\njoker_value = 18"), encoding="utf-8"
    )
    target = io.StringIO()
    assert rules.run(["check", str(path)], target) == 0
    assert "joker_value has no effect" in target.getvalue()
    assert own_files.add_ruleset(path.read_bytes()).startswith("keezen-")


def test_files_that_are_no_text_are_refused_in_one_line(tmp_path: Path) -> None:
    assert "byte order mark" in _checked("\ufeff" + _text("mjc"))[0].what
    assert _checked(_text("toc").encode("latin-1", "replace").replace(b"?", b"\xe9"))[0].what.startswith(
        "is not UTF-8"
    )
    assert len(_checked("a = = 1\nb = 2\nc = [\nd = }\n")) > 1
    assert _checked("")
    for other in (tmp_path, tmp_path / "absent.toml"):
        with pytest.raises(BadInputError, match="cannot be read"):
            rules.run(["check", str(other)], io.StringIO())


def _mutations(text: str) -> list[tuple[int, str]]:
    """Every entry with a misspelt name, and with a value that no entry has."""
    lines, found = text.splitlines(), list[tuple[int, str]]()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if equals and not line.startswith("#"):
            spoilt = (f"{key}q{line[len(key) :]}", f'{key} = "?"', f"{key} = -99")
            texts = ["\n".join([*lines[:number], changed, *lines[number + 1 :]]) for changed in spoilt]
            found += [(number + 1, changed) for changed in texts]
    return found


def _check_mutations(name: str, every: int) -> int:
    mutations = _mutations(_text(name))[::every]
    for line, text in mutations:
        found = _checked(text)
        assert any(fault.line == line for fault in found) or (
            found and "q =" in text.splitlines()[line - 1]
        ), (
            name,
            text.splitlines()[line - 1],
            found,
        )
    return len(mutations)


@pytest.mark.parametrize("name", preset_names())
def test_every_entry_that_is_spoilt_gets_a_line(name: str) -> None:
    assert _check_mutations(name, every=17) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", preset_names())
def test_every_entry_of_every_game_that_is_spoilt_gets_a_line(name: str) -> None:
    assert _check_mutations(name, every=1) > 300
