// The connection to the relay's broker: MQTT over a WebSocket, which carries sealed frames and no more.

import { base64url, sha256, utf8 } from "./bytes.js";

/** @import { RoomKeys } from "./session.js" */
/**
 * What happens to a connection.
 *
 * @typedef {object} BrokerWatcher
 * @property {(frame: Uint8Array<ArrayBuffer>) => void} frame
 * @property {(isHere: boolean) => void} home whether the home is connected to the broker
 * @property {() => void} closed told once, unless this end closed it
 */
/** @typedef {{ send: (frame: Uint8Array) => void, close: () => void }} BrokerLine */

/** Fetched when it is needed: the door is drawn before. */
const LIBRARY = new URL("../../vendor/u8-mqtt.js", import.meta.url);
const KEEP_ALIVE_S = 20;
const PATIENCE_MS = 12_000;
const HERE = "here";

/** The broker does not know this room, or no longer. */
export class RoomRefusedError extends Error {}

/**
 * Connect, and hear the home; rejects where that fails.
 *
 * @param {string} url
 * @param {{ table: string, keys: RoomKeys, device: Uint8Array<ArrayBuffer> }} who
 * @param {BrokerWatcher} watcher
 * @returns {Promise<BrokerLine>}
 */
export async function connect(url, { table, keys, device }, watcher) {
  const { mqtt } = await import(LIBRARY.href);
  const topic = (/** @type {string} */ name) => `far/${table}/${keys.room}/${name}`;
  const home = `far/${table}/home`;
  const socket = new WebSocket(url, ["mqtt"]);
  const line = { isOpen: false };
  const client = mqtt({
    on_mqtt_type: {
      mqtt_publish(/** @type {any} */ packet, /** @type {any} */ { mqtt: own }) {
        if (packet.qos) own.puback(packet);
        if (packet.topic === home) watcher.home(packet.utf8() === HERE);
        // A copy: the library's own bytes are those of a larger buffer.
        else if (packet.payload) watcher.frame(Uint8Array.from(packet.payload));
      },
    },
    log_conn() {},
    on_error() {},
    on_disconnect() {},
  });
  const closed = new Promise((_, reject) => {
    socket.addEventListener("close", () => {
      reject(new Error("closed"));
      if (line.isOpen) watcher.closed();
      line.isOpen = false;
    });
  });
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("late")), PATIENCE_MS);
  });
  const ready = async () => {
    // A phone that comes back takes over its own dead connection.
    const id = base64url(await sha256(device)).slice(0, 22);
    await connected(client, { table, keys, id, gone: topic("gone") });
    // Unconfirmed (QoS 0): the session notices lost frames, and a lost receipt would delay the frames behind it.
    await client.subscribe({ topics: [topic("down"), home].map((name) => [name, { qos: 0 }]) });
  };
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  client.with_websock(socket);
  try {
    await Promise.race([ready(), closed, late]);
  } catch (fault) {
    socket.close();
    throw fault;
  }
  line.isOpen = true;
  return {
    // The library's own `post` stumbles over the receipt that does not come.
    send: (frame) => {
      if (isOpen()) client._send("publish", { topic: topic("up"), payload: frame, qos: 0 });
    },
    close: () => {
      line.isOpen = false;
      if (isOpen()) client.disconnect();
      socket.close();
    },
  };
}

/** @type {(client: any, as: { table: string, keys: RoomKeys, id: string, gone: string }) => Promise<void>} */
async function connected(client, { keys, id, gone }) {
  try {
    await client.connect({
      client_id: id,
      keep_alive: KEEP_ALIVE_S,
      flags: { clean_start: true },
      username: keys.room,
      password: utf8(keys.password),
      will: { topic: gone, payload: new Uint8Array(0), qos: 1 },
    });
  } catch (fault) {
    throw fault instanceof client.MQTTError ? new RoomRefusedError() : fault;
  }
}
