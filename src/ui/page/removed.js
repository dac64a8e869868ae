// A document that a job removed: the rules that it broke, and the document that was kept instead.

import { sideBySide } from "./differences.js";
import { make, percent, texts } from "./dom.js";

export const removedTabs = (document, { words }) => [
  ["Reason", () => reason(document, words)],
  document.kept?.text && ["Compare", () => compare(document)],
].filter(Boolean);

export const plain = (value) =>
  typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : String(value ?? "");

/** The rules with the measured value and the threshold. */
function rules(list) {
  return make("table", { class: "plain" },
    make("thead", {}, make("tr", {}, ["Rule", "Value", "Kept if"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, list.map(({ rule, value, threshold, keep }) => make("tr", {},
      make("th", { scope: "row" }, rule), make("td", {}, plain(value)),
      make("td", {}, threshold === undefined || threshold === null ? "" : `${keep ?? ""} ${plain(threshold)}`)))));
}

function reason({ stage, rules: list, parts, text, kept }, words) {
  return make("div", {},
    stage && make("p", {}, "Removed by the stage ", make("b", {}, stage), "."),
    kept && make("p", {}, "Kept instead: ", make("code", {}, kept.url ?? "")),
    list?.length > 0 && rules(list),
    parts?.some(({ marked }) => marked)
      ? make("pre", { class: "text", tabindex: 0, "aria-label": "Text" },
        parts.map((part) => (part.marked ? make("mark", {}, part.text) : part.text)))
      : texts([["text", text ?? parts?.map((part) => part.text).join("")]], words));
}

/** A removed document beside the one that was kept. */
export function compare({ kept, text, parts, url }) {
  const whole = text ?? parts?.map((part) => part.text).join("") ?? "";
  return make("div", {},
    kept.similarity !== undefined && kept.similarity !== null &&
      make("p", {}, `Similarity: ${percent(kept.similarity)}`),
    sideBySide([`removed: ${url ?? ""}`, whole], [`kept: ${kept.url ?? ""}`, kept.text ?? ""]));
}
