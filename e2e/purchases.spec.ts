import { expect, test, type Page } from '@playwright/test'
import { objectsOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { findSeriousFaults } from './axe.ts'
import {
  button,
  callAsPage,
  defineJourney,
  field,
  rowOf,
  signIn,
  toastOf,
  openScreen,
} from './page-actions.ts'

const estate = '锦绣花园'
const title = '门禁电源更换'
let page: Page
let purchaseNo = ''

defineJourney(p => (page = p))

const records = async () =>
  objectsOf((await callAsPage(page, `oa/v1/Purchases/GetPagedListForAdmin?KeyWord=${title}`)).Data)

const own = async () => defined((await records())[0])

/** A line of the form's table, by its row and the label of its field. */
const cell = (on: Page, row: number, label: string) =>
  on.locator('.lines tbody tr').filter({ visible: true }).nth(row).getByLabel(label, { exact: true })

async function openMenuOf(no: string, action: string): Promise<void> {
  const row = rowOf(page, no)
  const direct = row.getByRole('button', { name: action, exact: true })
  if (await direct.count()) return direct.first().click()
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('an engineer asks for it on a phone', async ({ browser }) => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await signIn(phone, 'engineer1')
  await phone.goto('/internal/purchase/phone')
  await button(phone, '采购申请').click()
  await phone.getByRole('combobox', { name: /项目/ }).selectOption({ label: estate })
  await phone.getByLabel('标题').fill(title)
  await phone.getByLabel('需求日期').fill('2099-12-31')
  await phone.getByLabel('用途').fill('6 栋门禁断电，更换电源')
  await phone.getByLabel('品名').fill('门禁电源')
  await phone.getByLabel('规格').fill('12V 5A')
  await phone.getByLabel('单位').fill('个')
  await phone.getByLabel('数量').fill('10')
  await phone.getByLabel('预估单价').fill('85.5')
  await expect(phone.getByText('¥855.00')).toBeVisible()
  expect(await findSeriousFaults(phone)).toEqual([])
  // The browser of a phone ends a page without asking: what was typed is there again.
  await phone.reload()
  await expect(phone.getByText('已恢复上次填写')).toBeVisible()
  await expect(phone.getByLabel('标题')).toHaveValue(title)
  await expect(phone.getByText('¥855.00')).toBeVisible()
  await button(phone, '提交申请').click()
  await expect(phone.getByText('审批中')).toBeVisible()
  purchaseNo = textOf((await own()).PurchaseNo)
  expect(await own()).toMatchObject({ State: 20, TotalAmount: '855.00' })
  await button(phone, '撤回').click()
  await expect(button(phone, '提交申请')).toBeVisible()
  expect(await own()).toMatchObject({ State: 10 })
  await button(phone, '提交申请').click()
  await expect(phone.getByText('审批中')).toBeVisible()
  await phone.close()
})

test('another approves it, and orders it from a supplier', async () => {
  await openScreen(page, '/internal/purchase/purchaserecord')
  await expect(rowOf(page, purchaseNo)).toContainText('审批中')
  expect(await findSeriousFaults(page)).toEqual([])
  await openMenuOf(purchaseNo, '批准')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^批\s*准$/ })
    .click()
  await expect(toastOf(page, '已批准')).toBeVisible()
  await expect(rowOf(page, purchaseNo)).toContainText('已批准')
  await openMenuOf(purchaseNo, '下单')
  await page.locator('[data-field="supplierId"] .ant-select').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await cell(page, 0, '单价').fill('80')
  await expect(page.locator('.purchase-total').filter({ visible: true })).toContainText('¥800.00')
  await field(page, 'deliverPlace').fill('工程部库房')
  expect(await findSeriousFaults(page)).toEqual([])
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^下\s*单$/ })
    .click()
  await expect(toastOf(page, /已下采购订单/)).toBeVisible()
  expect(await own()).toMatchObject({ State: 40, OrderedAmount: '800.00' })
})

async function receive(quantity: string, deliveryNo: string, fromPurchase = false): Promise<void> {
  await openScreen(page, `/internal/purchase/order?keyword=${purchaseNo}`)
  await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible()
  const orderNo = textOf(
    defined(objectsOf((await callAsPage(page, `oa/v1/PurchaseOrder/Get?KeyWord=${purchaseNo}`)).Data)[0])
      .OrderNo,
  )
  if (fromPurchase) {
    const [row] = await records()
    await openScreen(page, `/internal/purchase/purchaserecord/detail?id=${String(row?.ID)}`)
    const orders = page.getByRole('region', { name: '采购订单' }).filter({ visible: true })
    await expect(orders.getByRole('link', { name: orderNo })).toBeVisible()
    await orders.getByRole('button', { name: `收货 ${orderNo}` }).click()
  } else {
    await openMenuOf(orderNo, '收货')
  }
  await field(page, 'deliveryNo').fill(deliveryNo)
  await cell(page, 0, '收货数量').fill(quantity)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^收\s*货$/ })
    .click()
}

test('it comes in two deliveries; more than was ordered is refused at its field', async () => {
  await receive('4', 'SH-01')
  await expect(toastOf(page, /已收货/)).toBeVisible()
  expect(await own()).toMatchObject({ State: 50, ReceivedAmount: '320.00' })
  await receive('7', 'SH-02', true)
  await expect(page.getByText('「门禁电源」还可收货 6 个')).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await cell(page, 0, '收货数量').fill('6')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^收\s*货$/ })
    .click()
  await expect(toastOf(page, /已收货/)).toBeVisible()
  expect(await own()).toMatchObject({ State: 60, ReceivedAmount: '800.00' })
})

test('the purchase shows its order and both deliveries, and prints', async () => {
  const [row] = await records()
  await openScreen(page, `/internal/purchase/purchaserecord/detail?id=${String(row?.ID)}`)
  const receipts = page.getByRole('region', { name: '收货记录' }).filter({ visible: true })
  await expect(receipts).toContainText('SH-01')
  await expect(receipts).toContainText('SH-02')
  await expect(page.getByText('已完成').filter({ visible: true }).first()).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await openScreen(page, `/internal/purchase/purchaserecord/print?id=${String(row?.ID)}`)
  await expect(page.getByRole('heading', { name: '采购申请单' })).toBeVisible()
  await expect(page.getByText('捌佰伍拾伍元整')).toBeVisible()
})
