import { idOf, objectOf } from '#kit/contract/fixtures.ts'
import { expect, test, type Browser, type Page } from '@playwright/test'
import {
  button,
  chooseProject,
  field,
  defineJourney,
  collectConsoleErrors,
  visibleText,
  toastOf,
  callAsPage,
  openScreen,
} from './page-actions.ts'

const stamp = Date.now().toString(36).toUpperCase()
const project = 'JXHY0001'
const meterNo = (letter: string): string => `M${stamp}${letter}`
let page: Page
defineJourney(p => (page = p))

const day = (months: number): string => {
  const d = new Date()
  d.setUTCDate(10)
  d.setUTCMonth(d.getUTCMonth() - months)
  return d.toISOString().slice(0, 10)
}

const createMeter = async (letter: string, overrides: object): Promise<number> => {
  const got = await callAsPage(page, 'PropertyMeter/Post', {
    ProjectCode: project,
    MeterNo: meterNo(letter),
    MeterKind: 10,
    MeterUse: 2,
    Multiple: '1',
    Decimals: 1,
    IsSmart: 0,
    PrepayMode: 1,
    State: 10,
    InstallDate: day(5),
    ...overrides,
  })
  expect(got.Message, JSON.stringify(got)).toBe('')
  return idOf(objectOf(got.Data).ID)
}

const readingInput = (letter: string) =>
  page.locator(`tr[data-meter="${meterNo(letter)}"] input[inputmode="decimal"]`)
const meterRow = (letter: string) => page.locator(`tr[data-meter="${meterNo(letter)}"]`)

test('a meter is added by form; a fault is shown at its field', async () => {
  await openScreen(page, '/intelligence/metermanage')
  await button(page, /新增仪表/).click()
  await field(page, 'meterNo').fill(meterNo('A'))
  await button(page.locator('.ant-drawer'), /新增仪表/).click()
  await expect(
    page
      .locator('[data-field="sourceType"]')
      .getByText('户表要选择所在的房屋或公共区域')
      .or(page.locator('[data-field="sourceCode"]').getByText('请选择房屋'))
      .first(),
  ).toBeVisible()
  await page.locator('[data-field="meterUse"]').getByText('公共表').click()
  await page.locator('[data-field="sourceType"] .ant-select').hover()
  await page.locator('[data-field="sourceType"] .ant-select-clear').click()
  await field(page, 'multiple').fill('40')
  await field(page, 'digits').fill('5')
  await field(page, 'initNum').fill('99980')
  await button(page.locator('.ant-drawer'), /新增仪表/).click()
  await expect(toastOf(page, `已新增仪表「${meterNo('A')}」`)).toBeVisible()
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(meterNo('A'))
  await expect(page.getByRole('row').filter({ hasText: meterNo('A'), visible: true })).toHaveCount(1)
})

/** The page waits for the answers of this call until they are let through. */
async function holdAnswers(path: string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<undefined>()
  await page.route(`**/${path}*`, async route => {
    await released.promise
    await route.continue()
  })
  return async () => {
    const answered = page.waitForResponse(response => response.url().includes(path))
    released.resolve(undefined)
    await (await answered).finished()
    await page.unroute(`**/${path}*`)
  }
}

test('readings are entered down the column: one rolls over, and an unusual one is confirmed', async () => {
  const b = await createMeter('B', { InitNum: '0' })
  await createMeter('C', { InitNum: '50' })
  for (const [n, months] of [
    ['10', 4],
    ['20', 3],
    ['30', 2],
  ] as const) {
    expect(
      (await callAsPage(page, 'Feemeterreading/post', { MeterID: b, ReadDate: day(months), CurNum: n }))
        .Message,
    ).toBe('')
  }
  await openScreen(page, '/intelligentMeter')
  await expect(page).toHaveURL(/intelligentMeter\/checkmeter$/i)
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(`M${stamp}`)
  await expect(meterRow('A')).toBeVisible()
  await readingInput('A').fill('15')
  await expect(meterRow('A').getByText('本期小于上期，如为翻表请勾选')).toBeVisible()
  await meterRow('A').getByLabel('翻表').check()
  await expect(meterRow('A').getByText('1400')).toBeVisible()
  await expect(meterRow('A').locator('.blank', { hasText: '正在保存' })).toHaveCount(0)
  await readingInput('B').focus()
  await page.keyboard.type('90.5')
  await expect(meterRow('B').getByText('60.5')).toBeVisible()
  await page.keyboard.press('Enter')
  // The next box has the focus, and the row before is kept.
  await expect(readingInput('C')).toBeFocused()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await expect(meterRow('C').getByText('本期读数小于上期 50，请核对')).toBeVisible()
  // Another month has its own input; what was typed here is kept here.
  const month = page.getByLabel('月份', { exact: true }).filter({ visible: true })
  const here = await month.inputValue()
  const turn = async (to: string, whileTyping?: () => Promise<void>): Promise<void> => {
    await month.fill(to)
    await whileTyping?.()
    await month.press('Enter')
    await expect(month).toHaveValue(to)
  }
  const releaseProgress = await holdAnswers('Feemeterreading/GetMonthCount')
  await turn(day(1).slice(0, 7))
  await expect(readingInput('C')).not.toHaveValue('40')
  await expect(meterRow('C').getByText('请核对')).toHaveCount(0)
  // The toolbar is drawn again while a month is typed, which keeps what is typed.
  await turn(here, releaseProgress)
  await expect(readingInput('C')).toHaveValue('40')
  await expect(meterRow('C').getByText('本期读数小于上期 50，请核对')).toBeVisible()
  await readingInput('C').fill('62')
  await page.keyboard.press('Enter')
  await expect(meterRow('C').getByText('12 吨')).toBeVisible()
  await expect(meterRow('B').getByText('高于近三期均值三倍')).toBeVisible()
  await meterRow('B').getByRole('button', { name: '确认' }).click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await dialog.getByText('现场复核无误').click()
  await dialog.getByRole('button', { name: /确认/ }).last().click()
  await expect(meterRow('B').getByText('已确认')).toBeVisible()
  await page.reload()
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(`M${stamp}`)
  await expect(readingInput('B')).toHaveValue('90.5')
  await expect(meterRow('B').getByText('已确认')).toBeVisible()
  await expect(readingInput('C')).toHaveValue('62')
})

test('a meter by time of day: its boxes are walked with Enter, must add up, and are written with the total', async () => {
  const t = await createMeter('T', { MeterKind: 30, InitNum: '0' })
  const times = (sharp: string, valley: string) => [
    { Name: '峰', Last: '0', Current: sharp, Price: '1' },
    { Name: '谷', Last: '0', Current: valley, Price: '0.3' },
  ]
  expect(
    (
      await callAsPage(page, 'Feemeterreading/post', {
        MeterID: t,
        ReadDate: day(1),
        CurNum: '30',
        RegistersJson: times('10', '20'),
      })
    ).Message,
  ).toBe('')
  await openScreen(page, '/intelligentMeter/checkmeter')
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(meterNo('T'))
  const of = (name: string) =>
    page.getByLabel(`${meterNo('T')} ${name} 本期`, { exact: true }).filter({ visible: true })
  await readingInput('T').fill('45')
  await page.keyboard.press('Enter')
  await expect(of('峰')).toBeFocused()
  await page.keyboard.type('15')
  await page.keyboard.press('Enter')
  await expect(of('谷')).toBeFocused()
  await page.keyboard.type('35')
  await page.keyboard.press('Enter')
  await expect(meterRow('T').getByText('各时段用量合计 20，总用量 15，两者不符，请核对')).toBeVisible()
  await of('谷').fill('30')
  await page.keyboard.press('Enter')
  await expect(meterRow('T').getByText('15 度')).toBeVisible()
  await expect(meterRow('T').locator('.blank', { hasText: '正在保存' })).toHaveCount(0)
  await page.reload()
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(meterNo('T'))
  await expect(of('谷')).toHaveValue('30')
  await expect(readingInput('T')).toHaveValue('45')
})

test('the readings are found, and one is withdrawn', async () => {
  await openScreen(page, '/intelligentMeter/checkmeter/records')
  await page.getByPlaceholder('表号').filter({ visible: true }).fill(meterNo('C'))
  const row = page.getByRole('row').filter({ hasText: meterNo('C'), visible: true })
  await expect(row).toHaveCount(1)
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '删除' }).filter({ visible: true }).click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await dialog.getByText('录入有误').click()
  await dialog.getByRole('button', { name: /删除/ }).last().click()
  await expect(page.getByText('无符合条件的记录').filter({ visible: true })).toBeVisible()
})

test('a meter is replaced: what the old one counted goes to the new one', async () => {
  await openScreen(page, '/intelligence/metermanage/metermanage')
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(meterNo('C'))
  const row = page.getByRole('row').filter({ hasText: meterNo('C'), visible: true })
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '换表' }).filter({ visible: true }).click()
  await field(page, 'oldEndNum').fill('60')
  await expect(visibleText(page, /用量 10 吨，并入新表/)).toBeVisible()
  await field(page, 'newMeterNo').fill(meterNo('D'))
  await field(page, 'reason').fill('到期更换')
  await button(page, '确认换表').click()
  await expect(toastOf(page, `「${meterNo('C')}」已更换为「${meterNo('D')}」`)).toBeVisible()
  await expect(page.getByText('无符合条件的记录').filter({ visible: true })).toBeVisible()
})

test('on a phone: the label opens the meter, the number is kept, the next one comes', async ({
  browser,
}: {
  browser: Browser
}) => {
  const phone = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  ).newPage()
  const heard = collectConsoleErrors(phone)
  await phone.goto(`/intelligentMeter/checkmeter/mobilemeterreading?project=${project}&meter=${meterNo('D')}`)
  await phone.getByLabel('账号', { exact: true }).fill('demo')
  await phone.getByLabel('密码', { exact: true }).fill('Anju2026')
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await expect(phone.getByText(meterNo('D')).first()).toBeVisible()
  await phone.getByLabel('本期读数').fill('5')
  // 10 of the old meter and 5 of the new one.
  await expect(phone.getByText('用量 15 吨')).toBeVisible()
  await phone.getByRole('button', { name: /保存，下一块/ }).click()
  await expect(phone.getByText(meterNo('D'))).toHaveCount(0)
  await expect(phone.getByLabel('本期读数')).toBeVisible()
  await phone.getByRole('button', { name: '返回列表' }).click()
  await phone.getByRole('button', { name: '全部', exact: true }).click()
  await phone.getByLabel('搜索').fill(meterNo('D'))
  await expect(
    phone
      .getByRole('listitem')
      .filter({ hasText: meterNo('D') })
      .getByText('5', { exact: true }),
  ).toBeVisible()
  expect(
    await phone.locator('html').evaluate(e => e.scrollWidth),
    'nothing is wider than the screen',
  ).toBeLessThanOrEqual(390)
  expect(heard).toEqual([])
  await phone.close()
})

test('on a phone without a network: nothing typed is lost, and queued readings are sent when it returns', async ({
  browser,
}: {
  browser: Browser
}) => {
  await createMeter('P', { InitNum: '100' })
  const cellar = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  const phone = await cellar.newPage()
  const at = `/intelligentMeter/checkmeter/mobilemeterreading?project=${project}&meter=${meterNo('P')}`
  const number = phone.getByLabel('本期读数')
  await phone.goto(at)
  await phone.getByLabel('账号', { exact: true }).fill('demo')
  await phone.getByLabel('密码', { exact: true }).fill('Anju2026')
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await number.fill('10')
  await expect(phone.getByText('本期读数小于上期 100，请核对；换过表的请先登记换表')).toBeVisible()
  // Put away and taken out again.
  await phone.goto(at)
  await expect(number).toHaveValue('10')
  await number.fill('112')
  await cellar.setOffline(true)
  await phone.getByRole('button', { name: /保存，下一块/ }).click()
  await expect(phone.getByText('网络已断开，读数存在手机上，有网络时自动上传')).toBeVisible()
  await phone.getByRole('button', { name: '返回列表' }).click()
  await expect(phone.getByText('1 块存在手机上，尚未上传')).toBeVisible()
  await cellar.setOffline(false)
  await expect(phone.getByText('1 块存在手机上，尚未上传')).toHaveCount(0)
  await phone.getByRole('button', { name: '全部', exact: true }).click()
  await phone.getByLabel('搜索').fill(meterNo('P'))
  await expect(
    phone
      .getByRole('listitem')
      .filter({ hasText: meterNo('P') })
      .getByText('112', { exact: true }),
  ).toBeVisible()
  await cellar.close()
})

test('the report and the labels come as files; elsewhere nothing is shown', async () => {
  await openScreen(page, '/intelligentMeter/report')
  const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, '导出明细').click()])
  expect(sheet.suggestedFilename()).toMatch(/^抄表明细_.*\.xlsx$/)
  await openScreen(page, '/intelligence/metermanage/metermanage')
  await page.getByPlaceholder('表号、房间').filter({ visible: true }).fill(meterNo('D'))
  const row = page.getByRole('row').filter({ hasText: meterNo('D'), visible: true })
  await row.getByRole('button', { name: /更多/ }).click()
  const [labels] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '打印二维码' }).filter({ visible: true }).click(),
  ])
  expect(labels.suggestedFilename()).toMatch(/^仪表二维码_\d{8}\.pdf$/)
  await chooseProject(page, '滨江国际')
  await openScreen(page, '/intelligentMeter/checkmeter')
  await expect(page.getByText('该项目暂无在用的仪表').filter({ visible: true })).toBeVisible()
  await chooseProject(page, '锦绣花园')
})
