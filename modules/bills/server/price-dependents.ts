import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { registerVersionUsage, registerBilledRelations } from '#modules/fees/server/public.ts'
import { billsOfRelation } from './relation-bills.ts'
import { effectiveStates } from './bill-states.ts'
import { billState } from '../contract/choices.ts'

// Prices and standards that bills were computed with cannot be deleted (FEE-5, FEE-6). Needs bill_source
// and bill_standard.
registerDependents('feeStandard', async (tx, scope, [standardId]) => [
  {
    label: '账单',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from (
          select 1
          from bill
          where owner_id = ${scope.ownerId} and standard_id = ${standardId.id} and ${notDeleted()}
          limit 1000
        ) x
      `,
      ),
    ).n,
  },
])

registerDependents('feeStandardVersion', async (tx, scope, [value]) => [
  {
    label: '账单',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from (
          select 1
          from bill
          where owner_id = ${scope.ownerId}
            and standard_id = ${value.standardId}
            and end_date >= ${value.effectiveDate}
            and ${notDeleted()}
            and state in ${effectiveStates}
          limit 1000
        ) x
      `,
      ),
    ).n,
  },
])

registerBilledRelations(async (tx, ownerId, ids) =>
  (
    await tx.rows<{ id: Id }>(
      sql`
        select r.id
        from fee_relation r
        where r.owner_id = ${ownerId}
          and r.id = any(${[...ids]})
          and exists (
            select 1 from bill b where ${billsOfRelation(ownerId, 'b', 'r')} and ${notDeleted('b')} offset 0
          )
      `,
    )
  ).map(r => r.id),
)

registerVersionUsage(
  async (db, ownerId, standardId, versions, limit) =>
    new Map(
      (
        await db.rows<{
          id: Id
          bills: number
          paid: number
        }>(sql`
          select v.id, u.*
          from unnest(${[...versions]}::bigint[]) as v(id)
          cross join lateral (
            select count(*)::int as bills, count(*) filter (where x.paid)::int as paid
            from (
              select b.paid_principal > 0 or b.late_fee_paid > 0 as paid
              from bill b
              where b.owner_id = ${ownerId}
                and b.standard_id = ${standardId}
                and ${notDeleted('b')}
                and b.state <> ${code(billState, 'abolished')}
                and b.calc_snapshot @> jsonb_build_object(
                  'parts', jsonb_build_array(jsonb_build_object('version', v.id))
                )
              limit ${limit}
            ) x
          ) u
        `)
      ).map(u => [u.id, u]),
    ),
)
