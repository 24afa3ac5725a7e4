import { setTimeout as pause } from 'node:timers/promises'
import { keysOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { messageChannel, messageState, type MessageChannel } from '../contract/choices.ts'
import { attempt, type AttemptOutcome } from './attempt.ts'
import { bookAttempts, bookReports } from './booking.ts'
import { channelOf } from './channels.ts'
import { claimMessages, startMessages, type ClaimedMessage } from './claim.ts'
import { takeSlots } from './pace.ts'
import { messageSettings } from './settings.ts'

/** Messages of a channel that one process has with the provider at once. */
export const inFlight = 16
const claimSize = 256
const bookSize = 64
/** A company with much to send lets the others have their turn. */
const turnMs = 4000
/** A message that has been with its sender for so long lost it; one that nobody began to hand over sooner. */
const takenMinutes = 10
const pendingMinutes = 2
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

/** Messages begun at the same time are marked together: one transaction at a time, with all that wait. */
class Starts {
  readonly #mark: (messages: readonly ClaimedMessage[]) => Promise<ReadonlySet<Id>>
  #waiting: ClaimedMessage[] = []
  #marked: Promise<ReadonlySet<Id>> = Promise.resolve(new Set())

  constructor(mark: (messages: readonly ClaimedMessage[]) => Promise<ReadonlySet<Id>>) {
    this.#mark = mark
  }

  /** Whether the message may be sent. */
  async add(message: ClaimedMessage): Promise<boolean> {
    if (!this.#waiting.length) {
      this.#marked = this.#markAfter(this.#marked)
    }
    this.#waiting.push(message)
    return (await this.#marked).has(message.id)
  }

  async #markAfter(previous: Promise<unknown>): Promise<ReadonlySet<Id>> {
    await Promise.allSettled([previous])
    return this.#mark(this.#waiting.splice(0))
  }
}

/** The due messages of a company over one channel, `inFlight` at a time, until none is left. */
class ChannelRun {
  readonly #app: App
  readonly #ownerId: Id
  readonly #channel: MessageChannel
  readonly #signal: AbortSignal | undefined
  readonly #endsAt: number
  readonly #waiting: PacedMessage[] = []
  readonly #starts: Starts
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
    this.#starts = new Starts(messages => startMessages(app, ownerId, messages))
  }

  async run(): Promise<number> {
    const workers = await Promise.allSettled(Array.from({ length: inFlight }, () => this.#work()))
    // What was sent is booked even where a worker failed.
    this.#book(0)
    await this.#booking
    const failed = workers.find(worker => worker.status === 'rejected')
    if (failed) throw failed.reason
    return this.sent
  }

  async #work(): Promise<void> {
    for (;;) {
      const next = await this.#next()
      if (!next) return
      const outcome = this.#fault ? this.#putBack(next.message, this.#fault) : await this.#send(next)
      if (!outcome) continue
      this.#outcomes.push(outcome)
      if (outcome.isServerFault) {
        this.#fault ??= outcome
      }
      this.#book(bookSize)
    }
  }

  /** None where the message was taken back before it was begun. */
  async #send({ message, startMs }: PacedMessage): Promise<AttemptOutcome | undefined> {
    const waitMs = startMs - performance.now()
    if (waitMs > 1) {
      await pause(waitMs)
    }
    if (!(await this.#starts.add(message))) return undefined
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

/** Whose sender is dead, going by the time. */
const isLost = (now: Moment): RawBuilder<unknown> => sql`(
  state = ${code(messageState, 'sending')}
  and run_claim < ${addMinutes(now, -pendingMinutes)}::timestamptz
  and (run_pending or run_claim < ${addMinutes(now, -takenMinutes)}::timestamptz)
)`

/** What a dead sender had not begun waits again; of the rest nobody knows. */
async function settleLost(tx: Tx, scope: Scope, now: Moment): Promise<void> {
  const lost = await tx.rows<{ id: Id; attempts: number; isPending: boolean }>(sql`
    select id, attempts, run_pending as is_pending
    from outgoing_message
    where owner_id = ${scope.ownerId} and ${isLost(now)}
    order by id
    limit 1000
    for no key update
  `)
  await bookAttempts(
    tx,
    scope,
    lost.map(({ id, attempts, isPending }) =>
      isPending
        ? { id, attempts, state: 'queued', retryAfter: 0 }
        : { id, attempts, state: 'unclear', reason: unclearReason },
    ),
    now,
  )
}

/** Messages of dead senders, and those that no report came about. */
async function settleCompany(app: App, ownerId: Id): Promise<void> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  await app.database.tx(ownerId, async tx => {
    await settleLost(tx, scope, now)
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
      where ${isLost(now)}
      union
      select owner_id
      from outgoing_message
      where state = ${code(messageState, 'unclear')} and run_claim < ${before}::timestamptz
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
