import type { DatabaseSync } from 'node:sqlite'
import type { Id } from '#kit/domain/id.ts'
import { keptReadingDays, sameEntranceMs } from '#modules/devices/contract/code-reading.ts'
import type { CodeCount, CodeReading } from './drivers/driver.ts'
import { inTransaction } from './journal.ts'

const schema = `
  create table if not exists code_use (
    device_id integer not null, record_key text not null, key text not null, used_times integer not null,
    used_at integer not null, primary key (device_id, record_key));
  create index if not exists code_use_key on code_use (key);
  create table if not exists own_gateway (id integer not null) `

const keptMs = keptReadingDays * 86_400_000

export type LocalDecision = 'opens' | 'usedUp' | 'justOpened'

/**
 * The entrances of codes of which this program knows, on the disk before a door opens: each with the count
 * of the code after it. What the server counts later comes to the same number, so that none counts twice.
 */
export class CodeJournal {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
    db.exec(schema)
    db.prepare('delete from code_use where used_at < ?').run(Date.now() - keptMs)
  }

  /** Of the server that was connected last; 0 before the first. */
  get gatewayId(): number {
    return Number(this.#db.prepare('select id from own_gateway').get()?.id ?? 0)
  }

  setGateway(id: Id): void {
    if (id === this.gatewayId) return
    inTransaction(this.#db, () => {
      this.#db.exec('delete from own_gateway')
      this.#db.prepare('insert into own_gateway (id) values (?)').run(id)
    })
  }

  /** The server has counted it. */
  note(deviceId: Id, { recordKey, key }: CodeReading, usedTimes: number): void {
    this.#insert(deviceId, { recordKey, key }, usedTimes)
  }

  /** Decides and counts in one step; a reading that comes again is answered as before. */
  decide(deviceId: Id, reading: CodeReading, count: CodeCount): LocalDecision {
    return inTransaction(this.#db, () => {
      if (this.#isKnown(deviceId, reading)) return 'opens'
      const usedTimes = this.#usedTimes(reading.key, count)
      if (count.isInner && (count.isInside || usedTimes > count.usedTimes)) return 'opens'
      if (this.#hasJustOpened(deviceId, reading)) return 'justOpened'
      if (usedTimes >= count.maxTimes) return 'usedUp'
      this.#insert(deviceId, reading, usedTimes + 1)
      return 'opens'
    })
  }

  /** The door did not open: the entrance is still to be had. */
  giveBack(deviceId: Id, recordKey: string): void {
    this.#db.prepare('delete from code_use where device_id = ? and record_key = ?').run(deviceId, recordKey)
  }

  #insert(deviceId: Id, { recordKey, key }: Pick<CodeReading, 'recordKey' | 'key'>, usedTimes: number): void {
    this.#db
      .prepare(
        `insert or ignore into code_use (device_id, record_key, key, used_times, used_at)
        values (?, ?, ?, ?, ?)`,
      )
      .run(deviceId, recordKey, key, usedTimes, Date.now())
  }

  #isKnown(deviceId: Id, { recordKey }: CodeReading): boolean {
    const found = this.#db.prepare('select key from code_use where device_id = ? and record_key = ?')
    return found.get(deviceId, recordKey) !== undefined
  }

  /** By the server or by this program, whichever knows of more. */
  #usedTimes(key: string, count: CodeCount): number {
    const row = this.#db.prepare('select max(used_times) as used from code_use where key = ?').get(key)
    return Math.max(Number(row?.used ?? 0), count.usedTimes)
  }

  #hasJustOpened(deviceId: Id, { key }: CodeReading): boolean {
    const found = this.#db.prepare(
      'select key from code_use where device_id = ? and key = ? and used_at between ? and ?',
    )
    const now = Date.now()
    return found.get(deviceId, key, now - sameEntranceMs, now) !== undefined
  }
}
