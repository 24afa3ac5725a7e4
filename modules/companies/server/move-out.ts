import { refuse, wrong } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { need, byIds, rows, update } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { actMove, mayMove, movingOf, stayers } from '#modules/residents/server/public.ts'
import { company, companyRoom, moveOut } from '../contract/company.ts'
import { importState } from '../contract/transfer.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { keyOf } from '#kit/contract/field.ts'
import { oneDressed } from './company.ts'
import { endRooms } from './room.ts'

export const moveOutHandlers = [
  // BASE-16: BASE-11 for every room, and all workers lose access.
  writes(moveOut, async ({ id, outDate, reason, answers }, { tx, scope, today }) => {
    const before = await need(tx, company, scope, id, true)
    if (before.state === 'gone') return refuse(`「${before.name}」已于 ${before.outDate} 迁出`)
    if (outDate > today) throw wrong([{ Field: 'OutDate', Message: '迁出日期不能晚于今天，请到当天再办理' }])
    if (before.inDate && outDate < before.inDate) throw wrong([{ Field: 'OutDate', Message: `${before.inDate} 才入驻，迁出日期不能早于它` }])
    const places = await rows(tx, companyRoom, scope, {}, { where: [sql`t.company_id = ${id}`, sql`(t.end_date is null or t.end_date > ${outDate})`] })
    const all = await byIds(tx, room, scope, [...new Set(places.map(p => p.roomId))], true)
    for (const r of all) {
      const stays = await stayers(tx, scope, r.id)
      const m = movingOf('moveOut', tx, { scope, today, day: outDate, reason, said: answers }, r, [], stays, { company: { id, name: before.name } })
      await mayMove(m)
      await actMove({ ...m, tx })
    }
    await endRooms(tx, scope, places, outDate, today, reason)
    await tx.run(sql`update company_worker set state = 20, is_admin = false, out_date = ${outDate}, version = version + 1, update_time = now(), update_by = ${scope.operatorId} where owner_id = ${scope.ownerId} and company_id = ${id} and delete_tag = 0 and state <> 20`)
    // Nobody joins a company that is gone.
    await tx.run(sql`update company set search_code = null where owner_id = ${scope.ownerId} and id = ${id}`)
    return oneDressed(tx, scope, await update(tx, company, scope, id, { state: 'gone', outDate }, { reason }), today)
  }),
  reads(importState, async ({ taskId }, { db, scope }) => {
    const found = await db.one<{ id: number; state: number; done: number; total?: number; success: number; fail: number; skipped: number; message?: string }>(sql`select id, state, done, total, success, fail, skipped, message from task_center
      where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId} and kind = 'import.companies.company' and delete_tag = 0 ${taskId ? sql`and id = ${taskId}` : sql``} order by id desc limit 1`)
    if (!found) return {}
    const { id, state, ...rest } = found
    return { taskId: id, state: keyOf(taskState, state)!, ...rest }
  }),
]
