import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { readingState } from '../contract/choices.ts'
import { findUnbilledReadings } from './unbilled-readings.ts'

type WriteScope = Pick<Scope, 'ownerId' | 'operatorId' | 'time'>

/** `version`: the version of the reading that the bill was computed from. */
export interface BilledReading {
  readonly readingId: Id
  readonly billId: Id
  readonly billNo: string
  readonly version?: number | undefined
}

/**
 * A reading was edited after it was read for a bill. PostgreSQL's serialization code makes the transaction
 * run again, with the new values.
 */
class ReadingChangedError extends Error {
  readonly code = '40001'
}

/**
 * Links readings with their bills (MTR-9), in the transaction that makes the bills. The earlier readings
 * whose negative usage a reading takes over go onto its bill too, or it would be taken off again. Refuses
 * when one is no longer unbilled, naming the bill; throws for another try when one has changed.
 */
export async function billReadings(
  tx: Tx,
  scope: WriteScope,
  billed: readonly BilledReading[],
): Promise<void> {
  if (!billed.length) return
  await lockMeters(
    tx,
    scope.ownerId,
    billed.map(b => b.readingId),
  )
  await assertUnchanged(tx, scope.ownerId, billed)
  const all = [...billed, ...(await findAbsorbedReadings(tx, scope, billed))]
  const ids = all.map(b => b.readingId)
  const linked = await tx.execute(sql`
    update meter_reading t
    set state = ${code(readingState, 'billed')}, bill_id = b.bill, bill_no = b.no, ${touch(scope)}
    from unnest(
      ${ids}::bigint[], ${all.map(b => b.billId)}::bigint[], ${all.map(b => b.billNo)}::text[]
    ) as b(id, bill, no)
    where t.owner_id = ${scope.ownerId}
      and t.id = b.id
      and t.state = ${code(readingState, 'open')}
      and ${notDeleted('t')}
  `)
  if (linked < new Set(ids).size) {
    await refuseUnlinked(tx, scope.ownerId, all)
  }
}

/** Meters before readings, in the order of everybody who enters readings. */
const lockMeters = (tx: Tx, ownerId: Id, readingIds: readonly Id[]): Promise<unknown> =>
  tx.rows(
    sql`
      select 1
      from meter
      where owner_id = ${ownerId}
        and id in (
          select meter_id from meter_reading where owner_id = ${ownerId} and id = any(${[...readingIds]})
        )
      order by id
      for update
    `,
  )

async function assertUnchanged(tx: Tx, ownerId: Id, billed: readonly BilledReading[]): Promise<void> {
  const versions = billed.flatMap(({ readingId, version }) =>
    version === undefined ? [] : [{ readingId, version }],
  )
  if (!versions.length) return
  const changed = await tx.one(
    sql`
      select 1
      from meter_reading t
      join unnest(
        ${versions.map(v => v.readingId)}::bigint[], ${versions.map(v => v.version)}::int[]
      ) as b(id, version) on b.id = t.id
      where t.owner_id = ${ownerId}
        and t.state = ${code(readingState, 'open')}
        and t.version <> b.version
      limit 1
    `,
  )
  if (changed) throw new ReadingChangedError('读数刚刚更改，请再试一次')
}

/** Says of one reading that could not be linked why. */
async function refuseUnlinked(tx: Tx, ownerId: Id, all: readonly BilledReading[]): Promise<never> {
  const unlinked = await tx.one<{ meterNo: string; month: string; billNo?: string }>(
    sql`
      select r.meter_no, r.month, r.bill_no
      from meter_reading r
      join unnest(
        ${all.map(b => b.readingId)}::bigint[], ${all.map(b => b.billId)}::bigint[]
      ) as b(id, bill) on b.id = r.id
      where r.owner_id = ${ownerId} and (not ${notDeleted('r')} or r.bill_id is distinct from b.bill)
      limit 1
    `,
  )
  if (!unlinked) return refuse('抄表记录不存在或已删除，不能出账')
  const { meterNo, month, billNo } = unlinked
  return refuse(
    billNo
      ? `表 ${meterNo} ${month} 的读数已由账单 ${billNo} 出账`
      : `表 ${meterNo} ${month} 的读数已删除，不能出账`,
  )
}

/**
 * The open readings with negative usage that billed ones take over, each with the bill it goes onto. Mostly
 * there is none, and one statement finds that out.
 */
async function findAbsorbedReadings(
  tx: Tx,
  scope: Pick<Scope, 'ownerId'>,
  billed: readonly BilledReading[],
): Promise<BilledReading[]> {
  const { ownerId } = scope
  const meters = await tx.rows<{ id: Id; until: Day }>(sql`
    with recursive billed_meters as (
      select meter_id as id, max(read_date) as until
      from meter_reading
      where owner_id = ${ownerId} and id = any(${billed.map(b => b.readingId)})
      group by 1
    ),
      chain(asked, id) as (
        select id, id
        from billed_meters
        union all
        select c.asked, p.meter_id
        from chain c
        join meter_replace p on p.owner_id = ${ownerId} and p.new_meter_id = c.id and ${notDeleted('p')}
      )
    select m.id, m.until
    from billed_meters m
    where exists (
      select 1
      from chain c
      join meter_reading r on r.owner_id = ${ownerId} and r.meter_id = c.id
      where c.asked = m.id and r.state = ${code(readingState, 'open')} and ${notDeleted('r')} and r.usage < 0
    )
  `)
  if (!meters.length) return []
  const unbilled = await findUnbilledReadings(tx, scope, {
    meterIds: meters.map(m => m.id),
    until: defined(
      meters
        .map(m => m.until)
        .toSorted()
        .at(-1),
    ),
  })
  const byReading = new Map(billed.map(b => [b.readingId, b]))
  const absorbed: BilledReading[] = []
  for (const { id, absorbs = [] } of [...unbilled.values()].flat()) {
    const bill = byReading.get(id)
    if (!bill) continue
    for (const readingId of absorbs) {
      if (!byReading.has(readingId)) {
        absorbed.push({ ...bill, readingId })
      }
    }
  }
  return absorbed
}

/** Bills were abolished or removed: their readings wait again (MTR-9). Returns how many. */
export const releaseReadings = async (tx: Tx, scope: WriteScope, billIds: readonly Id[]): Promise<number> =>
  billIds.length
    ? tx.execute(
        sql`
          update meter_reading
          set state = ${code(readingState, 'open')}, bill_id = null, bill_no = null, ${touch(scope)}
          where owner_id = ${scope.ownerId}
            and bill_id = any(${[...billIds]})
            and state = ${code(readingState, 'billed')}
            and ${notDeleted()}
        `,
      )
    : 0
