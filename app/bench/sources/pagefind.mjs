// Runs Pagefind over the pages, with its own index. Node reads the files that a browser would fetch.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as pagefind from 'pagefind'

const work = process.argv[2]
const out = work + '/pagefind'
rmSync(out, { recursive: true, force: true })
mkdirSync(out)
const { index } = await pagefind.createIndex({})
await index.addDirectory({ path: work + '/manuals' })
await index.writeFiles({ outputPath: out })
await pagefind.close()

globalThis.fetch = async url => {
  const path = String(url).startsWith('file:') ? fileURLToPath(String(url).split('?')[0]) : String(url).split('?')[0]
  return new Response(await readFile(path))
}
globalThis.location = new URL('file://' + work + '/')
globalThis.window = globalThis
globalThis.document = { querySelector: () => ({ getAttribute: () => 'en' }), currentScript: null }
const client = await import(out + '/pagefind.js')
await client.options({ basePath: out + '/', baseUrl: '/' })
await client.init()
for (const line of readFileSync(work + '/questions.tsv', 'utf8').trim().split('\n')) {
  const began = performance.now()
  const { results } = await client.search(line.split('\t')[0])
  const pages = await Promise.all(results.slice(0, 10).map(r => r.data()))
  console.log(JSON.stringify({ paths: pages.map(p => p.raw_url?.replace(/^\//, '') ?? p.url.replace(/^\//, '')), ms: performance.now() - began }))
}
