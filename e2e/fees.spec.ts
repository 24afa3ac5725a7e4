import { dayOfInstant } from '#kit/domain/moment.ts'
import { expect, test, type Page } from '@playwright/test'
import {
  button,
  field,
  createEstate,
  defineJourney,
  selectOption,
  visibleText,
  toastOf,
  openScreen,
} from './page-actions.ts'

const stamp = Date.now().toString(36).toUpperCase()
const year = Number(dayOfInstant(Date.now()).slice(0, 4))
const estate = `费用里${stamp}`
const code = `FYL${stamp}`
const item = `电梯维保费${stamp}`
const formula = `电梯按层${stamp}`
const standard = `电梯维保${stamp}`
let page: Page
let detail: string
defineJourney(p => (page = p))
const setting = '/finance/chargemanage/cashsetting'

test.beforeAll(async () => {
  await createEstate(page, estate, code, { floors: 3, perFloor: 2 })
})

test('defines an item', async () => {
  await openScreen(page, `${setting}/addfeeitem`)
  await field(page, 'code').fill(`DT${stamp}`)
  await field(page, 'name').fill(item)
  await selectOption(page, 'feeType', '周期性')
  await button(page, '新增收费项目').click()
  await expect(toastOf(page, `已新增收费项目「${item}」`)).toBeVisible()
  await openScreen(page, `${setting}?keyword=${encodeURIComponent(item)}`)
  await expect(visibleText(page, item)).toBeVisible()
})

test('no button has an English accessible name', async () => {
  for (const [at, word] of [
    [setting, '新增收费项目'],
    [`${setting}/relevance`, '批量绑定'],
    [`${setting}/addformula`, '新增公式'],
  ] as const) {
    await openScreen(page, at)
    await expect(button(page, word)).toBeVisible()
    await expect(page.getByRole('button', { name: /^[a-z]/ }).filter({ visible: true })).toHaveCount(0)
  }
  await openScreen(page, setting)
  await page.getByLabel('搜索编码、名称').fill(item)
  await expect(button(page, '清除')).toBeVisible()
})

test('writes a formula: the fault is marked, put right, tried and saved', async () => {
  await openScreen(page, `${setting}/addformula`)
  await field(page, 'name').fill(formula)
  await field(page, 'expression').fill('IF（楼层<=1, 0, 单价×楼层）')
  await expect(visibleText(page, /第 3 个字符：“（”是全角符号/)).toBeVisible()
  await button(page, /^改为 IF\(/).click()
  await expect(visibleText(page, '公式正确，用到：楼层、单价')).toBeVisible()
  await button(page, '新增公式').click()
  await expect(visibleText(page, /请先填写“楼层”、“单价”的试算值/)).toBeVisible()
  await page.locator('[data-field="tests"]').getByLabel('楼层', { exact: false }).first().fill('3')
  await page.locator('[data-field="tests"]').getByLabel('单价', { exact: false }).first().fill('2.5')
  await expect(visibleText(page, '= 7.5 元')).toBeVisible()
  await button(page, '新增公式').click()
  await expect(toastOf(page, `已新增公式「${formula}」`)).toBeVisible()
})

test('makes a standard of both and changes its price', async () => {
  await openScreen(page, `${setting}/addstandard`)
  await field(page, 'code').fill('DT01')
  await field(page, 'name').fill(standard)
  await selectOption(page, 'feeItemId', item)
  await selectOption(page, 'formulaId', formula)
  // PRO-4: three ways at once, the others behind 更多.
  await page.locator('[data-field="prorateMode"] .ant-select').filter({ visible: true }).click()
  await expect(page.locator('.ant-select-dropdown:visible .ant-select-item')).toHaveText([
    '按当月实际天数',
    '按30天',
    '不足月按整月',
    '更多',
    '按全年365天',
    '半月规则',
    '不足月不计',
  ])
  await page.keyboard.press('Escape')
  await field(page, 'effectiveDate').fill('2025-01-01')
  await field(page, 'effectiveDate').press('Enter')
  await field(page, 'price').fill('2.5')
  await expect(page.getByRole('region', { name: '试算' }).getByText('¥20.00')).toBeVisible()
  await button(page, '新增收费标准').click()
  await expect(toastOf(page, `已新增收费标准「${standard}」`)).toBeVisible()
  await expect(page.getByRole('heading', { name: standard }).filter({ visible: true })).toBeVisible()
  detail = page.url()
  await button(page, '调价').click()
  const drawer = page.getByRole('dialog').filter({ visible: true })
  await drawer.locator('[data-field="effectiveDate"] input').fill(`${year + 1}-01-01`)
  await drawer.locator('[data-field="effectiveDate"] input').press('Enter')
  await drawer.locator('[data-field="price"] input').fill('3')
  await button(drawer, '确认调价').click()
  await expect(toastOf(page, `${year + 1}-01-01 起按新价格`)).toBeVisible()
  await page.getByRole('tab', { name: '价格版本' }).filter({ visible: true }).click()
  await expect(page.getByRole('row').filter({ hasText: `${year}-12-31`, visible: true })).toHaveCount(1)
  const coming = page.getByRole('row').filter({ hasText: '待生效', visible: true })
  await expect(coming).toHaveCount(1)
  // No bill was made by it: a slip of the finger is put right for its own day (FEE-6).
  await coming.getByRole('button', { name: '更正' }).click()
  await drawer.locator('[data-field="price"] input').fill('3.2')
  await drawer.locator('[data-field="reason"]').getByRole('textbox').fill('单价录错')
  await button(drawer, '确认更正').click()
  await expect(toastOf(page, '价格已更正')).toBeVisible()
  await expect(coming).toContainText('3.2')
})

test('binds the building but for one floor, sees before what comes, and what is skipped the second time', async () => {
  await openScreen(page, `${setting}/batchbind`)
  await selectOption(page, 'buildCodes', '1 栋')
  await field(page, 'floorFrom').fill('2')
  await selectOption(page, 'standardIds', standard)
  const preview = page.getByRole('region', { name: '绑定预览' }).filter({ visible: true })
  await expect(preview.getByText('将绑定 4')).toBeVisible()
  await button(page, '开始绑定').click()
  await expect(toastOf(page, '已绑定 4 个，跳过 0 个')).toBeVisible()
  await button(page, '继续绑定').click()
  await selectOption(page, 'standardIds', standard)
  await expect(preview.getByText('将绑定 2')).toBeVisible()
  await expect(preview.getByText('已绑定同一标准：4')).toBeVisible()
  await button(page, '开始绑定').click()
  await button(page, '查看收费关联').click()
  await expect(page.getByRole('row').filter({ hasText: standard, visible: true })).toHaveCount(6)
})

test('stops one and resumes it; a room leads to its standards', async () => {
  await openScreen(page, `${setting}/relevance?keyword=1-1-201`)
  const row = page.getByRole('row').filter({ hasText: '1-1-201', visible: true })
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '停收', exact: true }).filter({ visible: true }).click()
  await page.getByRole('dialog').getByText('空关').click()
  await page.getByRole('dialog').getByRole('button', { name: /停收/ }).click()
  await expect(row.getByText('停收', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '恢复收费', exact: true }).filter({ visible: true }).click()
  await button(page.getByRole('dialog').filter({ visible: true }), '恢复收费').click()
  await expect(row.getByText('收费中')).toBeVisible()
  await openScreen(page, '/service/data/roommange?keyword=1-1-201')
  const room = page.getByRole('row').filter({ hasText: '1-1-201', visible: true })
  await room.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '收费标准', exact: true }).filter({ visible: true }).click()
  await expect(page.getByRole('region', { name: '现有的收费标准' }).getByText(standard)).toBeVisible()
  await selectOption(page, 'standardIds', standard)
  await button(page, '绑定').click()
  await expect(
    visibleText(page, /^未绑定：已绑定同一标准/),
    'nothing was bound, and what was chosen is still there',
  ).toBeVisible()
  await expect(
    page
      .locator('[data-field="standardIds"]')
      .filter({ visible: true })
      .getByText(/^电梯维保/),
  ).toBeVisible()
})

test('bills the month; a change of price offers what the old one made, and reissues it', async () => {
  await openScreen(page, '/finance/chargemanage/chargeList/generate')
  await button(page, '预览账单').click()
  // Second floor 2.5 × 2, third 2.5 × 3, two rooms each; 1-1-201 from the day on which it was resumed.
  await expect(page.getByText(/将生成 4 张，合计/)).toBeVisible({ timeout: 60_000 })
  await button(page, /^生成 4 张账单$/).click()
  await expect(page.getByRole('heading', { name: /^已生成 4 张账单，合计 ¥/ })).toBeVisible({
    timeout: 60_000,
  })
  await openScreen(page, detail)
  await button(page, '调价').click()
  const drawer = page.getByRole('dialog').filter({ visible: true })
  await drawer
    .locator('[data-field="effectiveDate"] input')
    .fill(`${new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)}-01`)
  await drawer.locator('[data-field="effectiveDate"] input').press('Enter')
  await drawer.locator('[data-field="price"] input').fill('3')
  await button(drawer, '确认调价').click()
  await expect(visibleText(page, /已有 4 张未缴账单是按旧价格出的/)).toBeVisible()
  await button(page, '以后再说').click()
  await button(page, '重新生成旧价账单（4）').click()
  await expect(page.getByRole('row').filter({ hasText: '+1.50', visible: true })).toHaveCount(2)
  await page
    .getByRole('checkbox', { name: /^选择(「|第)/ })
    .filter({ visible: true })
    .first()
    .click()
  await button(page, '重新生成 3 张账单').click()
  const confirmation = page.getByRole('dialog').filter({ visible: true })
  await confirmation.getByText('调价', { exact: true }).click()
  await confirmation.getByRole('button', { name: /重新生成/ }).click()
  await expect(toastOf(page, /已重新生成 3 条，合计由 20\.00 变为 24\.00/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '1-1-201', visible: true })).toHaveCount(1)
  await expect(button(page, '重新生成 1 张账单')).toBeEnabled()
})
