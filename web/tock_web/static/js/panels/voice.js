// The table's voice: the host's setting, and one clear line where the machine cannot speak.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { LANGUAGES, language, languageName, onLanguage, say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";

const SPEECH = ["off", ...LANGUAGES];

/** Draw the setting; where the companion has no voice at all, nothing. @param {HTMLElement} root */
export async function voicePanel(root) {
  const answer = await get("voice");
  if (!answer.ok || answer.data.speech === null) return;
  let speech = answer.data.speech;
  const choose = async () => {
    speech = SPEECH[select.selectedIndex];
    if (granted(await post("voice", { speech }))) toast(t("done"), "good");
  };
  const listen = async () => {
    granted(await post("voice/try", { lang: speech === "off" ? language() : speech }));
  };
  /** @type {HTMLSelectElement} */
  const select = h("select", { id: "voice-speech", testid: "voice-speech", onchange: choose });
  const draw = () => {
    const { trouble } = answer.data;
    select.replaceChildren(
      ...SPEECH.map((name) => h("option", { value: name, selected: name === speech }, speechName(name))),
    );
    root.replaceChildren(
      h("p", { class: "hint-line" }, t("voice.what")),
      h("label", { for: "voice-speech" }, t("voice.speaks")),
      select,
      trouble
        ? h("p", { class: "refs", testid: "voice-trouble" }, say(trouble))
        : button("wide", "voice-try", t("voice.try"), listen),
    );
  };
  onLanguage(draw);
  draw();
}

/** @param {string} speech */
function speechName(speech) {
  return speech === "off" ? t("voice.off") : languageName(speech);
}
