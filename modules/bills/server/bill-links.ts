import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch, code, codes } from '#kit/server/sql.ts'
import { billReadings, releaseReadings } from '#modules/meters/server/public.ts'
import { recomputeBilledTo } from '#modules/fees/server/public.ts'
import { readingState } from '#modules/meters/contract/choices.ts'
import type { Bill } from '../contract/bill.ts'
import { poolState } from '../contract/choices.ts'
import { billsOfRelation } from './relation-bills.ts'
import { effectiveStates } from './bill-states.ts'

type LinkedBill = Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'> & {
  readonly parentId?: Id | undefined
}

const billsWithRef = (bills: readonly LinkedBill[], kind: 'reading' | 'pool'): LinkedBill[] =>
  bills.filter(b => b.refType === kind && b.refId)

type Actor = Pick<Scope, 'ownerId' | 'operatorId' | 'time'>

/** Recomputes how far the relations of bills are billed. */
const updateBilledTo = (tx: Tx, ownerId: Id, bills: readonly LinkedBill[]): Promise<void> =>
  recomputeBilledTo(
    tx,
    ownerId,
    [...new Set(bills.flatMap(b => (b.relationId ? [b.relationId] : [])))],
    sql`
      select max(b.end_date)
      from bill b
      where ${billsOfRelation(ownerId, 'b', 'i')} and ${notDeleted('b')} and b.state in ${effectiveStates}
    `,
  )

/** Neither bill `g` nor another part of the same split is effective any more. */
const noEffectiveBills = (ownerId: Id) => sql`not exists (
  select
  from bill b
  where b.owner_id = ${ownerId}
    and b.project_code = g.project_code
    and b.source_type = g.source_type
    and b.source_code = g.source_code
    and b.fee_item_id = g.fee_item_id
    and b.run_root = g.run_root
    and ${notDeleted('b')}
    and b.state in ${effectiveStates}
)`

/** A pool is open again when none of its bills is effective, and shared when one is (SHR-5). */
const updatePoolStates = async (tx: Tx, actor: Actor, bills: readonly LinkedBill[]): Promise<void> => {
  const ids = [...new Set(billsWithRef(bills, 'pool').map(b => defined(b.refId)))]
  if (ids.length) {
    await tx.execute(sql`
      update share_pool p
      set state = case
        when x.no is null then ${code(poolState, 'open')}
        else ${code(poolState, 'shared')}
        end,
        batch_no = x.no, ${touch(actor, 'p')}
      from (
        select i.id,
          (
            select max(b.batch_no)
            from bill b
            where b.owner_id = ${actor.ownerId}
              and b.ref_type = 'pool'
              and b.ref_id = i.id
              and ${notDeleted('b')}
              and b.state in ${effectiveStates}
          ) as no
        from unnest(${ids}::bigint[]) as i(id)
      ) x
      where p.owner_id = ${actor.ownerId}
        and p.id = x.id
        and p.state in ${codes(poolState, 'open', 'shared')}
        and p.state <> case
          when x.no is null then ${code(poolState, 'open')}
          else ${code(poolState, 'shared')}
          end
    `)
  }
}

/**
 * Called in the transaction in which bills stop being effective: removes them from statistics, recomputes
 * how far relations are billed and releases readings and pools (C3.2). The caller holds the relations
 * (`lockRelations`).
 */
export async function releaseLinks(tx: Tx, actor: Actor, bills: readonly LinkedBill[]): Promise<void> {
  if (!bills.length) return
  await tx.execute(
    sql`
      delete from bill_month
      where owner_id = ${actor.ownerId}
        and bill_id = any(${bills.map(b => b.id)})
    `,
  )
  await updateBilledTo(tx, actor.ownerId, bills)
  const billsWithReading = billsWithRef(bills, 'reading').map(b => b.id)
  if (billsWithReading.length) {
    await releaseReadings(
      tx,
      actor,
      (
        await tx.rows<{ id: Id }>(
          sql`
            select distinct g.run_root as id
            from bill g
            where g.owner_id = ${actor.ownerId}
              and g.id = any(${billsWithReading})
              and ${noEffectiveBills(actor.ownerId)}
          `,
        )
      ).map(r => r.id),
    )
  }
  await updatePoolStates(tx, actor, bills)
}

/**
 * Called in the transaction in which bills become effective again; their rows by month are written
 * already. The reading of a split bill belongs to the whole.
 */
export async function restoreLinks(tx: Tx, actor: Actor, bills: readonly LinkedBill[]): Promise<void> {
  await updateBilledTo(tx, actor.ownerId, bills)
  const billsWithReading = billsWithRef(bills, 'reading')
  const halves = billsWithReading.filter(b => b.parentId).map(b => b.id)
  const wholes = halves.length
    ? await tx.rows<{ readingId: Id; billId: Id; billNo: string }>(
        sql`
          select distinct r.id as reading_id, w.id as bill_id, w.bill_no
          from bill b
          join bill w on w.owner_id = ${actor.ownerId} and w.id = b.run_root
          join meter_reading r on r.owner_id = ${actor.ownerId}
            and r.id = b.ref_id
            and r.state = ${code(readingState, 'open')}
          where b.owner_id = ${actor.ownerId} and b.id = any(${halves})
        `,
      )
    : []
  await billReadings(tx, actor, [
    ...billsWithReading
      .filter(b => !b.parentId)
      .map(b => ({ readingId: defined(b.refId), billId: b.id, billNo: b.billNo })),
    ...wholes,
  ])
  await updatePoolStates(tx, actor, bills)
}
