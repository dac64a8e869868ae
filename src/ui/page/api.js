// Requests to the server that sent this page. Each carries the token of the page's first address.

const address = new URL(location.href);
const given = address.searchParams.get("token");
if (given) {
  sessionStorage.setItem("token", given);
  // The token must not stay in the history, nor in an address that somebody copies.
  history.replaceState(null, "", address.pathname);
}
const token = sessionStorage.getItem("token");

/**
 * An error of the server; `line` and `column` are its place in the statement, if it has one, and
 * `variables` those that need values.
 */
export class ApiError extends Error {
  constructor({ message, line, column, variables }, status) {
    super(message);
    Object.assign(this, { line, column, variables, status });
  }
}

export async function call(method, path, { query, body, signal } = {}) {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null));
  let response;
  try {
    response = await fetch(`/api/${path}${search.size ? `?${search}` : ""}`, {
      method,
      signal,
      // What is given up when the page is closed must still arrive.
      keepalive: method === "DELETE",
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ message: "corpus-sql does not answer: it may have been ended" }, 0);
  }
  return answered(response);
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
export const post = (path, body, signal) => call("POST", path, { body, signal });

/** The image at an address of this server. */
export async function image(address) {
  const response = await fetch(address);
  return response.ok ? response.blob() : answered(response);
}
