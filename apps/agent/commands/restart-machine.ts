import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../json.ts'
import { requireProgram } from '../run-program.ts'
import { CommandFailure, type CommandContext, type CommandOutcome } from './command.ts'
import { isWindows } from './windows.ts'

/** Another text after each start of the machine. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // To ten minutes, since the two clocks drift.
    return String(Math.round((Date.now() / 1000 - uptime()) / 600))
  }
}

/**
 * Asks the system to restart the machine. This run of it never ends well: the program that runs afterwards
 * (tasks.ts) sees whether the machine did restart and reports the result.
 */
export async function restartMachine(_: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const options = { signal: context.signal, killMs: context.timings.killMs }
  await (isWindows
    ? requireProgram('shutdown.exe', ['/r', '/t', '5'], options)
    : requireProgram('systemctl', ['reboot'], options))
  while (!context.signal.aborted) {
    await sleep(500)
  }
  throw new CommandFailure('系统已接受重启，但机器没有重启')
}
