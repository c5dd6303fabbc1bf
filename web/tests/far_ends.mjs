// Both ends of a far line: the phone's session and the home's.

import {
  Session,
  newKeyPair,
  pointOf,
  roomKeys,
  sealGreeting,
  sessionKeys,
} from "../tock_web/static/js/far/session.js";

export const TABLE = "AAAAAAAAAAAAAAAAAAAAAA";
export const SECRET = new Uint8Array(32).fill(7);

export async function ends() {
  const keys = await roomKeys(TABLE, SECRET);
  const [far, home] = await Promise.all([newKeyPair(), newKeyPair()]);
  const [hello, welcome] = [
    await sealGreeting("hello", keys, "hi"),
    await sealGreeting("welcome", keys, "ho"),
  ];
  const [farPoint, homePoint] = [await pointOf(far.publicKey), await pointOf(home.publicKey)];
  return {
    keys,
    hello,
    welcome,
    far: new Session(await sessionKeys(keys, far.privateKey, homePoint, hello, welcome), keys.room, "up"),
    home: new Session(await sessionKeys(keys, home.privateKey, farPoint, hello, welcome), keys.room, "down"),
  };
}
