// The ruleward plugin for OpenCode, written by `ruleward install`.
// OpenCode has no hooks for programs: this starts one for each event and carries out its answer.
import { spawn } from "node:child_process"

const COMMAND = []
const EVENTS = []
const DEADLINE_MS = 60000

// Starts the hook without a shell and returns its answer. Whatever is not an answer is an error, and an error is a refusal.
const ask = (payload, keys) =>
  new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`ruleward gave no answer, so this is denied: ${why}`))
    const text = JSON.stringify(payload)
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: "pipe", windowsHide: true })
    const out = []
    const err = []
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      fail(`it took more than ${DEADLINE_MS / 1000} s`)
    }, DEADLINE_MS)
    child.stdout.on("data", (chunk) => out.push(chunk))
    child.stderr.on("data", (chunk) => err.push(chunk))
    child.stdin.on("error", () => {})
    child.on("error", (error) => {
      clearTimeout(timer)
      fail(error.message)
    })
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      const said = Buffer.concat(err).toString("utf8").trim()
      if (code !== 0) return fail(said || (signal ? `signal ${signal}` : `exit code ${code}`))
      const answered = Buffer.concat(out).toString("utf8").trim()
      if (answered === "") return resolve({})
      let answer
      try {
        answer = JSON.parse(answered)
      } catch {
        return fail("its answer is not JSON")
      }
      if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return fail("its answer is not an object")
      const strange = Object.keys(answer).find((key) => !keys.includes(key))
      if (strange !== undefined) return fail(`its answer has the unknown key ${strange}`)
      if ("decision" in answer && (answer.decision !== "deny" || typeof answer.reason !== "string" || answer.reason === ""))
        return fail("its decision is not a refusal with a reason")
      resolve(answer)
    })
    child.stdin.end(text)
  })

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)

// The host keeps the object that it passes, so that what is in it is changed in place.
const assign = (target, source) => {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key]
  Object.assign(target, source)
}

export const Ruleward = async ({ client, directory }) => {
  const parents = new Map()
  const agents = new Map()
  const contexts = new Map()
  let servers = []

  const rootOf = (session) => {
    let root = session
    for (let depth = 0; depth < 32 && parents.has(root); depth++) root = parents.get(root)
    return root
  }
  const payload = (event, session, fields) => {
    const sub = parents.has(session) ? { agent_id: session, agent_type: agents.get(session) ?? "" } : {}
    return { hook_event_name: event, session_id: rootOf(session) ?? "", cwd: directory, ...sub, ...fields }
  }

  // The host's own list tells the tools of its MCP servers from all others: they are named `server_tool`.
  const clean = (name) => name.replace(/[^a-zA-Z0-9_-]/g, "_")
  const find = (tool) =>
    servers.filter((name) => tool.startsWith(`${clean(name)}_`)).sort((one, two) => two.length - one.length)[0]
  const serverOf = async (tool) => {
    if (!tool.includes("_")) return {}
    if (find(tool) === undefined) {
      const status = await client.mcp.status()
      servers = Object.keys(status.data ?? {})
    }
    const server = find(tool)
    return server === undefined ? {} : { mcp_server: { name: server, tool: tool.slice(clean(server).length + 1) } }
  }
  const call = async (event, input, args, more) =>
    payload(event, input.sessionID, {
      tool_name: input.tool,
      tool_input: args,
      tool_use_id: input.callID,
      ...(await serverOf(input.tool)),
      ...more,
    })

  // Puts a text where the model reads it, behind the result.
  const append = (output, text) => {
    if (typeof output.output === "string") output.output = `${output.output}\n\n${text}`
    else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
    else throw new Error(text)
  }
  const replace = (output, text) => {
    if (Array.isArray(output.content)) output.content = [{ type: "text", text }]
    else output.output = text
  }

  // Events that nothing can be done about: a hook that fails there changes nothing.
  const report = (event, session, fields) => {
    if (EVENTS.includes(event)) ask(payload(event, session, fields), []).catch(() => {})
  }
  // For `ruleward doctor`: the plugin was loaded and can start the hook.
  ask(payload("plugin.loaded", undefined, {}), []).catch(() => {})

  return {
    event: async ({ event }) => {
      if (event.type === "session.created") {
        const { id, parentID } = event.properties.info
        if (parentID) parents.set(id, parentID)
        else report("session.created", id, {})
      }
      if (event.type === "session.idle" && !parents.has(event.properties.sessionID))
        report("session.idle", event.properties.sessionID, { text: "" })
    },
    "chat.message": async (input, output) => {
      if (input.agent) agents.set(input.sessionID, input.agent)
      if (parents.has(input.sessionID) || !EVENTS.includes("chat.message")) return
      const texts = output.parts.filter((part) => part.type === "text" && typeof part.text === "string")
      const prompt = texts.map((part) => part.text).join("\n")
      const answer = await ask(payload("chat.message", input.sessionID, { prompt }), ["decision", "reason", "context"])
      if (answer.decision === "deny") throw new Error(answer.reason)
      if (answer.context === undefined) return
      if (typeof answer.context !== "string" || texts.length === 0) throw new Error("ruleward could not add its context")
      texts[texts.length - 1].text += `\n\n${answer.context}`
    },
    "tool.execute.before": async (input, output) => {
      if (!EVENTS.includes("tool.execute.before")) return
      const request = await call("tool.execute.before", input, output.args, {})
      const answer = await ask(request, ["decision", "reason", "input", "context"])
      if (answer.decision === "deny") throw new Error(answer.reason)
      if (answer.input !== undefined) {
        if (!isObject(answer.input) || !isObject(output.args)) throw new Error("ruleward could not change this call")
        assign(output.args, answer.input)
      }
      if (answer.context !== undefined) contexts.set(input.callID, String(answer.context))
    },
    "tool.execute.after": async (input, output) => {
      const kept = contexts.get(input.callID)
      contexts.delete(input.callID)
      const exit = output.metadata?.exit
      const event = typeof exit === "number" && exit !== 0 ? "tool.execute.failed" : "tool.execute.after"
      if (EVENTS.includes(event)) {
        const request = await call(event, input, input.args, { tool_response: output })
        const answer = await ask(request, ["decision", "reason", "output", "replace", "context"])
        if (answer.output !== undefined) {
          if (!isObject(answer.output)) throw new Error("ruleward could not change this result")
          assign(output, answer.output)
        }
        if (answer.decision === "deny") throw new Error(answer.reason)
        if (answer.replace !== undefined) replace(output, String(answer.replace))
        if (answer.context !== undefined) append(output, String(answer.context))
      }
      if (kept !== undefined) append(output, kept)
    },
  }
}
