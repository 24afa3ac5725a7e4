import type { Id } from '#kit/domain/id.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { monthOf } from '#kit/domain/month.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { applications } from '../contract/apply.ts'
import { applyState, applyType } from '../contract/choices.ts'
import { minuteOf } from '../domain/intervals.ts'
import { dueMinutesWithin } from '../domain/day.ts'
import { loadInputs } from './inputs.ts'
import type { Span } from './people.ts'
import { affectedSpan, computePerson } from './person-days.ts'

/** One document lasts this long at most. */
const maxDays = 366

export type ApplyDraft = NonNullable<typeof applications.add.input.T>

/** A document that is stored already is no rival of itself. */
export type CheckedDraft = ApplyDraft & { readonly id?: Id | undefined }

/** What the rules ask: also of a person who sends it in again from the screens of the approvals. */
export type RulesContext = Pick<WriteContext, 'tx' | 'scope' | 'today' | 'now'>

const isAnother = (id: Id = 0) => sql`id <> ${id}`

export const lasting: readonly ApplyDraft['applyType'][] = ['leave', 'overtime', 'out', 'trip']

/** The rules of mending of the group that the person belongs to on the day (ATT-11). */
export async function mendRules(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  staffId: Id,
  day: Day,
  exceptId: Id = 0,
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
          and a.id <> ${exceptId}
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
    faults.push({ Field: 'BeginTime', Message: '请填写开始时间' })
  }
  if (!endTime) {
    faults.push({ Field: 'EndTime', Message: '请填写结束时间' })
  }
  if (beginTime && endTime && endTime <= beginTime) {
    faults.push({ Field: 'EndTime', Message: '结束时间应晚于开始时间' })
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
  { id, applyType: type, staffId, beginTime, endTime }: CheckedDraft,
  { tx, scope }: RulesContext,
): Promise<FieldFault[]> {
  const rivals = type === 'overtime' ? codes(applyType, 'overtime') : codes(applyType, 'leave', 'out', 'trip')
  const other = await tx.one<{ begin: Moment; end: Moment }>(sql`
    select begin_time as begin, end_time as "end"
    from attendance_apply
    where owner_id = ${scope.ownerId}
      and staff_id = ${staffId}
      and apply_type in ${rivals}
      and state in ${codes(applyState, 'pending', 'passed')}
      and begin_time < ${endTime}::timestamptz
      and end_time > ${beginTime}::timestamptz
      and ${isAnother(id)}
      and ${notDeleted()}
    limit 1
  `)
  if (!other) return []
  return [
    { Field: 'BeginTime', Message: `与 ${other.begin.slice(0, 16)} 至 ${other.end.slice(0, 16)} 的单据重叠` },
  ]
}

async function mendFaults(draft: CheckedDraft, c: RulesContext): Promise<FieldFault[]> {
  const { tx, scope, today, now } = c
  const { id, staffId, beginTime } = draft
  if (!beginTime) return [{ Field: 'BeginTime', Message: '请填写补卡时间' }]
  if (beginTime > now) return [{ Field: 'BeginTime', Message: '补卡时间不能晚于现在' }]
  const day = dayOfMoment(beginTime)
  const rules = await mendRules(tx, scope, staffId, day, id)
  if (!rules) return [{ Field: 'StaffId', Message: '该员工当日不在考勤组' }]
  if (daysBetween(day, today) > rules.mendDays)
    return [{ Field: 'BeginTime', Message: `已超过补卡期限 ${rules.mendDays} 天` }]
  if (rules.mendCount >= rules.mendLimit)
    return [{ Field: 'StaffId', Message: `当月已补卡 ${rules.mendCount} 次，每月最多 ${rules.mendLimit} 次` }]
  return (await hasMend(tx, scope, { id, staffId, time: beginTime }))
    ? [{ Field: 'BeginTime', Message: '该时间已申请补卡，无需重复' }]
    : []
}

interface MendedTime {
  readonly id: Id | undefined
  readonly staffId: Id
  readonly time: Moment
}

async function hasMend(tx: Tx, { ownerId }: Scope, { id, staffId, time }: MendedTime): Promise<boolean> {
  const found = await tx.one(sql`
    select 1 as found
    from attendance_apply
    where owner_id = ${ownerId}
      and staff_id = ${staffId}
      and apply_type = ${code(applyType, 'mend')}
      and begin_time = ${time}::timestamptz
      and ${isAnother(id)}
      and state in ${codes(applyState, 'pending', 'passed')}
      and ${notDeleted()}
    limit 1
  `)
  return found !== undefined
}

function swapFaults({ workDay, restDay }: ApplyDraft): FieldFault[] {
  if (!workDay && !restDay) return [{ Field: 'WorkDay', Message: '请填写上班日或休息日' }]
  if (workDay && workDay === restDay) return [{ Field: 'RestDay', Message: '上班日与休息日不能是同一天' }]
  return []
}

/** Holds the person: two documents of one person are checked one after the other. */
export const lockPerson = (tx: Tx, scope: Scope, staffId: Id): Promise<unknown> =>
  tx.rows(sql`
    select id
    from attendance_member
    where owner_id = ${scope.ownerId} and staff_id = ${staffId} and ${notDeleted()}
    order by id
    for update
  `)

/** Leave is taken from work that is due; without any there is nothing to leave. */
async function leaveFaults(draft: ApplyDraft, { tx, scope, now }: RulesContext): Promise<FieldFault[]> {
  const { applyType: type, beginTime, endTime } = draft
  if (type !== 'leave' || !beginTime || !endTime) return []
  const time = { begin: minuteOf(beginTime), end: minuteOf(endTime) }
  const from = dayOfMoment(beginTime)
  const to = dayOfMoment(endTime)
  const days = await planDays(draft.staffId, affectedSpan(from, to), { db: tx, scope, now })
  const asked = days.filter(({ date }) => date >= from && date <= to)
  if (!asked.length) return [{ Field: 'BeginTime', Message: '该员工当日不在考勤组或免考勤，不能请假' }]
  const isDue = asked.some(({ plan }) => plan.kind === 'free')
  if (isDue || days.some(({ plan }) => dueMinutesWithin(plan, time) > 0)) return []
  return [{ Field: 'BeginTime', Message: '所选时间无需出勤，请假时长为 0，请更换时间' }]
}

export async function applyFaults(draft: CheckedDraft, c: RulesContext): Promise<FieldFault[]> {
  await lockPerson(c.tx, c.scope, draft.staffId)
  if (draft.applyType === 'mend') return mendFaults(draft, c)
  if (draft.applyType === 'swap') return swapFaults(draft)
  const faults = lastingFaults(draft)
  if (faults.length) return faults
  const overlaps = await overlapFault(draft, c)
  return overlaps.length ? overlaps : leaveFaults(draft, c)
}

interface PlanContext {
  readonly db: Db
  readonly scope: Scope
  readonly now: Moment
}

/** The days of a person with what they have to do, those of closed months too. */
async function planDays(staffId: Id, span: Span, { db, scope, now }: PlanContext) {
  const inputs = await loadInputs(db, scope.ownerId, [staffId], span, false)
  return computePerson({ ...inputs, closedMonths: new Set() }, staffId, span, minuteOf(now)).days
}

const hundredths = (value: number): string => String(Math.round(value * 100) / 100)

/**
 * How long a document lasts in working time, and how many working days; overtime by the clock. Minutes of
 * days without a shift do not count.
 */
export async function lengthOf(
  draft: Pick<ApplyDraft, 'applyType' | 'staffId' | 'beginTime' | 'endTime'>,
  { db, scope, now }: PlanContext,
): Promise<{ readonly hours?: string; readonly days?: string }> {
  const { applyType: type, staffId, beginTime, endTime } = draft
  if (!beginTime || !endTime || endTime <= beginTime || !lasting.includes(type)) return {}
  const whole = { begin: minuteOf(beginTime), end: minuteOf(endTime) }
  if (type === 'overtime') return { hours: hundredths((whole.end - whole.begin) / 60) }
  const span = affectedSpan(dayOfMoment(beginTime), dayOfMoment(endTime))
  const days = await planDays(staffId, span, { db, scope, now })
  const parts = days.map(
    ({ plan }) => [dueMinutesWithin(plan, whole), dueMinutesWithin(plan, always)] as const,
  )
  return {
    hours: hundredths(parts.reduce((sum, [minutes]) => sum + minutes, 0) / 60),
    days: hundredths(parts.reduce((sum, [minutes, due]) => sum + (due ? minutes / due : 0), 0)),
  }
}

const always = { begin: 0, end: Infinity }
