import type { Id } from '#kit/domain/id.ts'
import type { AgentMessage, CommandResult, PartName } from '#modules/devices/contract/agent-protocol.ts'
import { errorText } from './error-text.ts'
import { CommandExpired, CommandFailure, CommandRefusal, type CommandContext } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { bootId } from './commands/restart-machine.ts'
import { monotonicMs, timeStampBefore } from './elapsed-time.ts'
import { AgentError, log } from './exit-codes.ts'
import { BadMessage } from './json.ts'
import { isDiskFull } from './journal.ts'
import { isAgentCommand, refusalOf } from './local-permissions.ts'
import type { Releases } from './releases.ts'
import { OutputSender } from './output-sender.ts'
import { limitResult, wholeOutputOf } from './result-limit.ts'
import type { CommandMessage } from './server-message.ts'
import type { StoredTask, TaskJournal } from './task-journal.ts'
import { expired, failure, remainingMs, resultOf, type Outcome, type StartedTask } from './task-outcome.ts'

const maxRunning = 32
const releaseAfterMs = 100

const interrupted = '执行中断，结果未知'

type AbortReason = 'timeout' | 'cancel' | 'stop'

export interface TaskOptions {
  readonly journal: TaskJournal
  readonly send: (message: AgentMessage) => void
  readonly releases: () => Releases
  readonly contextOf: (
    command: CommandMessage,
    parts: Pick<CommandContext, 'signal' | 'progress' | 'expiresAt'>,
  ) => CommandContext
}

/** Runs what the server asks for, each task once, and tells each result until it is stored. */
export class TaskRunner {
  readonly #options: TaskOptions
  readonly #running = new Map<Id, AbortController>()
  readonly #waiting: StartedTask[] = []
  /** The update on whose trial this program runs. */
  #trialTaskId: Id = 0
  readonly #outputs: OutputSender
  #isStopped = false
  readonly #released: Id[] = []
  #releaseTimer: NodeJS.Timeout | undefined

  constructor(options: TaskOptions) {
    this.#options = options
    this.#outputs = new OutputSender(options.journal, options.send)
  }

  /** After a start: tasks that a kill left behind are reported, or run again where that does no harm. */
  resume(): void {
    for (const task of this.#options.journal.unfinished()) {
      if (task.state === 'received' || this.#canRunAgain(task)) {
        this.#enqueue(task)
      }
    }
  }

  #canRunAgain({ command: { taskId, command }, bootId: startedBoot }: StoredTask): boolean {
    if (command === 'restartMachine') {
      const isRestarted = startedBoot !== bootId()
      this.#finish(isRestarted ? { taskId, outcome: 'done' } : failure(taskId, interrupted))
      return false
    }
    if (command === 'updateAgent') {
      const { candidate, failed } = this.#options.releases()
      if (candidate?.taskId === taskId) {
        this.#trialTaskId = taskId
        return false
      }
      if (failed?.taskId === taskId) {
        this.#finish(failure(taskId, failed.reason))
        return false
      }
    }
    if (isAgentCommand(command) && commands[command].canRepeat) return true
    this.#finish(failure(taskId, interrupted))
    return false
  }

  /** This program has connected: where it was on trial, its update is done. */
  passTrial(version: string): void {
    if (this.#trialTaskId) {
      this.#finish({ taskId: this.#trialTaskId, outcome: 'done', data: { version } })
      this.#trialTaskId = 0
    }
  }

  /** Over a new line, to a server that takes parts of outputs or not. */
  resendResults(takesParts: boolean): void {
    this.#outputs.begin(takesParts)
    for (const taskId of this.#options.journal.unreportedIds()) {
      this.#sendResult(taskId)
    }
  }

  acknowledgePart(ack: PartName & { readonly isRefused?: boolean }): void {
    this.#outputs.acknowledge(ack)
  }

  receive(command: CommandMessage): void {
    const { journal, send } = this.#options
    const { taskId } = command
    const state = journal.stateOf(taskId)
    if (state === undefined) {
      const hasRoom = this.#waiting.length === 0 && this.#running.size < maxRunning
      // What starts at once is written once: each commit waits for the disk.
      const first = hasRoom ? 'running' : 'received'
      const begun = timeStampBefore(command.ageMs ?? 0)
      try {
        journal.insert(command, bootId(), first, begun)
      } catch (error) {
        if (!isDiskFull(error)) throw error
        // Nothing is run that is not on the disk.
        send({ kind: 'result', ...failure(taskId, '此机器磁盘空间不足，未执行。请清理后重试。') })
        return
      }
      send({ kind: 'received', taskId })
      this.#enqueue({ command, receivedAt: Date.now(), begun, state: first })
    } else if (state === 'finished') {
      this.#sendResult(taskId)
    } else if (state === 'stored') {
      send({ kind: 'result', ...failure(taskId, '此任务已执行，结果已上报') })
    } else {
      send({ kind: 'received', taskId })
    }
  }

  /** A task that was not received yet is remembered as cancelled, so that it does not run later. */
  cancel(taskId: Id): void {
    const { journal } = this.#options
    if (journal.stateOf(taskId) === undefined) {
      journal.insertCancelled(taskId, bootId())
      this.#finish(failure(taskId, '已取消'))
      return
    }
    const index = this.#waiting.findIndex(task => task.command.taskId === taskId)
    if (index >= 0) {
      this.#waiting.splice(index, 1)
      this.#finish(failure(taskId, '已取消'))
    }
    this.#abort(taskId, 'cancel')
  }

  /** Together with others that come soon. A result that was not released is sent again, without harm. */
  release(taskId: Id): void {
    this.#released.push(taskId)
    this.#releaseTimer ??= setTimeout(() => this.#releaseAll(), releaseAfterMs)
  }

  #releaseAll(): void {
    clearTimeout(this.#releaseTimer)
    this.#releaseTimer = undefined
    const released = this.#released.splice(0)
    try {
      this.#options.journal.release(released)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Ends what runs, with its programs; the next start tells it or runs it again. */
  stop(): void {
    this.#isStopped = true
    this.#releaseAll()
    for (const taskId of this.#running.keys()) {
      this.#abort(taskId, 'stop')
    }
  }

  #abort(taskId: Id, reason: AbortReason): void {
    this.#running.get(taskId)?.abort(reason)
  }

  #enqueue(task: StartedTask): void {
    this.#waiting.push(task)
    this.#startNext()
  }

  #startNext(): void {
    while (!this.#isStopped && this.#running.size < maxRunning) {
      const task = this.#waiting.shift()
      if (!task) return
      void this.#run(task)
    }
  }

  async #run(task: StartedTask): Promise<void> {
    const { command, state } = task
    const { taskId } = command
    const controller = new AbortController()
    this.#running.set(taskId, controller)
    const leftMs = remainingMs(task)
    const timer = setTimeout(() => this.#abort(taskId, 'timeout'), Math.max(0, leftMs))
    try {
      if (state === 'received') {
        this.#options.journal.start(taskId)
      }
      if (leftMs <= 0) {
        this.#finish(expired(taskId))
        return
      }
      const outcome = await this.#attempt(command, controller.signal, monotonicMs() + leftMs)
      if (controller.signal.reason !== 'stop') {
        this.#finish(resultOf(command, outcome, controller.signal))
      }
    } catch (error) {
      // The journal could not be written: the row stays, and the next start tells it.
      log(`任务 ${taskId} 的结果保存失败：${String(error)}`)
    } finally {
      clearTimeout(timer)
      this.#running.delete(taskId)
      this.#startNext()
    }
  }

  async #attempt(command: CommandMessage, signal: AbortSignal, expiresAt: number): Promise<Outcome> {
    const { send, contextOf } = this.#options
    const name = command.command
    if (!isAgentCommand(name)) {
      const reason = `此机器的网关程序不支持命令 ${name}，请升级网关程序`
      return { reason, isRefused: true }
    }
    try {
      const progress = (done: number, total: number): void =>
        send({ kind: 'progress', taskId: command.taskId, done, total })
      const context = contextOf(command, { signal, progress, expiresAt })
      if (!context.list.commands.includes(name)) return { reason: refusalOf(name), isRefused: true }
      return await commands[name].run(command.input, context)
    } catch (error) {
      if (error instanceof CommandExpired) return { isExpired: true }
      if (error instanceof CommandRefusal)
        return { reason: error.message, output: error.output, isRefused: true }
      if (error instanceof CommandFailure) return { reason: error.message, output: error.output }
      if (error instanceof AgentError) return { reason: error.message }
      if (error instanceof BadMessage) return { reason: `命令内容有误：${error.message}`, isRefused: true }
      if (!signal.aborted) {
        log(`任务 ${command.taskId} 出错：${error instanceof Error ? error.stack : String(error)}`)
      }
      return { reason: errorText(error) }
    }
  }

  #finish(result: CommandResult): void {
    const { journal } = this.#options
    const limited = limitResult(result)
    try {
      journal.finish(limited, wholeOutputOf(result, limited))
    } catch (error) {
      if (!isDiskFull(error)) throw error
      // The result needs less room than the whole output.
      journal.finish(limited)
    }
    this.#sendResult(result.taskId)
  }

  #sendResult(taskId: Id): void {
    const result = this.#options.journal.resultOf(taskId)
    if (result) {
      this.#outputs.send(result)
    }
  }
}
