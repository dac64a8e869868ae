// Two texts side by side, with the words marked that only one of them has.

import { MAX_SHOWN_CHARACTERS, divided, make, number, textPane } from "./dom.js";

/** Differences after which the rest is taken as different; the work grows with its square. */
const MAX_DIFFERENCES = 1500;

const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu;

/**
 * The parts of two texts by Myers' algorithm: `{text, in}`, where `in` is 0 for both, -1 for the
 * first and 1 for the second only.
 */
export function differences(first, second) {
  const a = first.match(TOKEN) ?? [];
  const b = second.match(TOKEN) ?? [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return [
    ...a.slice(0, start).map((text) => ({ text, in: 0 })),
    ...middle(left, right),
    ...a.slice(a.length - end).map((text) => ({ text, in: 0 })),
  ];
}

function middle(a, b) {
  const most = Math.min(a.length + b.length, MAX_DIFFERENCES);
  // furthest[k + offset]: how far the diagonal k has been followed in `a`.
  const offset = most + 1;
  const furthest = new Int32Array(2 * offset + 1);
  const traces = [];
  for (let count = 0; count <= most; count++) {
    // Only the diagonals up to `count` can have changed.
    traces.push(furthest.slice(offset - count - 1, offset + count + 2));
    for (let k = -count; k <= count; k += 2) {
      const isDown = k === -count ||
        (k !== count && furthest[k - 1 + offset] < furthest[k + 1 + offset]);
      let x = isDown ? furthest[k + 1 + offset] : furthest[k - 1 + offset] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[k + offset] = x;
      if (x >= a.length && x - k >= b.length) return path(a, b, traces);
    }
  }
  return [...a.map((text) => ({ text, in: -1 })), ...b.map((text) => ({ text, in: 1 }))];
}

function path(a, b, traces) {
  const found = [];
  let [x, y] = [a.length, b.length];
  for (let count = traces.length - 1; count >= 0; count--) {
    const before = (k) => traces[count][k + count + 1];
    const k = x - y;
    const isDown = k === -count || (k !== count && before(k - 1) < before(k + 1));
    const from = isDown ? k + 1 : k - 1;
    const oldX = count ? before(from) : 0;
    const oldY = count ? oldX - from : 0;
    while (x > oldX && y > oldY) {
      found.push({ text: a[--x], in: 0 });
      y--;
    }
    if (!count) break;
    if (isDown) found.push({ text: b[--y], in: 1 });
    else found.push({ text: a[--x], in: -1 });
  }
  return found.reverse();
}

/** Two texts with their names, each as a pair; `what` is compared. */
export function sideBySide([firstName, first], [secondName, second], what = "texts") {
  const [a, b] = [first, second].map((text) => text.slice(0, MAX_SHOWN_CHARACTERS));
  const parts = differences(a, b);
  const column = (name, side, tag) =>
    make("section", {}, make("h3", {}, name), textPane(name,
      runs(parts.filter((part) => part.in !== -side), side).map(([isOnly, text]) =>
        (isOnly ? make(tag, {}, divided(text)) : divided(text)))));
  const count = parts.filter((part) => part.in && part.text.trim()).length;
  return make("div", {},
    make("p", {}, count ? `${count} different words` : `The ${what} are equal.`,
      (a !== first || b !== second) && ` The first ${number(MAX_SHOWN_CHARACTERS)} characters are compared.`),
    make("div", { class: "side-by-side" }, column(firstName, -1, "del"), column(secondName, 1, "ins")));
}

/** Joins adjacent parts of the same kind. */
function runs(parts, side) {
  const joined = [];
  for (const part of parts) {
    const isOnly = part.in === side;
    if (joined.length && joined.at(-1)[0] === isOnly) joined.at(-1)[1] += part.text;
    else joined.push([isOnly, part.text]);
  }
  return joined;
}
