// A grid of any number of rows: only the rows on the screen are requested and drawn.

import { bytes, isKnown, make, number } from "./dom.js";

/** As in style.css. */
const ROW_PIXELS = 26;
/** Browsers limit the height of an element; above this, a pixel of the scroll bar is several rows. */
const MAX_CANVAS_PIXELS = 8_000_000;
const PAGE_ROWS = 100;
const MAX_PAGES = 60;
/** Browsers freeze on thousands of columns. As in cells.rs. */
const MAX_COLUMNS = 200;
const MIN_COLUMN_PIXELS = 56;
const MAX_COLUMN_PIXELS = 340;
/** Padding and border of a cell, and the sign of a sorted column. */
const CELL_EXTRA_PIXELS = 20;
const HEAD_EXTRA_PIXELS = 34;

/** Shows one cell in one line. */
export function cellText(cell) {
  if (!isKnown(cell)) return "NULL";
  if (typeof cell !== "object") return String(cell);
  if (cell.cut !== undefined) return `${cell.cut}…`;
  if (cell.bytes !== undefined) return bytes(cell.bytes);
  return JSON.stringify(cell);
}

const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "13px system-ui, sans-serif";
const pixels = (text) => ruler.measureText(text.slice(0, 80)).width;

export class Grid {
  /**
   * `load(from, count, sort, signal)` returns rows and, if they are sorted, the number of each in
   * the result. `select(number)` shows the document of a row, `open(isFocused)` brings it into
   * view. Paths are shown without `folder`, and only the first columns of many.
   */
  constructor({ load, select, open, failed, folder }) {
    Object.assign(this, { load, select, open, failed, folder, columns: [], count: 0, sort: null });
    Object.assign(this, { first: 0, chosen: null, pages: new Map(), waiting: new Map() });
    this.head = make("div", { class: "grid-row grid-head", role: "row", onkeydown: (event) => this.headKey(event) });
    this.body = make("div", { class: "grid-body", role: "rowgroup" });
    this.canvas = make("div", { class: "grid-canvas", role: "presentation" }, this.head, this.body);
    this.root = make("div", {
      class: "grid", role: "grid", tabindex: 0, "aria-label": "Rows of the result",
      onscroll: () => this.scrolled(),
      onkeydown: (event) => this.key(event),
    }, this.canvas);
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.root);
  }

  end() {
    this.observer.disconnect();
    this.abortAll();
  }

  abortAll() {
    for (const request of this.waiting.values()) request.abort();
    this.waiting.clear();
  }

  /** The number of rows that are completely visible. */
  get visible() {
    return Math.max(1, Math.floor((this.root.clientHeight - ROW_PIXELS) / ROW_PIXELS));
  }

  get lastFirst() {
    return Math.max(0, this.count - this.visible);
  }

  get isScaled() {
    return this.count * ROW_PIXELS > MAX_CANVAS_PIXELS;
  }

  setColumns(all) {
    const columns = all.slice(0, MAX_COLUMNS);
    this.columns = columns;
    this.widths = null;
    this.root.setAttribute("aria-rowcount", 1);
    this.root.setAttribute("aria-colcount", all.length + 1);
    this.head.replaceChildren(
      make("div", { class: "grid-number", role: "columnheader", "aria-label": "Row" }),
      ...columns.map(({ name, type }, at) => make("div", { role: "columnheader" },
        make("button", { type: "button", title: `${name}: ${type}; click to sort`, tabindex: at ? -1 : 0,
          onclick: () => this.sortBy(at) }, name))));
    this.setWidths([]);
  }

  /** Sets widths that fit the given rows, and those before. */
  setWidths(rows) {
    const widths = this.columns.map(({ name }, at) => {
      const widest = Math.max(this.widths?.[at] ?? 0, pixels(name) + HEAD_EXTRA_PIXELS,
        ...rows.map((row) => pixels(this.shown(row[at])) + CELL_EXTRA_PIXELS));
      return Math.round(Math.min(MAX_COLUMN_PIXELS, Math.max(MIN_COLUMN_PIXELS, widest)));
    });
    this.widths = widths;
    const tracks = widths.map((width) => `${width}px`);
    // The last text gets the rest. A number would be far from the other cells.
    if (!rows.some((row) => typeof row.at(-1) === "number")) {
      tracks.push(`minmax(${tracks.pop()}, 1fr)`);
    }
    this.root.style.setProperty("--columns", ["var(--gutter)", ...tracks].join(" "));
    this.canvas.style.minWidth = `calc(var(--gutter) + ${widths.reduce((sum, width) => sum + width, 0)}px)`;
  }

  shown(cell) {
    const text = cellText(cell);
    return this.folder && text.startsWith(this.folder) ? text.slice(this.folder.length) : text;
  }

  setCount(count) {
    if (count === this.count) return;
    // The last page may have been loaded when it was not full.
    this.pages.delete(Math.floor(this.count / PAGE_ROWS));
    this.count = count;
    this.root.setAttribute("aria-rowcount", count + 1);
    this.root.style.setProperty("--gutter", `${Math.ceil(pixels(number(count))) + CELL_EXTRA_PIXELS}px`);
    this.resized();
  }

  resized() {
    const height = Math.min(this.count * ROW_PIXELS, MAX_CANVAS_PIXELS);
    this.canvas.style.height = `${ROW_PIXELS + height}px`;
    this.body.style.height = `${Math.max(0, Math.min(height, this.root.clientHeight - ROW_PIXELS))}px`;
    this.goTo(this.first);
  }

  /** Puts a row at the top. */
  goTo(first) {
    this.first = Math.max(0, Math.min(Math.round(first), this.lastFirst));
    const range = this.root.scrollHeight - this.root.clientHeight;
    this.root.scrollTop = this.lastFirst ? (this.first / this.lastFirst) * range : 0;
    // The browser rounds; the scroll event of this position must not move the rows again.
    this.placed = this.root.scrollTop;
    this.draw();
  }

  scrolled() {
    const range = this.root.scrollHeight - this.root.clientHeight;
    if (Math.abs(this.root.scrollTop - this.placed) < 1 || range <= 0) return;
    this.placed = this.root.scrollTop;
    this.first = Math.round((this.root.scrollTop / range) * this.lastFirst);
    this.draw();
  }

  wheel(event) {
    if (!this.isScaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    const rows = event.deltaMode === 0 ? event.deltaY / ROW_PIXELS : event.deltaY;
    this.goTo(this.first + (Math.abs(rows) < 1 ? Math.sign(rows) : rows));
  }

  key(event) {
    const here = this.chosen ?? -1;
    const moves = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + this.visible,
      PageUp: here - this.visible,
      Home: 0,
      End: this.count - 1,
    };
    if (event.target !== this.root) return;
    if (event.key in moves) this.choose(Math.max(0, Math.min(moves[event.key], this.count - 1)));
    else if (event.key === "ArrowRight") this.root.scrollLeft += 80;
    else if (event.key === "ArrowLeft") this.root.scrollLeft -= 80;
    else if (event.key === "Enter" && this.chosen !== null) this.open(true);
    else return;
    event.preventDefault();
  }

  /** Moves from column to column; Tab stops at one of them. */
  headKey(event) {
    const cell = event.target.parentElement;
    const next = { ArrowRight: cell.nextSibling, ArrowLeft: cell.previousSibling }[event.key]?.firstChild;
    if (!next?.focus) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  choose(row) {
    if (!this.count) return;
    this.chosen = row;
    if (row < this.first) this.goTo(row);
    else if (row >= this.first + this.visible) this.goTo(row - this.visible + 1);
    else this.draw();
    this.report();
  }

  /** Reports the chosen row as soon as its number in the unsorted result is known. */
  report() {
    const page = this.pages.get(Math.floor(this.chosen / PAGE_ROWS));
    this.isReported = !this.sort || page !== undefined;
    if (this.isReported) this.select(page?.numbers?.[this.chosen % PAGE_ROWS] ?? this.chosen);
  }

  sortBy(column) {
    // The server sorts when all rows are there.
    if (!this.isSortable) return;
    const isSame = this.sort?.column === column;
    if (isSame && this.sort.descending) this.sort = null;
    else this.sort = { column, descending: isSame };
    [...this.head.children].slice(1).forEach((cell, at) => {
      const isSorted = at === this.sort?.column;
      const order = this.sort?.descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", isSorted ? order : "none");
    });
    this.abortAll();
    this.pages.clear();
    this.chosen = null;
    this.goTo(0);
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    const end = Math.min(this.count, this.first + this.visible + 1);
    const rows = [];
    for (let at = this.first; at < end; at++) rows.push(this.rowElement(at));
    this.body.replaceChildren(...rows);
    if (this.chosen !== null) this.root.setAttribute("aria-activedescendant", `row-${this.chosen}`);
    this.request(end);
  }

  rowElement(at) {
    const cells = this.pages.get(Math.floor(at / PAGE_ROWS))?.rows[at % PAGE_ROWS];
    return make("div", {
      class: "grid-row", role: "row", id: `row-${at}`, "aria-rowindex": at + 2,
      "aria-selected": String(at === this.chosen),
      onclick: () => {
        this.choose(at);
        this.open(false);
      },
    }, make("div", { class: "grid-number", role: "rowheader" }, number(at + 1)),
    this.columns.map((_, column) => {
      if (!cells) return make("div", { role: "gridcell", class: "waiting" });
      const cell = cells[column];
      const kind = cell === null ? "null" : typeof cell;
      return make("div", { role: "gridcell", class: `cell-${kind}` }, this.shown(cell));
    }));
  }

  /** Loads the pages that are on the screen, and stops loading others. */
  request(end) {
    const wanted = new Set();
    for (let page = Math.floor(this.first / PAGE_ROWS); page * PAGE_ROWS < end; page++) wanted.add(page);
    for (const [page, request] of this.waiting) if (!wanted.has(page)) request.abort();
    for (const page of wanted) if (!this.pages.has(page) && !this.waiting.has(page)) this.loadPage(page);
  }

  async loadPage(page) {
    const request = new AbortController();
    this.waiting.set(page, request);
    try {
      const loaded = await this.load(page * PAGE_ROWS, PAGE_ROWS, this.sort, request.signal);
      if (request.signal.aborted) return;
      this.setWidths(loaded.rows);
      this.pages.set(page, loaded);
      // The oldest page is the first one.
      if (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value);
    } catch (error) {
      if (error.name !== "AbortError") this.failed(error);
      return;
    } finally {
      if (this.waiting.get(page) === request) this.waiting.delete(page);
    }
    this.draw();
    if (this.chosen !== null && !this.isReported) this.report();
  }
}
