import { setTimeout as pause } from 'node:timers/promises'
import { keysOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { messageChannel, messageState, type MessageChannel } from '../contract/choices.ts'
import { attempt, type AttemptOutcome } from './attempt.ts'
import { bookAttempts, bookReports } from './booking.ts'
import { channelOf } from './channels.ts'
import { claimMessages, type ClaimedMessage } from './claim.ts'
import { takeSlots } from './pace.ts'
import { messageSettings } from './settings.ts'

/** Messages of a channel that one process has with the provider at once. */
export const inFlight = 16
const claimSize = 256
const bookSize = 64
/** A company with much to send lets the others have their turn. */
const turnMs = 4000
/** A message that has been with its sender for so long lost it. */
const takenMinutes = 10
/** After so long no report comes any more. */
const reportHours = 72

const perSecondOf = (channel: MessageChannel): number =>
  channelOf(channel).perSecond?.() ?? (channel === 'sms' ? messageSettings.smsPerSecond.read() : 100)

interface DispatchOptions {
  readonly forMs: number
  readonly signal?: AbortSignal | undefined
}

interface PacedMessage {
  readonly message: ClaimedMessage
  readonly startMs: number
}

/** The due messages of a company over one channel, `inFlight` at a time, until none is left. */
class ChannelRun {
  readonly #app: App
  readonly #ownerId: Id
  readonly #channel: MessageChannel
  readonly #signal: AbortSignal | undefined
  readonly #endsAt: number
  readonly #waiting: PacedMessage[] = []
  #outcomes: AttemptOutcome[] = []
  #claiming: Promise<void> | undefined
  #booking: Promise<unknown> = Promise.resolve()
  #isDry = false
  #fault: AttemptOutcome | undefined
  sent = 0

  constructor(app: App, ownerId: Id, channel: MessageChannel, { forMs, signal }: DispatchOptions) {
    this.#app = app
    this.#ownerId = ownerId
    this.#channel = channel
    this.#signal = signal
    this.#endsAt = performance.now() + forMs
  }

  async run(): Promise<number> {
    await Promise.all(Array.from({ length: inFlight }, () => this.#work()))
    this.#book(0)
    await this.#booking
    return this.sent
  }

  async #work(): Promise<void> {
    for (;;) {
      const next = await this.#next()
      if (!next) return
      const outcome = this.#fault ? this.#putBack(next.message, this.#fault) : await this.#send(next)
      this.#outcomes.push(outcome)
      if (outcome.isServerFault) {
        this.#fault ??= outcome
      }
      this.#book(bookSize)
    }
  }

  async #send({ message, startMs }: PacedMessage): Promise<AttemptOutcome> {
    const waitMs = startMs - performance.now()
    if (waitMs > 1) {
      await pause(waitMs)
    }
    this.sent += 1
    return attempt(this.#app, message)
  }

  /** Waits as the message does that met with the provider's fault. */
  #putBack({ id, attempts }: ClaimedMessage, { state, reason, retryAfter }: AttemptOutcome): AttemptOutcome {
    return { id, attempts, state, reason, retryAfter }
  }

  async #next(): Promise<PacedMessage | undefined> {
    for (;;) {
      if (this.#waiting.length < inFlight && this.#canClaim()) {
        this.#claiming ??= this.#claim()
      }
      const next = this.#waiting.shift()
      if (next || !this.#claiming) return next
      await this.#claiming
    }
  }

  #canClaim(): boolean {
    const isOver = this.#signal?.aborted || performance.now() > this.#endsAt
    return !isOver && !this.#isDry && !this.#fault
  }

  async #claim(): Promise<void> {
    try {
      const now = fromInstant(this.#app.clock())
      const perSecond = perSecondOf(this.#channel)
      // What is claimed waits for its slots as taken: no more than those of a second or two.
      const limit = Math.min(claimSize, perSecond * 2)
      const claimed = await claimMessages(this.#app, this.#ownerId, this.#channel, now, limit)
      this.#isDry = claimed.length < limit
      if (!claimed.length) return
      const waitMs = await takeSlots(this.#app.database, this.#channel, claimed.length, perSecond)
      const firstMs = performance.now() + waitMs
      this.#waiting.push(
        ...claimed.map((message, i) => ({ message, startMs: firstMs + (i * 1000) / perSecond })),
      )
    } finally {
      this.#claiming = undefined
    }
  }

  /** Books in the background, one transaction after the other; those wait that are fewer than `min`. */
  #book(min: number): void {
    if (!this.#outcomes.length || this.#outcomes.length < min) return
    const outcomes = this.#outcomes
    this.#outcomes = []
    const scope = clockScope(this.#app, this.#ownerId)
    const now = fromInstant(this.#app.clock())
    this.#booking = this.#booking.then(() =>
      this.#app.database.tx(this.#ownerId, tx => bookAttempts(tx, scope, outcomes, now)),
    )
    // Reported by `run`, which waits for it; until then it is nobody's.
    this.#booking.catch(() => undefined)
  }
}

/** Sends what is due in one company, each channel on its own. Returns how many attempts were made. */
export async function dispatchCompany(
  app: App,
  ownerId: Id,
  options: DispatchOptions = { forMs: Infinity },
): Promise<number> {
  const runs = keysOf(messageChannel).map(channel => new ChannelRun(app, ownerId, channel, options).run())
  const results = await Promise.allSettled(runs)
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
}

/** Sends what is due, one company after the other; twice a second in every process. */
export async function dispatchMessages(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const due = await listDueCompanies(
    app.database,
    sql`
      select distinct owner_id
      from outgoing_message
      where state = ${code(messageState, 'queued')} and send_time <= ${now}::timestamptz
    `,
  )
  await forEachCompany(due, ownerId => dispatchCompany(app, ownerId, { forMs: turnMs, signal }), signal)
}

const unclearReason = '发送中断，可能已经发出，以送达回执为准'

/** Messages of dead senders, and those that no report came about. */
async function settleCompany(app: App, ownerId: Id): Promise<void> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  await app.database.tx(ownerId, async tx => {
    const lost = await tx.rows<{ id: Id }>(sql`
      select id
      from outgoing_message
      where owner_id = ${ownerId}
        and state = ${code(messageState, 'sending')}
        and run_claim < ${addMinutes(now, -takenMinutes)}::timestamptz
      order by id
      limit 1000
    `)
    await bookAttempts(
      tx,
      scope,
      lost.map(({ id }) => ({ id, state: 'unclear', reason: unclearReason })),
      now,
    )
    const before = addMinutes(now, -reportHours * 60)
    const silent = await tx.rows<{ id: Id; state: number }>(sql`
      select id, state
      from outgoing_message
      where owner_id = ${ownerId}
        and (
          (state = ${code(messageState, 'unclear')} and run_claim < ${before}::timestamptz)
          or (
            state = ${code(messageState, 'sent')}
            and channel = ${code(messageChannel, 'sms')}
            and sent_time < ${before}::timestamptz
          )
        )
      order by id
      limit 5000
    `)
    await bookReports(
      tx,
      scope,
      silent.map(({ id, state }) =>
        state === messageState.rows.unclear[0]
          ? { id, state: 'failed', reason: `${reportHours} 小时未收到回执，按未发出处理` }
          : { id, state: 'delivered', reason: `${reportHours} 小时未收到回执，按已送达计` },
      ),
      now,
    )
  })
}

/** Every ten minutes. */
export async function settleMessages(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const before = addMinutes(now, -reportHours * 60)
  const due = await listDueCompanies(
    app.database,
    sql`
      select owner_id
      from outgoing_message
      where state in ${codes(messageState, 'sending', 'unclear')}
        and run_claim < ${addMinutes(now, -takenMinutes)}::timestamptz
      union
      select owner_id
      from outgoing_message
      where state = ${code(messageState, 'sent')}
        and channel = ${code(messageChannel, 'sms')}
        and sent_time < ${before}::timestamptz
    `,
  )
  await forEachCompany(due, ownerId => settleCompany(app, ownerId), signal)
}
