// The tree of folders, files, tables and indexes, and what a folder has by kind and error.

import { get } from "./api.js";
import { button, bytes, copyable, failure, isKnown, load, make, number } from "./dom.js";

const SIGNS = { folder: "▤", file: "▫", table: "▦", index: "⌕" };

export class Places {
  /**
   * `show(sql)` runs the statement of a place, `edit(path)` opens a file of statements, and
   * `funnel(place)` shows what a job removed.
   */
  constructor({ tree, counts, show, edit, funnel, found, chosen }) {
    Object.assign(this, { tree, counts, show, edit, funnel, found, chosen });
  }

  async start() {
    const places = await this.load(this.tree, undefined);
    this.offerCounts("");
    return places;
  }

  /** Lists everything again, with the folders that were open. */
  async refresh() {
    const open = [...this.tree.querySelectorAll("[aria-expanded=true]")].map((fold) => fold.dataset.path);
    const tree = make("div", { id: "tree" });
    await this.load(tree, undefined);
    for (const path of open) {
      const fold = [...tree.querySelectorAll(".fold")].find((one) => one.dataset.path === path);
      if (fold) await this.unfold(fold.closest("li"), fold, path);
    }
    this.tree.replaceChildren(...tree.children);
  }

  async load(parent, path) {
    try {
      const { places, more } = await get("places", { path });
      for (const place of places) if (place.kind === "index") this.found(place);
      const list = make("ul", { class: "tree" }, places.map((place) => this.item(place)));
      if (!places.length) list.append(make("li", { class: "dim" }, "nothing here"));
      if (more) list.append(make("li", { class: "dim" }, `and ${number(more)} more`));
      parent.append(list);
      return places;
    } catch (error) {
      parent.append(failure(error));
      return [];
    }
  }

  item(place) {
    const { name, path, kind, format, bytes: size, sql } = place;
    const item = make("li", {});
    const sign = make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind] ?? "▫");
    const named = button([sign, make("span", { class: "name" }, name), " ", make("small", {}, isKnown(size) ? bytes(size) : "")], () => {
      this.choose(named);
      if (kind === "folder") this.offerCounts(path);
      if (kind === "index") this.chosen(place);
      if (sql) this.show(sql);
      if (format === "SQL") this.edit(path);
    }, { class: "place", title: format ? `${path}: ${format}` : path });
    const fold = kind === "folder" && path && button("▸", () => this.unfold(item, fold, path),
      { class: "fold", "data-path": path, "aria-expanded": "false", "aria-label": `Contents of ${name}` });
    item.append(make("div", { class: "place-row" }, fold || make("span", { class: "fold" }), named,
      place.has_removed && button("Funnel", () => this.funnel(place), { "aria-label": `Funnel of ${name}` })));
    if (place.opened) this.choose(named);
    return item;
  }

  choose(named) {
    this.tree.querySelector("[aria-current]")?.removeAttribute("aria-current");
    named.setAttribute("aria-current", "true");
  }

  async unfold(item, fold, path) {
    const isOpen = fold.getAttribute("aria-expanded") === "true";
    fold.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) return item.querySelector(":scope > .inside")?.remove();
    // If the folder is closed before it is listed, this element goes, too.
    const inside = make("div", { class: "inside" });
    item.append(inside);
    await this.load(inside, path);
  }

  /** Counting reads every document, so it waits for a click. */
  offerCounts(path) {
    this.counting?.abort();
    const found = make("div");
    const name = `Count ${path || "everything"}`;
    const end = () => {
      this.counting = null;
      toggle.textContent = name;
    };
    const toggle = button(name, async () => {
      if (this.counting) {
        this.counting.abort();
        found.replaceChildren();
        return end();
      }
      const { signal } = (this.counting = new AbortController());
      toggle.textContent = "Stop counting";
      await load(found, "Counting", async () =>
        this.counted(await get("counts", { path: path || undefined }, signal)));
      if (!signal.aborted) end();
    });
    end();
    this.counts.replaceChildren(make("h2", {}, "Kinds and errors"), found, toggle);
  }

  counted({ kinds, errors }) {
    const most = Math.max(1, ...kinds.map(({ count }) => count));
    return [
      make("ul", { class: "bars" }, kinds.map(({ kind, count, sql }) => make("li", {},
        button(kind ?? "unknown", () => this.show(sql)),
        make("meter", { value: count, max: most, "aria-hidden": "true" }),
        make("b", {}, number(count))))),
      make("h2", {}, "Errors"),
      errors.length
        ? make("ul", { class: "bars errors" }, errors.map((error) => this.errorItem(error)))
        : make("p", { class: "dim" }, "None."),
    ];
  }

  errorItem({ error, of, example, count, sql, again }) {
    return make("li", {}, button([error, " ", make("small", {}, of)], () => this.show(sql), { title: `such as: ${example}` }),
      make("b", {}, number(count)),
      again && make("details", {}, make("summary", {}, "Run these again"), copyable(again)));
  }
}
