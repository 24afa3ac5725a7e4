import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { keysOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { addHolidays } from '#modules/system/contract/holiday.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  applications,
  cancelApplications,
  exemptions,
  getLeaveDetail,
  getMendDetail,
} from '../contract/apply.ts'
import {
  dayRecords,
  explainDayRecord,
  exportDayRecords,
  getDayGrid,
  importDayStates,
  updateDayState,
} from '../contract/day.ts'
import { addMembers, endMembers, groups, listGroupTimes, listMembers } from '../contract/group.ts'
import {
  devices,
  exportLogs,
  getMyAttendance,
  importLogs,
  logs,
  postPunches,
  punchByPhone,
} from '../contract/log.ts'
import {
  closeMonth,
  exportMonthSheet,
  getDayStatistics,
  listAnomalies,
  listMonthRecords,
  reopenMonth,
} from '../contract/month.ts'
import {
  copySchedule,
  fillSchedule,
  getScheduleGrid,
  importSchedule,
  saveSchedule,
} from '../contract/schedule.ts'
import { getWorkDuration, shifts } from '../contract/shift.ts'
import { weekDay } from '../contract/choices.ts'
import { shiftDraft } from './attendance.fixtures.ts'
import { computeYesterday } from './nightly.ts'

// The clock is at 2026-11-21 09:00, a Saturday.
let t: GoldenApp
let owner: CallOptions
let dayShift: Id
let nightShift: Id
let officeId: Id
let guardsId: Id
let people: { id: Id; staffNo: string }[]
let used = 0

const groupDraft = {
  groupName: '行政',
  groupType: 'fixed' as const,
  allowsPhone: true,
  mendLimit: 2,
  mendDays: 7,
  missingIsAbsent: false,
  overtimeRule: 'approval' as const,
}

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  owner = await t.owner
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      insert into staff (owner_id, name, staff_no, state)
      select ${t.ownerId}::bigint, '员工' || n, 'Z' || lpad(n::text, 4, '0'), 10
      from generate_series(1, 20) n
      returning id
    `),
  )
  people = await t.database.reader(t.ownerId).rows(sql`
    select id, staff_no from staff where owner_id = ${t.ownerId} and state <> 30 and delete_tag = 0 order by staff_no
  `)
  dayShift = (await t.call(shifts.save, shiftDraft, owner)).id
  nightShift = (
    await t.call(
      shifts.save,
      {
        ...shiftDraft,
        shiftName: '夜班',
        segments: [{ in: '22:00', out: '06:00', outNext: true }],
        rests: [],
      },
      owner,
    )
  ).id
  const week = keysOf(weekDay)
    .slice(0, 5)
    .map(key => ({ weekDay: key, shiftId: dayShift }))
  officeId = (await t.call(groups.save, { ...groupDraft, week }, owner)).id
  guardsId = (await t.call(groups.save, { ...groupDraft, groupName: '秩序', groupType: 'schedule' }, owner))
    .id
  await t.call(
    devices.save,
    { deviceName: '大堂考勤机', deviceNo: 'KQ-01', state: 'on', place: '1栋大堂' },
    owner,
  )
})

afterAll(() => t?.close())

/** Somebody who belongs to a group since the first of the month and has done nothing yet. */
async function newMember(groupId = officeId, beginDate: Day = '2026-11-02') {
  const person = defined(people[used++])
  await t.call(addMembers, { groupId, staffIds: [String(person.id)], beginDate }, owner)
  return person
}

const punch = (staffNo: string, ...times: string[]) =>
  t.call(
    postPunches,
    { deviceNo: 'KQ-01', punches: times.map(time => ({ staffNo, punchTime: asMoment(`${time}:00`) })) },
    owner,
  )

const dayOf = async (staffId: Id, day: Day) =>
  (
    await t.call(
      dayRecords.list,
      { staffId: [String(staffId)], workDateFrom: day, workDateTo: day, size: 5 },
      owner,
    )
  ).rows[0]

const monthOf = async (staffNo: string, month: `${number}-${number}` = '2026-11') =>
  (await t.call(listMonthRecords, { month, keyword: staffNo, size: 5 }, owner)).rows[0]

async function importSheet(
  of: typeof importLogs | typeof importSchedule | typeof importDayStates,
  cells: string[][],
) {
  const path = join(t.dir, `s${Math.round(performance.now() * 1000)}.xlsx`)
  const [head = [], ...lines] = cells
  await writeWorkbook(
    head.map(heading => ({ heading })),
    [lines],
    createWriteStream(path),
  )
  const seen = await t.call(
    of.post,
    { mode: 'skip' },
    { ...owner, upload: t.upload('表.xlsx', await readFile(path)) },
  )
  return {
    seen,
    run: async () =>
      t.waitForTask(
        defined((await t.call(of.post, { importId: defined(seen.importId), mode: 'skip' }, owner)).taskId),
      ),
  }
}

describe('shifts and groups', () => {
  it('ATT-1 a shift of thirty hours is refused at its field; standard minutes are computed', async () => {
    expect(
      await faultTextsOf(
        t.call(
          shifts.save,
          {
            ...shiftDraft,
            shiftName: '长班',
            segments: [{ in: '00:00', out: '06:00', outNext: true }],
            rests: [],
          },
          owner,
        ),
      ),
    ).toEqual({ SegmentsJson: expect.stringContaining('不能超过 24 小时') })
    expect(
      await t.call(getWorkDuration, { segments: shiftDraft.segments, rests: shiftDraft.rests }, owner),
    ).toBe(480)
    const listed = await t.call(shifts.list, { size: 10 }, owner)
    expect(listed.rows.map(row => [row.shiftName, row.workMinutes, row.times])).toEqual([
      ['白班', 480, '09:00–18:00（休息 12:00–13:00）'],
      ['夜班', 480, '22:00–次日06:00'],
    ])
  })
  it('ATT-2 somebody belongs to one group on a day; the history stays', async () => {
    const person = await newMember(officeId, '2026-11-02')
    await t.call(
      addMembers,
      { groupId: guardsId, staffIds: [String(person.id)], beginDate: '2026-11-16' },
      owner,
    )
    const { rows } = await t.call(listMembers, { staffId: [String(person.id)], size: 10 }, owner)
    expect(
      rows
        .map(row => [row.groupName, row.beginDate, row.endDate])
        .toSorted(([, a], [, b]) => (String(a) < String(b) ? -1 : 1)),
    ).toEqual([
      ['行政', '2026-11-02', '2026-11-15'],
      ['秩序', '2026-11-16', undefined],
    ])
    const last = defined(rows.find(row => row.groupId === guardsId))
    await t.call(endMembers, { ids: [String(last.id)], endDate: '2026-11-17' }, owner)
    expect(await dayOf(person.id, '2026-11-17')).toMatchObject({ state: 'unscheduled' })
    expect(await dayOf(person.id, '2026-11-18')).toBeUndefined()
    expect((await t.call(listGroupTimes, { groupId: officeId }, owner)).map(day => day.shiftId)).toEqual(
      [1, 1, 1, 1, 1, 0, 0].map(isWorked => (isWorked ? dayShift : 0)),
    )
  })
  it('a shift in use and a group with people stay', async () => {
    await newMember()
    const reason = '不再使用'
    expect(await refusalTextOf(t.call(shifts.delete, { ids: [String(dayShift)], reason }, owner))).toContain(
      '用于考勤组',
    )
    expect(await refusalTextOf(t.call(groups.delete, { ids: [String(officeId)], reason }, owner))).toContain(
      '移出',
    )
  })
})

describe('punches and days', () => {
  it('T-ATT-02, ATT-12 a punch computes its day; the same punch again changes nothing', async () => {
    const person = await newMember()
    expect(await punch(person.staffNo, '2026-11-16 09:06', '2026-11-16 18:01')).toMatchObject({ success: 2 })
    expect(await punch(person.staffNo, '2026-11-16 09:06')).toMatchObject({ success: 0, skipped: 1 })
    const day = defined(await dayOf(person.id, '2026-11-16'))
    expect(day).toMatchObject({
      state: 'late',
      lateMinutes: 6,
      inTime: '2026-11-16 09:06:00',
      outTime: '2026-11-16 18:01:00',
      shiftName: '白班',
      absentDays: '0',
    })
    const reasons = await t.call(explainDayRecord, { id: day.id }, owner)
    expect(reasons).toContainEqual({ label: '上班', text: '09:06，迟到 6 分钟' })
    expect(reasons).toContainEqual({ label: '打卡', text: '09:06（考勤机）、18:01（考勤机）' })
    expect((await t.call(logs.list, { staffId: [String(person.id)], size: 5 }, owner)).rows).toMatchObject([
      { matchedDate: '2026-11-16', deviceName: '大堂考勤机' },
      { matchedDate: '2026-11-16' },
    ])
  })
  it('a punch of tomorrow, of nobody and at an unknown device is refused with a message', async () => {
    const person = await newMember()
    expect(await punch(person.staffNo, '2026-11-22 09:00')).toMatchObject({
      fail: 1,
      rows: [{ reason: expect.stringContaining('晚于现在') }],
    })
    expect(await punch('NOPE', '2026-11-16 09:00')).toMatchObject({ fail: 1 })
    expect(
      await faultTextsOf(
        t.call(
          postPunches,
          { deviceNo: 'X', punches: [{ staffNo: 'A', punchTime: '2026-11-16 09:00:00' }] },
          owner,
        ),
      ),
    ).toEqual({ DeviceNo: expect.stringContaining('未登记') })
  })
  it('T-ATT-07 a night over midnight belongs to its first day, over a moved Sunday as well', async () => {
    await t.call(addHolidays, { holidayDate: '2026-11-15', holidayName: '调休', dayType: 'work' }, owner)
    const guard = await newMember(guardsId)
    await t.call(
      saveSchedule,
      {
        cells: [
          { staffId: guard.id, workDate: '2026-11-15', shiftId: nightShift },
          { staffId: guard.id, workDate: '2026-11-16', shiftId: asId(0) },
        ],
      },
      owner,
    )
    await punch(guard.staffNo, '2026-11-15 21:55', '2026-11-16 06:03')
    expect(await dayOf(guard.id, '2026-11-15')).toMatchObject({ state: 'normal', workMinutes: 480 })
    expect(await dayOf(guard.id, '2026-11-16')).toMatchObject({ state: 'rest' })
    const clerk = await newMember()
    await t.call(
      saveSchedule,
      { cells: [{ staffId: clerk.id, workDate: '2026-11-02', shiftId: dayShift }] },
      owner,
    )
    expect(await dayOf(clerk.id, '2026-11-15')).toMatchObject({ state: 'absent', absentDays: '1' })
  })
  it('ATT-12 the nightly pass writes absence of whom no punch came, and then nothing more', async () => {
    const person = await newMember()
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`delete from attendance_day where owner_id = ${t.ownerId} and staff_id = ${person.id}`),
    )
    await computeYesterday(t.app)
    expect(await dayOf(person.id, '2026-11-20')).toMatchObject({ state: 'absent' })
    const before = await t.database
      .reader(t.ownerId)
      .rows(sql`select id, xmin::text as x from attendance_day order by id`)
    await computeYesterday(t.app)
    expect(
      await t.database
        .reader(t.ownerId)
        .rows(sql`select id, xmin::text as x from attendance_day order by id`),
    ).toEqual(before)
  })
  it('ATT-14 nobody exempt has records', async () => {
    const person = await newMember()
    await punch(person.staffNo, '2026-11-16 09:00')
    await t.call(exemptions.save, { staffId: person.id, beginDate: '2026-11-16', reason: '外聘顾问' }, owner)
    expect(await dayOf(person.id, '2026-11-16')).toBeUndefined()
  })
  it('two who punch at once leave one day with both punches', async () => {
    const person = await newMember()
    await Promise.all([punch(person.staffNo, '2026-11-16 09:00'), punch(person.staffNo, '2026-11-16 18:00')])
    expect(await dayOf(person.id, '2026-11-16')).toMatchObject({ state: 'normal', workMinutes: 480 })
  })
})

describe('decided by people', () => {
  it('ATT-10 a result that somebody sets is beside the computed one and survives it', async () => {
    const person = await newMember()
    await punch(person.staffNo, '2026-11-16 09:40', '2026-11-16 18:00')
    const day = defined(await dayOf(person.id, '2026-11-16'))
    await t.call(updateDayState, { ids: [String(day.id)], state: 'normal', reason: '班车晚点' }, owner)
    await punch(person.staffNo, '2026-11-16 09:35')
    expect(await dayOf(person.id, '2026-11-16')).toMatchObject({
      state: 'late',
      lateMinutes: 35,
      manualState: 'normal',
      manualReason: '班车晚点',
    })
    expect(await monthOf(person.staffNo)).toMatchObject({ lateCount: 0, correctedDays: 1 })
  })
  it('T-ATT-08, ATT-9 leave covers the morning; taken back, the day is late', async () => {
    const person = await newMember()
    await punch(person.staffNo, '2026-11-16 13:02', '2026-11-16 18:00')
    expect(await dayOf(person.id, '2026-11-16')).toMatchObject({ state: 'absent' })
    const leave = await t.call(
      applications.add,
      {
        staffId: person.id,
        applyType: 'leave',
        leaveType: 'personal',
        beginTime: '2026-11-16 09:00:00',
        endTime: '2026-11-16 12:00:00',
        reason: '就医',
      },
      owner,
    )
    expect(leave).toMatchObject({ hours: '3', state: 'passed' })
    expect(await dayOf(person.id, '2026-11-16')).toMatchObject({
      state: 'leave',
      leaveHours: '3',
      lateMinutes: 0,
    })
    expect(await monthOf(person.staffNo)).toMatchObject({ personalHours: '3' })
    expect(await t.call(getLeaveDetail, { id: leave.id }, owner)).toMatchObject({ leaveType: 'personal' })
    await t.call(cancelApplications, { ids: [String(leave.id)], reason: '未休假' }, owner)
    expect(await dayOf(person.id, '2026-11-16')).toMatchObject({ state: 'absent', leaveHours: '0' })
  })
  it('ATT-11 a mended punch counts; a third one and one too old are refused', async () => {
    const person = await newMember()
    const correction = (beginTime: string) =>
      t.call(
        applications.add,
        { staffId: person.id, applyType: 'mend', beginTime: asMoment(beginTime), reason: '忘记打卡' },
        owner,
      )
    await punch(person.staffNo, '2026-11-18 18:00')
    const first = await correction('2026-11-18 08:58:00')
    expect(await dayOf(person.id, '2026-11-18')).toMatchObject({ state: 'normal' })
    expect(await t.call(getMendDetail, { id: first.id }, owner)).toMatchObject({ mendCount: 1, mendLimit: 2 })
    await correction('2026-11-19 09:00:00')
    expect(await faultTextsOf(correction('2026-11-19 18:00:00'))).toEqual({
      StaffId: expect.stringContaining('每月最多 2 次'),
    })
    expect(await faultTextsOf(correction('2026-11-22 09:00:00'))).toEqual({
      BeginTime: expect.stringContaining('晚于现在'),
    })
    const other = await newMember()
    expect(
      await faultTextsOf(
        t.call(
          applications.add,
          { staffId: other.id, applyType: 'mend', beginTime: '2026-11-10 09:00:00', reason: '忘记打卡' },
          owner,
        ),
      ),
    ).toEqual({ BeginTime: expect.stringContaining('补卡期限 7 天') })
  })
  it('ATT-2 a swap makes one day worked and another free; two documents never overlap', async () => {
    const person = await newMember()
    await t.call(
      applications.add,
      { staffId: person.id, applyType: 'swap', workDay: '2026-11-14', restDay: '2026-11-17', reason: '值班' },
      owner,
    )
    expect(await dayOf(person.id, '2026-11-14')).toMatchObject({ state: 'absent', shiftName: '白班' })
    expect(await dayOf(person.id, '2026-11-17')).toMatchObject({ state: 'rest' })
    const trip = {
      staffId: person.id,
      applyType: 'trip' as const,
      beginTime: asMoment('2026-11-18 09:00:00'),
      endTime: asMoment('2026-11-19 18:00:00'),
      reason: '外地开会',
    }
    const both = await Promise.allSettled([
      t.call(applications.add, trip, owner),
      t.call(applications.add, trip, owner),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await dayOf(person.id, '2026-11-18')).toMatchObject({ state: 'trip', workMinutes: 480 })
  })
})

describe('schedules', () => {
  it('fill, copy, change and clear', async () => {
    const person = await newMember(guardsId)
    const staffIds = [String(person.id)]
    expect(
      await t.call(
        fillSchedule,
        {
          staffIds,
          from: '2026-11-23',
          to: '2026-11-28',
          cycle: [{ shiftId: nightShift, days: 2 }, { days: 1 }],
        },
        owner,
      ),
    ).toEqual({ count: 6 })
    await t.call(
      copySchedule,
      { staffIds, from: '2026-11-23', to: '2026-11-25', target: '2026-12-01' },
      owner,
    )
    const cell = { staffId: person.id, workDate: '2026-11-24' as const }
    await t.call(
      saveSchedule,
      {
        cells: [
          { ...cell, shiftId: dayShift },
          { ...cell, workDate: '2026-11-25', isCleared: true },
        ],
      },
      owner,
    )
    const grid = async (month: `${number}-${number}`) =>
      (await t.call(getScheduleGrid, { month, keyword: person.staffNo }, owner)).rows[0]?.days?.map(day => [
        day.workDate.slice(8),
        day.shiftId,
      ])
    expect(await grid('2026-11')).toEqual([
      ['23', nightShift],
      ['24', dayShift],
      ['26', nightShift],
      ['27', nightShift],
      ['28', 0],
    ])
    expect(await grid('2026-12')).toEqual([
      ['01', nightShift],
      ['02', nightShift],
      ['03', 0],
    ])
  })
  it('IMP-1 schedules, punches and results from sheets, faults by their line', async () => {
    const person = await newMember(guardsId)
    const { staffNo } = person
    const schedule = await importSheet(importSchedule, [
      ['工号', '日期', '班次'],
      [staffNo, '2026-11-17', '夜班'],
      [staffNo, '2026-11-18', '休息'],
      [staffNo, '2026-11-19', '早班'],
      ['NOPE', '2026-11-19', '夜班'],
    ])
    expect(schedule.seen.errors?.map(({ line, column }) => [line, column])).toEqual([
      [4, '班次'],
      [5, '工号'],
    ])
    expect(await schedule.run()).toMatchObject({ success: 2, fail: 2 })
    const punches = await importSheet(importLogs, [
      ['工号', '打卡时间'],
      [staffNo, '2026-11-17 21:50:00'],
      [staffNo, '2026-11-18 06:10:00'],
      [staffNo, '2026-12-18 06:10:00'],
    ])
    expect(punches.seen.errors?.map(({ line, message }) => [line, message])).toEqual([
      [4, '打卡时间不能晚于现在'],
    ])
    expect(await punches.run()).toMatchObject({ success: 2, fail: 1 })
    expect(await dayOf(person.id, '2026-11-17')).toMatchObject({ state: 'normal' })
    const results = await importSheet(importDayStates, [
      ['工号', '日期', '考勤结果', '假别', '修改原因'],
      [staffNo, '2026-11-17', '请假', '事假', '事后补假'],
      [staffNo, '2025-11-17', '请假', '事假', '事后补假'],
    ])
    expect(results.seen.errors?.map(({ line, message }) => [line, message])).toEqual([
      [3, expect.any(String)],
    ])
    expect(await results.run()).toMatchObject({ success: 1, fail: 1 })
    expect(await dayOf(person.id, '2026-11-17')).toMatchObject({ state: 'normal', manualState: 'leave' })
  })
})

describe('months and statistics', () => {
  it('ATT-13 the figures of a month; ATT-12 a closed one changes no more', async () => {
    const person = await newMember(officeId, '2026-10-12')
    await punch(
      person.staffNo,
      ...['12', '13', '14'].flatMap(day => [`2026-10-${day} 08:55`, `2026-10-${day} 18:00`]),
      '2026-10-15 09:20',
      '2026-10-15 18:00',
      '2026-10-16 09:00',
    )
    await t.call(
      applications.add,
      {
        staffId: person.id,
        applyType: 'overtime',
        beginTime: '2026-10-17 09:00:00',
        endTime: '2026-10-17 13:30:00',
        reason: '盘点',
      },
      owner,
    )
    const figures = await monthOf(person.staffNo, '2026-10')
    // 12 to 30 October: 15 weekdays, of which the last ten without a punch.
    expect(figures).toMatchObject({
      dueDays: '15',
      actualDays: '5',
      rate: '33.33%',
      normalDays: 3,
      lateCount: 1,
      lateMinutes: 20,
      missCount: 1,
      absentDays: '10',
      overtimeRest: '4.5',
      isClosed: false,
    })
    expect(await faultTextsOf(t.call(closeMonth, { month: '2026-11' }, owner))).toEqual({
      Month: expect.stringContaining('尚未结束'),
    })
    await t.call(closeMonth, { month: '2026-10' }, owner)
    await punch(person.staffNo, '2026-10-16 18:00')
    expect(await monthOf(person.staffNo, '2026-10')).toMatchObject({ ...figures, isClosed: true })
    expect(
      await faultTextsOf(
        t.call(
          saveSchedule,
          { cells: [{ staffId: person.id, workDate: '2026-10-16', shiftId: asId(0) }] },
          owner,
        ),
      ),
    ).toEqual({ Cells: expect.stringContaining('已封存') })
    await t.call(reopenMonth, { month: '2026-10', reason: '补录打卡' }, owner)
    expect(await monthOf(person.staffNo, '2026-10')).toMatchObject({ missCount: 0, isClosed: false })
  })
  it('the month as a grid and as the sheet of salary clerks; anomalies and departments add up', async () => {
    const person = await newMember()
    await punch(person.staffNo, '2026-11-16 09:06', '2026-11-16 18:01')
    const grid = await t.call(getDayGrid, { month: '2026-11', keyword: person.staffNo }, owner)
    expect(grid.rows[0]?.days?.find(day => day.workDate === '2026-11-16')).toMatchObject({
      state: 'late',
      minutes: 6,
    })
    const path = join(t.dir, 'month.xlsx')
    await writeFile(
      path,
      await readBody(
        await t.call(exportMonthSheet, { month: '2026-11', groupId: [String(officeId)] }, owner),
      ),
    )
    const sheet = await readWorkbook(path)
    const line = defined(sheet.lines.find(({ cells }) => cellToText(cells[0]) === person.staffNo)).cells.map(
      cellToText,
    )
    expect([String(sheet.heading[18]), line[18], line[8]]).toEqual(['16日一', '迟到 6', '旷工'])
    const statistics = await t.call(getDayStatistics, { from: '2026-11-16', to: '2026-11-20' }, owner)
    const records = await t.call(
      dayRecords.list,
      { workDateFrom: '2026-11-16', workDateTo: '2026-11-20', size: 1 },
      owner,
    )
    const counted = statistics.flatMap(({ states }) => states.map(({ count }) => count))
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(records.total)
    const anomalies = await t.call(
      listAnomalies,
      { from: '2026-11-16', to: '2026-11-16', keyword: person.staffNo },
      owner,
    )
    expect(anomalies.rows).toMatchObject([{ anomalyDays: 1, lateCount: 1, lateMinutes: 6 }])
    const keyword = person.staffNo
    expect(await readBody(await t.call(exportDayRecords.get, { keyword }, owner))).toBeInstanceOf(Uint8Array)
    expect(await readBody(await t.call(exportLogs.get, { keyword }, owner))).toBeInstanceOf(Uint8Array)
  })
})

describe('on the phone', () => {
  it('a punch where the group allows it; a stranger and a distant place are refused', async () => {
    const person = await newMember()
    const clerk = await t.addClerk([])
    expect(await refusalTextOf(t.call(punchByPhone, {}, clerk.as))).toContain('未关联员工')
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update staff set manager_id = (select id from manager where login_code = ${clerk.loginCode})
        where owner_id = ${t.ownerId} and id = ${person.id}
      `),
    )
    expect(await t.call(punchByPhone, {}, clerk.as)).toMatchObject({
      source: 'phone',
      staffName: expect.any(String),
    })
    expect(await t.call(getMyAttendance, { month: '2026-11' }, clerk.as)).toMatchObject({
      groupName: '行政',
      planText: '休息',
      punches: [{ punchTime: '2026-11-21 09:00:00' }],
    })
    const group = await t.call(groups.get, { id: officeId }, owner)
    const places = [{ name: '南门', longitude: '114.057868', latitude: '22.543099', radius: 200 }]
    await t.call(groups.save, { ...group, places }, owner)
    t.advanceClock(60_000)
    expect(
      await refusalTextOf(t.call(punchByPhone, { longitude: '114.1', latitude: '22.5' }, clerk.as)),
    ).toContain('不在打卡范围内')
    expect(
      await t.call(punchByPhone, { longitude: '114.0579', latitude: '22.5431' }, clerk.as),
    ).toMatchObject({ place: '南门' })
  })
})
