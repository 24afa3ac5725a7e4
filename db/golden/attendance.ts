import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import { momentAt } from '#kit/domain/moment.ts'
import { codeOf, keysOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { punchSource, weekDay } from '#modules/attendance/contract/choices.ts'
import { attendanceApply, attendanceExemption } from '#modules/attendance/contract/apply.ts'
import { attendanceGroup, attendanceMember } from '#modules/attendance/contract/group.ts'
import { attendanceDevice } from '#modules/attendance/contract/log.ts'
import { attendanceSchedule } from '#modules/attendance/contract/schedule.ts'
import { attendanceShift } from '#modules/attendance/contract/shift.ts'
import { momentOfMinute, minuteOfMidnight } from '#modules/attendance/domain/intervals.ts'
import { workMinutesOf } from '#modules/attendance/domain/shift.ts'
import { recomputePeople } from '#modules/attendance/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { holidayType } from '#modules/system/contract/holiday.ts'
import type { Random } from './names.ts'
import { seededRandom } from './random.ts'
import { stampOf } from './stamp.ts'

interface Person {
  readonly id: Id
  readonly position: string
}

interface Punch {
  readonly staff_id: Id
  readonly punch_time: string
}

const shiftOf = (
  shiftName: string,
  segments: readonly { in: string; out: string; outNext?: boolean }[],
  rests: readonly { in: string; out: string }[],
  flexMinutes = 0,
) => ({
  shiftName,
  segments,
  rests,
  lateGrace: 5,
  severeLate: 30,
  absentLate: 120,
  earlyGrace: 0,
  absentEarly: 120,
  flexMinutes,
  earliestIn: 120,
  latestOut: 300,
  mustIn: true,
  mustOut: true,
  workMinutes: workMinutesOf(segments, rests),
})

/** The two shifts of guards, in turn: four days, then four nights, with a day of rest after each. */
const guardCycle = ['day', 'day', 'day', 'day', 'rest', 'night', 'night', 'night', 'night', 'rest'] as const

/** Punches of a shift: mostly on time, sometimes late, early or forgotten. */
function punchesOf(random: Random, staffId: Id, begin: number, end: number, until: number): Punch[] {
  const sort = random(40)
  if (sort === 0) return []
  const arrival = begin + (sort === 1 || sort === 2 ? 6 + random(40) : -random(18))
  const departure = end + (sort === 3 ? -5 - random(30) : random(25))
  return [...(sort === 4 ? [] : [arrival]), ...(sort === 5 ? [] : [departure])].flatMap(minute =>
    minute <= until ? [{ staff_id: staffId, punch_time: momentOfMinute(minute) }] : [],
  )
}

async function insertPunches(tx: Tx, scope: Scope, deviceId: Id, punches: readonly Punch[]): Promise<void> {
  await tx.execute(sql`
    insert into attendance_log (owner_id, create_by, update_by, staff_id, punch_time, source, device_id, place)
    select ${stampOf(scope)}, staff_id, punch_time, ${codeOf(punchSource, 'device')}::smallint, ${deviceId}::bigint,
      '服务中心大堂'
    from json_to_recordset(${JSON.stringify(punches)}::json) as r(staff_id bigint, punch_time timestamptz)
    on conflict do nothing
    returning id
  `)
}

/** Leave of a morning, of two days, and a trip. */
const plannedApplications = [
  ['personal', 0, 4, '09:00', 4, '12:00', '3', '办理证件'],
  ['annual', 2, 9, '09:00', 10, '18:00', '16', '年假'],
  ['trip', 3, 11, '09:00', 12, '18:00', '16', '外地项目交流'],
] as const

async function insertApplications(
  tx: Tx,
  scope: Scope,
  people: readonly Person[],
  month: Day,
): Promise<void> {
  await insertAll(
    tx,
    attendanceApply,
    scope,
    plannedApplications.map(([sort, person, from, begin, to, end, hours, reason]) => ({
      staffId: defined(people[person]).id,
      ...(sort === 'trip' ? { applyType: sort } : { applyType: 'leave' as const, leaveType: sort }),
      beginTime: momentAt(addDays(month, from - 1), begin),
      endTime: momentAt(addDays(month, to - 1), end),
      hours,
      reason,
      state: 'passed' as const,
      registrar: scope.name,
    })),
  )
}

interface GuardPlan {
  readonly schedule: { staffId: Id; workDate: Day; shiftId?: Id }[]
  readonly punches: Punch[]
}

/** Guards in turn, so that some are there at every hour; the schedule reaches into the coming week. */
function planGuards(
  guards: readonly Person[],
  shifts: { readonly day: Id; readonly night: Id },
  { from, to, until }: { readonly from: Day; readonly to: Day; readonly until: number },
  random: Random,
): GuardPlan {
  const plan: GuardPlan = { schedule: [], punches: [] }
  guards.forEach(({ id }, i) => {
    let turn = i * 3
    for (let day = from; day <= to; day = addDays(day, 1), turn++) {
      const kind = defined(guardCycle[turn % guardCycle.length])
      plan.schedule.push({
        staffId: id,
        workDate: day,
        ...(kind === 'rest' ? {} : { shiftId: shifts[kind] }),
      })
      if (kind === 'rest') continue
      const begin = minuteOfMidnight(day) + (kind === 'day' ? 7 * 60 : 19 * 60)
      plan.punches.push(...punchesOf(random, id, begin, begin + 720, until))
    }
  })
  return plan
}

function planOffice(
  people: readonly Person[],
  isWorked: (day: Day) => boolean,
  { from, to, until }: { readonly from: Day; readonly to: Day; readonly until: number },
  random: Random,
): Punch[] {
  const punches: Punch[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (!isWorked(day)) continue
    const midnight = minuteOfMidnight(day)
    for (const { id } of people) {
      punches.push(...punchesOf(random, id, midnight + 540, midnight + 1080, until))
    }
  }
  return punches
}

async function seedGroups(tx: Tx, scope: Scope) {
  const [office, day, night] = await insertAll(tx, attendanceShift, scope, [
    shiftOf('行政班', [{ in: '09:00', out: '18:00' }], [{ in: '12:00', out: '13:00' }]),
    shiftOf('秩序白班', [{ in: '07:00', out: '19:00' }], []),
    shiftOf('秩序夜班', [{ in: '19:00', out: '07:00', outNext: true }], []),
  ])
  const shiftId = defined(office)
  const rules = { mendLimit: 3, mendDays: 7, missingIsAbsent: false, overtimeRule: 'approval' as const }
  const [officeGroup, guardGroup] = await insertAll(tx, attendanceGroup, scope, [
    {
      ...rules,
      groupName: '行政与客服',
      groupType: 'fixed',
      allowsPhone: true,
      week: keysOf(weekDay)
        .slice(0, 5)
        .map(key => ({ weekDay: key, shiftId })),
    },
    { ...rules, groupName: '秩序维护', groupType: 'schedule', allowsPhone: false },
  ])
  return {
    shifts: { day: defined(day), night: defined(night) },
    officeGroup: defined(officeGroup),
    guardGroup: defined(guardGroup),
  }
}

/** Two groups, a month of punches with what usually goes wrong, and the days that come of them. */
export async function seedAttendance(tx: Tx, scope: Scope, today: Day): Promise<void> {
  const random = seededRandom(2026)
  const people = await tx.rows<Person>(sql`
    select id, position
    from staff
    where owner_id = ${scope.ownerId} and state <> ${code(staffState, 'left')} and delete_tag = 0
    order by staff_no
  `)
  const guards = people.filter(({ position }) => ['队长', '保安', '监控员'].includes(position))
  const others = people.filter(person => !guards.includes(person))
  const { shifts, officeGroup, guardGroup } = await seedGroups(tx, scope)
  const from = addDays(today, -30)
  await insertAll(tx, attendanceMember, scope, [
    ...others.map(({ id }) => ({ staffId: id, groupId: officeGroup, beginDate: from })),
    ...guards.map(({ id }) => ({ staffId: id, groupId: guardGroup, beginDate: from })),
    // Somebody who came from the guards: the history shows it.
    {
      staffId: defined(others[4]).id,
      groupId: guardGroup,
      beginDate: addDays(from, -30),
      endDate: addDays(from, -1),
    },
  ])
  const [deviceId] = await insertAll(tx, attendanceDevice, scope, [
    { deviceName: '服务中心考勤机', deviceNo: 'KQ-001', place: '服务中心大堂', state: 'on' },
    { deviceName: '监控室考勤机', deviceNo: 'KQ-002', place: '1栋监控室', state: 'on' },
  ])
  const holidays = await tx.rows<{ day: Day; isWorked: boolean }>(sql`
    select holiday_date as day, day_type = ${code(holidayType, 'work')} as is_worked from holiday where owner_id = ${scope.ownerId}
  `)
  const moved = new Map(holidays.map(({ day, isWorked }) => [day, isWorked]))
  // Whenever of the day the demo is made, none of its punches lies ahead.
  const until = minuteOfMidnight(today)
  const isWorked = (day: Day): boolean => moved.get(day) ?? weekday(day) <= 5
  const plan = planGuards(guards, shifts, { from, to: addDays(today, 7), until }, random)
  await insertAll(tx, attendanceSchedule, scope, plan.schedule)
  const office = planOffice(others, isWorked, { from, to: today, until }, random)
  await insertPunches(tx, scope, defined(deviceId), [...plan.punches, ...office])
  await insertApplications(tx, scope, others, from)
  await insertAll(tx, attendanceExemption, scope, [
    { staffId: defined(others.at(-1)).id, beginDate: from, reason: '外聘顾问，不考勤' },
  ])
  await linkAdministrator(tx, scope, others)
  const ids = people.map(({ id }) => id)
  await recomputePeople(tx, scope, ids, { from, to: today }, momentOfMinute(until))
}

/** The administrator is one of the office, so that the phone page has somebody to show. */
const linkAdministrator = (
  tx: Tx,
  { ownerId, operatorId }: Scope,
  people: readonly Person[],
): Promise<number> =>
  tx.execute(sql`
    update staff
    set manager_id = ${operatorId}
    where owner_id = ${ownerId} and id = ${people[1]?.id ?? asId(0)} and manager_id is null
  `)
