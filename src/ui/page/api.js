// Requests to the server that sent this page. Each carries the token of the page's first address.

const address = new URL(location.href);
const given = address.searchParams.get("token");
if (given) {
  sessionStorage.setItem("token", given);
  // The token must not stay in the history, nor in an address that somebody copies.
  history.replaceState(null, "", address.pathname);
}
const token = sessionStorage.getItem("token");

export const NO_ANSWER = "corpus-sql does not answer. If it has ended, start it again, and open the address that it prints";

/**
 * An error of the server; `line` and `column` are its place in the statement, if it has one,
 * `variables` those that need values, and `outside` the place that must be allowed first.
 */
class ApiError extends Error {
  constructor({ message, ...more }, status) {
    super(message);
    Object.assign(this, more, { status });
  }
}

async function request(method, path, { query, body, signal } = {}) {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null));
  try {
    return await fetch(`/api/${path}${search.size ? `?${search}` : ""}`, {
      method,
      signal,
      // A request to stop must arrive even if the page is closed.
      keepalive: method === "DELETE",
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ message: NO_ANSWER }, 0);
  }
}

export const call = async (...which) => answered(await request(...which));

/** Reads the lines of an answer, each a JSON value, as they come. */
export async function* lines(path, signal) {
  const response = await request("GET", path, { signal });
  if (!response.ok) await answered(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const whole = (text + value).split("\n");
      text = whole.pop();
      yield* whole.map((line) => JSON.parse(line));
    }
  } catch {
    if (!signal.aborted) throw new ApiError({ message: NO_ANSWER }, 0);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Reads an answer, which may be an error. */
async function answered(response) {
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError({ message: `unexpected answer with status ${response.status}` }, 0);
  }
  if (!response.ok) {
    const message = `the server answered with status ${response.status}`;
    throw new ApiError(answer?.error ?? { message }, response.status);
  }
  return answer;
}

export const get = (path, query, signal) => call("GET", path, { query, signal });
export const post = (path, body) => call("POST", path, { body });

/** The image at an address of this server. */
export async function image(address) {
  const response = await fetch(address);
  return response.ok ? response.blob() : answered(response);
}
