import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { asDay, type Day } from '#kit/domain/day.ts'
import { isObject, parseJson, type JsonObject } from '../../json.ts'

const schema = `
  create table if not exists item (
    key text primary key, version integer not null, employee_no text not null unique, data text not null,
    last_day text, is_pending integer not null);
  create table if not exists plan (no integer primary key, content text not null unique);
  create table if not exists state (name text primary key, value text not null) `

export interface StoredItem {
  readonly key: string
  readonly version: number
  readonly employeeNo: string
  readonly data: JsonObject
  /** The last day of what the controller has of it; nothing where it has nothing. */
  readonly lastDay?: Day
}

const itemOf = (row: Readonly<Record<string, unknown>>): StoredItem => {
  const data = parseJson(String(row.data))
  return {
    key: String(row.key),
    version: Number(row.version),
    employeeNo: String(row.employee_no),
    data: isObject(data) ? data : {},
    ...(typeof row.last_day === 'string' && { lastDay: asDay(row.last_day) }),
  }
}

export type StateName =
  | 'serial'
  | 'cursor'
  | 'doorNo'
  | 'direction'
  | 'heldOpen'
  | 'keptOpenUntil'
  | 'settings'
  | 'ownOpenings'
  | 'opening'

/** What this driver knows of its controller; it outlives the process. */
export class ItemStore {
  readonly #db: DatabaseSync

  constructor(folder: string) {
    this.#db = new DatabaseSync(join(folder, 'isapi.sqlite'))
    this.#db.exec('pragma busy_timeout = 3000; pragma journal_mode = wal; pragma synchronous = normal')
    this.#db.exec(schema)
  }

  /** Before the controller is asked: what a power cut leaves in between is known. */
  begin({ key, version, employeeNo, data }: StoredItem): void {
    this.#db
      .prepare(
        `insert into item (key, version, employee_no, data, is_pending) values (?, ?, ?, ?, 1)
        on conflict (key) do update set version = excluded.version, data = excluded.data, is_pending = 1`,
      )
      .run(key, version, employeeNo, JSON.stringify(data))
  }

  /** The controller has it now, up to this day; or nothing of it, as no right of it is left. */
  finish(key: string, lastDay: Day | undefined): void {
    this.#db.prepare('update item set is_pending = 0, last_day = ? where key = ?').run(lastDay ?? null, key)
  }

  remove(keys: readonly string[]): void {
    const statement = this.#db.prepare('delete from item where key = ?')
    for (const key of keys) {
      statement.run(key)
    }
  }

  pending(): StoredItem[] {
    return this.#db.prepare('select * from item where is_pending = 1').all().map(itemOf)
  }

  /** What counts differently from this day on. */
  ended(today: Day): StoredItem[] {
    return this.#db.prepare('select * from item where last_day < ? order by key').all(today).map(itemOf)
  }

  all(): StoredItem[] {
    return this.#db.prepare('select * from item order by key').all().map(itemOf)
  }

  /** People that the controller should have. */
  countHeld(): number {
    return Number(this.#db.prepare('select count(*) as n from item where last_day is not null').get()?.n)
  }

  keyOf(employeeNo: string): string | undefined {
    const key = this.#db.prepare('select key from item where employee_no = ?').get(employeeNo)?.key
    return key === undefined ? undefined : String(key)
  }

  /** Codes that are not in the controller: readings of them wait for the driver. */
  hasAgentCodes(): boolean {
    const found = this.#db.prepare(
      "select key from item where key >= 'qr:' and key < 'qr;' and last_day is null limit 1",
    )
    return found.get() !== undefined
  }

  /** A card or a code by what a reader reads of it. */
  ofNumber(number: string): StoredItem | undefined {
    const row = this.#db
      .prepare('select * from item where key in (?, ?, ?)')
      .get(`qr:${number}`, `pass:${number}`, `card:${number}`)
    return row && itemOf(row)
  }

  clear(): void {
    this.#db.exec('begin; delete from item; delete from plan; delete from state; commit')
  }

  get(name: StateName): string | undefined {
    const value = this.#db.prepare('select value from state where name = ?').get(name)?.value
    return value === undefined ? undefined : String(value)
  }

  set(name: StateName, value: string | undefined): void {
    if (value === undefined) {
      this.#db.prepare('delete from state where name = ?').run(name)
      return
    }
    this.#db
      .prepare('insert into state (name, value) values (?, ?) on conflict (name) do update set value = ?')
      .run(name, value, value)
  }

  planNumber(content: string): number | undefined {
    const no = this.#db.prepare('select no from plan where content = ?').get(content)?.no
    return no === undefined ? undefined : Number(no)
  }

  planNumbers(): number[] {
    return this.#db
      .prepare('select no from plan')
      .all()
      .map(row => Number(row.no))
  }

  setPlan(no: number, content: string): void {
    this.#db.prepare('insert or replace into plan (no, content) values (?, ?)').run(no, content)
  }

  close(): void {
    this.#db.close()
  }
}
