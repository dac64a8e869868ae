// A scanned page: boxes coloured by confidence, over the scan if there is one.

import { box, pageOfLayers, placed, readingOrder, wordText } from "./boxes.js";
import { facts, isKnown, make, texts } from "./dom.js";

/** Lower limits of the classes of confidence, in percent, with their names. */
const LEVELS = [[95, "95 or more"], [80, "80 to 94"], [60, "60 to 79"], [0, "below 60"]];

const level = (confidence) =>
  (isKnown(confidence) ? LEVELS.findIndex(([least]) => confidence >= least) : "unknown");

/** The words with a known place; confidence in percent, whatever scale the file has. */
function wordsOf({ boxes }) {
  const words = placed(boxes).filter(({ text }) => text?.trim());
  const isShare = words.every(({ confidence }) => !(confidence > 1));
  return isShare ? words.map((word) =>
    ({ ...word, confidence: isKnown(word.confidence) ? word.confidence * 100 : null })) : words;
}

const average = (numbers) =>
  (numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : null);

const round = (value) => (isKnown(value) ? Math.round(value * 100) / 100 : null);

const width = ({ x0, x1 }) => Math.round(x1 - x0);

export const ocrTabs = (page, { words }) => [
  page.width && ["Page", () => drawn(page)],
  ["Text", () => texts([["text", page.text]], words)],
  ["Measures", () => measures(page)],
].filter(Boolean);

function legend(boxes) {
  const counts = (key) => boxes.filter(({ confidence }) => level(confidence) === key).length;
  const entries = [...LEVELS.map(([, name], at) => [at, name]), ["unknown", "unknown"]];
  return make("p", { class: "legend" }, "Confidence: ", entries.filter(([key]) => counts(key) > 0)
    .map(([key, name]) => [make("span", { class: `swatch level-${key}` }), `${name} (${counts(key)}) `]));
}

function drawn(page) {
  const { image } = page;
  const [boxes, blocks] = [wordsOf(page), placed(page.blocks)];
  const ordered = blocks.map((block, at) => ({ order: at, ...block }));
  return pageOfLayers({
    width: page.width, height: page.height, image,
    label: `Page ${page.page}: ${boxes.length} words in ${blocks.length} blocks`,
    below: legend(boxes),
    layers: [
      { name: "confidence", shown: true, items: boxes.map((word) => box(word,
        { class: `level-${level(word.confidence)}` }, `${word.text}: ${round(word.confidence) ?? "unknown"}`)) },
      { name: "words", shown: !image, items: boxes.map(wordText) },
      { name: "blocks", shown: true,
        items: blocks.map((block) => box(block, { class: "block" }, `block, ${width(block)} wide`)) },
      { name: "reading order", shown: false,
        items: readingOrder(ordered, Math.max(page.width, page.height) / 90) },
    ],
  });
}

function measures({ page, width: wide, height, average_width, book_average_width, crop_score,
  image, image_name, ...all }) {
  const [boxes, blocks] = [wordsOf(all), placed(all.blocks)];
  const known = boxes.map(({ confidence }) => confidence).filter(isKnown);
  return make("div", {}, facts([
    ["Page", page], ["Width × height", `${wide} × ${height}`],
    ["Words", boxes.length], ["Blocks", blocks.length],
    ["Mean confidence", round(average(known)) ?? "unknown"],
    ["Average width of blocks", round(average_width ?? average(blocks.map(width)))],
    ["Average width in its book", round(book_average_width)],
    ["Crop score", round(crop_score)], ["Image", image_name ?? image ?? "none"],
    ["Widths of blocks", blocks.map(width).join(", ")],
  ]));
}
