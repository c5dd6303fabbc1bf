// Colours and marks of the seats. Every seat has a mark of its own: colours alone fail one player in twelve.

// [fill, ink of the mark, mark]
const PALETTE = {
  red: ["#A4161A", "#FFFFFF", "dot"],
  blue: ["#0B5FB0", "#FFFFFF", "plus"],
  yellow: ["#F9E04B", "#000000", "square"],
  green: ["#3FB27F", "#000000", "triangle"],
  black: ["#1A1A1A", "#FFFFFF", "star"],
  white: ["#FFFFFF", "#000000", "diamond"],
  orange: ["#E8710A", "#000000", "cross"],
  purple: ["#C77DFF", "#000000", "ring"],
  brown: ["#7A4A21", "#FFFFFF", null],
  grey: ["#8C8C8C", "#000000", null],
  pink: ["#F4A6C0", "#000000", null],
  turquoise: ["#2BA5A5", "#000000", null],
};
const MARKS = ["dot", "plus", "square", "triangle", "star", "diamond", "cross", "ring"];

/** Return seat → {seat, color, fill, ink, mark}; colours without a mark of their own get one that is free. */
export function seatLooks(boardFile) {
  const looks = new Map();
  const used = new Set();
  const seats = Array.from({ length: boardFile.zones }, (_, zone) => `P${zone}`);
  for (const seat of seats) {
    const color = boardFile.colors[seat] in PALETTE ? boardFile.colors[seat] : "grey";
    const [fill, ink, mark] = PALETTE[color];
    const own = mark !== null && !used.has(mark) ? mark : null;
    if (own) used.add(own);
    looks.set(seat, { seat, color, fill, ink, mark: own });
  }
  const free = MARKS.filter((mark) => !used.has(mark));
  for (const look of looks.values()) look.mark ??= free.shift();
  return looks;
}
