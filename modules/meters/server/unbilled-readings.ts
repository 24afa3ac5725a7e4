import { addMonths, type Day } from '#kit/domain/day.ts'
import { yearAround } from '#kit/domain/period.ts'
import { compare, sub, sum, type Dec } from '#kit/domain/decimal.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live, touch } from '#kit/server/sql.ts'
import { periodOf } from '../domain/reading.ts'
import { isRegisterRollover, modulusOf, sumRegisters, trueUp } from '../domain/usage.ts'

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

/** `version`: of the reading that the bill was reckoned by. */
export interface BilledReading {
  readonly readingId: number
  readonly billId: number
  readonly billNo: string
  readonly version?: number | undefined
}

/**
 * A reading was put right after it was read for a bill: the transaction is tried again, and reads what it
 * says now.
 */
class ReadingChangedError extends Error {
  readonly code = '40001'
}

/**
 * Links readings with their bills (MTR-9), in the transaction that makes the bills. What a reading took over
 * from readings below nought before it goes onto its bill too, or it would be taken off again. Refuses when
 * one is no longer unbilled, naming the bill; throws for another try when one says something else by now.
 */
export async function billReadings(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>,
  billed: readonly BilledReading[],
): Promise<void> {
  if (!billed.length) return
  const owner = scope.ownerId
  const ids = billed.map(b => b.readingId)
  // Meters first, as whoever enters readings does.
  await tx.rows(
    sql`
      select 1
      from meter
      where owner_id = ${owner}
        and id in (select meter_id from meter_reading where owner_id = ${owner} and id = any(${ids}))
      order by id
      for update
    `,
  )
  const seen = billed.filter(b => b.version !== undefined)
  if (
    seen.length &&
    (
      await tx.rows(
        sql`
          select 1
          from meter_reading t
          join unnest(
            ${seen.map(b => b.readingId)}::bigint[], ${seen.map(b => b.version!)}::int[]
          ) as b(id, version) on b.id = t.id
          where t.owner_id = ${owner} and t.state = 10 and t.version <> b.version
          limit 1
        `,
      )
    ).length
  )
    throw new ReadingChangedError('读数刚刚更改，请再试一次')
  const over = await findAbsorbedReadings(tx, scope, billed)
  const all = [...billed, ...over]
  const every = all.map(b => b.readingId)
  const done = await tx.execute(sql`
      update meter_reading t
      set state = 20, bill_id = b.bill, bill_no = b.no, ${touch(scope)}
      from unnest(
        ${every}::bigint[], ${all.map(b => b.billId)}::bigint[], ${all.map(b => b.billNo)}::text[]
      ) as b(id, bill, no)
      where t.owner_id = ${owner} and t.id = b.id and t.state = 10 and ${live('t')}
    `)
  if (done === new Set(every).size) return
  const bad = await tx.one<{ meterNo: string; month: string; billNo?: string }>(
    sql`
      select r.meter_no, r.month, r.bill_no
      from meter_reading r
      join unnest(${every}::bigint[], ${all.map(b => b.billId)}::bigint[]) as b(id, bill) on b.id = r.id
      where r.owner_id = ${owner} and (r.delete_tag <> 0 or r.bill_id is distinct from b.bill)
      limit 1
    `,
  )
  refuse(
    bad?.billNo
      ? `表 ${bad.meterNo} ${bad.month} 的读数已由账单 ${bad.billNo} 出账`
      : bad
        ? `表 ${bad.meterNo} ${bad.month} 的读数已删除，不能出账`
        : '抄表记录不存在或已删除，不能出账',
  )
}

/**
 * Where an open reading lies below nought: which bill takes it over. Most of the time there is none, and one
 * statement says so.
 */
async function findAbsorbedReadings(
  tx: Tx,
  scope: Pick<Scope, 'ownerId'>,
  billed: readonly BilledReading[],
): Promise<BilledReading[]> {
  const owner = scope.ownerId
  const meters = await tx.rows<{
    id: number
    until: Day
  }>(sql`
    with recursive mine as (
      select meter_id as id, max(read_date) as until
      from meter_reading
      where owner_id = ${owner} and id = any(${billed.map(b => b.readingId)})
      group by 1
    ),
      chain(asked, id) as (
        select id, id
        from mine
        union all
        select c.asked, p.meter_id
        from chain c
        join meter_replace p on p.owner_id = ${owner} and p.new_meter_id = c.id and ${live('p')}
      )
    select m.id, m.until
    from mine m
    where exists (
      select 1
      from chain c
      join meter_reading r on r.owner_id = ${owner} and r.meter_id = c.id
      where c.asked = m.id and r.state = 10 and ${live('r')} and r.usage < 0
    )
  `)
  if (!meters.length) return []
  const waiting = await findUnbilledReadings(tx, scope, {
    meterIds: meters.map(m => m.id),
    until: meters
      .map(m => m.until)
      .toSorted()
      .at(-1)!,
  })
  const by = new Map(billed.map(b => [b.readingId, b]))
  const mine = new Set(by.keys())
  return [...waiting.values()]
    .flat()
    .flatMap(w =>
      by.has(w.id)
        ? (w.absorbs ?? []).filter(id => !mine.has(id)).map(readingId => ({ ...by.get(w.id)!, readingId }))
        : [],
    )
}

/** Bills are gone: their readings wait again (MTR-9). Answers how many. */
export const releaseReadings = async (
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>,
  billIds: readonly number[],
): Promise<number> =>
  billIds.length
    ? tx.execute(
        sql`
          update meter_reading
          set state = 10, bill_id = null, bill_no = null, ${touch(scope)}
          where owner_id = ${scope.ownerId}
            and bill_id = any(${[...billIds]})
            and state = 20
            and ${live()}
        `,
      )
    : 0
