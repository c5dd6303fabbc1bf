// Words in the language of the phone, and the fallback where there are none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog, json, openBrowser } from "./browser.mjs";

const browser = openBrowser({ lang: "fr", body: '<p data-t="players">Joueurs</p>' });
const words = await import("../tock_web/static/js/core/words.js");
const { cardName, isCard } = await import("../tock_web/static/js/panels/cards.js");
const { byRank, PACK } = await import("../tock_web/static/js/panels/card_grid.js");
const { aloud } = await import("../tock_web/static/js/panels/aloud.js");
const [french, english] = [catalog("fr"), catalog("en")];

test("a place in a text is filled in, one that nobody fills stays visible", () => {
  assert.equal(words.t("moves-many", { n: 3 }), french["moves-many"].replace("{n}", "3"));
  assert.equal(words.t("moves-many"), french["moves-many"]);
});

test("a name that the companion sends and nobody has translated is shown as it is", () => {
  assert.equal(words.tNamed("color.", "red"), french["color.red"]);
  assert.equal(words.tNamed("source.", "lidar"), "source.lidar");
});

test("a sentence without the phone's language is shown in another one, none as nothing", () => {
  assert.equal(words.say({ fr: "Bonjour", en: "Hello" }), "Bonjour");
  assert.equal(words.say({ en: "Hello" }), "Hello");
  assert.equal(words.say(null), "");
});

test("cards have names in words, and a pack lies in rows of one rank", () => {
  assert.equal(cardName("10H"), words.t("card.name", { rank: french["rank.10"], suit: french["suit.H"] }));
  assert.equal(cardName("JOK_B"), french["card.JOK_B"]);
  assert.ok(isCard("AS") && isCard("JOK_C") && !isCard("1S") && !isCard("P0"));
  assert.deepEqual(
    byRank(PACK).map(({ rank, cards }) => [rank, cards.length]),
    [..."A 2 3 4 5 6 7 8 9 10 J Q K".split(" ").map((rank) => [rank, 4]), ["JOK", 2]],
  );
});

test("a sentence is read aloud with its signs in words, whatever letters the deck has", () => {
  assert.equal(aloud("Le 8♠ ne permet rien."), "Le 8 de pique ne permet rien.");
  assert.equal(aloud("Léa joue R♥ : 2 rouge → 8 rouge"), "Léa joue Roi de cœur : 2 rouge vers 8 rouge");
  assert.equal(aloud("1♣, D♦, Joker ☆"), "As de trèfle, Dame de carreau, Joker noir");
});

test("a language without words is never shown", () => {
  const state = { lang: "fr", catalogs: { fr: french } };
  assert.equal(words.reduceWords(state, { type: "chosen", lang: "en" }), state);
  const loaded = words.reduceWords(state, { type: "loaded", lang: "en", words: english });
  assert.equal(words.reduceWords(loaded, { type: "chosen", lang: "en" }).lang, "en");
});

test("a language that cannot be fetched leaves the page as it is", async () => {
  await assert.rejects(words.switchLanguage());
  assert.equal(words.language(), "fr");
  assert.equal(browser.document.documentElement.lang, "fr");
});

test("switching fetches the other words once, and tells document, cookie and listeners", async () => {
  browser.network.answer = () => json(english);
  browser.asked.length = 0;
  let calls = 0;
  words.onLanguage(() => (calls += 1));
  await words.switchLanguage();
  assert.equal(words.language(), "en");
  assert.equal(browser.document.documentElement.lang, "en");
  assert.equal(browser.document.querySelector("[data-t]")?.textContent, english.players);
  assert.match(browser.document.cookie, /tock_lang=en/);
  await words.switchLanguage();
  await words.switchLanguage();
  assert.equal(calls, 3);
  assert.equal(browser.asked.length, 1);
  assert.match(browser.asked[0].path, /i18n\/en\.json$/);
});
