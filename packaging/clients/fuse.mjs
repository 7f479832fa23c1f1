// Searches a site's index with Fuse.js as the index's specification describes it: node fuse.mjs < {index, queries}.
// Prints for each query the url that Fuse puts first, "" if it finds nothing.
import Fuse from "fuse.js";

let input = "";
for await (const part of process.stdin) input += part;
const { index, queries } = JSON.parse(input);
const fuse = new Fuse(index.pages, {
  ignoreLocation: true, // a word far down in a body counts like one at its beginning
  keys: [
    { name: "body", weight: 0.35 },
    { name: "title", weight: 0.3 },
    { name: "abstract", weight: 0.2 },
    { name: "topics", weight: 0.15 },
  ],
});
console.log(JSON.stringify(queries.map((q) => fuse.search(q, { limit: 1 })[0]?.item.url ?? "")));
