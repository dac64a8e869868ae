// A document that a job removed: the rules that it broke, and the document that was kept instead.

import { sideBySide } from "./differences.js";
import { isKnown, make, percent, table, texts } from "./dom.js";

export const removedTabs = (document, { words }) => [
  ["Reason", () => reason(document, words)],
  document.kept?.text && ["Compare", () => compare(document)],
].filter(Boolean);

export const plain = (value) =>
  (typeof value === "number" ? Number(value.toPrecision(4)) : value ?? "").toString();

/** The rules with the measured value and the threshold. */
const rules = (list) => table(["Rule", "Value", "Kept if"],
  list.map((one) => [one.rule, plain(one.value), limit(one)]));

/** Which values a rule keeps, in words. */
export const limit = ({ threshold, keep, is_default: isDefault }) => (isKnown(threshold)
  ? `${keep} ${plain(threshold)}${isDefault ? " (the job's default)" : ""}` : "");

function reason({ stage, rules: list, text, kept }, words) {
  return make("div", {},
    stage && make("p", {}, "Removed by the stage ", make("b", {}, stage), "."),
    kept && make("p", {}, "Kept instead: ", make("code", {}, kept.url ?? "")),
    list?.length > 0 && rules(list),
    texts([["text", text]], words));
}

/**
 * A removed document beside the one that was kept. Some jobs keep only the start of what they
 * remove: as duplicates have nearly the same length, a much shorter text is such a start.
 */
export function compare({ kept, text, url }) {
  const whole = text ?? "";
  const isStart = whole.length * 2 < kept.text.length;
  const other = isStart ? kept.text.slice(0, whole.length) : kept.text;
  return make("div", {},
    isStart && make("p", { class: "dim" }, "The job has stored only the start of the removed text."),
    isKnown(kept.similarity) && make("p", {}, `Similarity: ${percent(kept.similarity)}`),
    sideBySide([`removed: ${url ?? ""}`, whole], [`kept: ${kept.url ?? ""}`, other], isStart ? "starts" : "texts"));
}
