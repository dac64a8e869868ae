// The dialog that saves the statement as a job, the history, and the help.

import { get, post } from "./api.js";
import { button, copyable, failure, load, make, summary, textPane } from "./dom.js";
import { parts, quoted, strings } from "./highlight.js";

const dialog = document.getElementById("dialog");

function open(title, ...children) {
  dialog.replaceChildren(
    make("div", { class: "bar" }, make("h2", { id: "dialog-title" }, title),
      button("Close", () => dialog.close(), { class: "close" })),
    ...children);
  if (!dialog.open) dialog.showModal();
}

/** Names of variables for the texts that are locations; other texts stay as they are. */
function guesses(texts, sql) {
  const names = [];
  for (const text of texts) {
    const before = sql.slice(0, sql.indexOf(quoted(text)));
    const isInput = /\b(FROM|JOIN)\s+(\w+\s*\(\s*)?$/i.test(before);
    const name = /\bTO\s+$/i.test(before) ? "output" : isInput ? "input" : "";
    const count = names.filter((one) => name && one.startsWith(name)).length;
    names.push(count ? `${name}${count + 1}` : name);
  }
  return names;
}

/** `known` are the values of variables that the SQL may have; `saved` is called after each job. */
export function save(sql, known, saved) {
  const name = make("input", { id: "job-name", required: true, pattern: "[A-Za-z0-9_][A-Za-z0-9_\\-]*",
    autocomplete: "off", value: "my_job", title: "letters, digits, _ and -" });
  // Texts with variables already have them.
  const literals = strings(sql).filter((text) => !text.includes("${"));
  const names = guesses(literals, sql);
  const variables = literals.map((text, at) => ({
    text,
    input: make("input", { value: names[at], pattern: "[A-Za-z_]\\w*", placeholder: "stays as it is",
      autocomplete: "off", "aria-label": `Variable for '${text}'` }),
  }));
  const shown = textPane("The statement of the job");
  const answer = make("div", { role: "status" });
  const job = () => {
    const used = Object.entries(known).filter(([name]) => sql.includes(`\${${name}}`));
    const values = Object.fromEntries(used);
    const names = new Map();
    for (const { text: literal, input } of variables) {
      const variable = input.value.trim();
      const isTaken = variable && variable in values && values[variable] !== literal;
      input.setCustomValidity(isTaken ? `${variable} is '${values[variable]}' already` : "");
      if (!variable || isTaken) continue;
      values[variable] = literal;
      names.set(quoted(literal), `'\${${variable}}'`);
    }
    const text = parts(sql).map(({ text, kind }) => (kind === "string" && names.get(text)) || text);
    return { name: name.value.trim(), sql: text.join(""), variables: values };
  };
  const preview = () => shown.replaceChildren(job().sql);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const { path, command } = await post("jobs", job());
      answer.replaceChildren(make("p", {}, `Saved as ${path}. Run it in a terminal:`), copyable(command));
      saved();
    } catch (error) {
      answer.replaceChildren(failure(error));
    }
  };
  preview();
  open("Save as job", make("form", { onsubmit: submit, oninput: preview },
    make("label", { for: "job-name" }, "Name "), name,
    variables.length > 0 && make("fieldset", {}, make("legend", {}, "Variables"),
      variables.map(({ text, input }) =>
        make("label", { class: "variable" }, input, make("code", {}, text)))),
    shown, make("button", { class: "main" }, "Save"), answer));
  name.select();
}

export function history(choose) {
  const place = make("div");
  open("History", place);
  load(place, "Reading the history", async () => {
    const { statements } = await get("history");
    if (!statements.length) return make("p", { class: "dim" }, "No statements yet.");
    return make("ul", { class: "history" }, statements.map(({ sql, state, rows, seconds }) => make("li", {},
      button([make("code", {}, sql), make("small", {}, summary(state, rows, seconds))], () => {
        dialog.close();
        choose(sql);
      }))));
  });
}

export function help(version) {
  const keys = [
    ["Ctrl+Enter", "run the statement"],
    ["Escape", "stop it"],
    ["Ctrl+Space", "complete a function, column or path"],
    ["↑ ↓ Page Home End", "in the rows: choose a row, which shows its document"],
    ["Enter", "in the rows: go to the document"],
    ["← →", "in the heads of columns: the next one; Enter sorts"],
    ["← →", "in tabs: the next tab"],
  ];
  open(`corpus-sql ${version}`,
    make("p", {}, "Choose a place on the left, or write a statement and run it. Then choose a row."),
    make("dl", { class: "facts" }, keys.map(([key, text]) =>
      [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])));
}
