import type { Id } from '#kit/domain/id.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { yearAround } from '#kit/domain/period.ts'
import { compare, sub, sum, type Decimal } from '#kit/domain/decimal.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { readingState } from '../contract/choices.ts'
import { periodOf } from '../domain/reading.ts'
import { isRegisterRollover, modulusOf, sumRegisters, trueUp } from '../domain/usage.ts'
import { validReading } from './reading-conditions.ts'

/** A reading that waits for its bill (MTR-9). `last` is absent where there is no base (MTR-4). */
export interface UnbilledReading {
  readonly id: Id
  /** The version that was read: `billReadings` checks that it is still the current one. */
  readonly version: number
  /** The meter that was asked for. */
  readonly meterId: Id
  /** The meter that was read: another one where it has been replaced since (MTR-11). */
  readonly readMeterId: Id
  readonly meterNo: string
  readonly begin: Day
  readonly end: Day
  readonly last?: Decimal
  readonly current: Decimal
  readonly multiplier: Decimal
  /** To be billed: less what an estimate before had too much, never below zero (MTR-13). */
  readonly usage?: Decimal
  /** Usage of the meter's readings in the tier year before this one (MTR-14). */
  readonly usedBefore: Decimal
  /** Anomalous and not confirmed yet (MTR-8). */
  readonly doubtful?: true
  /** Earlier readings with negative usage that this one takes over: they go onto its bill. */
  readonly absorbs?: readonly Id[]
  /** What made the usage besides the two numbers. */
  readonly beside?: {
    readonly top?: Decimal
    readonly replaced?: Decimal
    readonly loss?: Decimal
    readonly credit?: Decimal
  }
  /** Usage by register, each with its price (MTR-15). */
  readonly registers?: readonly (ReadRegister & { readonly usage: Decimal })[]
}

interface ReadRegister {
  readonly name: string
  readonly last: Decimal
  readonly current: Decimal
  readonly price: Decimal
}

export interface UnbilledReadingQuery {
  readonly meterIds?: readonly Id[]
  /** Relations that name a meter. */
  readonly relationIds?: readonly Id[]
  readonly until: Day
  /** Bills whose readings count as unbilled: what they would be billed were the bills abolished (FEE-6). */
  readonly without?: readonly Id[]
  /** The first day of a meter's tier year (`07-01`); the calendar year where it is not given. */
  readonly reset?: (meterId: Id) => string | undefined
}

interface UnbilledRow {
  readonly id: Id
  readonly version: number
  readonly meterId: Id
  readonly readMeterId: Id
  readonly meterNo: string
  readonly readDate: Day
  readonly lastDate?: Day
  readonly lastNum?: Decimal
  readonly curNum: Decimal
  readonly multiple: Decimal
  readonly usage?: Decimal
  readonly loss: Decimal
  readonly replacedUsage: Decimal
  readonly open: boolean
  readonly isBase: boolean
  readonly doubtful: boolean
  readonly isRollover: boolean
  readonly digits?: number
  readonly registers?: readonly ReadRegister[]
}

/** CTE `chain(asked, id)`: each meter with those it replaced, oldest last (MTR-11). */
const replacementChain = (ownerId: Id, meterIds: readonly Id[]): RawBuilder<unknown> =>
  sql`
    with recursive chain(asked, id) as (
      select w.id, w.id
      from unnest(${[...meterIds]}::bigint[]) w(id)
      union all
      select c.asked, r.meter_id
      from chain c
      join meter_replace r on r.owner_id = ${ownerId} and r.new_meter_id = c.id and ${notDeleted('r')}
    )
  `

async function findMetersOfRelations(
  db: Db,
  ownerId: Id,
  relationIds: readonly Id[],
): Promise<readonly Id[]> {
  if (!relationIds.length) return []
  const found = await db.rows<{ id: Id }>(
    sql`
      select distinct meter_id as id
      from fee_relation
      where owner_id = ${ownerId}
        and id = any(${[...relationIds]})
        and meter_id is not null
        and ${notDeleted()}
    `,
  )
  return found.map(r => r.id)
}

/**
 * The unbilled readings of meters up to a day, by meter, oldest first. Two statements whatever the number of
 * meters. A reading with negative usage comes with a usage of zero: the rest is carried to the readings after
 * it (MTR-13).
 */
export async function findUnbilledReadings(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  { meterIds = [], relationIds = [], until, without = [], reset }: UnbilledReadingQuery,
): Promise<ReadonlyMap<Id, readonly UnbilledReading[]>> {
  const { ownerId } = scope
  const named = await findMetersOfRelations(db, ownerId, relationIds)
  const requestedIds = [...new Set([...meterIds, ...named])]
  if (!requestedIds.length) return new Map()
  const isOpen = sql`(
    r.state = ${code(readingState, 'open')} or r.bill_id = any(${[...without]}::bigint[])
  )`
  const firstUnbilled = await db.rows<{ meterId: Id; since: Day }>(sql`
    ${replacementChain(ownerId, requestedIds)}
    select c.asked as meter_id, min(r.read_date) as since
    from chain c
    join meter_reading r on r.owner_id = ${ownerId} and r.meter_id = c.id
    where ${validReading('r')} and ${isOpen} and r.read_date <= ${until} and not r.is_base
    group by 1
  `)
  if (!firstUnbilled.length) return new Map()
  const firstMeters = firstUnbilled.map(f => f.meterId)
  // The tier year of the first unbilled reading began a year before it at most.
  const since = firstUnbilled.map(f => addMonths(f.since, -12))
  const rows = await db.rows<UnbilledRow>(sql`
    ${replacementChain(ownerId, firstMeters)}
    select r.id, r.version, c.asked as meter_id, r.meter_id as read_meter_id, r.meter_no, r.read_date,
      r.last_date, trim_scale(r.last_num)::text as last_num, trim_scale(r.cur_num)::text as cur_num,
      trim_scale(r.multiple)::text as multiple, trim_scale(r.usage)::text as usage,
      trim_scale(r.loss)::text as loss, trim_scale(r.replaced_usage)::text as replaced_usage,
      ${isOpen} as open, r.is_base, (r.anomalies is not null and not r.confirmed) as doubtful,
      r.is_rollover, r.registers,
      (select m.digits from meter m where m.owner_id = ${ownerId} and m.id = r.meter_id) as digits
    from chain c
    join unnest(${firstMeters}::bigint[], ${since}::date[]) as f(id, since) on f.id = c.asked
    join meter_reading r on r.owner_id = ${ownerId} and r.meter_id = c.id and r.read_date >= f.since
    where ${validReading('r')} and r.read_date <= ${until}
    order by c.asked, r.read_date, r.id
  `)
  const byMeter = Map.groupBy(rows, r => r.meterId)
  return new Map([...byMeter].map(([id, ofMeter]) => [id, settle(ofMeter, reset?.(id))]))
}

/**
 * Usage of the tier year before a reading. Tiers count up to the year's usage including this reading, so what
 * a correction takes off had been in them before (MTR-13, MTR-14).
 */
function computeUsedBefore(
  upToThis: readonly UnbilledRow[],
  readDate: Day,
  billed: Decimal,
  reset: string | undefined,
): Decimal {
  const { begin } = yearAround(readDate, reset)
  const ofYear = upToThis.flatMap(r =>
    r.readDate >= begin && r.usage !== undefined && !r.isBase ? [r.usage] : [],
  )
  const used = sub(sum(ofYear), billed)
  return compare(used, '0') < 0 ? '0' : used
}

/**
 * What each open reading of one meter bills, with negative usage taken to the next (MTR-13). `rows`: by day,
 * from the beginning of the tier year.
 */
export function settle(rows: readonly UnbilledRow[], reset?: string): UnbilledReading[] {
  const settled: UnbilledReading[] = []
  // What negative usage is left to take off, the readings it comes from, and whether one of them is doubtful.
  let negativeUsage: Decimal = '0'
  let negativeFrom: Id[] = []
  let isNegativeDoubtful = false
  for (const [i, row] of rows.entries()) {
    if (!row.open || row.isBase) continue
    const billed = row.usage === undefined ? undefined : trueUp(row.usage, negativeUsage)
    const isDoubtful: boolean = row.doubtful || isNegativeDoubtful
    const breakdown = toUsageBreakdown(row, negativeUsage)
    settled.push({
      id: row.id,
      version: row.version,
      meterId: row.meterId,
      readMeterId: row.readMeterId,
      meterNo: row.meterNo,
      ...periodOf({ day: row.readDate, lastDay: row.lastDate }),
      ...(row.lastNum === undefined ? {} : { last: row.lastNum }),
      current: row.curNum,
      multiplier: row.multiple,
      ...(billed ? { usage: billed.billed } : {}),
      usedBefore: computeUsedBefore(rows.slice(0, i + 1), row.readDate, billed?.billed ?? '0', reset),
      ...(isDoubtful ? { doubtful: true as const } : {}),
      ...(breakdown ? { beside: breakdown } : {}),
      ...(negativeFrom.length && billed?.negativeUsage === '0' ? { absorbs: negativeFrom } : {}),
      ...(row.registers?.length
        ? { registers: row.registers.map(x => ({ ...x, usage: computeRegisterUsage(x, row) })) }
        : {}),
    })
    if (!billed) continue
    negativeUsage = billed.negativeUsage
    negativeFrom = compare(negativeUsage, '0') < 0 ? [...negativeFrom, row.id] : []
    isNegativeDoubtful = negativeFrom.length > 0 && isDoubtful
  }
  return settled
}

function toUsageBreakdown(row: UnbilledRow, negativeUsage: Decimal): UnbilledReading['beside'] {
  const isNonZero = (x: Decimal): boolean => compare(x, '0') !== 0
  const modulus = row.isRollover ? modulusOf(row) : undefined
  const breakdown = {
    ...(modulus ? { top: modulus } : {}),
    ...(isNonZero(row.replacedUsage) ? { replaced: row.replacedUsage } : {}),
    ...(isNonZero(row.loss) ? { loss: row.loss } : {}),
    ...(isNonZero(negativeUsage) ? { credit: sub('0', negativeUsage) } : {}),
  }
  return Object.keys(breakdown).length ? breakdown : undefined
}

function computeRegisterUsage(register: ReadRegister, row: UnbilledRow): Decimal {
  const modulus = modulusOf(row)
  return sumRegisters([
    {
      ...register,
      multiplier: row.multiple,
      afterEstimate: true,
      modulus,
      rollover: isRegisterRollover(register.last, register.current, modulus, row.isRollover),
    },
  ]).usage
}
