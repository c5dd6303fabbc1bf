// Runs the Pico's firmware on the emulator rp2040js, in lockstep: time passes only on `run`.
//
// Usage: node rp2040.mjs RP2040JS IMAGE.bin BOARDS. Commands come on standard input, one a line, and each is answered by one
// line: `run US` (answer: the bytes sent meanwhile, as hex), `uart HEX`, `close N`, `open N`, `lights`, `tone`, `hang`.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [library, image, boardsText] = process.argv.slice(2);
const { RP2040 } = await import(pathToFileURL(library).href);
const PIN = { load: 2, clock: 3, data: 4, back: 5, lights: 6, latch: 7, buzzer: 8 };
const HIGH = 1;
const INPUTS_PER_BOARD = 32;
const FIXED_LOW = 26,
  STRAP_1 = 30,
  STRAP_2 = 31;
const WATCHDOG = 0x40058;
const BOOT_BYTES = 256,
  BOOT_AT = 0x20041f00;
const length = Number(boardsText) * INPUTS_PER_BOARD;

const closed = new Array(length).fill(false);
for (let board = 0; board < Number(boardsText); board++) {
  closed[board * INPUTS_PER_BOARD + FIXED_LOW] = true;
  closed[board * INPUTS_PER_BOARD + STRAP_1] = Boolean(board & 1);
  closed[board * INPUTS_PER_BOARD + STRAP_2] = Boolean(board & 2);
}
let bits = new Array(length).fill(true);
let shown = new Array(length).fill(false);
let lamps = [...shown];
let sent = [];
let edges = 0;
let restarted = false;
let chip;

// The sector boards: 74HC165 registers that shift towards the chip, 74HC595 registers that shift away from it.
function wire(rp) {
  const level = (pin) => rp.gpio[pin].value === HIGH;
  const show = () => rp.gpio[PIN.data].setInputValue(length === 0 || bits[0]);
  const rises = (pin, act) =>
    rp.gpio[pin].addListener((now, before) => now === HIGH && before !== HIGH && act());
  rises(PIN.load, () => {
    bits = closed.map((each) => !each);
    show();
  });
  rises(PIN.clock, () => {
    bits = [...bits.slice(1), level(PIN.back)];
    shown = [level(PIN.lights), ...shown.slice(0, -1)];
    show();
  });
  rises(PIN.latch, () => {
    lamps = [...shown];
  });
  rp.gpio[PIN.buzzer].addListener(() => {
    edges++;
  });
  show();
}

// A reset is a new chip: only the watchdog's scratch registers outlive it. The boot stage is run as the ROM runs it.
function start(before) {
  const rp = new RP2040();
  rp.logger = { debug() {}, info() {}, warn() {}, error() {} };
  const code = readFileSync(image);
  rp.flash.set(code);
  rp.sram.set(code.subarray(0, BOOT_BYTES), BOOT_AT - 0x20000000);
  rp.core.SP = BOOT_AT;
  rp.core.PC = BOOT_AT;
  const watchdog = rp.peripherals[WATCHDOG];
  if (before) {
    watchdog.scratchData.set(before.peripherals[WATCHDOG].scratchData);
    watchdog.reason = before.peripherals[WATCHDOG].reason;
  }
  watchdog.onWatchdogTrigger = () => {
    restarted = true;
    watchdog.alarm.enable = false; // else it would ring again at once, for ever
  };
  rp.uart[0].onByte = (byte) => sent.push(byte);
  wire(rp);
  return rp;
}

function run(us) {
  let left = 1000 * us;
  while (left > 0) {
    const { clock, core } = chip;
    let nanos;
    if (core.waiting) {
      nanos = Math.min(clock.nanosToNextAlarm || left, left);
    } else {
      nanos = (core.executeInstruction() * 1e9) / chip.clkSys;
    }
    clock.tick(nanos);
    left -= nanos;
    if (restarted) {
      restarted = false;
      chip = start(chip);
    }
  }
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

const commands = {
  run(us) {
    run(Number(us));
    const bytes = hex(sent);
    sent = [];
    return bytes;
  },
  uart(text) {
    for (const byte of Buffer.from(text, "hex")) chip.uart[0].feedByte(byte);
  },
  close(number) {
    closed[Number(number)] = true;
  },
  open(number) {
    closed[Number(number)] = false;
  },
  lights() {
    return lamps.flatMap((lit, number) => (lit ? [number] : [])).join(" ");
  },
  tone() {
    return String(edges);
  },
  hang() {
    // `b .`: the main loop stands still, interrupts go on.
    chip.sramView.setUint16(0x3fffe - 0x2000, 0xe7fe, true);
    chip.core.PC = 0x2003dffe;
    chip.core.waiting = false;
  },
};

chip = start();
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.split(" ");
  console.log(commands[word] ? `ok ${commands[word](...rest) ?? ""}` : "unknown");
}
