// The result of a statement: its state, its rows as a grid or as hits, or its error.

import { button, isKnown, make, number, summary, tabs } from "./dom.js";
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
    this.status.textContent = summary(state, rows, seconds, isRunning && progress?.text);
    if (!this.grid && status.columns?.length) this.start(status.columns);
    this.grid?.setCount(rows);
    if (this.grid) this.grid.isSortable = !isRunning;
    if (status.error) this.fail(status.error);
    if (isRunning) return;
    if (status.message) this.note(status.message);
    else if (!rows && state === "done") this.note(status.columns?.length ? "No rows." : "Done. This statement returns no rows.");
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
    const list = hits({ statement, columns, snippet, folder: this.folder, select: this.select, open: this.open });
    const views = [["Hits", () => list], ["Table", () => this.grid.root]];
    this.place.replaceChildren(tabs("View of the hits", views));
  }

  /** Asks for the values of variables, which `run` gets. */
  ask(names, known, run) {
    this.progress.hidden = true;
    this.status.textContent = "";
    const inputs = names.map((name) => [name, make("input", { required: true, value: known[name] ?? "" })]);
    const form = make("form", {
      class: "values",
      onsubmit: (event) => {
        event.preventDefault();
        run(Object.fromEntries(inputs.map(([name, input]) => [name, input.value])));
      },
    }, make("p", {}, "The statement has variables. Give their values:"),
    inputs.map(([name, input]) => make("label", { class: "variable" }, make("code", {}, name), input)),
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
