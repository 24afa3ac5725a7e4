import { expect, test, type Page } from '@playwright/test'
import { button, rowOf, seat, seen, toastOf } from './desk.ts'

test.describe.configure({ mode: 'serial', timeout: 180_000 })
const said: string[] = []

/** Reports add up months of bills: a busy machine takes its time. */
const slow = expect.configure({ timeout: 30_000 })
let boss: Page
let receipt = ''
let room = ''
const reports = '/finance/reportCenter/financialManagement'

test.beforeAll(async ({ browser }) => {
  boss = await seat(browser, said)
})

test.afterAll(async () => {
  await boss?.context().close()
  expect(said, 'nothing is complained of in the console').toEqual([])
})

const row = (text: string | RegExp) => rowOf(boss, text)

/** Yuan as they stand on the screen, in fen. */
const fen = (text: string | null): number =>
  Math.round(Number((text ?? '').replaceAll(/[¥,元\s]/g, '').replace('−', '-')) * 100)

/** The cell of a row under a heading. */
async function words(of: string | RegExp, heading: string): Promise<string> {
  const heads = await boss.getByRole('columnheader').filter({ visible: true }).allTextContents()
  const at = heads.findIndex(h => h.trim() === heading)
  expect(at, `${heading} 在 ${heads.join(' ')} 里`).toBeGreaterThan(-1)
  const cells = row(of).locator('td')
  // A line of totals has its words over several columns: counted from the end.
  return (await cells.nth((await cells.count()) - heads.length + at).textContent()) ?? ''
}

const cell = async (of: string | RegExp, heading: string): Promise<number> => fen(await words(of, heading))
const total = (heading: string) => cell(/^全部/, heading)

test('what the cashier took for a room stands in the received report, to the fen, and leads to its lines', async () => {
  const mine = async (): Promise<number> => {
    await boss.goto(`${reports}/charge?report=received&by=cashier&view=*`)
    await slow(row(/^全部/)).toBeVisible()
    return (await row('演示管理员').count()) ? cell('演示管理员', '净收') : 0
  }
  const before = await mine()
  await boss.goto('/finance/chargemanage/cashier')
  await boss.getByLabel('搜索缴费对象').fill('7-1-2')
  await boss.locator('#cashier-found li').filter({ hasText: '笔' }).first().click()
  await slow(seen(boss, /已选/)).toBeVisible()
  await boss.getByLabel('实收', { exact: true }).fill('90000')
  await button(boss, /确认收款/).click()
  await expect(toastOf(boss, /已收 .*找零/)).toBeVisible()
  receipt = /收据 (\S+)/.exec((await toastOf(boss, /收据/).textContent()) ?? '')![1]!
  // What the receipt says, line by line; the object of its first line.
  await boss.goto(`/finance/chargemanage/tradingcenter?keyword=${receipt}&view=*`)
  await slow(row(/ZD\d{10}/)).toBeVisible()
  room = (await words(/ZD\d{10}/, '收费对象')).trim()
  const taken = (await total('本金')) + (await total('违约金'))
  expect((await mine()) - before).toBe(taken)
  await boss.goto(`${reports}/charge?report=received&by=source&view=*&keyword=${encodeURIComponent(room)}`)
  await slow(row(room)).toBeVisible()
  const net = await cell(room, '净收')
  const principal = await cell(room, '本金')
  expect(principal).toBeGreaterThan(0)
  await row(room).getByRole('link').last().click()
  await expect(boss).toHaveURL(/tradingcenter\?.*roomCode=/)
  await slow(row(/ZD\d{10}/)).toBeVisible()
  await slow.poll(() => total('本金')).toBe(principal)
  expect(net).toBeGreaterThanOrEqual(principal)
})

test('the tills: days sum up to the month, by every way of summing; a figure leads to its records', async () => {
  await boss.goto(`${reports}/chargesummary`)
  await slow(row(/^全部/)).toBeVisible()
  const net = await total('净额')
  const cash = await total('到账')
  const offset = await total('预存与券抵扣')
  expect(net - offset).toBe(cash)
  expect(net).toBeGreaterThan(0)
  await boss.getByLabel('汇总方式', { exact: true }).click()
  await boss.locator('.ant-select-dropdown:visible').getByText('按支付方式', { exact: true }).click()
  await slow(row('现金')).toBeVisible()
  expect(await total('净额')).toBeGreaterThanOrEqual(net)
  await boss.goto(`${reports}/chargesummary?by=cashier&view=*`)
  await row('演示管理员').getByRole('link').nth(1).click()
  await expect(boss).toHaveURL(/paidbills\?.*cashierId=/)
  await slow(row(receipt)).toBeVisible()
})

test('the month of arrears balances on the screen; carrying it over is for months gone by', async () => {
  // Every figure stands there where there is room for it.
  await boss.setViewportSize({ width: 1920, height: 1080 })
  await boss.goto('/finance/chargemanage/feeSummary')
  await slow(row(/^全部/)).toBeVisible()
  const plus = ['期初欠费', '往期调整', '本月出账']
  const minus = ['减免', '预收转入', '收本月', '收往期', '核销', '期末欠费']
  let left = 0
  for (const k of plus) {
    left += await total(k)
  }
  for (const k of minus) {
    left -= await total(k)
  }
  expect(left).toBe(0)
  expect(await total('期末欠费')).toBeGreaterThan(0)
  await boss.setViewportSize({ width: 1440, height: 900 })
  await boss.goto('/finance/chargemanage/feeSummary?report=month')
  await slow(row(/^全部/)).toBeVisible({ timeout: 45_000 })
  await expect(boss.getByRole('row').filter({ hasText: /20\d\d-\d\d/, visible: true })).not.toHaveCount(0)
})

test('the finance home: rates with what they are made of, each figure with its way down', async () => {
  await boss.goto('/finance/indexFinance')
  await slow(seen(boss, '数据截至')).toBeVisible()
  for (const name of ['当期收缴率', '清欠率', '综合收缴率', '户数收缴率']) {
    await slow(seen(boss, name)).toBeVisible()
  }
  const today = boss.getByRole('row').filter({ hasText: '今天', visible: true })
  // Others take and give back money meanwhile: the home and its way down agree when nobody does.
  await expect(async () => {
    await boss.goto('/finance/indexFinance')
    const stands = fen(await today.locator('td').nth(2).textContent())
    expect(stands).toBeGreaterThan(0)
    await today.getByRole('link').nth(2).click()
    await expect(boss).toHaveURL(/chargesummary\?.*dayFrom=/)
    await slow(row(/^全部/)).toBeVisible()
    expect(await total('净额')).toBe(stands)
  }).toPass({ timeout: 60_000 })
  await boss.goto('/finance/indexFinance')
  await boss.locator('.fin-ages a').first().click()
  await expect(boss).toHaveURL(/unpaidbills\?/)
})

test('a report is exported as it stands, and printed across with its totals', async () => {
  await boss.goto(`${reports}/charge?report=should`)
  await slow(row(/^全部/)).toBeVisible()
  await button(boss, /导\s?出$/).click()
  const file = boss.waitForEvent('download')
  await button(boss, /^导出 \d/).click()
  expect((await file).suggestedFilename()).toMatch(/^应收报表_\d{8}\.xlsx$/)
  await boss.evaluate(
    `window.print = () => { window.printed = document.querySelector('.print-out').textContent }`,
  )
  await button(boss, /打\s?印$/).click()
  await expect.poll(() => boss.evaluate<string>(`window.printed || ''`)).toContain('合计')
  await boss.evaluate(`dispatchEvent(new Event('afterprint'))`)
})

test('a view of one’s own, opened by its name alone, has the totals of its rows', async () => {
  const band = async (): Promise<number> =>
    fen(
      /本月出账\s*([\d.,]+)/.exec(
        (await boss.locator('.report-band').innerText()).replaceAll('\n', ' '),
      )?.[1] ?? '',
    )
  await boss.goto('/finance/chargemanage/feeSummary')
  await slow(row(/^全部/)).toBeVisible()
  const usual = await total('本月出账')
  await boss.locator('.report-band').getByText('近 6 个月').click()
  await slow.poll(() => total('本月出账')).not.toBe(usual)
  const half = await total('本月出账')
  await button(boss, /存为视图/).click()
  await boss.getByLabel('视图名称').fill('半年')
  await boss.keyboard.press('Enter')
  await expect(boss).toHaveURL(/view=v/)
  await boss.goto(`/finance/chargemanage/feeSummary?view=${new URL(boss.url()).searchParams.get('view')}`)
  await slow(row(/^全部/)).toBeVisible()
  await slow.poll(() => total('本月出账')).toBe(half)
  await slow.poll(band).toBe(half)
  await seen(boss, '删除视图').click()
})
