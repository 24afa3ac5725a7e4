import { expect, test, type BrowserContext, type Page, type Response } from '@playwright/test'
import { readProductMap } from '../tools/product-map.ts'
import { findSeriousFaults } from './axe.ts'
import { collectConsoleErrors, roleAccounts, signIn, signInAtWork } from './page-actions.ts'

/**
 * Of the whole window, as browsers count it; above it readers lose their place. On a phone a line of
 * figures that arrives is a larger part of the window.
 */
const maxLayoutShift = (width: number): number => (width < 500 ? 0.1 : 0.02)

// These run in the page.
const measureShifts = `
  window.layoutShift = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.layoutShift += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
`
/**
 * As a link does it: the page is not reloaded. The panel of another section opens beside the page at once,
 * which is the navigation; what moves after the second picture is counted.
 */
const navigateTo = (path: string) => `new Promise(resolve => {
  history.pushState({}, '', ${JSON.stringify(path)})
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.layoutShift = 0
    resolve()
  }))
})`
/**
 * Nothing is waited for any more, for a third of a second; what never ends is reported after twenty seconds.
 */
const waitUntilDrawn = `new Promise((resolve, reject) => {
  let quietMs = 0
  const startedAt = Date.now()
  const poll = () => {
    const all = document.querySelectorAll('.sheet-skeleton, .skeleton, .ant-spin-spinning, [aria-busy="true"]')
    const waits = [...all].some(element => element.checkVisibility())
    quietMs = waits ? 0 : quietMs + 50
    if (quietMs > 300) return resolve()
    if (Date.now() - startedAt > 20000) return reject(new Error('still waiting'))
    setTimeout(poll, 50)
  }
  poll()
})`
const readLayout = `({
  shift: window.layoutShift,
  isWide: document.documentElement.scrollWidth > window.innerWidth + 1,
})`

interface Layout {
  readonly shift: number
  readonly isWide: boolean
}

/** What is wrong with the screen that is shown. */
async function findFaults(page: Page, width: number): Promise<string[]> {
  await page.evaluate(waitUntilDrawn)
  const { shift, isWide } = await page.evaluate<Layout>(readLayout)
  return [
    ...(shift > maxLayoutShift(width) ? [`layout shift ${shift.toFixed(3)}`] : []),
    ...(isWide ? ['wider than the window'] : []),
    ...(await findSeriousFaults(page)),
  ]
}

interface Viewing {
  readonly account: string
  readonly width: number
  readonly theme: 'light' | 'dark'
  /** Of so many equal parts of the screens this one. */
  readonly part: number
  readonly parts: number
}

/** Of a small laptop: lists have ten rows, enough to see how they stand, and half the work to inspect. */
const windowHeight = process.env.PICTURES ? 900 : 720

const usualView = { account: 'demo', width: 1280, theme: 'light' } as const

/** Halves beside each other. */
const inHalves = (view: Omit<Viewing, 'part' | 'parts'>): readonly Viewing[] =>
  [0, 1].map(part => ({ ...view, part, parts: 2 }))

/** In so many days each role has opened every screen. */
const daysOfRotation = 2 * roleAccounts.length

/** Each role at a twelfth of the screens, other ones every day; width and theme change as well. */
function rolesInRotation(day: number): readonly Viewing[] {
  return roleAccounts.map((account, i) => ({
    account,
    width: (day + i) % 4 < 2 ? 1280 : 1920,
    theme: (day + i) % 2 ? 'dark' : 'light',
    part: (day + 2 * i) % daysOfRotation,
    parts: daysOfRotation,
  }))
}

const dayNumber = Math.floor(Date.now() / 86_400_000)

/**
 * Every run looks as the administrator does, and as each role at some of the screens; with `SCREENS=all`
 * each account sees all of them, the administrator in both widths and themes and on a phone, which takes
 * half an hour.
 */
const viewings: readonly Viewing[] =
  process.env.SCREENS === 'all'
    ? [
        usualView,
        { ...usualView, width: 1920 },
        { ...usualView, theme: 'dark' as const },
        { ...usualView, width: 1920, theme: 'dark' as const },
        { ...usualView, width: 360 },
        ...roleAccounts.map(account => ({ ...usualView, account })),
      ].flatMap(inHalves)
    : [...inHalves(usualView), ...rolesInRotation(dayNumber)]

/** The pictures of `docs/pictures`, taken with `PICTURES=1`. */
const pictures: Readonly<Record<string, string>> = {
  '/service/data/roomboard': 'room-board',
  '/service/data/roommange': 'rooms',
  '/customer/usermanage': 'residents',
  '/service/data/parklots/carportlist': 'parking-places',
  '/finance': 'finance-home',
  '/finance/chargemanage/cashier': 'cashier',
  '/finance/chargemanage/chargeList': 'bills',
  '/finance/chargemanage/debtors': 'debtors',
  '/finance/chargemanage/demandmoney': 'reminders',
  '/finance/chargemanage/chargeList/generate': 'generate-bills',
  '/finance/chargemanage/paidbills': 'payment-records',
  '/finance/chargemanage/backpaidbills': 'refunds',
  '/finance/chargemanage/handover': 'handover',
  '/finance/chargemanage/deposits': 'deposits',
  '/finance/chargemanage/cashsetting': 'fee-settings',
  '/finance/reservemanagement/depositaccount': 'prestore',
  '/setting/permission/rolelist': 'roles',
  '/setting/baseSetting/print': 'print-settings',
  '/setting/baseSetting/initGuide': 'setup-guide',
}

async function takePicture(page: Page, path: string): Promise<void> {
  const name = process.env.PICTURES ? pictures[path] : undefined
  if (name) {
    await page.screenshot({ path: `docs/pictures/${name}.png` })
  }
}

// Beside each other; a trace of every screen would cost more than the screens.
test.describe.configure({ mode: 'parallel' })
test.use({ trace: 'off' })

interface Window {
  readonly page: Page
  readonly consoleErrors: string[]
}

async function openWindow(context: BrowserContext): Promise<Window> {
  const page = await context.newPage()
  return { page, consoleErrors: collectConsoleErrors(page) }
}

/** Opens the screens one after the other, and returns what is wrong with each. */
async function viewScreens(
  { page, consoleErrors }: Window,
  paths: readonly string[],
  { account, width, theme }: Viewing,
): Promise<string[]> {
  const faults: string[] = []
  for (const path of paths) {
    await page.evaluate(navigateTo(path))
    const found = await findFaults(page, width).catch((error: unknown) => [String(error)])
    if (account === usualView.account && width === usualView.width && theme === usualView.theme) {
      await takePicture(page, path)
    }
    faults.push(...[...found, ...consoleErrors.splice(0)].map(fault => `${path} ${fault}`))
  }
  return faults
}

function testViewing(viewing: Viewing): void {
  const { account, width, theme, part, parts } = viewing
  test(`every screen opens without an error, a jump, an overflow or a barrier: ${account} at ${width}, ${theme}, part ${part + 1} of ${parts}`, async ({
    browser,
  }) => {
    test.setTimeout(900_000)
    const { screens } = await readProductMap()
    expect(screens.length).toBeGreaterThan(190)
    const context = await browser.newContext({
      viewport: { width, height: windowHeight },
      colorScheme: theme,
    })
    await context.addInitScript({ content: measureShifts })
    // Two: while one waits, the other is looked at.
    const windows = [await openWindow(context), await openWindow(context)] as const
    const [{ page }, { page: second }] = windows
    await signInAtWork(page, account)
    await signInAtWork(second, account)
    const paths = screens.filter((_, i) => i % parts === part).map(({ path }) => path)
    const faults = await Promise.all(
      windows.map((window, i) =>
        viewScreens(
          window,
          paths.filter((_, k) => k % 2 === i),
          viewing,
        ),
      ),
    )
    await context.close()
    expect(faults.flat()).toEqual([])
  })
}

// What takes longest begins first.
viewings.slice(0, 2).forEach(testViewing)

const invalidAddress = '链接无效，请从列表重新打开'

/** The first row of a response that is a list, in its wire form. */
interface AnsweredRow {
  readonly id: string
  /** What its fields hold, as texts. */
  readonly values: ReadonlySet<string>
}

/** An amount is the same with and without marks between its thousands. */
const plainText = (text: string): string => text.replaceAll(',', '').replace('−', '-').trim()

function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn)
  return value === null || value === '' ? [] : [plainText(String(value))]
}

async function firstRowOf(response: Response): Promise<AnsweredRow | undefined> {
  const answer: { readonly Data?: readonly { readonly ID?: string | number }[]; readonly Total?: number } =
    await response.json().catch(() => ({}))
  const row = answer.Total === undefined ? undefined : answer.Data?.[0]
  return row?.ID === undefined ? undefined : { id: String(row.ID), values: new Set(valuesIn(row)) }
}

// Runs in the page: what the cells of the first row hold that the list on the screen shows.
const readFirstRow = `(() => {
  const row = [...document.querySelectorAll('tr[data-i="0"]')].find(element => element.checkVisibility())
  return [...(row?.cells ?? [])].map(cell => cell.innerText.trim()).filter(text => text !== '')
})()`

/**
 * The id of the first row of every list. A screen asks for more than its rows, such as what its filters
 * offer, and the answers come in any order: the row is that of the answer which holds most of what is drawn.
 */
function collectFirstIds(page: Page): (path: string) => Promise<string | undefined> {
  const idByPath = new Map<string, string | undefined>()
  const answers: Promise<AnsweredRow | undefined>[] = []
  page.on('response', response => {
    if (/json/.test(response.headers()['content-type'] ?? '')) {
      // The newest first: of two that hold as much it is the one that this screen asked for.
      answers.unshift(firstRowOf(response))
    }
  })
  const findFirstId = async (path: string): Promise<string | undefined> => {
    await page.evaluate(navigateTo(path))
    await page.evaluate(waitUntilDrawn)
    const cells = await page.evaluate<string[]>(readFirstRow)
    const drawnCells = (row: AnsweredRow): number =>
      cells.filter(cell => row.values.has(plainText(cell))).length
    const rows = (await Promise.all(answers)).filter(row => row !== undefined)
    const most = Math.max(0, ...rows.map(drawnCells))
    return most === 0 ? undefined : rows.find(row => drawnCells(row) === most)?.id
  }
  return async path => {
    if (!idByPath.has(path)) {
      idByPath.set(path, await findFirstId(path))
    }
    return idByPath.get(path)
  }
}

/** The list that a record's page belongs to: the next screen above it. */
function listAbove(path: string, paths: ReadonlySet<string>): string | undefined {
  const steps = path.split('/')
  while (steps.length > 2) {
    steps.pop()
    if (paths.has(steps.join('/'))) return steps.join('/')
  }
  return undefined
}

/** Pages that are beside their list, not under it. */
const listByPath: Readonly<Record<string, string>> = {
  '/baseuserdetail': '/baseuserlist',
  '/intelligence/devdetail': '/intelligence/devmgr',
  '/repairdetail': '/quality/workOrderManagement/record',
  '/wisdom/devdetail': '/intelligence/devmgr',
}

/** Of other lists than a page of rows: the first product, which the migrations insert. */
const idByPath: Readonly<Record<string, string>> = { '/setting/product/Productdetail': '1' }

/** The demo's companies are in another estate than the one that is open. */
const hasNoRecord = /^\/customer\/companyManage\//

const isOfOneRecord = /detail|edit|look|view|see|moveout|reprice|:/i

/** Opens the pages of one record among the screens; what is wrong, and which of them had a record. */
async function viewRecords(
  page: Page,
  screens: readonly { readonly path: string }[],
  paths: ReadonlySet<string>,
): Promise<{ readonly faults: readonly string[]; readonly opened: readonly string[] }> {
  const consoleErrors = collectConsoleErrors(page)
  await page.addInitScript({ content: measureShifts })
  await signInAtWork(page)
  const firstIdAt = collectFirstIds(page)
  const isInvalid = (): Promise<boolean> =>
    page.getByText(invalidAddress).filter({ visible: true }).first().isVisible()
  const faults: string[] = []
  const opened: string[] = []
  for (const { path } of screens) {
    await page.evaluate(navigateTo(path.replace(/\/:\w+/, '/0')))
    await page.evaluate(waitUntilDrawn)
    if (!(await isInvalid())) continue
    const leadsBack = page.getByRole('button', { name: /^返回(列表|工作台)$/ }).filter({ visible: true })
    if ((await leadsBack.count()) === 0) {
      faults.push(`${path} a dead link leads nowhere`)
    }
    const list = listByPath[path] ?? listAbove(path, paths)
    const id = idByPath[path] ?? (list === undefined ? undefined : await firstIdAt(list))
    if (id === undefined) {
      if (!hasNoRecord.test(path)) {
        faults.push(`${path} has no record in ${list ?? 'no list'}`)
      }
      continue
    }
    await page.evaluate(navigateTo(path.includes(':') ? path.replace(/:\w+/, id) : `${path}?id=${id}`))
    const found = await findFaults(page, 1280).catch((error: unknown) => [String(error)])
    const failed = page.getByRole('button', { name: '重试', exact: true }).filter({ visible: true })
    faults.push(
      ...[...found, ...consoleErrors.splice(0)].map(fault => `${path} ${fault}`),
      ...((await failed.count()) > 0 ? [`${path} shows no record ${id} of ${list ?? ''}`] : []),
    )
    opened.push(path)
  }
  return { faults, opened }
}

// Screens of one list follow each other: halves, so that both seldom open the same list.
for (const part of [0, 1]) {
  test(`the pages of one record open with a real one, and a dead link leads back to the list: part ${part + 1} of 2`, async ({
    browser,
  }) => {
    test.setTimeout(600_000)
    const all = (await readProductMap()).screens
    const screens = all.filter(({ path }) => isOfOneRecord.test(path))
    const half = Math.ceil(screens.length / 2)
    const page = await browser.newPage({ viewport: { width: 1280, height: windowHeight } })
    const { faults, opened } = await viewRecords(
      page,
      screens.slice(part * half, (part + 1) * half),
      new Set(all.map(({ path }) => path)),
    )
    await page.close()
    expect(faults).toEqual([])
    expect(opened.length).toBeGreaterThan(10)
  })
}

/** Dialogs that people open every day: where they are, and what is pressed. */
const dialogs: readonly (readonly [path: string, button: string | RegExp])[] = [
  ['/customer/usermanage/cards', /^新增门禁卡/],
  ['/customer/usermanage/blocklist', /^新增黑名单/],
  ['/intelligence/metermanage/metermanage', /^新增仪表/],
  ['/intelligentMeter/plan', /^新增/],
  ['/setting/baseSetting/oalist/posterminal', /^新增/],
  ['/setting/sysNotice/announcement', /^新增系统公告/],
  ['/finance/chargemanage/sharepools', /^新增/],
  ['/finance/chargemanage/deposits', /^新增|^收取押金/],
  ['/finance/chargemanage/reconcile', /^获取渠道账单/],
  ['/finance/reservemanagement/depositaccount', /^充值/],
  ['/service/data/roommange', /^导入/],
  ['/service/data/buildlist', /^导出/],
  ['/quality/workOrderManagement/setting', /^新增工单类型/],
  ['/quality/serviceManage/checkroom', /^批量生成/],
  ['/finance/chargemanage/tradingcenter', /^更多筛选/],
  ['/customer/companyManage', /^导入进度/],
  ['/customer/companyManage/workers', /^新增企业员工/],
  ['/customer/merchantlist', /^导入/],
  ['/service/data/PublicAreaManage', /^新增公共区域/],
  ['/internal/personnel/stafftags', /^新增标签/],
]

test('nothing that people open over a screen has a barrier', async ({ browser }) => {
  test.setTimeout(300_000)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await signInAtWork(page)
  const faults: string[] = []
  const checkScreen = async (what: string): Promise<void> => {
    await page.evaluate(waitUntilDrawn)
    faults.push(...(await findSeriousFaults(page)).map(fault => `${what} ${fault}`))
  }
  for (const text of ['zzzzzz', '王', '过户']) {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: '搜索' }).getByRole('combobox').fill(text)
    await expect(page.locator('#palette-list')).not.toContainText('正在查找…')
    await checkScreen(`palette ${text}`)
    await page.keyboard.press('Escape')
  }
  await page.evaluate(navigateTo('/finance/chargemanage/cashier'))
  await page.getByLabel('搜索收费对象').fill('zzzzzz')
  await expect(page.locator('#cashier-found')).toContainText('未找到')
  await checkScreen('cashier search')
  for (const [path, name] of dialogs) {
    await page.evaluate(navigateTo(path))
    await page.evaluate(waitUntilDrawn)
    await page.getByRole('button', { name }).filter({ visible: true }).first().click()
    const dialog = page.getByRole('dialog').filter({ visible: true })
    await expect(dialog.first()).toBeVisible()
    await checkScreen(path)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await page.close()
  expect(faults).toEqual([])
})

/** A home with more bills than a dialog shows at once. */
const owingRoom = '1-2-403'

/** What a cashier opens over the bills of a home: a key or a button, and what is in it then. */
const cashierDialogs: readonly (readonly [
  what: string,
  open: (page: Page) => Promise<void>,
  text: string,
])[] = [
  ['临时费用', page => page.keyboard.press('Alt+t'), '新增临时费用'],
  ['预缴', page => page.keyboard.press('Alt+y'), '预缴周期数'],
  ['减免', page => page.keyboard.press('Alt+j'), '减免后'],
  ['预存充值', page => page.keyboard.press('F9'), '充值'],
  ['押金', page => page.keyboard.press('F10'), '押金'],
  ['其他收入', page => page.getByRole('button', { name: '其他收入' }).click(), '其他收入'],
  ['快捷键', page => page.keyboard.press('?'), '快捷键'],
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing that a cashier opens has a barrier: ${colorScheme}`, async ({ browser }) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme })
    await signIn(page)
    await page.goto('/finance/chargemanage/cashier')
    await page.getByLabel('搜索收费对象').fill(owingRoom)
    await page.getByLabel('搜索收费对象').press('Enter')
    const rows = page.getByRole('group', { name: '待缴账单' })
    await expect(rows).toBeFocused()
    const dialog = page.getByRole('dialog').filter({ visible: true })
    const faults: string[] = []
    for (const [what, open, text] of cashierDialogs) {
      await rows.focus()
      await open(page)
      await expect(dialog).toContainText(text)
      await page.evaluate(waitUntilDrawn)
      faults.push(...(await findSeriousFaults(page)).map(fault => `${what} ${fault}`))
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await page.close()
    expect(faults).toEqual([])
  })
}

// What is brief comes last, so that no worker waits long for another.
viewings.slice(2).forEach(testViewing)
