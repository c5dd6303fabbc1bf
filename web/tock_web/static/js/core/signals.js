// Telling without the screen: a sound and a buzz when it is one's turn or something is wrong.

import { recall } from "./prefs.js";
import { language, say } from "./words.js";

const NOTES = { turn: [660, 880], warning: [330, 262] };
const BUZZ_MS = { turn: [120], warning: [80, 60, 80] };
const NOTE_S = 0.16;
let audio = null;

// Browsers let a page sound only after it was touched once.
document.addEventListener("pointerdown", () => {
  if (recall("sound", "on") !== "on" || audio) return;
  const Audio = window.AudioContext ?? window.webkitAudioContext;
  audio = Audio ? new Audio() : null;
});

/** Whether this phone can buzz at all. */
export const canBuzz = "vibrate" in navigator;

function play(notes) {
  if (!audio || audio.state !== "running") return;
  notes.forEach((frequency, index) => {
    const from = audio.currentTime + index * NOTE_S;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + NOTE_S);
  });
}

function signal(kind) {
  if (recall("sound", "on") === "on") play(NOTES[kind]);
  if (canBuzz && recall("buzz", "on") === "on") navigator.vibrate(BUZZ_MS[kind]);
}

/** Whether this phone can speak. */
export const canSpeak = "speechSynthesis" in window;

function speak(text) {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  speechSynthesis.speak(words);
}

/** Compare two views of a seat and tell what has become new. */
export function announce(before, now) {
  if (!before) return;
  const sentence = say(now.warning?.message ?? now.sentence);
  if (
    canSpeak &&
    recall("speech", "off") === "on" &&
    sentence !== say(before.warning?.message ?? before.sentence)
  )
    speak(sentence);
  if (now.warning && !before.warning) signal("warning");
  else if (now.your_turn && !before.your_turn) signal("turn");
}
