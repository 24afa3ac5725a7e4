import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { activities, getPlaceCode } from '#modules/activities/contract/activity.ts'
import { listHomeLinks } from '#modules/resident-page/contract/codes.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  chooseProject,
  clickRowAction,
  defineJourney,
  rowOf,
  toastOf,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
/** Unique: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000).padStart(6, '0')
const title = `游园会${mark}`
const minute = 60_000

let page: Page
let phones: Page[] = []
let activityId: Id = 0

defineJourney(opened => (page = opened))

const at = (minutes: number): Moment => fromInstant(Date.now() + minutes * minute)

/** Pages of residents of three homes, each by their own link. Other journeys take the first residents. */
async function openPhones(open: () => Promise<Page>): Promise<Page[]> {
  const { rows } = await callOn(page, listResidencies, { projectCode, status: ['living'], size: 60 })
  const userIds = [...new Set(rows.map(({ userId }) => userId))].toReversed()
  const found: Page[] = []
  for (const userId of userIds) {
    const [link, ...others] = await callOn(page, listHomeLinks, { userId })
    if (others.length || link?.url === undefined) continue
    const phone = await open()
    await phone.goto(link.url)
    found.push(phone)
    if (found.length === 3) return found
  }
  throw new Error('fewer than three residents with one home')
}

const phoneOf = (i: number): Page => defined(phones[i])

async function openOnPhone(phone: Page): Promise<void> {
  await phone.getByRole('link', { name: /社区活动/ }).click()
  await phone.getByRole('link', { name: new RegExp(title) }).click()
  await expect(phone.getByRole('heading', { name: title })).toBeVisible()
}

test('an activity for two is published, and the third resident waits (NOT-2)', async ({ browser }) => {
  await openScreen(page, '/notice/activityManagement')
  await chooseProject(page, '锦绣花园')
  const { id } = await callOn(page, activities.add, {
    projectCode,
    title,
    content: '<p>请带<strong>水杯</strong></p>',
    address: '中心花园',
    signBegin: at(-60),
    signEnd: at(60),
    beginTime: at(30),
    endTime: at(180),
    quota: 2,
    maxPersons: 1,
    hasWaiting: true,
  })
  activityId = id
  await page.reload()
  await expect(rowOf(page, title)).toBeVisible()
  await clickRowAction(page, title, '发布')
  await expect(toastOf(page, '已发布')).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  phones = await openPhones(() => browser.newPage({ viewport: { width: 360, height: 740 } }))
  expect(await findSeriousFaults(phoneOf(0))).toEqual([])
  for (const phone of phones.slice(0, 2)) {
    await openOnPhone(phone)
    await button(phone, '报名').click()
    await expect(phone.getByRole('region', { name: '本人报名' })).toContainText('已报名')
  }
  await openOnPhone(phoneOf(2))
  await button(phoneOf(2), '候补报名').click()
  await expect(phoneOf(2).getByRole('region', { name: '本人报名' })).toContainText('有人取消时首先递补')
  expect(await findSeriousFaults(phoneOf(2))).toEqual([])
})

test('who cancels gives the place to who waits, and who comes checks in', async () => {
  await button(phoneOf(0), '取消报名').click()
  await button(phoneOf(0), '确认取消报名').click()
  await expect(button(phoneOf(0), '候补报名').or(button(phoneOf(0), '报名'))).toBeVisible()
  const waiting = phoneOf(2)
  await waiting.reload()
  await expect(waiting.getByRole('region', { name: '本人报名' })).toContainText('已报名')
  await expect(waiting.getByLabel('签到码')).toBeVisible()
  // One scans the code at the place, the other is found in the list of the staff.
  const { url } = await callOn(page, getPlaceCode, { id: activityId })
  await waiting.goto(url)
  await button(waiting, '签到').click()
  await expect(waiting.getByRole('region', { name: '本人报名' })).toContainText('已签到')
  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, `/notice/activitycheckin?id=${activityId}`)
  await expect(page.getByText('1 人').first()).toBeVisible()
  await button(page, '签到').click()
  await expect(page.getByRole('status').filter({ hasText: '已签到' })).toBeVisible()
  await expect(page.getByText('没有未签到的住户')).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  expect(await callOn(page, activities.get, { id: activityId })).toMatchObject({
    signCount: 2,
    waitCount: 0,
    checkInCount: 2,
  })
})
