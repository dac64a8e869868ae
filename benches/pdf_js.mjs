// Extracts the text of every page of PDFs with pdf.js; with an output folder, also makes an index with lunr.
//
//   node pdf_js.mjs LIST [FOLDER]
//
// Prints the name of each file before reading it, and the number of its characters after.

import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { indexBuilder } from "./lunr_index.mjs";

const [list, folder] = process.argv.slice(2);
const pdfjs = dirname(dirname(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))));
const options = {
  cMapPacked: true,
  cMapUrl: join(pdfjs, "cmaps/"),
  // Nothing is drawn.
  disableFontFace: true,
  standardFontDataUrl: join(pdfjs, "standard_fonts/"),
  verbosity: VerbosityLevel.ERRORS,
};

const builder = folder && indexBuilder();
const written = folder && createWriteStream(join(folder, "pages.json"));

async function readPages(path, take) {
  const loading = getDocument({ ...options, data: new Uint8Array(readFileSync(path)) });
  try {
    const document = await loading.promise;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      take(number, items.map((item) => (item.hasEOL ? `${item.str}\n` : item.str)).join(""));
      page.cleanup();
    }
  } finally {
    await loading.destroy();
  }
}

for (const path of readFileSync(list, "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(`${path}\n`);
  let characters = 0;
  try {
    await readPages(path, (number, text) => {
      characters += text.length;
      if (folder) {
        const page = { id: `${path}#${number}`, text };
        builder.add(page);
        written.write(`${JSON.stringify(page)}\n`);
      }
    });
    process.stdout.write(`${characters}\n`);
  } catch {
    process.stdout.write("failed\n");
  }
}
if (folder) {
  writeFileSync(join(folder, "index.json"), JSON.stringify(builder.build()));
  written.end();
}
