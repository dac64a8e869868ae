// The SQL editor: a text area over the same text in colours, and a list of completions.

import { get } from "./api.js";
import { make } from "./dom.js";
import { parts } from "./highlight.js";

/** Milliseconds without a key after which completions are requested. */
const PAUSE_MILLISECONDS = 80;

const characters = (text) => [...text].length;

export class Editor {
  constructor(place, { run, stop }) {
    Object.assign(this, { run, stop, items: [], chosen: 0, wrong: null, asked: null });
    this.area = make("textarea", {
      "aria-label": "SQL statement", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      "aria-autocomplete": "list", "aria-controls": "completions",
      oninput: () => this.changed(),
      onscroll: () => this.align(),
      onkeydown: (event) => this.key(event),
      onblur: () => this.close(),
    });
    this.colours = make("pre", { "aria-hidden": "true" });
    this.list = make("ul", { id: "completions", role: "listbox", "aria-label": "Completions",
      hidden: true });
    place.append(make("div", { class: "editor" }, this.colours, this.area), this.list);
  }

  get text() {
    return this.area.value;
  }

  set text(sql) {
    this.area.value = sql;
    this.wrong = null;
    this.close();
    this.paint();
  }

  /** Underlines the word at a place, which counts from 1; null removes the mark. */
  mark(line, column) {
    this.wrong = null;
    const lines = this.text.split("\n");
    if (line >= 1 && line <= lines.length) {
      const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      this.wrong = before + [...lines[line - 1]].slice(0, (column ?? 1) - 1).join("").length;
    }
    this.paint();
  }

  goToMark() {
    this.area.focus();
    this.area.setSelectionRange(this.wrong, this.wrong);
  }

  paint() {
    const spans = parts(this.text).map(({ text, kind, at }) => {
      const isWrong = this.wrong !== null && this.wrong >= at && this.wrong < at + text.length;
      if (!isWrong) return kind ? make("span", { class: kind }, text) : text;
      const start = kind ? 0 : this.wrong - at;
      const word = kind ? text : (/^[^\s]+/.exec(text.slice(start))?.[0] ?? text.slice(start, start + 1));
      const classes = `${kind ?? ""} wrong`;
      return [text.slice(0, start), make("span", { class: classes }, word),
        text.slice(start + word.length)];
    });
    // A trailing line break needs something after it to have a height.
    this.colours.replaceChildren(...spans.flat(), "\n");
    this.align();
  }

  align() {
    this.colours.scrollTop = this.area.scrollTop;
    this.colours.scrollLeft = this.area.scrollLeft;
  }

  changed() {
    this.wrong = null;
    this.paint();
    const before = this.text.slice(0, this.area.selectionStart);
    if (/[\p{L}\p{N}_./'"]$/u.test(before)) this.complete();
    else this.close();
  }

  key(event) {
    const isOpen = !this.list.hidden;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      this.close();
      this.run();
    } else if (event.key === " " && event.ctrlKey) this.complete(true);
    else if (isOpen && event.key === "Escape") this.close();
    else if (isOpen && event.key in steps) this.choose(this.chosen + steps[event.key]);
    else if (isOpen && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) this.accept();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Lists completions; while somebody types, not after a word that is one. */
  async complete(isWanted = false) {
    clearTimeout(this.timer);
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    await new Promise((resolve) => (this.timer = setTimeout(resolve, PAUSE_MILLISECONDS)));
    const at = this.area.selectionStart;
    const sql = this.text;
    try {
      const query = { sql, at: characters(sql.slice(0, at)) };
      const answer = await get("completions", query, asked.signal);
      if (asked.signal.aborted || this.text !== sql || document.activeElement !== this.area) return;
      this.from = [...sql].slice(0, answer.from).join("").length;
      const word = sql.slice(this.from, at).toLowerCase();
      const isWhole = answer.items.some(({ text }) => text.toLowerCase() === word);
      this.open(isWhole && !isWanted ? [] : answer.items, at);
    } catch {
      this.close();
    }
  }

  open(items, at) {
    this.items = items;
    this.list.replaceChildren(...items.map(({ text, kind }, index) =>
      make("li", {
        role: "option", id: `completion-${index}`,
        // A click must not take the focus from the text.
        onmousedown: (event) => {
          event.preventDefault();
          this.chosen = index;
          this.accept();
        },
      }, make("span", {}, text), make("small", {}, kind))));
    this.list.hidden = items.length === 0;
    if (this.list.hidden) return;
    const { left, top } = this.placeOf(this.from ?? at);
    this.list.style.left = `${left}px`;
    this.list.style.top = `${top}px`;
    this.choose(0);
  }

  /** Where a character is on the screen, measured in the coloured text. */
  placeOf(at) {
    const range = document.createRange();
    const walker = document.createTreeWalker(this.colours, NodeFilter.SHOW_TEXT);
    let left = at;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left <= node.length) {
        range.setStart(node, left);
        break;
      }
      left -= node.length;
    }
    const box = range.getBoundingClientRect();
    const edge = this.area.getBoundingClientRect();
    const width = Math.min(document.documentElement.clientWidth - 280, box.left || edge.left);
    return { left: Math.max(8, width), top: Math.min((box.bottom || edge.top + 20) + 2, edge.bottom) };
  }

  choose(index) {
    this.chosen = (index + this.items.length) % this.items.length;
    [...this.list.children].forEach((item, at) => {
      item.setAttribute("aria-selected", at === this.chosen);
    });
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.area.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
  }

  accept() {
    const { text, kind } = this.items[this.chosen];
    const added = kind === "function" && !text.endsWith("(") ? `${text}(` : text;
    this.area.setRangeText(added, this.from, this.area.selectionStart, "end");
    this.close();
    this.wrong = null;
    this.paint();
  }

  close() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }
}
