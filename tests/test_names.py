"""Names that people give: what looks alike is alike, and there is something to see."""

import unicodedata

import pytest

from tock_companion.names import MAX_MARKS, distinct_name, tidy_name

SEEN = {
    "an accent": "Jean-No\u00ebl",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "a dark thumb": "\U0001f44d\U0001f3fd",
    "a key": "1\ufe0f\u20e3",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a heart younger than this Python": "\U0001fa77",
    "Persian with a joiner": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "Hindi with a joiner": "\u0915\u094d\u200d\u0937",
    "a sign": "!",
}
UNSEEN = {
    "nothing": "",
    "a space": "\u00a0 \u3000",
    "zero width": "\u200b",
    "joiners": "\u2060\ufeff\u200d\u200c",
    "a filler of Hangul": "\u3164\uffa0\u115f",
    "a soft hyphen": "\u00ad",
    "tag letters": "\U000e0041\U000e0042",
    "empty Braille": "\u2800",
    "an accent alone": "\u0301",
    "selectors": "\ufe0f\U000e0100\u180b",
    "private": "\ue000",
}


@pytest.mark.parametrize("name", SEEN.values(), ids=SEEN)
def test_a_name_that_one_sees_stays_as_it_is(name: str) -> None:
    assert tidy_name(name) == name
    assert tidy_name(f"\u200b {name}\u2060 ") == name


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_nothing_is_left_of_a_name_that_nobody_sees(name: str) -> None:
    assert tidy_name(name) == ""
    if unicodedata.category(name[:1] or " ") not in ("Zs", "Mn"):
        assert tidy_name(f"An{name}na") == "Anna"


def test_names_that_look_alike_are_alike() -> None:
    assert {tidy_name(name) for name in ("Zo\u00e9", "Zoe\u0301", " Zo\u00e9\u200b", "Z\u00ado\u00e9")} == {
        "Zo\u00e9"
    }
    assert tidy_name("Anna \u00a0  B.") == "Anna B."


def test_a_cut_leaves_no_half_of_a_sign() -> None:
    assert tidy_name("ab" + "\U0001f468\u200d\U0001f469", 4) == "ab\U0001f468"
    assert tidy_name("a" * 30, 24) == "a" * 24


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("Ph\u1ea1m Th\u1ecb", 0),
        ("\u05e9\u05c1\u05b8\u05bc\u05dc\u05d5\u05b9\u05dd", 0),
        ("\u0e01\u0e34\u0e48\u0e07", 0),
        ("x" + "".join(map(chr, range(0x305, 0x30F))) + "nn", 10 - MAX_MARKS),
        ("An" + "\u0336" * 12 + "n", 11),
    ],
    ids=["Vietnamese", "Hebrew", "Thai", "a tower", "one mark again and again"],
)
def test_a_letter_bears_as_many_marks_as_writing_needs(name: str, marks: int) -> None:
    tidied = tidy_name(name)
    assert tidied == tidy_name(tidied)
    assert len(unicodedata.normalize("NFD", name)) - len(unicodedata.normalize("NFD", tidied)) == marks


ALIKE = [
    ("Ann", "Ann"),
    ("Ann", "ANN"),
    ("Ann", "\u0410nn"),
    ("Ann", "\u0391NN"),
    ("Ann", "\u00c2\u0304nn"),
    ("Ann", "A n n."),
    ("Ann", "\uff21\uff4e\uff4e"),
    ("Zo\u00e9", "Zoe"),
    ("Olivia", "0l1v1a"),
    ("Tom", "Torn"),
    ("\u041c\u0430\u043a\u0441", "MAKC"),
    ("\u039d\u03af\u03ba\u03bf\u03c2", "Niko\u03c2"),
    ("Stra\u00dfer", "STRASSER"),
    ("\U0001f600", "\U0001f600"),
]
IS_ANOTHER = [
    ("Ann", "Anna"),
    ("Ren\u00e9", "Ren\u00e9e"),
    ("\u674e", "\u738b"),
    ("Max \U0001f981", "Max \U0001f422"),
    ("\u042f\u043d", "\u042f\u043d\u0430"),
    ("Ann 2", "Ann 3"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_a_name_that_looks_like_another_gets_a_number(name: str, other: str) -> None:
    assert distinct_name(other, [name], 24) == f"{other} 2"
    assert distinct_name(name, [other, f"{name} 2"], 24) == f"{name} 3"


@pytest.mark.parametrize(("name", "other"), IS_ANOTHER)
def test_names_that_people_tell_apart_stay(name: str, other: str) -> None:
    assert distinct_name(other, [name], 24) == other
    assert distinct_name(name, [other], 24) == name


def test_a_number_makes_no_name_longer_than_a_seat_s_label() -> None:
    longest = "a" * 24
    assert distinct_name(longest, [longest], 24) == "a" * 22 + " 2"
