import { expect, test, type Page } from '@playwright/test'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, addSeconds, fromInstant } from '#kit/domain/moment.ts'
import { addInvitation, cancelInvitation } from '#modules/visitors/contract/invitations.ts'
import { inviteRules, type InviteRule } from '#modules/visitors/contract/rule.ts'
import { getSetting, saveSetting } from '#modules/visitors/contract/setting.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callOn,
  defineJourney,
  field,
  rowOf,
  toastOf,
  visibleText,
  openScreen,
} from './page-actions.ts'

const projectCode = 'JXHY0001'
const gatehouse = '/visitorinformation'
/** Unique names: a retried journey finds the records of its first try. */
const mark = String(Date.now() % 1_000_000).padStart(6, '0')
const wide = `赵来客${mark}`
const narrow = `钱来客${mark}`
let page: Page
let rule: InviteRule | undefined

defineJourney(p => (page = p))

/** One entrance, and nobody's consent. */
const addRule = (): Promise<InviteRule> =>
  callOn(page, inviteRules.add, {
    projectCode,
    ruleName: `保洁${mark}`,
    hostTypes: ['staff'],
    visitorKinds: ['housekeeping'],
    advanceDays: 1,
    maxHours: 24,
    maxTimes: 1,
    maxPersons: 5,
    needsCert: false,
    needsFace: false,
    allowsCar: true,
    checkType: 'exempt',
    state: 'on',
  })

/** A visit that is allowed from now on; its code is what the visitor shows. */
async function invite(visitorName: string, seconds: number, mobile: string) {
  rule ??= await addRule()
  const now = fromInstant(Date.now())
  const invited = await callOn(page, addInvitation, {
    projectCode,
    hostType: 'staff',
    visitorKind: 'housekeeping',
    ruleId: rule.id,
    personCount: 1,
    beginTime: addMinutes(now, -1),
    endTime: addSeconds(now, seconds),
    visitors: [{ visitorName, mobile }],
  })
  return { id: invited.id, inviteNo: defined(invited.visitors[0]?.inviteNo) }
}

async function show(inviteNo: string): Promise<void> {
  await openScreen(page, gatehouse)
  await page.getByLabel('邀请码', { exact: true }).filter({ visible: true }).fill(inviteNo)
  await button(page, '核验').click()
}

const answer = () => page.locator('.visit-answer').filter({ visible: true })
const submit = () => page.getByRole('dialog').getByRole('button', { name: '登记进入', exact: true })

test('the guard checks a visitor in by the code; used once, the code is worth nothing more (1§2)', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const { inviteNo } = await invite(wide, 3600, `150${mark}01`)
  await show(inviteNo)
  await expect(answer()).toContainText(wide)
  await expect(answer()).toContainText('可以进入')
  await button(answer(), '登记进入').click()
  await field(page, 'certNo').fill('110105194912310021')
  await submit().click()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/身份证/)
      .last(),
  ).toBeVisible()
  await field(page, 'certNo').fill('11010519491231002X')
  await submit().click()
  await expect(toastOf(page, `「${wide}」已登记进入`)).toBeVisible()
  await expect(rowOf(page, wide)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await rowOf(page, wide).getByText('登记离开').click()
  await expect(toastOf(page, `「${wide}」已离开`)).toBeVisible()
  await show(inviteNo)
  await expect(answer()).toContainText('次数用尽')
  await expect(button(answer(), '登记进入')).toHaveCount(0)
})

test('on a phone: the visitor comes, stays too long, and leaves', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  const setting = await callOn(page, getSetting, { projectCode })
  await callOn(page, saveSetting, { ...setting, overtimeMinutes: 0 })
  const { inviteNo } = await invite(narrow, 25, `150${mark}02`)
  await show(inviteNo)
  await button(answer(), '登记进入').click()
  await submit().click()
  await expect(toastOf(page, `「${narrow}」已登记进入`)).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await expect(async () => {
    await openScreen(page, '/doorvisitors/visitorsrecode?isOverdue=1&view=overdue')
    await expect(rowOf(page, narrow)).toBeVisible({ timeout: 4000 })
  }).toPass({ timeout: 60_000 })
  await show(inviteNo)
  await expect(answer()).toContainText('在访')
  await page.getByRole('tab', { name: '超时未离' }).click()
  const card = page.getByRole('listitem', { name: narrow })
  await expect(card).toContainText('进入，应离')
  await card.getByRole('button', { name: '登记离开' }).click()
  await expect(toastOf(page, `「${narrow}」已离开`)).toBeVisible()
  const latest = await callOn(page, getSetting, { projectCode })
  await callOn(page, saveSetting, { ...latest, overtimeMinutes: setting.overtimeMinutes })
})

test('who is on the black list is turned away, and a withdrawn code too', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const { id, inviteNo } = await invite(`孙来客${mark}`, 3600, `150${mark}03`)
  await openScreen(page, `${gatehouse}?tab=blocks`)
  await button(page, '新增访客黑名单').click()
  await field(page, 'name').fill(`孙来客${mark}`)
  await field(page, 'mobile').fill(`150${mark}03`)
  await field(page, 'reason').fill('演示')
  await page.getByRole('dialog').getByRole('button', { name: '新增访客黑名单', exact: true }).click()
  await expect(rowOf(page, `孙来客${mark}`)).toBeVisible()
  await show(inviteNo)
  await expect(answer()).toContainText('在访客黑名单中（演示）')
  await callOn(page, cancelInvitation, { id, reason: '演示结束' })
  await show(inviteNo)
  await expect(answer()).toContainText('无效码')
  await openScreen(page, `${gatehouse}?tab=validations`)
  await expect(visibleText(page, '黑名单').first()).toBeVisible()
  await callOn(page, inviteRules.edit, { ...defined(rule), state: 'off' })
})
