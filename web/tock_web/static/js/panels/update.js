// A new package for the machine, for the host: uploaded or from a USB stick, checked, installed with the PIN.

import { get, post, postSlow, upload } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { valueStore } from "../core/store.js";
import { onLanguage, t } from "../core/words.js";
import { granted, toast } from "./frame.js";

/** @import { UpdateState } from "#types" */
/** @typedef {{ update: UpdateState | null, names: readonly string[] | null }} PanelState */

/** The companion takes pieces of this size. */
const PIECE_BYTES = 4_000_000;
const MB = 1_000_000;
const LOOK_AGAIN_MS = 3_000;

/** Show the part of the machine's page about new packages, where somebody could install one. */
export async function showUpdate() {
  const store = valueStore(/** @type {PanelState} */ ({ update: null, names: null }), draw);
  const look = async () => {
    const answer = await get("machine/update");
    if (answer.ok) store.dispatch({ update: answer.data });
    // During the trial the companion is away for a moment: the page asks again.
    const isKnown = answer.ok || store.state.update !== null;
    if (isKnown && (!answer.ok || isBusy(answer.data))) setTimeout(look, LOOK_AGAIN_MS);
  };

  partOf(HTMLInputElement, "update-file").addEventListener("change", async (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const file = field.files?.[0];
    if (!file) return;
    const isSent = await send(file);
    field.value = "";
    if (!isSent) return;
    const answer = await postSlow("machine/update/check");
    if (granted(answer)) store.dispatch({ update: answer.data });
    part("update-sent").hidden = true;
  });
  part("update-sticks").addEventListener("click", async () => {
    const answer = await postSlow("machine/update/sticks");
    if (granted(answer)) store.dispatch({ names: answer.data.names });
  });
  part("update-found").addEventListener("click", async (event) => {
    const name = event.target instanceof HTMLElement ? event.target.dataset.name : undefined;
    if (!name) return;
    const answer = await postSlow("machine/update/take", { name });
    if (granted(answer)) store.dispatch({ update: answer.data, names: null });
  });
  part("update-yes").addEventListener("submit", async (event) => {
    event.preventDefault();
    const candidate = store.state.update?.candidate;
    const pin = partOf(HTMLInputElement, "update-pin");
    if (!candidate) return;
    const asked = { sha256: candidate.sha256, pin: pin.value };
    const answer = await endOnceSure("machine/update/install", asked, part("update-install").textContent);
    pin.value = "";
    if (!granted(answer)) return;
    store.dispatch({ update: answer.data });
    setTimeout(look, LOOK_AGAIN_MS);
  });
  part("update-no").addEventListener("click", async () => {
    const answer = await post("machine/update/forget");
    if (granted(answer)) store.dispatch({ update: answer.data });
  });
  onLanguage(() => draw(store.state));
  await look();
}

/** Whether the machine is busy with it. @param {UpdateState} update */
export function isBusy({ progress }) {
  return progress !== null && ["waiting", "trying", "recording"].includes(progress.phase);
}

/** Send a package piece by piece. @param {File} file */
async function send(file) {
  part("update-sent").hidden = false;
  const bar = partOf(HTMLProgressElement, "update-bar");
  for (let offset = 0; offset < file.size; offset += PIECE_BYTES) {
    bar.value = offset / file.size;
    const piece = file.slice(offset, offset + PIECE_BYTES, "application/octet-stream");
    if (!granted(await upload("machine/update/piece", piece, { offset }))) {
      part("update-sent").hidden = true;
      return false;
    }
  }
  bar.value = 1;
  if (!file.size) toast(t("update.empty"));
  return file.size > 0;
}

/** @param {PanelState} state */
function draw({ update, names }) {
  part("update").hidden = !update?.here;
  if (!update?.here) return;
  const { candidate, progress, pin } = update;
  const busy = isBusy(update);
  part("update-need-pin").hidden = pin;
  part("update-choose").hidden = !pin || busy || candidate !== null;
  part("update-found").replaceChildren(...found(names));
  part("update-candidate").hidden = !candidate || busy;
  if (candidate) {
    const { version, installed, size, sha256, signer } = candidate;
    part("update-what").textContent = t("update.newer", { version, installed });
    part("update-signer").textContent = t("update.signer", { signer });
    part("update-size").textContent = t("update.size", { mb: Math.round(size / MB) });
    part("update-hash").textContent = sha256;
    part("update-install").textContent = t("update.install", { version });
  }
  part("update-progress").replaceChildren(
    ...(progress ? [h("p", { testid: "update-news" }, news(progress))] : []),
  );
}

/** @type {(names: readonly string[] | null) => HTMLElement[]} */
function found(names) {
  if (names === null) return [];
  if (!names.length) return [h("p", t("update.no-stick"))];
  return names.map((name) => h("button.wide", { type: "button", "data-name": name }, name));
}

/** @param {NonNullable<UpdateState["progress"]>} progress */
export function news({ phase, version, before, reason }) {
  if (phase === "done") return t("update.done", { version });
  if (phase !== "failed") return t("update.trying", { version });
  if (reason === "interrupted") return t("update.interrupted", { version, before });
  return t("update.failed", { version, before });
}
