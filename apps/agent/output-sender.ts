import { randomUUID } from 'node:crypto'
import type { AgentMessage, PartName } from '#modules/devices/contract/agent-protocol.ts'
import type { Id } from '#kit/domain/id.ts'
import type { KeptResult, TaskJournal } from './task-journal.ts'

interface Sending extends PartName {
  readonly result: KeptResult
  readonly parts: number
}

/**
 * Sends results, each after the parts of its whole output where the server takes them. One part is under way
 * at a time, so that a slow line still carries beats and other results between them. A line that is lost
 * begins all over: the journal has everything until the result is stored.
 */
export class OutputSender {
  readonly #journal: TaskJournal
  readonly #send: (message: AgentMessage) => void
  readonly #waiting = new Set<Id>()
  #takesParts = false
  #current: Sending | undefined

  constructor(journal: TaskJournal, send: (message: AgentMessage) => void) {
    this.#journal = journal
    this.#send = send
  }

  begin(takesParts: boolean): void {
    this.#takesParts = takesParts
    this.#waiting.clear()
    this.#current = undefined
  }

  send({ whole, ...result }: KeptResult): void {
    if (!whole || !this.#takesParts) {
      this.#send({ kind: 'result', ...result })
    } else if (this.#current?.taskId !== result.taskId) {
      this.#waiting.add(result.taskId)
      this.#sendNext()
    }
  }

  acknowledge({ taskId, attempt, part, isRefused }: PartName & { readonly isRefused?: boolean }): void {
    const current = this.#current
    if (current?.taskId !== taskId || current.attempt !== attempt || current.part !== part) return
    if (isRefused !== true && part + 1 < current.parts) {
      this.#sendPart({ ...current, part: part + 1 })
      return
    }
    const { whole, ...result } = current.result
    this.#send({ kind: 'result', ...result, ...(whole && { whole: { ...whole, attempt } }) })
    this.#current = undefined
    this.#sendNext()
  }

  #sendNext(): void {
    for (const taskId of this.#waiting) {
      if (this.#current) return
      this.#waiting.delete(taskId)
      // Released by now: it was cancelled, or another line has brought it.
      const result = this.#journal.resultOf(taskId)
      if (result?.whole) {
        this.#sendPart({ taskId, attempt: randomUUID(), part: 0, parts: result.whole.parts, result })
      }
    }
  }

  #sendPart(sending: Sending): void {
    this.#current = sending
    const { taskId, attempt, part } = sending
    const bytes = this.#journal.outputPart(taskId, part).toString('base64')
    this.#send({ kind: 'outputPart', taskId, attempt, part, bytes })
  }
}
