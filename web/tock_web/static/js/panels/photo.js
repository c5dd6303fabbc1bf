// Reading the own hand from a photo: taken with the phone's camera, made small, read by the companion, forgotten.

import { upload } from "../core/api.js";
import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { cardFace, cardName } from "./card.js";
import { granted } from "./toast.js";

/** More pixels do not help the reader and take longer to send. */
const LONGEST_PX = 1600;
const QUALITY = 0.9;

/** `choose(cards)` gets the cards read, `swap(card, other)` what the player answers; `other` is null for none. */
export function photoPanel(root, { choose, swap }) {
  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    class: "out-of-sight",
    testid: "photo-file",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: taken,
  });
  const body = h("div", { class: "photo" });
  let state = "ready";
  let questions = [];
  let round = 0;
  let kept = false;

  async function taken() {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    const mine = ++round;
    questions = [];
    become("reading");
    const answer = await upload("hand/photo", await smaller(file));
    // The editor was closed, or another photo taken, in the meantime.
    if (mine !== round) return;
    become("ready");
    if (!granted(answer)) return;
    const { cards } = answer.data.data;
    questions = cards.filter(({ choices }) => choices.length);
    choose(cards.map(({ card }) => card));
    refresh();
    if (questions.length) body.scrollIntoView({ block: "center" });
  }

  function become(next) {
    state = next;
    refresh();
  }

  function answered(question, card) {
    questions = questions.filter((other) => other !== question);
    if (card !== question.card) swap(question.card, card);
    refresh();
  }

  function refresh(isKept = kept) {
    kept = isKept;
    const word = state === "reading" ? "photo-reading" : "photo-take";
    body.replaceChildren(
      h(
        "button",
        {
          type: "button",
          class: "wide",
          testid: "photo-take",
          disabled: state === "reading",
          onclick: () => input.click(),
        },
        t(word),
      ),
      ...photoKept(kept),
      ...questions.slice(0, 1).map(ask),
    );
  }

  function ask(question) {
    const choice = (card) =>
      h(
        "button",
        {
          type: "button",
          class: "big",
          testid: "photo-choice",
          "data-choice": card,
          onclick: () => answered(question, card),
        },
        cardFace(card),
        cardName(card),
      );
    return h(
      "section",
      {
        class: "question",
        testid: "photo-question",
        role: "group",
        "aria-label": t(`photo-ask-${question.reason}`),
        "aria-live": "polite",
      },
      h("h3", {}, t(`photo-ask-${question.reason}`)),
      h(
        "div",
        { class: "choices" },
        question.choices.map(choice),
        h(
          "button",
          { type: "button", class: "quiet", testid: "photo-none", onclick: () => answered(question, null) },
          t("photo-none"),
        ),
      ),
    );
  }

  root.replaceChildren(input, body);
  refresh();
  return {
    /** Open the camera; only as the answer to a touch. */
    take: () => input.click(),
    /** Forget what was read, when the editor is closed. */
    forget() {
      round += 1;
      questions = [];
      become("ready");
    },
    refresh,
  };
}

/** Tell before a photo is taken that the host keeps it. */
export function photoKept(isKept) {
  return isKept ? [h("p", { class: "hand-note", testid: "photo-kept" }, t("photo-kept"))] : [];
}

/** Return the photo upright and not larger than needed; as it is where the browser cannot draw it. */
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
    const canvas = h("canvas", {
      width: Math.round(picture.width * scale),
      height: Math.round(picture.height * scale),
    });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    return small ?? file;
  } catch {
    return file;
  }
}
