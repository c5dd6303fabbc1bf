// Keeps a phone awake that lies on a shelf all evening, and dark while nobody looks at it.

const DIM_AFTER_MS = 60_000;

/**
 * Keep the screen on while the page is visible; the answer asks again whether that is wanted.
 *
 * @param {(isHeld: boolean) => void} report whether the browser keeps it on
 */
export function stayAwake(report, isWanted = () => true) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const hold = async () => {
    if (!isWanted()) await lock?.release();
    if (!isWanted() || lock || document.visibilityState !== "visible") return;
    try {
      lock = await navigator.wakeLock.request("screen");
      report(true);
      lock.addEventListener("release", () => {
        lock = null;
        report(false);
      });
    } catch {
      // An older browser, or a battery that is nearly empty: then the phone's own settings must keep it on.
      report(false);
    }
  };
  document.addEventListener("visibilitychange", hold);
  void hold();
  return hold;
}

/** Darken the page a minute after it was last touched. */
export function dimLater() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const touched = () => {
    clearTimeout(timer);
    document.body.classList.remove("dim");
    timer = setTimeout(() => document.body.classList.add("dim"), DIM_AFTER_MS);
  };
  document.addEventListener("pointerdown", touched);
  touched();
}

/** Report the battery's charge, where the browser knows it. */
export async function followBattery(/** @type {(share: number, isCharging: boolean) => void} */ report) {
  const known =
    /** @type {{ getBattery?: () => Promise<EventTarget & { level: number, charging: boolean }> }} */ (
      navigator
    );
  const battery = await known.getBattery?.();
  if (!battery) return;
  const tell = () => report(battery.level, battery.charging);
  battery.addEventListener("levelchange", tell);
  battery.addEventListener("chargingchange", tell);
  tell();
}
