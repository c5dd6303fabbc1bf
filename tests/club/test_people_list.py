"""Lists of people as spreadsheets and people write them."""

import pytest

from tock_companion.club.people_list import decoded, entries
from tock_companion.errors import BadInputError


@pytest.mark.parametrize(
    ("data", "people", "found"),
    [
        ("Ana\nBéa\n\n  Chloé   Roy \n".encode(), 1, [("Ana",), ("Béa",), ("Chloé Roy",)]),
        ("Nom;Prénom\nRoy;Béa\n".encode("latin-1"), 1, [("Roy Béa",)]),
        (b"\xef\xbb\xbfName,Team\nAna,Bea\n", 2, [("Ana", "Bea")]),
        ("Ana & Béa\nChloé / Dan\n".encode("cp1252"), 2, [("Ana", "Béa"), ("Chloé", "Dan")]),
        (b'"Roy; Ana";"Roy; Bea"\n', 2, [("Roy; Ana", "Roy; Bea")]),
    ],
)
def test_lists_are_read_whatever_wrote_them(data: bytes, people: int, found: list[tuple[str, ...]]) -> None:
    assert entries(decoded(data), people) == found


@pytest.mark.parametrize(
    ("text", "people", "says"),
    [
        ("Ana\n" + "x" * 300, 1, "line 2: .* has 300 characters"),
        ("Ana;Bea\nChloé\n", 2, "line 2: 'Chloé' is no pair"),
        ("Ana\x07", 1, "line 1: .* has a character"),
    ],
)
def test_a_mistake_names_its_line(text: str, people: int, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        entries(text, people)


@pytest.mark.parametrize("data", [b"PK\x00\x04", b"a" * 300_000])
def test_a_bad_list_is_refused(data: bytes) -> None:
    with pytest.raises(BadInputError):
        decoded(data)
