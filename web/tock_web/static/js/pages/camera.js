// The page that makes a phone the camera of the table.

import { dimLater, followBattery, stayAwake } from "../camera/awake.js";
import { Lens } from "../camera/lens.js";
import { showSettings } from "../camera/settings.js";
import { Stillness } from "../camera/stillness.js";
import { post, upload } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { s, write } from "../core/dom.js";
import { Store } from "../core/store.js";
import { onLanguage, say, switchLanguage, t } from "../core/words.js";
import {
  MOVING_MS,
  NO_CAMERA,
  differs,
  isDue,
  reduceCamera,
  sentSize,
  shownState,
  tableTime,
} from "../state/camera.js";

/** @import { CameraAction, CameraState } from "../state/camera.js" */
/** @import { Word } from "#types" */

const ASK_AGAIN_MS = 1_000;
/** Interval between comparisons of the clocks while pictures are sent. */
const ASK_SENDING_MS = 20_000;
/** After this long the link counts as broken: the next attempt may find another way. */
const PATIENCE_MS = 4_000;
const FULL = 100;

/** @type {Store<CameraState, CameraAction>} */
const store = new Store(reduceCamera, NO_CAMERA, draw);
const video = partOf(HTMLVideoElement, "live");
const lens = new Lens(video, () => store.dispatch({ type: "phase", phase: "ended" }));
const stillness = new Stillness(lens, part("lock"), part("wanders-note"));
/** Work in progress, none of it shown. */
const run = {
  isSending: false,
  isAsking: false,
  isOutdated: false,
  lastMs: 0,
  askedMs: -Infinity,
  look: /** @type {Uint8Array | null} */ (null),
};

const overlay = s("svg", { "aria-hidden": "true" });
part("seen-box").append(overlay);
partOf(HTMLButtonElement, "camera-start").addEventListener("click", begin);
part("camera-language").addEventListener("click", switchLanguage);
onLanguage(() => draw(store.state));

async function begin() {
  store.dispatch({ type: "phase", phase: "permission" });
  if (!(await openLens())) return;
  showSettings(lens, openLens);
  stayAwake((isHeld) => {
    part("awake-note").hidden = isHeld;
  });
  dimLater();
  followBattery((share, isCharging) => {
    write(part("battery"), t(isCharging ? "camera-page.charging" : "camera-page.battery", percent(share)));
  });
  setInterval(tick, MOVING_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !lens.isOpen) openLens();
  });
}

/** @param {number} share */
function percent(share) {
  return { percent: Math.round(FULL * share) };
}

/** @param {string} [deviceId] */
async function openLens(deviceId) {
  try {
    await lens.open(deviceId);
  } catch {
    store.dispatch({ type: "phase", phase: "denied" });
    return false;
  }
  store.dispatch({ type: "phase", phase: "waiting" });
  stillness.begin(performance.now());
  ask();
  return true;
}

/** Ask for permission, and for the table's time. */
async function ask() {
  if (run.isAsking) return;
  run.isAsking = true;
  const sentMs = performance.now();
  run.askedMs = sentMs;
  const answer = await post("phone/ask", {}, PATIENCE_MS);
  run.isAsking = false;
  if (run.isOutdated) {
    run.isOutdated = false;
    await ask();
    return;
  }
  if (answer.ok) {
    if (answer.data.state === "let_in") stillness.configure(answer.data.hold_still);
    store.dispatch({ type: "asked", answer: answer.data, sentMs, answeredMs: performance.now() });
  } else store.dispatch({ type: "unanswered" });
}

/** Ask even while an answer is under way: that one may have the clock of the board before. */
function askOnceMore() {
  if (run.isAsking) run.isOutdated = true;
  else ask();
}

/** Look at the picture, and send it when it is time. */
function tick() {
  const { phase, isLost } = store.state;
  const nowMs = performance.now();
  const askEvery = phase === "sending" && !isLost ? ASK_SENDING_MS : ASK_AGAIN_MS;
  if (phase !== "denied" && phase !== "ended" && nowMs - run.askedMs >= askEvery) ask();
  if (phase !== "sending" || !lens.isOpen) return;
  const look = lens.look();
  if (differs(look, run.look)) {
    run.look = look;
    store.dispatch({ type: "moved", atMs: nowMs });
  }
  stillness.watch(look, nowMs, store.state);
  if (!run.isSending && isDue(store.state, run.lastMs, nowMs)) send(nowMs);
}

/** @param {number} nowMs */
async function send(nowMs) {
  run.isSending = true;
  run.lastMs = nowMs;
  const found = await lens.take(sentSize(video.videoWidth, video.videoHeight), store.state.quality);
  const taken_ms = found && tableTime(store.state, found.takenMs);
  if (found && taken_ms !== null) {
    const sentMs = performance.now();
    const answer = await upload("phone/picture", found.picture, { taken_ms }, PATIENCE_MS);
    answered(answer, found.picture.size, sentMs);
  }
  run.isSending = false;
}

/**
 * @param {Awaited<ReturnType<typeof upload<"phone/picture">>>} answer
 * @param {number} bytes
 * @param {number} sentMs
 */
function answered(answer, bytes, sentMs) {
  if (answer.ok) {
    store.dispatch({ type: "seen", seen: answer.data, bytes, sentMs, answeredMs: performance.now() });
  } else if (answer.status === 0) {
    store.dispatch({ type: "unanswered" });
  } else {
    const type = answer.status === 409 ? "mistimed" : "complaint";
    store.dispatch({ type, message: answer.data?.message ?? null, atMs: performance.now() });
    // No longer admitted, or a clock that went wrong: asking again settles both.
    if (answer.status === 403 || answer.status === 409) askOnceMore();
  }
}

/** @param {CameraState} state */
function draw(state) {
  const shown = shownState(state);
  const isOpen = state.phase !== "start" && state.phase !== "permission" && state.phase !== "denied";
  part("camera-door").hidden = isOpen;
  part("camera-view").hidden = !isOpen;
  part("camera-state").dataset.state = shown;
  write(part("camera-sentence"), sentence(state));
  part("recording-note").hidden = !state.seen?.recording;
  if (state.phase === "sending") drawSeen(state);
  else overlay.replaceChildren();
}

/** @param {CameraState} state */
function sentence(state) {
  const shown = shownState(state);
  if (shown === "searching" || shown === "live") {
    return say(/** @type {import("#types").Text | null} */ (state.complaint)) || advice(state);
  }
  return t(
    /** @type {Word} */ (
      `camera-page.${shown === "lost" && state.phase === "ended" ? "ended" : phaseWord(state)}`
    ),
  );
}

/** @param {CameraState} state */
function advice({ seen }) {
  if (!seen) return t("camera-page.searching");
  return seen.code ? say(/** @type {import("#types").Text} */ (seen.message)) : t("camera-page.live");
}

/** @param {CameraState} state */
function phaseWord({ phase, isLost }) {
  return isLost && (phase === "waiting" || phase === "sending") ? "lost" : phase;
}

/** @param {CameraState} state */
function drawSeen({ seen, sent, quality }) {
  const { videoWidth: width, videoHeight: height } = video;
  const box = part("seen-box");
  box.style.aspectRatio = `${width} / ${height}`;
  const corners = (seen?.outline ?? []).map(([x, y]) => `${x * width},${y * height}`).join(" ");
  const radius = width / 90;
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  overlay.replaceChildren(
    ...(corners ? [s("polygon", { points: corners, class: seen?.code ? "weak" : "well" })] : []),
    ...(seen?.pawns ?? []).map(({ x, y }) => s("circle", { cx: x * width, cy: y * height, r: radius })),
  );
  const kb = sent.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000;
  const values = { count: sent.length, kb: Math.round(kb), quality: Math.round(FULL * quality) };
  write(part("rate"), t("camera-page.rate", values));
}
