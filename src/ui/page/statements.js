// One statement on the server: started, watched, stopped, and forgotten.

import { NO_ANSWER, call, get, lines, post } from "./api.js";
import { isKnown } from "./dom.js";

export class Statement {
  constructor(id, sql) {
    this.id = id;
    this.sql = sql;
    this.status = { state: "running", columns: [], rows: 0 };
    this.forgotten = false;
    this.watching = new AbortController();
  }

  /** `variables` are the values of `${…}` in the SQL. */
  static async start(sql, variables) {
    return new Statement((await post("statements", { sql, variables })).id, sql);
  }

  get path() {
    return `statements/${encodeURIComponent(this.id)}`;
  }

  /**
   * Calls `changed` with each status until the statement ends or is forgotten. The server stops a
   * query when nobody reads its status any more.
   */
  async watch(changed) {
    for await (const status of lines(`${this.path}/states`, this.watching.signal)) {
      if (this.forgotten) return;
      this.status = status;
      changed(status);
    }
    if (!this.forgotten && this.status.state === "running") throw new Error(NO_ANSWER);
  }

  rows(from, count, sort, signal) {
    const query = { from, count, sort: sort?.column, descending: sort?.descending || undefined };
    return get(`${this.path}/rows`, query, signal);
  }

  /** Reads a row, or `part` of it: its document, or the measures of its book. */
  row(index, part, query, signal) {
    return get([this.path, "rows", index, part].filter(isKnown).join("/"), query, signal);
  }

  stop() {
    return call("DELETE", this.path);
  }

  /** Forgets what has ended. The server stops what runs, unless it writes. */
  leave() {
    if (this.status.state === "running") this.watching.abort();
    else this.forget();
  }

  /** Removes the statement and its rows from the server. */
  async forget() {
    this.forgotten = true;
    try {
      if (this.status.state === "running") await this.stop();
      await call("DELETE", this.path);
    } catch {
      // It is gone already, or the server is.
    }
  }
}
