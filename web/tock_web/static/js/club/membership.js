// The club of this table: the host lets it join the one whose desk is on the broker, or leave it.

import { get } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted, toast } from "../panels/frame.js";

/** @import { Membership } from "#types" */

const LOOK_AGAIN_MS = 2_500;

/**
 * Draw the possible actions each time the sheet opens; without a broker no button opens it.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement} opener of the sheet
 */
export async function membershipPanel(root, opener) {
  /** @type {Membership | null} */
  let now = null;
  const look = async () => {
    const answer = await get("membership");
    if (answer.ok) now = answer.data;
    opener.hidden = !now?.offered;
    draw();
  };
  const choose = async (/** @type {boolean} */ member) => {
    if (granted(await endOnceSure("membership", { member }, member ? null : t("membership.leave"))))
      toast(t("done"), "good");
    await look();
  };
  const drawAll = drawer(root, (/** @type {Membership} */ known) => [
    h("p", { testid: "club-is" }, sentence(known)),
    h("p.hint-line", t("membership.what")),
    known.club &&
      !known.member &&
      button("main", "club-join", t("membership.join", { club: known.club }), () => choose(true)),
    (known.member || known.elsewhere) &&
      button("wide", "club-leave", t("membership.leave"), () => choose(false)),
  ]);
  const draw = () => now && drawAll([language(), now], now);
  const follow = async () => {
    await look();
    // The club's evening may begin while the host looks.
    if (root.closest("dialog")?.open && !now?.club) setTimeout(follow, LOOK_AGAIN_MS);
  };
  opener.addEventListener("click", follow);
  onLanguage(draw);
  await look();
}

/** @param {Membership} now */
function sentence(now) {
  if (now.club && now.member) return t("membership.is", { club: now.club });
  if (now.elsewhere) return t("membership.elsewhere");
  if (!now.broker) return t("membership.no-broker");
  return now.club ? t("membership.met", { club: now.club }) : t("membership.no-desk");
}
