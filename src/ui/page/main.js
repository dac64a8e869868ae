// Connects the parts of the page.

import { get } from "./api.js";
import { DocumentPanel } from "./document.js";
import { Editor } from "./editor.js";
import { changes } from "./highlight.js";
import * as jobs from "./jobs.js";
import { Places } from "./places.js";
import { Results } from "./results.js";
import { searchBox } from "./search.js";
import { Statement } from "./statements.js";

const element = (id) => document.getElementById(id);
const [runButton, stopButton] = [element("run"), element("stop")];
let statement = null;
/** The number of statements started so far, which identifies the newest. */
let started = 0;
// The number of the last statement that the user stopped.
let stopped = 0;
/** The values of variables, by their names. */
const values = JSON.parse(sessionStorage.getItem("values") ?? "{}");

/** On a narrow screen, one of three views is shown. */
function view(name) {
  document.body.dataset.view = name;
  for (const tab of document.querySelectorAll("#views button")) {
    tab.setAttribute("aria-current", tab.dataset.view === name);
  }
}

const panel = new DocumentPanel(element("document"));
const editor = new Editor(element("editor"), { run: () => run(editor.text), stop });
const results = new Results({
  place: element("results"),
  status: element("status"),
  progress: element("progress"),
  select: (row) => panel.show(statement, row),
  open: (isFocused) => {
    view("document");
    if (isFocused) panel.focus();
  },
  goToError: () => editor.goToMark(),
});
const box = searchBox(element("search"), show);
const places = new Places({
  tree: element("tree"),
  counts: element("counts"),
  show,
  edit,
  funnel: (place) => {
    panel.funnel(place, show);
    view("document");
  },
  found: (place) => box.add(place),
  chosen: (place) => box.choose(place),
});

/** Puts a statement into the editor, and runs it. */
function show(sql) {
  editor.text = sql;
  view("sql");
  run(sql);
}

/** Puts statements into the editor. */
function write(sql) {
  editor.text = sql;
  view("sql");
  editor.area.focus();
}

/** Puts the statements of a file into the editor. */
async function edit(path) {
  try {
    write((await get("script", { path })).sql);
  } catch (error) {
    results.fail(error);
  }
}

/** `ready` is called once there are rows, or the end. */
async function run(sql, ready) {
  if (!sql.trim()) return;
  const mine = ++started;
  statement?.forget();
  statement = null;
  editor.mark(null);
  results.show(null);
  panel.welcome();
  results.update({ state: "running", rows: 0 });
  stopButton.disabled = false;
  sessionStorage.setItem("sql", sql);
  try {
    const running = await Statement.start(sql, values);
    if (mine !== started) return running.forget();
    statement = running;
    results.show(running);
    // It was stopped before the server knew it.
    if (stopped === mine) stop();
    await running.watch((status) => {
      results.update(status);
      if (status.rows || status.state !== "running") ready = ready?.();
      if (status.error?.line) editor.mark(status.error.line, status.error.column);
    });
    if (mine === started) stopButton.disabled = true;
    if (running.status.message || changes(sql)) places.refresh();
  } catch (error) {
    if (mine !== started) return;
    stopButton.disabled = true;
    if (error.variables) return results.ask(error.variables, values, (given) => {
      sessionStorage.setItem("values", JSON.stringify(Object.assign(values, given)));
      run(sql);
    });
    results.update({ state: "failed", rows: 0, error });
    if (error.line) editor.mark(error.line, error.column);
  }
}

/** From the document back to its row. */
function back() {
  view("sql");
  results.grid?.root.focus();
}

async function stop() {
  stopped = started;
  if (statement?.status.state === "running") await statement.stop().catch(() => {});
}

runButton.addEventListener("click", () => run(editor.text));
stopButton.addEventListener("click", stop);
element("save-button").addEventListener("click", () =>
  jobs.save(editor.text, values, () => places.refresh()));
element("history-button").addEventListener("click", () => jobs.history(write));
for (const tab of document.querySelectorAll("#views button")) {
  tab.addEventListener("click", () => view(tab.dataset.view));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !element("dialog").open) {
    if (!stopButton.disabled) stop();
    else if (element("document").contains(document.activeElement)) back();
  }
  if (event.key === "Enter" && event.ctrlKey && !element("dialog").open) run(editor.text);
});

addEventListener("pagehide", () => statement?.leave());

async function start() {
  view("sql");
  panel.welcome();
  try {
    const session = await get("session");
    element("folder").textContent = session.folder ?? session.location ?? "";
    if (session.folder) results.folder = `${session.folder.replace(/\/$/, "")}/`;
    element("read-only").hidden = !session.read_only;
    element("save-button").hidden = session.read_only;
    element("help-button").addEventListener("click", () => jobs.help(session.version));
    const tree = places.start();
    const known = sessionStorage.getItem("sql") ?? session.sql;
    const script = !known && (await tree).find((one) => one.opened && one.format === "SQL");
    if (script) return edit(script.path);
    const sql = known ?? (await tree).find((one) => one.sql)?.sql;
    editor.area.focus();
    if (!sql) return;
    editor.text = sql;
    // A page that is loaded again must not write again.
    if (changes(sql)) return;
    // The first document shows what the right side is for, unless something was chosen already.
    await run(sql, () => panel.isEmpty && results.grid?.choose(0));
  } catch (error) {
    results.fail({ message: error.status === 403
      ? "This page has no valid token. Open the address that corpus-sql printed." : error.message });
  }
}

start();
