import { randomUUID } from 'node:crypto'
import { expect, test, type Browser, type Page } from '@playwright/test'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest } from '#kit/contract/wire.ts'
import { changePassword } from '#modules/accounts/contract/account.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { addManager } from '#modules/accounts/contract/manager.ts'
import { addRole } from '#modules/accounts/contract/role.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { menu } from '#modules/personal-data/module.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callAsPage,
  defineJourney,
  field,
  signIn,
  toastOf,
  tokenOf,
  visibleText,
} from './page-actions.ts'

const stamp = String(Date.now() % 10_000_000).padStart(7, '0')
const name = `欧阳清${['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸'][Number(stamp.at(-1))]}`
const mobile = `1360${stamp}`

let page: Page

defineJourney(opened => {
  page = opened
})

/** A call as the page makes it, by its declaration. */
async function call<I, O>(declared: Call<I, O>, input: NoInfer<I>, token: string): Promise<O> {
  const { method, path, query, body } = encodeRequest(declared, input, { uuid: randomUUID() })
  const answer = await page.request.fetch(`/api/${path}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      token,
      'content-type': method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    ...(body === undefined ? {} : { data: body }),
  })
  return decodeResponse(declared, envelopeOf(await answer.json()))
}

const approver = `approver${stamp}`

/** Somebody else, who may look at requests and approve them. */
async function addApprover(): Promise<void> {
  const token = await tokenOf(page)
  const { view, approve } = menu.erasure.permissions
  const role = await call(
    addRole,
    { roleName: approver, permissions: [view.key, approve.key], needTotp: false },
    token,
  )
  const manager = await call(
    addManager,
    {
      loginCode: approver,
      realName: approver,
      managerType: 'ordinary',
      roleIds: [String(role.id)],
      showPrivacy: false,
      password: 'First2026',
    },
    token,
  )
  await call(saveDataDomain, { managerId: manager.id, allProject: true }, token)
  const answer = await page.request.post('/api/Manager/Login', {
    data: { Logincode: approver, Password: 'First2026' },
  })
  const session = decodeResponse(login, envelopeOf(await answer.json()))
  await call(changePassword, { oldPassword: 'First2026', password: 'Anju2026' }, session.token)
}

/** Approved in a browser of the other person's own. */
async function approveAsOther(browser: Browser, address: string): Promise<void> {
  const other = await browser.newPage()
  await signIn(other, approver)
  await other.goto(address)
  await button(other, '审批通过').click()
  await button(other.getByRole('dialog').last(), '审批通过').click()
  await expect(toastOf(other, '已审批')).toBeVisible()
  await other.close()
}

const cell = (text: string) =>
  page.getByRole('cell', { name: text, exact: true }).filter({ visible: true }).first()

test('a person is found by the telephone, and what is kept is shown', async () => {
  const added = await callAsPage(page, 'User/Post', {
    ProjectCode: 'JXHY0001',
    Username: name,
    Mobile: mobile,
    UserType: 10,
    State: 10,
    Remark: `${name}已迁出`,
  })
  expect(added.Code).toBe(10000)
  await page.goto('/setting/privacy/person')
  await page.getByLabel('查找人员').filter({ visible: true }).fill(mobile)
  await button(page, '查找').click()
  await button(page, name).click()
  await expect(cell('住户')).toBeVisible()
  await expect(visibleText(page, '提供物业服务、联系住户').first()).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, '导出个人信息').click()])
  expect(file.suggestedFilename()).toBe(`个人信息_${name}.zip`)
})

test('a request is registered, approved by somebody else, and executed for good', async ({ browser }) => {
  await button(page, '登记删除请求').click()
  await field(page, 'reason').fill('已迁出，本人要求删除')
  await button(page, '登记').last().click()
  await expect(toastOf(page, '已登记删除请求')).toBeVisible()
  await expect(visibleText(page, '将处理的内容').first()).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await expect(button(page, '执行删除')).toBeHidden()
  await addApprover()
  const { pathname, search } = new URL(page.url())
  await approveAsOther(browser, `${pathname}${search}`)
  await page.reload()
  await button(page, '执行删除').click()
  await field(page, 'personName').fill(name)
  // A confirmation that was begun is not kept: the name is typed again.
  await page.reload()
  await button(page, '执行删除').click()
  await expect(field(page, 'personName')).toHaveValue('')
  await field(page, 'personName').fill(name)
  await page
    .getByRole('switch', { name: /确认删除后不可恢复/ })
    .filter({ visible: true })
    .click()
  await button(page, '删除，不可恢复').click()
  await expect(toastOf(page, '已删除')).toBeVisible()
  await expect(visibleText(page, '处理结果').first()).toBeVisible()
  await page.goto('/setting/privacy/person')
  await page.getByLabel('查找人员').filter({ visible: true }).fill(mobile)
  await button(page, '查找').click()
  await expect(visibleText(page, /未找到/).first()).toBeVisible()
})

test('periods are bounded by the law, and what is due is counted before it is saved', async () => {
  await page.goto('/setting/privacy/retention')
  const ledger = page.getByLabel('账簿与凭证的保存期限').filter({ visible: true })
  await expect(ledger).toHaveValue('30')
  await ledger.fill('5')
  await ledger.blur()
  await expect(visibleText(page, '应在 30 到 100 年之间').first()).toBeVisible()
  await expect(button(page, '保存')).toBeDisabled()
  await ledger.fill('31')
  await ledger.blur()
  await button(page, '预览到期数据').click()
  await expect(visibleText(page, '不自动清除').first()).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await button(page, '保存').click()
  await button(page.getByRole('dialog').last(), '保存').click()
  await expect(toastOf(page, '已保存')).toBeVisible()
})
