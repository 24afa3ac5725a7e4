import { expect, test, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { button, field, defineJourney, visibleText, toastOf, openScreen } from './page-actions.ts'

let page: Page
let room = ''
defineJourney(p => (page = p))
const rows = () => page.getByRole('row').filter({ visible: true, has: page.getByRole('checkbox') })
const row = (text: string | RegExp) => rows().filter({ hasText: text }).first()

/** The action of a row, open or behind ⋯. */
async function clickAction(of: string | RegExp, name: string): Promise<void> {
  await row(of).hover()
  const direct = row(of).getByRole('button', { name, exact: true })
  if (await direct.count()) return direct.first().click()
  await row(of).getByRole('button', { name: /更多/ }).first().click()
  await page.getByRole('menuitem', { name, exact: true }).filter({ visible: true }).first().click()
}

const search = async (word: string): Promise<void> => {
  const box = page.getByPlaceholder(/房号、姓名/).filter({ visible: true })
  await box.fill(word)
  await box.press('Enter')
  await expect(page).toHaveURL(/keyword=/)
  await expect(row(word)).toBeVisible()
}

const dialog = () => page.getByRole('dialog').filter({ visible: true }).last()

test('the rows stand before everything is counted, and totals that fail can be read again', async () => {
  const isTotals = (url: URL): boolean => /GetPagedList/i.test(url.pathname) && /Part=20/i.test(url.search)
  let answer: () => void = () => {}
  const untilAnswered = new Promise<void>(resolve => (answer = resolve))
  await page.route(isTotals, async route => {
    await untilAnswered
    await route.abort()
  })
  await openScreen(page, '/finance/chargemanage/unpaidbills?keyword=1-1&order=receivable')
  // The head is a row as well.
  const firstRow = rows().nth(1)
  await expect(firstRow).toBeVisible()
  const total = page.getByRole('navigation', { name: '分页' }).filter({ visible: true })
  await expect(total.locator('.total[aria-busy]')).toBeVisible()
  const widths = (): Promise<number[]> =>
    page
      .getByRole('columnheader')
      .filter({ visible: true })
      .evaluateAll(heads => heads.map(head => head.getBoundingClientRect().width))
  const before = await widths()
  answer()
  await expect(total.getByText('总数加载失败')).toBeVisible()
  await expect(firstRow).toBeVisible()
  await page.unroute(isTotals)
  await total.getByRole('button', { name: '重试' }).click()
  await expect(visibleText(page, /全部 [\d,]+ 条（按当前筛选）/)).toBeVisible()
  await expect(total.getByText(/共 [\d,]+ 条/)).toBeVisible()
  expect(await widths()).toEqual(before)
})

test('finds the bills of a room, with totals of the whole filter', async () => {
  await openScreen(page, '/finance/chargemanage/unpaidbills?keyword=1-1-10&order=-receivable')
  await expect(row(/物业费/)).toBeVisible()
  await expect(visibleText(page, /全部 [\d,]+ 条（按当前筛选）/)).toBeVisible()
  room = (
    await row(/物业费/)
      .getByRole('button')
      .first()
      .innerText()
  ).trim()
  await search(room)
  await row(/物业费/)
    .getByRole('button', { name: room })
    .click()
  const drawer = page.getByRole('dialog', { name: '详情' })
  await expect(drawer.getByText('计费明细')).toBeVisible()
  await expect(drawer.getByText(/元\/㎡·月/)).toBeVisible()
  await page.keyboard.press('Escape')
})

test('discounts a part, and the rule limits how much', async () => {
  await clickAction(/物业费/, '减免')
  await field(page, 'amount').fill('10')
  await expect(dialog().getByText(/减免合计 [\d.,]+ → 10\.00/)).toBeVisible()
  await field(page, 'reason').fill('物业费优惠')
  await dialog().getByRole('button', { name: '减免', exact: true }).click()
  await expect(toastOf(page, /已减免「/)).toBeVisible()
})

test('splits a bill by amount into two that replace it', async () => {
  await clickAction(/物业费/, '拆分')
  await field(page, 'amount').fill('30')
  await expect(dialog().getByText(/第一张 2/)).toBeVisible()
  await field(page, 'reason').fill('先缴一部分')
  await dialog().getByRole('button', { name: '拆分', exact: true }).click()
  await expect(toastOf(page, /已拆分/)).toBeVisible()
  await openScreen(
    page,
    `/finance/chargemanage/unpaidbills?keyword=${encodeURIComponent(room)}&receivableFrom=3000&receivableTo=3000`,
  )
  await expect(row('30.00')).toBeVisible()
})

test('abolishes with a reason and recovers it', async () => {
  await clickAction(/30\.00/, '作废')
  await dialog().getByRole('button', { name: '面积有误' }).click()
  const abolish = dialog().getByRole('button', { name: /^作废 1 张/ })
  await abolish.click()
  // Nothing is chosen beforehand: the user states what becomes of the days (GEN-3).
  await expect(dialog().getByText('请选择账期处理')).toBeVisible()
  await dialog().getByRole('radio', { name: '不再收取' }).check()
  await abolish.click()
  await expect(toastOf(page, /已作废「/)).toBeVisible()
  // Taken back at once, and done again.
  await page.locator('.ant-message').getByRole('button', { name: '撤销' }).first().click()
  await expect(toastOf(page, /已恢复「/)).toBeVisible()
  await clickAction(/30\.00/, '作废')
  await dialog().getByRole('button', { name: '面积有误' }).click()
  await dialog().getByRole('radio', { name: '重新出账' }).check()
  await dialog()
    .getByRole('button', { name: /^作废 1 张/ })
    .click()
  await expect(toastOf(page, /已作废「/)).toBeVisible()
  await openScreen(
    page,
    `/finance/chargemanage/chargeList?view=abolished&state=abolished&keyword=${encodeURIComponent(room)}`,
  )
  await expect(row(room)).toBeVisible()
  await clickAction(/30\.00/, '恢复')
  await dialog().getByRole('button', { name: '恢复', exact: true }).click()
  // It is announced in the same words as before, maybe by the notice that the link above has hidden.
  await expect(visibleText(page, '无符合条件的记录')).toBeVisible()
})

test('records a demand letter and prints it', async () => {
  await openScreen(
    page,
    `/finance/chargemanage/unpaidbills?keyword=${encodeURIComponent(room)}&order=-receivable`,
  )
  await clickAction(/物业费/, '发起催缴')
  await page.locator('[data-field="channel"] .ant-select').filter({ visible: true }).click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '书面催缴函' })
    .click()
  await expect(dialog().getByText(/可以催缴 1 位客户，1 张账单/)).toBeVisible()
  expect(await findSeriousFaults(page)).toEqual([])
  await dialog().getByRole('button', { name: '催缴', exact: true }).click()
  await expect(dialog().getByText('已登记「书面催缴函」：1 位客户，1 张账单')).toBeVisible()
  const offered = page.waitForEvent('popup')
  await dialog().getByRole('button', { name: '打印催缴函' }).click()
  await (await offered).close()
  await dialog().getByRole('button', { name: '未打印' }).click()
  await openScreen(page, '/finance/chargemanage/demandmoney')
  const popup = page.waitForEvent('popup')
  await clickAction(room, '打印催缴函')
  const print = await popup
  const file = await print.waitForResponse(/Feenotice\/GetLetters/i)
  expect(file.headers()['content-type']).toContain('application/pdf')
  await expect(print.locator('iframe[title="打印"]')).toBeVisible()
  await print.close()
  await expect(button(page, /发起催缴/)).toBeVisible()
})
