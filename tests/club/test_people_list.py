"""Lists of people as spreadsheets and people write them."""

import pytest

from tock_companion.club.people_list import as_text, decoded, entries
from tock_companion.errors import BadInputError


@pytest.mark.parametrize(
    ("data", "people", "found"),
    [
        ("Ana\nBéa\n\n  Chloé   Roy \n".encode(), 1, [("Ana",), ("Béa",), ("Chloé Roy",)]),
        ("Nom;Prénom\nRoy;Béa\n".encode("latin-1"), 1, [("Roy Béa",)]),
        (b"\xef\xbb\xbfName,Team\nAna,Bea\n", 2, [("Ana", "Bea")]),
        ("Ana & Béa\nChloé / Dan\n".encode("cp1252"), 2, [("Ana", "Béa"), ("Chloé", "Dan")]),
        (b'"Roy; Ana";"Roy; Bea"\n', 2, [("Roy; Ana", "Roy; Bea")]),
        ("Nom;Club\nZo\u00e9;Rimouski\n".encode(), 1, [("Zo\u00e9",)]),
        (b"Club,Player 1,Player 2,Points\nX,Ana,Bea,3\n", 2, [("Ana", "Bea")]),
        (b"sep=;\r\nNom\r\nAna\r\n", 1, [("Ana",)]),
        (b"sep=,;\nAna,Roy\n", 1, [("Ana Roy",)]),
        (b'"sep=,"\nAna,Roy\n', 1, [("Ana Roy",)]),
        (b"Nom;Club\nNom;x\n", 1, [("Nom",)]),
        (b"Ana\rBea\r", 1, [("Ana",), ("Bea",)]),
        (b'"Ana\nRoy"\nJean "Ti" Roy\n', 1, [("Ana Roy",), ('Jean "Ti" Roy',)]),
    ],
)
def test_lists_are_read_whatever_wrote_them(data: bytes, people: int, found: list[tuple[str, ...]]) -> None:
    read = entries(decoded(data), people)
    assert read == found
    assert entries(as_text(read), people) == found


@pytest.mark.parametrize(
    "name",
    [
        "Zo\u00e9 C\u00f4t\u00e9",
        "\u00c9lo\u00efse O\u2019Neil",
        "J\u00fcrgen",
        "Se\u00f1or",
        "\u00c9MILE",
        "No\u00ebl",
        "Ana\u00efs Lef\u00e8vre",
    ],
)
@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "utf-8"])
def test_accents_of_windows_and_of_the_mac_are_told_apart(name: str, encoding: str) -> None:
    assert decoded(f"{name}\n".encode(encoding)) == f"{name}\n"


@pytest.mark.parametrize(
    ("text", "people", "says"),
    [
        ("Ana\n" + "x" * 300, 1, "line 2: .* has 300 characters"),
        ("Ana;Bea\nChloé\n", 2, "line 2: 'Chloé' is no pair"),
        ("Ana\x07", 1, "line 1: .* has a character"),
        ('Bea\n"Ana\nChlo\u00e9\n', 1, "line 2: a quotation mark .* has no partner"),
        ('"' + "x" * 150_000, 1, "line 1: a quotation mark"),
    ],
)
def test_a_mistake_names_its_line(text: str, people: int, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        entries(text, people)


@pytest.mark.parametrize("data", [b"PK\x00\x04", b"a" * 300_000, "Ana".encode("utf-16")])
def test_a_bad_list_is_refused(data: bytes) -> None:
    with pytest.raises(BadInputError):
        decoded(data)
