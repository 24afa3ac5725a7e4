import { resolve } from 'node:path'
import { Agent } from './agent.ts'
import { AgentError, exitCodes, log } from './exit-codes.ts'
import { readIdentity } from './identity.ts'
import { readTimings } from './timings.ts'
import { programRoot, versionOf } from './version.ts'

/** The agent itself, as the launcher starts it: `node program.ts <data folder>`. */
function main(): void {
  const dataDir = resolve(process.argv[2] ?? '')
  const identity = readIdentity(dataDir)
  if (!identity) throw new AgentError('此机器尚未配对。')
  const agent = new Agent({
    dataDir,
    identity,
    version: versionOf(programRoot),
    timings: readTimings(),
    onConnected: () => process.send?.('connected'),
    exit: code => process.exit(code),
  })
  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    agent.stop(exitCodes.stopped)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The launcher is gone: the next one starts a program of its own.
  process.on('disconnect', stop)
  agent.start()
}

try {
  main()
} catch (error) {
  log(error instanceof AgentError ? error.message : error instanceof Error ? `${error.stack}` : String(error))
  process.exit(error instanceof AgentError ? error.exitCode : exitCodes.failed)
}
