import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import type { FeeStandard, StandardVersion } from '#modules/fees/contract/standard.ts'
import { registerVersionUsage, registerBilledRelations } from '#modules/fees/server/public.ts'
import { billsOfRelation } from './relation-bills.ts'
import { effectiveStates } from './bill-states.ts'
import { billState } from '../contract/choices.ts'

// Prices and standards that bills were computed with cannot be deleted (FEE-5, FEE-6). Needs bill_source
// and bill_standard.
registerDependentRows('feeStandard', {
  label: '账单',
  table: 'bill',
  where: (standard: FeeStandard) => sql`standard_id = ${standard.id}`,
  atMost: 1000,
})

registerDependentRows('feeStandardVersion', {
  label: '账单',
  table: 'bill',
  where: (version: StandardVersion) => sql`standard_id = ${version.standardId}
    and end_date >= ${version.effectiveDate}
    and state in ${effectiveStates}`,
  atMost: 1000,
})

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
