// Makes elements. Text is always set as text, so that nothing in a document becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (!isKnown(value) || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  const wanted = children.flat(Infinity).filter((child) => child || child === 0 || child === "");
  node.append(...wanted.map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

/** Makes an HTML element; properties that begin with `on` are listeners. */
export const make = (tag, properties, ...children) =>
  fill(document.createElement(tag), properties, children);

/** Makes an SVG element. */
export const draw = (tag, properties, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);

export const button = (text, onclick, properties) =>
  make("button", { type: "button", onclick, ...properties }, text);

/** A `select` with a label; `choices` are pairs of value and text. */
export function choice(label, choices, value, onchange) {
  const list = make("select", { onchange: () => onchange(list.value) },
    choices.map(([key, text]) => make("option", { value: key, selected: key === value }, text)));
  return make("label", {}, label, " ", list);
}

export const checkbox = (label, checked, onchange) =>
  make("label", {},
    make("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) }),
    " ", label);

/** A table of names and values; rows without a value are left out. */
export const facts = (rows) =>
  make("dl", { class: "facts" }, rows
    .filter(([, value]) => isKnown(value) && value !== "")
    .map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

/** A table whose first column names the rows; a cell may be a pair of a text and its class. */
export const table = (heads, rows) =>
  make("table", { class: "plain" },
    make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, rows.map(([first, ...cells]) => make("tr", {},
      make("th", { scope: "row" }, first),
      cells.map((cell) => {
        const [text, kind] = [cell].flat();
        return make("td", { class: kind }, text);
      })))));

/** A button that copies a text, which stays selectable for browsers that refuse. */
export function copyable(text) {
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  });
  const code = make("code", {}, text);
  return make("div", { class: "copyable" }, code, copy);
}

/**
 * Tabs whose panels are made when they are first shown. `list` has pairs of a name and a function
 * that returns the content; `remember` is called with the name of the tab that is shown.
 */
export function tabs(label, list, first, remember) {
  const panel = make("div", { class: "panel", role: "tabpanel", tabindex: 0 });
  const made = new Map();
  const show = (name, focus) => {
    if (!made.has(name)) made.set(name, list.find(([one]) => one === name)[1]());
    for (const tab of bar.children) {
      const chosen = tab.textContent === name;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) tab.focus();
    }
    panel.setAttribute("aria-label", name);
    panel.replaceChildren(made.get(name));
    remember?.(name);
  };
  const names = list.map(([name]) => name);
  const move = (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: names.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const here = names.indexOf(event.target.textContent);
    show(names[(here + steps[event.key]) % names.length], true);
  };
  const bar = make("div", { role: "tablist", "aria-label": label, onkeydown: move },
    names.map((name) => button(name, () => show(name), { role: "tab" })));
  show(names.includes(first) ? first : names[0]);
  return make("div", { class: "tabs" }, bar, panel);
}

/** The text with the given words marked. */
export function marked(text, words) {
  const sorted = [...new Set(words ?? [])].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!sorted.length) return [text];
  const escaped = sorted.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`, "giu"))
    .map((part, at) => (at % 2 ? make("mark", {}, part) : part));
}

/** Why something failed. */
export const failure = ({ message }) => make("p", { class: "error", role: "alert" }, message);

/** Shows the elements that a request returns, or why it failed. */
export async function load(place, label, request) {
  place.replaceChildren(make("progress", { "aria-label": label }));
  try {
    place.replaceChildren(...[await request()].flat());
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(failure(error));
  }
}

/** A text that can be scrolled by keyboard. */
export const textPane = (label, ...parts) =>
  make("pre", { class: "text", tabindex: 0, "aria-label": label }, parts);

/** Whether a value is neither null nor missing. */
export const isKnown = (value) => value !== null && value !== undefined;

/** Browsers freeze on longer texts. */
export const MAX_SHOWN_CHARACTERS = 200_000;

/** Divides long lines, which Chromium wraps in a time that grows with the square of their length. */
export const divided = (text) => text.replace(/[^\n]{1,2000}/gu, (part, at) =>
  ((text[at + part.length] ?? "\n") === "\n" ? part : `${part}\n`));

/** A part of a text that can be shown: its start, or that around the first of the words. */
function shownPart(text, words) {
  if (text.length <= MAX_SHOWN_CHARACTERS) return [text, ""];
  const lower = text.toLowerCase();
  const hits = (words ?? []).map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const from = hits.length ? Math.max(0, Math.min(...hits) - MAX_SHOWN_CHARACTERS / 2) : 0;
  return [text.slice(from, from + MAX_SHOWN_CHARACTERS),
    `, of which ${number(MAX_SHOWN_CHARACTERS)} are shown`];
}

/** Texts of a document, one of which is shown; `choices` are pairs of a name and a text. */
export function texts(choices, words) {
  const present = choices.filter(([, text]) => isKnown(text));
  if (!present.some(([, text]) => text)) return make("p", { class: "dim" }, "No text.");
  const pane = textPane("Text");
  const count = make("span", { class: "dim" });
  const show = (name) => {
    const text = present.find(([one]) => one === name)[1];
    const [part, note] = shownPart(text, words);
    pane.replaceChildren(...marked(divided(part), words));
    // Once it is in the page, the first word that was found is in view.
    requestAnimationFrame(() => pane.querySelector("mark")?.scrollIntoView({ block: "center" }));
    count.textContent = `${counted([...text].length, "character")}${note}`;
  };
  show(present[0][0]);
  const names = present.map(([name]) => [name, name]);
  return make("div", { class: "texts" },
    make("div", { class: "bar" }, names.length > 1 && choice("Text:", names, names[0][0], show), count), pane);
}

export const number = (value) => value.toLocaleString("en");

/** A number and its thing: `1 row`, `2 rows`. */
export const counted = (value, thing) => `${number(value)} ${thing}${value === 1 ? "" : "s"}`;

/** The state of a statement in words. */
export const summary = (state, rows, seconds, progress) => [
  state, counted(rows ?? 0, "row"), progress,
  isKnown(seconds) && `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`,
].filter(Boolean).join(" · ");

export const percent = (share) =>
  isKnown(share) ? `${(share * 100).toFixed(share && share < 0.1 ? 1 : 0)} %` : "";

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = count > 0 ? Math.min(Math.floor(Math.log2(count) / 10), units.length - 1) : 0;
  const size = count / 1024 ** power;
  return `${power && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
