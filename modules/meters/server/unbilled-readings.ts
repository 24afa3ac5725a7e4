import { addMonths, type Day } from '#kit/domain/day.ts'
import { yearAround } from '#kit/domain/period.ts'
import { compare, sub, sum, type Dec } from '#kit/domain/decimal.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { periodOf } from '../domain/reading.ts'
import { isRegisterRollover, modulusOf, sumRegisters, trueUp } from '../domain/usage.ts'
import { billReadings } from './reading-billing.ts'

/**
 * A reading that waits for its bill (MTR-9), as the engine takes it: `last` absent where there is no base
 * (MTR-4).
 */
export interface UnbilledReading {
  readonly id: number
  /** As it was read: `billReadings` looks whether it still is. */
  readonly version: number
  /**
   * The meter that was asked for, and the one that was read: another where it was replaced meanwhile
   * (MTR-11).
   */
  readonly meterId: number
  readonly readMeterId: number
  readonly meterNo: string
  readonly begin: Day
  readonly end: Day
  readonly last?: Dec
  readonly current: Dec
  readonly multiplier: Dec
  /** To be billed: what an estimate before had too much is taken off, never below nought (MTR-13). */
  readonly usage?: Dec
  /** Usage of the meter's readings in the tier year before this one (MTR-14). */
  readonly usedBefore: Dec
  /** Odd and not confirmed yet (MTR-8). */
  readonly doubtful?: true
  /** Readings below nought before it whose rest it took over: they go onto its bill. */
  readonly absorbs?: readonly number[]
  /** What besides its two numbers made its usage. */
  readonly beside?: {
    readonly top?: Dec
    readonly replaced?: Dec
    readonly loss?: Dec
    readonly credit?: Dec
  }
  /** Usage by time of use, each with its price (MTR-15). */
  readonly registers?: readonly {
    readonly name: string
    readonly last: Dec
    readonly current: Dec
    readonly price: Dec
    readonly usage: Dec
  }[]
}

export interface UnbilledReadingQuery {
  readonly meterIds?: readonly number[]
  /** Relations that name a meter. */
  readonly relationIds?: readonly number[]
  readonly until: Day
  /** Bills whose readings count as unbilled: what these would be billed were the bills abolished (FEE-6). */
  readonly without?: readonly number[]
  /** When a meter's tier year begins (`07-01`); the calendar year unless said. */
  readonly reset?: (meterId: number) => string | undefined
}

interface UnbilledRow {
  id: number
  version: number
  meterId: number
  readMeterId: number
  meterNo: string
  readDate: Day
  lastDate?: Day
  lastNum?: Dec
  curNum: Dec
  multiple: Dec
  usage?: Dec
  loss: Dec
  replacedUsage: Dec
  open: boolean
  isBase: boolean
  doubtful: boolean
  isRollover: boolean
  digits?: number
  registers?: readonly {
    readonly name: string
    readonly last: Dec
    readonly current: Dec
    readonly price: Dec
  }[]
}

/** A meter with those it replaced, oldest last: `chain(asked, id)` (MTR-11). */
const replacementChain = (owner: number, ids: readonly number[]) =>
  sql`
    with recursive chain(asked, id) as (
      select w.id, w.id
      from unnest(${[...ids]}::bigint[]) w(id)
      union all
      select c.asked, r.meter_id
      from chain c
      join meter_replace r on r.owner_id = ${owner} and r.new_meter_id = c.id and ${live('r')}
    )
  `

/**
 * The unbilled readings of meters up to a day, by meter, oldest first. Two statements whatever the number of
 * meters. A reading below nought is answered with a usage of nought: what it took too little is carried to
 * the readings after it.
 */
export async function findUnbilledReadings(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  { meterIds = [], relationIds = [], until, without = [], reset }: UnbilledReadingQuery,
): Promise<ReadonlyMap<number, readonly UnbilledReading[]>> {
  const owner = scope.ownerId
  const named = relationIds.length
    ? (
        await db.rows<{ id: number }>(
          sql`
            select distinct meter_id as id
            from fee_relation
            where owner_id = ${owner}
              and id = any(${[...relationIds]})
              and meter_id is not null
              and ${live()}
          `,
        )
      ).map(r => r.id)
    : []
  const asked = [...new Set([...meterIds, ...named])]
  if (!asked.length) return new Map()
  const open = sql`(r.state = 10 or r.bill_id = any(${[...without]}::bigint[]))`
  const first = await db.rows<{ meterId: number; since: Day }>(
    sql`${replacementChain(owner, asked)}
      select c.asked as meter_id, min(r.read_date) as since
      from chain c
      join meter_reading r on r.owner_id = ${owner} and r.meter_id = c.id
      where ${live('r')} and r.state <> 30 and ${open} and r.read_date <= ${until} and not r.is_base
      group by 1`,
  )
  if (!first.length) return new Map()
  // A tier year reaches back a year at most.
  const found = await db.rows<UnbilledRow>(sql`${replacementChain(
    owner,
    first.map(f => f.meterId),
  )}
    select r.id, r.version, c.asked as meter_id, r.meter_id as read_meter_id, r.meter_no, r.read_date,
      r.last_date, trim_scale(r.last_num)::text as last_num, trim_scale(r.cur_num)::text as cur_num,
      trim_scale(r.multiple)::text as multiple, trim_scale(r.usage)::text as usage,
      trim_scale(r.loss)::text as loss, trim_scale(r.replaced_usage)::text as replaced_usage,
      ${open} as open, r.is_base, (r.anomalies is not null and not r.confirmed) as doubtful, r.is_rollover,
      r.registers,
      (select m.digits from meter m where m.owner_id = ${owner} and m.id = r.meter_id) as digits
    from chain c
    join unnest(
      ${first.map(f => f.meterId)}::bigint[], ${first.map(f => addMonths(f.since, -12))}::date[]
    ) as f(id, since) on f.id = c.asked
    join meter_reading r on r.owner_id = ${owner} and r.meter_id = c.id and r.read_date >= f.since
    where ${live('r')} and r.state <> 30 and r.read_date <= ${until}
    order by c.asked, r.read_date, r.id`)
  return new Map([...Map.groupBy(found, f => f.meterId)].map(([id, rows]) => [id, settle(rows, reset?.(id))]))
}

/** What each open reading bills, the rest of one below nought carried on (MTR-13). */
export function settle(rows: readonly UnbilledRow[], reset?: string): UnbilledReading[] {
  const out: UnbilledReading[] = []
  let carried: Dec = '0'
  let doubt: boolean = false
  let owing: number[] = []
  for (const [i, r] of rows.entries()) {
    if (!r.open || r.isBase) continue
    const got = r.usage === undefined ? undefined : trueUp(r.usage, carried)
    const year = yearAround(r.readDate, reset)
    const doubtful: boolean = r.doubtful || doubt
    // Tiers end where the year's usage stands: what is taken off for a correction was in them before (MTR-13,
    // MTR-14).
    const used = sub(
      sum(
        rows
          .slice(0, i + 1)
          .flatMap(x => (x.readDate >= year.begin && x.usage !== undefined && !x.isBase ? [x.usage] : [])),
      ),
      got?.billed ?? '0',
    )
    const beside = toUsageBreakdown(r, carried)
    out.push({
      id: r.id,
      version: r.version,
      meterId: r.meterId,
      readMeterId: r.readMeterId,
      meterNo: r.meterNo,
      ...periodOf({ day: r.readDate, lastDay: r.lastDate }),
      ...(r.lastNum === undefined ? {} : { last: r.lastNum }),
      current: r.curNum,
      multiplier: r.multiple,
      ...(got ? { usage: got.billed } : {}),
      usedBefore: compare(used, '0') < 0 ? '0' : used,
      ...(doubtful ? { doubtful: true as const } : {}),
      ...(beside ? { beside } : {}),
      ...(owing.length && got?.carried === '0' ? { absorbs: owing } : {}),
      ...(r.registers?.length
        ? { registers: r.registers.map(x => ({ ...x, usage: computeRegisterUsage(x, r) })) }
        : {}),
    })
    if (!got) continue
    carried = got.carried
    owing = compare(carried, '0') < 0 ? [...owing, r.id] : []
    doubt = owing.length > 0 && doubtful
  }
  return out
}

function toUsageBreakdown(r: UnbilledRow, carried: Dec): UnbilledReading['beside'] {
  const is = (x: Dec): boolean => compare(x, '0') !== 0
  const top = r.isRollover ? modulusOf(r) : undefined
  const out = {
    ...(top ? { top } : {}),
    ...(is(r.replacedUsage) ? { replaced: r.replacedUsage } : {}),
    ...(is(r.loss) ? { loss: r.loss } : {}),
    ...(is(carried) ? { credit: sub('0', carried) } : {}),
  }
  return Object.keys(out).length ? out : undefined
}

function computeRegisterUsage(x: NonNullable<UnbilledRow['registers']>[number], r: UnbilledRow): Dec {
  const modulus = modulusOf(r)
  return sumRegisters([
    {
      ...x,
      multiplier: r.multiple,
      afterEstimate: true,
      modulus,
      rollover: isRegisterRollover(x.last, x.current, modulus, r.isRollover),
    },
  ]).usage
}
