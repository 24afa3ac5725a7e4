import { expect, type Page } from '@playwright/test'
import { addMinutes, dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { getMyAccount } from '#modules/accounts/contract/account.ts'
import { exemptions } from '#modules/attendance/contract/apply.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { callOn } from './page-actions.ts'

/** Who is signed in, as somebody who can be given work. */
async function ownStaffId(page: Page): Promise<string> {
  const { id: managerId, realName: name } = await callOn(page, getMyAccount, undefined)
  const known = (await callOn(page, staffs.list, { size: 2000 })).rows.find(
    each => each.managerId === managerId,
  )
  const draft = { name, managerId, gender: 'unknown', isTicketSeller: false, state: 'active' } as const
  const staffId = (known ?? (await callOn(page, staffs.add, draft))).id
  // At any hour and on a day of rest as well: who is exempt from attendance is on duty.
  await callOn(page, defined(exemptions.save), {
    staffId,
    beginDate: dayOfMoment(fromInstant(Date.now())),
    reason: '值班',
  })
  return String(staffId)
}

/** What a plan of every day asks of the one who is signed in, from just before now. */
export async function ownDailyPlan(page: Page) {
  const now = fromInstant(Date.now())
  return {
    cycleType: 'daily',
    calendarRule: 'always',
    times: [{ begin: addMinutes(now, -5).slice(11, 16), end: addMinutes(now, 60).slice(11, 16) }],
    staffMode: 'everyone',
    staffIds: [await ownStaffId(page)],
    beginDate: dayOfMoment(now),
    remindMinutes: 0,
    lateEndMinutes: 30,
    state: 'enabled',
  } as const
}

/** Waits until the phone has all that the page needs without a network. */
export const waitUntilKept = (phone: Page): Promise<void> =>
  expect
    .poll(() => phone.evaluate<boolean>("caches.match('/').then(found => found !== undefined)"), {
      timeout: 20_000,
    })
    .toBe(true)

/** Ends the tab and opens the address in a new one, as a phone does that needs its memory. */
export async function reopen(phone: Page, address: string): Promise<Page> {
  const context = phone.context()
  await phone.close()
  const next = await context.newPage()
  await next.goto(address)
  return next
}
