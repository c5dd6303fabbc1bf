"""Answers about the table's voice."""

from typing import Literal

from typing_extensions import TypedDict

from tock_companion.language import Text


class VoiceState(TypedDict):
    """Whether the table speaks aloud."""

    speech: Literal["off", "fr", "en"] | None
    """None where this companion has no voice at all."""
    trouble: Text | None
    """Why nothing can be heard on this machine, and what to do; null where it can speak."""
