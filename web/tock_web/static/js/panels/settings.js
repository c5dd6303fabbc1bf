// Settings of a player's phone, and its signals: sounds, vibration, spoken sentences.

import { recall, remember } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { language, onLanguage, say, t } from "../core/words.js";
import { aloud } from "./aloud.js";

/** @import { SeatView } from "#types" */
/** @typedef {"turn" | "warning"} Signal */

const NOTES_HZ = { turn: [660, 880], warning: [330, 262] };
const BUZZ_MS = { turn: [120], warning: [80, 60, 80] };
const NOTE_S = 0.16;
const CAN_BUZZ = "vibrate" in navigator;
const CAN_STAY_AWAKE = "wakeLock" in navigator;
const CAN_SPEAK = "speechSynthesis" in window;
/** @type {{ context: AudioContext | null }} */
const sound = { context: null };

/** The sound of this page; null while the browser keeps it silent. */
export function soundContext() {
  // The table's screen has no switches: it is heard once somebody has touched it.
  if (!sound.context && navigator.userActivation?.hasBeenActive) sound.context = new AudioContext();
  return sound.context;
}

/** Draw the switches of a player's phone. @param {HTMLElement} root */
export function settingsPanel(root) {
  turnOver();
  // Browsers keep a page silent until its first tap.
  document.addEventListener("pointerdown", () => {
    if (isOn("sound", "on") && window.AudioContext) sound.context ??= new AudioContext();
  });
  const draw = () =>
    root.replaceChildren(
      h("h2", t("settings")),
      h(
        "div.settings",
        toggle("sound", "on"),
        CAN_BUZZ && toggle("buzz", "on"),
        CAN_SPEAK && toggle("speech", "off"),
        CAN_STAY_AWAKE && toggle("awake", "on"),
        toggle("left", "off", turnOver),
      ),
    );
  onLanguage(draw);
  draw();
}

/** @type {(name: string, usual: "on" | "off") => boolean} */
function isOn(name, usual) {
  return recall(name, usual) === "on";
}

/** Move the controls used most to the side of the thumb. */
function turnOver() {
  document.documentElement.dataset.thumb = isOn("left", "off") ? "left" : "right";
}

/**
 * @param {"sound" | "buzz" | "speech" | "awake" | "left"} name
 * @param {"on" | "off"} usual
 * @param {() => void} [apply]
 */
function toggle(name, usual, apply = () => {}) {
  const onchange = () => {
    remember(name, box.checked ? "on" : "off");
    apply();
  };
  const box = h("input", { type: "checkbox", checked: isOn(name, usual), onchange });
  return h("label", box, t(`settings.${name}`));
}

/**
 * The news between two views of a seat: the signal to give and the sentence to speak.
 * @type {(before: SeatView, now: SeatView) => { signal: Signal | null, sentence: string | null }}
 */
export function newsBetween(before, now) {
  const [old, sentence] = [before, now].map((view) => say(view.warning?.message ?? view.sentence));
  const isWarned = now.warning && !before.warning;
  const isNext = now.your_turn && !before.your_turn;
  return {
    signal: isWarned ? "warning" : isNext ? "turn" : null,
    sentence: sentence && sentence !== old ? sentence : null,
  };
}

/**
 * Signal and speak the news since the previous view.
 * @type {(before: SeatView | null, now: SeatView) => void}
 */
export function announce(before, now) {
  if (!before) return;
  const { signal, sentence } = newsBetween(before, now);
  if (sentence) speakIfWanted(sentence);
  if (signal && isOn("sound", "on")) {
    playNotes(
      sound.context,
      NOTES_HZ[signal].map((hz, index) => [hz, index * NOTE_S, NOTE_S]),
    );
  }
  if (signal && CAN_BUZZ && isOn("buzz", "on")) navigator.vibrate(BUZZ_MS[signal]);
}

/**
 * Play notes where the browser lets this page be heard.
 *
 * @param {AudioContext | null} context
 * @param {number[][]} notes of each its frequency in Hz, its start and its length in s
 * @param {OscillatorType} [type]
 * @param {number} [peak] volume at the start of each
 */
export function playNotes(context, notes, type = "sine", peak = 0.12) {
  if (context?.state !== "running") return;
  for (const [frequencyHz, startS, lengthS] of notes) {
    const from = context.currentTime + startS;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = type;
    tone.frequency.value = frequencyHz;
    volume.gain.setValueAtTime(peak, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + lengthS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + lengthS);
  }
}

/** Read a sentence aloud, where the player has switched that on. @param {string} text */
export function speakIfWanted(text) {
  if (CAN_SPEAK && isOn("speech", "off")) speak(text);
}

/** Say a sentence in this phone's language, cutting off the one before. @param {string} text */
export function speak(text) {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(aloud(text));
  words.lang = language();
  speechSynthesis.speak(words);
}
