import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { asId, type Id } from '#kit/domain/id.ts'
import { agentEvents } from '#modules/devices/contract/agent-commands.ts'
import type { AgentEvent } from '#modules/devices/contract/agent-protocol.ts'
import { AgentError, exitCodes } from './exit-codes.ts'
import { elapsedSince, readTimeStamp, timeStamp, type TimeStamp } from './elapsed-time.ts'
import { isObject, parseJson } from './json.ts'

/** An event before it has its number. */
export interface NewEvent {
  readonly deviceId: Id
  readonly devNo?: string
  readonly at: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Kept when the buffer is full. */
  readonly isCritical: boolean
  /** The device's own number of it: one that is brought again is left out. */
  readonly key?: string
  /** When it came in here, by this machine's clock and by those that nobody sets. */
  readonly recorded?: RecordedTime
}

export interface RecordedTime {
  readonly at: string
  readonly stamp: TimeStamp
}

export const recordedNow = (): RecordedTime => ({ at: new Date().toISOString(), stamp: timeStamp() })

const schema = `
  create table if not exists event (
    seq integer primary key autoincrement, is_critical integer not null, bytes integer not null,
    body text not null);
  create table if not exists event_key (
    id integer primary key autoincrement, device_id integer not null, key text not null,
    unique (device_id, key));
  create table if not exists task (
    task_id integer primary key, state text not null, received_at integer not null, body text not null,
    result text);
  create table if not exists task_output (
    task_id integer not null, part integer not null, bytes blob not null, primary key (task_id, part)) `

const maxEventBytes = 64_000
/** Keys that are remembered over all devices. */
const maxEventKeys = 50_000

const sqliteFull = 13
const sqliteBusy = 5

const resultCode = (error: unknown): number =>
  isObject(error) && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

export const isDiskFull = (error: unknown): boolean => resultCode(error) === sqliteFull

/** Opens the agent's file for itself alone. Throws AgentError when another agent has it open. */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma busy_timeout = 3000; pragma locking_mode = exclusive; pragma journal_mode = wal')
    // Each commit is on the disk before anybody is notified of it.
    db.exec(`pragma synchronous = full; begin exclusive; ${schema}; commit`)
    return db
  } catch (error) {
    db.close()
    if (resultCode(error) === sqliteBusy)
      throw new AgentError('数据目录正被另一个网关程序使用。', exitCodes.folderInUse)
    throw error
  }
}

/** Runs in one transaction; nothing of it stays when it throws. */
export function inTransaction<T>(db: DatabaseSync, run: () => T): T {
  db.exec('begin immediate')
  try {
    const result = run()
    db.exec('commit')
    return result
  } catch (error) {
    if (db.isTransaction) {
      db.exec('rollback')
    }
    throw error
  }
}

type Row = Record<string, SQLOutputValue>

/** The events that wait on the disk until the server has stored them. */
export class EventJournal {
  readonly #db: DatabaseSync
  readonly #maxBytes: number
  readonly #insert: StatementSync
  readonly #insertKey: StatementSync
  #bytes: number
  #count: number

  constructor(db: DatabaseSync, maxBytes: number) {
    this.#db = db
    this.#maxBytes = maxBytes
    this.#insert = db.prepare('insert into event (is_critical, bytes, body) values (?, ?, ?)')
    this.#insertKey = db.prepare('insert or ignore into event_key (device_id, key) values (?, ?)')
    const total = this.#one('select count(*) as count, coalesce(sum(bytes), 0) as bytes from event')
    this.#count = Number(total.count)
    this.#bytes = Number(total.bytes)
  }

  get count(): number {
    return this.#count
  }

  #one(statement: string, ...values: number[]): Row {
    return this.#db.prepare(statement).get(...values) ?? {}
  }

  /** Writes them in order, all or none, and returns when they are on the disk. */
  append(events: readonly NewEvent[]): void {
    const before = { bytes: this.#bytes, count: this.#count }
    try {
      inTransaction(this.#db, () => {
        for (const event of events) {
          this.#add(event)
        }
        if (this.#bytes > this.#maxBytes) {
          this.#dropOldest()
        }
        this.#db.exec(`delete from event_key where id <= (select max(id) from event_key) - ${maxEventKeys}`)
      })
    } catch (error) {
      this.#bytes = before.bytes
      this.#count = before.count
      throw error
    }
  }

  #add({ isCritical, key, ...event }: NewEvent): void {
    if (key !== undefined && this.#insertKey.run(event.deviceId, key).changes === 0) return
    const whole = JSON.stringify(event)
    const bytes = Buffer.byteLength(whole)
    const body = bytes <= maxEventBytes ? whole : JSON.stringify({ ...event, data: { omittedBytes: bytes } })
    this.#insert.run(isCritical ? 1 : 0, Buffer.byteLength(body), body)
    this.#bytes += Buffer.byteLength(body)
    this.#count++
  }

  /** Makes a tenth of room, so that it is not done for every event, and says so by an event. */
  #dropOldest(): void {
    const dropped: { seq: number; bytes: number }[] = []
    let bytes = 0
    for (const row of this.#db
      .prepare('select seq, bytes from event where is_critical = 0 order by seq')
      .iterate()) {
      if (this.#bytes - bytes <= this.#maxBytes * 0.9) break
      dropped.push({ seq: Number(row.seq), bytes: Number(row.bytes) })
      bytes += Number(row.bytes)
    }
    const first = dropped[0]
    const last = dropped.at(-1)
    if (!first || !last) return
    this.#db
      .prepare('delete from event where is_critical = 0 and seq between ? and ?')
      .run(first.seq, last.seq)
    this.#bytes -= bytes
    this.#count -= dropped.length
    this.#add(droppedEvent({ count: dropped.length, firstSeq: first.seq, lastSeq: last.seq }))
  }

  /** The oldest, of as much as one message takes. */
  oldest(maxCount: number, maxBytes: number): AgentEvent[] {
    const rows = this.#db.prepare('select seq, bytes, body from event order by seq limit ?').all(maxCount)
    let bytes = 0
    const fitting = rows.filter((row, i) => {
      bytes += Number(row.bytes) + 120
      return i === 0 || bytes <= maxBytes
    })
    return fitting.map(readEvent)
  }

  /** The server has stored all up to this number. */
  acknowledge(seq: number): void {
    inTransaction(this.#db, () => {
      const total = this.#one(
        'select count(*) as count, coalesce(sum(bytes), 0) as bytes from event where seq <= ?',
        seq,
      )
      this.#db.prepare('delete from event where seq <= ?').run(seq)
      this.#count -= Number(total.count)
      this.#bytes -= Number(total.bytes)
    })
  }

  /** The last number that was ever given. */
  get lastSeq(): number {
    return Number(this.#one("select seq from sqlite_sequence where name = 'event'").seq ?? 0)
  }

  /**
   * The server knows numbers that were never given here: this disk was lost or set back. What waits is moved
   * behind them, so that the server takes it for new.
   */
  continueAfter(seq: number): void {
    const last = this.lastSeq
    if (seq <= last) return
    inTransaction(this.#db, () => {
      // Through negative numbers: a moved row may not meet one that is still to be moved.
      this.#db.prepare('update event set seq = -(seq + ?)').run(seq)
      this.#db.exec('update event set seq = -seq')
      const moved = this.#db
        .prepare("update sqlite_sequence set seq = ? where name = 'event'")
        .run(last + seq)
      if (moved.changes === 0) {
        this.#db.prepare("insert into sqlite_sequence (name, seq) values ('event', ?)").run(last + seq)
      }
    })
  }
}

export const droppedEvent = (data: {
  readonly count: number
  firstSeq?: number
  lastSeq?: number
}): NewEvent => ({
  deviceId: 0,
  at: new Date().toISOString(),
  type: agentEvents.eventsDropped,
  data,
  isCritical: true,
  recorded: recordedNow(),
})

/** What the server needs to know when it happened, though this machine's clock was wrong or was set since. */
function ageOf(recorded: unknown): Pick<AgentEvent, 'ageMs' | 'recordedAt'> {
  const stamp = isObject(recorded) ? readTimeStamp(recorded.stamp) : undefined
  const ageMs = stamp && elapsedSince(stamp)
  return isObject(recorded) && ageMs !== undefined ? { ageMs, recordedAt: String(recorded.at) } : {}
}

function readEvent(row: Row): AgentEvent {
  const body = parseJson(String(row.body))
  if (!isObject(body) || !isObject(body.data)) throw new Error('an event on the disk cannot be read')
  return {
    seq: Number(row.seq),
    deviceId: asId(Number(body.deviceId)),
    ...(typeof body.devNo === 'string' && { devNo: body.devNo }),
    at: String(body.at),
    type: String(body.type),
    data: body.data,
    ...ageOf(body.recorded),
  }
}
