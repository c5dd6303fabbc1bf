// How things stand with somebody far away, in a sentence for the host.

import { say, t } from "../core/words.js";

/** @import { FarRow, HostView } from "#types" */

/** @type {(row: FarRow, name: string, view: HostView | null) => string} */
export function sentence(row, name, view) {
  const shown = row.seat && view?.far?.seats[row.seat];
  const word = t(`far-host.state.${row.state}`);
  const text = shown ? say(shown.sentence) : (name || t("far-host.somebody-watches")) + t("colon") + word;
  if (row.trouble) return `${text} ${say(row.trouble)}`;
  const ms = row.state === "here" && row.round_trip_ms;
  return ms ? `${text} ${t("far-host.round-trip", { ms })}` : text;
}
