import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Month } from '#kit/domain/month.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { keysOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { weekDay } from '../contract/choices.ts'
import { dayRecords, type DayRecord } from '../contract/day.ts'
import { addMembers, groups } from '../contract/group.ts'
import { devices, postPunches } from '../contract/log.ts'
import { listMonthRecords } from '../contract/month.ts'
import { shifts } from '../contract/shift.ts'

export interface StaffPerson {
  readonly id: Id
  readonly staffNo: string
  readonly name: string
}

type MonthRow = NonNullable<typeof listMonthRecords.output.T>['rows'][number]

/** Its clock is at 2026-11-21 09:00, a Saturday; an office group and a group of guards. */
export interface AttendanceFixture {
  readonly t: GoldenApp
  readonly owner: CallOptions
  readonly dayShift: Id
  readonly nightShift: Id
  readonly officeId: Id
  readonly guardsId: Id
  /** Somebody who belongs to a group from a day on, and has done nothing yet. */
  readonly newMember: (groupId?: Id, beginDate?: Day) => Promise<StaffPerson>
  readonly punch: (person: StaffPerson, ...times: string[]) => Promise<unknown>
  readonly dayOf: (person: StaffPerson, day: Day) => Promise<DayRecord | undefined>
  readonly monthOf: (person: StaffPerson, month: Month) => Promise<MonthRow>
  /** The account of a person, and a call as it. */
  readonly accountOf: (person: StaffPerson) => Promise<{ readonly id: Id; readonly as: CallOptions }>
}

export const shiftDraft = {
  shiftName: '白班',
  segments: [{ in: '09:00', out: '18:00' }],
  rests: [{ in: '12:00', out: '13:00' }],
  lateGrace: 5,
  severeLate: 30,
  absentLate: 120,
  earlyGrace: 0,
  absentEarly: 120,
  flexMinutes: 0,
  earliestIn: 180,
  latestOut: 360,
  mustIn: true,
  mustOut: true,
}

async function addStaff(t: GoldenApp): Promise<StaffPerson[]> {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      insert into staff (owner_id, name, staff_no, state)
      select ${t.ownerId}::bigint, '组员' || n, 'AT' || lpad(n::text, 4, '0'), 10
      from generate_series(1, 40) n
      returning id
    `),
  )
  return t.database.reader(t.ownerId).rows(sql`
    select id, staff_no, name from staff where owner_id = ${t.ownerId} and staff_no like 'AT%' order by staff_no
  `)
}

async function accountOf(t: GoldenApp, { id }: StaffPerson) {
  const { loginCode, as } = await t.addClerk([])
  const account = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
  const managerId = defined(account).id
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update staff set manager_id = ${managerId} where owner_id = ${t.ownerId} and id = ${id}`),
  )
  return { id: managerId, as }
}

const group = {
  groupName: '行政',
  groupType: 'fixed' as const,
  allowsPhone: true,
  mendLimit: 3,
  mendDays: 7,
  missingIsAbsent: false,
  overtimeRule: 'approval' as const,
}

export async function openAttendance(): Promise<AttendanceFixture> {
  const t = await openGoldenApp({ works: true })
  const owner = await t.owner
  const people = await addStaff(t)
  const night = {
    shiftName: '夜班',
    segments: [{ in: '22:00', out: '06:00', outNext: true }],
    rests: [],
  }
  const dayShift = (await t.call(shifts.save, shiftDraft, owner)).id
  const nightShift = (await t.call(shifts.save, { ...shiftDraft, ...night }, owner)).id
  const week = keysOf(weekDay)
    .slice(0, 5)
    .map(key => ({ weekDay: key, shiftId: dayShift }))
  const officeId = (await t.call(groups.save, { ...group, week }, owner)).id
  const guards = { ...group, groupName: '秩序', groupType: 'schedule' as const }
  const guardsId = (await t.call(groups.save, guards, owner)).id
  await t.call(devices.save, { deviceName: '大堂考勤机', deviceNo: 'KQ-01', state: 'on' }, owner)
  let used = 0
  return {
    t,
    owner,
    dayShift,
    nightShift,
    officeId,
    guardsId,
    newMember: async (groupId = officeId, beginDate = '2026-10-01') => {
      const person = defined(people[used++])
      await t.call(addMembers, { groupId, staffIds: [String(person.id)], beginDate }, owner)
      return person
    },
    punch: ({ staffNo }, ...times) =>
      t.call(
        postPunches,
        { deviceNo: 'KQ-01', punches: times.map(time => ({ staffNo, punchTime: asMoment(`${time}:00`) })) },
        owner,
      ),
    dayOf: async ({ id }, day) =>
      (
        await t.call(
          dayRecords.list,
          { staffId: [String(id)], workDateFrom: day, workDateTo: day, size: 5 },
          owner,
        )
      ).rows[0],
    monthOf: async ({ staffNo }, month) =>
      defined((await t.call(listMonthRecords, { month, keyword: staffNo, size: 5 }, owner)).rows[0]),
    accountOf: person => accountOf(t, person),
  }
}

export const noId = asId(0)
