import { addDays, addMonths, firstOfMonth, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Store } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { generateNow } from '#modules/bills/server/generate.ground.ts'
import { sharePool } from '#modules/fees/contract/relation.ts'

/** How far relations are billed before the demo's own bills: the three months before the running one are billed by the engine itself. */
export const billedBefore = (today: Day): Day => addDays(firstOfMonth(addMonths(today, -3)), -1)

/** The last three months of an estate, each month its own batch made on its first day; the running month is left for whoever tries the wizard. */
export async function layBills(store: Store, who: Scope, project: string, today: Day): Promise<void> {
  for (const back of [3, 2, 1]) {
    const day = firstOfMonth(addMonths(today, -back))
    const run = await generateNow(store, who, project, monthOf(day), day)
    // As if it had been made then: lists and histories are ordered by it.
    await store.tx(who.ownerId, async tx => {
      await tx.run(sql`update bill_run set create_time = ${`${day} 02:00:04`}::timestamptz, end_time = ${`${day} 02:00:19`}::timestamptz, kind = 20 where owner_id = ${who.ownerId} and id = ${run.id}`)
      await tx.run(sql`update bill set create_time = ${`${day} 02:00:10`}::timestamptz, update_time = ${`${day} 02:00:10`}::timestamptz where owner_id = ${who.ownerId} and batch_no = ${run.batchNo}`)
    })
  }
}
/** A common cost that waits to be shared. */
export const layPool = (store: Store, who: Scope, project: string, today: Day): Promise<void> => store.tx(who.ownerId, async tx => {
  const s = await tx.one<{ id: number; feeItemId: number }>(sql`select id, fee_item_id from fee_standard where owner_id = ${who.ownerId} and project_code = ${project} and code = 'GT01' and delete_tag = 0`)
  if (!s) return
  await tx.run(sql`insert into fee_relation (owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code, fee_item_id, standard_id, begin_date, multi, state)
    select ${who.ownerId}::bigint, ${who.operatorId}::bigint, ${who.operatorId}::bigint, project_code, 10, code, path, build_code, ${s.feeItemId}::bigint, ${s.id}::bigint, '2022-01-01', false, 10 from room where owner_id = ${who.ownerId} and project_code = ${project} and room_type = 1 and delete_tag = 0`)
  await insertAll(tx, sharePool, who, [{ projectCode: project, name: '公共照明与电梯用电', standardId: s.id, feeItemId: s.feeItemId, month: monthOf(addMonths(today, -1)), weightType: 'area', totalAmount: 1_864_250, vacantIncluded: true, dayWeight: false, state: 'open', remark: '供电公司账单' }])
})
