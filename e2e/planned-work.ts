import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { getMyAccount } from '#modules/accounts/contract/account.ts'
import { exemptions } from '#modules/attendance/contract/apply.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { tokenOf } from './page-actions.ts'

/** A call as the page makes it, by its declaration. */
export async function callOn<I, O>(page: Page, declared: Call<I, O>, input: NoInfer<I>): Promise<O> {
  const { method, path, query, body } = encodeRequest(declared, input, { uuid: randomUUID() })
  const answer = await page.request.fetch(`/api/${path}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      token: await tokenOf(page),
      'content-type': method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    ...(body === undefined ? {} : { data: body }),
  })
  return decodeResponse(declared, envelopeOf(await answer.json()))
}

/** Who is signed in, as somebody who can be given work. */
export async function ownStaffId(page: Page): Promise<string> {
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

/** Waits until the telephone has all that the page needs without a network. */
export const waitUntilKept = (phone: Page): Promise<void> =>
  expect
    .poll(() => phone.evaluate<boolean>("caches.match('/').then(found => found !== undefined)"), {
      timeout: 20_000,
    })
    .toBe(true)

/** Ends the tab and opens the address in a new one, as a telephone does that needs its memory. */
export async function reopen(phone: Page, address: string): Promise<Page> {
  const context = phone.context()
  await phone.close()
  const next = await context.newPage()
  await next.goto(address)
  return next
}
