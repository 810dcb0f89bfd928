// Runs a plugin outside its host: loads it, calls its hooks one after the other, and prints what became of each.
//
// Standard input: { plugin, style, directory, servers, calls: [{ hook, input, output }] }
// Standard output: one line for each call: { threw, returned, input, output }

import { pathToFileURL } from "node:url"

const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const { plugin, style, directory, servers, calls } = JSON.parse(Buffer.concat(chunks).toString("utf8"))
const loaded = await import(pathToFileURL(plugin))

const styles = {
  // Hooks get an input and an output, which they change in place.
  opencode: async () => {
    const client = { mcp: { status: async () => ({ data: servers }) } }
    const hooks = await loaded.Ruleward({ client, directory })
    return (call) => hooks[call.hook]?.(call.input, call.output)
  },
  // Handlers get an event, which they change in place, and return an answer.
  pi: async () => {
    const handlers = {}
    loaded.default({ on: (name, handler) => (handlers[name] = handler) })
    return (call) => handlers[call.hook]?.(call.input, { cwd: directory, hasUI: false, ...call.output })
  },
}

const run = await styles[style]()
for (const call of calls) {
  const result = {}
  try {
    result.returned = (await run(call)) ?? null
  } catch (error) {
    result.threw = error instanceof Error ? error.message : String(error)
  }
  console.log(JSON.stringify({ ...result, input: call.input, output: call.output }))
}
process.exit(0)
