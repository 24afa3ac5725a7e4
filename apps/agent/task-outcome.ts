import type { Id } from '#kit/domain/id.ts'
import { expiredReason, type CommandResult } from '#modules/devices/contract/agent-protocol.ts'
import type { CommandOutcome } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { elapsedSince } from './elapsed-time.ts'
import { isAgentCommand } from './local-permissions.ts'
import type { CommandMessage } from './server-message.ts'
import type { StoredTask } from './task-journal.ts'

const maxTimeoutMs = 24 * 3_600_000

export type StartedTask = Pick<StoredTask, 'command' | 'receivedAt' | 'begun' | 'state'>

export interface Outcome extends Omit<CommandOutcome, 'output'> {
  readonly output?: string | undefined
  /** Where it failed. */
  readonly reason?: string
  readonly isRefused?: boolean
  /** Whether the task expired before it was started. */
  readonly isExpired?: boolean
}

export const failure = (taskId: Id, reason: string): CommandResult => ({ taskId, outcome: 'failed', reason })

export const expired = (taskId: Id): CommandResult => ({
  taskId,
  outcome: 'timedOut',
  isRefused: true,
  reason: expiredReason,
})

/**
 * What is left of its time, by clocks that nobody sets. After another start of the machine only what may run
 * twice is started, by the clock that people set.
 */
export function remainingMs({ command, begun, receivedAt }: StartedTask): number {
  const { command: name } = command
  const timeoutMs = Math.min(command.timeoutMs, maxTimeoutMs)
  const byClockMs = Math.max(0, Date.now() - receivedAt)
  const canRepeat = isAgentCommand(name) && commands[name].canRepeat
  const elapsedMs = begun ? elapsedSince(begun) : byClockMs
  return timeoutMs - (elapsedMs ?? (canRepeat ? byClockMs : timeoutMs))
}

export function resultOf(command: CommandMessage, outcome: Outcome, signal: AbortSignal): CommandResult {
  if (outcome.isExpired && !signal.aborted) return expired(command.taskId)
  const { output, data, isRefused } = outcome
  const abortReasons: Readonly<Record<string, string>> = {
    cancel: '已取消',
    timeout: `执行超时（${Math.round(command.timeoutMs / 1000)} 秒），已停止`,
  }
  const isTimedOut = signal.aborted && signal.reason === 'timeout'
  const reason = (signal.aborted ? abortReasons[String(signal.reason)] : undefined) ?? outcome.reason
  return {
    taskId: command.taskId,
    outcome: isTimedOut ? 'timedOut' : reason === undefined ? 'done' : 'failed',
    ...(data !== undefined && { data }),
    ...(output && { output }),
    ...(reason !== undefined && { reason }),
    ...(isRefused === true && !signal.aborted && { isRefused: true }),
  }
}
