// The stages of a job that cleans documents, samples of what they removed, and other thresholds.

import { get } from "./api.js";
import { button, isKnown, load, make, number, percent, textPane } from "./dom.js";
import { compare, limit, plain } from "./removed.js";

export const showFunnel = (place, { removed, summary }, run, signal) => load(place, "Reading the funnel", async () => {
  const { stages, samples } = await get("funnel", { removed, summary }, signal);
  const details = make("div", { class: "stage", role: "region", "aria-label": "Stage" });
  const most = Math.max(1, ...stages.map(({ documents_in }) => documents_in));
  const rows = stages.map((stage, at) => stageButton(stage, most, (event) => {
    for (const row of rows) row.setAttribute("aria-pressed", row === rows[at]);
    details.replaceChildren(...stageDetails(stage, samples, removed, run));
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

function stageDetails({ stage, rules = [] }, samples, removed, run) {
  const here = samples.filter((sample) => sample.stage === stage);
  const threshold = make("div", {});
  return [
    make("h3", {}, stage),
    rules.length > 0 && make("div", { class: "rules", role: "group", "aria-label": "Rules" },
      rules.map(({ rule, documents }) => button(`${rule} ${number(documents)}`, () =>
        moveThreshold(threshold, { removed, stage, rule }), { title: "Move its threshold" }))),
    threshold,
    here.length ? here.map((sample, at) => sampleElement(sample, at === 0, run))
      : make("p", { class: "dim" }, "No samples."),
  ].flat().filter(Boolean);
}

function sampleElement(sample, isOpen, run) {
  const { title, rules = [], text, kept, sql } = sample;
  const reasons = rules.map((one) => make("li", {}, one.rule, isKnown(one.value) && `: ${plain(one.value)}`,
    isKnown(one.threshold) && ` (kept if ${limit(one)})`));
  return make("details", { class: "sample", open: isOpen },
    make("summary", {}, title ?? text?.slice(0, 80) ?? "document"),
    make("ul", { class: "reasons" }, reasons),
    kept?.text ? compare(sample) : text && textPane("Text", text),
    sql && button("Show the row", () => run(sql)));
}

/** Moves the threshold of a rule over a sample, and shows what would be kept and lost. */
const moveThreshold = (place, which) => load(place, "Measuring a sample", async () => {
  const { rule, threshold, keep, samples, is_default: isDefault } = await get("threshold", which);
  const values = samples.map(({ value }) => value).filter((value) => value !== null);
  const [least, most] = [Math.min(threshold, ...values), Math.max(threshold, ...values)];
  const isKept = (value, limit) =>
    value === null || (keep === "at least" ? value >= limit : value <= limit);
  const shown = make("output", {});
  const list = make("ul", { class: "moved" });
  const show = () => {
    const moved = Number(slider.value);
    const [gained, lost] = [1, -1].map((sign) => samples.filter(({ value }) =>
      isKept(value, moved) - isKept(value, threshold) === sign));
    const count = samples.filter(({ value }) => isKept(value, moved)).length;
    shown.textContent = `${keep} ${plain(moved)}: ${number(count)} of ${number(samples.length)} kept, ` +
      `${number(gained.length)} more, ${number(lost.length)} fewer than at ${plain(threshold)}`;
    list.replaceChildren(...[["kept", gained], ["dropped", lost]].flatMap(([kind, some]) =>
      some.slice(0, 20).map(({ title, value, text }) => make("li", { class: kind },
        make("small", {}, `${kind === "kept" ? "now kept" : "now lost"}, ${plain(value)}`),
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
    button("Reset", () => move(threshold)), list);
});
