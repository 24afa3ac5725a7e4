import type { Call } from '#kit/contract/call.ts'
import { keysOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays, weekday, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, momentAt } from '#kit/domain/moment.ts'
import { expect, test, type Page } from '@playwright/test'
import { listManagers } from '#modules/accounts/contract/manager.ts'
import { processes } from '#modules/approvals/contract/process.ts'
import { weekDay } from '#modules/attendance/contract/choices.ts'
import { addMembers, groups } from '#modules/attendance/contract/group.ts'
import { devices, postPunches } from '#modules/attendance/contract/log.ts'
import { shifts } from '#modules/attendance/contract/shift.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { addHolidays, deleteHolidays, listHolidays } from '#modules/system/contract/holiday.ts'
import { findSeriousFaults } from './axe.ts'
import { button, callOn, defineJourney, openSignedInPage, visibleText, openScreen } from './page-actions.ts'

let page: Page
const consoleErrors = defineJourney(p => (page = p))

const today = dayOfInstant(Date.now())
const yesterday = addDays(today, -1)
/** The last Sunday whose Monday is of the same month and has had its night by now. */
const sunday = ((): Day => {
  let day = addDays(today, -3)
  while (weekday(day) !== 7 || addDays(day, 1).slice(0, 7) !== day.slice(0, 7)) {
    day = addDays(day, -1)
  }
  return day
})()
const first = addDays(sunday, -7)
/** The employee whose account is service1. */
let employeeName = ''
const guardName = '考勤旅程夜班'

const call = <I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> => callOn(page, declared, input)

const accountOf = async (loginCode: string): Promise<{ readonly id: Id; readonly name: string }> => {
  const { rows } = await call(listManagers, { keyword: loginCode, size: 5 })
  const { id, realName } = defined(rows.find(row => row.loginCode === loginCode))
  return { id, name: realName }
}

const shiftDraft = {
  rests: [],
  lateGrace: 5,
  severeLate: 30,
  absentLate: 120,
  earlyGrace: 0,
  absentEarly: 120,
  flexMinutes: 0,
  earliestIn: 120,
  latestOut: 240,
  mustIn: true,
  mustOut: true,
}
const groupDraft = {
  groupType: 'fixed' as const,
  allowsPhone: true,
  mendLimit: 3,
  mendDays: 7,
  missingIsAbsent: false,
  overtimeRule: 'approval' as const,
}

/** The demo's employee behind an account. */
async function employeeOf(account: Awaited<ReturnType<typeof accountOf>>) {
  const { rows } = await call(staffs.list, { keyword: account.name, size: 50 })
  return defined(rows.find(row => row.managerId === account.id))
}

const joinGroup = (groupId: Id, staffId: Id) =>
  call(addMembers, { groupId, staffIds: [String(staffId)], beginDate: first })

const openOnPhone = async (
  browser: Parameters<typeof openSignedInPage>[0],
  account: string,
  path: string,
) => {
  const phone = await openSignedInPage(browser, consoleErrors, account)
  await phone.setViewportSize({ width: 360, height: 740 })
  await phone.goto(path)
  return phone
}

/** The cell of a person and day in the grid of a month. */
const cellOf = (name: string, day: Day, state: string) =>
  page.getByRole('button', { name: new RegExp(`${name} ${day} ${state}`) })

test('two groups, their people and the approval of leave', async () => {
  const segments = [{ in: '09:00', out: '18:00' }]
  const dayShift = await call(shifts.save, { ...shiftDraft, shiftName: '旅程白班', segments })
  const nightShift = await call(shifts.save, {
    ...shiftDraft,
    shiftName: '旅程夜班',
    segments: [{ in: '22:00', out: '06:00', outNext: true }],
  })
  const week = (shiftId: Id, count: number) =>
    keysOf(weekDay)
      .slice(0, count)
      .map(key => ({ weekDay: key, shiftId }))
  const office = await call(groups.save, { ...groupDraft, groupName: '旅程办公', week: week(dayShift.id, 7) })
  const nights = await call(groups.save, {
    ...groupDraft,
    groupName: '旅程夜班组',
    week: week(nightShift.id, 5),
  })
  const [employee, approver] = [await accountOf('service1'), await accountOf('manager1')]
  const { id: employeeId, name } = await employeeOf(employee)
  employeeName = name
  await joinGroup(office.id, employeeId)
  const guard = await call(staffs.add, {
    name: guardName,
    staffNo: 'LC02',
    state: 'active',
    isTicketSeller: false,
  })
  await joinGroup(nights.id, guard.id)
  await call(processes.save, {
    bizType: 'leave',
    processName: '请假审批',
    nodes: [
      {
        key: 'n1',
        name: '项目经理',
        rule: 'people',
        managerIds: [String(approver.id)],
        mode: 'any',
        refuseTo: 'end',
      },
    ],
    emptyPolicy: 'administrator',
    skipsRepeated: true,
    state: 'on',
  })
})

test('an employee asks for leave on a phone and sees who will approve it', async ({ browser }) => {
  const phone = await openOnPhone(browser, 'service1', '/internal/attendance/own')
  await button(phone, '申请').click()
  await expect(visibleText(phone, '暂无申请')).toBeVisible()
  await phone.locator('.foot').getByRole('button', { name: '申请', exact: true }).click()
  await phone.getByLabel('假别').selectOption('年假')
  await phone.getByLabel('开始时间').fill(`${yesterday}T09:00`)
  await phone.getByLabel('结束时间').fill(`${yesterday}T18:00`)
  await expect(visibleText(phone, '时长 9 小时')).toBeVisible()
  await expect(phone.getByRole('region', { name: '审批人' })).toContainText('项目经理')
  await button(phone, '提交申请').click()
  await expect(visibleText(phone, '请填写事由，至少 2 个字')).toBeVisible()
  await phone.getByLabel('事由').fill('回乡探亲')
  expect(await findSeriousFaults(phone)).toEqual([])
  await button(phone, '提交申请').click()
  await expect(phone.getByRole('button', { name: /年假.*审批中/ })).toBeVisible()
  await phone.context().close()
})

test('the approver agrees on a phone', async ({ browser }) => {
  await openScreen(
    page,
    `/internal/attendance/account?month=${yesterday.slice(0, 7)}&keyword=${employeeName}`,
  )
  await expect(cellOf(employeeName, yesterday, '旷工')).toBeVisible()
  const phone = await openOnPhone(browser, 'manager1', '/internal/approval/phone')
  await phone.getByRole('button', { name: new RegExp(`${employeeName} 年假`) }).click()
  await expect(visibleText(phone, '回乡探亲')).toBeVisible()
  await button(phone, '同意').click()
  await phone.getByLabel('意见').fill('同意休假')
  await button(phone, '同意').click()
  await expect(phone.getByRole('heading', { name: '我的审批' })).toBeVisible()
  await expect(phone.getByRole('button', { name: new RegExp(`${employeeName} 年假`) })).toHaveCount(0)
  await phone.context().close()
})

test('the month shows the leave, and the day says why; the month stays in the address', async () => {
  await page.reload()
  await cellOf(employeeName, yesterday, '请假').click()
  await expect(visibleText(page, '年假')).toBeVisible()
  await page.keyboard.press('Escape')
  await openScreen(
    page,
    `/internal/attendance/monthlysummary?month=${yesterday.slice(0, 7)}&keyword=${employeeName}`,
  )
  const row = page.getByRole('row').filter({ hasText: employeeName, visible: true })
  await expect(row).toContainText('9')
  await page.reload()
  await expect(page.getByLabel('月份').filter({ visible: true })).toHaveValue(yesterday.slice(0, 7))
})

test('a night over a moved Sunday counts for the Sunday, with its punch of the next morning', async () => {
  const registered = await call(listHolidays, { holidayDateFrom: sunday, holidayDateTo: sunday })
  if (registered.rows.length) {
    await call(deleteHolidays, { ids: registered.rows.map(({ id }) => String(id)), reason: '更换' })
  }
  await call(addHolidays, { holidayDate: sunday, holidayName: '旅程调休', dayType: 'work' })
  const grid = `/internal/attendance/account?month=${sunday.slice(0, 7)}&keyword=${guardName}`
  await openScreen(page, grid)
  await expect(cellOf(guardName, sunday, '旷工')).toBeVisible()
  await call(devices.save, { deviceName: '旅程考勤机', deviceNo: 'LC-KQ', state: 'on' })
  const punches = [momentAt(sunday, '21:55'), momentAt(addDays(sunday, 1), '06:03')]
  const answer = await call(postPunches, {
    deviceNo: 'LC-KQ',
    punches: punches.map(punchTime => ({ staffNo: 'LC02', punchTime })),
  })
  expect(answer).toMatchObject({ success: 2, fail: 0 })
  await openScreen(page, grid)
  await cellOf(guardName, sunday, '正常').click()
  await expect(visibleText(page, '次日 06:03，正常')).toBeVisible()
  await expect(visibleText(page, /旅程调休.*调休上班/)).toBeVisible()
  await page.keyboard.press('Escape')
  // The punch of the morning does not count for Monday.
  await expect(cellOf(guardName, addDays(sunday, 1), '旷工')).toBeVisible()
  await openScreen(page, `/internal/attendance/personban?month=${sunday.slice(0, 7)}&keyword=${guardName}`)
  const row = page.getByRole('row').filter({ hasText: guardName, visible: true })
  await expect(row.getByRole('cell').nth(Number(sunday.slice(8)) - 1)).toHaveText('旅程夜班')
})
