import { asId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { compareDays, type Day } from '#kit/domain/day.ts'
import { compare } from '#kit/domain/decimal.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, tenantFilter } from '#kit/server/table.ts'
import { meter, meterReading, type MeterReading } from '../contract/meter.ts'
import type { Entry } from '../contract/reading.ts'
import type { ReadingKey } from '../domain/reading.ts'
import { openBook, type BookMeter, type BookReading, type ReadingBook } from './meter-history.ts'
import { saveBook } from './meter-history-storage.ts'
import { applyEntry } from './reading-changes.ts'
import { type EntryInput, type EntryOutcome } from './entry-validation.ts'
import { monthlyReadingSetting } from './settings.ts'

export interface EntryLine extends EntryInput {
  readonly id?: Id | undefined
}

/**
 * `onMonth`: what a line without an id does where its meter has a reading in that month already: `skip`
 * leaves it, `update` changes it, `newer` (a collector that reports daily) moves its own open reading on.
 * Without it the line is a new reading, and is refused.
 */
export interface EntryMode {
  readonly source: MeterReading['source']
  readonly today: Day
  readonly reason?: string | undefined
  readonly onMonth?: 'skip' | 'update' | 'newer'
}

type MeterName = Pick<Entry, 'meterId' | 'meterNo'>
/** `many`: several projects have a meter of this number. */
type ResolvedMeter = Id | 'many' | undefined

/** Projects of the company where a meter may be read more than once a month. */
async function findProjectsWithoutMonthlyLimit(db: Db, ownerId: Id): Promise<ReadonlySet<string>> {
  const found = await db.rows<{ projectCode: string }>(
    sql`
      select project_code
      from estate_setting
      where owner_id = ${ownerId} and key = ${monthlyReadingSetting.key} and value = '0'
    `,
  )
  return new Set(found.map(r => r.projectCode))
}

/** Finds meters by id or by number in the chosen project; undefined where there is none. */
export async function resolveMeters(
  db: Db,
  scope: Scope,
  lines: readonly MeterName[],
  projectCode: string | undefined = scope.projectCode || undefined,
): Promise<(line: MeterName) => ResolvedMeter> {
  const numbers = lines.flatMap(l => (l.meterId === undefined && l.meterNo ? [l.meterNo] : []))
  const found = numbers.length
    ? await db.rows<{ id: Id; meterNo: string }>(
        sql`
          select t.id, t.meter_no
          from meter t
          where ${tenantFilter(meter, scope, projectCode)} and t.meter_no = any(${[...new Set(numbers)]})
        `,
      )
    : []
  const byNumber = new Map<string, Id | 'many'>()
  for (const f of found) {
    byNumber.set(f.meterNo, byNumber.has(f.meterNo) ? 'many' : f.id)
  }
  return line => line.meterId ?? (line.meterNo ? byNumber.get(line.meterNo) : undefined)
}

/** The one meter of this id or number; refuses where there is none, or more than one. */
export async function requireMeterId(
  db: Db,
  scope: Scope,
  line: MeterName,
  notFoundText: (line: MeterName) => string = () => '仪表不存在，请核对',
): Promise<Id> {
  const id = (await resolveMeters(db, scope, [line]))(line)
  if (typeof id === 'number') return id
  return refuse(id === 'many' ? '表号在多个项目中都有，请先在顶部选择项目' : notFoundText(line))
}

/** The first day that lines touch, by their own day or that of the reading they change. */
async function findFirstDay(db: Db, scope: Scope, lines: readonly EntryLine[], today: Day): Promise<Day> {
  const days = lines.map(l => l.readDate)
  const ids = lines.flatMap(l => (l.id === undefined ? [] : [l.id]))
  if (ids.length) {
    const changed = await db.one<{ day?: Day }>(
      sql`
        select min(read_date) as day
        from meter_reading
        where owner_id = ${scope.ownerId} and id = any(${ids})
      `,
    )
    if (changed?.day) {
      days.push(changed.day)
    }
  }
  return days.toSorted()[0] ?? today
}

interface EnteredReadings {
  readonly book: ReadingBook
  /** By line. */
  readonly outcomes: readonly EntryOutcome[]
  /** By line: the reading of the same month that it changed or left. */
  readonly existing: readonly (ReadingKey | undefined)[]
}

/**
 * Takes lines into one book in the order of their days; each is accepted or refused separately. With `lock`
 * the meters are locked. Nothing is written yet. A constant number of statements whatever the number of
 * lines.
 */
export async function enterReadings(
  db: Db,
  scope: Scope,
  lines: readonly EntryLine[],
  mode: EntryMode,
  lock = true,
  projectCode?: string,
): Promise<EnteredReadings> {
  const ids = lines.map(await resolveMeters(db, scope, lines, projectCode))
  const from = await findFirstDay(db, scope, lines, mode.today)
  const to =
    lines
      .map(l => l.readDate)
      .toSorted()
      .at(-1) ?? from
  const meterIds = ids.filter(id => typeof id === 'number')
  const book = await openBook(db, scope, meterIds, from, { lock, to })
  const unlimited = await findProjectsWithoutMonthlyLimit(db, scope.ownerId)
  const outcomes: EntryOutcome[] = []
  const existing: (ReadingKey | undefined)[] = []
  const order = lines
    .map((_, i) => i)
    .toSorted((a, b) => compareDays(defined(lines[a]).readDate, defined(lines[b]).readDate) || a - b)
  for (const index of order) {
    const line = defined(lines[index])
    const id = ids[index]
    const bookMeter = typeof id === 'number' ? book.meters.get(id) : undefined
    if (!bookMeter) {
      outcomes[index] = { kind: 'refused', field: 'MeterNo', why: describeMissingMeter(line, id) }
      continue
    }
    const monthly = !unlimited.has(bookMeter.meter.projectCode)
    const reading = findReadingOfMonth(bookMeter, line, mode, monthly)
    existing[index] = reading?.id
    outcomes[index] =
      reading && keepsReading(reading, line, mode)
        ? { kind: 'same', id: reading.id }
        : applyEntry(book, bookMeter.meter.id, reading ? { ...line, id: reading.id } : line, {
            source: mode.source,
            today: mode.today,
            readerId: scope.operatorId || undefined,
            monthly,
          })
  }
  return { book, outcomes, existing }
}

function describeMissingMeter(line: EntryLine, id: ResolvedMeter): string {
  if (id === 'many') return `表号「${line.meterNo}」在多个项目中都有，请先在顶部选择项目`
  return line.meterNo ? `表号「${line.meterNo}」不存在，请核对` : '请选择仪表'
}

/** The reading of the line's month that `onMonth` allows the line to stand for. */
function findReadingOfMonth(
  bookMeter: BookMeter,
  line: EntryLine,
  { onMonth }: EntryMode,
  monthly: boolean,
): BookReading | undefined {
  if (!onMonth) return undefined
  const month = line.month ?? monthOf(line.readDate)
  const isCandidate = (r: BookReading): boolean =>
    onMonth === 'newer' ? monthly && r.source === 'automatic' && r.state === 'open' : r.id > 0
  return bookMeter.rows.find(r => r.month === month && isCandidate(r))
}

const keepsReading = (reading: BookReading, line: EntryLine, { onMonth }: EntryMode): boolean =>
  onMonth === 'skip' ||
  (onMonth === 'newer' && reading.readDate > line.readDate) ||
  (reading.readDate === line.readDate &&
    line.curNum !== undefined &&
    compare(reading.curNum, line.curNum) === 0)

/** One reading, new or changed. Refuses with the fault at its field. */
export async function enterReading(
  tx: Tx,
  scope: Scope,
  line: EntryLine,
  mode: EntryMode,
): Promise<MeterReading> {
  const { book, outcomes } = await enterReadings(tx, scope, [line], mode)
  const outcome = defined(outcomes[0])
  if (outcome.kind === 'refused') {
    const { field, why } = outcome
    if (field === 'MeterID' || field === 'ID') return refuse(why)
    throw invalidInput([{ Field: field, Message: why }])
  }
  const ids = await saveBook(tx, scope, book, { reason: mode.reason })
  const id = outcome.kind === 'same' ? outcome.id : (ids.get(outcome.row.id) ?? outcome.row.id)
  return requireById(tx, meterReading, scope, asId(id))
}
