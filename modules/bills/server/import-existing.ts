import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { feeType, sourceType } from '#modules/fees/contract/choices.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import type { SourceType } from '#modules/fees/server/public.ts'
import { billState } from '../contract/choices.ts'
import type { EffectiveBill } from '../domain/redundant.ts'
import { effectiveStates } from './bill-states.ts'

export interface ImportItem {
  readonly id: Id
  readonly code: string
  readonly name: string
  readonly feeType: FeeItem['feeType']
  readonly allowMulti: boolean
  readonly off: boolean
}

export interface ExistingBill extends EffectiveBill {
  readonly relationId?: Id
}

/**
 * The effective bills of sources, for the checks of BILL-8. Needs bill_source. `lock`: locks the relations of
 * the sources, then the bills, because replacing a bill takes back how far its relation is billed.
 */
export async function findExistingBills(
  db: Db,
  ownerId: Id,
  project: string,
  places: readonly { readonly type: SourceType; readonly code: string }[],
  lock: boolean,
): Promise<ExistingBill[]> {
  if (!places.length) return []
  if (lock) {
    await db.rows(
      sql`
        select 1
        from fee_relation r
        join unnest(
          ${places.map(p => codeOf(sourceType, p.type))}::smallint[], ${places.map(p => p.code)}::text[]
        ) as w(source_type, source_code) on r.source_type = w.source_type
          and r.source_code = w.source_code
        where r.owner_id = ${ownerId} and r.project_code = ${project} and ${notDeleted('r')}
        order by r.id
        for no key update of r
      `,
    )
  }
  const rows = await db.rows<
    Omit<ExistingBill, 'sourceType' | 'refund' | 'state' | 'source'> & {
      sourceType: number
      state: number
      refundState: number
      bought: boolean
    }
  >(sql`
    select b.id, b.source_type, b.source_code, b.fee_item_id as item_id, b.begin_date as begin,
      b.end_date as end, (b.amount * 100)::bigint as amount, (b.paid_principal * 100)::bigint as paid,
      b.refund_state, b.state, b.create_time as created, b.relation_id
    from unnest(
      ${places.map(p => codeOf(sourceType, p.type))}::smallint[], ${places.map(p => p.code)}::text[]
    ) as w(source_type, source_code)
    join bill b on b.owner_id = ${ownerId}
      and b.project_code = ${project}
      and b.source_type = w.source_type
      and b.source_code = w.source_code
      and ${notDeleted('b')}
      and b.state in ${effectiveStates} ${
        lock
          ? sql`order by b.id
      for update of b`
          : sql``
      }
  `)
  const typeOf = new Map(places.map(p => [codeOf(sourceType, p.type), p.type]))
  return rows.map(row => ({
    ...row,
    sourceType: defined(typeOf.get(row.sourceType)),
    source: 'auto',
    refund: row.refundState ? 'refunded' : 'none',
    state: row.state === codeOf(billState, 'pending') ? 'pending' : 'normal',
  }))
}

export const findFeeItems = async (db: Db, ownerId: Id): Promise<ImportItem[]> =>
  (
    await db.rows<Omit<ImportItem, 'feeType'> & { feeType: number }>(
      sql`
        select id, code, name, fee_type, allow_multi, state <> ${code(enabledState, 'on')} as off
        from fee_item
        where owner_id = ${ownerId} and ${notDeleted()}
        order by id
      `,
    )
  ).map(i => ({ ...i, feeType: defined(keyOf(feeType, i.feeType)) }))
