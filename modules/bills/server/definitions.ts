import { sql } from '#kit/server/db.ts'
import { holds } from '#kit/server/guard.ts'
import { relationsWithBills } from '#modules/fees/server/public.ts'

// FEE-5, FEE-6: what bills were made by stays. Needs bill_relation and bill_standard.
holds('feeStandard', async (tx, scope, [s]) => [{ what: '账单', count: (await tx.one<{ n: number }>(sql`select count(*)::int as n from (select 1 from bill where owner_id = ${scope.ownerId} and standard_id = ${s.id} and delete_tag = 0 limit 1000) x`))!.n }])
holds('feeStandardVersion', async (tx, scope, [v]) => [{ what: '账单', count: (await tx.one<{ n: number }>(sql`select count(*)::int as n from (select 1 from bill where owner_id = ${scope.ownerId} and standard_id = ${v.standardId} and end_date >= ${v.effectiveDate} and delete_tag = 0 and state in (10, 20, 50) limit 1000) x`))!.n }])
relationsWithBills(async (tx, owner, ids) => (await tx.rows<{ id: number }>(sql`select distinct relation_id as id from bill where owner_id = ${owner} and relation_id = any(${[...ids]}) and delete_tag = 0`)).map(r => r.id))
