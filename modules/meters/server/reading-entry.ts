import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { compare } from '#kit/domain/decimal.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, tenantFilter } from '#kit/server/table.ts'
import { meter, meterReading, type MeterReading } from '../contract/meter.ts'
import type { Entry } from '../contract/reading.ts'
import {
  applyEntry,
  openBook,
  type ReadingBook,
  type EntryOutcome,
  type BookReading,
  type EntryInput,
} from './reading-book.ts'
import { saveBook } from './reading-book-storage.ts'
import { monthlyReadingSetting } from './settings.ts'

export interface EntryLine extends EntryInput {
  readonly id?: number | undefined
}

/**
 * `onMonth`: what a line without an id does where its meter was read in that month already: leaves it,
 * changes it, or (a collector that reports daily) moves its own on. Without: it is a new reading, and
 * refused.
 */
export interface EntryMode {
  readonly source: MeterReading['source']
  readonly today: Day
  readonly reason?: string | undefined
  readonly onMonth?: 'skip' | 'update' | 'newer'
}

/** Projects of the company where a meter may be read oftener than once a month. */
async function findProjectsWithoutMonthlyLimit(db: Db, owner: number): Promise<ReadonlySet<string>> {
  return new Set(
    (
      await db.rows<{ projectCode: string }>(
        sql`
          select project_code
          from estate_setting
          where owner_id = ${owner} and key = ${monthlyReadingSetting.key} and value = '0'
        `,
      )
    ).map(r => r.projectCode),
  )
}

/**
 * The meters that lines mean by id or by number in the chosen project; what is not there is absent, what two
 * projects have is `many`.
 */
export async function resolveMeters(
  db: Db,
  scope: Scope,
  lines: readonly Pick<Entry, 'meterId' | 'meterNo'>[],
  project?: string,
): Promise<(e: Pick<Entry, 'meterId' | 'meterNo'>) => number | 'many' | undefined> {
  const nos = [...new Set(lines.flatMap(l => (l.meterId === undefined && l.meterNo ? [l.meterNo] : [])))]
  const at = project ?? (scope.projectCode || undefined)
  const found = nos.length
    ? await db.rows<{ id: number; meterNo: string }>(
        sql`select t.id, t.meter_no from meter t where ${tenantFilter(meter, scope, at)} and t.meter_no = any(${nos})`,
      )
    : []
  const by = new Map<string, number | 'many'>()
  for (const f of found) {
    by.set(f.meterNo, by.has(f.meterNo) ? 'many' : f.id)
  }
  return e => e.meterId ?? (e.meterNo ? by.get(e.meterNo) : undefined)
}

/**
 * Takes lines into one book in the order of their days: the meters are locked, each line stands or falls
 * alone. Nothing is written yet. A constant number of statements whatever the number of lines.
 */
export async function enterReadings(
  tx: Db,
  scope: Scope,
  lines: readonly EntryLine[],
  way: EntryMode,
  lock = true,
  project?: string,
): Promise<{
  readonly book: ReadingBook
  readonly outcomes: readonly EntryOutcome[]
  readonly there: readonly (number | undefined)[]
}> {
  const meant = await resolveMeters(tx, scope, lines, project)
  const ids = lines.map(meant)
  const days = lines.map(l => l.readDate).toSorted()
  const own = lines.flatMap(l => (l.id === undefined ? [] : [l.id]))
  const held = own.length
    ? (
        await tx.rows<{ day: Day }>(
          sql`
            select min(read_date) as day
            from meter_reading
            where owner_id = ${scope.ownerId} and id = any(${own})
          `,
        )
      )[0]?.day
    : undefined
  const from = [days[0] ?? way.today, ...(held ? [held] : [])].toSorted()[0]!
  const book = await openBook(
    tx,
    scope,
    ids.filter(i => typeof i === 'number'),
    from,
    lock,
    days.at(-1) ?? from,
  )
  const often = await findProjectsWithoutMonthlyLimit(tx, scope.ownerId)
  const outcomes: EntryOutcome[] = []
  const there: (number | undefined)[] = []
  const order = lines
    .map((_, i) => i)
    .toSorted((a, b) =>
      lines[a]!.readDate < lines[b]!.readDate ? -1 : lines[a]!.readDate > lines[b]!.readDate ? 1 : a - b,
    )
  for (const i of order) {
    const line = lines[i]!
    const id = ids[i]
    const leaf = typeof id === 'number' ? book.meters.get(id) : undefined
    if (!leaf) {
      outcomes[i] = {
        kind: 'refused',
        field: 'MeterNo',
        why:
          id === 'many'
            ? `表号「${line.meterNo}」在多个项目中都有，请先在顶部选择项目`
            : line.meterNo
              ? `没有表号为「${line.meterNo}」的仪表，请核对`
              : '请选择仪表',
      }
      continue
    }
    const how = {
      source: way.source,
      today: way.today,
      readerId: scope.operatorId || undefined,
      monthly: !often.has(leaf.meter.projectCode),
    }
    const month = line.month ?? monthOf(line.readDate)
    const mayBe = (r: BookReading): boolean =>
      way.onMonth === 'newer' ? how.monthly && r.source === 'automatic' && r.state === 'open' : r.id > 0
    const own = way.onMonth && leaf.rows.find(r => r.month === month && mayBe(r))
    const same =
      own &&
      (way.onMonth === 'skip' ||
        (way.onMonth === 'newer' && own.readDate > line.readDate) ||
        (own.readDate === line.readDate &&
          line.curNum !== undefined &&
          compare(own.curNum, line.curNum) === 0))
    there[i] = own?.id
    outcomes[i] = same
      ? { kind: 'same', id: own.id }
      : applyEntry(book, leaf.meter.id, own ? { ...line, id: own.id } : line, how)
  }
  return { book, outcomes, there }
}

/** One reading, new or changed; the fault at its field. */
export async function enterReading(
  tx: Tx,
  scope: Scope,
  one: EntryLine,
  way: EntryMode,
  said: { readonly wire: (field: string) => string } = { wire: f => f },
): Promise<MeterReading> {
  const { book, outcomes } = await enterReadings(tx, scope, [one], way)
  const got = outcomes[0]!
  if (got.kind === 'refused')
    throw got.field === 'MeterID' || got.field === 'ID'
      ? throwRefusal(got.why)
      : invalidInput([{ Field: said.wire(got.field), Message: got.why }])
  const ids = await saveBook(tx, scope, book, { reason: way.reason })
  return requireById(
    tx,
    meterReading,
    scope,
    got.kind === 'same' ? got.id : (ids.get(got.row.id) ?? got.row.id),
  )
}

const throwRefusal = (why: string): never => refuse(why)
