"""How strict the referee is: chosen by the host, kept in the log."""

from enum import Enum


class Mode(Enum):
    """The referee's temper."""

    RECORDER = "recorder"
    """Writes down what it is sure of and says nothing: no warning, no question."""
    COACH = "coach"
    """Warns, explains, asks and helps; what was laid or moved may be taken back."""
    FRIENDLY = "friendly"
    """Like the coach, and the table may let a wrong board stand; that is written down."""
    STRICT = "strict"
    """A laid card and a released pawn are binding where the ruleset says so (R002-36)."""
