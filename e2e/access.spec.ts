import { expect, test, type Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { doorways } from '#modules/access/contract/doorway.ts'
import { saveCard } from '#modules/residents/contract/card.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  defineJourney,
  field,
  rowOf,
  tokenOf,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000)
const doorwayName = `南门${mark}`
const cardNo = `M${mark}`
let page: Page
let residencyId = 0
let tenantName = ''

defineJourney(p => (page = p))

/** A call as the page makes it, by its declaration. */
async function call<I, O>(declared: Call<I, O>, input: NoInfer<I>): Promise<O> {
  const { method, path, query, body } = encodeRequest(declared, input, { uuid: randomUUID() })
  const response = await page.request.fetch(`/api/${path}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      token: await tokenOf(page),
      'content-type': method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    ...(body === undefined ? {} : { data: body }),
  })
  return decodeResponse(declared, envelopeOf(await response.json()))
}

async function openDoorway(): Promise<void> {
  await openScreen(page, '/doorvisitors/doorway')
  await rowOf(page, doorwayName).getByText(doorwayName).click()
}

/** What the check of a card answers at the door. */
async function check(): Promise<void> {
  await openDoorway()
  await page.getByRole('tab', { name: '通行权限' }).filter({ visible: true }).click()
  await button(page, '通行检查').click()
  await page.getByLabel('卡号、邀请码或通行码', { exact: true }).filter({ visible: true }).fill(cardNo)
  await button(page, '检查').click()
}

test('a door is added that is open to all residents of the project', async () => {
  await openScreen(page, '/doorvisitors/doorway')
  await button(page, '新增门').click()
  await field(page, 'doorwayName').fill(doorwayName)
  await page.locator('[data-field="isPublic"]').locator('input, button').first().click()
  await page.getByRole('dialog').getByRole('button', { name: '新增门', exact: true }).click()
  await expect(toastOf(page, doorwayName)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
})

test('a tenant gets a card: the door opens, and says because of what', async () => {
  const { rows } = await call(listResidencies, {
    projectCode,
    status: ['living'],
    relation: ['tenant'],
    size: 1,
  })
  const tenant = defined(rows[0])
  residencyId = tenant.id
  tenantName = tenant.userName ?? ''
  const { userId, roomId } = tenant
  await call(saveCard, { projectCode, cardNo, cardType: 'ic', userId, roomId })
  await check()
  await expect(visibleText(page, '可开门')).toBeVisible()
  await expect(visibleText(page, new RegExp(`${tenantName}，公共门（`))).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('姓名、卡号').filter({ visible: true }).fill(cardNo)
  await expect(rowOf(page, cardNo)).toContainText('公共门')
  await openScreen(page, '/doorvisitors/doorcardmanage')
  await page.getByPlaceholder(/卡号/).filter({ visible: true }).first().fill(cardNo)
  await rowOf(page, cardNo).getByText(cardNo).click()
  await page.getByRole('tab', { name: '通行权限' }).filter({ visible: true }).click()
  await expect(rowOf(page, doorwayName)).toContainText('公共门')
})

test('after the tenant has moved out the card is refused, with the reason', async () => {
  const outDate = dayOfMoment(fromInstant(Date.now()))
  await call(checkOut, { ids: [String(residencyId)], outDate, reason: '退租', answers: [] })
  await check()
  await expect(visibleText(page, '不能开门')).toBeVisible()
  await expect(visibleText(page, '卡已注销')).toBeVisible()
  const { rows } = await call(doorways.list, { projectCode, keyword: doorwayName })
  await call(doorways.delete, { ids: [String(defined(rows[0]).id)], reason: '演示结束' })
})
