import { monotonicMs } from './elapsed-time.ts'

/** How much two clocks that nobody sets may drift apart. */
const maxDrift = 0.0005

interface Reading {
  /** What the server's clock was between the question and its answer. */
  readonly serverMs: number
  readonly askedAt: number
  readonly answeredAt: number
}

/**
 * What the clock of the server's end of one connection is, as far as questions and answers tell: however long
 * a message was held up on its way, its age is known from when it was sent by that clock.
 */
export class ServerClock {
  readonly #now: () => number
  #askedAt: number | undefined
  #best: Reading | undefined

  constructor(now: () => number = monotonicMs) {
    this.#now = now
  }

  /** A question is sent; one at a time is measured. */
  ask(): void {
    this.#askedAt ??= this.#now()
  }

  answer(serverMs: number | undefined): void {
    const askedAt = this.#askedAt
    this.#askedAt = undefined
    if (askedAt === undefined || serverMs === undefined) return
    const answeredAt = this.#now()
    if (!this.#best || answeredAt - askedAt <= this.#uncertainty(this.#best)) {
      this.#best = { serverMs, askedAt, answeredAt }
    }
  }

  #uncertainty({ askedAt, answeredAt }: Reading): number {
    return answeredAt - askedAt + (this.#now() - answeredAt) * maxDrift
  }

  /**
   * How old a message is at most: on a line so slow that nothing better is known, that counts against it.
   * Undefined while nothing is known.
   */
  ageOf(sentMs: number | undefined): number | undefined {
    if (!this.#best || sentMs === undefined) return undefined
    const serverNow = this.#best.serverMs + (this.#now() - this.#best.askedAt)
    return Math.max(0, serverNow - sentMs)
  }
}
