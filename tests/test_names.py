"""Names that people give: what looks alike is alike, and there is something to see."""

import unicodedata

import pytest

from tock_companion.names import tidy_name

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
