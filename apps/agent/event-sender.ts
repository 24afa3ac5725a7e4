import {
  maxEventsPerMessage,
  maxMessageBytes,
  type AgentMessage,
} from '#modules/devices/contract/agent-protocol.ts'
import type { EventJournal } from './journal.ts'

interface AckOptions {
  readonly timeoutMs: number
  readonly onUnanswered: () => void
}

/** Sends what waits, one message at a time: the next follows when the server has stored it. */
export class EventSender {
  readonly #journal: EventJournal
  readonly #send: (message: AgentMessage) => boolean
  readonly #ackTimeoutMs: number
  readonly #onUnanswered: () => void
  #sentSeq = 0
  #ackTimer: NodeJS.Timeout | undefined

  constructor(journal: EventJournal, send: (message: AgentMessage) => boolean, ack: AckOptions) {
    this.#journal = journal
    this.#send = send
    this.#ackTimeoutMs = ack.timeoutMs
    this.#onUnanswered = ack.onUnanswered
  }

  /** A line to a server that has stored all up to this number. */
  begin(ackedSeq: number): void {
    this.#journal.continueAfter(ackedSeq)
    this.#journal.acknowledge(ackedSeq)
    this.end()
    this.sendNext()
  }

  end(): void {
    clearTimeout(this.#ackTimer)
    this.#sentSeq = 0
  }

  sendNext(): void {
    if (this.#sentSeq > 0) return
    const events = this.#journal.oldest(maxEventsPerMessage, maxMessageBytes / 2)
    const last = events.at(-1)
    if (last && this.#send({ kind: 'events', events })) {
      this.#sentSeq = last.seq
      this.#ackTimer = setTimeout(this.#onUnanswered, this.#ackTimeoutMs)
    }
  }

  /** No answer of the server deletes what was not sent to it. */
  acknowledge(seq: number): void {
    if (this.#sentSeq === 0) return
    const stored = Math.min(seq, this.#sentSeq)
    this.#journal.acknowledge(stored)
    if (stored === this.#sentSeq) {
      clearTimeout(this.#ackTimer)
      this.#sentSeq = 0
      this.sendNext()
    }
  }
}
