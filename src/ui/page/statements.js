// One statement on the server: started, watched, stopped, and forgotten.

import { call, get, post } from "./api.js";

const POLL_MILLISECONDS = 120;

export class Statement {
  constructor(id, sql) {
    this.id = id;
    this.sql = sql;
    this.status = { state: "running", columns: [], rows: 0 };
    this.forgotten = false;
  }

  /** `variables` are the values of `${…}` in the SQL. */
  static async start(sql, variables) {
    return new Statement((await post("statements", { sql, variables })).id, sql);
  }

  get path() {
    return `statements/${encodeURIComponent(this.id)}`;
  }

  /** Calls `changed` with each status until the statement ends or is forgotten. */
  async watch(changed) {
    while (!this.forgotten) {
      const status = await get(this.path, { wait: 1 });
      if (this.forgotten) return;
      this.status = status;
      changed(status);
      if (status.state !== "running") return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  rows(from, count, sort, signal) {
    const query = { from, count, sort: sort?.column, descending: sort?.descending || undefined };
    return get(`${this.path}/rows`, query, signal);
  }

  row(index, signal) {
    return get(`${this.path}/rows/${index}`, {}, signal);
  }

  document(index, query, signal) {
    return get(`${this.path}/rows/${index}/document`, query, signal);
  }

  /** The measures of a scanned page beside those of its book. */
  book(index, page, signal) {
    return get(`${this.path}/rows/${index}/book`, { page }, signal);
  }

  stop() {
    return call("DELETE", this.path);
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
