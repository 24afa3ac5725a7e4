import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse, staleVersion } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { findAll, tenantFilter, requireById } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'

type Sql = RawBuilder<unknown>
/** Columns that actions read: all stored ones but the snapshot, which is wide. */
const actionColumns = Object.keys(bill.fields).filter(
  k => !['calcSnapshot', 'overdueDays', 'paying'].includes(k),
)

export interface BillSelection {
  readonly sourceType?: Bill['sourceType'] | undefined
  readonly sourceCodes?: readonly string[] | undefined
  readonly feeItemId?: Id | undefined
  readonly ids?: readonly string[] | undefined
}

/** The most bills that one action may act on. */
export const maxBillsPerAction = 200_000

/**
 * Locks the relations of bills, by id. Actions that change how far a relation is billed call it before they
 * lock the bills, in the same order as generating and ending a charge do: any other order can deadlock with
 * them.
 */
export const lockRelations = (tx: Db, ownerId: Id, condition: Sql): Promise<unknown> =>
  tx.rows(
    sql`
      select 1
      from fee_relation r
      where r.owner_id = ${ownerId} and r.id in (select t.relation_id from bill t where ${condition})
      order by r.id
      for no key update of r
    `,
  )

/**
 * Locks the bills of a condition in the order of their ids, and reads them as they are then. Refuses more
 * than `limit`. It ignores the data domain: the caller asks `assertInDomain`. `relations`: locks their
 * relations first.
 */
export async function lockBills(
  db: Db,
  scope: Scope,
  condition: Sql,
  {
    limit = maxBillsPerAction,
    relations = false,
  }: { readonly limit?: number; readonly relations?: boolean } = {},
): Promise<Bill[]> {
  if (relations) {
    await lockRelations(db, scope.ownerId, condition)
  }
  const ids = (
    await db.rows<{ id: Id }>(sql`select t.id from bill t where ${condition} order by t.id for update of t`)
  ).map(r => r.id)
  if (ids.length > limit) return refuse(`一次最多处理 ${limit} 张账单，现有 ${ids.length} 张，请缩小筛选范围`)
  return ids.length
    ? findAll(
        db,
        bill,
        { ...scope, domain: unrestrictedDomain },
        { order: 'id' },
        { where: [sql`t.id = any(${ids})`], keys: actionColumns, limit: ids.length },
      )
    : []
}

/** A condition for bills by id, or for the open bills of objects. Refuses a selection that names neither. */
export function selectionCondition(scope: Scope, selection: BillSelection): Sql {
  if (selection.ids?.length)
    return sql`t.owner_id = ${scope.ownerId} and ${notDeleted('t')} and t.id = any(${selection.ids.map(parseId)})`
  if (!selection.sourceCodes?.length || !selection.sourceType)
    return refuse('请选择账单，或指定对象类型与对象')
  return sql`${tenantFilter(bill, scope, scope.projectCode || undefined)}
    and t.source_type = ${codeOf(sourceType, selection.sourceType)}
    and t.source_code = any(${[...selection.sourceCodes]})
    and t.state = ${code(billState, 'normal')}
    and t.pay_state = ${code(payState, 'unpaid')} ${selection.feeItemId ? sql`and t.fee_item_id = ${selection.feeItemId}` : sql``}`
}

/** Locks one bill. Refuses when it has changed since the caller read that version (G-8). */
export async function lockCurrentBill(
  tx: Db,
  scope: Scope,
  id: Id,
  version: number | undefined,
): Promise<Bill> {
  const row = await requireById(tx, bill, scope, id, { lock: true })
  if (version !== undefined && version !== row.version) throw staleVersion()
  return row
}
