import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { findHomes } from '#modules/resident-page/server/public.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { cancelSource, signState } from '../contract/choices.ts'
import { activitySign } from '../contract/sign.ts'
import { movesUp } from '../domain/activity.ts'
import { planMoveUp, type MoveUpPlan, type Waiting } from '../domain/move-up.ts'
import type { ActivityContext } from './context.ts'
import { billSigns } from './fee-bills.ts'
import { notifyMovedUp, notifySignCancelled } from './messages.ts'

/** Those who wait, in order, with what they live in now. */
async function findQueue({ tx, scope }: ActivityContext, id: Id): Promise<Waiting[]> {
  const { ownerId } = scope
  const queue = await tx.rows<Omit<Waiting, 'homes'>>(sql`
    select s.id, s.user_id, s.room_id, s.person_count
    from activity_sign s
    where s.owner_id = ${ownerId}
      and s.activity_id = ${id}
      and s.state = ${code(signState, 'waiting')}
      and ${notDeleted('s')}
    order by s.wait_no, s.id
  `)
  const homes = await findHomes(
    tx,
    ownerId,
    queue.map(({ userId }) => userId),
  )
  return queue.map(sign => ({ ...sign, homes: homes.get(sign.userId) ?? [] }))
}

async function endWaiting({ tx, scope }: ActivityContext, ended: MoveUpPlan['ended']): Promise<void> {
  if (!ended.length) return
  const rows = ended.map(({ id, reason }) => ({ id, reason }))
  await tx.execute(sql`
    update activity_sign t
    set state = ${code(signState, 'cancelled')}, cancel_time = ${scope.time}::timestamptz,
      cancel_by = ${code(cancelSource, 'staff')}, cancel_reason = r.reason, ${touch(scope, 't')}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, reason text)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

async function takeUpPlaces({ tx, scope }: ActivityContext, moved: MoveUpPlan['moved']): Promise<void> {
  if (!moved.length) return
  const rows = moved.map(({ id, roomId = null }) => ({ id, room_id: roomId }))
  await tx.execute(sql`
    update activity_sign t
    set state = ${code(signState, 'signed')}, room_id = r.room_id, ${touch(scope, 't')}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, room_id bigint)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

const personsOf = (signs: readonly { readonly personCount: number }[]): number =>
  signs.reduce((sum, { personCount }) => sum + personCount, 0)

const nobody: MoveUpPlan = { moved: [], ended: [] }

/** Who waits moves up in order, as far as there are places (`planMoveUp`). The activity is locked. */
async function moveUp(c: ActivityContext, id: Id): Promise<MoveUpPlan> {
  const { tx, scope, now } = c
  const { ownerId } = scope
  const of = await requireById(tx, activity, scope, id)
  const hasFree = of.quota === 0 || of.signCount < of.quota
  if (!hasFree || of.waitCount === 0 || !movesUp(of, now)) return nobody
  const plan = planMoveUp(of, await findQueue(c, id))
  const { moved, ended } = plan
  await endWaiting(c, ended)
  await takeUpPlaces(c, moved)
  await tx.execute(sql`
    update activity
    set sign_count = sign_count + ${personsOf(moved)}::integer,
      wait_count = wait_count - ${personsOf(moved) + personsOf(ended)}::integer
    where owner_id = ${ownerId} and id = ${id}
  `)
  const ids = [...moved, ...ended].map(each => each.id)
  publishRecordsWritten(tx, ownerId, { entity: activitySign.name, action: 'update', ids })
  return plan
}

/** Nobody's place waits for a bill: it is written down that the fee is to be collected otherwise. */
async function billMovedUp(c: ActivityContext, of: Activity, moved: MoveUpPlan['moved']): Promise<void> {
  const ids = moved.map(({ id }) => id)
  const unbilled = await billSigns(c, of.id, ids)
  if (!unbilled.length) return
  await audit(c.tx, c.scope, [
    {
      action: 'state',
      entity: activity.name,
      entityId: of.id,
      projectCode: of.projectCode,
      reason: `递补的 ${unbilled.length} 个报名没有房屋，未出账单，请在收银台收取费用`,
    },
  ])
}

/** Those who have places now get their bills and are notified; `caller` sees it at once. */
export async function moveUpAndNotify(c: ActivityContext, of: Activity, caller?: Id): Promise<void> {
  const { moved, ended } = await moveUp(c, of.id)
  await billMovedUp(c, of, moved)
  await notifyMovedUp(
    c,
    of,
    moved.filter(({ id }) => id !== caller),
  )
  const excluded = ended.filter(({ hasLeft }) => !hasLeft)
  const [first] = excluded
  if (!first) return
  await notifySignCancelled(
    c,
    of,
    excluded.map(({ userId }) => userId),
    { reason: first.reason, isPaid: false },
  )
}
