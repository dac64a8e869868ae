// A page of a PDF: words, blocks, tables and reading order at their places; its fonts and texts.

import { box, pageOfLayers, placed, readingOrder, wordText } from "./boxes.js";
import { make, number, percent, table, texts } from "./dom.js";

export const pdfTabs = (page, context) => [
  page.width && ["Page", () => drawn(page, context)],
  ["Text", () => texts([["text", page.text], ["Markdown", page.markdown]], context.words)],
  page.fonts?.length && ["Fonts", () => fonts(page.fonts)],
];

function drawn({ width, height, page, needs_ocr, ocr_reason: why, tables, ...boxes }, context) {
  const [words, blocks] = [placed(boxes.words), placed(boxes.blocks)];
  const found = new Set(context.words.map((word) => word.toLowerCase()));
  const isFound = ({ text }) => [...found].some((word) => text.toLowerCase().includes(word));
  return pageOfLayers({
    width, height,
    label: `Page ${page}: ${words.length} words in ${blocks.length} blocks`,
    below: needs_ocr ? make("p", { class: "warning" }, `This page needs OCR${why ? `: ${why}` : ""}.`)
      : !words.length && make("p", { class: "dim" }, "This page has no words."),
    layers: [
      { name: "hits", shown: true,
        items: words.filter(isFound).map((word) => box(word, { class: "hit" })) },
      { name: "words", shown: true, items: words.map(wordText) },
      { name: "word boxes", shown: false,
        items: words.map((word) => box(word, { class: "word" }, word.text)) },
      { name: "blocks", shown: true,
        items: blocks.map((block) => box(block, { class: `block block-${block.kind}` }, block.kind)) },
      { name: "tables", shown: true, items: (tables ?? []).flatMap((table) => [
        ...placed([table.box]).map((one) => box(one, { class: "table" }, "table")),
        ...placed(table.cells).map((cell) => box(cell, { class: "cell" }))]) },
      { name: "reading order", shown: true, items: readingOrder(blocks, Math.max(width, height) / 90) },
    ],
  }).element;
}

function fonts(list) {
  const trust = ({ characters, unmapped, implausible }) =>
    (characters ? Math.max(0, 1 - (unmapped + implausible) / characters) : 1);
  const heads = ["Font", "Trust", "Charac\u00adters", "Un\u00admapped", "In\u00adferred", "Implau\u00adsible"];
  return table(heads, list.map((font) => [
    font.name ?? "unnamed",
    font.broken ? ["broken", "bad"] : [percent(trust(font)), trust(font) < 0.9 ? "bad" : "good"],
    ...[font.characters, font.unmapped, font.inferred, font.implausible].map((count) => number(count ?? 0)),
  ]));
}
