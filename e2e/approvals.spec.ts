import { numberOf, objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import {
  button,
  callAsPage,
  clickRowAction,
  confirmChange,
  field,
  openSignedInPage,
  rowOf,
  toastOf,
  visibleText,
} from './page-actions.ts'

// A refund above the limit goes through two approvers to the cashier. The flow asks for refunds of this
// journey's reason alone: refunds of journeys beside it go on as before.

test.describe.configure({ mode: 'serial' })
const consoleErrors: string[] = []
const reason = '审批旅程退款'
let cashier: Page
let supervisor: Page
let owner: Page
let processId = 0
let receipt = ''

test.beforeAll(async ({ browser }) => {
  cashier = await openSignedInPage(browser, consoleErrors, 'cashier1')
  supervisor = await openSignedInPage(browser, consoleErrors, 'manager1')
  owner = await openSignedInPage(browser, consoleErrors)
})

test.afterAll(async () => {
  if (processId) {
    await callAsPage(owner, 'Process/PutState', { ID: processId, State: 20 }, 'PUT')
  }
  for (const page of [cashier, supervisor, owner]) {
    await page?.context().close()
  }
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

async function accountOf(loginCode: string): Promise<string> {
  const { Data } = await callAsPage(owner, `Manager/Get?PageSize=200&PageIndex=1`)
  const found = objectsOf(Data).find(row => textOf(row.Logincode) === loginCode)
  return String(numberOf(defined(found).ID))
}

test('a flow of two approvers is made for refunds from 50 up', async () => {
  const node = (key: string, name: string, account: string) => ({
    Key: key,
    NodeName: name,
    ApproverKind: 10,
    ManagerIDs: [account],
    Mode: 1,
    RefuseTo: 10,
    Conditions: [
      { Field: 'amount', Operator: 40, Value: '50.00' },
      { Field: 'reason', Operator: 10, Value: reason },
    ],
  })
  const nodes = [
    node('a', '主管审批', await accountOf('manager1')),
    node('b', '经理审批', await accountOf('demo')),
  ]
  const saved = await callAsPage(owner, 'oa/v1/Process/Update', {
    BizType: 80,
    ProcessName: '大额退款',
    NodesJson: JSON.stringify(nodes),
    EmptyPolicy: 2,
    SkipsRepeated: 1,
    State: 10,
  })
  processId = numberOf(objectOf(saved.Data).ID)
  await owner.goto('/internal/personnel/approvalSet')
  await rowOf(owner, '大额退款').getByText('大额退款').click()
  await expect(visibleText(owner, /退款金额 大于等于/)).toBeVisible()
})

test('the cashier takes cash, and asks to give it back: it is under approval', async () => {
  await cashier.goto('/finance/chargemanage/cashier')
  await cashier.getByLabel('搜索收费对象').fill('4-1-')
  await cashier.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expect(visibleText(cashier, /已选/)).toBeVisible()
  await cashier.getByLabel('实收', { exact: true }).fill('90000')
  await button(cashier, /确认收款/).click()
  await confirmChange(cashier)
  await expect(toastOf(cashier, /已收 .*找零/)).toBeVisible()
  receipt = defined(defined(/收据 (\S+)/.exec((await toastOf(cashier, /收据/).textContent()) ?? ''))[1])
  await cashier.goto(`/finance/chargemanage/paidbills?keyword=${receipt}`)
  await clickRowAction(cashier, receipt, '退款')
  await expect(cashier.locator('.refund-lines tbody tr').first()).toBeVisible()
  await field(cashier, 'reason').fill(reason)
  await button(cashier, '申请退款').click()
  await expect(toastOf(cashier, /已提交审批，通过后退款/)).toBeVisible()
  await cashier.goto('/finance/chargemanage/backpaidbills?view=approving&state=approving')
  await expect(rowOf(cashier, reason)).toContainText('审批中')
})

test('the first approver agrees in the back office; the cashier sees it go on', async () => {
  await supervisor.goto('/internal/approval')
  await clickRowAction(supervisor, /退款 TKD/, '详情')
  await expect(visibleText(supervisor, '主管审批')).toBeVisible()
  await button(supervisor, '同意').click()
  await supervisor
    .getByRole('dialog')
    .getByRole('button', { name: /同\s?意/ })
    .click()
  await expect(toastOf(supervisor, '已同意')).toBeVisible()
  await cashier.reload()
  await expect(rowOf(cashier, reason)).toContainText('审批中')
})

test('the second approver signs and agrees on a phone', async () => {
  await owner.setViewportSize({ width: 360, height: 740 })
  await owner.goto('/internal/approval/phone')
  await button(owner, '我的签名').click()
  const pad = owner.locator('.signature-pad canvas')
  const box = defined(await pad.boundingBox())
  await owner.mouse.move(box.x + 30, box.y + 40)
  await owner.mouse.down()
  await owner.mouse.move(box.x + 160, box.y + 90, { steps: 8 })
  await owner.mouse.up()
  await button(owner, '保存签名').click()
  await owner
    .getByRole('button', { name: /退款 TKD/ })
    .first()
    .click()
  await expect(visibleText(owner, reason)).toBeVisible()
  const width = await owner.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(360)
  await button(owner, '同意').click()
  await owner.getByLabel('意见').fill('同意退款')
  await button(owner, '同意').click()
  await expect(owner.getByRole('heading', { name: '我的审批' })).toBeVisible()
})

test('the refund is paid out by the cashier, and the printed form is signed', async () => {
  await cashier.goto('/finance/chargemanage/backpaidbills?view=done&state=done')
  await expect(rowOf(cashier, reason)).toContainText('已退款')
  await cashier.goto(`/finance/chargemanage/paidbills?keyword=${receipt}`)
  await expect(rowOf(cashier, receipt)).toContainText('已退款')
  const decided = await callAsPage(owner, 'ProcessInstance/GetMine?View=decided&PageSize=5&PageIndex=1')
  const id = numberOf(defined(objectsOf(decided.Data)[0]).ID)
  await owner.setViewportSize({ width: 1280, height: 800 })
  await owner.goto(`/internal/personnel/approvalData/print?id=${id}`)
  await expect(owner.getByText('主管审批')).toBeVisible()
  await expect(owner.getByRole('img', { name: /签名$/ })).toHaveCount(1)
})
