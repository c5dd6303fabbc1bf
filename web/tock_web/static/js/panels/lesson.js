// A lesson of a practice: its stars, its card, praise and the way on; the task is read aloud.

import { bootstrap, recall } from "../core/bootstrap.js";
import { button, h, s } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName } from "./cards.js";
import { playNotes, soundContext, speak } from "./settings.js";

/** @import { PracticeInfo, SeatName, View } from "#types" */
/** @import { Ask } from "./practice.js" */

const PRAISE_HZ = [523, 659, 784, 1047];
const NOTE_S = 0.13;
const LOUDSPEAKER = "M4 9v6h4l5 4V5L8 9H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11";

/** @type {(root: HTMLElement, me: SeatName | null, ask: Ask) => (view: View) => void} */
export function lessonPanel(root, me, ask) {
  /** @type {string | null} */
  let spoken = null;
  const draw = drawer(root, (/** @type {View} */ view) =>
    view.practice ? lesson(view, view.practice, me, ask) : [],
  );
  return (/** @type {View} */ view) => {
    const { practice, expects, card, sentence } = view;
    draw([language(), practice, expects, card, sentence], view);
    const isMine = practice?.seat === me;
    const now = practice && isMine ? say(sentence) : null;
    if (now && now !== spoken) {
      readAloud(now);
      // In large letters on a small phone the card is below the sentence's screen.
      if (expects !== "over") scrollTo({ top: 0 });
    }
    if (now !== spoken && practice && isMine && expects === "over") cheer();
    if (spoken && !now && "speechSynthesis" in window) speechSynthesis.cancel();
    spoken = now;
  };
}

/** @type {(view: View, practice: PracticeInfo, me: SeatName | null, ask: Ask) => HTMLElement} */
function lesson(view, practice, me, ask) {
  const { expects, sentence } = view;
  const byTouch = "by_touch" in view && view.by_touch;
  const isDone = expects === "over";
  const isMine = practice.seat === me;
  const isEnd = isDone && practice.lesson === practice.lessons;
  return h(
    "section",
    { class: isDone ? "lesson done" : "lesson", testid: "lesson", "data-lesson": practice.lesson },
    h(
      "div.lesson-head",
      stars(practice.lesson - (isDone ? 0 : 1), practice),
      isMine && listenButton(() => speak(say(sentence))),
    ),
    isMine && (isDone ? nextButton(isEnd, ask) : doing(practice.card, expects, byTouch, ask)),
    me && !(isMine && isEnd) && stopButton(ask),
  );
}

/** @type {(isEnd: boolean, ask: Ask) => HTMLButtonElement} */
function nextButton(isEnd, ask) {
  const onclick = async () => {
    // The simulated table is no place to wait for others.
    if ((await ask("practise")) && isEnd && onSim()) location.assign("/seat");
  };
  const word = t(isEnd ? "practice.play" : "practice.next");
  return button("main", "lesson-next", word, onclick);
}

/**
 * The card, and the way to the pawns where no board is at hand.
 * @type {(card: string, expects: View["expects"], byTouch: boolean, ask: Ask) => (HTMLElement | false)[]}
 */
function doing(card, expects, byTouch, ask) {
  const isElsewhere = bootstrap.session.simulated && !onSim() && !byTouch;
  return [
    cardButton(card, expects === "card", ask),
    isElsewhere && h("a", { href: "/sim", testid: "lesson-sim" }, t("practice.sim")),
  ];
}

/** @param {Ask} ask */
function stopButton(ask) {
  const onclick = () => ask("end_practice");
  return button("quiet", "lesson-stop", t("practice.stop"), onclick);
}

/** Whether this page is the simulated table. */
function onSim() {
  return document.body.dataset.page === "sim";
}

/**
 * A star for each lesson that is done.
 * @type {(done: number, practice: PracticeInfo) => HTMLParagraphElement}
 */
function stars(done, { lesson: n, lessons: all }) {
  const shapes = Array.from({ length: all }, (_, index) =>
    h("span", { class: index < done ? "star won" : "star" }, index < done ? "★" : "☆"),
  );
  return h(
    "p.lesson-at",
    h("span", { "aria-hidden": "true" }, shapes),
    h("span", t("practice.at", { n, all })),
  );
}

/** @param {() => void} onclick */
function listenButton(onclick) {
  if (!("speechSynthesis" in window)) return null;
  return button(
    "quiet",
    "lesson-listen",
    [
      s(
        "svg.icon",
        { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
        s("path", { d: LOUDSPEAKER }),
      ),
      h("span", t("practice.listen")),
    ],
    onclick,
  );
}

/**
 * The one card of the lesson: to tap, and then as it lies there.
 * @type {(card: string, isAsked: boolean, ask: Ask) => HTMLButtonElement | HTMLParagraphElement}
 */
function cardButton(card, isAsked, ask) {
  const face = [cardFace(card), h("span.out-of-sight", cardName(card))];
  if (!isAsked) return h("p.lesson-card.laid", face);
  const onclick = () => ask("play_card", { card });
  return button("lesson-card", "lesson-card", face, onclick);
}

/** @param {string} sentence */
function readAloud(sentence) {
  if ("speechSynthesis" in window && recall("speech", "on") === "on") speak(sentence);
}

/** A few rising notes. */
function cheer() {
  const notes = PRAISE_HZ.map((frequencyHz, index) => [frequencyHz, index * NOTE_S, 2 * NOTE_S]);
  if (recall("sound", "on") === "on") playNotes(soundContext(), notes, "triangle");
}
