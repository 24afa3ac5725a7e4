import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import { activity, maxPinned, pinActivity } from '../contract/activity.ts'
import { pinFault } from '../domain/activity.ts'

/** Two who pin at once are counted one after the other. */
const lockPins = (tx: Tx, ownerId: Id, projectCode: string): Promise<unknown> =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`activity pins ${ownerId} ${projectCode}`}, 0))`,
  )

const pinnedOf = (tx: Tx, ownerId: Id, projectCode: string): Promise<{ id: Id; topSort: number }[]> =>
  tx.rows(sql`
    select id, top_sort
    from activity
    where owner_id = ${ownerId} and project_code = ${projectCode} and top_sort > 0 and ${notDeleted()}
    order by top_sort
  `)

export const pinHandler = writes(pinActivity, async ({ id, isPinned = true }, { tx, scope }) => {
  const { ownerId } = scope
  const { projectCode } = await requireById(tx, activity, scope, id)
  await lockPins(tx, ownerId, projectCode)
  const before = await requireById(tx, activity, scope, id, { lock: true })
  if (!isPinned) {
    if (before.topSort === 0) refuse('该活动未置顶')
    return update(tx, activity, scope, id, { topSort: 0 })
  }
  const fault = pinFault(before)
  if (fault !== undefined) refuse(fault)
  if (before.topSort > 0) refuse('该活动已置顶')
  const pinned = await pinnedOf(tx, ownerId, projectCode)
  if (pinned.length >= maxPinned) refuse(`最多置顶 ${maxPinned} 个活动，请先取消其他活动的置顶`)
  return update(tx, activity, scope, id, { topSort: (pinned.at(-1)?.topSort ?? 0) + 1 })
})
