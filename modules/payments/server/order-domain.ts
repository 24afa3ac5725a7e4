import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { outOfDomain, type Scope } from '#kit/server/scope.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { payRecord } from '../contract/record.ts'

/**
 * The condition on pay orders `t` beside their project (PERM-6): an order has no building of its own. A
 * caller who has single buildings sees the orders of bills there, those that were paid there, and the own
 * ones.
 */
export function orderDomainConditions(scope: Scope): RawBuilder<unknown>[] {
  const { domain, ownerId } = scope
  const wholeProjects = [...domain.projects]
    .filter(([, buildings]) => buildings === null)
    .map(([code]) => code)
  if (domain.all || wholeProjects.length === domain.projects.size) return []
  return [
    sql`(
      t.project_code = any(${wholeProjects})
      or t.cashier_id = ${scope.operatorId}
      or t.record_id in (select t.id from pay_record t where ${tenantFilter(payRecord, scope)})
      or exists (
        select
        from jsonb_array_elements(t.lines) line
        join bill b on b.owner_id = ${ownerId} and b.id = (line ->> 'billId')::bigint
        where b.id in (select t.id from bill t where ${tenantFilter(bill, scope)})
      )
    )`,
  ]
}

/** Refuses an order of other buildings. */
export async function assertOrderInDomain(db: Pick<Db, 'one'>, scope: Scope, id: Id): Promise<void> {
  const conditions = orderDomainConditions(scope)
  if (!conditions.length) return
  const found = await db.one(sql`
    select t.id
    from pay_order t
    where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${sql.join(conditions, sql` and `)}
  `)
  if (!found) throw outOfDomain()
}
