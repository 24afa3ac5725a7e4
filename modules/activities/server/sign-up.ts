import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { cancelSource, signState } from '../contract/choices.ts'
import { activitySign, type ActivitySign } from '../contract/sign.ts'
import { checkInRefusal, signCheckInRefusal, signUpRefusal } from '../domain/activity.ts'
import { lacksRoom, residentRoomRefusal } from '../domain/audience.ts'
import { abolishBills, billSigns } from './fee-bills.ts'
import { followBills } from './follow-bills.ts'
import { moveUpAndNotify } from './move-up.ts'
import { lockActivity, returnPlaces, takePlaces, takeQueuePlace } from './places.ts'
import type { ActivityContext } from './context.ts'

export interface NewSign {
  readonly activityId: Id
  readonly userId: Id
  readonly roomId?: Id | undefined
  readonly personCount: number
  readonly remark?: string | undefined
}

/** The sign-up of a resident that counts. */
export async function findOwnSign(
  { tx, scope }: Pick<ActivityContext, 'tx' | 'scope'>,
  activityId: Id,
  userId: Id,
): Promise<ActivitySign | undefined> {
  const [found] = await findAll(
    tx,
    activitySign,
    scope,
    {},
    {
      where: [
        sql`t.activity_id = ${activityId}
          and t.user_id = ${userId}
          and t.state <> ${code(signState, 'cancelled')}`,
      ],
      limit: 1,
    },
  )
  return found
}

/** One of them counts: the unique index refuses the second of two windows. */
async function insertSign(
  { tx, scope }: ActivityContext,
  { activityId, userId, roomId, personCount, remark }: NewSign,
  { projectCode, waitNo }: { readonly projectCode: string; readonly waitNo: number | undefined },
): Promise<Id> {
  const state = waitNo === undefined ? code(signState, 'signed') : code(signState, 'waiting')
  const stored = await tx.one<{ id: Id }>(sql`
    insert into activity_sign (
      owner_id, project_code, activity_id, user_id, room_id, person_count, state, wait_no, sign_time, remark,
      create_by, update_by
    )
    values (
      ${scope.ownerId}, ${projectCode}, ${activityId}, ${userId}, ${roomId ?? null}, ${personCount}, ${state},
      ${waitNo ?? null}, ${scope.time}::timestamptz, ${remark ?? null}, ${scope.operatorId},
      ${scope.operatorId}
    )
    on conflict do nothing
    returning id
  `)
  return stored?.id ?? refuse('已报名该活动，无需重复报名')
}

/**
 * Signs somebody up: with a place where there is one, else at the end of the queue (NOT-2). Who came between
 * the two statements and gave places back has them taken by the queue at once.
 */
export async function signUpFor(c: ActivityContext, asked: NewSign): Promise<ActivitySign> {
  const { tx, scope, now } = c
  const of = await requireById(tx, activity, scope, asked.activityId)
  if (asked.personCount > of.maxPersons) refuse(`每次最多报名 ${of.maxPersons} 人，请减少人数`)
  if (lacksRoom(of, asked)) refuse(residentRoomRefusal)
  const { projectCode } = of
  const hasPlace = await takePlaces(c, of.id, asked.personCount)
  const queued = hasPlace ? undefined : await takeQueuePlace(c, of.id, asked.personCount)
  if (!hasPlace && !queued) {
    const latest = await requireById(tx, activity, scope, of.id)
    return refuse(signUpRefusal(latest, asked.personCount, now) ?? '名额已满')
  }
  const id = await insertSign(c, asked, { projectCode, waitNo: queued?.waitNo })
  const unbilled = queued ? [] : await billSigns(c, of.id, [id])
  if (unbilled.length) refuse(residentRoomRefusal)
  if (queued?.hasFree === true) {
    await moveUpAndNotify(c, of, id)
  }
  publishRecordsWritten(tx, scope.ownerId, { entity: activitySign.name, action: 'insert', ids: [id] })
  publishRecordsWritten(tx, scope.ownerId, { entity: activity.name, action: 'update', ids: [of.id] })
  return requireById(tx, activitySign, scope, id)
}

interface Cancellation {
  readonly by: ChoiceOf<typeof cancelSource>
  readonly reason: string
}

/** Ends one sign-up; its places go to those who wait. The activity is locked. */
export async function cancelOne(
  c: ActivityContext,
  of: Activity,
  { id, personCount, state }: ActivitySign,
  { by, reason }: Cancellation,
): Promise<void> {
  const { tx, scope } = c
  if (state === 'checkedIn') refuse('已签到，请先撤销签到，再取消报名')
  await abolishBills(c, [id], { by, reason: `报名已取消：${reason}` })
  const ended = await tx.one<{ wasWaiting: boolean }>(sql`
    update activity_sign t
    set state = ${code(signState, 'cancelled')}, cancel_time = ${scope.time}::timestamptz,
      cancel_by = ${code(cancelSource, by)}, cancel_reason = ${reason}, ${touch(scope, 't')}
    from (
      select s.id, s.state = ${code(signState, 'waiting')} as was_waiting
      from activity_sign s
      where s.owner_id = ${scope.ownerId} and s.id = ${id}
      for update
    ) before
    where t.owner_id = ${scope.ownerId}
      and t.id = before.id
      and t.state in ${codes(signState, 'signed', 'waiting')}
      and ${notDeleted('t')}
    returning before.was_waiting
  `)
  if (!ended) refuse('报名已取消，无需再次取消')
  await returnPlaces(c, of.id, ended?.wasWaiting ? { waiting: personCount } : { signed: personCount })
  await followBills(tx, scope, [id])
  await moveUpAndNotify(c, of)
  publishRecordsWritten(tx, scope.ownerId, { entity: activitySign.name, action: 'update', ids: [id] })
  publishRecordsWritten(tx, scope.ownerId, { entity: activity.name, action: 'update', ids: [of.id] })
}

/**
 * The sign-up, with its activity locked, without which no step changes it. The sign-up itself is not: a
 * payment locks its bill first.
 */
export async function lockSign(
  c: ActivityContext,
  id: Id,
): Promise<{ readonly of: Activity; readonly sign: ActivitySign }> {
  const { tx, scope } = c
  const found = await requireById(tx, activitySign, scope, id)
  const of = await lockActivity(c, found.activityId)
  return { of, sign: await requireById(tx, activitySign, scope, id) }
}

async function setCheckedIn(
  { tx, scope }: ActivityContext,
  { id, activityId, personCount }: ActivitySign,
  time: Moment | undefined,
): Promise<void> {
  const isIn = time !== undefined
  await tx.execute(sql`
    update activity_sign
    set state = ${isIn ? code(signState, 'checkedIn') : code(signState, 'signed')},
      check_in_time = ${time ?? null}::timestamptz, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
  await tx.execute(sql`
    update activity
    set check_in_count = check_in_count + ${isIn ? personCount : -personCount}::integer
    where owner_id = ${scope.ownerId} and id = ${activityId}
  `)
  publishRecordsWritten(tx, scope.ownerId, { entity: activitySign.name, action: 'update', ids: [id] })
  publishRecordsWritten(tx, scope.ownerId, { entity: activity.name, action: 'update', ids: [activityId] })
}

/** Somebody has come, once. */
export async function checkInOne(c: ActivityContext, of: Activity, sign: ActivitySign): Promise<void> {
  const fault = checkInRefusal(of, c.now) ?? signCheckInRefusal(sign.state)
  if (fault !== undefined) refuse(fault)
  await setCheckedIn(c, sign, c.now)
}

export async function undoCheckInOne(c: ActivityContext, sign: ActivitySign): Promise<void> {
  if (sign.state !== 'checkedIn') refuse('未签到，无需撤销')
  await setCheckedIn(c, sign, undefined)
}
