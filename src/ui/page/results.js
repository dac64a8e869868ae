// The result of a statement: its state, its rows as a grid or as hits, or its error.

import { button, counted, isKnown, make, number } from "./dom.js";
import { Grid } from "./grid.js";
import { hits } from "./search.js";

export class Results {
  /** `select(number)` shows the document of a row, `open(isFocused)` brings it into view. */
  constructor({ place, status, progress, select, open, goToError }) {
    Object.assign(this, { place, status, progress, select, open, goToError });
  }

  show(statement) {
    this.grid?.end();
    this.statement = statement;
    this.grid = null;
    this.hidden = null;
    this.notes = make("div", { class: "notes" });
    this.place.replaceChildren();
  }

  update(status) {
    const { state, rows, seconds, progress } = status;
    const isRunning = state === "running";
    this.progress.hidden = !isRunning;
    if (isKnown(progress?.share)) this.progress.value = progress.share;
    else this.progress.removeAttribute("value");
    const words = [state, counted(rows ?? 0, "row")];
    if (isRunning && progress?.text) words.push(progress.text);
    if (isKnown(seconds)) words.push(`${seconds.toFixed(seconds < 10 ? 2 : 0)} s`);
    this.status.textContent = words.join(" · ");
    if (status.error) return this.fail(status.error);
    if (!this.grid && status.columns?.length) this.start(status.columns);
    this.grid?.setCount(rows);
    if (this.grid) this.grid.isSortable = !isRunning;
    if (isRunning) return;
    if (!status.columns?.length) {
      this.note(status.message ?? "The statement returned no rows.");
    } else if (!rows) this.note("No rows.");
    if (this.hidden) this.note(this.hidden);
    for (const warning of status.warnings ?? []) this.note(warning, "warning");
  }

  start(columns) {
    const statement = this.statement;
    this.grid = new Grid({
      load: (from, count, sort, signal) => statement.rows(from, count, sort, signal),
      select: (row) => this.select(row),
      open: (isFocused) => this.open(isFocused),
      failed: (error) => this.fail(error),
      folder: this.folder,
    });
    this.grid.setColumns(columns);
    const drawn = this.grid.columns.length;
    if (drawn < columns.length) {
      this.hidden = `The first ${drawn} of ${number(columns.length)} columns are shown. Name others in the statement; a row shows them all.`;
    }
    const snippet = columns.findIndex(({ name }) => name === "snippet");
    if (snippet < 0) return this.place.replaceChildren(this.grid.root);
    const list = hits({ statement, columns, snippet, select: this.select, open: this.open });
    const views = { Hits: list, Table: this.grid.root };
    const choose = (name) => {
      for (const one of bar.children) one.setAttribute("aria-pressed", one.textContent === name);
      shown.replaceChildren(views[name]);
    };
    const bar = make("div", { class: "bar", role: "group", "aria-label": "View of the hits" },
      Object.keys(views).map((name) => button(name, () => choose(name))));
    const shown = make("div", { class: "results-view" });
    this.place.replaceChildren(bar, shown);
    choose("Hits");
  }

  /** Asks for the values of variables, which `run` gets. */
  ask(names, known, run) {
    const inputs = names.map((name) => [name, make("input", { required: true, value: known[name] ?? "" })]);
    const form = make("form", {
      class: "values",
      onsubmit: (event) => {
        event.preventDefault();
        run(Object.fromEntries(inputs.map(([name, input]) => [name, input.value])));
      },
    }, inputs.map(([name, input]) => make("label", { class: "variable" }, make("code", {}, name), input)),
    make("button", { class: "main" }, "Run with these values"));
    this.place.append(form);
    inputs[0][1].focus();
  }

  note(text, kind = "note") {
    this.notes.append(make("p", { class: kind }, text));
    this.place.append(this.notes);
  }

  /** Shows an error above the rows that there are. */
  fail({ message, line, column }) {
    this.place.querySelector(".error")?.remove();
    const where = line ? `line ${line}${column ? `, column ${column}` : ""}` : null;
    this.place.prepend(make("div", { class: "error", role: "alert" },
      where && button(where, () => this.goToError()), make("pre", {}, message)));
  }
}
