// The address of the page for broadcasts, put together by the host.

import { choice, h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { PARTS, PLACES, SIZES, addressOf, askedOf } from "../state/overlay.js";

/** @param {HTMLElement} root */
export function overlayAddress(root) {
  let asked = askedOf("");
  const address = h("input", {
    type: "text",
    id: "overlay-address",
    testid: "overlay-address",
    readonly: true,
  });
  address.addEventListener("focus", () => address.select());
  const open = h("a", { target: "_blank", rel: "noopener", testid: "overlay-open" });
  /** @param {Partial<typeof asked>} change */
  const take = (change) => {
    asked = { ...asked, ...change };
    address.value = new URL(addressOf(asked), location.href).href;
    open.setAttribute("href", address.value);
  };
  const draw = () => {
    open.textContent = t("overlay.open");
    root.replaceChildren(
      h("h3", t("overlay.title")),
      h("p.hint-line", t("overlay.what")),
      ...PARTS.map((name) => part(name, asked.show, take)),
      h("label", { for: "overlay-at" }, t("overlay.at")),
      choice(
        { id: "overlay-at" },
        PLACES,
        PLACES.find((at) => at === asked.at),
        (at) => t(`overlay.at-${at}`),
        (at) => take({ at }),
      ),
      h("label", { for: "overlay-size" }, t("overlay.size")),
      choice(
        { id: "overlay-size" },
        SIZES,
        SIZES.find((size) => size === asked.size),
        (size) => `${size} %`,
        (size) => take({ size }),
      ),
      h("label", { for: address.id }, t("overlay.address")),
      address,
      h("p", open),
    );
  };
  take({});
  onLanguage(draw);
  draw();
}

/** @type {(name: typeof PARTS[number], shown: readonly string[], take: (change: { show: string[] }) => void) => HTMLElement} */
function part(name, shown, take) {
  const box = h("input", {
    type: "checkbox",
    id: `overlay-show-${name}`,
    testid: `overlay-show-${name}`,
    checked: shown.includes(name),
  });
  box.addEventListener("change", () => {
    const boxes = PARTS.filter(
      (one) => /** @type {HTMLInputElement} */ (document.getElementById(`overlay-show-${one}`)).checked,
    );
    take({ show: boxes });
  });
  return h("label", box, " ", t(`overlay.show-${name}`));
}
