import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { keysOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { addHolidays, deleteHolidays, editHoliday, importHolidays } from '#modules/system/contract/holiday.ts'
import { applications, cancelApplications, exemptions } from '../contract/apply.ts'
import { leaveType } from '../contract/choices.ts'
import { explainDayRecord, importDayStates, updateDayState } from '../contract/day.ts'
import { addMembers, endMembers, groups, listMembers } from '../contract/group.ts'
import { logs } from '../contract/log.ts'
import {
  closeMonth,
  exportMonthRecords,
  exportMonthSheet,
  getDayStatistics,
  listAnomalies,
  recomputeDays,
  reopenMonth,
} from '../contract/month.ts'
import { getScheduleGrid, importSchedule, saveSchedule } from '../contract/schedule.ts'
import { shifts } from '../contract/shift.ts'
import {
  noId,
  openAttendance,
  shiftDraft,
  type AttendanceFixture,
  type StaffPerson,
} from './attendance.fixtures.ts'

let w: AttendanceFixture

beforeAll(async () => {
  w = await openAttendance()
})

afterAll(() => w?.t.close())

const setState = async (
  person: StaffPerson,
  day: Day,
  result: { readonly state: 'late' | 'early' | 'leave' | 'absent' | 'normal'; readonly leaveType?: 'sick' },
) =>
  w.t.call(
    updateDayState,
    { ids: [String(defined(await w.dayOf(person, day)).id)], ...result, reason: '核实' },
    w.owner,
  )

describe('manual results in the figures of a month (ATT-10, ATT-13)', () => {
  it('a day made late or early counts as such in every list, though no minutes are known', async () => {
    const person = await w.newMember()
    await w.punch(person, ...['16', '17'].flatMap(day => [`2026-11-${day} 08:55`, `2026-11-${day} 18:00`]))
    await setState(person, '2026-11-16', { state: 'late' })
    await setState(person, '2026-11-17', { state: 'early' })
    expect(await w.monthOf(person, '2026-11')).toMatchObject({
      lateCount: 1,
      lateMinutes: 0,
      earlyCount: 1,
      correctedDays: 2,
    })
    const { rows } = await w.t.call(
      listAnomalies,
      { from: '2026-11-16', to: '2026-11-17', keyword: person.staffNo },
      w.owner,
    )
    expect(rows).toMatchObject([{ anomalyDays: 2, lateCount: 1, earlyCount: 1 }])
  })
  it('a day made leave asks its kind: the total is the sum of the kinds', async () => {
    const person = await w.newMember()
    expect(await faultTextsOf(setState(person, '2026-11-16', { state: 'leave' }))).toEqual({
      LeaveType: '请选择假别',
    })
    await setState(person, '2026-11-16', { state: 'leave', leaveType: 'sick' })
    await w.t.call(
      applications.add,
      {
        staffId: person.id,
        applyType: 'leave',
        leaveType: 'personal',
        beginTime: '2026-11-17 09:00:00',
        endTime: '2026-11-17 09:20:00',
        reason: '办理证件',
      },
      w.owner,
    )
    const figures = await w.monthOf(person, '2026-11')
    expect(figures).toMatchObject({ sickHours: '8', personalHours: '0.33', leaveHours: '8.33' })
    const day = defined(await w.dayOf(person, '2026-11-16'))
    expect(day).toMatchObject({ manualState: 'leave', manualLeaveType: 'sick' })
    expect(await w.t.call(explainDayRecord, { id: day.id }, w.owner)).toContainEqual({
      label: '人工结果',
      text: '请假 病假（核实）',
    })
    await setState(person, '2026-11-16', { state: 'normal' })
    expect(await w.dayOf(person, '2026-11-16')).not.toHaveProperty('manualLeaveType')
  })
  it('a day of rest has no absence and no leave', async () => {
    const person = await w.newMember()
    expect(await faultTextsOf(setState(person, '2026-11-15', { state: 'absent' }))).toEqual({
      State: expect.stringContaining('无需出勤'),
    })
  })
  it('a sheet of results names the kind of leave', async () => {
    const person = await w.newMember()
    const path = join(w.t.dir, 'results.csv')
    await writeFile(
      path,
      [
        '工号,日期,考勤结果,假别,修改原因',
        `${person.staffNo},2026-11-16,请假,病假,补登`,
        `${person.staffNo},2026-11-17,请假,,补登`,
        `${person.staffNo},2026-11-15,旷工,,补登`,
      ].join('\n'),
    )
    const upload = { ...w.t.upload('结果.csv', await readFile(path)), type: 'text/csv' }
    const seen = await w.t.call(importDayStates.post, { mode: 'skip' }, { ...w.owner, upload })
    expect(seen.errors?.map(({ line, column }) => [line, column])).toEqual([
      [3, '假别'],
      [4, '考勤结果'],
    ])
    const { taskId } = await w.t.call(
      importDayStates.post,
      { importId: defined(seen.importId), mode: 'skip' },
      w.owner,
    )
    await w.t.waitForTask(defined(taskId))
    expect(await w.monthOf(person, '2026-11')).toMatchObject({ sickHours: '8', leaveHours: '8' })
  })
  it('statistics and the month count the same days', async () => {
    const person = await w.newMember(w.officeId, '2026-11-16')
    await w.punch(person, '2026-11-16 11:01', '2026-11-16 18:00', '2026-11-17 09:00', '2026-11-17 18:00')
    const { dueDays, actualDays, lateCount, absentDays } = await w.monthOf(person, '2026-11')
    expect({ dueDays, actualDays, lateCount, absentDays }).toEqual({
      dueDays: '5',
      actualDays: '1.5',
      lateCount: 0,
      absentDays: '3.5',
    })
    for (const row of await w.t.call(getDayStatistics, { from: '2026-11-16', to: '2026-11-20' }, w.owner)) {
      const share = (Number(row.presentDays) / row.dueDays) * 100
      expect(row.rate).toBe(`${share.toFixed(2)}%`)
    }
  })
})

describe('a closed month (ATT-12)', () => {
  let person: StaffPerson
  let leaveId: string
  const spanning = { beginTime: '2026-09-29 09:00:00', endTime: '2026-11-03 18:00:00' } as const

  beforeAll(async () => {
    person = await w.newMember(w.officeId, '2026-09-01')
    const leave = await w.t.call(
      applications.add,
      { staffId: person.id, applyType: 'leave', leaveType: 'sick', ...spanning, reason: '住院治疗' },
      w.owner,
    )
    leaveId = String(leave.id)
    await w.t.call(addHolidays, { holidayDate: '2026-10-05', holidayName: '国庆', dayType: 'rest' }, w.owner)
    await w.t.call(closeMonth, { month: '2026-10' }, w.owner)
  })

  const refused = (call: Promise<unknown>) => expect(refusalTextOf(call)).resolves.toContain('解除封存')

  it('refuses holidays, added, edited, deleted and imported', async () => {
    const { t, owner } = w
    await refused(
      t.call(addHolidays, { holidayDate: '2026-10-12', holidayName: '公司假', dayType: 'own' }, owner),
    )
    const [day] = await t.call(
      addHolidays,
      { holidayDate: '2026-11-11', holidayName: '公司假', dayType: 'own' },
      owner,
    )
    const { id, version, holidayName } = defined(day)
    const draft = { id, version, holidayName }
    await refused(t.call(editHoliday, { ...draft, holidayDate: '2026-10-12', dayType: 'own' }, owner))
    const closedDay = await t.database
      .reader(t.ownerId)
      .one<{ id: number }>(
        sql`select id from holiday where holiday_date = '2026-10-05' and owner_id = ${t.ownerId}`,
      )
    await refused(t.call(deleteHolidays, { ids: [String(defined(closedDay).id)], reason: '有误' }, owner))
    const upload = {
      ...t.upload('节假日.csv', new TextEncoder().encode('日期,名称,类型\n2026-10-13,公司假,公司假\n')),
      type: 'text/csv',
    }
    const check = await t.call(importHolidays.post, {}, { ...owner, upload })
    expect(check.errors).toMatchObject([{ line: 2, message: expect.stringContaining('解除封存') }])
    // The calendar of an open month computes its days: a Wednesday of November is free now.
    expect(await w.dayOf(person, '2026-11-11')).toMatchObject({ state: 'rest' })
    await t.call(deleteHolidays, { ids: [String(id)], reason: '有误' }, owner)
    expect(await w.dayOf(person, '2026-11-11')).toMatchObject({ state: 'absent' })
  })
  it('refuses exemptions that reach into it, and the removal of one', async () => {
    const { t, owner } = w
    const draft = { staffId: person.id, reason: '外聘顾问' }
    await refused(t.call(exemptions.save, { ...draft, beginDate: '2026-09-15' }, owner))
    await refused(
      t.call(exemptions.save, { ...draft, beginDate: '2026-10-30', endDate: '2026-11-02' }, owner),
    )
    const saved = await t.call(exemptions.save, { ...draft, beginDate: '2026-11-18' }, owner)
    await refused(t.call(exemptions.save, { ...saved, beginDate: '2026-10-18' }, owner))
    await t.call(exemptions.save, { ...saved, endDate: '2026-11-19' }, owner)
    await t.call(exemptions.delete, { ids: [String(saved.id)], reason: '有误' }, owner)
  })
  it('refuses documents and their withdrawal that span it, groups and recomputing', async () => {
    const { t, owner } = w
    await refused(t.call(cancelApplications, { ids: [leaveId], reason: '未休假' }, owner))
    const trip = { staffId: (await w.newMember(w.guardsId, '2026-11-02')).id, applyType: 'trip' as const }
    await refused(t.call(applications.add, { ...trip, ...spanning, reason: '外地项目' }, owner))
    const staffIds = [String(person.id)]
    await refused(t.call(addMembers, { groupId: w.guardsId, staffIds, beginDate: '2026-09-20' }, owner))
    const { rows } = await t.call(listMembers, { staffId: staffIds, size: 5 }, owner)
    const ids = rows.map(({ id }) => String(id))
    await refused(t.call(endMembers, { ids, endDate: '2026-09-20' }, owner))
    await refused(t.call(recomputeDays, { from: '2026-09-01', to: '2026-11-01', staffIds }, owner))
    await t.call(endMembers, { ids, endDate: '2026-11-20' }, owner)
    await refused(
      t.call(saveSchedule, { cells: [{ staffId: person.id, workDate: '2026-10-12', shiftId: noId }] }, owner),
    )
  })
  it('waits for those who change it, and then finds nothing half done', async () => {
    const { t, owner } = w
    await t.call(reopenMonth, { month: '2026-10', reason: '补录' }, owner)
    const other = await w.newMember()
    const cells = [{ staffId: other.id, workDate: '2026-10-14' as const, shiftId: noId }]
    const [saved] = await Promise.allSettled([
      t.call(saveSchedule, { cells }, owner),
      t.call(closeMonth, { month: '2026-10' }, owner),
    ])
    const state = (await w.dayOf(other, '2026-10-14'))?.state
    expect(state).toBe(saved.status === 'fulfilled' ? 'rest' : 'absent')
    await t.call(reopenMonth, { month: '2026-10', reason: '补录' }, owner)
  })
})

describe('schedules', () => {
  it('two shifts of a person that overlap, and two for one day, are refused with a message', async () => {
    const guard = await w.newMember(w.guardsId, '2026-11-02')
    const { t, owner } = w
    const early = (
      await t.call(
        shifts.save,
        {
          shiftName: '早班',
          segments: [{ in: '05:00', out: '13:00' }],
          lateGrace: 5,
          severeLate: 30,
          absentLate: 120,
          earlyGrace: 0,
          absentEarly: 120,
          flexMinutes: 0,
          earliestIn: 60,
          latestOut: 60,
          mustIn: true,
          mustOut: true,
        },
        owner,
      )
    ).id
    const cell = (workDate: Day, shiftId: Id) => ({ staffId: guard.id, workDate, shiftId })
    const night = cell('2026-11-24', w.nightShift)
    const save = (...cells: (typeof night)[]) => t.call(saveSchedule, { cells }, owner)
    expect(await faultTextsOf(save(night, cell('2026-11-25', early)))).toEqual({
      Cells: expect.stringContaining('时间重叠'),
    })
    await save(night)
    expect(await refusalTextOf(save(cell('2026-11-25', early)))).toContain('时间重叠')
    expect(await refusalTextOf(save(cell('2026-11-26', early), cell('2026-11-26', noId)))).toContain(
      '有两条排班',
    )
    const path = join(t.dir, 'schedule.xlsx')
    await writeWorkbook(
      ['工号', '日期', '班次'].map(heading => ({ heading })),
      [[[guard.staffNo, '2026-11-25', '早班']]],
      createWriteStream(path),
    )
    const upload = t.upload('排班.xlsx', await readFile(path))
    const seen = await t.call(importSchedule.post, { mode: 'skip' }, { ...owner, upload })
    expect(seen.errors).toMatchObject([{ line: 2, message: expect.stringContaining('时间重叠') }])
  })
  it('a week table whose shifts overlap is refused with a message, from Sunday to Monday too (ATT-2)', async () => {
    const { t, owner } = w
    const segments = [{ in: '05:00', out: '13:00' }]
    const dawn = { ...shiftDraft, shiftName: '凌晨班', segments, rests: [], earliestIn: 60, latestOut: 60 }
    const { id: dawnShift } = await t.call(shifts.save, dawn, owner)
    const rules = { allowsPhone: false, mendLimit: 3, mendDays: 7, missingIsAbsent: false }
    const group = {
      ...rules,
      groupName: '夜间',
      groupType: 'fixed' as const,
      overtimeRule: 'approval' as const,
    }
    const faultOf = (...week: readonly ['monday' | 'tuesday' | 'wednesday' | 'sunday', Id][]) =>
      faultTextsOf(
        t.call(
          groups.save,
          { ...group, week: week.map(([day, shiftId]) => ({ weekDay: day, shiftId })) },
          owner,
        ),
      )
    const wording = '周一的「夜班」与周二的「凌晨班」时间重叠，请更换班次'
    expect(await faultOf(['monday', w.nightShift], ['tuesday', dawnShift])).toEqual({ WeekJson: wording })
    expect(await faultOf(['sunday', w.nightShift], ['monday', dawnShift])).toEqual({
      WeekJson: expect.stringContaining('周日的「夜班」与周一的「凌晨班」'),
    })
    await t.call(
      groups.save,
      {
        ...group,
        week: [
          { weekDay: 'monday', shiftId: w.nightShift },
          { weekDay: 'wednesday', shiftId: dawnShift },
        ],
      },
      owner,
    )
  })
  it('the grid shows what the week table plans where nobody was scheduled', async () => {
    const clerk = await w.newMember()
    await w.t.call(
      saveSchedule,
      { cells: [{ staffId: clerk.id, workDate: '2026-11-23', shiftId: noId }] },
      w.owner,
    )
    const { rows } = await w.t.call(getScheduleGrid, { month: '2026-11', keyword: clerk.staffNo }, w.owner)
    expect(rows[0]?.days).toEqual([{ workDate: '2026-11-23', shiftId: 0 }])
    const planned = new Map(rows[0]?.planned?.map(({ workDate, shiftId }) => [workDate, shiftId]))
    expect([planned.get('2026-11-23'), planned.get('2026-11-24'), planned.get('2026-11-28')]).toEqual([
      undefined,
      w.dayShift,
      0,
    ])
  })
  it('ATT-4 a punch belongs to the day of its clock, one of a night to the day the night began', async () => {
    const guard = await w.newMember(w.guardsId, '2026-11-02')
    const cells = [{ staffId: guard.id, workDate: '2026-11-17' as const, shiftId: w.nightShift }]
    await w.t.call(saveSchedule, { cells }, w.owner)
    await w.punch(guard, '2026-11-17 21:55', '2026-11-18 06:03', '2026-11-19 12:00')
    const { rows } = await w.t.call(logs.list, { staffId: [String(guard.id)], size: 5 }, w.owner)
    expect(rows.map(({ punchTime, matchedDate }) => [punchTime.slice(8, 16), matchedDate])).toEqual([
      ['19 12:00', '2026-11-19'],
      ['18 06:03', '2026-11-17'],
      ['17 21:55', '2026-11-17'],
    ])
  })
  it('a punch of another year is refused with what to do', async () => {
    const clerk = await w.newMember()
    expect(await w.punch(clerk, '1999-01-01 09:00')).toMatchObject({
      fail: 1,
      rows: [{ reason: expect.stringContaining('核对考勤机的时钟') }],
    })
  })
})

it('EXP-1 the sheets begin with the number of the person and hold each kind of leave', async () => {
  const { t, owner } = w
  const headingsOf = async (body: Parameters<typeof readBody>[0], name: string): Promise<string[]> => {
    const path = join(t.dir, name)
    await writeFile(path, await readBody(body))
    return (await readWorkbook(path)).heading.map(String)
  }
  const list = await headingsOf(
    await t.call(exportMonthRecords.get, { month: '2026-11' }, owner),
    'list.xlsx',
  )
  expect(list.slice(0, 3)).toEqual(['工号', '姓名', '部门'])
  const sheet = await headingsOf(await t.call(exportMonthSheet, { month: '2026-11' }, owner), 'sheet.xlsx')
  expect(sheet).toEqual(
    expect.arrayContaining([
      '严重迟到（次）',
      ...keysOf(leaveType).map(key => `${leaveType.rows[key][1]}（小时）`),
    ]),
  )
})
