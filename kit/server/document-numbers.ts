import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatDocumentNumber } from '#kit/domain/document-number.ts'
import { sql } from 'kysely'
import type { Statement } from './statement.ts'

/** Runs one statement in a transaction of its own. */
type RunApart = <T>(ownerId: Id, statement: Statement<T>) => Promise<T[]>

/** How many numbers a process draws at once for documents that come one at a time. */
const blockSize = 20

/** Draws the next `count` numbers of a company's day. Returns the last of them. */
const drawNumbers = (ownerId: Id, prefix: string, day: Day, count: number): Statement<{ last: number }> =>
  sql<{ last: number }>`
    insert into document_counter as c (owner_id, prefix, day, last)
    values (${ownerId}, ${prefix}, ${day}, ${count})
    on conflict (owner_id, prefix, day) do update set last = c.last + excluded.last
    returning last
  `

/** What this process has drawn of one sequence and not yet given out. */
class Series {
  readonly day: Day
  readonly #draw: (count: number) => Promise<number>
  #next = 1
  #last = 0
  /** How many numbers those who wait for a draw still need. */
  #wanted = 0
  #drawing: Promise<void> | undefined

  constructor(day: Day, draw: (count: number) => Promise<number>) {
    this.day = day
    this.#draw = draw
  }

  async take(count: number): Promise<number[]> {
    const numbers: number[] = []
    for (;;) {
      while (numbers.length < count && this.#next <= this.#last) {
        numbers.push(this.#next++)
      }
      const missing = count - numbers.length
      if (missing <= 0) return numbers
      this.#wanted += missing
      try {
        await (this.#drawing ??= this.#drawBlock())
      } finally {
        this.#wanted -= missing
      }
    }
  }

  async #drawBlock(): Promise<void> {
    try {
      // Concurrent requests are counted too: one draw serves them all.
      await Promise.resolve()
      const count = Math.max(blockSize, this.#wanted)
      const last = await this.#draw(count)
      this.#next = last - count + 1
      this.#last = last
    } finally {
      this.#drawing = undefined
    }
  }
}

/**
 * Numbers of documents that may have gaps (G-14): a daily sequence of each company and prefix, for all
 * processes that share a database. They are drawn in blocks, apart from the transaction that needs them: a
 * counter row held to its end would make every document of the company wait for it, and deadlock with what
 * else it locks. The rest of a block is a gap when the process ends.
 */
export class DocumentNumbers {
  readonly #runApart: RunApart
  readonly #series = new Map<string, Series>()
  #newestDay: Day = '0001-01-01'

  constructor(runApart: RunApart) {
    this.#runApart = runApart
  }

  async next(ownerId: Id, prefix: string, day: Day): Promise<string> {
    return defined((await this.nextMany(ownerId, prefix, day, 1))[0])
  }

  async nextMany(ownerId: Id, prefix: string, day: Day, count: number): Promise<string[]> {
    const numbers = await this.#seriesOf(ownerId, prefix, day).take(count)
    return numbers.map(n => formatDocumentNumber(prefix, day, n))
  }

  #seriesOf(ownerId: Id, prefix: string, day: Day): Series {
    const key = `${ownerId}/${prefix}/${day}`
    const known = this.#series.get(key)
    if (known) return known
    this.#dropPastDays(day)
    const series = new Series(day, async count => {
      const [row] = await this.#runApart(ownerId, drawNumbers(ownerId, prefix, day, count))
      return defined(row).last
    })
    this.#series.set(key, series)
    return series
  }

  /** Long work that began before midnight keeps its day: yesterday's are kept, too. */
  #dropPastDays(day: Day): void {
    if (day <= this.#newestDay) return
    this.#newestDay = day
    for (const [key, series] of this.#series) {
      if (series.day < addDays(day, -1)) {
        this.#series.delete(key)
      }
    }
  }
}
