"""Warnings of logs that earlier releases wrote: they hold finished sentences instead of parameters."""

from typing import Any

from tests.support.boards import position
from tock_companion.events.codec import event_from_json
from tock_companion.events.facts import QuestionAsked, ViolationFound
from tock_companion.views.fact_words import question_words, warning_words
from tock_companion.views.names import Names

HERE = position("mjc", "P0 T20")
NAMES = Names(HERE.shape, {}, {})
OLD: dict[str, Any] = {
    "v": 1, "seq": 2, "t_ms": 0, "event": "violation", "seat": "P0", "code": "move/of_another_release",
    "breaks": [], "seen": {}, "nearest": [], "repair": [],
}  # fmt: skip


def read(**fields: object) -> ViolationFound:
    fact = event_from_json({**OLD, **fields}).fact
    assert isinstance(fact, ViolationFound)
    return fact


def test_a_stored_sentence_is_shown_to_the_player_and_to_the_others() -> None:
    stored = {"fr": "Zut.", "en": "Oh."}
    old = read(message={"fr": "Zut. Remets-le.", "en": "Oh. Put it back."}, reason=stored, others=stored)
    assert warning_words(old, HERE, NAMES) == (stored, stored)


def test_the_oldest_logs_have_reason_and_instruction_in_one_sentence() -> None:
    whole = {"fr": "Zut. Remets-le.", "en": "Oh. Put it back."}
    assert warning_words(read(message=whole), HERE, NAMES) == (whole, whole)


def test_a_sentence_in_languages_that_are_not_installed_is_shown_as_it_was_written() -> None:
    mine, others = warning_words(read(message={"de": "Falsch."}), HERE, NAMES)
    assert set(mine.values()) == set(others.values()) == {"Falsch."}


def test_an_old_question_is_put_in_the_words_of_today() -> None:
    line = {"v": 1, "seq": 2, "t_ms": 0, "event": "question", "seat": "P0", "about": "move", "choices": []}
    fact = event_from_json({**line, "message": {"de": "Welcher Zug?"}}).fact
    assert isinstance(fact, QuestionAsked)
    assert question_words(fact, NAMES) == question_words(QuestionAsked("P0", "move", []), NAMES)
