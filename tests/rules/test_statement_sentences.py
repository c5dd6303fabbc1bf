"""Every statement has a sentence in both languages, a test that holds it, and a fresh page."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.rules.test_statements_in_presets import TEXTS, sources
from tock_companion.errors import BadInputError
from tock_companion.views.wording.statements import as_played, statement, statements
from tock_rules import OPTIONS, load_preset, preset_table
from tock_rules.card_actions import ACTIONS, OWN_ROWS, ROWS, SPLIT_WORDS, SWAPS, read_row
from tock_rules.game import GameRules
from tock_rules.house_rules import HouseRules
from tock_rules.ruleset_files import FAMILY
from tools import own_ruleset_page
from tools.rule_pages import FOLDER, held_by, pages, site_pages

EVERY = [(name, ref) for name in TEXTS for ref in statements(name)]


@pytest.mark.parametrize("name", TEXTS)
def test_every_statement_of_a_text_has_a_short_sentence_in_both_languages(name: str) -> None:
    text, count = TEXTS[name]
    assert list(statements(name)) == [f"{text}-{number:02d}" for number in range(1, count + 1)]
    for ref, words in statements(name).items():
        assert set(words) == {"fr", "en"}, ref
        for sentence in (words["fr"], words["en"]):
            assert sentence[0].isupper() or sentence[0].isdigit(), ref
            assert sentence.endswith("."), ref
            assert len(sentence) <= 170, ref


def test_every_statement_that_is_cited_anywhere_exists() -> None:
    known = {ref for _, ref in EVERY}
    for name, text in sources():
        cited = set(re.findall(r"\bR00\d-\d\d\b", text))
        assert cited <= known, name


@pytest.mark.parametrize("name", [*TEXTS, *FAMILY])
def test_every_rule_is_held_by_a_test(name: str) -> None:
    no_rule = preset_table(name).get("other", {}).get("no_rule", ())
    assert [ref for ref in statements(name) if not held_by(name, ref) and ref not in no_rule] == []


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_a_page_of_rules_is_fresh(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "write it by: make rule-pages"


def test_every_game_of_the_library_has_a_page_with_its_statements() -> None:
    for name in (*TEXTS, *FAMILY):
        page = {**pages(), **site_pages()}[FOLDER / f"{name}.md"]
        assert [ref for ref in statements(name) if f"# {ref}\n" not in page] == []


def test_the_page_for_ruleset_files_names_every_word_that_the_code_knows() -> None:
    page = own_ruleset_page.page()
    words = {*ACTIONS, *ROWS, *OWN_ROWS, *SPLIT_WORDS, *(f"swap:{kind}" for kind in SWAPS)}
    words |= {one.name for one in (*fields(GameRules), *fields(HouseRules))}
    assert {word for word in words if f"`{word}`" not in page and f"split7 {word}" not in page} == {"cards"}
    for action in ACTIONS:
        read_row(
            "6", [action.replace("n:", "3:").replace("+n", "+3").replace("-n", "-3").replace("±n", "±3")]
        )
    with pytest.raises(BadInputError) as refused:
        read_row("6", ["hop"])
    assert [action for action in ACTIONS if action not in str(refused.value)] == []


def test_a_number_that_no_text_has_is_refused() -> None:
    for ref in ("R004-500", "R014-01", "R004-1", "29", ""):
        with pytest.raises(BadInputError, match="no such statement"):
            statement(ref)


def test_a_house_rule_is_explained_as_it_is_played() -> None:
    usual, changed = load_preset("parteu"), load_preset("parteu").with_options({"passing": "forbidden"})
    assert [text["en"] for text in as_played(usual, ["R003-13"])] == [statement("R003-13")["en"]]
    assert "You may not pass other pawns." in [text["en"] for text in as_played(changed, ["R003-13"])]
    assert as_played(changed, ["R003-20"]) == (statement("R003-20"),)


def test_a_sentence_stands_once_however_many_statements_it_answers() -> None:
    rules = load_preset("mjc").with_options({"start_blocks": False})
    sentences = [text["en"] for text in as_played(rules, ["R004-29", "R004-45"])]
    assert "It may be passed." in sentences
    assert len(sentences) == len(set(sentences))


@pytest.mark.parametrize("name", TEXTS)
def test_a_house_rule_is_explained_in_a_few_sentences(name: str) -> None:
    usual = load_preset(name)
    for switch, refs in usual.rests_on.items():
        for value in OPTIONS[switch].allowed:
            try:
                rules = usual.with_options({switch: value})
            except BadInputError:
                continue
            for ref in refs:
                assert 1 <= len(as_played(rules, [ref])) <= 6, (switch, value, ref)
