// Tabs of one browser share its few connections to one address: the newest keep a stream, the others ask now and then.

import { line } from "./line.js";

/** @import { Stream } from "./stream.js" */
/** @typedef {{ opened: string } | { closed: string }} TabNews */

/** Browsers open six connections to one address; requests need some of them. */
export const STREAMS = 4;
const POLL_MS = 3_000;
/** As many failures that the watcher asks for its view at an even pace. */
const LONG_FAILED = 9;

/** Open a stream that has waited for this, and rest it while enough other tabs have newer ones. */
export function share(/** @type {Stream} */ stream, channel = newChannel()) {
  if (!channel) {
    stream.wake();
    return;
  }
  const me = `${Math.random()}`;
  /** @type {Set<string>} */
  const newer = new Set();
  /** @type {{ timer: ReturnType<typeof setTimeout> | undefined }} */
  const poll = { timer: undefined };

  const claim = () => {
    newer.clear();
    channel.postMessage({ opened: me });
    if (!stream.rests) return;
    clearTimeout(poll.timer);
    stream.wake();
  };
  const ask = async () => {
    if (document.visibilityState === "visible") {
      stream.failures = LONG_FAILED;
      await stream.watcher.failed(LONG_FAILED);
    }
    if (stream.rests) poll.timer = setTimeout(ask, POLL_MS);
  };
  const rest = () => {
    stream.rests = true;
    stream.close();
    ask();
  };

  channel.onmessage = ({ data }) => {
    const news = /** @type {TabNews} */ (data);
    if ("closed" in news) {
      newer.delete(news.closed);
      if (stream.rests && document.visibilityState === "visible") claim();
      return;
    }
    newer.add(news.opened);
    if (newer.size >= STREAMS && !stream.rests && !stream.ended) rest();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") claim();
  });
  window.addEventListener("focus", claim);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) claim();
  });
  window.addEventListener("pagehide", () => channel.postMessage({ closed: me }));
  claim();
}

/** @returns {BroadcastChannel | null} */
function newChannel() {
  return line.isRemote || !globalThis.BroadcastChannel ? null : new BroadcastChannel("tock-streams");
}
