// A scanned page: boxes coloured by confidence, over the scan if there is one.

import { image } from "./api.js";
import { box, pageOfLayers, placed, readingOrder, wordText } from "./boxes.js";
import { draw, facts, isKnown, load, make, number, percent, table, texts } from "./dom.js";

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

const widthOf = ({ x0, x1 }) => Math.round(x1 - x0);

export const ocrTabs = (page, { words, book }) => [
  ["Page", () => drawn(page)],
  ["Text", () => texts([["text", page.text]], words)],
  ["Measures", () => measures(page, book)],
];

function legend(boxes) {
  const counts = (key) => boxes.filter(({ confidence }) => level(confidence) === key).length;
  const entries = [...LEVELS.map(([, name], at) => [at, name]), ["unknown", "unknown"]];
  return make("p", { class: "legend" }, "Confidence: ", entries.filter(([key]) => counts(key) > 0)
    .map(([key, name]) => [make("span", { class: `swatch level-${key}` }), `${name} (${counts(key)}) `]));
}

function drawn(page) {
  const [boxes, blocks] = [wordsOf(page), placed(page.blocks)];
  const ordered = blocks.map((block, at) => ({ order: at, ...block }));
  const edge = (name) => Math.max(1, ...[...boxes, ...blocks].map((one) => one[name]));
  const [left, top] = [page.left_edge ?? 0, page.top_edge ?? 0];
  const [width, height] = [page.width || edge("x1") - left, page.height || edge("y1") - top];
  const note = make("p", { class: "dim" });
  const drawing = pageOfLayers({
    left, top, width, height,
    label: `Page ${page.page}: ${boxes.length} words in ${blocks.length} blocks`,
    below: [boxes.length ? legend(boxes) : make("p", { class: "dim" }, "This page has no words with a place."), note],
    layers: [
      { name: "confidence", shown: true, items: boxes.map((word) => box(word,
        { class: `level-${level(word.confidence)}` }, `${word.text}: ${round(word.confidence) ?? "unknown"}`)) },
      { name: "words", shown: !page.image, items: boxes.map(wordText) },
      { name: "blocks", shown: true,
        items: blocks.map((block) => box(block, { class: "block" }, `block, ${widthOf(block)} wide`)) },
      { name: "reading order", shown: false,
        items: readingOrder(ordered, Math.max(width, height) / 90) },
    ],
  });
  if (page.image) addScan(drawing, page.image, note, { x: left, y: top, width, height });
  else note.textContent = `No scan${page.image_name ? `: ${page.image_name} was not found` : ""}. --scans names its place.`;
  return drawing.element;
}

/** Puts the scan below the boxes, or says why it cannot be shown. */
async function addScan({ picture, show }, address, note, size) {
  note.textContent = "Loading the scan …";
  try {
    const href = URL.createObjectURL(await image(address));
    const scan = draw("image", { href, ...size, preserveAspectRatio: "none" });
    scan.addEventListener("load", () => URL.revokeObjectURL(href));
    picture.firstChild.after(scan);
    note.textContent = "";
  } catch (error) {
    note.textContent = `No scan: ${error.message}.`;
    show("words");
  }
}

/** The measures of a page beside those of its book, and why it may have been cropped. */
function measures({ page, width: wide, height, image_name: image, ...all }, book) {
  const [boxes, blocks] = [wordsOf(all), placed(all.blocks)];
  const known = boxes.map(({ confidence }) => confidence).filter(isKnown);
  const beside = make("div");
  load(beside, "Measuring the book", async () => inBook(await book(page)));
  return make("div", {}, facts([
    ["Page", page], ["Width × height", isKnown(wide) ? `${round(wide)} × ${round(height)}` : "unknown"],
    ["Words", boxes.length], ["Blocks", blocks.length],
    ["Mean confidence", round(average(known)) ?? "unknown"], ["Image", image ?? "none"],
    ["Widths of blocks", blocks.map(widthOf).join(", ")],
    ["Average width", round(average(blocks.map(widthOf)))],
  ]), make("h3", {}, "Beside its book"), beside);
}

function inBook(found) {
  if (!isKnown(found.score)) {
    return [make("p", { class: "dim" }, "The book has no other pages, or this page has no blocks.")];
  }
  const { pages, score, at_edge: isAtEdge } = found;
  const rows = [["Average width of blocks", "average_width", "usual_average_width"],
    ["Width of the text", "text_width", "usual_text_width"], ["Width of the page", "width", "usual_width"]];
  return [
    make("p", {}, "Crop score ", make("b", {}, round(score)), ` among ${number(pages)} pages: the deviations of the text ` +
      `and page widths${isAtEdge ? ", and 1 because the text is at the edge" : ""}.`),
    table(["", "This page", "Median of the book", "Deviation"], rows.map(([name, own, usual]) =>
      [name, round(found[own]), round(found[usual]),
        isKnown(found[usual]) ? percent(Math.abs(found[own] / found[usual] - 1)) : ""])),
    facts([["Margins", isKnown(found.left_margin) && isKnown(found.right_margin)
      ? `${round(found.left_margin)} left, ${round(found.right_margin)} right` : "unknown"]]),
  ];
}
