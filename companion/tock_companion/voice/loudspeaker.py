"""The machine's own loudspeaker: Debian's espeak-ng makes the sound, aplay of alsa-utils plays it.

Both are processes of their own for each sentence: nothing that hangs or fails in them reaches the table.
"""

import logging
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tock_companion.language import catalog

LOG = logging.getLogger(__name__)
Trouble = Literal["voice/no_espeak", "voice/no_player", "voice/no_card"]
WORDS_A_MINUTE = 150
"""Slower than espeak-ng's own 175: names and colours are heard across a room."""
MAX_SPEECH_S = 20.0
"""A sentence that is not out by then never will be: the card is held by another program."""
CARDS = Path("/proc/asound/cards")


class Loudspeaker:
    """Says sentences one at a time; `player` takes a WAV file on its standard input."""

    def __init__(
        self,
        synthesis: str = "espeak-ng",
        player: Sequence[str] = ("aplay", "--quiet", "-"),
        cards: Path = CARDS,
        longest_s: float = MAX_SPEECH_S,
    ) -> None:
        self._synthesis = synthesis
        self._player = tuple(player)
        self._cards = cards
        self._longest_s = longest_s
        self._running: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()

    def trouble(self) -> Trouble | None:
        """The code of the sentence about a missing program or card; None where it can speak."""
        if shutil.which(self._synthesis) is None:
            return "voice/no_espeak"
        if shutil.which(self._player[0]) is None:
            return "voice/no_player"
        return None if _has_card(self._cards) else "voice/no_card"

    def say(self, text: str, lang: str) -> None:
        """Say a sentence and wait until it is out; what fails is logged, and nothing else comes of it."""
        speak = (
            *(self._synthesis, "-v", catalog("things")["language.voice"][lang], "-s", str(WORDS_A_MINUTE)),
            *("--stdin", "--stdout"),
        )
        try:
            with self._lock:
                voice = subprocess.Popen(speak, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self._running = [voice]
                self._running.append(subprocess.Popen(self._player, stdin=voice.stdout))
            assert voice.stdin is not None
            assert voice.stdout is not None
            # The player alone reads the sound: with our own end open, it would wait for us at the end.
            voice.stdout.close()
            with voice.stdin as words:
                words.write(text.encode())
            codes = [process.wait(self._longest_s) for process in reversed(self._running)]
            if any(codes):
                LOG.warning("the table's voice failed (exit codes %s)", codes)
        except (OSError, subprocess.TimeoutExpired) as error:
            LOG.warning("the table's voice failed: %s", error)
        finally:
            self.hush()

    def hush(self) -> None:
        with self._lock:
            for process in self._running:
                process.kill()
                process.wait()
            self._running = []


def _has_card(cards: Path) -> bool:
    """Whether the kernel knows a sound card (`--- no soundcards ---` where it knows none)."""
    try:
        return "]:" in cards.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
