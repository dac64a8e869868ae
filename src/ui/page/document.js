// The right side: the document of the chosen row, or the funnel of a job.

import { button, bytes, divided, failure, isKnown, load, make, number, tabs, texts } from "./dom.js";
import { ocrTabs } from "./ocr.js";
import { pdfTabs } from "./pdf.js";
import { removedTabs, showFunnel } from "./removed.js";
import { wordsOf } from "./search.js";
import { http, webTabs } from "./web.js";

const textTabs = ({ text, markdown }, { words }) => [
  ["Text", () => texts([["text", text], ["Markdown", markdown]], words)],
];

/** Bytes that no function reads as text. */
const bytesTabs = (record) => [
  ["Content", () => make("p", { class: "dim" },
    `${bytes(record.bytes)} of ${record.media_type ?? "unknown type"}, without text.`)],
  isKnown(record.status) && ["HTTP", () => http(record)],
];

/** The tabs of each kind of document; those of a part that it lacks are false. */
const KINDS = { web: webTabs, pdf: pdfTabs, ocr: ocrTabs, removed: removedTabs, text: textTabs, bytes: bytesTabs };

function valueElement({ value, length }) {
  if (!isKnown(value)) return make("span", { class: "dim" }, "NULL");
  if (typeof value === "object" && value.bytes !== undefined) {
    return [make("p", { class: "dim" }, bytes(value.bytes)),
      value.text !== undefined && make("pre", {}, value.text)];
  }
  const text = typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
  const isCut = length > [...text].length;
  const rest = isCut && make("p", { class: "dim" }, `… of ${number(length)} characters`);
  return [make("pre", {}, divided(text)), rest];
}

/** `row` requests the row. */
function rowFacts(row) {
  const list = make("dl", { class: "row-facts" });
  load(list, "Reading the row", async () => (await row()).columns.flatMap((column) => [
    make("dt", {}, column.name, " ", make("small", {}, column.type)),
    make("dd", {}, valueElement(column)),
  ]));
  return list;
}

export class DocumentPanel {
  constructor(place) {
    this.place = place;
    this.title = make("h2", { tabindex: -1 }, "Document");
    this.moves = make("span", { class: "moves" });
    this.content = make("div", { class: "document" });
    const wide = button("Wide", () => {
      const isWide = document.body.toggleAttribute("data-wide");
      wide.setAttribute("aria-pressed", String(isWide));
    }, { "aria-pressed": "false", class: "wide", title: "Give the document the width of the SQL" });
    place.append(make("div", { class: "bar" }, this.title, this.moves, wide), this.content);
    this.tabOf = {};
    /** The places outside of the opened folder from which rows may be read. */
    this.allowed = new Set();
  }

  welcome() {
    this.begin();
    this.isEmpty = true;
    this.setTitle("Document");
    this.content.replaceChildren(make("p", { class: "dim" },
      "Choose a row of the result. Its web page, PDF, scanned page or text appears here."));
  }

  focus() {
    this.title.focus();
  }

  /** Starts a request that ends the one before. */
  begin() {
    this.request?.abort();
    this.request = new AbortController();
    this.isEmpty = false;
    this.content.removeAttribute("aria-busy");
    return this.request.signal;
  }

  funnel(place, run) {
    this.setTitle(`Funnel of ${place.name}`);
    showFunnel(this.content, place, run, this.begin());
  }

  setTitle(text, ...moves) {
    this.title.textContent = text;
    this.title.title = text;
    const used = this.moves.querySelector(":focus")?.getAttribute("aria-label");
    this.moves.replaceChildren(...moves);
    // The same button, unless there is no further page.
    if (used) (this.moves.querySelector(`[aria-label="${used}"]:enabled`) ?? this.title).focus();
  }

  /** Shows a row and its document; `query` chooses a page, a charset or a neighbouring record. */
  async show(statement, index, query = {}) {
    const signal = this.begin();
    this.content.setAttribute("aria-busy", "true");
    try {
      const row = () => statement.row(index, null, {}, signal);
      // Words are marked in the documents of hits only.
      const isHit = statement.status.columns.some(({ name }) => name === "snippet");
      const [found, hit] = await Promise.all([this.read(statement, index, query, signal), isHit && row()]);
      if (signal.aborted) return;
      const go = (change) => this.show(statement, index, change);
      const compare = (charset) => statement.row(index, "document", { ...found.query, charset });
      const book = (page) => statement.row(index, "book", { ...found.query, page }, signal);
      const snippet = hit && hit.columns.find(({ name }) => name === "snippet").value;
      this.draw(found, index, { row, go, compare, book, query, words: wordsOf(snippet) });
    } catch (error) {
      if (error.name === "AbortError") return;
      this.content.replaceChildren(failure(error));
    } finally {
      if (!signal.aborted) this.content.removeAttribute("aria-busy");
    }
  }

  /** Reads the document of a row: from another place than the opened folder only if it is allowed. */
  async read(statement, index, query, signal) {
    try {
      return { ...await statement.row(index, "document", query, signal), query };
    } catch (error) {
      if (error.name === "AbortError") throw error;
      const { message, outside } = error;
      if (outside && outside !== query.outside && this.allowed.has(outside)) {
        return this.read(statement, index, { ...query, outside }, signal);
      }
      return { kind: null, error: message, outside };
    }
  }

  draw(found, index, context) {
    const { kind, error, outside } = found;
    const title = found.title || found.url || found.source_file;
    // Of the path of a file, its name is enough.
    this.setTitle(title?.replace(/^(\/|\w:|file:).*\/(?=[^/])/, "") || `Row ${number(index + 1)}`,
      ...moves(found, context));
    const known = kind ? KINDS[kind](found, context).filter(Boolean) : [];
    const list = [...known, ["Row", () => rowFacts(context.row)]];
    const allow = () => {
      this.allowed.add(outside);
      this.focus();
      context.go(context.query);
    };
    this.content.replaceChildren(
      ...[error && failure({ message: error }), outside && button(`Read rows from ${outside}`, allow)].filter(Boolean),
      tabs("Parts of the document", list, this.tabOf[kind], (name) => (this.tabOf[kind] = name)));
  }
}

/** Buttons for the neighbouring record of an archive, or page of a book. */
function moves({ kind, offset, has_previous: hasPrevious, next, page, pages }, { go }) {
  if (kind === "web" || hasPrevious || isKnown(next)) {
    const record = (text, label, isThere, to) => button(text, () => go(to),
      { "aria-label": label, title: label, disabled: !isThere });
    return [record("‹", "Previous record", hasPrevious, { before: offset }),
      record("›", "Next record", isKnown(next), { offset: next })];
  }
  if (!(pages > 1)) return [];
  const turn = (text, label, to) => button(text, () => go({ page: to }),
    { "aria-label": label, title: label, disabled: to < 1 || to > pages });
  const input = make("input", { type: "number", min: 1, max: pages, value: page, "aria-label": "Page",
    onchange: () => input.checkValidity() && go({ page: input.value }) });
  const [back, on] = [turn("‹", "Previous page", page - 1), turn("›", "Next page", page + 1)];
  return [back, input, ` of ${pages} `, on];
}
