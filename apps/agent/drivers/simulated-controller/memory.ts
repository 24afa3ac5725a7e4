import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isObject, parseJson, type JsonObject } from '../../json.ts'

const schema = `
  create table if not exists person (no text primary key, body text not null);
  create table if not exists card (card_no text primary key, no text not null);
  create table if not exists face (no text primary key, bytes integer not null);
  create table if not exists finger (no text not null, reader integer not null, bytes integer not null,
    primary key (no, reader));
  create table if not exists option (name text primary key, body text not null);
  create table if not exists record (serial_no integer primary key autoincrement, body text not null) `

const maxRecords = 100_000

const objectOf = (body: unknown): JsonObject => {
  const value = typeof body === 'string' ? parseJson(body) : undefined
  return isObject(value) ? value : {}
}

/** What a controller remembers, also when the process that plays it is killed. */
export class ControllerMemory {
  readonly #db: DatabaseSync

  constructor(folder: string) {
    this.#db = new DatabaseSync(join(folder, 'controller.sqlite'))
    this.#db.exec('pragma busy_timeout = 3000; pragma journal_mode = wal; pragma synchronous = normal')
    this.#db.exec(schema)
  }

  get serial(): string {
    const { serial } = this.option('box') ?? {}
    if (typeof serial === 'string') return serial
    const made = `SIM${randomBytes(4).toString('hex').toUpperCase()}`
    this.setOption('box', { serial: made })
    return made
  }

  /** Another box in its place: it knows nothing of the first. */
  replace(): void {
    this.#db.exec('begin; delete from option; delete from record')
    this.#db.exec("delete from sqlite_sequence where name = 'record'")
    this.deleteAllPeople()
    this.#db.exec('commit')
  }

  countPeople(): number {
    return Number(this.#db.prepare('select count(*) as n from person').get()?.n)
  }

  person(no: string): JsonObject | undefined {
    const row = this.#db.prepare('select body from person where no = ?').get(no)
    return row && objectOf(row.body)
  }

  peopleNos(): string[] {
    return this.#db
      .prepare('select no from person order by no')
      .all()
      .map(row => String(row.no))
  }

  putPerson(no: string, body: JsonObject): void {
    this.#db.prepare('insert or replace into person (no, body) values (?, ?)').run(no, JSON.stringify(body))
  }

  putCard(cardNo: string, no: string): void {
    this.#db.prepare('insert or replace into card (card_no, no) values (?, ?)').run(cardNo, no)
  }

  holderOfCard(cardNo: string): string | undefined {
    const no = this.#db.prepare('select no from card where card_no = ?').get(cardNo)?.no
    return no === undefined ? undefined : String(no)
  }

  cardNos(): string[] {
    return this.#db
      .prepare('select card_no from card order by card_no')
      .all()
      .map(row => String(row.card_no))
  }

  putFace(no: string, bytes: number): void {
    this.#db.prepare('insert or replace into face (no, bytes) values (?, ?)').run(no, bytes)
  }

  hasFace(no: string): boolean {
    return this.#db.prepare('select no from face where no = ?').get(no) !== undefined
  }

  putFinger(no: string, reader: number, bytes: number): void {
    this.#db
      .prepare('insert or replace into finger (no, reader, bytes) values (?, ?, ?)')
      .run(no, reader, bytes)
  }

  hasFinger(no: string, reader: number): boolean {
    return this.#db.prepare('select no from finger where no = ? and reader = ?').get(no, reader) !== undefined
  }

  /** At one reader. */
  countFingers(reader: number): number {
    return Number(this.#db.prepare('select count(*) as n from finger where reader = ?').get(reader)?.n)
  }

  deletePerson(no: string): void {
    for (const table of ['person', 'card', 'face', 'finger']) {
      this.#db.prepare(`delete from ${table} where no = ?`).run(no)
    }
  }

  deleteAllPeople(): void {
    this.#db.exec('delete from person; delete from card; delete from face; delete from finger')
  }

  option(name: string): JsonObject | undefined {
    const row = this.#db.prepare('select body from option where name = ?').get(name)
    return row && objectOf(row.body)
  }

  setOption(name: string, body: JsonObject): void {
    this.#db
      .prepare('insert or replace into option (name, body) values (?, ?)')
      .run(name, JSON.stringify(body))
  }

  /** The oldest are written over. */
  addRecord(body: JsonObject): number {
    const { lastInsertRowid } = this.#db
      .prepare('insert into record (body) values (?)')
      .run(JSON.stringify(body))
    const serialNo = Number(lastInsertRowid)
    this.#db.prepare('delete from record where serial_no <= ?').run(serialNo - maxRecords)
    return serialNo
  }

  addRecords(bodies: readonly JsonObject[]): void {
    this.#db.exec('begin')
    bodies.forEach(body => this.addRecord(body))
    this.#db.exec('commit')
  }

  recordsFrom(serialNo: number, limit: number): JsonObject[] {
    return this.#db
      .prepare('select * from record where serial_no >= ? order by serial_no limit ?')
      .all(serialNo, limit)
      .map(row => ({ ...objectOf(row.body), serialNo: Number(row.serial_no) }))
  }

  lastRecords(limit: number): JsonObject[] {
    return this.#db
      .prepare('select * from record order by serial_no desc limit ?')
      .all(limit)
      .map(row => ({ ...objectOf(row.body), serialNo: Number(row.serial_no) }))
  }

  close(): void {
    this.#db.close()
  }
}
