// The form for a memory card: what is typed goes to a worker on this device, which packs the files to unpack onto it.

import { named, part, show, t } from "./page.js";

const worker = new Worker(new URL("card_worker.js", import.meta.url), { type: "module" });
const form = /** @type {HTMLFormElement} */ (part("form"));

named("card");
const region = navigator.languages.map((one) => one.split("-")[1]).find((one) => one?.length === 2);
/** @type {HTMLInputElement} */ (part("country")).value = region ?? "CA";
/** @type {HTMLSelectElement} */ (part("language")).value = document.documentElement.lang;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  part("trouble").hidden = part("done").hidden = true;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  worker.postMessage({ ...Object.fromEntries(new FormData(form)), timezone });
});
worker.addEventListener("message", ({ data }) => {
  if (data.loaded) return show(data.loaded);
  show("all");
  if (data.failed) return void fail(data.failed);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data.packed], { type: "application/zip" }));
  link.download = "tock-settings.zip";
  link.click();
  part("done").hidden = false;
});
worker.addEventListener("error", (event) => fail(event.message));

function fail(/** @type {string} */ reason) {
  part("trouble").textContent = `${t("card_failed")} ${reason}`;
  part("trouble").hidden = false;
}
