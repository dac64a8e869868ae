// Makes an index of pages with lunr: reads lines of JSON with `id` and `text`, writes the index.
//
//   node lunr_index.mjs PAGES INDEX

import { createReadStream, realpathSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import lunr from "lunr";

// Does the setup of `lunr(…)`, for pages that are not all in memory together.
export function indexBuilder() {
  const builder = new lunr.Builder();
  builder.pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  builder.searchPipeline.add(lunr.stemmer);
  builder.ref("id");
  builder.field("text");
  return builder;
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [pages, index] = process.argv.slice(2);
  const builder = indexBuilder();
  for await (const line of createInterface({ input: createReadStream(pages) })) {
    builder.add(JSON.parse(line));
  }
  writeFileSync(index, JSON.stringify(builder.build()));
}
