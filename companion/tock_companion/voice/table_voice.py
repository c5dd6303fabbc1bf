"""The voice of one table, as its host has chosen it: off, or in a language."""

import threading
from collections.abc import Callable
from typing import Protocol

from tock_companion.background import Follower, Stream
from tock_companion.language import LANGUAGES, Text
from tock_companion.views.phrases import phrase
from tock_companion.views.schema import PublicView
from tock_companion.voice.loudspeaker import Loudspeaker
from tock_companion.voice.news import Spoken, news, spoken
from tock_companion.voice.speaker import Speaker

SILENT = "off"
KEPT_AS = "voice"
LOOK_AGAIN_S = 60.0
LISTENS = "while the host wants it: waits for each new view, and finds what to say of it"


class Choices(Protocol):
    """The host's choice, kept through restarts."""

    def get(self, name: str) -> object:
        """The saved choice, or None."""

    def keep(self, name: str, value: object) -> None:
        """Replace the choice; raises TockError when it cannot be kept."""


class TableVoice:
    """Listens to the table while the host wants it to speak, from `start` to `stop`."""

    def __init__(
        self,
        subscribe: Callable[[], Stream[PublicView]],
        choices: Choices,
        loudspeaker: Loudspeaker | None = None,
    ) -> None:
        """Take up the host's earlier choice; nothing is spoken before `start`."""
        self._subscribe = subscribe
        self._choices = choices
        self._loudspeaker = loudspeaker or Loudspeaker()
        self._speaker = Speaker(self._loudspeaker.say)
        self._lock = threading.Lock()
        self._listener: Follower[PublicView] | None = None
        kept = choices.get(KEPT_AS)
        self.speech = str(kept) if kept in LANGUAGES else SILENT
        """`off` or a language."""

    def start(self) -> None:
        """Begin to speak, where the host wants it."""
        self._speaker.start()
        self._listen()

    def stop(self) -> None:
        """Fall silent, in the middle of a sentence too."""
        self._turn_away()
        self._loudspeaker.hush()
        self._speaker.stop()

    def choose(self, speech: str) -> None:
        """Take the host's decision; raises TockError when it cannot be kept."""
        self._choices.keep(KEPT_AS, speech)
        self._turn_away()
        self.speech = speech
        self._listen()

    def try_out(self, lang: str) -> None:
        """Say a sentence, so that the host hears whether all is well."""
        self._speaker.put(phrase("voice/sample")[lang], lang)

    def trouble(self) -> Text | None:
        """The reason why nothing can be heard here, and the remedy; None where the machine can speak."""
        code = self._loudspeaker.trouble()
        return None if code is None else phrase(code)

    def _listen(self) -> None:
        if self.speech == SILENT:
            return
        lang, last = self.speech, Spoken()

        def take(view: PublicView | None) -> float:
            nonlocal last
            if view is not None:
                last, sentence = news(last, view)
                if sentence is not None:
                    self._speaker.put(spoken(sentence, lang), lang)
            return 0.0

        with self._lock:
            self._listener = Follower("tock-voice-listener", LISTENS, self._subscribe, take, LOOK_AGAIN_S)
            self._listener.start()

    def _turn_away(self) -> None:
        with self._lock:
            listener, self._listener = self._listener, None
        if listener is not None:
            listener.stop()
