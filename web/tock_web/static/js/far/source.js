// The stream of views through the tunnel, with the part of the browser's `EventSource` that the page uses.

/** One stream of views, for as long as the page looks. */
export class FarSource {
  /**
   * @param {string} url as the page opens it; its query names the tab
   * @param {(source: FarSource) => void} opened
   * @param {(source: FarSource) => void} ended
   * @param {(view: { role: string }) => boolean} isOurs whether the page can draw a view
   */
  constructor(url, opened, ended, isOurs) {
    this.target = new EventTarget();
    this.tab = new URL(url, location.origin).searchParams.get("tab") ?? "";
    this.ended = ended;
    this.isOurs = isOurs;
    opened(this);
  }

  /** @type {(name: string, listener: (event: MessageEvent) => void) => void} */
  addEventListener(name, listener) {
    this.target.addEventListener(name, /** @type {EventListener} */ (listener));
  }

  /** @type {(name: string, data: unknown, lastEventId?: string) => void} */
  tell(name, data, lastEventId = "") {
    if (name === "view" && !this.isOurs(/** @type {{ role: string }} */ (data))) return;
    this.target.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }

  /** The line is cut, or the home ends the stream. */
  fail() {
    this.target.dispatchEvent(new Event("error"));
  }

  close() {
    this.ended(this);
  }
}
