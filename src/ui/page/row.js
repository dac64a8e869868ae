// All values of a row.

import { bytes, divided, isKnown, load, make, number } from "./dom.js";

function valueElement({ value, length }) {
  if (!isKnown(value)) return make("span", { class: "dim" }, "NULL");
  if (typeof value === "object" && value.bytes !== undefined) {
    return [make("p", { class: "dim" }, `${bytes(value.bytes)} of bytes`),
      value.text !== undefined && make("pre", {}, value.text)];
  }
  const text = typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
  const isCut = length > [...text].length;
  const rest = isCut && make("p", { class: "dim" }, `… of ${number(length)} characters`);
  return [make("pre", {}, divided(text)), rest];
}

/** `row` requests the row. */
export function rowFacts(row) {
  const list = make("dl", { class: "row-facts" });
  load(list, "Reading the row", async () => (await row()).columns.flatMap((column) => [
    make("dt", {}, column.name, " ", make("small", {}, column.type)),
    make("dd", {}, valueElement(column)),
  ]));
  return list;
}
