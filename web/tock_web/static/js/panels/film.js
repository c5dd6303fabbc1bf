// The film of the game: made on the machine when somebody asks, shown, and handed to the phone's own sharing.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { line } from "../core/line.js";
import { language, t } from "../core/words.js";
import { toast } from "./frame.js";

/** @import { FilmInfo, Word } from "#types" */

const LOOK_MS = 700;
/** @type {FilmInfo} */
export const NO_FILM = { state: "none", percent: 0 };

/**
 * Have it made, and tell how far it is until it is ready or has failed.
 *
 * @param {(film: FilmInfo) => boolean} show whether anybody still wants to know
 */
export async function makeFilm(show) {
  const lang = language();
  let answer = await post("ending/film", { lang });
  while (answer.ok && show(answer.data) && answer.data.state === "making") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    answer = await get("ending/film", { lang });
  }
  if (!answer.ok) show({ state: "failed", percent: 0 });
}

export function filmBox(/** @type {FilmInfo} */ { state, percent }, /** @type {() => void} */ make) {
  if (state === "making") {
    const label = t("film-making", { n: percent });
    return h(
      "p.film",
      { testid: "film-making" },
      label,
      h("progress", { max: 100, value: percent, "aria-label": label }),
    );
  }
  if (state === "ready") {
    const whole = fetchFilm();
    const onclick = async () => handOver(await whole, "tock.gif", "film-kept");
    const image = h("img", { alt: t("film-alt"), testid: "film", width: 300, height: 388 });
    void whole.then((blob) => (image.src = URL.createObjectURL(blob)));
    return h("div.film", image, button("wide", "film-share", t("film-share"), onclick));
  }
  return [
    state === "failed" && h("p.hint-line", t("film-failed")),
    button("wide", "film-make", t("film"), make),
  ];
}

async function fetchFilm() {
  const answer = await line.fetch(`/api/v1/ending/film.gif?lang=${language()}`);
  return answer.blob();
}

/** @param {Blob} blob @param {string} name of the file @param {Word} kept the message when it was saved */
export async function handOver(blob, name, kept) {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: "Tock" });
    } catch {
      // Whoever changes their mind shares nothing.
    }
    return;
  }
  // Sharing needs a secure address, which the companion has not on every network.
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
  toast(t(kept), "good");
}
