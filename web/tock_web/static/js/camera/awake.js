// Keeps a phone awake that lies on a shelf all evening, and dark while nobody looks at it.

const DIM_AFTER_MS = 60_000;

/**
 * Keep the screen on while the page is visible.
 *
 * @param {(isHeld: boolean) => void} told whether the browser keeps it on
 */
export function stayAwake(told) {
  const hold = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      told(true);
      lock.addEventListener("release", () => told(false));
    } catch {
      // An older browser, or a battery that is nearly empty: then the phone's own settings must keep it on.
      told(false);
    }
  };
  document.addEventListener("visibilitychange", hold);
  return hold();
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

/**
 * Report the battery's charge, where the browser knows it.
 *
 * @param {(share: number, isCharging: boolean) => void} told
 */
export async function followBattery(told) {
  const known =
    /** @type {{ getBattery?: () => Promise<EventTarget & { level: number, charging: boolean }> }} */ (
      navigator
    );
  const battery = await known.getBattery?.();
  if (!battery) return;
  const tell = () => told(battery.level, battery.charging);
  battery.addEventListener("levelchange", tell);
  battery.addEventListener("chargingchange", tell);
  tell();
}
