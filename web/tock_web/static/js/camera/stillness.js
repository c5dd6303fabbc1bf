// Holds a phone's exposure, white balance and focus still while people play.

import { letGo, stopsOf, watched } from "../state/holding.js";

/** @import { CameraState } from "../state/camera.js" */
/** @import { Lens } from "./lens.js" */

export class Stillness {
  /**
   * @param {Lens} lens
   * @param {HTMLElement} button by which people hold the camera or let it go
   * @param {HTMLElement} note shown while the camera goes on changing all the same
   */
  constructor(lens, button, note) {
    this.lens = lens;
    this.button = button;
    this.note = note;
    this.holding = letGo(0);
    /** @type {boolean | null} */
    this.isWanted = null;
    button.onclick = () => this.want(!this.isWanted);
  }

  /** A camera was opened: its automatics work. @param {number} atMs */
  begin(atMs) {
    this.holding = letGo(atMs);
    const { focusMode, exposureMode, whiteBalanceMode } = this.lens.capabilities;
    this.button.hidden = ![focusMode, exposureMode, whiteBalanceMode].some((modes) =>
      modes?.includes("manual"),
    );
  }

  /** Take in the host's setting, unless somebody has decided at the button. @param {boolean} isWanted */
  configure(isWanted) {
    if (this.isWanted === null) this.show(isWanted);
  }

  /** @param {boolean} isWanted */
  want(isWanted) {
    this.show(isWanted);
    this.holding = letGo(performance.now());
    this.hold(isWanted);
  }

  /** @param {boolean} isWanted */
  show(isWanted) {
    this.isWanted = isWanted;
    this.button.setAttribute("aria-pressed", String(isWanted));
  }

  /**
   * Hold settled automatics, and let them settle again when the room has changed.
   * @type {(look: Uint8Array, atMs: number, state: CameraState) => void}
   */
  watch(look, atMs, { seen, movedMs }) {
    if (!this.isWanted) return;
    const before = this.holding.phase;
    const isSeen = Boolean(seen?.outline.length);
    this.holding = watched(this.holding, { atMs, stops: stopsOf(look), isSeen, movedMs });
    if (this.holding.phase !== before) this.hold(this.holding.phase === "held");
  }

  /** @param {boolean} isHeld */
  async hold(isHeld) {
    const free = await this.lens.hold(isHeld);
    this.note.hidden = !free.length;
  }
}
