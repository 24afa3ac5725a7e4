import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AgentError, log } from './exit-codes.ts'
import { changeServer, isUnencrypted, makeDataFolder, pair, parseServer, readIdentity } from './identity.ts'
import { Launcher } from './launcher.ts'
import { prepareLocalPermissions } from './local-permissions.ts'
import { readTimings } from './timings.ts'
import { programRoot, versionOf } from './version.ts'

const usage = 'npm run agent -- --server https://服务器 --code 配对码 [--data ./data/agent] [--allow-shell]'

function parseCommandLine() {
  try {
    const { values } = parseArgs({
      options: {
        server: { type: 'string' },
        code: { type: 'string' },
        data: { type: 'string' },
        'allow-shell': { type: 'boolean', default: false },
        // For a process that starts it as a part of its own: its input is a pipe that ends with that process.
        'end-with-input': { type: 'boolean', default: false },
      },
    })
    return values
  } catch {
    throw new AgentError(`参数有误。\n用法：${usage}`)
  }
}

async function main(): Promise<number> {
  const values = parseCommandLine()
  const dataDir = resolve(values.data ?? (process.env.AGENT_DATA_DIR || './data/agent'))
  makeDataFolder(dataDir)
  const known = readIdentity(dataDir)
  if (values.code !== undefined) {
    if (values.server === undefined) throw new AgentError(`配对需要服务器地址。\n用法：${usage}`)
    const server = parseServer(values.server)
    if (isUnencrypted(server)) {
      log('警告：连接未加密，请使用 https 地址')
    }
    const { gateNo, name } = await pair(dataDir, server, values.code, versionOf(programRoot))
    log(`已配对：${gateNo} ${name}`)
  } else if (!known) {
    throw new AgentError(`此机器尚未配对，请在「网关管理」生成配对码。\n用法：${usage}`)
  } else if (values.server !== undefined) {
    // The same server under another address: its key is checked there as before.
    changeServer(dataDir, known, parseServer(values.server))
  }
  prepareLocalPermissions(dataDir, values['allow-shell'])
  const launcher = new Launcher(dataDir, readTimings())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => launcher.stop())
  }
  if (values['end-with-input']) {
    process.stdin
      .on('close', () => launcher.stop())
      .on('error', () => {})
      .resume()
  }
  try {
    return await launcher.run()
  } finally {
    // An open pipe that is read keeps the process alive.
    process.stdin.destroy()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof AgentError)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}
