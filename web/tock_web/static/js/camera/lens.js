// The phone's own camera: opened on the rear lens, read, and set as far as its browser allows.

import { constraintsFor, freeOf } from "../state/holding.js";

const WANTED = { width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 15 } };
/** Columns and rows of mean grey levels in which the grain of a sensor averages out. */
const CELLS = [40, 30];

/**
 * Settings that only phones' cameras have, and TypeScript does not know.
 *
 * @typedef {MediaTrackCapabilities & { torch?: boolean, zoom?: { min: number, max: number, step: number },
 *   focusMode?: string[], exposureMode?: string[], whiteBalanceMode?: string[] }} LensCapabilities
 */

/** A camera of this phone while it is open. */
export class Lens {
  /** @param {HTMLVideoElement} video @param {() => void} ended told when the phone takes the camera away */
  constructor(video, ended) {
    this.video = video;
    this.ended = ended;
    /** @type {MediaStreamTrack | null} */
    this.track = null;
    this.takenMs = 0;
    this.small = canvas(CELLS[0], CELLS[1]);
    this.large = canvas(1, 1);
  }

  /**
   * Open a camera, the rear one unless another is named; throws where the phone refuses.
   * @param {string} [deviceId]
   */
  async open(deviceId) {
    this.close();
    const which = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: "environment" } };
    const stream = await navigator.mediaDevices.getUserMedia({ video: { ...which, ...WANTED } });
    const [track] = stream.getVideoTracks();
    track.addEventListener("ended", () => {
      if (track === this.track) this.ended();
    });
    this.track = track;
    this.video.srcObject = stream;
    await this.video.play();
    this.follow();
  }

  close() {
    this.track?.stop();
    this.track = null;
    this.video.srcObject = null;
  }

  /** Note the time of each frame, where the browser reports it. */
  follow() {
    const { video, track } = this;
    if (!("requestVideoFrameCallback" in video)) return;
    /** @type {VideoFrameRequestCallback} */
    const note = (nowMs, { captureTime }) => {
      this.takenMs = captureTime ?? nowMs;
      if (track === this.track) video.requestVideoFrameCallback(note);
    };
    video.requestVideoFrameCallback(note);
  }

  /** Whether there is a picture. */
  get isOpen() {
    return this.track?.readyState === "live" && this.video.videoWidth > 0;
  }

  /** Mean grey levels of the picture now. */
  look() {
    const context = this.small;
    context.drawImage(this.video, 0, 0, CELLS[0], CELLS[1]);
    const { data } = context.getImageData(0, 0, CELLS[0], CELLS[1]);
    return Uint8Array.from({ length: CELLS[0] * CELLS[1] }, (_, cell) => {
      const [red, green, blue] = data.subarray(4 * cell, 4 * cell + 3);
      return (3 * red + 6 * green + blue) / 10;
    });
  }

  /**
   * The present picture as JPEG, and its time on the phone's clock.
   *
   * @param {{ width: number, height: number }} size
   * @param {number} quality
   * @returns {Promise<{ picture: Blob, takenMs: number } | null>}
   */
  take({ width, height }, quality) {
    const element = this.large.canvas;
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    const takenMs = this.takenMs || performance.now();
    this.large.drawImage(this.video, 0, 0, width, height);
    return new Promise((resolve) => {
      element.toBlob((picture) => resolve(picture && { picture, takenMs }), "image/jpeg", quality);
    });
  }

  /** @returns {LensCapabilities} */
  get capabilities() {
    return this.track?.getCapabilities?.() ?? {};
  }

  /** Change a setting that this lens offers. @param {Record<string, unknown>} wanted */
  async set(wanted) {
    try {
      await this.track?.applyConstraints({ advanced: [/** @type {MediaTrackConstraintSet} */ (wanted)] });
    } catch {
      // Some lenses offer settings and then refuse them; the picture stays as it was.
    }
  }

  /**
   * Hold exposure, white balance and focus where they stand, or let them work.
   *
   * @param {boolean} isHeld
   * @returns {Promise<import("../state/holding.js").Automatic[]>} those that the lens goes on changing all the same
   */
  async hold(isHeld) {
    const { track } = this;
    const capabilities = /** @type {Record<string, unknown>} */ (this.capabilities);
    const settings = () => /** @type {Record<string, unknown>} */ (track?.getSettings() ?? {});
    for (const wanted of constraintsFor(capabilities, settings(), isHeld)) await this.set(wanted);
    return isHeld ? freeOf(capabilities, settings()) : [];
  }
}

/** The cameras of this phone, by name; browsers reveal names once one of them was allowed. */
export async function lenses() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === "videoinput");
}

/** @type {(width: number, height: number) => CanvasRenderingContext2D} */
function canvas(width, height) {
  const element = Object.assign(document.createElement("canvas"), { width, height });
  const context = element.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser draws no pictures");
  return context;
}
