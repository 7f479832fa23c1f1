// Runs Fuse.js with the fields and weights of the site's specification. It searches whole texts for each word, because by default Fuse.js
// searches for the query as one string near the beginning of a text.
import { readFileSync } from 'node:fs'
import Fuse from 'fuse.js'

const work = process.argv[2]
const pages = JSON.parse(readFileSync(work + '/index.json')).pages
const fuse = new Fuse(pages, {
  includeScore: true, ignoreLocation: true, useExtendedSearch: true, threshold: 0.2, ignoreFieldNorm: false,
  keys: [{ name: 'body', weight: 0.35 }, { name: 'title', weight: 0.3 }, { name: 'abstract', weight: 0.2 }, { name: 'topics', weight: 0.15 }],
})
for (const line of readFileSync(work + '/questions.tsv', 'utf8').trim().split('\n')) {
  const words = line.split('\t')[0].split(/[^\p{L}\p{N}_]+/u).filter(w => w.length > 2)
  const began = performance.now()
  // Searches for each word and orders pages by the number of found words, then by the scores of Fuse.js.
  const found = new Map()
  for (const w of words) {
    for (const r of fuse.search("'" + w)) {
      const f = found.get(r.item.url) ?? { n: 0, score: 0 }
      found.set(r.item.url, { n: f.n + 1, score: f.score + r.score })
    }
  }
  const paths = [...found].sort((a, b) => b[1].n - a[1].n || a[1].score - b[1].score).slice(0, 10).map(([url]) => url.slice(1))
  console.log(JSON.stringify({ paths, ms: performance.now() - began }))
}
