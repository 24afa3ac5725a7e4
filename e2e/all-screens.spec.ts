import { expect, test, type Page } from '@playwright/test'
import { readProductMap } from '../tools/product-map.ts'
import { findSeriousFaults } from './axe.ts'
import { collectConsoleErrors, signIn } from './page-actions.ts'

/**
 * Of the whole window, as browsers count it; above it a reader loses his place. On a telephone a line of
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
 * As a link does it: the page is not loaded anew. The panel of another section opens beside the page at once,
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
/** Nothing is waited for any more, for a third of a second; what never ends is told after twenty seconds. */
const waitUntilDrawn = `new Promise((resolve, reject) => {
  let quietMs = 0
  const startedAt = Date.now()
  const look = () => {
    const all = document.querySelectorAll('.sheet-skeleton, .skeleton, .ant-spin-spinning, [aria-busy="true"]')
    const waits = [...all].some(element => element.checkVisibility())
    quietMs = waits ? 0 : quietMs + 50
    if (quietMs > 300) return resolve()
    if (Date.now() - startedAt > 20000) return reject(new Error('still waiting'))
    setTimeout(look, 50)
  }
  look()
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
}

const usualViewing: Viewing = { account: 'demo', width: 1280, theme: 'light' }

/**
 * Every run looks as the administrator does; with `SCREENS=all` each role of the demo company, the wide
 * window in the dark and a telephone follow, which takes a quarter of an hour.
 */
const viewings: readonly Viewing[] =
  process.env.SCREENS === 'all'
    ? [
        usualViewing,
        { ...usualViewing, width: 1920, theme: 'dark' },
        { ...usualViewing, width: 360 },
        ...['cashier1', 'service1', 'engineer1', 'manager1', 'auditor1'].map(account => ({
          ...usualViewing,
          account,
        })),
      ]
    : [usualViewing]

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

// Halves beside each other; a trace of every screen would cost more than the screens.
test.describe.configure({ mode: 'parallel' })
test.use({ trace: 'off' })
const parts = 2

const halves = viewings.flatMap(viewing => Array.from({ length: parts }, (_, part) => ({ ...viewing, part })))

for (const { account, width, theme, part } of halves) {
  test(`every screen opens without an error, a jump, an overflow or a barrier: ${account} at ${width}, ${theme}, part ${part + 1}`, async ({
    browser,
  }) => {
    test.setTimeout(900_000)
    const { screens } = await readProductMap()
    expect(screens.length).toBeGreaterThan(190)
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme })
    const consoleErrors = collectConsoleErrors(page)
    await page.addInitScript({ content: measureShifts })
    await signIn(page, account)
    const faults: string[] = []
    for (const { path } of screens.filter((_, i) => i % parts === part)) {
      await page.evaluate(navigateTo(path))
      const found = await findFaults(page, width).catch((error: unknown) => [String(error)])
      if (account === usualViewing.account && width === usualViewing.width) {
        await takePicture(page, path)
      }
      faults.push(...[...found, ...consoleErrors.splice(0)].map(fault => `${path} ${fault}`))
    }
    await page.close()
    expect(faults).toEqual([])
  })
}
