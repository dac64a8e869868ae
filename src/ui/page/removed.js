// A document that a job removed: the rules that it broke, and the document that was kept instead.

import { sideBySide } from "./differences.js";
import { isKnown, make, percent, table, textPane, texts } from "./dom.js";

export const removedTabs = (document, { words }) => [
  ["Reason", () => reason(document, words)],
  document.kept?.text && ["Compare", () => compare(document)],
].filter(Boolean);

export const plain = (value) =>
  (typeof value === "number" ? Number(value.toPrecision(4)) : value ?? "").toString();

/** The rules with the measured value and the threshold. */
const rules = (list) => table(["Rule", "Value", "Kept if"],
  list.map(({ rule, value, threshold, keep }) =>
    [rule, plain(value), isKnown(threshold) ? `${keep ?? ""} ${plain(threshold)}` : ""]));

function reason({ stage, rules: list, parts, text, kept }, words) {
  return make("div", {},
    stage && make("p", {}, "Removed by the stage ", make("b", {}, stage), "."),
    kept && make("p", {}, "Kept instead: ", make("code", {}, kept.url ?? "")),
    list?.length > 0 && rules(list),
    parts?.some(({ marked }) => marked)
      ? textPane("Text", parts.map((part) => (part.marked ? make("mark", {}, part.text) : part.text)))
      : texts([["text", text ?? parts?.map((part) => part.text).join("")]], words));
}

/**
 * A removed document beside the one that was kept. Some jobs keep only the start of what they
 * remove: as duplicates have nearly the same length, a much shorter text is such a start.
 */
export function compare({ kept, text, parts, url }) {
  const whole = text ?? parts?.map((part) => part.text).join("") ?? "";
  const isStart = whole.length * 2 < kept.text.length;
  const other = isStart ? kept.text.slice(0, whole.length) : kept.text;
  return make("div", {},
    isStart && make("p", { class: "dim" }, "The job has stored only the start of the removed text."),
    isKnown(kept.similarity) && make("p", {}, `Similarity: ${percent(kept.similarity)}`),
    sideBySide([`removed: ${url ?? ""}`, whole], [`kept: ${kept.url ?? ""}`, other]));
}
