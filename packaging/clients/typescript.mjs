// Indexes and searches a project with version 1 or 2 of the official TypeScript SDK: typescript.mjs v1|v2 legacy|auto BRIDGE FOLDER.
// Prints one line of JSON for app/e2e.
const [generation, mode, bridge, folder] = process.argv.slice(2);

const path = generation === 'v1' ? '@modelcontextprotocol/sdk/client/' : '@modelcontextprotocol/client';
const { Client } = await import(generation === 'v1' ? path + 'index.js' : path);
const { StdioClientTransport } = await import(generation === 'v1' ? path + 'stdio.js' : path + '/stdio');

let asked = 0;
const options = { capabilities: { elicitation: { form: {} } } };
if (generation === 'v2') options.versionNegotiation = { mode };
const client = new Client({ name: 'typescript-' + generation, version: '1' }, options);
const elicit = async () => ({ action: 'accept', content: { confirm: ++asked > 0 } });
if (generation === 'v1') {
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setRequestHandler(ElicitRequestSchema, elicit);
} else {
  client.setRequestHandler('elicitation/create', elicit);
}

const call = (name, args, more) =>
  generation === 'v1' ? client.callTool({ name, arguments: args }, undefined, more) : client.callTool({ name, arguments: args }, more);

// The SDK starts the bridge with a minimal environment.
await client.connect(new StdioClientTransport({ command: bridge, args: ['mcp'], cwd: folder }));
const tools = (await client.listTools()).tools.map((t) => t.name);

let progress = 0;
const created = await call('create_index', {}, { timeout: 120_000, onprogress: () => progress++ });
const search = (query) => call('search_code', { query });
const [first, second] = await Promise.all([search('line up columns of output'), search('smallest element first')]);

const gone = new AbortController();
const cancelled = call('search_code', { query: 'given up' }, { signal: gone.signal }).then(() => false, () => true);
gone.abort();
const wrong = await search('');
const result = {
  server: client.getServerVersion().name,
  protocol: generation === 'v2' ? client.getNegotiatedProtocolVersion() : '',
  tools, asked, progress,
  created: created.structuredContent.status,
  first: first.structuredContent.results.map((r) => r.path),
  second: second.structuredContent.results.map((r) => r.path),
  cancelled: await cancelled,
  wrong: wrong.isError === true,
};
const before = Date.now();
await client.close();
console.log(JSON.stringify({ ...result, closed: Date.now() - before }));
