import { asId, type Id } from '#kit/domain/id.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { monthOf } from '#kit/domain/month.ts'
import { invalidField, invalidInput, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { requireById, requireByIds, updateAll } from '#kit/server/table.ts'
import {
  applications,
  attendanceApply,
  cancelApplications,
  getLeaveDetail,
  getMendDetail,
  type AttendanceApply,
} from '../contract/apply.ts'
import { applyState, applyType, punchSource } from '../contract/choices.ts'
import { minuteOf } from '../domain/intervals.ts'
import { dueMinutesWithin } from '../domain/day.ts'
import { assertOpen } from './closed-months.ts'
import { loadInputs } from './inputs.ts'
import { addDepartments, departmentFilter } from './people.ts'
import { affectedSpan, computePerson } from './person-days.ts'
import { addPunches } from './punches.ts'
import { recomputePeople } from './recompute.ts'
import { writeSchedule } from './schedule.ts'

/** One document lasts this long at most. */
const maxDays = 366

type ApplyDraft = NonNullable<typeof applications.add.input.T>

const lasting: readonly ApplyDraft['applyType'][] = ['leave', 'overtime', 'out', 'trip']

/** The rules of mending of the group that the person belongs to on the day (ATT-11). */
async function mendRules(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  staffId: Id,
  day: Day,
): Promise<
  { readonly mendLimit: number; readonly mendDays: number; readonly mendCount: number } | undefined
> {
  return db.one(sql`
    select g.mend_limit, g.mend_days, (
        select count(*)::int
        from attendance_apply a
        where a.owner_id = ${ownerId}
          and a.staff_id = ${staffId}
          and a.apply_type = ${code(applyType, 'mend')}
          and to_char(a.mend_date, 'YYYY-MM') = ${monthOf(day)}
          and a.state in ${codes(applyState, 'pending', 'passed')}
          and ${notDeleted('a')}
      ) as mend_count
    from attendance_member m
    join attendance_group g on g.owner_id = ${ownerId} and g.id = m.group_id
    where m.owner_id = ${ownerId}
      and m.staff_id = ${staffId}
      and m.begin_date <= ${day}::date
      and coalesce(m.end_date, ${day}::date) >= ${day}::date
      and ${notDeleted('m')}
    limit 1
  `)
}

function lastingFaults({ applyType: type, leaveType, beginTime, endTime }: ApplyDraft): FieldFault[] {
  const faults: FieldFault[] = []
  if (!beginTime) {
    faults.push({ Field: 'BeginTime', Message: '请填写起始时间' })
  }
  if (!endTime) {
    faults.push({ Field: 'EndTime', Message: '请填写结束时间' })
  }
  if (beginTime && endTime && endTime <= beginTime) {
    faults.push({ Field: 'EndTime', Message: '结束时间应晚于起始时间' })
  }
  if (beginTime && endTime && daysBetween(dayOfMoment(beginTime), dayOfMoment(endTime)) > maxDays) {
    faults.push({ Field: 'EndTime', Message: '一张单据最长一年，请分开登记' })
  }
  if (type === 'leave' && !leaveType) {
    faults.push({ Field: 'LeaveType', Message: '请选择假别' })
  }
  return faults
}

async function overlapFault(
  { staffId, beginTime, endTime }: ApplyDraft,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  const other = await tx.one<{ begin: Moment; end: Moment }>(sql`
    select begin_time as begin, end_time as "end"
    from attendance_apply
    where owner_id = ${scope.ownerId}
      and staff_id = ${staffId}
      and apply_type in ${codes(applyType, 'leave', 'out', 'trip')}
      and state in ${codes(applyState, 'pending', 'passed')}
      and begin_time < ${endTime}::timestamptz
      and end_time > ${beginTime}::timestamptz
      and ${notDeleted()}
    limit 1
  `)
  if (!other) return []
  return [
    { Field: 'BeginTime', Message: `与 ${other.begin.slice(0, 16)} 至 ${other.end.slice(0, 16)} 的单据重叠` },
  ]
}

async function mendFaults(draft: ApplyDraft, { tx, scope, today, now }: WriteContext): Promise<FieldFault[]> {
  const { staffId, beginTime } = draft
  if (!beginTime) return [{ Field: 'BeginTime', Message: '请填写补卡时间' }]
  if (beginTime > now) return [{ Field: 'BeginTime', Message: '补卡时间不能晚于现在' }]
  const day = dayOfMoment(beginTime)
  const rules = await mendRules(tx, scope, staffId, day)
  if (!rules) return [{ Field: 'StaffId', Message: '该员工当日不在考勤组' }]
  if (daysBetween(day, today) > rules.mendDays)
    return [{ Field: 'BeginTime', Message: `已超过补卡期限 ${rules.mendDays} 天` }]
  if (rules.mendCount >= rules.mendLimit)
    return [{ Field: 'StaffId', Message: `当月已补卡 ${rules.mendCount} 次，每月最多 ${rules.mendLimit} 次` }]
  return []
}

function swapFaults({ workDay, restDay }: ApplyDraft): FieldFault[] {
  if (!workDay && !restDay) return [{ Field: 'WorkDay', Message: '请填写上班日或休息日' }]
  if (workDay && workDay === restDay) return [{ Field: 'RestDay', Message: '上班日与休息日不能是同一天' }]
  return []
}

/** Holds the person: two documents of one person are checked one after the other. */
const lockPerson = (tx: Tx, scope: Scope, staffId: Id): Promise<unknown> =>
  tx.rows(sql`
    select id
    from attendance_member
    where owner_id = ${scope.ownerId} and staff_id = ${staffId} and ${notDeleted()}
    order by id
    for update
  `)

/** The days that a document is about. */
export function daysOfApplication(
  apply: Pick<AttendanceApply, 'beginTime' | 'endTime' | 'workDay' | 'restDay'>,
): Day[] {
  const { beginTime, endTime, workDay, restDay } = apply
  return [beginTime && dayOfMoment(beginTime), endTime && dayOfMoment(endTime), workDay, restDay]
    .flatMap(day => (day ? [day] : []))
    .toSorted()
}

async function applyFaults(draft: ApplyDraft, c: WriteContext): Promise<FieldFault[]> {
  await lockPerson(c.tx, c.scope, draft.staffId)
  if (draft.applyType === 'mend') return mendFaults(draft, c)
  if (draft.applyType === 'swap') return swapFaults(draft)
  const faults = lastingFaults(draft)
  return faults.length || draft.applyType === 'overtime' ? faults : overlapFault(draft, c)
}

/** How long a document lasts in working time; overtime and days without a shift by the clock. */
async function hoursOf(draft: ApplyDraft, { tx, scope, now }: WriteContext): Promise<string | undefined> {
  const { applyType: type, staffId, beginTime, endTime } = draft
  if (!beginTime || !endTime || !lasting.includes(type)) return undefined
  const whole = { begin: minuteOf(beginTime), end: minuteOf(endTime) }
  if (type === 'overtime') return String(Math.round(((whole.end - whole.begin) * 100) / 60) / 100)
  const span = affectedSpan(dayOfMoment(beginTime), dayOfMoment(endTime))
  const inputs = await loadInputs(tx, scope.ownerId, [staffId], span, false)
  const { days } = computePerson({ ...inputs, closedMonths: new Set() }, staffId, span, minuteOf(now))
  const minutes = days.reduce((sum, { plan }) => sum + dueMinutesWithin(plan, whole), 0)
  return String(Math.round((minutes * 100) / 60) / 100)
}

/** The shift of a day that is worked instead of another: the one named, else that of the day given free. */
async function shiftOfSwap(
  { staffId, shiftId, restDay, workDay }: AttendanceApply,
  { tx, scope, now }: WriteContext,
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
export async function applyApprovedApplication(c: WriteContext, apply: AttendanceApply): Promise<void> {
  const { tx, scope, now } = c
  const { staffId, applyType: type, beginTime, workDay, restDay, reason } = apply
  const days = daysOfApplication(apply)
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to) return
  await assertOpen(tx, scope, days, workDay ? 'WorkDay' : 'BeginTime')
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
async function revokeApplication(c: WriteContext, apply: AttendanceApply): Promise<void> {
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

export const applyServer = crudHandlers(applications, {
  filter: (q, { scope }) => departmentFilter(q, scope),
  enrich: addDepartments,
  beforeInsert: async (draft, c) => {
    const faults = await applyFaults(draft, c)
    if (faults.length) throw invalidInput(faults)
    return {
      state: 'passed',
      registrar: c.scope.name,
      hours: await hoursOf(draft, c),
      mendDate: draft.applyType === 'mend' && draft.beginTime ? dayOfMoment(draft.beginTime) : undefined,
    }
  },
  afterInsert: (row, c) => applyApprovedApplication(c, row),
})

export const applyHandlers = [
  reads(getLeaveDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    return row.applyType === 'leave' ? row : refuse('该单据不是请假单')
  }),
  reads(getMendDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    if (row.applyType !== 'mend' || !row.mendDate) return refuse('该单据不是补卡单')
    const rules = await mendRules(db, scope, row.staffId, row.mendDate)
    return { ...row, mendCount: rules?.mendCount ?? 0, mendLimit: rules?.mendLimit ?? 0 }
  }),
  writes(cancelApplications, async ({ ids, reason }, c) => {
    const rows = await requireByIds(c.tx, attendanceApply, c.scope, ids, { lock: true })
    const ended = rows.find(({ state }) => state !== 'passed')
    if (ended) refuse('只有已通过的单据可以撤销')
    await assertOpen(c.tx, c.scope, rows.flatMap(daysOfApplication), 'Ids')
    await updateAll(c.tx, attendanceApply, c.scope, rows, { state: 'withdrawn' }, { action: 'state', reason })
    for (const row of rows) {
      await revokeApplication(c, row)
    }
  }),
]
