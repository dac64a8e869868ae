// What a job removed: a document with the rules that it broke, the stages of the job, and other
// thresholds.

import { get } from "./api.js";
import { sideBySide } from "./differences.js";
import { button, isKnown, load, make, number, percent, table, textPane, texts } from "./dom.js";

export const removedTabs = (document, { words }) => [
  ["Reason", () => reason(document, words)],
  document.kept?.text && ["Compare", () => compare(document)],
];

const plain = (value) =>
  (typeof value === "number" ? Number(value.toPrecision(4)) : value ?? "").toString();

/** The rules with the measured value and the threshold, if they have one. */
const rules = (list) => (list.some(({ threshold }) => isKnown(threshold))
  ? table(["Rule", "Value", "Kept if"], list.map((one) => [one.rule, plain(one.value), limit(one)]))
  : list.length > 0 && make("p", {}, "Rules: ", make("b", {}, list.map(({ rule }) => rule).join(", "))));

/** Which values a rule keeps, in words. */
const limit = ({ threshold, keep, is_default: isDefault }) => (isKnown(threshold)
  ? `${keep} ${plain(threshold)}${isDefault ? " (the job's default)" : ""}` : "");

function reason({ stage, rules: list, text, kept }, words) {
  return make("div", {},
    stage && make("p", {}, "Removed by the stage ", make("b", {}, stage), "."),
    kept && make("p", {}, "Kept instead: ", make("code", {}, kept.url ?? "")),
    rules(list),
    texts([["text", text]], words));
}

/**
 * A removed document beside the one that was kept. Some jobs keep only the start of what they
 * remove: as duplicates have nearly the same length, a much shorter text is such a start.
 */
function compare({ kept, text, url }) {
  const whole = text ?? "";
  const isStart = whole.length * 2 < kept.text.length;
  const other = isStart ? kept.text.slice(0, whole.length) : kept.text;
  return make("div", {},
    isStart && make("p", { class: "dim" }, "The job has stored only the start of the removed text."),
    isKnown(kept.similarity) && make("p", {}, `Similarity: ${percent(kept.similarity)}`),
    sideBySide([`removed: ${url ?? ""}`, whole], [`kept: ${kept.url ?? ""}`, other], isStart ? "starts" : "texts"));
}

export const showFunnel = (place, { path: folder }, run, signal) => load(place, "Reading the funnel", async () => {
  const { stages, samples } = await get("funnel", { folder }, signal);
  const details = make("div", { class: "stage", role: "region", "aria-label": "Stage" });
  if (!stages.length) {
    details.append(make("p", { class: "dim" }, "The folder has no summary.parquet, which has the stages."),
      ...sampleElements(samples, run));
  }
  const most = Math.max(1, ...stages.map(({ documents_in }) => documents_in));
  const rows = stages.map((stage, at) => stageButton(stage, most, (event) => {
    for (const row of rows) row.setAttribute("aria-pressed", row === rows[at]);
    details.replaceChildren(...stageDetails(stage, samples, folder, run));
    // Under many stages, nobody would see it.
    if (event.isTrusted && details.getBoundingClientRect().top > innerHeight * 0.7) details.scrollIntoView();
  }));
  rows[stages.findIndex(({ documents_in, documents_out }) => documents_out < documents_in)]?.click();
  return [make("div", { class: "funnel" }, rows), details];
});

function stageButton(stage, most, onclick) {
  const { documents_in: before, documents_out: after, characters_in, characters_out } = stage;
  const lost = before - after;
  const text = characters_in ? `${percent(characters_out / characters_in)} of the text` : "";
  return button([
    // Long names are divided after a part.
    make("b", {}, stage.stage.split(/(?<=_)/).flatMap((part) => [part, make("wbr")])),
    make("span", { class: "funnel-bar", "aria-hidden": "true" },
      make("meter", { value: after, max: most })),
    make("span", {}, `${number(after)} of ${number(before)}`),
    make("small", {}, [lost ? `−${number(lost)}` : "none removed", text].filter(Boolean).join(", ")),
  ], onclick, { class: "funnel-row", "aria-pressed": "false" });
}

function stageDetails({ stage, rules = [] }, samples, folder, run) {
  const here = samples.filter((sample) => sample.stage === stage);
  const threshold = make("div", {});
  return [
    make("h3", {}, stage),
    rules.length > 0 && make("div", { class: "rules", role: "group", "aria-label": "Rules" },
      rules.map(({ rule, documents }) => button(`${rule} ${number(documents)}`, () =>
        moveThreshold(threshold, { folder, stage, rule }), { title: "Move its threshold" }))),
    threshold,
    sampleElements(here, run),
  ].flat().filter(Boolean);
}

const sampleElements = (samples, run) => (samples.length
  ? samples.map((sample, at) => sampleElement(sample, at === 0, run))
  : [make("p", { class: "dim" }, "No samples.")]);

function sampleElement(sample, isOpen, run) {
  const { title, rules: list, text, kept, sql } = sample;
  return make("details", { class: "sample", open: isOpen },
    make("summary", {}, title ?? text?.slice(0, 80) ?? "document"),
    rules(list),
    kept?.text ? compare(sample) : text ? textPane("Text", text) : make("p", { class: "dim" }, "No text."),
    sql && button("Show the row", () => run(sql)));
}

/** Moves the threshold of a rule over a sample, and shows what would pass it and fail. */
const moveThreshold = (place, which) => load(place, "Measuring a sample", async () => {
  const { rule, threshold, keep, samples, is_default: isDefault } = await get("threshold", which);
  const values = samples.map(({ value }) => value).filter((value) => value !== null);
  const [least, most] = [Math.min(threshold, ...values), Math.max(threshold, ...values)];
  const passes = (value, limit) =>
    value === null || (keep === "at least" ? value >= limit : value <= limit);
  const shown = make("output", {});
  const list = make("ul", { class: "moved" });
  const show = () => {
    const moved = Number(slider.value);
    const [gained, lost] = [1, -1].map((sign) => samples.filter(({ value }) =>
      passes(value, moved) - passes(value, threshold) === sign));
    const count = samples.filter(({ value }) => passes(value, moved)).length;
    shown.textContent = `${keep} ${plain(moved)}: ${number(count)} of ${number(samples.length)} pass, ` +
      `${number(gained.length)} more, ${number(lost.length)} fewer than at ${plain(threshold)}`;
    list.replaceChildren(...[["kept", gained], ["dropped", lost]].flatMap(([kind, some]) =>
      some.slice(0, 20).map(({ title, value, text }) => make("li", { class: kind },
        make("small", {}, `${kind === "kept" ? "passes now" : "fails now"}, ${plain(value)}`),
        make("p", {}, title ?? text?.slice(0, 160))))));
  };
  const move = (value) => {
    slider.value = value;
    show();
  };
  const slider = make("input", { type: "range", min: least, max: most, step: "any", value: threshold,
    "aria-label": `Threshold of ${rule}`, oninput: show,
    // `step=any` has no steps for the arrow keys.
    onkeydown: (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      move(Number(slider.value) + (steps[event.key] * (most - least)) / 50);
    } });
  show();
  return make("div", { class: "threshold" },
    make("label", {}, `Threshold of ${rule}`, isDefault && " (the job's default)", slider), shown,
    make("p", { class: "dim" }, "Of a sample of documents that the rule measured. Other rules may remove what passes this one."),
    button("Reset", () => move(threshold)), list);
});
