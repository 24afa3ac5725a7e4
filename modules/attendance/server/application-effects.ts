import { asId } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { punchSource } from '../contract/choices.ts'
import { minuteOf } from '../domain/intervals.ts'
import { assertOpen, assertSpanOpen } from './closed-months.ts'
import { loadInputs } from './inputs.ts'
import { affectedSpan, computePerson } from './person-days.ts'
import { addPunches } from './punches.ts'
import { recomputePeople } from './recompute.ts'
import { writeSchedule } from './schedule.ts'

/** What the effect of a document is written with: by who registers it, or by the last who approves it. */
type EffectContext = Pick<WriteContext, 'tx' | 'scope' | 'now'>

/** The days that a document is about. */
export function daysOfApplication(
  apply: Pick<AttendanceApply, 'beginTime' | 'endTime' | 'workDay' | 'restDay'>,
): Day[] {
  const { beginTime, endTime, workDay, restDay } = apply
  return [beginTime && dayOfMoment(beginTime), endTime && dayOfMoment(endTime), workDay, restDay]
    .flatMap(day => (day ? [day] : []))
    .toSorted()
}

/** Refuses a document whose days, the first to the last, lie in a closed month (ATT-12). */
export async function assertApplicationOpen(
  tx: Tx,
  scope: Scope,
  apply: AttendanceApply,
  field: string,
): Promise<void> {
  const days = daysOfApplication(apply)
  const [from, to] = [days[0], days.at(-1)]
  if (apply.applyType === 'swap' || !from) return assertOpen(tx, scope, days, field)
  return assertSpanOpen(tx, scope, { from, to }, field)
}

/** The shift of a day that is worked instead of another: the one named, else that of the day given free. */
async function shiftOfSwap(
  { staffId, shiftId, restDay, workDay }: AttendanceApply,
  { tx, scope, now }: EffectContext,
) {
  if (shiftId || !workDay) return shiftId
  const asked = restDay ?? workDay
  const span = { from: asked, to: asked }
  const inputs = await loadInputs(tx, scope.ownerId, [staffId], span, false)
  const [day] = computePerson({ ...inputs, closedMonths: new Set() }, staffId, span, minuteOf(now)).days
  if (day?.plan.kind === 'shift') return day.plan.shift.id
  throw invalidField('ShiftID', '休息日原无班次，请选择上班日的班次')
}

/**
 * The effect of a document that has been agreed to, in the transaction that agrees: a punch, a schedule, or
 * days that are computed with it (ATT-9, ATT-11).
 */
export async function applyApprovedApplication(c: EffectContext, apply: AttendanceApply): Promise<void> {
  const { tx, scope, now } = c
  const { staffId, applyType: type, beginTime, workDay, restDay, reason } = apply
  const days = daysOfApplication(apply)
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to) return
  await assertApplicationOpen(tx, scope, apply, type === 'swap' ? 'WorkDay' : 'BeginTime')
  if (type === 'mend' && beginTime) {
    const added = await addPunches(
      tx,
      scope,
      [{ staffId, punchTime: beginTime, source: 'mended', remark: reason.slice(0, 60) }],
      now,
    )
    if (!added.size) throw invalidField('BeginTime', '该时间已有补卡')
    return
  }
  if (type === 'swap') {
    const shiftId = await shiftOfSwap(apply, c)
    const cells = [
      ...(workDay ? [{ staffId, workDate: workDay, shiftId }] : []),
      ...(restDay ? [{ staffId, workDate: restDay, shiftId: asId(0) }] : []),
    ]
    await writeSchedule(c, cells, 'WorkDay')
    return
  }
  await recomputePeople(tx, scope, [staffId], affectedSpan(from, to), now)
}

/** Takes the effect back: the punch is left out of account, the schedule is as the group says. */
export async function revokeApplication(c: EffectContext, apply: AttendanceApply): Promise<void> {
  const { tx, scope, now } = c
  const { staffId, applyType: type, beginTime, workDay, restDay } = apply
  const days = daysOfApplication(apply)
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to) return
  if (type === 'mend' && beginTime) {
    await tx.execute(sql`
      update attendance_log
      set delete_tag = 1, update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId}
        and staff_id = ${staffId}
        and punch_time = ${beginTime}::timestamptz
        and source = ${code(punchSource, 'mended')}
        and ${notDeleted()}
    `)
  }
  if (type === 'swap') {
    const cells = [workDay, restDay].flatMap(workDate =>
      workDate ? [{ staffId, workDate, shiftId: undefined }] : [],
    )
    await writeSchedule(c, cells, 'WorkDay')
  }
  await recomputePeople(tx, scope, [staffId], affectedSpan(from, to), now)
}
