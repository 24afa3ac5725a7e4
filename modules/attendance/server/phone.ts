import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { dayState } from '../contract/choices.ts'
import { attendanceLog, getMyAttendance, punchByPhone } from '../contract/log.ts'
import { minuteOf } from '../domain/intervals.ts'
import { judgePosition, type PunchPlaceRule, type PunchWifi } from '../domain/place.ts'
import { timesText } from '../domain/shift.ts'
import { loadInputs } from './inputs.ts'
import { spanOfMonth } from './people.ts'
import { computePerson } from './person-days.ts'
import { addPunches } from './punches.ts'

export interface Myself {
  readonly id: Id
  readonly name: string
  readonly groupName?: string
  readonly allowsPhone?: boolean
  readonly places?: readonly PunchPlaceRule[]
  readonly wifis?: readonly PunchWifi[]
}

/** The person behind the account, with the rules of their group. */
export const findMyself = (db: Db, { ownerId, operatorId }: Scope, today: Day): Promise<Myself | undefined> =>
  db.one<Myself>(sql`
    select s.id, s.name, g.group_name, g.allows_phone, g.places, g.wifis
    from staff s
    left join attendance_member m on m.owner_id = ${ownerId}
      and m.staff_id = s.id
      and m.begin_date <= ${today}::date
      and coalesce(m.end_date, ${today}::date) >= ${today}::date
      and ${notDeleted('m')}
    left join attendance_group g on g.owner_id = ${ownerId} and g.id = m.group_id
    where s.owner_id = ${ownerId}
      and s.manager_id = ${operatorId}
      and s.state <> ${code(staffState, 'left')}
      and ${notDeleted('s')}
    order by s.id
    limit 1
  `)

function refusalOf(me: Myself | undefined): string | undefined {
  if (!me) return '当前账号未关联员工，请联系人事在通讯录中关联登录账号'
  if (me.groupName === undefined) return '未加入考勤组，请联系考勤负责人'
  return me.allowsPhone ? undefined : `考勤组「${me.groupName}」未开启手机打卡`
}

interface MyDay {
  readonly workDate: Day
  readonly state?: number
  readonly inTime?: Moment
  readonly outTime?: Moment
  readonly lateMinutes: number
  readonly earlyMinutes: number
  readonly isOpen: boolean
}

async function todaysPlan(
  db: Db,
  scope: Scope,
  id: Id,
  today: Day,
  now: Moment,
): Promise<string | undefined> {
  const span = { from: today, to: today }
  const inputs = await loadInputs(db, scope.ownerId, [id], span, false)
  const [day] = computePerson(inputs, id, span, minuteOf(now)).days
  if (!day) return undefined
  const { plan } = day
  if (plan.kind === 'shift') return `${plan.shift.shiftName} ${timesText(plan.shift.segments)}`
  return { free: '自由工时', rest: '休息', unscheduled: '未排班' }[plan.kind]
}

export const phoneHandlers = [
  reads(getMyAttendance, async ({ month }, { db, scope, today, now }) => {
    const me = await findMyself(db, scope, today)
    const punchRefusal = refusalOf(me)
    const refusal = punchRefusal === undefined ? {} : { punchRefusal }
    if (!me) return { ...refusal, punches: [], days: [] }
    const span = spanOfMonth(month)
    const [days, punches] = await db.all(
      sql<MyDay>`
        select work_date, coalesce(manual_state, state) as state, in_time, out_time, late_minutes, early_minutes,
          is_open
        from attendance_day
        where owner_id = ${scope.ownerId} and staff_id = ${me.id} and work_date between ${span.from} and ${span.to}
        order by work_date`,
      sql<{ punchTime: Moment; place?: string }>`
        select punch_time, place
        from attendance_log
        where owner_id = ${scope.ownerId}
          and staff_id = ${me.id}
          and punch_time >= ${`${today} 00:00:00`}::timestamptz
          and ${notDeleted()}
        order by punch_time`,
    )
    const planText = await todaysPlan(db, scope, me.id, today, now)
    return {
      ...refusal,
      staffName: me.name,
      ...(me.groupName === undefined ? {} : { groupName: me.groupName }),
      ...(planText === undefined ? {} : { planText }),
      punches,
      days: days.map(({ state, ...day }) => {
        const known = state === undefined ? undefined : keyOf(dayState, state)
        return known === undefined ? day : { ...day, state: known }
      }),
    }
  }),
  writes(punchByPhone, async (position, { tx, scope, today, now }) => {
    const me = await findMyself(tx, scope, today)
    const refusal = refusalOf(me)
    if (!me || refusal) return refuse(refusal ?? '')
    const judged = judgePosition(position, me.places ?? [], me.wifis ?? [])
    if ('refusal' in judged) return refuse(judged.refusal)
    const added = await addPunches(
      tx,
      scope,
      [{ staffId: me.id, punchTime: now, source: 'phone', place: judged.place }],
      now,
    )
    const [id] = added.values()
    if (id === undefined) return refuse('刚刚已打卡，无需重复')
    return requireById(tx, attendanceLog, scope, id)
  }),
]
