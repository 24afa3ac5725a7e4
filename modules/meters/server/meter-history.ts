import type { Id } from '#kit/domain/id.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toFieldValues } from '#kit/server/column-storage.ts'
import { findByIds } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { meter, meterReading, type Meter, type MeterReading } from '../contract/meter.ts'
import type { Anomaly } from '../domain/anomaly.ts'
import type { MeterBase, ReadingKey, ReadingRow } from '../domain/reading.ts'
import { loadActivePlans, type PlansByProject } from './active-plans.ts'
import { validReading } from './reading-conditions.ts'

export type ReadingRegisters = MeterReading['registers']

/** A reading of the book: the values of its row. */
export interface BookReading {
  readonly id: ReadingKey
  readonly version: number
  readonly month: Month
  readonly readDate: Day
  readonly curNum: Decimal
  readonly isEstimate: boolean
  readonly multiple: Decimal
  readonly loss: Decimal
  readonly state: MeterReading['state']
  readonly billNo?: string
  readonly photo?: string
  readonly remark?: string
  readonly source: MeterReading['source']
  readonly readerId?: Id
  isBase: boolean
  registers?: ReadingRegisters
  isRollover: boolean
  lastNum?: Decimal | undefined
  lastDate?: Day | undefined
  usage?: Decimal | undefined
  replacedUsage: Decimal
  anomalies?: readonly Anomaly[] | undefined
  confirmed: boolean
}

/**
 * One meter's valid readings by day. `replacedUsage`, `since`: what the meter before it counted after its own
 * last reading, and that reading's day (MTR-11).
 */
export interface BookMeter {
  readonly meter: Meter
  readonly rows: BookReading[]
  readonly replacedUsage: Decimal
  readonly since?: Day | undefined
}

/**
 * Some meters with their readings, changed in memory and written back by `saveBook`. `previous`: the values
 * of changed readings before, by id, for the audit.
 */
export interface ReadingBook {
  readonly meters: ReadonlyMap<Id, BookMeter>
  readonly plans: PlansByProject
  readonly changed: Set<BookReading>
  readonly removed: Set<BookReading>
  readonly previous: Map<ReadingKey, Partial<BookReading>>
  /** Usage a year before, by `${meterId}/${month}`. */
  readonly lastYear: ReadonlyMap<string, Decimal>
}

const readingColumns = sql`r.id, r.meter_id, r.version, r.month, r.read_date, r.cur_num, r.is_estimate, r.is_base,
  r.multiple, r.loss, r.state, r.bill_no, r.registers, r.photo, r.remark, r.source, r.reader_id,
  r.is_rollover, r.last_num, r.last_date, r.usage, r.replaced_usage, r.anomalies, r.confirmed`

/** Those columns by the entity's own names; a stored reading always has its version. */
const bookFields = {
  ...meterReading.fields,
  version: { ...meterReading.fields.version, required: true as const },
}

const isValidReadingOf = (ownerId: Id): RawBuilder<unknown> =>
  sql`r.owner_id = ${ownerId} and ${validReading('r')}`

/** The readings since a day and the three before it, for each of the meters. */
const selectBookReadings = (
  ownerId: Id,
  meterIds: readonly Id[],
  from: Day,
): RawBuilder<Record<string, unknown>> => sql`
  select x.*
  from unnest(${[...meterIds]}::bigint[]) w(id)
  cross join lateral (
    (
      select ${readingColumns}
      from meter_reading r
      where ${isValidReadingOf(ownerId)} and r.meter_id = w.id and r.read_date >= ${from}
    )
    union all (
      select ${readingColumns}
      from meter_reading r
      where ${isValidReadingOf(ownerId)} and r.meter_id = w.id and r.read_date < ${from}
      order by r.read_date desc
      limit 3
    )
  ) x
  order by x.meter_id, x.read_date
`

/** A year, and one month for a reading whose month is the one before its day. */
const monthsBackFromFirst = 13
/**
 * A year less three months: the reading after the last entered one is compared again, up to a quarter later.
 */
const monthsBackFromLast = 9

/** Usage of the same months a year before. */
const selectLastYear = (
  ownerId: Id,
  meterIds: readonly Id[],
  from: Day,
  to: Day,
): RawBuilder<{ meterId: Id; month: Month; usage: Decimal }> => {
  const since = addMonths(from, -monthsBackFromFirst)
  return sql`
    select r.meter_id, r.month, trim_scale(r.usage)::text as usage
    from meter_reading r
    where ${isValidReadingOf(ownerId)}
      and r.meter_id = any(${[...meterIds]})
      and r.usage is not null
      and r.read_date >= ${since}
      and r.read_date < ${from}
      and r.month >= ${monthOf(since)}
      and r.month <= ${monthOf(addMonths(to, -monthsBackFromLast))}
  `
}

export interface BookOptions {
  /** For a transaction that will change the book: two entries of one meter come one after the other. */
  readonly lock?: boolean
  /** The day of the last entry; the first day where there is one entry. */
  readonly to?: Day
}

/**
 * Opens the book of some meters from a day on: the readings since, the three before it (averages, MTR-8) and
 * last year's of the same months, no more: an import may name twenty thousand meters.
 */
export async function openBook(
  db: Db,
  scope: Scope,
  meterIds: readonly Id[],
  from: Day,
  { lock = false, to = from }: BookOptions = {},
): Promise<ReadingBook> {
  const found = await findByIds(db, meter, scope, [...new Set(meterIds)], { lock })
  const ids = found.map(m => m.id)
  const [readings, lastYear, replaced] = await db.all<
    [
      Record<string, unknown>,
      { meterId: Id; month: Month; usage: Decimal },
      { meterId: Id; usage: Decimal; since?: Day },
    ]
  >(
    selectBookReadings(scope.ownerId, ids, from),
    selectLastYear(scope.ownerId, ids, from, to),
    sql`
      select new_meter_id as meter_id, trim_scale(old_usage)::text as usage, since
      from meter_replace
      where owner_id = ${scope.ownerId} and new_meter_id = any(${ids}) and ${notDeleted()}
    `,
  )
  const rows = Map.groupBy(
    readings.map(r => toFieldValues(bookFields, r)),
    r => r.meterId,
  )
  const replacements = new Map(replaced.map(r => [r.meterId, r]))
  const toBookMeter = (meterRow: Meter): BookMeter => {
    const replacement = replacements.get(meterRow.id)
    return {
      meter: meterRow,
      rows: rows.get(meterRow.id) ?? [],
      replacedUsage: replacement?.usage ?? '0',
      ...(replacement?.since ? { since: replacement.since } : {}),
    }
  }
  return {
    meters: new Map(found.map(m => [m.id, toBookMeter(m)])),
    plans: await loadActivePlans(db, scope.ownerId, [...new Set(found.map(m => m.projectCode))]),
    changed: new Set(),
    removed: new Set(),
    previous: new Map(),
    lastYear: new Map(lastYear.map(y => [`${y.meterId}/${y.month}`, y.usage])),
  }
}

const toReadingRow = (reading: BookReading): ReadingRow => ({
  id: reading.id,
  month: reading.month,
  day: reading.readDate,
  last: reading.lastNum,
  lastDay: reading.lastDate,
  current: reading.curNum,
  rollover: reading.isRollover,
  estimate: reading.isEstimate,
  state: reading.state,
  bill: reading.billNo,
})

/** A meter and its readings as the rules of `domain/reading.ts` take them. */
export const toMeterBase = (m: BookMeter): MeterBase => ({
  initial: m.meter.initNum,
  installed: m.meter.installDate,
})

export const toReadingRows = (m: BookMeter): ReadingRow[] => m.rows.map(toReadingRow)
