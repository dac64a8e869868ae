// The box that searches an index, and the hits that it finds.

import { cellText } from "./grid.js";
import { choice, make } from "./dom.js";
import { quoted } from "./highlight.js";

const MAX_HITS = 200;

/** The statement that searches an index. In a statement, `${` begins a variable. */
const statementFor = (index, words) =>
  `SELECT * FROM search(${quoted(index)}, ${quoted(words)}, ${MAX_HITS})\nORDER BY score DESC`.split("${").join("$${");

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };
const decoded = (text) => text.replace(/&[#\w]+;/g, (name) => ENTITIES[name] ?? name);

/** The parts of a snippet; every second one is a word that was found. */
const snippetParts = (snippet) => snippet.split(/<b>(.*?)<\/b>/s).map(decoded);

/** The words that were found. */
export const wordsOf = (snippet) =>
  typeof snippet === "string" ? snippetParts(snippet).filter((_, at) => at % 2) : [];

/** Shows the search box when there is an index. */
export function searchBox(form, run) {
  const input = form.querySelector("input");
  const list = form.querySelector("select");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) run(statementFor(list.value, input.value.trim()));
  });
  return {
    choose({ location }) {
      list.value = location;
    },
    add({ path, location }) {
      if ([...list.options].some(({ value }) => value === location)) return;
      list.append(make("option", { value: location }, path || location));
      form.hidden = false;
      list.hidden = list.options.length < 2;
    },
  };
}

/** The hits as a list of snippets; a click selects the row. */
export function hits({ statement, columns, snippet, folder = "", select, open }) {
  const column = (row, names) => {
    const at = columns.findIndex(({ name }) => names.includes(name));
    return at < 0 || row[at] === null ? null : cellText(row[at]);
  };
  const list = make("ol", { class: "hits" });
  const orders = [["score", "best first"], ["place", "by document and page"]];
  const fill = async (order) => {
    const { rows } = await statement.rows(0, MAX_HITS);
    const found = rows.map((row, index) => ({ row, index }));
    if (order === "place") {
      const key = ({ row }) => column(row, ["url", "source_file", "id", "key"]) ?? "";
      const page = ({ row }) => Number(column(row, ["page"]) ?? 0);
      found.sort((a, b) => key(a).localeCompare(key(b)) || page(a) - page(b));
    }
    list.replaceChildren(...found.map(({ row, index }) => {
      const place = (column(row, ["url", "source_file", "id", "key"]) ?? "").replace(folder, "");
      const name = column(row, ["title"]) ?? place.split("/").at(-1);
      const page = column(row, ["page"]);
      const parts = snippetParts(cellText(row[snippet]));
      return make("li", {}, make("button", {
        type: "button",
        onclick: (event) => {
          for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
          event.currentTarget.setAttribute("aria-current", "true");
          select(index);
          open(false);
        },
      }, make("strong", {}, name || `Row ${index + 1}`), page && [" ", make("small", {}, `page ${page}`)],
      place !== name && [" ", make("small", {}, place)],
      make("span", {}, parts.map((part, at) => (at % 2 ? make("mark", {}, part) : part)))));
    }));
  };
  fill("score");
  return make("div", { class: "hits-view" },
    make("div", { class: "bar" }, choice("Order:", orders, "score", fill)), list);
}
