"""Answers about the games that families play."""

from collections.abc import Mapping, Sequence

from typing_extensions import TypedDict

from tock_companion.language import Text


class NamedGame(TypedDict):
    """A printed game."""

    name: str
    title: Text
    line: Text
    fits: bool
    """Whether it can be played on this board."""
    board: str | None
    """The key of the board that the host may lay for it instead, where this one does not fit."""


class AnswerRow(TypedDict):
    """An answer to choose."""

    id: str
    """As an option has it: `start;+1;+11`, from which the page draws its picture."""
    text: Text


class QuestionRow(TypedDict):
    """The next question."""

    topic: str
    text: Text
    answers: Sequence[AnswerRow]
    """The answers of the games that are left."""
    others: Sequence[AnswerRow]
    """The answers of all other games."""


class SheetRow(TypedDict):
    """The nearest game's answer to a question, as the family plays it."""

    topic: str
    text: Text
    printed: Text | None
    """The printed rule, where the family plays another."""
    possible: bool
    """Whether the game can be changed so."""


class FoundGames(TypedDict):
    """The games nearest to the answers, the nearest first."""

    games: Sequence[NamedGame]
    question: QuestionRow | None
    """Null once no question tells the games apart."""
    options: Mapping[str, bool | int | str]
    """Makes the first game agree with the answers."""
    sheet: Sequence[SheetRow]
    """The first game's answers to all seven questions."""


class OwnGameRow(TypedDict):
    """A family's game."""

    name: str
    ruleset: str
    title: Text
    """Of the printed game that it comes from."""
    options: Mapping[str, bool | int | str]
    changes: Sequence[Text]
    """Its differences from the printed game, one sentence each."""
    link: str
    """The end of a link to it, from `#` on."""
    fits: bool
    """Whether it can be played on this board."""


class SisterAnswer(TypedDict):
    """The rule of a sister game that would allow the refused move; nulls where there is none."""

    text: Text | None
    ruleset: str
    options: Mapping[str, bool | int | str]
    """The present game with that rule."""


class OwnGames(TypedDict):
    """The games that this family has made."""

    games: Sequence[OwnGameRow]
    next: OwnGameRow | None
    """The one to play after the present game, of which the host has changed a rule."""
