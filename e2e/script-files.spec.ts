import { expect, test, type Browser, type BrowserContext } from '@playwright/test'
import { maxScripts } from '../tools/bundle.ts'
import { signIn } from './page-actions.ts'

/** The screens with which people begin and which they open all day. */
const mainScreens = [
  '/work',
  '/service/data/roomboard',
  '/service/data/roommange',
  '/customer/usermanage',
  '/service/data/parklots/carportlist',
  '/finance',
  '/finance/chargemanage/cashier',
  '/finance/chargemanage/chargeList',
  '/finance/chargemanage/debtors',
  '/finance/chargemanage/demandmoney',
  '/finance/chargemanage/chargeList/generate',
  '/finance/chargemanage/paidbills',
  '/finance/chargemanage/backpaidbills',
  '/finance/chargemanage/handover',
  '/finance/chargemanage/deposits',
  '/finance/chargemanage/cashsetting',
  '/finance/reservemanagement/depositaccount',
  '/intelligentMeter/checkmeter',
  '/quality/workOrderManagement/record',
  '/setting/permission/rolelist',
  '/setting/baseSetting/print',
  '/setting/baseSetting/initGuide',
] as const

/**
 * A third of them each day: the weights of pages (`tools/bundle.ts`) count for every screen of the menu in
 * every run what its code names; this journey adds what a browser fetches besides.
 */
const screensOfToday = mainScreens.filter((_, i) => i % 3 === Math.floor(Date.now() / 86_400_000) % 3)

const quietMs = 1500

/** The script files that a browser with an empty cache requests for a page, also in the background. */
async function requestedScripts(
  browser: Browser,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  path: string,
): Promise<readonly string[]> {
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  const scripts = new Set<string>()
  let lastAt = Date.now()
  page.on('request', request => {
    lastAt = Date.now()
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) {
      scripts.add(pathname.replace('/assets/', ''))
    }
  })
  await page.goto(path)
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
  // The last that the shell fetches, once the page stands.
  const hasIdleParts = (): boolean => [...scripts].some(file => file.startsWith('idle-parts'))
  await expect.poll(() => hasIdleParts() && Date.now() - lastAt > quietMs, { timeout: 30_000 }).toBe(true)
  await context.close()
  return [...scripts]
}

test(`no main screen requests more than ${maxScripts} script files`, async ({ browser, page }) => {
  test.setTimeout(480_000)
  await signIn(page)
  const storageState = await page.context().storageState({ indexedDB: true })
  const crowded: string[] = []
  const waiting: string[] = [...screensOfToday]
  const openScreens = async (): Promise<void> => {
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      const scripts = await requestedScripts(browser, storageState, path)
      expect(scripts.length, path).toBeGreaterThan(5)
      if (scripts.length > maxScripts) {
        crowded.push(`${path} ${scripts.length}: ${scripts.join(' ')}`)
      }
    }
  }
  // Two: each waits most of its time for what may still be requested.
  await Promise.all([openScreens(), openScreens()])
  expect(crowded).toEqual([])
})
