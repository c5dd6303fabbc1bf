"""A phone's camera as a browser shows it: the controls of `MediaStreamTrack`, which a computer's browser does not have.

Run in a page before its scripts, it answers for every video track. `window.emulatedTrack` is the camera: `capabilities`
and `settings` may be changed, `asked` lists the constraints that were applied, and `<html data-asked>` counts
them. What `refuses` names stays as it is.
"""

EMULATED_TRACK = """
const camera = (window.emulatedTrack = {
  capabilities: {
    exposureMode: ["continuous", "manual"], exposureTime: { min: 1, max: 2000, step: 1 },
    iso: { min: 50, max: 3200, step: 1 },
    whiteBalanceMode: ["continuous", "manual"], colorTemperature: { min: 2500, max: 7000, step: 50 },
    focusMode: ["continuous", "manual"], focusDistance: { min: 0, max: 3, step: 0.01 },
  },
  settings: {
    exposureMode: "continuous", exposureTime: 160, iso: 200,
    whiteBalanceMode: "continuous", colorTemperature: 4100,
    focusMode: "continuous", focusDistance: 1.2,
  },
  refuses: [],
  asked: [],
});
const settings = MediaStreamTrack.prototype.getSettings;
MediaStreamTrack.prototype.getCapabilities = () => camera.capabilities;
MediaStreamTrack.prototype.getSettings = function () {
  return { ...settings.call(this), ...camera.settings };
};
MediaStreamTrack.prototype.applyConstraints = async ({ advanced = [] }) => {
  for (const wanted of advanced) {
    if (Object.keys(wanted).some((name) => camera.refuses.includes(name))) throw new DOMException("refused");
    camera.asked.push(wanted);
    Object.assign(camera.settings, wanted);
    document.documentElement.dataset.asked = String(camera.asked.length);
  }
};
"""
