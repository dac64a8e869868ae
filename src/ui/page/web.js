// A web page of an archive: the page itself, its texts, paragraphs, charset and HTTP head.

import { bytes, choice, facts, isKnown, load, make, number, percent, texts } from "./dom.js";
import { sideBySide } from "./differences.js";

export const webTabs = (page, context) => [
  ["Page", () => pageView(page, context)],
  page.paragraphs?.length && ["Paragraphs", () => paragraphs(page.paragraphs)],
  page.charset && ["Charset", () => charset(page, context)],
  ["HTTP", () => http(page)],
];

/** The page in a frame without scripts and network, beside its text. */
function pageView({ frame, main_text, document, markdown }, { words }) {
  const place = frame && make("div");
  // Browsers start a process for it; the text is painted first.
  if (frame) requestAnimationFrame(() => setTimeout(() => place.append(make("iframe", { src: frame, sandbox: true,
    title: "The page, without scripts and network", referrerpolicy: "no-referrer" }))));
  return make("div", { class: "page-view" }, place,
    texts([["main text", main_text], ["document", document], ["Markdown", markdown]], words));
}

function paragraphs(list) {
  const kept = list.filter((one) => one.kept).length;
  return make("div", {},
    make("p", {}, `${number(kept)} of ${number(list.length)} paragraphs are in the main text.`),
    make("ol", { class: "paragraphs" }, list.map(({ text, kept: isKept, reason, path }) =>
      make("li", { class: isKept ? "kept" : "dropped" },
        make("small", {}, make("b", {}, isKept ? "kept" : "dropped"), reason ? `: ${reason}` : "",
          path && make("code", {}, path)),
        make("p", {}, text)))));
}

function charset(page, { compare }) {
  const { chosen, declared, confidence } = page.charset;
  const names = [...new Set([chosen, declared, "UTF-8", "windows-1252", "Shift_JIS", "EUC-JP", "GB18030", "windows-1251"])].filter(Boolean);
  const compared = make("div", { role: "status" });
  const text = ({ document, main_text }) => document ?? main_text ?? "";
  const show = (other) => (other
    ? load(compared, "Decoding", async () =>
      sideBySide([`${chosen} (chosen)`, text(page)], [other, text(await compare(other))]))
    : compared.replaceChildren());
  const others = names.filter((name) => name !== chosen).map((name) => [name, name]);
  return make("div", {},
    facts([["Chosen", chosen], ["Declared", declared ?? "nothing"], ["Confidence", percent(confidence)]]),
    choice("Compare with:", [["", "choose a charset"], ...others], "", show), compared);
}

export const http = ({ status, headers, url, source_file, offset, bytes: size, media_type, lang, ...digests }) =>
  make("div", {},
    facts([
      ["Status", status], ["URL", url], ["File", source_file], ["Offset", offset],
      ["Size", isKnown(size) ? bytes(size) : null], ["Type", media_type], ["Language", lang],
      ["Digest", digests.digest && [digests.digest, digests.digest_ok
        ? make("span", { class: "good" }, " matches")
        // The declared digest may be of another algorithm.
        : make("span", { class: "bad" }, ` computed: ${digests.digest_sha1}`)]],
    ]),
    headers?.length > 0 && make("h3", {}, "Headers"),
    headers?.length > 0 && facts(headers.map(({ name, value }) => [name, value])));
