// The table's voice: the host's setting, and one clear line where the machine cannot speak.

import { get, post } from "../core/api.js";
import { button, choice, h } from "../core/dom.js";
import { LANGUAGES, language, languageName, onLanguage, say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";

const SPEECH = ["off", ...LANGUAGES];

/** Draw the setting; where the companion has no voice at all, nothing. @param {HTMLElement} root */
export async function voicePanel(root) {
  const answer = await get("voice");
  if (!answer.ok || answer.data.speech === null) return;
  let speech = answer.data.speech;
  const choose = async (/** @type {string} */ name) => {
    speech = name;
    if (granted(await post("voice", { speech }))) toast(t("done"), "good");
  };
  const listen = async () => {
    granted(await post("voice/try", { lang: speech === "off" ? language() : speech }));
  };
  const draw = () => {
    const { trouble } = answer.data;
    root.replaceChildren(
      h("p.hint-line", t("voice.what")),
      h("label", { for: "voice-speech" }, t("voice.speaks")),
      choice({ id: "voice-speech", testid: "voice-speech" }, SPEECH, speech, speechName, choose),
      trouble
        ? h("p.refs", { testid: "voice-trouble" }, say(trouble))
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
