// Colours of SQL, for the text under the editor.

const KEYWORDS = new Set(
  `all analyze and any as asc between by case cast copy create cross cube delete desc describe
  distinct drop else end except exclude exists explain external false filter first following for
  from full group grouping having if ilike in inner insert intersect into is join lateral last left
  like limit location natural not null nulls offset on or order outer over partition partitioned
  preceding qualify range recursive replace right rollup row rows select semi set show stored table
  then to true unbounded union unnest using values view when where window with within`.split(/\s+/));

const KINDS = ["comment", "string", "name", "variable", "number"];
const TOKEN = new RegExp([
  /(--[^\n]*|\/\*[^]*?(?:\*\/|$))/, /('(?:[^']|'')*'?)/, /("(?:[^"]|"")*"?)/, /(\$\{?\w+\}?)/,
  /(\d[\w.]*)/, /([\p{L}_][\p{L}\p{N}_]*)/u,
].map(({ source }) => source).join("|"), "gu");

/** Splits SQL into parts `{text, kind, at}`; parts without a colour have no kind. */
export function parts(sql) {
  const found = [];
  let end = 0;
  for (const match of sql.matchAll(TOKEN)) {
    if (match.index > end) found.push({ text: sql.slice(end, match.index), at: end });
    const [text, ...groups] = match;
    let kind = KINDS[groups.findIndex((group) => group !== undefined)];
    if (!kind && KEYWORDS.has(text.toLowerCase())) kind = "keyword";
    end = match.index + text.length;
    if (!kind && /^\s*\(/.test(sql.slice(end, end + 20))) kind = "function";
    found.push({ text, kind, at: match.index });
  }
  if (end < sql.length) found.push({ text: sql.slice(end), at: end });
  return found;
}

/** Words that only statements which change something begin with, or have in them. */
const CHANGES = /^(alter|copy|create|delete|drop|insert|into|merge|set|update)$/i;

/** Whether a script may change something: files, tables or settings. */
export const changes = (sql) =>
  parts(sql).some(({ kind, text }) => (!kind || kind === "keyword") && CHANGES.test(text));

/** A text in quotation marks. */
export const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/** The texts in quotation marks, without repetition. */
export const strings = (sql) => [...new Set(
  parts(sql).filter(({ kind, text }) => kind === "string" && text.length > 2 && text.endsWith("'"))
    .map(({ text }) => text.slice(1, -1).replaceAll("''", "'")))];
