import { type Day } from '#kit/domain/day.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live, touch } from '#kit/server/sql.ts'
import { findUnbilledReadings } from './unbilled-readings.ts'

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
