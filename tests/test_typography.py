"""Every sentence that people read is set as it is printed, in every language: word files and generated ones."""

import json
import re
from pathlib import Path

import pytest

import tock_companion
from tests.support.boards import position
from tock_companion.language import entries
from tock_companion.views.wording import codes, message
from tock_rules import BoardShape, Card, Param, Seat, Violation

WORDS = Path(tock_companion.__file__).parent / "words"
FILES = sorted(path for path in WORDS.rglob("*.*") if path.is_file())
FRENCH = re.compile(
    r"[^\u00a0\u202f;!?][;!?](?=\s|$)|[^\u00a0\u202f:]:(?=\s|$)|«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»"
)
"""Double punctuation without its no-break space before it; quotation marks without theirs inside."""
ANYWHERE = re.compile(r"\w'|'\w|\.\.\.|  ")
"""An apostrophe or an ellipsis of a typewriter, two spaces."""


def faults(lang: str, text: str) -> list[str]:
    bare = re.sub(r"\n +|`[^`]*`|\{\w+\}|\bhttps?://\S+", "x", text)
    wrong = [ANYWHERE.search(bare), FRENCH.search(bare) if lang == "fr" else None]
    return [f"{match[0]!r} in {text!r}" for match in wrong if match]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(WORDS)))
def test_a_word_file_is_set_as_printed(path: Path) -> None:
    words = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else entries(path)
    assert words
    lang = path.relative_to(WORDS).parts[0]
    assert [fault for text in words.values() for fault in faults(lang, text)] == []


@pytest.mark.parametrize("code", codes())
def test_sentences_about_mistakes_are_set_as_printed(code: str) -> None:
    params: dict[str, Param] = {
        "pawn": "P1",
        "from": "T20",
        "to": "P1-H2",
        "moved": 1,
        "left": 6,
        "captured_from": "T40",
    }
    words = message(
        Violation(code, (), Seat.P1, Card.parse("QH"), (), params),
        BoardShape(4),
        {Seat.P1: "yellow", Seat.P2: "green"},
        {Seat.P1: "Léa"},
    )
    for text in (words.whole, words.reason, words.others):
        assert [fault for lang, sentence in text.items() for fault in faults(lang, sentence)] == []


def test_nobody_reads_the_code_of_a_seat() -> None:
    start = position("mjc", "P0 T20, P1 T26")
    colors = dict(zip(start.seats, ("red", "blue", "yellow", "green"), strict=True))
    for code in codes():
        params: dict[str, Param] = {
            "pawn": "P1",
            "blocker": "P2",
            "captured": "P3",
            "from": "T20",
            "to": "T35",
        }
        words = message(Violation(code, (), Seat.P1, Card.parse("8H"), (), params), start.shape, colors, {})
        sentences = [text for texts in (words.whole, words.others) for text in texts.values()]
        assert not [text for text in sentences if re.search(r"\bP[0-7]\b", text)]
