import { defined } from '#kit/domain/defined.ts'
import { expect, test, type Page } from '@playwright/test'
import {
  button,
  rowOf,
  openSignedInPage,
  visibleText,
  toastOf,
  confirmChange,
  openScreen,
} from './page-actions.ts'

test.describe.configure({ mode: 'serial', timeout: 180_000 })
const consoleErrors: string[] = []

/** Reports add up months of bills: a busy machine takes its time. */
const expectSlowly = expect.configure({ timeout: 30_000 })
let ownerPage: Page
let receipt = ''
let room = ''
const reports = '/finance/reportCenter/financialManagement'

test.beforeAll(async ({ browser }) => {
  ownerPage = await openSignedInPage(browser, consoleErrors)
})

test.afterAll(async () => {
  await ownerPage?.context().close()
  expect(consoleErrors, 'nothing is complained of in the console').toEqual([])
})

const row = (text: string | RegExp) => rowOf(ownerPage, text)

/** Yuan as they are on the screen, in fen. */
const fen = (text: string | null): number =>
  Math.round(Number((text ?? '').replaceAll(/[¥,元\s]/g, '').replace('−', '-')) * 100)

/** The cell of a row under a heading. */
async function cellText(of: string | RegExp, heading: string): Promise<string> {
  const heads = await ownerPage.getByRole('columnheader').filter({ visible: true }).allTextContents()
  const at = heads.findIndex(h => h.trim() === heading)
  expect(at, `${heading} 在 ${heads.join(' ')} 里`).toBeGreaterThan(-1)
  const cells = row(of).locator('td')
  // A line of totals has its words over several columns: counted from the end.
  return (await cells.nth((await cells.count()) - heads.length + at).textContent()) ?? ''
}

const cellFen = async (of: string | RegExp, heading: string): Promise<number> =>
  fen(await cellText(of, heading))
const totalFen = (heading: string) => cellFen(/^全部/, heading)

test('what the cashier took for a room is in the received report, to the fen, and leads to its lines', async () => {
  const ownCount = async (): Promise<number> => {
    await openScreen(ownerPage, `${reports}/charge?report=received&by=cashier&view=*`)
    await expectSlowly(row(/^全部/)).toBeVisible()
    return (await row('演示管理员').count()) ? cellFen('演示管理员', '已收合计') : 0
  }
  const before = await ownCount()
  await openScreen(ownerPage, '/finance/chargemanage/cashier')
  await ownerPage.getByLabel('搜索收费对象').fill('7-1-2')
  await ownerPage.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await expectSlowly(visibleText(ownerPage, /已选/)).toBeVisible()
  await ownerPage.getByLabel('实收', { exact: true }).fill('90000')
  await button(ownerPage, /确认收款/).click()
  await confirmChange(ownerPage)
  await expect(toastOf(ownerPage, /已收 .*找零/)).toBeVisible()
  receipt = defined(defined(/收据 (\S+)/.exec((await toastOf(ownerPage, /收据/).textContent()) ?? ''))[1])
  // What the receipt says, line by line; the object of its first line.
  await openScreen(ownerPage, `/finance/chargemanage/tradingcenter?keyword=${receipt}&view=*`)
  await expectSlowly(row(/ZD\d{10}/)).toBeVisible()
  room = (await cellText(/ZD\d{10}/, '收费对象')).trim()
  const taken = (await totalFen('本金')) + (await totalFen('违约金'))
  expect((await ownCount()) - before).toBe(taken)
  await openScreen(
    ownerPage,
    `${reports}/charge?report=received&by=source&view=*&keyword=${encodeURIComponent(room)}`,
  )
  await expectSlowly(row(room)).toBeVisible()
  const net = await cellFen(room, '已收合计')
  const principal = await cellFen(room, '已收本金')
  expect(principal).toBeGreaterThan(0)
  await row(room).getByRole('link').last().click()
  await expect(ownerPage).toHaveURL(/tradingcenter\?.*roomCode=/)
  await expectSlowly(row(/ZD\d{10}/)).toBeVisible()
  await expectSlowly.poll(() => totalFen('本金')).toBe(principal)
  expect(net).toBeGreaterThanOrEqual(principal)
})

test('the collection summaries: days sum up to the month, by every way of summing; a figure leads to its records', async () => {
  await ownerPage.goto(`${reports}/chargesummary`)
  await expectSlowly(row(/^全部/)).toBeVisible()
  const net = await totalFen('净收')
  expect((await totalFen('实收')) - Math.abs(await totalFen('退款'))).toBe(net)
  expect(net).toBeGreaterThan(0)
  await ownerPage.getByLabel('汇总方式', { exact: true }).click()
  await ownerPage.locator('.ant-select-dropdown:visible').getByText('按支付方式', { exact: true }).click()
  await expectSlowly(row('现金')).toBeVisible()
  expect(await totalFen('净收')).toBeGreaterThanOrEqual(net)
  await ownerPage.goto(`${reports}/chargesummary?by=cashier&view=*`)
  await row('演示管理员').getByRole('link').nth(1).click()
  await expect(ownerPage).toHaveURL(/paidbills\?.*cashierId=/)
  await expectSlowly(row(receipt)).toBeVisible()
})

test('the month of arrears balances on the screen; carrying it over is for months gone by', async () => {
  // Every figure is there where there is room for it.
  await ownerPage.setViewportSize({ width: 1920, height: 1080 })
  await ownerPage.goto('/finance/chargemanage/feeSummary')
  await expectSlowly(row(/^全部/)).toBeVisible()
  const plus = ['期初欠费', '往期调整', '本月出账']
  const minus = ['减免', '预收转入', '收当期', '收往期', '核销', '期末欠费']
  let difference = 0
  for (const k of plus) {
    difference += await totalFen(k)
  }
  for (const k of minus) {
    difference -= await totalFen(k)
  }
  expect(difference).toBe(0)
  expect(await totalFen('期末欠费')).toBeGreaterThan(0)
  await ownerPage.setViewportSize({ width: 1440, height: 900 })
  await ownerPage.goto('/finance/chargemanage/feeSummary?report=month')
  await expectSlowly(row(/^全部/)).toBeVisible({ timeout: 45_000 })
  await expect(ownerPage.getByRole('row').filter({ hasText: /20\d\d-\d\d/, visible: true })).not.toHaveCount(
    0,
  )
})

test('the finance home: rates with what they are made of, each figure with its way down', async () => {
  await ownerPage.goto('/finance/indexFinance')
  await expectSlowly(visibleText(ownerPage, '数据截至')).toBeVisible()
  for (const name of ['当期收缴率', '清欠率', '综合收缴率', '户数收缴率']) {
    await expectSlowly(visibleText(ownerPage, name)).toBeVisible()
  }
  const today = ownerPage.getByRole('row').filter({ hasText: '今天', visible: true })
  // Other tests take and refund money at the same time: the home and its way down agree when nobody does.
  await expect(async () => {
    await ownerPage.goto('/finance/indexFinance')
    const shownAmount = fen(await today.locator('td').nth(2).textContent())
    expect(shownAmount).toBeGreaterThan(0)
    await today.getByRole('link').nth(2).click()
    await expect(ownerPage).toHaveURL(/chargesummary\?.*dayFrom=/)
    await expectSlowly(row(/^全部/)).toBeVisible()
    expect(await totalFen('净收')).toBe(shownAmount)
  }).toPass({ timeout: 60_000 })
  await ownerPage.goto('/finance/indexFinance')
  await ownerPage.locator('.fin-ages a').first().click()
  await expect(ownerPage).toHaveURL(/unpaidbills\?/)
})

test('a report is exported as it is, and printed across with its totals', async () => {
  await ownerPage.goto(`${reports}/charge?report=should`)
  await expectSlowly(row(/^全部/)).toBeVisible()
  await button(ownerPage, /导\s?出$/).click()
  const file = ownerPage.waitForEvent('download')
  await button(ownerPage, /^导出 \d/).click()
  expect((await file).suggestedFilename()).toMatch(/^应收报表_\d{8}\.xlsx$/)
  await ownerPage.evaluate(
    `window.print = () => { window.printed = document.querySelector('.print-out').textContent }`,
  )
  const print = async (): Promise<string> => {
    await ownerPage.evaluate(`window.printed = ''`)
    await button(ownerPage, /打\s?印$/).click()
    await expect.poll(() => ownerPage.evaluate<string>(`window.printed`)).toContain('合计')
    await ownerPage.evaluate(`dispatchEvent(new Event('afterprint'))`)
    return ownerPage.evaluate<string>(`window.printed`)
  }
  expect(await print()).toContain('原始金额')
  // A column that somebody hides is neither on the screen nor on the paper.
  const shows = (name: string) => ownerPage.getByRole('checkbox', { name, exact: true })
  await button(ownerPage, '列设置').click()
  await shows('原始金额').uncheck()
  await ownerPage.keyboard.press('Escape')
  await expect(ownerPage.getByRole('columnheader', { name: '原始金额' })).toHaveCount(0)
  expect(await print()).not.toContain('原始金额')
  await button(ownerPage, '列设置').click()
  await shows('原始金额').check()
  await ownerPage.keyboard.press('Escape')
})

test('a view of one’s own, opened by its name alone, has the totals of its rows', async () => {
  const band = async (): Promise<number> =>
    fen(
      /本月出账\s*([\d.,]+)/.exec(
        (await ownerPage.locator('.report-band').innerText()).replaceAll('\n', ' '),
      )?.[1] ?? '',
    )
  await ownerPage.goto('/finance/chargemanage/feeSummary')
  await expectSlowly(row(/^全部/)).toBeVisible()
  const usual = await totalFen('本月出账')
  await ownerPage.locator('.report-band').getByText('近 6 个月').click()
  await expectSlowly.poll(() => totalFen('本月出账')).not.toBe(usual)
  const half = await totalFen('本月出账')
  await button(ownerPage, /存为视图/).click()
  await ownerPage.getByLabel('视图名称').fill('半年')
  await ownerPage.keyboard.press('Enter')
  await expect(ownerPage).toHaveURL(/view=v/)
  await ownerPage.goto(
    `/finance/chargemanage/feeSummary?view=${new URL(ownerPage.url()).searchParams.get('view')}`,
  )
  await expectSlowly(row(/^全部/)).toBeVisible()
  await expectSlowly.poll(() => totalFen('本月出账')).toBe(half)
  await expectSlowly.poll(band).toBe(half)
  await visibleText(ownerPage, '删除视图').click()
})
